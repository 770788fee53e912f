#include "metric/loss.h"

#include "metric/gaps.h"
#include "metric/lanes.h"
#include "stat/binomial.h"

void cd_loss_add(struct cd_loss *loss, const struct cd_lane *lane,
		 int64_t excluded_ps, uint64_t all_miss)
{
	uint64_t longest = loss->gaps.longest.packets;

	loss->lanes++;
	loss->common_lanes += lane->common;
	loss->both_have += lane->both_have;
	loss->matched += lane->matched;
	loss->ref_has += lane->ref_has;
	loss->dut_has += lane->dut_has;
	loss->expected += lane->expected;
	loss->missing += lane->missing;
	loss->ref_miss += lane->ref_miss;
	loss->both_miss += lane->both_miss;
	loss->all_miss += all_miss;
	loss->union_expected += lane->expected + lane->ref_miss;
	loss->head_excluded += lane->head_excluded;
	loss->tail_excluded += lane->tail_excluded;
	loss->head_surplus += lane->head_surplus;
	loss->tail_surplus += lane->tail_surplus;
	loss->head_lost += lane->head_lost;
	loss->tail_lost += lane->tail_lost;
	if (excluded_ps > loss->excluded_ps)
		loss->excluded_ps = excluded_ps;
	if (lane->ref_to_ps != CD_TIME_NONE &&
	    lane->ref_to_ps > lane->ref_from_ps)
		loss->seconds +=
		    (double)cd_minus(lane->ref_to_ps, lane->ref_from_ps) /
		    (double)CD_PS_PER_S;
	cd_gaps_add(&loss->gaps, &lane->gaps);
	if (loss->gaps.longest.packets > longest)
		loss->longest = lane;
	if (lane->common) {
		loss->first_seq = lane->a;
		loss->last_seq = lane->b;
	}
	loss->ambiguous |=
	    (lane->ref_stream != NULL && lane->ref_stream->wrap_ambiguous) ||
	    (lane->dut_stream != NULL && lane->dut_stream->wrap_ambiguous);
}

/* ---- what was lost --------------------------------------------------------
 */

static void put_ratio(const struct cd_place *place, uint64_t missing,
		      uint64_t n)
{
	struct cd_interval ci;
	struct cd_value *value;

	if (n == 0) {
		cd_put_null(place, "loss.ratio", "no packet expected");
		cd_put_null(place, "loss.ratio_upper_95", "no packet expected");
		return;
	}
	ci = cd_binomial_interval(missing, n, 0.95);
	value = cd_put_real(place, "loss.ratio", (double)missing / (double)n);
	cd_put_interval(cd_put_n(value, n), ci.low, ci.high);
	cd_put_n(cd_put_real(place, "loss.ratio_upper_95",
			     cd_binomial_upper(missing, n, 0.95)),
		 n);
}

static void put_runs(const struct cd_place *place, const struct cd_loss *loss)
{
	const struct cd_gaps *gaps = &loss->gaps;

	cd_put_count(place, "loss.runs", gaps->runs);
	cd_put_count(place, "loss.single_runs", gaps->singles);
	cd_put_count(place, "loss.bursts", gaps->bursts);
	cd_put_count(place, "loss.longest_run", gaps->longest.packets);
	if (gaps->runs > 0)
		cd_put_real(place, "loss.mean_run",
			    (double)loss->missing / (double)gaps->runs);
	else
		cd_put_null(place, "loss.mean_run", "nothing missing");
	if (loss->seconds > 0)
		cd_put_real(place, "loss.runs_upper_95_hz",
			    cd_poisson_upper(gaps->runs, 0.95) / loss->seconds);
	else
		cd_put_null(place, "loss.runs_upper_95_hz", "no time span");
}

/* Frame in D of the first packet after the gap, 0 if there is none. */
static int find_frame(const struct cd_lane *lane, const struct cd_gap *gap,
		      uint64_t *frame)
{
	struct cd_track_reader *reader;
	struct cd_block block;

	*frame = 0;
	if (lane->dut == NULL || gap->last_seq == INT64_MAX)
		return 0;
	reader = cd_track_reader_new(lane->dut, CD_ORDER_SEQ, CD_COLUMN_NUMBER);
	if (reader == NULL)
		return -1;
	cd_track_reader_seek(reader, gap->last_seq + 1);
	if (cd_track_reader_next(reader, &block))
		*frame = block.number[0];
	cd_track_reader_free(reader);
	return 0;
}

static int put_longest(const struct cd_place *place,
		       const struct cd_analysis *analysis,
		       const struct cd_pair *pair, const struct cd_loss *loss)
{
	const struct cd_gap *gap = &loss->gaps.longest;
	uint64_t frame;

	if (find_frame(loss->longest, gap, &frame))
		return -1;
	cd_put_number(place, "loss.longest_first_seq", gap->first_seq);
	cd_put_number(place, "loss.longest_last_seq", gap->last_seq);
	if (frame > 0)
		cd_put_count(place, "loss.longest_frame", frame);
	else
		cd_put_null(place, "loss.longest_frame", "no packet after it");
	if (gap->at_ps != CD_TIME_NONE)
		cd_put_span(
		    place, "loss.longest_at_ns",
		    cd_minus(gap->at_ps, analysis->points[pair->ref].first_ps));
	else
		cd_put_null(place, "loss.longest_at_ns", "no time");
	cd_put_span(place, "loss.longest_outage_ns",
		    loss->gaps.outage.packets > 0 ? loss->gaps.outage.outage_ps
						  : CD_TIME_NONE);
	return 0;
}

static void put_no_longest(const struct cd_place *place)
{
	static const char *const names[] = {
	    "loss.longest_first_seq", "loss.longest_last_seq",
	    "loss.longest_frame", "loss.longest_at_ns"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		cd_put_null(place, names[i], "nothing missing");
	cd_put_span(place, "loss.longest_outage_ns", 0);
}

static void put_no_gilbert(const struct cd_place *place)
{
	cd_put_null(place, "loss.p_good_bad", "nothing missing");
	cd_put_null(place, "loss.p_bad_good", "nothing missing");
	cd_put_null(place, "loss.burstiness", "nothing missing");
}

/* part / whole, null if the whole is 0 */
static void put_share(const struct cd_place *place, const char *name,
		      uint64_t part, uint64_t whole, const char *reason)
{
	if (whole > 0)
		cd_put_real(place, name, (double)part / (double)whole);
	else
		cd_put_null(place, name, reason);
}

/* Simple Gilbert (RFC 6534 7.1): every packet is seen, so the estimates are
 * shares of transitions, inside C. The last packet of a lane has none. */
static void put_gilbert(const struct cd_place *place,
			const struct cd_loss *loss)
{
	const struct cd_gaps *gaps = &loss->gaps;
	uint64_t lost = loss->missing - loss->head_lost - loss->tail_lost;
	uint64_t good_last = loss->common_lanes - gaps->runs_open;

	if (lost == 0) {
		put_no_gilbert(place);
		return;
	}
	put_share(place, "loss.p_good_bad", gaps->runs_after,
		  loss->dut_has > good_last ? loss->dut_has - good_last : 0,
		  "nothing received");
	put_share(place, "loss.p_bad_good", gaps->runs_before,
		  lost - gaps->runs_open, "one gap to the end");
	/* mean run x (1 - loss): 1 for independent losses */
	cd_put_real(place, "loss.burstiness",
		    (double)loss->missing / (double)gaps->runs *
			(1 - (double)loss->missing / (double)loss->expected));
}

/* ---- what was left out ----------------------------------------------------
 */

static void put_edges(const struct cd_place *place, const struct cd_loss *loss)
{
	cd_put_count(place, "loss.head_excluded", loss->head_excluded);
	cd_put_count(place, "loss.tail_excluded", loss->tail_excluded);
	cd_put_span(place, "loss.excluded_ns", loss->excluded_ps);
	cd_put_count(place, "loss.head_surplus", loss->head_surplus);
	cd_put_count(place, "loss.tail_surplus", loss->tail_surplus);
	cd_put_count(place, "loss.head_lost", loss->head_lost);
	cd_put_count(place, "loss.tail_lost", loss->tail_lost);
	if (loss->common_lanes == 1) {
		cd_put_number(place, "loss.common_first", loss->first_seq);
		cd_put_number(place, "loss.common_last", loss->last_seq);
	} else {
		const char *reason = loss->common_lanes == 0
					 ? "no common interval"
					 : "several streams";

		cd_put_null(place, "loss.common_first", reason);
		cd_put_null(place, "loss.common_last", reason);
	}
}

static void put_reference(const struct cd_place *place,
			  const struct cd_pair *pair,
			  const struct cd_loss *loss)
{
	static const char *const names[] = {
	    "loss.ref_miss",	   "loss.both_miss", "loss.all_miss",
	    "loss.union_expected", "match.matched",  "match.share"};

	if (pair->alone) {
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			cd_put_null(place, names[i], "no reference");
		return;
	}
	cd_put_count(place, "loss.ref_miss", loss->ref_miss);
	cd_put_count(place, "loss.both_miss", loss->both_miss);
	cd_put_count(place, "loss.all_miss", loss->all_miss);
	cd_put_count(place, "loss.union_expected", loss->union_expected);
	cd_put_count(place, "match.matched", loss->both_have);
	put_share(place, "match.share", loss->both_have, loss->ref_has,
		  "no packet expected");
}

/* ---- all ------------------------------------------------------------------
 */

static const char *const loss_names[] = {
    "loss.expected",
    "loss.missing",
    "loss.ratio",
    "loss.ratio_upper_95",
    "loss.runs",
    "loss.runs_upper_95_hz",
    "loss.longest_run",
    "loss.mean_run",
    "loss.single_runs",
    "loss.bursts",
    "loss.longest_outage_ns",
    "loss.longest_at_ns",
    "loss.longest_first_seq",
    "loss.longest_last_seq",
    "loss.longest_frame",
    "loss.p_good_bad",
    "loss.p_bad_good",
    "loss.burstiness",
};

/* Where a loss number would be invented. */
static void put_refused(const struct cd_place *place, const char *reason)
{
	for (size_t i = 0; i < sizeof(loss_names) / sizeof(loss_names[0]); i++)
		cd_put_null(place, loss_names[i], reason);
	if (place->stream == CD_NO_STREAM) {
		cd_put_null(place, "loss.run_spacing_p50_ns", reason);
		cd_put_null(place, "loss.run_spacing_spread", reason);
	}
}

static const char *refusal(const struct cd_pair *pair,
			   const struct cd_loss *loss)
{
	if (!pair->numbered)
		return "no numbers";
	if (loss->ambiguous)
		return "ambiguous wrap";
	if (pair->alone)
		return loss->common_lanes > 0 ? NULL : "no numbers";
	return pair->both_have > 0 ? NULL : "no packet in common";
}

int cd_loss_put(const struct cd_place *place,
		const struct cd_analysis *analysis, const struct cd_pair *pair,
		const struct cd_loss *loss)
{
	const char *reason = refusal(pair, loss);

	put_edges(place, loss);
	put_reference(place, pair, loss);
	if (reason != NULL) {
		put_refused(place, reason);
		return 0;
	}
	cd_put_count(place, "loss.expected", loss->expected);
	cd_put_count(place, "loss.missing", loss->missing);
	put_ratio(place, loss->missing,
		  analysis->options->union_universe ? loss->union_expected
						    : loss->expected);
	put_runs(place, loss);
	put_gilbert(place, loss);
	if (loss->longest != NULL)
		return put_longest(place, analysis, pair, loss);
	put_no_longest(place);
	return 0;
}
