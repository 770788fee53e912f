#include "metric/delta.h"

#include <stdlib.h>

#include "base/time.h"
#include "metric/numbers.h"
#include "stat/moments.h"
#include "stat/select.h"

struct quartet {
	struct cd_select *select;
	size_t p1, p50, p99, p99_9;
	bool done; /* no further pass needed */
};

/* One pass; the row before the block, and room for a block's deltas. */
struct pass {
	const struct cd_delta_source *source;
	struct quartet raw, numbered;
	struct cd_histogram *histogram; /* of the first pass; else NULL */
	bool histogram_of_raw;
	bool alike; /* numbered deltas are the raw ones: not collected */
	bool has_row;
	int64_t seq, time_ps;
	uint32_t length;
	uint64_t impossible;
	int64_t v[CD_BLOCK_ROWS], picked[CD_BLOCK_ROWS];
};

/* ---- what a track is like -------------------------------------------------
 */

/* File order is the order of numbers, without copies and strays. */
static bool in_order(const struct cd_track *track)
{
	size_t late;

	cd_track_late(track, &late);
	return late == 0 && cd_track_rows(track) == cd_track_unique(track);
}

/* Every delta is one between neighbouring numbers inside from..to. */
static bool is_plain(const struct cd_delta_source *source)
{
	int64_t first, last;

	return source->raw && source->numbered && in_order(source->track) &&
	       cd_track_range(source->track, &first, &last) &&
	       first >= source->from && last <= source->to &&
	       (uint64_t)cd_wrap_minus(last, first) + 1 ==
		   cd_track_unique(source->track);
}

static bool all_plain(const struct cd_delta_source *sources, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!is_plain(&sources[i]))
			return false;
	return true;
}

/* ---- impossible deltas ----------------------------------------------------
 */

static int64_t threshold(const struct cd_delta_source *source, uint32_t a,
			 uint32_t b)
{
	uint32_t length = a < b ? a : b;

	if (length >= CD_DELTA_LENGTHS)
		length = CD_DELTA_LENGTHS - 1;
	return source->thresholds_ps[length];
}

static bool counts(const struct cd_delta_source *source)
{
	return source->threshold_ps > 0 || source->thresholds_ps != NULL;
}

static void count_impossible(struct pass *pass, const struct cd_block *block,
			     size_t n)
{
	const struct cd_delta_source *source = pass->source;
	uint32_t length = pass->length;
	uint64_t below = 0;

	if (source->thresholds_ps == NULL) {
		for (size_t i = 0; i < n; i++)
			below += pass->v[i] < source->threshold_ps;
		pass->impossible += below;
		return;
	}
	for (size_t i = 0; i < n; i++) {
		below +=
		    pass->v[i] < threshold(source, block->length[i], length);
		length = block->length[i];
	}
	pass->impossible += below;
}

/* ---- blocks ---------------------------------------------------------------
 */

static bool all_valid(const int64_t *time_ps, size_t n)
{
	bool valid = true;

	for (size_t i = 0; i < n; i++)
		valid &= time_ps[i] != CD_TIME_NONE;
	return valid;
}

static bool inside(const struct cd_delta_source *source, int64_t seq)
{
	return seq >= source->from && seq <= source->to;
}

/* Are all of the block's deltas between neighbouring numbers inside? Numbers
 * rise, so the ends tell. */
static bool is_run(const struct pass *pass, const struct cd_block *block)
{
	int64_t first = block->seq[0], last = block->seq[block->n - 1];

	return pass->has_row && cd_follows(pass->seq, first) &&
	       (uint64_t)cd_wrap_minus(last, first) == block->n - 1 &&
	       inside(pass->source, pass->seq) && inside(pass->source, last);
}

/* v[i] is the delta up to row i: keep those between neighbours. */
static size_t pick_numbered(struct pass *pass, const struct cd_block *block,
			    size_t from)
{
	const struct cd_delta_source *source = pass->source;
	int64_t previous = from > 0 ? block->seq[0] : pass->seq;
	size_t k = 0;

	for (size_t i = from; i < block->n; i++) {
		int64_t seq = block->seq[i];

		pass->picked[k] = pass->v[i];
		k += (cd_follows(previous, seq)) & (previous >= source->from) &
		     (seq <= source->to);
		previous = seq;
	}
	return k;
}

static bool wants_numbered(const struct pass *pass)
{
	if (!pass->source->numbered)
		return false;
	return (!pass->alike && !pass->numbered.done) ||
	       pass->histogram != NULL;
}

static void add_numbered(struct pass *pass, const int64_t *v, size_t n)
{
	if (pass->histogram != NULL)
		cd_histogram_add(pass->histogram, v, n);
	if (!pass->alike && !pass->numbered.done)
		cd_select_add(pass->numbered.select, v, n);
}

/* The usual block: every row has a time. */
static void add_valid(struct pass *pass, const struct cd_block *block)
{
	const int64_t *t = block->time_ps;
	size_t from = pass->has_row ? 0 : 1; /* the first row has no delta */
	size_t n = block->n;

	pass->v[0] = cd_wrap_minus(t[0], pass->time_ps);
	for (size_t i = 1; i < n; i++)
		pass->v[i] = cd_wrap_minus(t[i], t[i - 1]);
	if (from == 1)
		pass->v[0] = INT64_MAX; /* not impossible */
	if (pass->source->raw) {
		if (counts(pass->source))
			count_impossible(pass, block, n);
		if (!pass->raw.done)
			cd_select_add(pass->raw.select, pass->v + from,
				      n - from);
		if (pass->histogram != NULL && pass->histogram_of_raw)
			cd_histogram_add(pass->histogram, pass->v + from,
					 n - from);
	}
	if (!wants_numbered(pass))
		return;
	if (is_run(pass, block))
		add_numbered(pass, pass->v, n);
	else
		add_numbered(pass, pass->picked,
			     pick_numbered(pass, block, from));
}

/* A block with invalid times: one row after the other. */
static void add_any(struct pass *pass, const struct cd_block *block)
{
	struct cd_block row = {.n = 1};

	for (size_t i = 0; i < block->n; i++) {
		row.seq = block->seq + i;
		row.time_ps = block->time_ps + i;
		row.length = block->length == NULL ? NULL : block->length + i;
		if (row.time_ps[0] == CD_TIME_NONE) {
			pass->has_row = false;
			continue;
		}
		add_valid(pass, &row);
		pass->has_row = true;
		pass->seq = row.seq[0];
		pass->time_ps = row.time_ps[0];
		pass->length = row.length == NULL ? 0 : row.length[0];
	}
}

static void add_block(struct pass *pass, const struct cd_block *block)
{
	size_t last = block->n - 1;

	if (!all_valid(block->time_ps, block->n)) {
		add_any(pass, block);
		return;
	}
	add_valid(pass, block);
	pass->has_row = true;
	pass->seq = block->seq[last];
	pass->time_ps = block->time_ps[last];
	pass->length = block->length == NULL ? 0 : block->length[last];
}

/* ---- passes ---------------------------------------------------------------
 */

static int read_track(struct pass *pass, enum cd_order order)
{
	const struct cd_delta_source *source = pass->source;
	unsigned columns = CD_COLUMN_TIME;
	struct cd_track_reader *reader;
	struct cd_block block;

	if (source->thresholds_ps != NULL)
		columns |= CD_COLUMN_LENGTH;
	reader = cd_track_reader_new(source->track, order, columns);
	if (reader == NULL)
		return -1;
	if (order == CD_ORDER_SEQ)
		cd_track_reader_seek(reader, source->from);
	pass->has_row = false;
	pass->seq = 0;
	pass->time_ps = 0;
	pass->length = 0;
	while (cd_track_reader_next(reader, &block) == 1 &&
	       (order == CD_ORDER_FILE || block.seq[0] <= source->to))
		add_block(pass, &block);
	cd_track_reader_free(reader);
	return 0;
}

/* Once for both kinds of deltas where the order is the same. */
static int read_source(struct pass *pass, const struct cd_delta_source *source)
{
	struct cd_delta_source part = *source;
	int result = 0;

	pass->source = source;
	if (source->raw && (!source->numbered || in_order(source->track)))
		return read_track(pass, CD_ORDER_FILE);
	pass->source = &part;
	part.numbered = false;
	if (source->raw && !pass->raw.done)
		result = read_track(pass, CD_ORDER_FILE);
	part.raw = false;
	part.numbered = true;
	part.thresholds_ps = NULL;
	if (source->numbered && !pass->numbered.done && result == 0)
		result = read_track(pass, CD_ORDER_SEQ);
	return result;
}

static int end_pass(struct quartet *q)
{
	int more;

	if (q->done)
		return 0;
	more = cd_select_end_pass(q->select);
	q->done = more == 0;
	return more;
}

static int run_passes(struct pass *pass, const struct cd_delta_source *sources,
		      size_t n, struct cd_deltas *out)
{
	bool first = true;
	int raw, numbered;

	do {
		pass->impossible = 0;
		for (size_t i = 0; i < n; i++)
			if (read_source(pass, &sources[i]) < 0)
				return -1;
		if (first)
			out->impossible = pass->impossible;
		first = false;
		pass->histogram = NULL;
		raw = end_pass(&pass->raw);
		numbered = end_pass(&pass->numbered);
		if (raw < 0 || numbered < 0)
			return -1;
	} while (raw == 1 || numbered == 1);
	return 0;
}

/* ---- results --------------------------------------------------------------
 */

static int init_quartet(struct quartet *q)
{
	q->select = cd_select_new();
	if (q->select == NULL)
		return -1;
	q->p1 = cd_select_want(q->select, 1000);
	q->p50 = cd_select_want(q->select, 50000);
	q->p99 = cd_select_want(q->select, 99000);
	q->p99_9 = cd_select_want(q->select, 99900);
	return 0;
}

static void fill(const struct quartet *q, struct cd_distribution *out)
{
	const struct cd_moments *m = cd_select_moments(q->select);

	*out = (struct cd_distribution){.n = m->n};
	if (m->n == 0)
		return;
	out->min = m->min;
	out->max = m->max;
	out->mean = cd_moments_mean(m);
	out->p1 = cd_select_result(q->select, q->p1);
	out->p50 = cd_select_result(q->select, q->p50);
	out->p99 = cd_select_result(q->select, q->p99);
	out->p99_9 = cd_select_result(q->select, q->p99_9);
}

static int prepare(struct pass *pass, const struct cd_delta_source *sources,
		   size_t n, int64_t *sample, size_t n_sample)
{
	uint64_t rows = 0;

	if (init_quartet(&pass->raw) < 0 || init_quartet(&pass->numbered) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		rows += cd_track_rows(sources[i].track);
	pass->alike = all_plain(sources, n);
	if (cd_select_aim(pass->raw.select, sample, n_sample, rows) < 0)
		return -1;
	if (pass->alike)
		return 0;
	return cd_select_aim(pass->numbered.select, sample, n_sample, rows);
}

int cd_deltas_measure(const struct cd_delta_source *sources, size_t n,
		      int64_t *sample, size_t n_sample,
		      struct cd_histogram *histogram, struct cd_deltas *out)
{
	struct pass *pass = calloc(1, sizeof(*pass));
	int result = -1;

	*out = (struct cd_deltas){0};
	if (pass == NULL)
		return -1;
	pass->histogram = histogram;
	pass->histogram_of_raw = true;
	for (size_t i = 0; i < n; i++)
		pass->histogram_of_raw &= !sources[i].numbered;
	if (prepare(pass, sources, n, sample, n_sample) == 0 &&
	    run_passes(pass, sources, n, out) == 0) {
		fill(&pass->raw, &out->raw);
		fill(pass->alike ? &pass->raw : &pass->numbered,
		     &out->numbered);
		result = 0;
	}
	cd_select_free(pass->raw.select);
	cd_select_free(pass->numbered.select);
	free(pass);
	return result;
}
