#include "metric/duplicate.h"

#include <stdlib.h>

#include "metric/identity.h"
#include "metric/lanes.h"
#include "metric/metric.h"
#include "metric/put.h"
#include "metric/words.h"
#include "report/codes.h"
#include "stat/select.h"

/* ---- runs of copies -------------------------------------------------------
 */

/* Copies of a track with numbers in a range, number by number. */
struct cursor {
	const struct cd_copy *at, *end;
};

static const struct cd_copy *find_copy(const struct cd_copy *copies, size_t n,
				       int64_t seq)
{
	while (n > 0) {
		size_t half = n / 2;

		if (copies[half].seq < seq) {
			copies += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return copies;
}

static struct cursor cursor_init(const struct cd_track *track, int64_t from,
				 int64_t to)
{
	size_t n = 0;
	const struct cd_copy *copies =
	    track == NULL ? NULL : cd_track_copies(track, &n);
	struct cursor cursor = {copies, copies};

	if (n == 0)
		return cursor;
	cursor.at = find_copy(copies, n, from);
	cursor.end =
	    to == INT64_MAX ? copies + n : find_copy(copies, n, to + 1);
	return cursor;
}

/* Take the copies of the next number; 0 at the end. */
static uint64_t take_number(struct cursor *cursor, int64_t *seq)
{
	const struct cd_copy *first = cursor->at;

	if (first == cursor->end)
		return 0;
	*seq = first->seq;
	while (cursor->at != cursor->end && cursor->at->seq == *seq)
		cursor->at++;
	return (uint64_t)(cursor->at - first);
}

/* ---- against the reference ------------------------------------------------
 */

/* Does the track have the numbers asked for, in rising order? */
struct finder {
	struct cd_track_reader *reader;
	struct cd_block block;
	size_t at;
	bool end;
};

static bool find_number(struct finder *finder, int64_t seq)
{
	for (;;) {
		const struct cd_block *block = &finder->block;

		while (finder->at < block->n && block->seq[finder->at] < seq)
			finder->at++;
		if (finder->at < block->n)
			return block->seq[finder->at] == seq;
		finder->at = 0;
		if (finder->end ||
		    !cd_track_reader_next(finder->reader, &finder->block)) {
			finder->block.n = 0;
			finder->end = true;
			return false;
		}
	}
}

/* Copies that R has and D, which has the packet itself, lacks. */
static int count_deficit(const struct cd_track *ref, const struct cd_track *dut,
			 int64_t from, int64_t to, struct cd_duplicates *sum)
{
	struct cursor r = cursor_init(ref, from, to);
	struct cursor d = cursor_init(dut, from, to);
	struct finder finder = {0};
	uint64_t n_r, n_d = 0;
	int64_t seq, seq_d = 0;

	if (r.at == r.end)
		return 0;
	finder.reader = cd_track_reader_new(dut, CD_ORDER_SEQ, 0);
	if (finder.reader == NULL)
		return -1;
	cd_track_reader_seek(finder.reader, from);
	n_d = take_number(&d, &seq_d);
	while ((n_r = take_number(&r, &seq)) > 0) {
		while (n_d > 0 && seq_d < seq)
			n_d = take_number(&d, &seq_d);
		if (n_d > 0 && seq_d == seq)
			sum->deficit += n_r > n_d ? n_r - n_d : 0;
		else if (find_number(&finder, seq))
			sum->deficit += n_r;
	}
	cd_track_reader_free(finder.reader);
	return 0;
}

/* A packet that R lacks has one legitimate copy, not none: otherwise it would
 * count as a duplicate of itself. */
static void count_excess(struct cursor r, struct cursor d,
			 struct cd_duplicates *sum)
{
	uint64_t n_d, n_r = 0;
	int64_t seq, seq_r = 0;

	n_r = take_number(&r, &seq_r);
	while ((n_d = take_number(&d, &seq)) > 0) {
		uint64_t also = 0;

		while (n_r > 0 && seq_r < seq)
			n_r = take_number(&r, &seq_r);
		if (n_r > 0 && seq_r == seq)
			also = n_r < n_d ? n_r : n_d;
		sum->common += also;
		sum->excess += n_d - also;
	}
}

static bool has_delay(const struct cd_copy *copy, int64_t *delay)
{
	if (copy->time_ps == CD_TIME_NONE ||
	    copy->first_time_ps == CD_TIME_NONE)
		return false;
	*delay = cd_minus(copy->time_ps, copy->first_time_ps);
	return true;
}

static void count_own(struct cursor d, struct cd_duplicates *sum)
{
	int64_t delay = 0;

	for (const struct cd_copy *c = d.at; c != d.end; c++) {
		sum->copies++;
		sum->replicated += c == d.at || c[-1].seq != c->seq;
		sum->inversions += has_delay(c, &delay) && delay < 0;
	}
}

int cd_duplicates_count(const struct cd_track *ref, const struct cd_track *dut,
			int64_t from, int64_t to, struct cd_duplicates *sum)
{
	struct cursor d = cursor_init(dut, from, to);
	uint64_t conflicts;

	count_own(d, sum);
	if (ref != NULL)
		count_excess(cursor_init(ref, from, to), d, sum);
	if (d.at != d.end) {
		if (cd_identity_conflicts(dut, from, to, &conflicts))
			return -1;
		sum->conflicts += conflicts;
	}
	return ref == NULL ? 0 : count_deficit(ref, dut, from, to, sum);
}

/* ---- a capture or a stream of it ------------------------------------------
 */

/* What is counted of one epoch of one stream. */
struct piece {
	uint32_t stream;
	const struct cd_track *ref, *dut; /* ref may be NULL */
	int64_t from, to;
	uint64_t unique; /* numbers of dut in it */
};

static int count_pieces(const struct piece *pieces, size_t n,
			struct cd_duplicates *sum)
{
	*sum = (struct cd_duplicates){0};
	for (size_t i = 0; i < n; i++) {
		sum->unique += pieces[i].unique;
		if (cd_duplicates_count(pieces[i].ref, pieces[i].dut,
					pieces[i].from, pieces[i].to, sum))
			return -1;
	}
	return 0;
}

static void play_delays(const struct piece *piece, struct cd_select *select)
{
	struct cursor d = cursor_init(piece->dut, piece->from, piece->to);
	int64_t delays[256];
	size_t n = 0;

	for (; d.at != d.end; d.at++) {
		n += has_delay(d.at, &delays[n]);
		if (n == sizeof(delays) / sizeof(delays[0])) {
			cd_select_add(select, delays, n);
			n = 0;
		}
	}
	cd_select_add(select, delays, n);
}

/* Median and largest delay; moments.n == 0: none. */
static int find_delays(const struct piece *pieces, size_t n, int64_t *p50,
		       struct cd_moments *moments)
{
	struct cd_select *select = cd_select_new();
	size_t want;
	int more;

	if (select == NULL)
		return -1;
	want = cd_select_want(select, 50000);
	do {
		for (size_t i = 0; i < n; i++)
			play_delays(&pieces[i], select);
		more = cd_select_end_pass(select);
	} while (more == 1);
	*moments = *cd_select_moments(select);
	if (more == 0 && moments->n > 0)
		*p50 = cd_select_result(select, want);
	cd_select_free(select);
	return more;
}

/* ---- values ---------------------------------------------------------------
 */

static int put_delays(const struct cd_place *place, const struct piece *pieces,
		      size_t n)
{
	struct cd_moments moments;
	int64_t p50;

	if (find_delays(pieces, n, &p50, &moments))
		return -1;
	if (moments.n == 0) {
		cd_put_null(place, "duplicate.delay_p50_ns", "no copies");
		cd_put_null(place, "duplicate.delay_max_ns", "no copies");
		return 0;
	}
	cd_put_n(cd_put_span(place, "duplicate.delay_p50_ns", p50), moments.n);
	cd_put_span(place, "duplicate.delay_max_ns", moments.max);
	return 0;
}

static void put_counts(const struct cd_place *place,
		       const struct cd_duplicates *sum, bool has_reference)
{
	cd_put_count(place, "duplicate.copies", sum->copies);
	cd_put_count(place, "duplicate.replicated", sum->replicated);
	if (sum->unique > 0)
		cd_put_n(cd_put_real(place, "duplicate.ratio",
				     (double)sum->copies / (double)sum->unique),
			 sum->unique);
	else
		cd_put_null(place, "duplicate.ratio", "no packets");
	cd_put_count(place, "duplicate.conflicts", sum->conflicts);
	cd_put_count(place, "duplicate.inversions", sum->inversions);
	if (has_reference) {
		cd_put_count(place, "duplicate.excess", sum->excess);
		cd_put_count(place, "duplicate.deficit", sum->deficit);
	} else {
		cd_put_null(place, "duplicate.excess", "no reference");
		cd_put_null(place, "duplicate.deficit", "no reference");
	}
}

/* ---- findings -------------------------------------------------------------
 */

static void say_copies(struct cd_report *report, uint32_t point,
		       const struct cd_duplicates *sum)
{
	if (sum->common > 0)
		cd_report_finding(report, CD_NOTE, "source_repeats", (int)point,
				  "%s also in the reference: repeated by the "
				  "sender or the network",
				  cd_count_words(sum->common, "repeat").text);
	if (sum->conflicts > 0)
		cd_report_finding(
		    report, CD_WARNING, "same_number_other_bytes", (int)point,
		    "same number, different bytes: %s with an earlier number "
		    "but not its content, among those looked at",
		    cd_count_words(sum->conflicts, "packet").text);
}

/* Numbers used over and over cannot name packets: more than five packets a
 * number are beyond what any kind of double capture makes. */
static void say_reused(struct cd_report *report, uint32_t point,
		       const struct cd_duplicates *sum)
{
	if (sum->unique > 0 && sum->copies / 4 > sum->unique)
		cd_report_finding(
		    report, CD_WARNING, CD_CODE_AMBIGUOUS_NUMBERS, (int)point,
		    "the numbers are ambiguous: %s share %s, "
		    "so which packet is which cannot be known",
		    cd_count_words(sum->copies + sum->unique, "packet").text,
		    cd_count_words(sum->unique, "number").text);
}

/* Without transmit times a short run is the same either way. */
static void say_doubtful(const struct cd_analysis *analysis, uint32_t point)
{
	const struct cd_point *p = &analysis->points[point];
	uint64_t doubtful = 0;

	for (size_t i = 0; i < p->n_streams; i++)
		doubtful += p->streams[i].doubtful;
	if (doubtful > 0)
		cd_report_finding(
		    analysis->report, CD_WARNING, CD_CODE_AMBIGUOUS_NUMBERS,
		    (int)point,
		    "the numbers of %s come again at the sender's pace: copies, "
		    "or a generator that began again; that cannot be known from "
		    "these files",
		    cd_count_words(doubtful, "packet").text);
}

/* ---- the metric -----------------------------------------------------------
 */

struct pieces {
	struct piece *items;
	size_t n;
};

static int pieces_of_pair(const struct cd_pair *pair, struct pieces *pieces)
{
	pieces->items = calloc(pair->n_lanes + 1, sizeof(*pieces->items));
	if (pieces->items == NULL)
		return -1;
	for (size_t i = 0; i < pair->n_lanes; i++) {
		const struct cd_lane *lane = &pair->lanes[i];

		if (lane->common)
			pieces->items[pieces->n++] = (struct piece){
			    .stream = lane->stream,
			    .ref = lane->ref,
			    .dut = lane->dut,
			    .from = lane->a,
			    .to = lane->b,
			    .unique = lane->dut_has,
			};
	}
	return 0;
}

/* All of the reference, by itself. */
static int pieces_of_reference(const struct cd_analysis *analysis,
			       struct pieces *pieces)
{
	size_t n_streams = analysis->report->n_streams, n = 0;
	const struct cd_stream **streams =
	    &analysis->streams[analysis->reference * n_streams];

	for (size_t id = 0; id < n_streams; id++)
		n += streams[id] == NULL ? 0 : streams[id]->n_epochs;
	pieces->items = calloc(n + 1, sizeof(*pieces->items));
	if (pieces->items == NULL)
		return -1;
	for (uint32_t id = 0; id < n_streams; id++)
		for (size_t i = 0;
		     streams[id] != NULL && i < streams[id]->n_epochs; i++)
			pieces->items[pieces->n++] = (struct piece){
			    .stream = id,
			    .dut = streams[id]->epochs[i],
			    .from = INT64_MIN,
			    .to = INT64_MAX,
			    .unique = cd_track_unique(streams[id]->epochs[i]),
			};
	return 0;
}

static int put_place(const struct cd_place *place, const struct piece *pieces,
		     size_t n, bool has_reference)
{
	struct cd_duplicates sum;

	if (count_pieces(pieces, n, &sum) || put_delays(place, pieces, n))
		return -1;
	put_counts(place, &sum, has_reference);
	if (place->stream == CD_NO_STREAM) {
		say_copies(place->report, place->point, &sum);
		say_reused(place->report, place->point, &sum);
	}
	return 0;
}

static int put_pieces(struct cd_analysis *analysis, uint32_t point,
		      const struct pieces *pieces, bool has_reference)
{
	struct cd_place whole = {analysis->report, point, CD_NO_STREAM};
	size_t end;

	for (size_t i = 0; i < pieces->n; i = end) {
		struct cd_place place = {analysis->report, point,
					 pieces->items[i].stream};

		for (end = i + 1; end < pieces->n; end++)
			if (pieces->items[end].stream != place.stream)
				break;
		if (analysis->shown[place.stream] &&
		    put_place(&place, &pieces->items[i], end - i,
			      has_reference))
			return -1;
	}
	return put_place(&whole, pieces->items, pieces->n, has_reference);
}

static int judge_reference(struct cd_analysis *analysis)
{
	struct pieces pieces = {0};
	int result = -1;

	if (!analysis->points[analysis->reference].numbered)
		return 0;
	say_doubtful(analysis, analysis->reference);
	if (pieces_of_reference(analysis, &pieces) == 0)
		result =
		    put_pieces(analysis, analysis->reference, &pieces, false);
	free(pieces.items);
	return result;
}

static int judge_pair(struct cd_analysis *analysis, const struct cd_pair *pair)
{
	struct pieces pieces = {0};
	int result = -1;

	if (pair->alone || !pair->numbered)
		return 0;
	say_doubtful(analysis, pair->dut);
	if (pieces_of_pair(pair, &pieces) == 0)
		result = put_pieces(analysis, pair->dut, &pieces, true);
	free(pieces.items);
	return result;
}

static int run_duplicate(struct cd_analysis *analysis, struct cd_error *error)
{
	int result = judge_reference(analysis);

	for (size_t i = 0; result == 0 && i < analysis->n_pairs; i++)
		result = judge_pair(analysis, &analysis->pairs[i]);
	return result == 0 ? 0 : cd_error_memory(error);
}

const struct cd_metric cd_metric_duplicate = {"duplicate", run_duplicate};
