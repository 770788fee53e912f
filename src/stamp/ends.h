/* For detection only: the flows of a sample, by addresses and ports. */
#ifndef CAPDIFF_STAMP_ENDS_H
#define CAPDIFF_STAMP_ENDS_H

#include "stamp/detect.h"

#define CD_NO_FLOW UINT32_MAX

/*
 * flow[i] of packet i, numbers from 0 on in no special order; CD_NO_FLOW for
 * one with no header above IP. O(n log n). 0 and their number, or -1 without
 * memory.
 */
int cd_ends_number(const struct cd_sample *sample, uint32_t *flow,
		   size_t *n_flows);

#endif
