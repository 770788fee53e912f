#include "metric/lanes.h"

#include <stdlib.h>

#include "metric/epoch.h"
#include "report/codes.h"

/* max(1000, packets in 100 ms), within reason */
uint64_t cd_reorder_window(const struct cd_stream *stream)
{
	uint64_t span_ms, packets;

	if (stream->last_ps <= stream->first_ps)
		return 1000;
	span_ms = (uint64_t)cd_minus(stream->last_ps, stream->first_ps) /
		  (uint64_t)CD_PS_PER_MS;
	if (span_ms < 100)
		return stream->packets > 1000 ? stream->packets : 1000;
	packets = stream->packets > UINT64_MAX / 100
		      ? stream->packets / (span_ms / 100)
		      : stream->packets * 100 / span_ms;
	return packets > 1000 ? packets : 1000;
}

int64_t cd_base_between(const struct cd_point *a, const struct cd_point *b)
{
	struct cd_span span;

	if (cd_instant_diff(b->base, a->base, &span))
		return span.ps;
	return b->base.s < a->base.s ? INT64_MIN : INT64_MAX;
}

/* ---- common interval (METRICS 1.1) --------------------------------------- */

/* First and last number that may count, of one capture. Only where it begins
 * may a packet be late whose neighbours came before: not in later epochs. */
static bool find_range(const struct cd_track *track,
		       const struct cd_stream *stream, int64_t *first,
		       int64_t *last)
{
	uint64_t extent = 0;

	if (track == NULL || !cd_track_range(track, first, last))
		return false;
	if (track == stream->epochs[0])
		extent = cd_track_head_extent(track,
					      cd_reorder_window(stream));
	*first = cd_plus(*first, (int64_t)extent);
	return true;
}

static void find_common(struct cd_lane *lane, bool alone)
{
	int64_t first, last;

	lane->a = INT64_MAX;
	lane->b = INT64_MIN;
	if (!find_range(lane->dut, lane->dut_stream, &first, &last))
		return;
	if (alone) {
		lane->a = first;
		lane->b = last;
	} else if (find_range(lane->ref, lane->ref_stream, &lane->a,
			      &lane->b)) {
		lane->a = first > lane->a ? first : lane->a;
		lane->b = last < lane->b ? last : lane->b;
	}
	lane->common = lane->a <= lane->b;
}

/* Times of the first and last packets inside C, by the reference (or the only
 * capture). */
struct ends {
	bool has;
	int64_t first_ps, last_ps; /* smallest and largest */
	int64_t from, to;	   /* numbers that stay under a guard */
};

static int walk_times(const struct cd_lane *lane,
		      void (*see)(struct ends *, int64_t seq, int64_t ps,
				  int64_t guard),
		      struct ends *ends, int64_t guard)
{
	struct cd_lane_rows rows;

	if (cd_lane_rows_open(&rows, lane, lane->a, lane->b, CD_COLUMN_TIME))
		return -1;
	while (cd_lane_rows_next(&rows)) {
		const int64_t *ps = rows.ref_ps ? rows.ref_ps : rows.dut_ps;
		unsigned who = rows.ref_ps ? CD_HAS_REF : CD_HAS_DUT;

		for (size_t i = 0; i < rows.block.n; i++)
			if ((cd_lane_rows_mask(&rows, i) & who) &&
			    ps[i] != CD_TIME_NONE)
				see(ends, rows.block.seq[i], ps[i], guard);
	}
	cd_lane_rows_close(&rows);
	return 0;
}

static void see_ends(struct ends *ends, int64_t seq, int64_t ps, int64_t guard)
{
	(void)seq;
	(void)guard;
	if (!ends->has || ps < ends->first_ps)
		ends->first_ps = ps;
	if (!ends->has || ps > ends->last_ps)
		ends->last_ps = ps;
	ends->has = true;
}

static void see_inside(struct ends *ends, int64_t seq, int64_t ps,
		       int64_t guard)
{
	if (cd_minus(ps, ends->first_ps) < guard ||
	    cd_minus(ends->last_ps, ps) < guard)
		return;
	if (seq < ends->from)
		ends->from = seq;
	if (seq > ends->to)
		ends->to = seq;
}

/* --guard: leave out the first and last `guard` of C. */
static int trim_common(struct cd_lane *lane, int64_t guard)
{
	struct ends ends = {.from = INT64_MAX, .to = INT64_MIN};

	if (!lane->common || walk_times(lane, see_ends, &ends, guard) ||
	    walk_times(lane, see_inside, &ends, guard))
		return lane->common ? -1 : 0;
	lane->a = ends.from;
	lane->b = ends.to;
	lane->common = lane->a <= lane->b;
	return 0;
}

/* ---- lanes ----------------------------------------------------------------
 */

static const struct cd_track *epoch_of(const struct cd_stream *stream,
				       size_t epoch)
{
	if (stream == NULL || epoch >= stream->n_epochs)
		return NULL;
	return stream->epochs[epoch];
}

/* In a pair without numbers, or of one capture, epochs are just listed. */
static void add_lane(struct cd_pair *pair, const struct cd_lane *lane,
		     size_t ref_epoch, size_t dut_epoch)
{
	struct cd_lane *out = &pair->lanes[pair->n_lanes++];

	*out = *lane;
	out->ref = epoch_of(lane->ref_stream, ref_epoch);
	out->dut = epoch_of(lane->dut_stream, dut_epoch);
	out->epoch = (uint32_t)(out->ref != NULL ? ref_epoch : dut_epoch);
	out->a = INT64_MAX;
	out->b = INT64_MIN;
	out->ref_from_ps = out->ref_to_ps = CD_TIME_NONE;
	if (pair->numbered)
		find_common(out, pair->alone);
}

static void say_ambiguous(struct cd_analysis *analysis,
			  const struct cd_pair *pair, uint32_t stream)
{
	cd_report_finding(analysis->report, CD_WARNING, "epochs_ambiguous",
			  (int)pair->dut,
			  "the numbering begins again in %s, and which part "
			  "is which in the two captures was decided by their "
			  "clocks alone",
			  analysis->report->streams[stream].what);
}

static int match_epochs(struct cd_analysis *analysis, struct cd_pair *pair,
			const struct cd_lane *lane, size_t *link)
{
	const struct cd_stream *r = lane->ref_stream, *d = lane->dut_stream;
	bool ambiguous = false;
	int64_t base = cd_base_between(&analysis->points[pair->ref],
				       &analysis->points[pair->dut]);

	for (size_t i = 0; r != NULL && i < r->n_epochs; i++)
		link[i] = CD_NO_EPOCH;
	if (r != NULL && d != NULL && pair->numbered &&
	    cd_epochs_match(r, d, base, link, &ambiguous))
		return -1;
	if (ambiguous)
		say_ambiguous(analysis, pair, lane->stream);
	return 0;
}

/* All lanes of one stream; `lane` holds the streams. */
static int add_stream(struct cd_analysis *analysis, struct cd_pair *pair,
		      const struct cd_lane *lane)
{
	size_t n_r = lane->ref_stream ? lane->ref_stream->n_epochs : 0;
	size_t n_d = lane->dut_stream ? lane->dut_stream->n_epochs : 0;
	size_t *link = calloc(n_r + 1, sizeof(*link));
	bool *linked = calloc(n_d + 1, sizeof(*linked));
	int result = -1;

	if (link == NULL || linked == NULL ||
	    match_epochs(analysis, pair, lane, link))
		goto out;
	for (size_t i = 0; i < n_r; i++) {
		if (link[i] != CD_NO_EPOCH)
			linked[link[i]] = true;
		add_lane(pair, lane, i, link[i]);
	}
	for (size_t k = 0; k < n_d; k++)
		if (!linked[k])
			add_lane(pair, lane, CD_NO_EPOCH, k);
	result = 0;
out:
	free(link);
	free(linked);
	return result;
}

static size_t count_epochs(const struct cd_analysis *analysis, uint32_t k)
{
	const struct cd_point *point = &analysis->points[k];
	size_t n = 0;

	for (size_t i = 0; i < point->n_streams; i++)
		n += point->streams[i].n_epochs;
	return n;
}

static int fill_lanes(struct cd_analysis *analysis, struct cd_pair *pair)
{
	size_t n = analysis->report->n_streams;
	const struct cd_stream **ref = &analysis->streams[pair->ref * n];
	const struct cd_stream **dut = &analysis->streams[pair->dut * n];
	int64_t guard = analysis->options->guard_ps;

	for (uint32_t id = 0; id < n; id++) {
		struct cd_lane lane = {
		    .stream = id,
		    .ref_stream = pair->alone ? NULL : ref[id],
		    .dut_stream = dut[id],
		};

		if (add_stream(analysis, pair, &lane))
			return -1;
	}
	for (size_t i = 0; guard > 0 && i < pair->n_lanes; i++)
		if (trim_common(&pair->lanes[i], guard))
			return -1;
	for (size_t i = 0; i < pair->n_lanes; i++)
		pair->common |= pair->lanes[i].common;
	return 0;
}

int cd_lanes_make(struct cd_analysis *analysis, struct cd_pair *pair,
		  struct cd_error *error)
{
	size_t n = count_epochs(analysis, pair->ref) +
		   count_epochs(analysis, pair->dut);

	pair->lanes = calloc(n + 1, sizeof(*pair->lanes));
	if (pair->lanes == NULL || fill_lanes(analysis, pair))
		return cd_error_memory(error);
	return 0;
}

/* ---- rows of a lane -------------------------------------------------------
 */

int cd_lane_rows_open(struct cd_lane_rows *rows, const struct cd_lane *lane,
		      int64_t from, int64_t to, unsigned columns)
{
	const struct cd_track *tracks[2];
	struct cd_rows_options options = {
	    .tracks = tracks,
	    .from = from,
	    .to = to,
	    .mode = CD_ROWS_UNION,
	    .columns = columns,
	};

	*rows = (struct cd_lane_rows){0};
	if (lane->ref != NULL)
		tracks[options.n++] = lane->ref;
	if (lane->dut != NULL)
		tracks[options.n++] = lane->dut;
	rows->both = options.n == 2;
	rows->ref_only = lane->dut == NULL;
	rows->rows = cd_rows_new(&options);
	return rows->rows == NULL ? -1 : 0;
}

int cd_lane_rows_next(struct cd_lane_rows *rows)
{
	int dut = rows->both ? 1 : 0;

	if (!cd_rows_next(rows->rows, &rows->block))
		return 0;
	if (rows->both || rows->ref_only) {
		rows->ref_ps = rows->block.time_ps[0];
		rows->ref_length = rows->block.length[0];
	}
	if (!rows->ref_only) {
		rows->dut_ps = rows->block.time_ps[dut];
		rows->dut_length = rows->block.length[dut];
	}
	return 1;
}

void cd_lane_rows_close(struct cd_lane_rows *rows)
{
	cd_rows_free(rows->rows);
	rows->rows = NULL;
}
