/*
 * Loss periods (RFC 3357 5.4.2, METRICS 1.4) from the packets of a lane in
 * order of their numbers.
 *
 * A period is a maximal run of packets that the reference has and the other
 * lacks. Numbers that neither has do not end it and do not count: the sender
 * may have skipped them. Its time is the reference's, from the last packet
 * before it to the first after it that the reference has.
 */
#ifndef CAPDIFF_METRIC_GAPS_H
#define CAPDIFF_METRIC_GAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "metric/metric.h"
#include "stat/histogram.h"

/* Periods closer than this many received packets make one burst (Gmin,
 * RFC 3611 4.7.2). */
#define CD_BURST_GAP 16

struct cd_gap_scan {
	struct cd_gaps *out;
	struct cd_histogram *spacing; /* between the onsets, or NULL */
	struct cd_gap run;	      /* under way while run.packets > 0 */
	bool waiting;	/* ended, but the time after it is not known */
	bool received;	/* something was received so far */
	uint64_t since; /* received since the last period */
	int64_t ref_ps; /* last time of the reference seen, or NONE */
	int64_t last_lost_ps;
	int64_t onset_ps; /* of the period before, or NONE */
};

void cd_gap_scan_init(struct cd_gap_scan *scan, struct cd_gaps *out,
		      struct cd_histogram *spacing);
/* `n` packets of the reference, from number `seq` on, that the other lacks, the
 * last of them at `ref_ps`, CD_TIME_NONE: no time. */
void cd_gap_lost(struct cd_gap_scan *scan, int64_t seq, uint64_t n,
		 int64_t ref_ps);
/* `n` packets that the other has; reference times of the first and the last
 * of them, CD_TIME_NONE where it lacks them or has no time. */
void cd_gap_received(struct cd_gap_scan *scan, uint64_t n, int64_t first_ps,
		     int64_t last_ps);
/* No more packets. */
void cd_gap_scan_end(struct cd_gap_scan *scan);

/* Two parts of one whole. */
void cd_gaps_add(struct cd_gaps *sum, const struct cd_gaps *part);

#endif
