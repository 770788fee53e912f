#include <stdlib.h>

#include "metric/lanes.h"
#include "metric/metric.h"
#include "metric/put.h"

/* ---- frame sizes ----------------------------------------------------------
 */

/* Sizes with FCS; larger ones than any frame go into the last place. */
#define SIZE_LIMIT (1u << 17)

struct sizes {
	uint64_t *counts; /* SIZE_LIMIT of them */
	uint64_t n, sum;
	uint32_t min, max; /* what counts has anything of */
};

static int sizes_init(struct sizes *sizes)
{
	*sizes = (struct sizes){
	    .counts = calloc(SIZE_LIMIT, sizeof(*sizes->counts)),
	    .min = SIZE_LIMIT,
	};
	return sizes->counts == NULL ? -1 : 0;
}

static void sizes_add(struct sizes *sizes, uint32_t bytes, uint64_t n)
{
	uint32_t at = bytes < SIZE_LIMIT ? bytes : SIZE_LIMIT - 1;

	if (n == 0)
		return;
	sizes->counts[at] += n;
	sizes->n += n;
	sizes->sum += n * bytes;
	sizes->min = at < sizes->min ? at : sizes->min;
	sizes->max = at > sizes->max ? at : sizes->max;
}

static void sizes_merge(struct sizes *sizes, const struct sizes *part)
{
	for (uint32_t at = part->min; part->n > 0 && at <= part->max; at++)
		sizes_add(sizes, at, part->counts[at]);
}

static void sizes_clear(struct sizes *sizes)
{
	for (uint32_t at = sizes->min; sizes->n > 0 && at <= sizes->max; at++)
		sizes->counts[at] = 0;
	sizes->n = sizes->sum = 0;
	sizes->min = SIZE_LIMIT;
	sizes->max = 0;
}

static uint32_t sizes_median(const struct sizes *sizes)
{
	uint64_t seen = 0;
	uint32_t at = sizes->min;

	while ((seen += sizes->counts[at]) < (sizes->n + 1) / 2)
		at++;
	return at;
}

/* Count lengths as they are in the track. */
static void count_lengths(struct sizes *raw, const uint32_t *length, size_t n)
{
	uint32_t min = raw->min, max = raw->max;

	for (size_t i = 0; i < n; i++) {
		uint32_t at =
		    length[i] < SIZE_LIMIT ? length[i] : SIZE_LIMIT - 1;

		raw->counts[at]++;
		min = at < min ? at : min;
		max = at > max ? at : max;
	}
	raw->min = min;
	raw->max = max;
	raw->n += n;
}

/* Add the sizes of `track`, numbers from..to; `raw` is empty before and
 * after. */
static int measure_sizes(struct sizes *sizes, struct sizes *raw,
			 const struct cd_metric_options *options,
			 const struct cd_track *track, int64_t from, int64_t to)
{
	const struct cd_rows_options rows_options = {
	    .tracks = &track,
	    .n = 1,
	    .from = from,
	    .to = to,
	    .mode = CD_ROWS_UNION,
	    .columns = CD_COLUMN_LENGTH,
	};
	struct cd_rows *rows = cd_rows_new(&rows_options);
	struct cd_rows_block block;

	if (rows == NULL)
		return -1;
	while (cd_rows_next(rows, &block))
		count_lengths(raw, block.length[0], block.n);
	cd_rows_free(rows);
	for (uint32_t at = raw->min; raw->n > 0 && at <= raw->max; at++)
		sizes_add(sizes, cd_wire_bytes(options, at), raw->counts[at]);
	sizes_clear(raw);
	return 0;
}

/* ---- time -----------------------------------------------------------------
 */

/* `packets` from the first to the last time. */
struct period {
	int64_t from_ps, to_ps;
	uint64_t packets;
};

struct periods {
	struct period *items;
	size_t n;
};

static int by_start(const void *a, const void *b)
{
	const struct period *x = a, *y = b;

	return (x->from_ps > y->from_ps) - (x->from_ps < y->from_ps);
}

/* (packets - 1) / time (METRICS 9.1). Streams that run at the same time make
 * one period, restarts one each, so that a pause between them does not count.
 * NAN-free: 0 if there is no time. Sorts. */
static double find_pps(struct periods *periods)
{
	uint64_t intervals = 0;
	double seconds = 0;

	qsort(periods->items, periods->n, sizeof(*periods->items), by_start);
	for (size_t i = 0; i < periods->n;) {
		int64_t from = periods->items[i].from_ps;
		int64_t to = periods->items[i].to_ps;
		uint64_t packets = 0;

		for (; i < periods->n && periods->items[i].from_ps <= to; i++) {
			packets += periods->items[i].packets;
			if (periods->items[i].to_ps > to)
				to = periods->items[i].to_ps;
		}
		if (packets < 2 || to <= from)
			continue;
		intervals += packets - 1;
		seconds += (double)cd_minus(to, from) / (double)CD_PS_PER_S;
	}
	return seconds > 0 ? (double)intervals / seconds : 0;
}

static void add_period(struct periods *periods, int64_t from_ps, int64_t to_ps,
		       uint64_t packets)
{
	if (from_ps == CD_TIME_NONE || to_ps == CD_TIME_NONE || packets == 0)
		return;
	periods->items[periods->n++] = (struct period){
	    .from_ps = from_ps < to_ps ? from_ps : to_ps,
	    .to_ps = from_ps < to_ps ? to_ps : from_ps,
	    .packets = packets,
	};
}

/* ---- values ---------------------------------------------------------------
 */

static void put_no_rate(const struct cd_place *place, const char *reason)
{
	static const char *const names[] = {"rate.pps", "rate.l1_bps",
					    "rate.l2_bps", "rate.captured_bps"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		cd_put_null(place, names[i], reason);
}

static void put_rate(const struct cd_place *place, struct periods *periods,
		     const struct sizes *sizes)
{
	double pps = find_pps(periods), mean;

	if (sizes->n == 0) {
		put_no_rate(place, "no packets");
		cd_put_null(place, "rate.frame_bytes_p50", "no packets");
		return;
	}
	cd_put_count(place, "rate.frame_bytes_p50", sizes_median(sizes));
	cd_put_count(place, "rate.frame_bytes_min", sizes->min);
	cd_put_count(place, "rate.frame_bytes_max", sizes->max);
	if (pps <= 0) {
		put_no_rate(place, "no time span");
		return;
	}
	mean = (double)sizes->sum / (double)sizes->n;
	cd_put_real(place, "rate.pps", pps);
	cd_put_real(place, "rate.l1_bps", pps * 8 * (mean + 20));
	cd_put_real(place, "rate.l2_bps", pps * 8 * mean);
	cd_put_real(place, "rate.captured_bps", pps * 8 * (mean - 4));
}

/* ---- of one capture by itself, of a pair by its reference -----------------
 */

struct work {
	const struct cd_metric_options *options;
	struct periods all, one;
	struct sizes all_sizes, one_sizes, raw;
};

static int work_init(struct work *work, const struct cd_analysis *analysis,
		     size_t n)
{
	*work = (struct work){.options = analysis->options};
	work->all.items = calloc(n + 1, sizeof(*work->all.items));
	work->one.items = calloc(n + 1, sizeof(*work->one.items));
	if (work->all.items == NULL || work->one.items == NULL ||
	    sizes_init(&work->all_sizes) || sizes_init(&work->one_sizes) ||
	    sizes_init(&work->raw))
		return -1;
	return 0;
}

static void work_release(struct work *work)
{
	free(work->all.items);
	free(work->one.items);
	free(work->all_sizes.counts);
	free(work->one_sizes.counts);
	free(work->raw.counts);
}

/* n packets of a track of the stream, numbers from..to. */
static int add_sizes(struct work *work, const struct cd_stream *stream,
		     const struct cd_track *track, int64_t from, int64_t to,
		     uint64_t n)
{
	if (!stream->one_size)
		return measure_sizes(&work->one_sizes, &work->raw,
				     work->options, track, from, to);
	sizes_add(&work->one_sizes,
		  cd_wire_bytes(work->options, stream->frame_bytes), n);
	return 0;
}

/* The stream is complete: its own values, and its part of the whole. */
static void close_stream(struct work *work, struct cd_analysis *analysis,
			 uint32_t point, uint32_t id)
{
	struct cd_place place = {analysis->report, point, id};

	for (size_t i = 0; i < work->one.n; i++)
		work->all.items[work->all.n++] = work->one.items[i];
	sizes_merge(&work->all_sizes, &work->one_sizes);
	if (analysis->shown[id] && work->one_sizes.n > 0)
		put_rate(&place, &work->one, &work->one_sizes);
	work->one.n = 0;
	sizes_clear(&work->one_sizes);
}

static int add_epochs(struct work *work, const struct cd_stream *stream)
{
	uint64_t packets = 0;
	int64_t first, last;

	for (size_t i = 0; i < stream->n_epochs; i++) {
		const struct cd_track *track = stream->epochs[i];
		uint64_t n = cd_track_unique(track);

		if (!cd_track_range(track, &first, &last))
			continue;
		packets += n;
		if (add_sizes(work, stream, track, first, last, n))
			return -1;
	}
	if (packets > stream->invalid_times)
		add_period(&work->one, stream->first_ps, stream->last_ps,
			   packets);
	return 0;
}

static int rate_point(struct cd_analysis *analysis, uint32_t k)
{
	struct cd_place place = {analysis->report, k, CD_NO_STREAM};
	size_t n = analysis->report->n_streams;
	struct work work;
	int result = -1;

	if (work_init(&work, analysis, n))
		goto out;
	for (uint32_t id = 0; id < n; id++) {
		const struct cd_stream *stream = analysis->streams[k * n + id];

		if (stream == NULL)
			continue;
		if (add_epochs(&work, stream))
			goto out;
		close_stream(&work, analysis, k, id);
	}
	put_rate(&place, &work.all, &work.all_sizes);
	result = 0;
out:
	work_release(&work);
	return result;
}

static int add_lane(struct work *work, const struct cd_lane *lane)
{
	if (!lane->common || lane->ref == NULL)
		return 0;
	add_period(&work->one, lane->ref_from_ps, lane->ref_to_ps,
		   lane->ref_has + lane->dut_has - lane->both_have);
	return add_sizes(work, lane->ref_stream, lane->ref, lane->a, lane->b,
			 lane->ref_has);
}

static int rate_pair(struct cd_analysis *analysis, const struct cd_pair *pair)
{
	struct cd_place place = {analysis->report, pair->dut, CD_NO_STREAM};
	struct work work;
	int result = -1;

	if (work_init(&work, analysis, pair->n_lanes))
		goto out;
	for (size_t i = 0; i < pair->n_lanes; i++) {
		const struct cd_lane *lane = &pair->lanes[i];

		if (add_lane(&work, lane))
			goto out;
		if (i + 1 == pair->n_lanes || lane[1].stream != lane->stream)
			close_stream(&work, analysis, pair->dut, lane->stream);
	}
	put_rate(&place, &work.all, &work.all_sizes);
	result = 0;
out:
	work_release(&work);
	return result;
}

static int run_rate(struct cd_analysis *analysis, struct cd_error *error)
{
	if (rate_point(analysis, analysis->reference))
		return cd_error_memory(error);
	for (size_t i = 0; i < analysis->n_pairs; i++) {
		const struct cd_pair *pair = &analysis->pairs[i];

		if (pair->alone)
			continue;
		if (pair->numbered ? rate_pair(analysis, pair)
				   : rate_point(analysis, pair->dut))
			return cd_error_memory(error);
	}
	return 0;
}

const struct cd_metric cd_metric_rate = {"rate", run_rate};
