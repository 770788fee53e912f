#include <stdlib.h>
#include <string.h>

#include "report/report.h"

/*
 * The keys of INTERFACE.md section 9 and those beside them: once released, a
 * name keeps its meaning. A row is { name, unit, label, kind, better }.
 *
 * - Values of a pair (loss, delta_error, clock, time.error ...) belong to the
 *   compared capture. A capture without reference has loss.* relative to its
 *   own numbering.
 * - 95 % intervals are not keys but the low and high of the value itself:
 *   clock.drift_ppm, clock.offset_ns, time.error.span_ns, loss.ratio.
 * - *_at_ns is time since the first packet of the reference, *_seq a number,
 *   *_frame a frame number of the file.
 */

#define COUNT(name, unit, label, better) \
	{ name, unit, label, CD_VALUE_COUNT, CD_BETTER_##better }
#define SPAN(name, label, better) \
	{ name, "ns", label, CD_VALUE_SPAN, CD_BETTER_##better }
#define REAL(name, unit, label, better) \
	{ name, unit, label, CD_VALUE_REAL, CD_BETTER_##better }
#define TEXT(name, label) \
	{ name, "", label, CD_VALUE_TEXT, CD_BETTER_NONE }

const struct cd_key cd_key_table[] = {
	/* the file and its own counters (0 proves nothing) */
	COUNT("file.packets", "packets", "Packets in file", NONE),
	COUNT("file.bytes", "bytes", "Bytes captured", NONE),
	COUNT("file.filtered", "packets", "Left out by the filter", NONE),
	SPAN("file.duration_ns", "First to last packet", NONE),
	COUNT("file.received", "packets", "Received, says the file", NONE),
	COUNT("file.dropped", "packets", "Dropped by the interface, says the file",
	      LOWER),
	COUNT("file.os_dropped", "packets", "Dropped by the system, says the file",
	      LOWER),
	COUNT("file.drops_in_records", "packets",
	      "Dropped before packets, says the file", LOWER),
	COUNT("file.cut_short", "1", "File cut short", LOWER),
	COUNT("file.damaged", "1", "File damaged", LOWER),

	/* packets with numbers */
	COUNT("stream.count", "streams", "Streams", NONE),
	COUNT("stream.packets", "packets", "Packets with numbers", NONE),
	COUNT("stream.unparsed", "packets", "Packets without numbers", NONE),
	COUNT("stream.cut", "packets", "Cut before the number", LOWER),
	COUNT("stream.control", "packets", "Control packets of the generator",
	      NONE),
	COUNT("stream.strays", "packets", "Impossible numbers", LOWER),
	COUNT("stream.corrupt", "packets", "Damaged test packets", LOWER),
	COUNT("stream.epochs", "epochs", "Times the numbering began", NONE),
	COUNT("stream.offload", "packets", "Merged by receive offload", LOWER),
	COUNT("stream.fragments", "packets", "IP fragments", NONE),
	COUNT("stream.encapsulated", "packets", "With tags or tunnel headers",
	      NONE),
	COUNT("stream.fcs", "packets", "With frame check sequence", NONE),
	COUNT("stream.padded", "packets", "With padding or a trailer", NONE),
	COUNT("stream.gaps", "packets", "Absent between first and last number",
	      LOWER),
	COUNT("stream.first_seq", "number", "First number", NONE),
	COUNT("stream.last_seq", "number", "Last number", NONE),

	COUNT("match.matched", "packets", "Matched with the reference", NONE),
	REAL("match.share", "1", "Share of the reference matched", NONE),
	COUNT("identity.checked", "packets", "Packets compared by content",
	      NONE),
	COUNT("identity.different", "packets", "Same number, other content",
	      LOWER),
	TEXT("identity.how", "What was compared"),

	/* loss (METRICS 1) */
	COUNT("loss.expected", "packets", "Expected", NONE),
	COUNT("loss.missing", "packets", "Missing", LOWER),
	REAL("loss.ratio", "1", "Share missing", LOWER),
	REAL("loss.ratio_upper_95", "1", "Share missing, at most (95 %)", LOWER),
	COUNT("loss.runs", "gaps", "Gaps", LOWER),
	REAL("loss.runs_upper_95_hz", "Hz", "Gaps a second, at most (95 %)",
	     LOWER),
	COUNT("loss.longest_run", "packets", "Longest gap", LOWER),
	REAL("loss.mean_run", "packets", "Mean gap", LOWER),
	COUNT("loss.single_runs", "gaps", "Gaps of one packet", NONE),
	COUNT("loss.bursts", "bursts", "Gaps less than 16 packets apart joined",
	      LOWER),
	SPAN("loss.longest_outage_ns", "Longest gap, time", LOWER),
	SPAN("loss.longest_at_ns", "Longest gap, begins at", NONE),
	COUNT("loss.longest_first_seq", "number", "Longest gap, first number", NONE),
	COUNT("loss.longest_last_seq", "number", "Longest gap, last number", NONE),
	COUNT("loss.longest_frame", "frame", "Longest gap, frame after it", NONE),
	SPAN("loss.run_spacing_p50_ns", "Median time between gaps", NONE),
	REAL("loss.run_spacing_spread", "1", "Spread of the time between gaps",
	     NONE),
	REAL("loss.p_good_bad", "1", "Gilbert: received to lost", NONE),
	REAL("loss.p_bad_good", "1", "Gilbert: lost to received", NONE),
	REAL("loss.burstiness", "1", "Burstiness of losses", NONE),
	COUNT("loss.head_excluded", "packets", "Before the common interval",
	      NONE),
	COUNT("loss.tail_excluded", "packets", "After the common interval",
	      NONE),
	SPAN("loss.excluded_ns", "Time outside the common interval", NONE),
	COUNT("loss.head_surplus", "packets", "Own packets before it", NONE),
	COUNT("loss.tail_surplus", "packets", "Own packets after it", NONE),
	COUNT("loss.head_lost", "packets", "Missing at the beginning", LOWER),
	COUNT("loss.tail_lost", "packets", "Missing at the end", LOWER),
	COUNT("loss.common_first", "number", "Common interval, first number", NONE),
	COUNT("loss.common_last", "number", "Common interval, last number", NONE),
	COUNT("loss.ref_miss", "packets", "Missing in the reference", LOWER),
	COUNT("loss.both_miss", "packets", "Missing in both", NONE),
	COUNT("loss.all_miss", "packets", "Missing in every capture", NONE),
	COUNT("loss.cut", "packets", "Number not captured", LOWER),
	COUNT("loss.union_expected", "packets", "Seen by either capture", NONE),
	COUNT("loss.whole_expected", "packets", "Sent, as told (--expect)",
	      NONE),
	COUNT("loss.whole_missing", "packets", "Missing of those sent", LOWER),
	COUNT("loss.reported_by_file", "packets", "Drops the file admits",
	      LOWER),
	COUNT("loss.unreported", "packets", "Missing beyond those admitted",
	      LOWER),

	/* duplicates and order (METRICS 2) */
	COUNT("duplicate.copies", "packets", "Duplicates", LOWER),
	COUNT("duplicate.excess", "packets", "Duplicates beyond the reference's",
	      LOWER),
	COUNT("duplicate.deficit", "packets", "Copies it lacks", LOWER),
	COUNT("duplicate.replicated", "packets", "Packets with copies", LOWER),
	REAL("duplicate.ratio", "1", "Share of duplicates", LOWER),
	COUNT("duplicate.conflicts", "packets", "Same number, other bytes",
	      LOWER),
	COUNT("duplicate.inversions", "packets", "Copies stamped before the first",
	      LOWER),
	SPAN("duplicate.delay_p50_ns", "Median delay of copies", NONE),
	SPAN("duplicate.delay_max_ns", "Longest delay of a copy", NONE),
	COUNT("order.reordered_file", "packets", "Out of order in the file",
	      LOWER),
	COUNT("order.reordered_time", "packets", "Out of order by time", LOWER),
	COUNT("order.extent_max", "packets", "Largest reordering extent", LOWER),
	SPAN("order.late_max_ns", "Latest packet out of order", LOWER),
	COUNT("order.n_max", "packets", "Largest n-reordering", LOWER),
	COUNT("order.moves", "packets", "Packets to move to restore order",
	      LOWER),

	/* time stamps as such */
	COUNT("time.steps_back", "pairs", "Time goes backwards", LOWER),
	SPAN("time.step_back_max_ns", "Largest step backwards", LOWER),
	COUNT("time.equal", "pairs", "Equal to the stamp before", LOWER),
	COUNT("time.invalid", "packets", "Without a usable time", LOWER),
	SPAN("time.resolution_ns", "Resolution of the file", LOWER),
	SPAN("time.tick_ns", "Time stamp resolution", LOWER),
	TEXT("time.tick_how", "How the tick was found"),
	SPAN("time.u_ref_ns", "Uncertainty of the reference", LOWER),

	/* deltas (METRICS 3): adjacent numbers, both in the capture, inside C */
	COUNT("delta.pairs", "pairs", "Adjacent pairs", NONE),
	COUNT("delta.skipped_loss", "pairs", "Pairs with a missing packet",
	      NONE),
	SPAN("delta.min_ns", "Delta, smallest", NONE),
	SPAN("delta.p1_ns", "Delta, 1 %", NONE),
	SPAN("delta.p50_ns", "Delta, median", NONE),
	SPAN("delta.p99_ns", "Delta, 99 %", NONE),
	SPAN("delta.p99_9_ns", "Delta, 99.9 %", NONE),
	SPAN("delta.max_ns", "Delta, longest", NONE),
	SPAN("delta.mean_ns", "Delta, mean", NONE),
	/* raw deltas in file order, as Wireshark shows them */
	COUNT("delta.zero", "deltas", "Deltas of zero", LOWER),
	REAL("delta.zero_ratio", "1", "Deltas of zero, share", LOWER),
	COUNT("delta.negative", "deltas", "Deltas below zero", LOWER),
	COUNT("delta.impossible", "deltas", "Impossible deltas", LOWER),
	REAL("delta.impossible_ratio", "1", "Impossible deltas, share", LOWER),
	COUNT("delta.raw_count", "deltas", "Raw deltas", NONE),
	SPAN("delta.usable_ns", "Smallest delta to interpret", LOWER),
	SPAN("delta.raw_min_ns", "Raw delta, smallest", NONE),
	SPAN("delta.raw_p1_ns", "Raw delta, 1 %", NONE),
	SPAN("delta.raw_p50_ns", "Raw delta, median", NONE),
	SPAN("delta.raw_p99_ns", "Raw delta, 99 %", NONE),
	SPAN("delta.raw_p99_9_ns", "Raw delta, 99.9 %", NONE),
	SPAN("delta.raw_max_ns", "Raw delta, longest", NONE),
	SPAN("delta.raw_mean_ns", "Raw delta, mean", NONE),
	/* the worst place: shown in this capture, true in the reference */
	SPAN("delta.worst_shown_ns", "Worst delta, shown", LOWER),
	SPAN("delta.worst_true_ns", "Worst delta, true", NONE),
	COUNT("delta.worst_seq", "number", "Worst delta, number", NONE),
	COUNT("delta.worst_frame", "frame", "Worst delta, frame", NONE),
	COUNT("delta.ref_frame", "frame", "Worst delta, frame of the reference",
	      NONE),

	COUNT("delta_error.pairs", "pairs", "Deltas compared", NONE),
	SPAN("delta_error.mean_abs_ns", "Delta error, mean", LOWER),
	SPAN("delta_error.rms_ns", "Delta error, RMS", LOWER),
	SPAN("delta_error.p50_ns", "Delta error, median", LOWER),
	SPAN("delta_error.p99_ns", "Delta error, 99 %", LOWER),
	SPAN("delta_error.p99_9_ns", "Delta error, 99.9 %", LOWER),
	SPAN("delta_error.max_abs_ns", "Delta error, largest", LOWER),
	REAL("delta_error.false_share", "1", "Invented gap time", LOWER),
	COUNT("delta_error.bridged", "pairs", "Intervals across gaps", NONE),
	SPAN("delta_error.bridged_max_ns", "Interval error across gaps, largest",
	     LOWER),

	/* clock against the reference (METRICS 4.3 to 4.5, 5) */
	SPAN("clock.offset_ns", "Clock offset", NONE),
	REAL("clock.offset_days", "days", "Clock offset, over 106 days", NONE),
	SPAN("clock.theta_ns", "Clock offset at its robust floor", NONE),
	REAL("clock.drift_ppm", "ppm", "Clock drift", NONE),
	REAL("clock.drift_ols_ppm", "ppm", "Clock drift, least squares", NONE),
	REAL("clock.drift_hull_ppm", "ppm", "Clock drift, lower hull", NONE),
	COUNT("clock.steps", "steps", "Clock steps", LOWER),
	SPAN("clock.step_max_ns", "Largest clock step", NONE),
	SPAN("clock.step_max_at_ns", "Largest clock step, at", NONE),
	COUNT("clock.step_max_seq", "number", "Largest clock step, number", NONE),
	TEXT("clock.not_seen", "What these clocks do not show"),
	SPAN("clock.step_least_ns", "Smallest clock step that could be seen",
	     NONE),
	SPAN("clock.wander_ns", "Clock wander", LOWER),
	SPAN("clock.wander_95_ns", "Clock wander, 95 %", LOWER),
	SPAN("clock.noise_ns", "Noise of the block floors", LOWER),
	SPAN("clock.span_ns", "Time compared", NONE),
	COUNT("clock.blocks", "blocks", "Blocks of the fit", NONE),
	COUNT("clock.early_outliers", "packets", "Stamped impossibly early",
	      LOWER),
	REAL("clock.per_byte_ns", "ns/B", "Delay for each byte of length", NONE),
	REAL("clock.per_byte_wire_ns", "ns/B", "Time of a byte on the wire",
	     NONE),
	SPAN("clock.mtie_100us_ns", "Worst interval error, 100 us", LOWER),
	SPAN("clock.mtie_1ms_ns", "Worst interval error, 1 ms", LOWER),
	SPAN("clock.mtie_10ms_ns", "Worst interval error, 10 ms", LOWER),
	SPAN("clock.mtie_100ms_ns", "Worst interval error, 100 ms", LOWER),
	SPAN("clock.mtie_1s_ns", "Worst interval error, 1 s", LOWER),
	SPAN("clock.mtie_10s_ns", "Worst interval error, 10 s", LOWER),
	SPAN("clock.mtie_100s_ns", "Worst interval error, 100 s", LOWER),

	/* fast error f (METRICS 4.6); span is S, the headline */
	SPAN("time.error.span_ns", "Time stamp error, 99.8 % span", LOWER),
	SPAN("time.error.pdv_ns", "Time stamp error, 99.9 % above the least",
	     LOWER),
	SPAN("time.error.min_ns", "Time stamp error, least", NONE),
	SPAN("time.error.p0_1_ns", "Time stamp error, 0.1 %", NONE),
	SPAN("time.error.p1_ns", "Time stamp error, 1 %", NONE),
	SPAN("time.error.p5_ns", "Time stamp error, 5 %", NONE),
	SPAN("time.error.p50_ns", "Time stamp error, median", LOWER),
	SPAN("time.error.p95_ns", "Time stamp error, 95 %", LOWER),
	SPAN("time.error.p99_ns", "Time stamp error, 99 %", LOWER),
	SPAN("time.error.p99_9_ns", "Time stamp error, 99.9 %", LOWER),
	SPAN("time.error.p99_99_ns", "Time stamp error, 99.99 %", LOWER),
	SPAN("time.error.max_ns", "Time stamp error, largest", LOWER),
	COUNT("time.error.max_seq", "number", "Time stamp error, largest, number",
	      NONE),
	COUNT("time.error.max_frame", "frame", "Time stamp error, largest, frame",
	      NONE),
	COUNT("time.error.min_seq", "number", "Time stamp error, least, number", NONE),
	SPAN("time.error.mean_ns", "Time stamp error, mean", LOWER),
	SPAN("time.error.rms_ns", "Time stamp error, RMS about the mean", LOWER),
	SPAN("time.error.mad_ns", "Time stamp error, median deviation", LOWER),
	SPAN("time.residual.min_ns", "Residual, least", NONE),
	SPAN("time.residual.p0_1_ns", "Residual, 0.1 %", NONE),
	SPAN("time.residual.p1_ns", "Residual, 1 %", NONE),
	SPAN("time.residual.p5_ns", "Residual, 5 %", NONE),
	SPAN("time.residual.p50_ns", "Residual, median", NONE),
	SPAN("time.residual.p95_ns", "Residual, 95 %", NONE),
	SPAN("time.residual.p99_ns", "Residual, 99 %", NONE),
	SPAN("time.residual.p99_9_ns", "Residual, 99.9 %", NONE),
	SPAN("time.residual.p99_99_ns", "Residual, 99.99 %", NONE),
	SPAN("time.residual.max_ns", "Residual, largest", NONE),
	SPAN("time.residual.mean_ns", "Residual, mean", NONE),
	SPAN("time.residual.rms_ns", "Residual, RMS about the mean", LOWER),
	REAL("time.residual.sidedness", "1", "Late side over early side", NONE),
	/* packets with f > Lim and maximal runs of them */
	COUNT("time.late_packets", "packets", "Stamped later than the limit",
	      LOWER),
	REAL("time.late_ratio", "1", "Stamped later than the limit, share",
	     LOWER),
	COUNT("time.late_events", "events", "Late events", LOWER),
	COUNT("time.late_longest", "packets", "Longest late event", LOWER),
	REAL("time.late_in_runs_ratio", "1",
	     "Late packets in events of 3 or more, share", NONE),
	SPAN("time.late_max_ns", "Worst late event", LOWER),
	SPAN("time.late_max_at_ns", "Worst late event, at", NONE),
	COUNT("time.late_max_seq", "number", "Worst late event, number", NONE),

	/* without a reference: against an ideal cadence, against the sender */
	SPAN("cadence.interval_ns", "Interval of the cadence", NONE),
	SPAN("cadence.span_ns", "Error against ideal cadence, 99.8 % span",
	     LOWER),
	SPAN("cadence.max_ns", "Error against ideal cadence, largest", LOWER),
	SPAN("cadence.wander_ns", "Wander against ideal cadence", LOWER),
	SPAN("sender.offset_ns", "Offset against the sender's times", NONE),
	REAL("sender.drift_ppm", "ppm", "Drift against the sender's times",
	     NONE),
	SPAN("sender.span_ns", "Error against the sender's times, 99.8 % span",
	     LOWER),
	SPAN("sender.wander_ns", "Wander against the sender's times", LOWER),

	/* bunching (METRICS 3.5) */
	REAL("burst.coalescing", "1", "Coalescing index", LOWER),
	REAL("burst.share", "1", "Packets in bursts", LOWER),
	COUNT("burst.clusters", "bursts", "Clusters", NONE),
	REAL("burst.size_mean", "packets", "Packets in a burst, mean", NONE),
	COUNT("burst.size_p50", "packets", "Packets in a burst, median", NONE),
	COUNT("burst.size_max", "packets", "Packets in a burst, most", LOWER),
	SPAN("burst.period_ns", "Period of the bursts", NONE),
	SPAN("burst.period_p10_ns", "Period of the bursts, 10 %", NONE),
	SPAN("burst.period_p90_ns", "Period of the bursts, 90 %", NONE),

	/* rates (METRICS 9.1) and wire physics */
	REAL("rate.pps", "pps", "Packet rate", NONE),
	REAL("rate.l1_bps", "bit/s", "Rate on the wire (L1)", NONE),
	REAL("rate.l2_bps", "bit/s", "Rate with FCS (L2)", NONE),
	REAL("rate.captured_bps", "bit/s", "Rate of captured bytes", NONE),
	REAL("rate.utilisation", "1", "Share of the link", NONE),
	COUNT("rate.frame_bytes_p50", "bytes", "Frame with FCS, median", NONE),
	COUNT("rate.frame_bytes_min", "bytes", "Frame with FCS, smallest", NONE),
	COUNT("rate.frame_bytes_max", "bytes", "Frame with FCS, largest", NONE),
	REAL("physics.link_bps", "bit/s", "Link rate", NONE),
	COUNT("physics.fcs_bytes", "bytes", "FCS bytes in the file", NONE),
	SPAN("physics.threshold_ns", "Impossible below", NONE),

	/* limits that took part in the analysis (METRICS 9.2) */
	SPAN("limit.lim_ns", "Limit of the time stamp error", NONE),
	SPAN("limit.abs_ns", "Limit, absolute", NONE),
	REAL("limit.ratio", "1", "Limit, share of the packet spacing", NONE),
	REAL("limit.loss_ratio", "1", "Tolerated share missing", NONE),
};

const size_t cd_key_count = sizeof(cd_key_table) / sizeof(cd_key_table[0]);

/* Most who ask have the name from the table: no need to read it then. */
const struct cd_key *cd_key_find(const char *name)
{
	for (size_t i = 0; i < cd_key_count; i++)
		if (cd_key_table[i].name == name)
			return &cd_key_table[i];
	for (size_t i = 0; i < cd_key_count; i++)
		if (strcmp(cd_key_table[i].name, name) == 0)
			return &cd_key_table[i];
	return NULL;
}

const char *cd_key_skip_stream(const char *name, uint32_t *stream)
{
	char *end;
	unsigned long id;

	*stream = CD_NO_STREAM;
	if (strncmp(name, "stream.", 7) != 0 || name[7] < '0' || name[7] > '9')
		return name;
	id = strtoul(name + 7, &end, 10);
	if (*end != '.' || id >= CD_NO_STREAM)
		return name;
	*stream = (uint32_t)id;
	return end + 1;
}
