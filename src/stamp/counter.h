/* For detection only: a counter that no known format has. */
#ifndef CAPDIFF_STAMP_COUNTER_H
#define CAPDIFF_STAMP_COUNTER_H

#include "stamp/detect.h"

/*
 * Search the payloads (without IP: what the link headers lead to) for a
 * counter: at any offset from the start or the end, of 2 to 8 bytes, in either
 * byte order, with any constant step, in flows of one IP protocol or ethertype
 * that count for themselves or share it. Headers are not searched, so that IP
 * identification, TCP sequence numbers and check sums are never taken; nor are
 * the well-known services of cd_stamp_is_service().
 *
 * Fills spec, share and others of `out`, or sets `ambiguous` and adds the
 * candidates to `tried` in --stamp spelling, or leaves all as it is. O(bytes of
 * the samples) for the search, O(p log p) in their packets for the rest. 0, or
 * -1 without memory.
 */
int cd_counter_find(const struct cd_sample *samples, size_t n_captures,
		    struct cd_detection *out);

#endif
