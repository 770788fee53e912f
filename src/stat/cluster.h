/*
 * Bunches of stamps, as interrupt coalescing makes them (METRICS 3.5): maximal
 * runs of packets that follow the one before within a quarter of the spacing
 * expected.
 */
#ifndef CAPDIFF_STAT_CLUSTER_H
#define CAPDIFF_STAT_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/histogram.h"

struct cd_clusters {
	uint64_t packets;
	struct cd_histogram sizes;  /* of closed clusters, p = 10 */
	struct cd_histogram onsets; /* first stamp to first stamp, p = 10 */
	/* the open cluster; size 0: none */
	uint64_t size;
	int64_t onset, previous;
};

/* 0, or -1 without memory. */
int cd_clusters_init(struct cd_clusters *c);
void cd_clusters_release(struct cd_clusters *c);

/*
 * Stamps t of one stream, in file order, block after block. Packet j is in the
 * cluster of j-1 iff t[j] - t[j-1] < expected/4; `expected[j]` is the spacing
 * up to j (Delta_R; its first, for the first packet of all, is not looked at),
 * CD_TIME_NONE begins a new cluster. With `expected` NULL `spacing` is that of
 * all.
 */
void cd_clusters_add(struct cd_clusters *c, const int64_t *t,
		     const int64_t *expected, int64_t spacing, size_t n);
/* The stream has ended: close its last cluster. Another stream may follow. */
void cd_clusters_end(struct cd_clusters *c);
/* Add the results of another stream; both have ended. */
void cd_clusters_merge(struct cd_clusters *c, const struct cd_clusters *other);

struct cd_cluster_summary {
	uint64_t packets, clusters;
	double coalescing;	 /* CI = 1 - clusters/packets; NAN: n = 0 */
	double mean_size;	 /* NAN: n = 0 */
	int64_t size_p50, size_max;
	double share_bunched;	 /* packets in clusters of 2 or more; NAN */
	bool has_onsets;	 /* at least two clusters of one stream */
	int64_t onset_p10, onset_p50, onset_p90; /* within 0.05 % */
	bool has_period;	 /* CI >= 0.3 and has_onsets */
	int64_t period;		 /* onset_p50 */
	bool fixed_timer;	 /* has_period, p10 and p90 within 2 % */
};
/* After cd_clusters_end(). */
struct cd_cluster_summary cd_clusters_summary(const struct cd_clusters *c);

#endif
