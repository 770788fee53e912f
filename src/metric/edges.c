#include "metric/edges.h"

#include <math.h>

#include "metric/gaps.h"
#include "metric/lanes.h"

/* ---- evidence -------------------------------------------------------------
 */

static void widen(struct cd_window *window, const struct cd_point *point,
		  const struct cd_instant *at)
{
	struct cd_span span;

	if (!cd_instant_diff(*at, point->base, &span))
		return;
	if (span.ps < window->from_ps)
		window->from_ps = span.ps;
	if (span.ps > window->to_ps)
		window->to_ps = span.ps;
}

struct cd_window cd_evidence(const struct cd_point *point)
{
	struct cd_window window = {INT64_MAX, INT64_MIN};

	if (!point->has_times)
		return window;
	window.from_ps = point->first_ps;
	window.to_ps = point->last_ps;
	for (size_t i = 0; i < point->n_ifaces; i++) {
		const struct cd_iface *iface = &point->ifaces[i];

		if (point->has_iface && i != point->only_iface)
			continue;
		if (iface->has_start)
			widen(&window, point, &iface->start);
		if (iface->has_end)
			widen(&window, point, &iface->end);
	}
	return window;
}

/* The span of the fast error rather than its 99.9 % alone: it is the same
 * when the two captures change roles. */
int64_t cd_evidence_guard(const struct cd_pair *pair)
{
	int64_t late = 0, least = 10 * CD_PS_PER_MS;

	if (pair->fast.n > 0)
		late = cd_minus(pair->fast.p99_9, pair->fast.p0_1);
	return late > least / 10 && late < INT64_MAX / 10 ? 10 * late : least;
}

/* Stamps off by more than this are wild: the last record's may be one. */
#define WILD CD_PS_PER_S

/* Evidence less what D's stamps were seen to be off, where they are wild. */
static struct cd_window without_wild(struct cd_window window,
				     const struct cd_pair *pair, int sign)
{
	int64_t late, early;

	if (pair->residual.n == 0)
		return window;
	late = sign > 0 ? pair->residual.max : cd_minus(0, pair->residual.min);
	early = sign > 0 ? cd_minus(0, pair->residual.min) : pair->residual.max;
	if (late > WILD)
		window.to_ps = cd_minus(window.to_ps, late);
	if (early > WILD)
		window.from_ps = cd_plus(window.from_ps, early);
	return window;
}

/* ---- from one clock to the other ------------------------------------------
 */

static int64_t round_ps(double ps)
{
	if (ps >= 9.2e18)
		return INT64_MAX;
	return ps <= -9.2e18 ? INT64_MIN + 1 : (int64_t)llround(ps);
}

/* T_D - T_R at reference time `ref_ps`, without theta's d0. */
static double lag_at(const struct cd_clock *clock, double theta, int64_t ref_ps)
{
	return theta + clock->y * (double)cd_minus(ref_ps, clock->x0_ps);
}

static int64_t ref_to_dut(const struct cd_clock *clock, double theta,
			  int64_t ref_ps)
{
	return cd_plus(cd_plus(ref_ps, clock->d0_ps),
		       round_ps(lag_at(clock, theta, ref_ps)));
}

static int64_t dut_to_ref(const struct cd_clock *clock, double theta,
			  int64_t dut_ps)
{
	int64_t x = cd_minus(cd_minus(dut_ps, clock->d0_ps), clock->x0_ps);
	double lag = (theta + clock->y * (double)x) / (1 + clock->y);

	return cd_minus(cd_plus(x, clock->x0_ps), round_ps(lag));
}

static bool has_theta(const struct cd_lane *lane)
{
	return lane->theta_ps != NULL && !isnan(lane->theta_ps[0]);
}

const double *cd_edges_theta(const struct cd_pair *pair)
{
	const struct cd_lane *best = NULL;

	for (size_t i = 0; i < pair->n_lanes; i++)
		if (has_theta(&pair->lanes[i]) &&
		    (best == NULL || pair->lanes[i].matched > best->matched))
			best = &pair->lanes[i];
	return best == NULL ? NULL : best->theta_ps;
}

typedef int64_t map_time(const struct cd_clock *clock, double theta,
			 int64_t ps);

/* The part of `own` that is inside by every segment of the clock: after a step
 * it is not known which one a record belongs to. */
static struct cd_window map_window(const struct cd_clock *clock,
				   const double *theta, struct cd_window own,
				   map_time *map)
{
	struct cd_window out = {INT64_MIN, INT64_MAX};

	if (theta == NULL || clock->n_segments == 0 || own.from_ps > own.to_ps)
		return (struct cd_window){INT64_MAX, INT64_MIN};
	for (size_t i = 0; i < clock->n_segments; i++) {
		int64_t from = map(clock, theta[i], own.from_ps);
		int64_t to = map(clock, theta[i], own.to_ps);

		out.from_ps = from > out.from_ps ? from : out.from_ps;
		out.to_ps = to < out.to_ps ? to : out.to_ps;
	}
	return out;
}

/* --guard also keeps out what is next to the ends of the stream itself. */
static struct cd_window shrink(struct cd_window window, int64_t guard_ps,
			       const struct cd_stream *stream, int64_t trim_ps)
{
	window.from_ps = cd_plus(window.from_ps, guard_ps);
	window.to_ps = cd_minus(window.to_ps, guard_ps);
	if (trim_ps > 0 && stream != NULL) {
		int64_t from = cd_plus(stream->first_ps, trim_ps);
		int64_t to = cd_minus(stream->last_ps, trim_ps);

		window.from_ps = from > window.from_ps ? from : window.from_ps;
		window.to_ps = to < window.to_ps ? to : window.to_ps;
	}
	return window;
}

static struct cd_window window_of_dut(const struct cd_analysis *analysis,
				      const struct cd_pair *pair,
				      const struct cd_lane *lane,
				      const double *theta)
{
	struct cd_window own = cd_evidence(&analysis->points[pair->dut]);

	own = without_wild(own, pair, 1);
	return shrink(map_window(&pair->clock, theta, own, dut_to_ref),
		      cd_evidence_guard(pair), lane->ref_stream,
		      analysis->options->guard_ps);
}

struct cd_window cd_window_of_dut(const struct cd_analysis *analysis,
				  const struct cd_pair *pair,
				  const struct cd_lane *lane)
{
	const double *theta =
	    has_theta(lane) ? lane->theta_ps : cd_edges_theta(pair);

	return window_of_dut(analysis, pair, lane, theta);
}

/* The other way round, by D's clock. */
static struct cd_window window_of_ref(const struct cd_analysis *analysis,
				      const struct cd_pair *pair,
				      const struct cd_lane *lane,
				      const double *theta)
{
	struct cd_window own = cd_evidence(&analysis->points[pair->ref]);

	own = without_wild(own, pair, -1);
	return shrink(map_window(&pair->clock, theta, own, ref_to_dut),
		      cd_evidence_guard(pair), lane->dut_stream,
		      analysis->options->guard_ps);
}

/* ---- counting -------------------------------------------------------------
 */

struct edge {
	struct cd_lane *lane;
	struct cd_window dut, ref; /* where they ran */
	bool tail, foreign;
	struct cd_gap_scan gaps;
	int64_t first_ps, last_ps; /* excluded, of the reference; NONE */
};

static bool is_inside(const struct cd_window *window, int64_t ps)
{
	return ps != CD_TIME_NONE && ps >= window->from_ps &&
	       ps <= window->to_ps;
}

/* Beyond the last number, or in a lane of one capture: not earlier than the
 * other began. */
static bool is_tail(const struct edge *edge, const struct cd_window *window,
		    int64_t ps)
{
	const struct cd_lane *lane = edge->lane;

	if (lane->common || (lane->ref != NULL && lane->dut != NULL))
		return edge->tail;
	return ps == CD_TIME_NONE || ps >= window->from_ps;
}

static void exclude_ref(struct edge *edge, int64_t ps)
{
	if (is_tail(edge, &edge->dut, ps))
		edge->lane->tail_excluded++;
	else
		edge->lane->head_excluded++;
	cd_gap_received(&edge->gaps, 1, ps, ps);
	if (ps == CD_TIME_NONE)
		return;
	if (edge->first_ps == CD_TIME_NONE || ps < edge->first_ps)
		edge->first_ps = ps;
	if (edge->last_ps == CD_TIME_NONE || ps > edge->last_ps)
		edge->last_ps = ps;
}

static void count_ref(struct edge *edge, int64_t seq, int64_t ps)
{
	if (!is_inside(&edge->dut, ps)) {
		exclude_ref(edge, ps);
		return;
	}
	if (is_tail(edge, &edge->dut, ps))
		edge->lane->tail_lost++;
	else
		edge->lane->head_lost++;
	cd_gap_lost(&edge->gaps, seq, 1, ps);
}

static void count_dut(struct edge *edge, int64_t ps)
{
	bool tail = is_tail(edge, &edge->ref, ps);
	uint64_t *lost =
	    tail ? &edge->lane->ref_tail_lost : &edge->lane->ref_head_lost;
	uint64_t *surplus =
	    tail ? &edge->lane->tail_surplus : &edge->lane->head_surplus;

	cd_gap_received(&edge->gaps, 1, CD_TIME_NONE, CD_TIME_NONE);
	if (!edge->foreign && is_inside(&edge->ref, ps))
		++*lost;
	else
		++*surplus;
}

/* In both, but outside C: numbers among which early packets were reordered,
 * or a guard. */
static void count_shared(struct edge *edge, int64_t ps)
{
	exclude_ref(edge, ps);
	if (edge->tail)
		edge->lane->tail_surplus++;
	else
		edge->lane->head_surplus++;
}

static int walk_edge(struct edge *edge, int64_t from, int64_t to)
{
	struct cd_lane_rows rows;

	if (from > to)
		return 0;
	if (cd_lane_rows_open(&rows, edge->lane, from, to, CD_COLUMN_TIME))
		return -1;
	while (cd_lane_rows_next(&rows))
		for (size_t i = 0; i < rows.block.n; i++) {
			unsigned mask = cd_lane_rows_mask(&rows, i);

			if (mask == (CD_HAS_REF | CD_HAS_DUT))
				count_shared(edge, rows.ref_ps[i]);
			else if (mask == CD_HAS_REF)
				count_ref(edge, rows.block.seq[i],
					  rows.ref_ps[i]);
			else
				count_dut(edge, rows.dut_ps[i]);
		}
	cd_lane_rows_close(&rows);
	return 0;
}

/* Time outside C on this side. */
static int64_t excluded_time(const struct edge *edge)
{
	const struct cd_lane *lane = edge->lane;
	int64_t from = edge->first_ps, to = edge->last_ps;

	if (from == CD_TIME_NONE)
		return 0;
	if (edge->tail && lane->ref_to_ps != CD_TIME_NONE &&
	    lane->ref_to_ps < from)
		from = lane->ref_to_ps;
	if (!edge->tail && lane->ref_from_ps != CD_TIME_NONE &&
	    lane->ref_from_ps > to)
		to = lane->ref_from_ps;
	return cd_minus(to, from);
}

static int count_edge(struct edge *edge, int64_t from, int64_t to,
		      struct cd_edges *edges)
{
	struct cd_lane *lane = edge->lane;
	struct cd_gaps gaps = {0};

	edge->first_ps = edge->last_ps = CD_TIME_NONE;
	cd_gap_scan_init(&edge->gaps, &gaps, NULL);
	if (edge->tail)
		cd_gap_received(&edge->gaps, CD_BURST_GAP, lane->ref_to_ps,
				lane->ref_to_ps);
	if (walk_edge(edge, from, to))
		return -1;
	if (!edge->tail && lane->common)
		cd_gap_received(&edge->gaps, 1, lane->ref_from_ps,
				lane->ref_from_ps);
	cd_gap_scan_end(&edge->gaps);
	/* transitions are counted inside C only */
	gaps.runs_after = gaps.runs_before = gaps.runs_open = 0;
	cd_gaps_add(&lane->gaps, &gaps);
	edges->excluded_ps = cd_plus(edges->excluded_ps, excluded_time(edge));
	return 0;
}

/* All numbers of the lane. */
static bool find_range(const struct cd_lane *lane, int64_t *first,
		       int64_t *last)
{
	const struct cd_track *tracks[] = {lane->ref, lane->dut};
	int64_t from, to;
	bool any = false;

	for (size_t i = 0; i < 2; i++) {
		if (tracks[i] == NULL || !cd_track_range(tracks[i], &from, &to))
			continue;
		*first = !any || from < *first ? from : *first;
		*last = !any || to > *last ? to : *last;
		any = true;
	}
	return any;
}

static void add_lost(struct cd_lane *lane)
{
	uint64_t lost = lane->head_lost + lane->tail_lost;

	lane->missing += lost;
	lane->expected += lost;
	lane->ref_miss += lane->ref_head_lost + lane->ref_tail_lost;
}

int cd_edges_count(const struct cd_analysis *analysis,
		   const struct cd_pair *pair, const double *theta,
		   struct cd_lane *lane, bool foreign, struct cd_edges *edges)
{
	struct edge edge = {.lane = lane, .foreign = foreign};
	int64_t first = 0, last = 0, head_to = lane->b;

	*edges = (struct cd_edges){0};
	if (!find_range(lane, &first, &last))
		return 0;
	if (has_theta(lane))
		theta = lane->theta_ps;
	edge.dut = window_of_dut(analysis, pair, lane, theta);
	edge.ref = window_of_ref(analysis, pair, lane, theta);
	if (lane->common)
		head_to = cd_minus(lane->a, 1);
	if (lane->common ? first < lane->a : lane->b >= first)
		if (count_edge(&edge, first, head_to, edges))
			return -1;
	edge.tail = true;
	if (lane->b < last &&
	    count_edge(&edge, lane->b < first ? first : lane->b + 1, last,
		       edges))
		return -1;
	add_lost(lane);
	return 0;
}
