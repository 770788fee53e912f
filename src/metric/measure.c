#include "metric/measure.h"

#include <math.h>
#include <stdlib.h>

#include "metric/numbers.h"
#include "metric/spectrum.h"
#include "metric/trend.h"
#include "metric/walk.h"
#include "stat/blocks.h"
#include "stat/percentile.h"

/* The row before the block. */
struct row {
	size_t segment;
	int64_t seq, ref_ps, dut_ps, r;
};

struct measure {
	const struct cd_measure_scope *scope;
	struct cd_measured *out;
	struct cd_spectrum residual, fast, delta_error;
	size_t low[2], high[2]; /* ends of the intervals of p0.1 and p99.9 */
	struct cd_trend trend;
	bool first; /* first pass: everything that needs only one */
	struct row before;
	uint64_t run; /* late packets in the event that is open */
	unsigned __int128 invented, shown; /* of I */
	/* of the block */
	size_t segment[CD_BLOCK_ROWS];
	int64_t r[CD_BLOCK_ROWS], f[CD_BLOCK_ROWS], e[CD_BLOCK_ROWS];
};

static uint64_t magnitude(int64_t v)
{
	return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

/* ---- residuals ------------------------------------------------------------
 */

static void fill_residuals(struct measure *m, const struct cd_walk_block *block)
{
	const struct cd_pair *pair = m->scope->pair;
	const double *thetas = pair->lanes[block->lane].theta_ps;
	double y = pair->clock.y;
	size_t segment, end;

	for (size_t i = 0; i < block->n; i = end) {
		end = cd_walk_piece(&pair->clock, block, i, &segment);
		for (size_t k = i; k < end; k++)
			m->r[k] = cd_round_ps(
			    cd_residual(block->x_ps[k], block->d_ps[k], y) -
			    thetas[segment]);
		if (pair->clock.n_steps > 0)
			for (size_t k = i; k < end; k++)
				m->segment[k] = segment;
	}
}

/* Every frame length has its own floor. */
static void subtract_sizes(struct measure *m, const struct cd_walk_block *block)
{
	for (size_t i = 0; i < block->n; i++)
		m->r[i] -= cd_sizes_floor_ps(m->scope->sizes, block->length[i]);
}

static void note(struct cd_noted *noted, const struct cd_walk_block *block,
		 size_t i, int64_t value_ps)
{
	*noted = (struct cd_noted){
	    .lane = block->lane,
	    .seq = block->seq[i],
	    .x_ps = block->x_ps[i],
	    .value_ps = value_ps,
	};
}

/* The first row with the least, the first with the largest. */
static void note_extremes(struct measure *m, const struct cd_walk_block *block,
			  bool any)
{
	int64_t least = m->f[0], largest = m->f[0];
	size_t i;

	for (i = 1; i < block->n; i++) {
		least = m->f[i] < least ? m->f[i] : least;
		largest = m->f[i] > largest ? m->f[i] : largest;
	}
	if (!any || least < m->out->least.value_ps) {
		for (i = 0; m->f[i] != least; i++)
			;
		note(&m->out->least, block, i, least);
	}
	if (!any || largest > m->out->largest.value_ps) {
		for (i = 0; m->f[i] != largest; i++)
			;
		note(&m->out->largest, block, i, largest);
	}
}

/* Maximal runs of packets with f > Lim, without a branch a packet. */
static void count_late(struct measure *m, const struct cd_walk_block *block)
{
	struct cd_late_rows late = m->out->late;
	int64_t lim = m->scope->lim_ps;
	uint64_t run = m->run;

	for (size_t i = 0; i < block->n; i++) {
		uint64_t is_late = m->f[i] > lim;

		run = (run + 1) & -is_late;
		late.packets += is_late;
		late.events += run == 1;
		/* an event of 3 brings 3, one more packet 1 */
		late.in_runs += (run >= 3) + 2 * (uint64_t)(run == 3);
		late.longest = run > late.longest ? run : late.longest;
	}
	m->run = run;
	m->out->late = late;
}

/* Keep the list of the earliest: a rare row. */
static void insert_early(struct cd_measured *out,
			 const struct cd_walk_block *block, size_t i, int64_t r)
{
	size_t n = out->early < CD_EARLIEST ? (size_t)out->early : CD_EARLIEST;
	size_t at = n;

	out->early++;
	while (at > 0 && out->earliest[at - 1].value_ps > r)
		at--;
	if (at == CD_EARLIEST)
		return;
	for (size_t k = n < CD_EARLIEST ? n : CD_EARLIEST - 1; k > at; k--)
		out->earliest[k] = out->earliest[k - 1];
	note(&out->earliest[at], block, i, r);
}

static void count_early(struct measure *m, const struct cd_walk_block *block)
{
	int64_t bar = -m->scope->early_ps;

	for (size_t i = 0; i < block->n; i++)
		if (m->r[i] < bar)
			insert_early(m->out, block, i, m->r[i]);
}

static void add_rows(struct measure *m, const struct cd_walk_block *block)
{
	bool any = m->out->fast.n > 0;

	cd_trend_subtract(&m->trend, block->lane, block->x_ps, m->r, m->f,
			  block->n);
	cd_spectrum_add(&m->residual, m->r, block->n);
	cd_spectrum_add(&m->fast, m->f, block->n);
	if (m->scope->exceedance != NULL)
		cd_exceedance_add(m->scope->exceedance, m->f, block->n, m->e);
	if (!m->first)
		return;
	note_extremes(m, block, any);
	count_early(m, block);
	if (m->scope->lim_ps > 0)
		count_late(m, block);
	m->out->fast.n += block->n;
}

/* ---- errors of deltas -----------------------------------------------------
 */

static void add_to_share(struct measure *m, int64_t delta, int64_t error)
{
	/* (1+y) Delta_R is Delta_D - epsilon exactly */
	int64_t expected = delta - error;

	if (delta < 0 || expected < 0)
		m->out->negative_deltas = true;
	m->invented += magnitude(error);
	m->shown += (unsigned __int128)magnitude(delta) + magnitude(expected);
}

/* Rows from..to-1 of a block, each the neighbour of the one before it. */
struct run {
	const struct cd_walk_block *block;
	size_t from, to;
	int64_t *e; /* |errors| of the pairs */
};

/* Where all terms are small enough their sums are taken in 64 bits; false, and
 * nothing done, where not. */
static bool add_small_shares(struct measure *m, const struct run *run)
{
	const int64_t *t = run->block->dut_ps, *r = m->r;
	int64_t t0 = m->before.dut_ps, r0 = m->before.r, signs = 0;
	uint64_t invented = 0, shown = 0, all = 0;

	for (size_t i = run->from; i < run->to; i++) {
		int64_t delta = t[i] - t0, expected = delta - (r[i] - r0);
		uint64_t a = magnitude(delta), b = magnitude(expected);
		uint64_t e = (uint64_t)run->e[i - run->from];

		invented += e;
		shown += a + b;
		all |= a | b | e;
		signs |= delta | expected;
		t0 = t[i];
		r0 = r[i];
	}
	if (all >> 50 != 0)
		return false;
	m->out->negative_deltas |= signs < 0;
	m->invented += invented;
	m->shown += shown;
	return true;
}

static void add_shares(struct measure *m, const struct run *run)
{
	const int64_t *t = run->block->dut_ps, *r = m->r;
	int64_t t0 = m->before.dut_ps, r0 = m->before.r;

	if (add_small_shares(m, run))
		return;
	for (size_t i = run->from; i < run->to; i++) {
		add_to_share(m, t[i] - t0, r[i] - r0);
		t0 = t[i];
		r0 = r[i];
	}
}

static void note_worst(struct measure *m, const struct run *run,
		       int64_t largest)
{
	const struct cd_walk_block *block = run->block;
	const struct row *before = &m->before;
	size_t i = run->from;
	bool first;

	while (run->e[i - run->from] != largest)
		i++;
	first = i == run->from;
	m->out->worst = (struct cd_worst_gap){
	    .found = true,
	    .seq = block->seq[i] - 1,
	    .lane = (uint32_t)block->lane,
	    .shown_ps = block->dut_ps[i] -
			(first ? before->dut_ps : block->dut_ps[i - 1]),
	    .true_ps = block->ref_ps[i] -
		       (first ? before->ref_ps : block->ref_ps[i - 1]),
	    .error_ps = (uint64_t)largest,
	};
}

static void add_run(struct measure *m, const struct run *run)
{
	int64_t r0 = m->before.r, largest = -1;

	for (size_t i = run->from; i < run->to; i++) {
		int64_t e = (int64_t)magnitude(m->r[i] - r0);

		run->e[i - run->from] = e;
		largest = e > largest ? e : largest;
		r0 = m->r[i];
	}
	if (!m->first)
		return;
	add_shares(m, run);
	if (!m->out->worst.found || (uint64_t)largest > m->out->worst.error_ps)
		note_worst(m, run, largest);
}

/* A pair that does not count: a step between them, or missing packets (3.2).
 */
static void skip_pair(struct measure *m, const struct row *next)
{
	struct cd_measured *out = m->out;
	int64_t error = (int64_t)magnitude(next->r - m->before.r);

	if (!m->first)
		return;
	if (next->segment != m->before.segment) {
		out->across_steps += cd_follows(m->before.seq, next->seq);
		return;
	}
	out->bridged++;
	if (error > out->bridged_max_ps)
		out->bridged_max_ps = error;
}

static struct row row_of(const struct measure *m,
			 const struct cd_walk_block *block, size_t i)
{
	return (struct row){
	    .segment = m->scope->pair->clock.n_steps > 0 ? m->segment[i] : 0,
	    .seq = block->seq[i],
	    .ref_ps = block->ref_ps[i],
	    .dut_ps = block->dut_ps[i],
	    .r = m->r[i],
	};
}

static bool are_neighbours(const struct row *a, const struct row *b)
{
	return cd_follows(a->seq, b->seq) && a->segment == b->segment;
}

/* The row behind the last that follows its neighbour, from `from` on. */
static size_t run_end(const struct measure *m,
		      const struct cd_walk_block *block, size_t from)
{
	bool steps = m->scope->pair->clock.n_steps > 0;
	size_t i = from + 1, n = block->n;

	if (!steps && (uint64_t)cd_wrap_minus(block->seq[n - 1],
					      block->seq[from]) == n - 1 - from)
		return n;
	while (i < n && cd_follows(block->seq[i - 1], block->seq[i]) &&
	       (!steps || m->segment[i] == m->segment[i - 1]))
		i++;
	return i;
}

static void add_pairs(struct measure *m, const struct cd_walk_block *block)
{
	size_t i = 0, end, k = 0;

	if (block->row == 0) {
		m->before = row_of(m, block, 0);
		i = 1;
	}
	for (; i < block->n; i = end) {
		struct row next = row_of(m, block, i);

		end = i + 1;
		if (are_neighbours(&m->before, &next)) {
			struct run run = {block, i, run_end(m, block, i),
					  m->e + k};

			add_run(m, &run);
			end = run.to;
			k += end - i;
		} else {
			skip_pair(m, &next);
		}
		m->before = row_of(m, block, end - 1);
	}
	cd_spectrum_add(&m->delta_error, m->e, k);
}

/* ---- aim ------------------------------------------------------------------
 */

/* What some rows will give, in the order of the spectra. */
struct foretaste {
	int64_t *r, *f, *e;
	size_t n, n_e;
};

static int64_t residual_at(const struct cd_pair *pair, size_t lane,
			   int64_t x_ps, int64_t d_ps)
{
	size_t segment = cd_clock_segment(&pair->clock, x_ps);

	return cd_round_ps(cd_residual(x_ps, d_ps, pair->clock.y) -
			   pair->lanes[lane].theta_ps[segment]);
}

static void taste(struct measure *m, struct foretaste *taste)
{
	const struct cd_pair *pair = m->scope->pair;

	for (size_t i = 0; i < pair->clock.n_rows; i++) {
		const struct cd_clock_row *row = &pair->clock.rows[i];
		int64_t r;

		if (row->lane < m->scope->from || row->lane >= m->scope->to)
			continue;
		r = residual_at(pair, row->lane, row->x_ps, row->d_ps);
		taste->r[taste->n] = r;
		cd_trend_subtract(&m->trend, row->lane, &row->x_ps, &r,
				  &taste->f[taste->n++], 1);
		if (!row->neighbours)
			continue;
		r -= residual_at(pair, row->lane, row->before_x_ps,
				 row->before_d_ps);
		taste->e[taste->n_e++] = (int64_t)magnitude(r);
	}
}

/* Let a sample of rows spare the second pass. */
static int aim(struct measure *m)
{
	size_t room = m->scope->pair->clock.n_rows;
	uint64_t n = m->scope->n;
	struct foretaste t = {.r = malloc((room + 1) * sizeof(*t.r)),
			      .f = malloc((room + 1) * sizeof(*t.f)),
			      .e = malloc((room + 1) * sizeof(*t.e))};
	int result = -1;

	if (t.r == NULL || t.f == NULL || t.e == NULL)
		goto out;
	taste(m, &t);
	if (cd_select_aim(m->residual.select, t.r, t.n, n) < 0 ||
	    cd_select_aim(m->fast.select, t.f, t.n, n) < 0 ||
	    cd_select_aim(m->delta_error.select, t.e, t.n_e, n) < 0)
		goto out;
	if (m->scope->exceedance != NULL &&
	    cd_exceedance_aim(m->scope->exceedance, t.f, t.n, n) < 0)
		goto out;
	result = 0;
out:
	free(t.r);
	free(t.f);
	free(t.e);
	return result;
}

/* ---- passes ---------------------------------------------------------------
 */

static int pass(struct measure *m)
{
	const struct cd_measure_scope *scope = m->scope;
	bool fitted = scope->pair->clock.has_drift;
	struct cd_walk walk;
	struct cd_walk_block block;
	int got;

	if (cd_walk_init(&walk, scope->pair, scope->from, scope->to) < 0)
		return -1;
	walk.lengths = scope->sizes != NULL;
	while ((got = cd_walk_next(&walk, &block)) == 1) {
		if (block.row == 0)
			m->run = 0;
		fill_residuals(m, &block);
		if (m->first && scope->offsets != NULL)
			cd_offsets_add(scope->offsets, &block);
		if (scope->sizes != NULL)
			subtract_sizes(m, &block);
		if (fitted)
			add_rows(m, &block);
		add_pairs(m, &block);
	}
	cd_walk_release(&walk);
	return got;
}

static int end_pass(struct measure *m)
{
	int residual = cd_spectrum_end_pass(&m->residual);
	int fast = cd_spectrum_end_pass(&m->fast);
	int delta_error = cd_spectrum_end_pass(&m->delta_error);
	int curve = 0;

	if (m->scope->exceedance != NULL)
		curve = cd_exceedance_end_pass(m->scope->exceedance);
	if (residual < 0 || fast < 0 || delta_error < 0 || curve < 0)
		return -1;
	return residual || fast || delta_error || curve;
}

static void want_interval(struct measure *m, size_t which, uint32_t p)
{
	struct cd_rank_interval ranks =
	    cd_percentile_interval(m->scope->n, m->scope->n_effective, p);

	m->low[which] = cd_select_want_rank(m->fast.select, ranks.low);
	m->high[which] = cd_select_want_rank(m->fast.select, ranks.high);
}

static int prepare(struct measure *m)
{
	const struct cd_pair *pair = m->scope->pair;

	if (cd_spectrum_init(&m->residual, false) < 0 ||
	    cd_spectrum_init(&m->fast, false) < 0 ||
	    cd_spectrum_init(&m->delta_error, m->scope->brief) < 0)
		return -1;
	if (!pair->clock.has_drift)
		return 0;
	want_interval(m, 0, 100);
	want_interval(m, 1, 99900);
	if (cd_trend_init(&m->trend, pair) < 0)
		return -1;
	/* the sampled rows do not tell their lengths */
	return m->scope->sizes != NULL ? 0 : aim(m);
}

static int64_t rank_value(const struct measure *m, size_t handle)
{
	return cd_select_result(m->fast.select, handle);
}

static void finish(struct measure *m)
{
	struct cd_measured *out = m->out;

	cd_spectrum_fill(&m->residual, &out->residual);
	cd_spectrum_fill(&m->fast, &out->fast);
	cd_spectrum_fill(&m->delta_error, &out->delta_error);
	out->false_share = NAN;
	if (m->shown > 0)
		out->false_share = (double)m->invented / (double)m->shown;
	else if (out->delta_error.n > 0)
		out->false_share = 0;
	if (out->fast.n == 0)
		return;
	out->span_ps = out->fast.p99_9 - out->fast.p0_1;
	out->span_low_ps = rank_value(m, m->low[1]) - rank_value(m, m->high[0]);
	out->span_high_ps =
	    rank_value(m, m->high[1]) - rank_value(m, m->low[0]);
}

/* ---- the deviation from the median, once that is known --------------------
 */

static int deviation_pass(struct measure *m, struct cd_select *select)
{
	const struct cd_measure_scope *scope = m->scope;
	int64_t median = m->out->fast.p50;
	struct cd_walk walk;
	struct cd_walk_block block;
	int got;

	if (cd_walk_init(&walk, scope->pair, scope->from, scope->to) < 0)
		return -1;
	walk.lengths = scope->sizes != NULL;
	while ((got = cd_walk_next(&walk, &block)) == 1) {
		fill_residuals(m, &block);
		if (scope->sizes != NULL)
			subtract_sizes(m, &block);
		cd_trend_subtract(&m->trend, block.lane, block.x_ps, m->r,
				  m->f, block.n);
		for (size_t i = 0; i < block.n; i++)
			m->f[i] = (int64_t)magnitude(m->f[i] - median);
		cd_select_add(select, m->f, block.n);
	}
	cd_walk_release(&walk);
	return got < 0 ? -1 : cd_select_end_pass(select);
}

static int find_deviation(struct measure *m)
{
	struct cd_select *select;
	size_t half;
	int more = 1;

	m->out->mad_ps = -1;
	if (m->scope->brief || m->out->fast.n == 0)
		return 0;
	select = cd_select_new();
	if (select == NULL)
		return -1;
	half = cd_select_want(select, 50000);
	while (more == 1)
		more = deviation_pass(m, select);
	if (more == 0)
		m->out->mad_ps = cd_select_result(select, half);
	cd_select_free(select);
	return more;
}

static void release(struct measure *m)
{
	cd_spectrum_release(&m->residual);
	cd_spectrum_release(&m->fast);
	cd_spectrum_release(&m->delta_error);
	cd_trend_release(&m->trend);
	free(m);
}

int cd_measure(const struct cd_measure_scope *scope, struct cd_measured *out)
{
	struct measure *m = calloc(1, sizeof(*m));
	int more = -1;

	*out = (struct cd_measured){0};
	if (m == NULL)
		return -1;
	m->scope = scope;
	m->out = out;
	if (prepare(m) == 0)
		for (m->first = true, more = 1; more == 1; m->first = false)
			if (pass(m) < 0 || (more = end_pass(m)) < 0)
				break;
	if (more == 0) {
		finish(m);
		more = find_deviation(m);
	}
	release(m);
	return more == 0 ? 0 : -1;
}
