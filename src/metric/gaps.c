#include "metric/gaps.h"

#include "metric/lanes.h"

void cd_gap_scan_init(struct cd_gap_scan *scan, struct cd_gaps *out,
		      struct cd_histogram *spacing)
{
	*scan = (struct cd_gap_scan){
	    .out = out,
	    .spacing = spacing,
	    .ref_ps = CD_TIME_NONE,
	    .last_lost_ps = CD_TIME_NONE,
	    .onset_ps = CD_TIME_NONE,
	};
}

static void keep_longest(struct cd_gaps *gaps, const struct cd_gap *gap)
{
	if (gap->packets > gaps->longest.packets)
		gaps->longest = *gap;
	if (gap->packets > 0 && gap->outage_ps != CD_TIME_NONE &&
	    (gaps->outage.packets == 0 ||
	     gap->outage_ps > gaps->outage.outage_ps))
		gaps->outage = *gap;
}

/* The ended period is complete: `after_ps` is the time after it, or NONE. */
static void finish_run(struct cd_gap_scan *scan, int64_t after_ps)
{
	struct cd_gap *run = &scan->run;

	/* without a packet before or after it, at least from its first or to
	 * its last own one */
	if (after_ps == CD_TIME_NONE)
		after_ps = scan->last_lost_ps;
	run->outage_ps = CD_TIME_NONE;
	if (run->at_ps != CD_TIME_NONE && after_ps != CD_TIME_NONE)
		run->outage_ps = cd_minus(after_ps, run->at_ps);
	keep_longest(scan->out, run);
	run->packets = 0;
	scan->waiting = false;
}

static void note_spacing(struct cd_gap_scan *scan, int64_t at_ps)
{
	if (at_ps == CD_TIME_NONE)
		return;
	if (scan->spacing != NULL && scan->onset_ps != CD_TIME_NONE) {
		int64_t spacing = cd_minus(at_ps, scan->onset_ps);

		cd_histogram_add(scan->spacing, &spacing, 1);
	}
	scan->onset_ps = at_ps;
}

static void start_run(struct cd_gap_scan *scan, int64_t seq, int64_t ref_ps)
{
	scan->run = (struct cd_gap){
	    .first_seq = seq,
	    .at_ps = scan->ref_ps != CD_TIME_NONE ? scan->ref_ps : ref_ps,
	};
	scan->last_lost_ps = CD_TIME_NONE;
	scan->out->runs++;
	scan->out->runs_after += scan->received;
	if (scan->out->runs == 1 || scan->since >= CD_BURST_GAP)
		scan->out->bursts++;
	note_spacing(scan, scan->run.at_ps);
}

void cd_gap_lost(struct cd_gap_scan *scan, int64_t seq, uint64_t n,
		 int64_t ref_ps)
{
	if (scan->waiting)
		finish_run(scan, ref_ps);
	if (scan->run.packets == 0)
		start_run(scan, seq, ref_ps);
	scan->run.packets += n;
	scan->run.last_seq = seq + (int64_t)(n - 1);
	if (ref_ps == CD_TIME_NONE)
		return;
	scan->last_lost_ps = ref_ps;
	scan->ref_ps = ref_ps;
}

void cd_gap_received(struct cd_gap_scan *scan, uint64_t n, int64_t first_ps,
		     int64_t last_ps)
{
	if (scan->run.packets > 0 && !scan->waiting) {
		scan->waiting = true;
		scan->out->singles += scan->run.packets == 1;
		scan->out->runs_before++;
		scan->since = 0;
	}
	if (scan->waiting &&
	    (first_ps != CD_TIME_NONE || last_ps != CD_TIME_NONE))
		finish_run(scan, first_ps != CD_TIME_NONE ? first_ps : last_ps);
	scan->received = true;
	scan->since += n;
	if (last_ps != CD_TIME_NONE)
		scan->ref_ps = last_ps;
	else if (first_ps != CD_TIME_NONE)
		scan->ref_ps = first_ps;
}

void cd_gap_scan_end(struct cd_gap_scan *scan)
{
	if (scan->run.packets == 0)
		return;
	if (!scan->waiting) {
		scan->out->singles += scan->run.packets == 1;
		scan->out->runs_open++;
	}
	finish_run(scan, CD_TIME_NONE);
}

void cd_gaps_add(struct cd_gaps *sum, const struct cd_gaps *part)
{
	sum->runs += part->runs;
	sum->singles += part->singles;
	sum->bursts += part->bursts;
	sum->runs_after += part->runs_after;
	sum->runs_before += part->runs_before;
	sum->runs_open += part->runs_open;
	keep_longest(sum, &part->longest);
	keep_longest(sum, &part->outage);
}
