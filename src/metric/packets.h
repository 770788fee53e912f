/* All packets of all captures, one after the other. */
#ifndef CAPDIFF_METRIC_PACKETS_H
#define CAPDIFF_METRIC_PACKETS_H

#include "align/packet.h"
#include "base/error.h"
#include "metric/metric.h"

/* What to do with a packet: 0, or -1 to stop. */
typedef int cd_packet_sink(void *context, const struct cd_packet_row *row,
			   struct cd_error *error);

/*
 * By stream, epoch and number: every number that a capture has, inside the
 * common interval or not; strays are left out. Holds some blocks of the tracks
 * at a time. After all metrics. 0 or -1.
 */
int cd_packets_walk(const struct cd_analysis *analysis, cd_packet_sink *sink,
		    void *context, struct cd_error *error);

#endif
