#include "metric/measure.h"

#include <math.h>
#include <stdlib.h>

#include "metric/spectrum.h"
#include "metric/trend.h"
#include "metric/walk.h"
#include "stat/blocks.h"
#include "stat/percentile.h"

/* The row before the block. */
struct row {
	bool exists;
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

static void end_event(struct measure *m)
{
	struct cd_late_rows *late = &m->out->late;

	if (m->run == 0)
		return;
	late->events++;
	if (m->run > late->longest)
		late->longest = m->run;
	if (m->run >= 3)
		late->in_runs += m->run;
	m->run = 0;
}

static void count_late(struct measure *m, const struct cd_walk_block *block)
{
	struct cd_late_rows *late = &m->out->late;
	int64_t lim = m->scope->lim_ps;

	for (size_t i = 0; i < block->n; i++) {
		if (m->f[i] <= lim) {
			if (m->run > 0)
				end_event(m);
			continue;
		}
		m->run++;
		if (late->packets++ == 0 || m->f[i] > late->worst.value_ps)
			note(&late->worst, block, i, m->f[i]);
	}
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

static void try_worst(struct measure *m, const struct cd_walk_block *block,
		      size_t i, int64_t error)
{
	const struct row *before = &m->before;
	struct cd_worst_gap *worst = &m->out->worst;
	int64_t shown =
	    block->dut_ps[i] - (i > 0 ? block->dut_ps[i - 1] : before->dut_ps);
	int64_t real =
	    block->ref_ps[i] - (i > 0 ? block->ref_ps[i - 1] : before->ref_ps);

	if (worst->found && magnitude(error) <= worst->error_ps)
		return;
	*worst = (struct cd_worst_gap){
	    .found = true,
	    .seq = block->seq[i] - 1,
	    .lane = (uint32_t)block->lane,
	    .shown_ps = shown,
	    .true_ps = real,
	    .error_ps = magnitude(error),
	};
}

/* An interval across missing packets (3.2). */
static void bridge(struct measure *m, int64_t error)
{
	struct cd_measured *out = m->out;

	out->bridged++;
	if (magnitude(error) > (uint64_t)out->bridged_max_ps)
		out->bridged_max_ps = (int64_t)magnitude(error);
}

static struct row row_of(const struct measure *m,
			 const struct cd_walk_block *block, size_t i)
{
	return (struct row){
	    .exists = true,
	    .segment = m->scope->pair->clock.n_steps > 0 ? m->segment[i] : 0,
	    .seq = block->seq[i],
	    .ref_ps = block->ref_ps[i],
	    .dut_ps = block->dut_ps[i],
	    .r = m->r[i],
	};
}

/* Any block: pairs with a gap or a step between them do not count. */
static size_t pick_errors(struct measure *m, const struct cd_walk_block *block)
{
	struct row a = m->before;
	size_t k = 0;

	for (size_t i = 0; i < block->n; i++) {
		struct row b = row_of(m, block, i);
		int64_t error = b.r - a.r;

		if (!a.exists) {
			a = b;
			continue;
		}
		if (b.segment != a.segment) {
			m->out->across_steps += m->first;
		} else if (b.seq - a.seq != 1) {
			if (m->first)
				bridge(m, error);
		} else {
			m->e[k++] = (int64_t)magnitude(error);
			if (m->first) {
				add_to_share(m, b.dut_ps - a.dut_ps, error);
				try_worst(m, block, i, error);
			}
		}
		a = b;
	}
	return k;
}

/* The usual block: every row follows the one before. */
static bool is_smooth(const struct measure *m,
		      const struct cd_walk_block *block)
{
	return m->before.exists && m->scope->pair->clock.n_steps == 0 &&
	       block->seq[0] - m->before.seq == 1 &&
	       (uint64_t)(block->seq[block->n - 1] - block->seq[0]) ==
		   block->n - 1;
}

/* Sums of deltas telescope as long as none is negative. */
static void share_of_block(struct measure *m, const struct cd_walk_block *block)
{
	const int64_t *t = block->dut_ps, *r = m->r;
	int64_t last = t[block->n - 1] - m->before.dut_ps;
	int64_t delta = t[0] - m->before.dut_ps;
	int64_t error = r[0] - m->before.r;
	int64_t signs = delta | (delta - error);

	for (size_t i = 1; i < block->n; i++) {
		delta = t[i] - t[i - 1];
		signs |= delta | (delta - (r[i] - r[i - 1]));
	}
	if (signs >= 0) {
		int64_t drift = r[block->n - 1] - m->before.r;

		m->shown += (unsigned __int128)(uint64_t)last +
			    (uint64_t)(last - drift);
		for (size_t i = 0; i < block->n; i++)
			m->invented += (uint64_t)m->e[i];
		return;
	}
	add_to_share(m, t[0] - m->before.dut_ps, r[0] - m->before.r);
	for (size_t i = 1; i < block->n; i++)
		add_to_share(m, t[i] - t[i - 1], r[i] - r[i - 1]);
}

static size_t all_errors(struct measure *m, const struct cd_walk_block *block)
{
	int64_t largest;
	size_t i;

	m->e[0] = (int64_t)magnitude(m->r[0] - m->before.r);
	largest = m->e[0];
	for (i = 1; i < block->n; i++) {
		m->e[i] = (int64_t)magnitude(m->r[i] - m->r[i - 1]);
		largest = m->e[i] > largest ? m->e[i] : largest;
	}
	if (!m->first)
		return block->n;
	share_of_block(m, block);
	if (!m->out->worst.found ||
	    (uint64_t)largest > m->out->worst.error_ps) {
		for (i = 0; m->e[i] != largest; i++)
			;
		try_worst(m, block, i, largest);
	}
	return block->n;
}

static void add_pairs(struct measure *m, const struct cd_walk_block *block)
{
	size_t k;

	if (block->row == 0)
		m->before.exists = false;
	k = is_smooth(m, block) ? all_errors(m, block) : pick_errors(m, block);
	cd_spectrum_add(&m->delta_error, m->e, k);
	m->before = row_of(m, block, block->n - 1);
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
	while ((got = cd_walk_next(&walk, &block)) == 1) {
		if (block.row == 0)
			end_event(m);
		fill_residuals(m, &block);
		if (fitted)
			add_rows(m, &block);
		add_pairs(m, &block);
	}
	end_event(m);
	cd_walk_release(&walk);
	return got;
}

static int end_pass(struct measure *m)
{
	int residual = cd_spectrum_end_pass(&m->residual);
	int fast = cd_spectrum_end_pass(&m->fast);
	int delta_error = cd_spectrum_end_pass(&m->delta_error);

	if (residual < 0 || fast < 0 || delta_error < 0)
		return -1;
	return residual || fast || delta_error;
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

	if (cd_spectrum_init(&m->residual) < 0 ||
	    cd_spectrum_init(&m->fast) < 0 ||
	    cd_spectrum_init(&m->delta_error) < 0)
		return -1;
	if (!pair->clock.has_drift)
		return 0;
	want_interval(m, 0, 100);
	want_interval(m, 1, 99900);
	return cd_trend_init(&m->trend, pair);
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
	if (more == 0)
		finish(m);
	release(m);
	return more == 0 ? 0 : -1;
}
