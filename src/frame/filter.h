/* BPF filters (pcap-filter(7)), applied per packet with its own link type. */
#ifndef CAPDIFF_FRAME_FILTER_H
#define CAPDIFF_FRAME_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct cd_filter; /* opaque; one per thread: it compiles on first sight of a
		     link type */

/* Checks the expression (against Ethernet). NULL on error, CD_E_USAGE with
 * libpcap's own message. */
struct cd_filter *cd_filter_new(const char *expression,
				struct cd_error *error);
void cd_filter_free(struct cd_filter *filter);
/* A link type for which the expression does not compile matches nothing. */
bool cd_filter_match(struct cd_filter *filter, uint32_t linktype,
		     const uint8_t *data, uint32_t caplen, uint32_t origlen);

#endif
