#include "metric/fit.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/time.h"
#include "metric/bunch.h"
#include "metric/doubt.h"
#include "stat/blocks.h"
#include "stat/order.h"

/* ---- groups ---------------------------------------------------------------
 */

int cd_fit_init(struct cd_fit *fit, struct cd_pair *pair,
		const struct cd_metric_options *options)
{
	*fit = (struct cd_fit){.pair = pair, .options = options};
	fit->expected = malloc(CD_BLOCK_ROWS * sizeof(*fit->expected));
	if (cd_clusters_init(&fit->clusters) < 0 || fit->expected == NULL)
		return -1;
	return 0;
}

static void release_groups(struct cd_fit *fit)
{
	for (size_t g = 0; g < fit->n_groups; g++)
		cd_hull_release(&fit->sums[g].hull);
	free(fit->sums);
	free(fit->groups);
	fit->sums = NULL;
	fit->groups = NULL;
	fit->n_groups = 0;
}

void cd_fit_release(struct cd_fit *fit)
{
	release_groups(fit);
	cd_floors_release(&fit->floors);
	cd_line_scratch_release(&fit->scratch);
	cd_clusters_release(&fit->clusters);
	cd_thin_release(&fit->thin);
	free(fit->expected);
	*fit = (struct cd_fit){0};
}

int cd_fit_origin(struct cd_pair *pair)
{
	struct cd_walk walk;
	struct cd_walk_block block;
	int got;

	pair->clock.x0_ps = 0;
	pair->clock.d0_ps = 0;
	if (cd_walk_init(&walk, pair, 0, pair->n_lanes) < 0)
		return -1;
	got = cd_walk_next(&walk, &block);
	if (got == 1) {
		pair->clock.x0_ps = block.ref_ps[0];
		pair->clock.d0_ps = block.dut_ps[0] - block.ref_ps[0];
	}
	cd_walk_release(&walk);
	return got < 0 ? -1 : 0;
}

/* The group of a lane and segment, made if it is not the last one. */
static int find_group(struct cd_fit *fit, size_t *capacity, size_t lane,
		      size_t segment, uint64_t row)
{
	if (fit->n_groups > 0) {
		const struct cd_floor_group *last =
		    &fit->groups[fit->n_groups - 1];

		/* where the wire reordered x, a segment once left stays left */
		if (last->lane == lane && last->segment >= segment)
			return 0;
	}
	if (cd_grow(&fit->groups, capacity, fit->n_groups + 1,
		    sizeof(*fit->groups)) < 0)
		return -1;
	fit->groups[fit->n_groups++] = (struct cd_floor_group){
	    .lane = lane, .segment = segment, .first_row = row};
	return 0;
}

static int group_block(struct cd_fit *fit, size_t *capacity,
		       const struct cd_walk_block *block)
{
	size_t segment, end;

	for (size_t i = 0; i < block->n; i = end) {
		end = cd_walk_piece(&fit->pair->clock, block, i, &segment);
		if (find_group(fit, capacity, block->lane, segment,
			       block->row + i) < 0)
			return -1;
		fit->groups[fit->n_groups - 1].rows += end - i;
	}
	return 0;
}

/* With steps, only the rows tell where the segments of a lane begin. */
static int group_by_rows(struct cd_fit *fit)
{
	struct cd_walk walk;
	struct cd_walk_block block;
	size_t capacity = 0;
	int got = -1;

	if (cd_walk_init(&walk, fit->pair, 0, fit->pair->n_lanes) < 0)
		return -1;
	while ((got = cd_walk_next(&walk, &block)) == 1)
		if (group_block(fit, &capacity, &block) < 0) {
			got = -1;
			break;
		}
	cd_walk_release(&walk);
	return got;
}

static int group_by_lane(struct cd_fit *fit)
{
	const struct cd_pair *pair = fit->pair;
	size_t capacity = 0;

	for (size_t i = 0; i < pair->n_lanes; i++) {
		if (pair->lanes[i].matched == 0)
			continue;
		if (find_group(fit, &capacity, i, 0, 0) < 0)
			return -1;
		fit->groups[fit->n_groups - 1].rows = pair->lanes[i].matched;
	}
	return 0;
}

int cd_fit_groups(struct cd_fit *fit)
{
	int result;

	release_groups(fit);
	result = fit->pair->clock.n_steps == 0 ? group_by_lane(fit)
					       : group_by_rows(fit);
	if (result < 0)
		return -1;
	fit->sums = calloc(fit->n_groups + 1, sizeof(*fit->sums));
	if (fit->sums == NULL) {
		fit->n_groups = 0;
		return -1;
	}
	return 0;
}

/* The blocks of 4.3. A slope needs two blocks of one lane, so many short lanes
 * get more blocks than one long lane would. */
static int lay_blocks(struct cd_fit *fit)
{
	uint64_t m = fit->pair->matched;
	size_t blocks =
	    cd_blocks_wanted(m, fit->high_x_ps - fit->low_x_ps, fit->period_ps);
	size_t least = fit->n_groups > 1 ? fit->n_groups * 4 : 0;

	if (least > m / 8)
		least = (size_t)(m / 8);
	cd_floors_release(&fit->floors);
	return cd_floors_init(&fit->floors, fit->groups, fit->n_groups,
			      blocks > least ? blocks : least);
}

static void add_clusters(struct cd_fit *fit, const struct cd_walk_block *block,
			 int64_t *previous_ps)
{
	if (block->row == 0)
		cd_clusters_end(&fit->clusters);
	fit->expected[0] =
	    block->row == 0 ? CD_TIME_NONE : block->ref_ps[0] - *previous_ps;
	for (size_t i = 1; i < block->n; i++)
		fit->expected[i] = block->ref_ps[i] - block->ref_ps[i - 1];
	*previous_ps = block->ref_ps[block->n - 1];
	cd_clusters_add(&fit->clusters, block->dut_ps, fit->expected, 0,
			block->n);
}

/* Rows from..to-1 of a lane that a group has of a block. */
static size_t group_end(const struct cd_floor_group *group,
			const struct cd_walk_block *block)
{
	uint64_t left = group->first_row + group->rows - block->row;

	return left < block->n ? (size_t)left : block->n;
}

static int add_sums(struct cd_fit *fit, size_t *g,
		    const struct cd_walk_block *block)
{
	size_t end;

	for (size_t i = 0; i < block->n; i = end) {
		struct cd_fit_sums *sums = &fit->sums[*g];

		end = group_end(&fit->groups[*g], block);
		cd_ols_add(&sums->ols, block->x_ps + i, block->d_ps + i,
			   end - i);
		if (cd_hull_add(&sums->hull, block->x_ps + i, block->d_ps + i,
				end - i) < 0)
			return -1;
		if (block->row + end ==
		    fit->groups[*g].first_row + fit->groups[*g].rows)
			++*g;
	}
	return 0;
}

static void widen_span(struct cd_fit *fit, const struct cd_walk_block *block)
{
	int64_t first = block->x_ps[0], last = block->x_ps[block->n - 1];

	if (first < fit->low_x_ps)
		fit->low_x_ps = first;
	if (last > fit->high_x_ps)
		fit->high_x_ps = last;
}

static int rough_block(struct cd_fit *fit, const struct cd_walk_block *block,
		       size_t *g, int64_t *previous_ps, bool clusters)
{
	widen_span(fit, block);
	cd_thin_add(&fit->thin, block);
	if (clusters)
		add_clusters(fit, block, previous_ps);
	if (add_sums(fit, g, block) < 0)
		return -1;
	return cd_floors_add(&fit->floors, block);
}

static void empty_sums(struct cd_fit *fit)
{
	for (size_t g = 0; g < fit->n_groups; g++) {
		cd_hull_release(&fit->sums[g].hull);
		fit->sums[g] = (struct cd_fit_sums){0};
	}
}

#define SAMPLE_ROUGH 8192

/* What the passes over the errors are told; few rows are sooner walked twice.
 */
static size_t sample_size(uint64_t m)
{
	if (m < 200000)
		return 0;
	return m / 256 < 4096 ? 4096 : m / 256 > 131072 ? 131072 : m / 256;
}

static int renew_sample(struct cd_fit *fit, size_t most)
{
	cd_thin_release(&fit->thin);
	return cd_thin_init(&fit->thin, fit->pair->matched, most);
}

/* y = 0: floors, hull, least squares. */
static int pass_rough(struct cd_fit *fit, bool clusters)
{
	struct cd_walk walk;
	struct cd_walk_block block;
	int64_t previous_ps = 0;
	size_t g = 0;
	int got;

	empty_sums(fit);
	if (renew_sample(fit, SAMPLE_ROUGH) < 0)
		return -1;
	cd_floors_begin(&fit->floors, 0);
	if (cd_walk_init(&walk, fit->pair, 0, fit->pair->n_lanes) < 0)
		return -1;
	while ((got = cd_walk_next(&walk, &block)) == 1)
		if (rough_block(fit, &block, &g, &previous_ps, clusters) < 0) {
			got = -1;
			break;
		}
	cd_walk_release(&walk);
	return got;
}

static int pass_fine(struct cd_fit *fit, double y)
{
	struct cd_walk walk;
	struct cd_walk_block block;
	int got;

	if (renew_sample(fit, sample_size(fit->pair->matched)) < 0)
		return -1;
	cd_floors_begin(&fit->floors, y);
	if (cd_walk_init(&walk, fit->pair, 0, fit->pair->n_lanes) < 0)
		return -1;
	while ((got = cd_walk_next(&walk, &block)) == 1) {
		cd_thin_add(&fit->thin, &block);
		if (cd_floors_add(&fit->floors, &block) < 0) {
			got = -1;
			break;
		}
	}
	cd_walk_release(&walk);
	return got;
}

static int gather_points(const struct cd_fit *fit,
			 struct cd_line_point **points)
{
	*points = malloc((fit->floors.n + 1) * sizeof(**points));
	if (*points == NULL)
		return -1;
	for (size_t b = 0; b < fit->floors.n; b++)
		(*points)[b] = fit->floors.blocks[b].point;
	return 0;
}

/* Slopes through the points of the last pass. */
static int draw_lines(struct cd_fit *fit, bool adjacent)
{
	struct cd_line_point *points;
	int got;

	if (gather_points(fit, &points) < 0)
		return -1;
	got = cd_line_slope(&fit->scratch, points, fit->floors.n, &fit->slope);
	if (got == 1 && adjacent &&
	    cd_line_adjacent_slope(&fit->scratch, points, fit->floors.n,
				   &fit->s0) < 0)
		got = -1;
	free(points);
	return got;
}

/* p90 - p1 of what least squares leave of sampled rows. */
static double amplitude(const struct cd_clock_row *rows, size_t n, double *r)
{
	struct cd_ols ols = {0};
	struct cd_ols_line line = {0};
	double low;

	for (size_t i = 0; i < n; i++)
		cd_ols_add(&ols, &rows[i].x_ps, &rows[i].d_ps, 1);
	cd_ols_line(&ols, &line);
	for (size_t i = 0; i < n; i++)
		r[i] = cd_residual(rows[i].x_ps, rows[i].d_ps, line.slope);
	low = cd_nth_f64(r, n, n / 100);
	return cd_nth_f64(r, n, n - 1 - n / 10) - low;
}

/* The rows sampled of the lane that has the most. */
static size_t longest_lane(const struct cd_thin *thin, size_t *from)
{
	size_t most = 0, end;

	*from = 0;
	for (size_t i = 0; i < thin->n; i = end) {
		end = i + 1;
		while (end < thin->n &&
		       thin->rows[end].lane == thin->rows[i].lane)
			end++;
		if (end - i > most) {
			most = end - i;
			*from = i;
		}
	}
	return most;
}

#define STRETCHES 8 /* a step spoils one or two */
#define STRETCH_LEAST 32

/* What d scatters by inside a stretch of the run: the middle of eight. */
static int scatter(const struct cd_fit *fit, double *middle)
{
	size_t from, n = longest_lane(&fit->thin, &from);
	double *r = malloc((n + 1) * sizeof(*r));
	double of[STRETCHES];

	*middle = 0;
	if (r == NULL)
		return -1;
	for (size_t i = 0; i < STRETCHES && n >= STRETCHES * STRETCH_LEAST;
	     i++) {
		size_t a = n * i / STRETCHES, b = n * (i + 1) / STRETCHES;

		of[i] = amplitude(fit->thin.rows + from + a, b - a, r);
	}
	if (n >= STRETCHES * STRETCH_LEAST)
		*middle = cd_median_f64(of, STRETCHES);
	free(r);
	return 0;
}

/*
 * Blocks must not be shorter than five periods of the bursts (4.3), which are
 * known only after a pass. Bursts that the clusters do not show as such, with
 * gaps inside, still delay packets by up to a period: so what most of d
 * scatters by counts as one, too. 1: blocks are long enough; 0: lay fewer.
 */
static int check_period(struct cd_fit *fit)
{
	int64_t span_ps = fit->high_x_ps - fit->low_x_ps;
	uint64_t m = fit->pair->matched;
	size_t blocks = cd_blocks_wanted(m, span_ps, fit->period_ps);
	double most;

	if (scatter(fit, &most) < 0)
		return -1;
	fit->period_ps = fit->bursts.has_period ? fit->bursts.period : 0;
	if (most > (double)fit->period_ps)
		fit->period_ps = cd_round_ps(most);
	return cd_blocks_wanted(m, span_ps, fit->period_ps) >= blocks;
}

static int end_clusters(struct cd_fit *fit)
{
	cd_clusters_end(&fit->clusters);
	fit->bursts = cd_clusters_summary(&fit->clusters);
	return cd_bunch_refine(fit);
}

/* 1, 0, -1 as cd_fit_line(). */
static int rough(struct cd_fit *fit)
{
	bool known = fit->bursts.packets > 0;
	int got;

	if (lay_blocks(fit) < 0 || pass_rough(fit, !known) < 0)
		return -1;
	if (!known && end_clusters(fit) < 0)
		return -1;
	got = draw_lines(fit, true);
	if (got != 1 || known)
		return got;
	got = check_period(fit);
	if (got != 0)
		return got;
	if (lay_blocks(fit) < 0 || pass_rough(fit, false) < 0)
		return -1;
	return draw_lines(fit, true);
}

int cd_fit_line(struct cd_fit *fit)
{
	int got = rough(fit);

	if (got != 1)
		return got;
	fit->first_y = fit->slope.y;
	if (pass_fine(fit, fit->first_y) < 0)
		return -1;
	got = draw_lines(fit, false);
	return got == 1 && cd_doubt_slope(fit) < 0 ? -1 : got;
}

/* The lowest line of slope y that touches the hull from below. */
static int hull_theta(struct cd_hull *hull, double y, double *theta_ps)
{
	size_t n;
	const struct cd_hull_point *v = cd_hull_vertices(hull, &n);

	if (v == NULL)
		return -1;
	*theta_ps = INFINITY;
	for (size_t i = 0; i < n; i++)
		*theta_ps = fmin(*theta_ps, cd_residual(v[i].x, v[i].d, y));
	return 0;
}

/* The middle of the floors of blocks from..to-1. */
static int floor_theta(struct cd_fit *fit, size_t from, size_t to, double y,
		       double *theta_ps)
{
	struct cd_line_point *points = malloc((to - from) * sizeof(*points));
	int result;

	if (points == NULL)
		return -1;
	for (size_t b = from; b < to; b++)
		points[b - from] = fit->floors.blocks[b].point;
	result = cd_line_offset(&fit->scratch, points, to - from, y, theta_ps);
	free(points);
	return result;
}

static int group_theta(struct cd_fit *fit, size_t g, size_t from, size_t to,
		       double y, double *theta_ps)
{
	struct cd_fit_sums *sums = &fit->sums[g];
	struct cd_ols_line line;

	if (fit->options->estimator == CD_HULL)
		return hull_theta(&sums->hull, y, theta_ps);
	if (fit->options->estimator == CD_OLS &&
	    cd_ols_line(&sums->ols, &line)) {
		*theta_ps = line.mean_d - y * line.mean_x;
		return 0;
	}
	return floor_theta(fit, from, to, y, theta_ps);
}

int cd_fit_thetas(struct cd_fit *fit, double y, double *theta_ps)
{
	const struct cd_floor_block *blocks = fit->floors.blocks;
	size_t from, to = 0;

	for (size_t g = 0; g < fit->n_groups; g++) {
		from = to;
		while (to < fit->floors.n && blocks[to].point.group == g)
			to++;
		if (group_theta(fit, g, from, to, y, &theta_ps[g]) < 0)
			return -1;
	}
	return 0;
}

/* n^2 times the sum of (x - mean x)(d - mean d), and the same of x alone. */
static void centred(const struct cd_ols *ols, double *xd, double *xx)
{
	struct cd_wide n = cd_wide_from((__int128)ols->n);
	struct cd_wide x = cd_wide_from(ols->sum_x);

	*xd = cd_wide_double(
	    cd_wide_sub(cd_wide_mul(n, ols->sum_xd),
			cd_wide_mul(x, cd_wide_from(ols->sum_d))));
	*xx = cd_wide_double(
	    cd_wide_sub(cd_wide_mul(n, ols->sum_xx), cd_wide_mul(x, x)));
}

/* One slope of all groups, each about its own means. */
static double pooled_ols(const struct cd_fit *fit)
{
	double sum_xd = 0, sum_xx = 0, xd, xx;

	for (size_t g = 0; g < fit->n_groups; g++) {
		const struct cd_ols *ols = &fit->sums[g].ols;

		centred(ols, &xd, &xx);
		sum_xd += xd / (double)ols->n;
		sum_xx += xx / (double)ols->n;
	}
	return sum_xx > 0 ? sum_xd / sum_xx : NAN;
}

int cd_fit_cross_checks(struct cd_fit *fit, double *y_hull, double *y_ols)
{
	struct cd_ols_line ols;
	struct cd_hull_line hull;
	size_t most = 0;
	int got;

	for (size_t g = 1; g < fit->n_groups; g++)
		if (fit->groups[g].rows > fit->groups[most].rows)
			most = g;
	got = cd_hull_line(&fit->sums[most].hull, &hull);
	if (got < 0)
		return -1;
	*y_hull = got == 1 ? hull.slope : NAN;
	if (fit->n_groups > 1)
		*y_ols = pooled_ols(fit);
	else
		*y_ols = cd_ols_line(&fit->sums[0].ols, &ols) ? ols.slope : NAN;
	return 0;
}
