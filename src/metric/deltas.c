#include "metric/delta.h"

#include <stdlib.h>

#include "base/time.h"
#include "stat/moments.h"
#include "stat/percentile.h"
#include "stat/select.h"

struct wanted {
	struct cd_select *select;
	size_t p1, p50, p99, p99_9;
};

/* One pass; the row before the block, and room for a block's deltas. */
struct pass {
	const struct cd_delta_source *source;
	bool has_row;
	int64_t seq, time_ps;
	uint32_t length;
	uint64_t impossible;
	int64_t v[CD_BLOCK_ROWS];
};

/* Modulo 2^64: only times over 106 days apart overflow. */
static int64_t minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

static bool counts(const struct cd_delta_source *source)
{
	return source->threshold_ps > 0 || source->thresholds_ps != NULL;
}

static int64_t threshold(const struct cd_delta_source *source, uint32_t a,
			 uint32_t b)
{
	uint32_t length = a < b ? a : b;

	if (source->thresholds_ps == NULL)
		return source->threshold_ps;
	if (length >= CD_DELTA_LENGTHS)
		length = CD_DELTA_LENGTHS - 1;
	return source->thresholds_ps[length];
}

/* Is the delta up to this row one of those wanted? */
static bool is_wanted(const struct pass *pass, int64_t seq, int64_t time_ps)
{
	if (!pass->has_row || pass->time_ps == CD_TIME_NONE ||
	    time_ps == CD_TIME_NONE)
		return false;
	return pass->source->whole || minus(seq, pass->seq) == 1;
}

static size_t pick_deltas(struct pass *pass, const struct cd_block *block,
			  size_t n)
{
	bool sized = pass->source->thresholds_ps != NULL;
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t length = sized ? block->length[i] : 0;
		int64_t t = block->time_ps[i], delta = minus(t, pass->time_ps);

		if (is_wanted(pass, block->seq[i], t)) {
			pass->v[k++] = delta;
			pass->impossible +=
			    counts(pass->source) &&
			    delta <
				threshold(pass->source, length, pass->length);
		}
		pass->has_row = true;
		pass->seq = block->seq[i];
		pass->time_ps = t;
		pass->length = length;
	}
	return k;
}

static bool all_valid(const struct cd_block *block, size_t n)
{
	bool valid = true;

	for (size_t i = 0; i < n; i++)
		valid &= block->time_ps[i] != CD_TIME_NONE;
	return valid;
}

/* The usual block: every delta is wanted, all frames have one size. */
static bool is_smooth(const struct pass *pass, const struct cd_block *block,
		      size_t n)
{
	if (!is_wanted(pass, block->seq[0], block->time_ps[0]) ||
	    pass->source->thresholds_ps != NULL)
		return false;
	if (!pass->source->whole &&
	    (uint64_t)minus(block->seq[n - 1], block->seq[0]) != n - 1)
		return false;
	return all_valid(block, n);
}

static size_t all_deltas(struct pass *pass, const struct cd_block *block,
			 size_t n)
{
	const int64_t *t = block->time_ps;
	int64_t bar = pass->source->threshold_ps;
	uint64_t below = 0;

	pass->v[0] = minus(t[0], pass->time_ps);
	for (size_t i = 1; i < n; i++)
		pass->v[i] = minus(t[i], t[i - 1]);
	if (bar > 0) {
		for (size_t i = 0; i < n; i++)
			below += pass->v[i] < bar;
		pass->impossible += below;
	}
	pass->seq = block->seq[n - 1];
	pass->time_ps = t[n - 1];
	return n;
}

static size_t rows_inside(const struct pass *pass, const struct cd_block *block)
{
	size_t n = block->n;

	if (!pass->source->whole)
		while (n > 0 && block->seq[n - 1] > pass->source->to)
			n--;
	return n;
}

static void add_block(struct pass *pass, const struct cd_block *block, size_t n,
		      struct cd_select *select)
{
	size_t k;

	if (n == 0)
		return;
	k = is_smooth(pass, block, n) ? all_deltas(pass, block, n)
				      : pick_deltas(pass, block, n);
	cd_select_add(select, pass->v, k);
}

static int read_source(struct pass *pass, struct cd_select *select)
{
	const struct cd_delta_source *source = pass->source;
	unsigned columns = CD_COLUMN_TIME;
	struct cd_track_reader *reader;
	struct cd_block block;

	if (source->thresholds_ps != NULL)
		columns |= CD_COLUMN_LENGTH;
	reader = cd_track_reader_new(
	    source->track, source->whole ? CD_ORDER_FILE : CD_ORDER_SEQ,
	    columns);
	if (reader == NULL)
		return -1;
	if (!source->whole)
		cd_track_reader_seek(reader, source->from);
	pass->has_row = false;
	pass->time_ps = 0;
	while (cd_track_reader_next(reader, &block) == 1) {
		size_t n = rows_inside(pass, &block);

		add_block(pass, &block, n, select);
		if (n < block.n)
			break;
	}
	cd_track_reader_free(reader);
	return 0;
}

static void fill(const struct wanted *wanted, struct cd_distribution *out)
{
	const struct cd_moments *m = cd_select_moments(wanted->select);

	*out = (struct cd_distribution){.n = m->n};
	if (m->n == 0)
		return;
	out->min = m->min;
	out->max = m->max;
	out->mean = cd_moments_mean(m);
	out->p1 = cd_select_result(wanted->select, wanted->p1);
	out->p50 = cd_select_result(wanted->select, wanted->p50);
	out->p99 = cd_select_result(wanted->select, wanted->p99);
	out->p99_9 = cd_select_result(wanted->select, wanted->p99_9);
}

static int run_passes(struct pass *pass, const struct cd_delta_source *sources,
		      size_t n, const struct wanted *wanted,
		      struct cd_deltas *out)
{
	bool first = true;
	int more;

	do {
		pass->impossible = 0;
		for (size_t i = 0; i < n; i++) {
			pass->source = &sources[i];
			if (read_source(pass, wanted->select) < 0)
				return -1;
		}
		if (first)
			out->impossible = pass->impossible;
		first = false;
		more = cd_select_end_pass(wanted->select);
	} while (more == 1);
	return more;
}

int cd_deltas_measure(const struct cd_delta_source *sources, size_t n,
		      struct cd_deltas *out)
{
	struct pass *pass = calloc(1, sizeof(*pass));
	struct wanted wanted = {.select = cd_select_new()};
	int result = -1;

	*out = (struct cd_deltas){0};
	if (pass == NULL || wanted.select == NULL)
		goto out;
	wanted.p1 = cd_select_want(wanted.select, 1000);
	wanted.p50 = cd_select_want(wanted.select, 50000);
	wanted.p99 = cd_select_want(wanted.select, 99000);
	wanted.p99_9 = cd_select_want(wanted.select, 99900);
	if (run_passes(pass, sources, n, &wanted, out) < 0)
		goto out;
	fill(&wanted, &out->d);
	result = 0;
out:
	free(pass);
	cd_select_free(wanted.select);
	return result;
}
