/* --packets: a row of CSV (RFC 4180) for every packet. */
#ifndef CAPDIFF_EXTRACT_PACKETS_H
#define CAPDIFF_EXTRACT_PACKETS_H

#include <stddef.h>
#include <stdint.h>

#include "align/packet.h"
#include "align/point.h"
#include "base/error.h"

struct cd_packets; /* opaque */

/* `reference` is not to be used with one capture. NULL on error. */
struct cd_packets *cd_packets_open(const char *path,
				   const struct cd_point *points, size_t n,
				   size_t reference, struct cd_error *error);
/* 0 or -1. */
int cd_packets_add(struct cd_packets *packets, const struct cd_packet_row *row,
		   struct cd_error *error);
/* Everything out and named; with `keep` false nothing is left. 0 or -1. */
int cd_packets_close(struct cd_packets *packets, bool keep,
		     struct cd_error *error);

#endif
