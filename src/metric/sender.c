/*
 * A capture without a reference against the times that the sender wrote into
 * its packets, as far as they were kept (METRICS 6.2).
 */
#include <math.h>
#include <stdlib.h>

#include "align/track.h"
#include "base/time.h"
#include "metric/clock.h"
#include "metric/ideal.h"
#include "metric/metric.h"
#include "metric/numbers.h"
#include "metric/quantity.h"
#include "metric/walk.h"

struct sent {
	int64_t seq, tx; /* of the sender's clock, in its units */
	int64_t time_ps; /* of the capture's */
};

struct sent_list {
	struct sent *v;
	size_t n;
};

/* ---- send times of a lane -------------------------------------------------
 */

static int compare_sent(const void *a, const void *b)
{
	const struct sent *p = a, *q = b;

	return p->seq < q->seq ? -1 : p->seq > q->seq;
}

/* By rising number, of each the first in file order (all copies carry the
 * same). */
static int list_sent(const struct cd_track *track, struct sent_list *list)
{
	size_t n, kept = 0;
	const struct cd_identity *ids = cd_track_identities(track, &n);

	list->v = malloc((n + 1) * sizeof(*list->v));
	if (list->v == NULL)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (ids[i].has_tx)
			list->v[kept++] =
			    (struct sent){ids[i].seq, ids[i].tx, CD_TIME_NONE};
	if (kept > 1)
		qsort(list->v, kept, sizeof(*list->v), compare_sent);
	for (size_t i = 0; i < kept; i++)
		if (i == 0 || list->v[i].seq != list->v[list->n - 1].seq)
			list->v[list->n++] = list->v[i];
	return 0;
}

static void join_block(struct sent_list *list, size_t *at,
		       const struct cd_block *block)
{
	for (size_t i = 0; i < block->n && *at < list->n; i++) {
		while (*at < list->n && list->v[*at].seq < block->seq[i])
			++*at;
		if (*at < list->n && list->v[*at].seq == block->seq[i])
			list->v[*at].time_ps = block->time_ps[i];
	}
}

/* The capture's times of the listed numbers; those without are dropped. */
static int join_times(const struct cd_track *track, struct sent_list *list)
{
	struct cd_track_reader *reader =
	    cd_track_reader_new(track, CD_ORDER_SEQ, CD_COLUMN_TIME);
	struct cd_block block;
	size_t at = 0, kept = 0;

	if (reader == NULL)
		return -1;
	while (at < list->n && cd_track_reader_next(reader, &block) == 1)
		join_block(list, &at, &block);
	cd_track_reader_free(reader);
	for (size_t i = 0; i < list->n; i++)
		if (list->v[i].time_ps != CD_TIME_NONE)
			list->v[kept++] = list->v[i];
	list->n = kept;
	return 0;
}

/* Fields of 32 bits begin again. */
static void unwrap(struct sent_list *list)
{
	const int64_t turn = INT64_C(1) << 32;
	int64_t add = 0, previous = 0;

	for (size_t i = 0; i < list->n; i++) {
		int64_t raw = list->v[i].tx;

		if (raw < 0 || raw >= turn)
			return;
		if (i > 0 && previous - raw > turn / 2)
			add += turn;
		previous = raw;
		list->v[i].tx = raw + add;
	}
}

/* ---- unit -----------------------------------------------------------------
 */

/* ps of a unit of the send times: the one in which they run as fast as the
 * capture's, to 500 ppm. 0: none does. */
static int64_t find_unit(const struct sent_list *list)
{
	static const int64_t units[] = {1, CD_PS_PER_NS, CD_PS_PER_US,
					CD_PS_PER_MS, CD_PS_PER_S};
	const struct sent *first = list->v, *last = list->v + list->n - 1;
	double elapsed = (double)cd_wrap_minus(last->time_ps, first->time_ps);
	double ticks = (double)cd_wrap_minus(last->tx, first->tx);

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (elapsed > 0 &&
		    fabs(ticks * (double)units[i] / elapsed - 1) < 500e-6)
			return units[i];
	return 0;
}

/* ---- measurement ----------------------------------------------------------
 */

static void put_none(const struct cd_place *place, const char *reason)
{
	cd_put_null(place, "sender.offset_ns", reason);
	cd_put_null(place, "sender.drift_ppm", reason);
	cd_put_null(place, "sender.span_ns", reason);
	cd_put_null(place, "sender.wander_ns", reason);
}

/* The first send time on the capture's time line, if both count from 1970. */
static bool offset_of_first(const struct cd_point *point,
			    const struct sent *first, int64_t unit_ps,
			    int64_t *offset_ps)
{
	__int128 sent = (__int128)first->tx * unit_ps;
	__int128 seen = (__int128)point->base.s * CD_PS_PER_S + point->base.ps;
	__int128 offset = seen + first->time_ps - sent;

	if (offset > 86400 * (__int128)CD_PS_PER_S ||
	    offset < -86400 * (__int128)CD_PS_PER_S)
		return false;
	*offset_ps = (int64_t)offset;
	return true;
}

static int add_sent(struct cd_ideal *ideal, const struct sent_list *list,
		    int64_t unit_ps)
{
	const struct sent *first = list->v;

	for (size_t i = 0; i < list->n; i++) {
		int64_t ticks = cd_wrap_minus(list->v[i].tx, first->tx);
		__int128 at = first->time_ps + (__int128)ticks * unit_ps;

		if (at > INT64_MAX || at <= INT64_MIN)
			continue;
		if (cd_ideal_add(ideal, list->v[i].seq, (int64_t)at) < 0)
			return -1;
	}
	return 0;
}

static void put_sender(const struct cd_analysis *analysis,
		       const struct cd_place *place,
		       const struct cd_ideal *ideal,
		       const struct cd_measured *m,
		       const struct sent_list *list, int64_t unit_ps)
{
	const struct cd_clock *clock = &ideal->pair.clock;
	double theta = ideal->lane.theta_ps[0] + (double)clock->d0_ps;
	int64_t offset_ps;

	if (offset_of_first(&analysis->points[place->point], list->v, unit_ps,
			    &offset_ps))
		cd_put_span(place, "sender.offset_ns",
			    offset_ps + cd_round_ps(theta));
	else
		cd_put_null(place, "sender.offset_ns",
			    "send times count from elsewhere");
	cd_put_real(place, "sender.drift_ppm", clock->y * 1e6);
	cd_put_percentile(place, "sender.span_ns", m->span_ps, m->fast.n,
			  99900);
	cd_put_span(place, "sender.wander_ns",
		    cd_round_ps(cd_clock_wander(clock)));
}

static int against_sender(const struct cd_analysis *analysis,
			  const struct cd_pair *pair,
			  const struct cd_lane *lane,
			  const struct sent_list *list)
{
	struct cd_place place = {analysis->report, pair->dut, CD_NO_STREAM};
	int64_t unit_ps = list->n < 2 ? 0 : find_unit(list);
	const char *reason = "unit of the send times not known";
	struct cd_ideal ideal;
	struct cd_measured m;
	int got = 0;

	if (unit_ps == 0) {
		put_none(&place, list->n < 2 ? "n<50" : reason);
		return 0;
	}
	if (cd_ideal_init(&ideal, pair, lane) < 0 ||
	    add_sent(&ideal, list, unit_ps) < 0)
		got = -1;
	if (got == 0)
		got = cd_ideal_measure(&ideal, analysis->options, &m, &reason);
	if (got == 1)
		put_sender(analysis, &place, &ideal, &m, list, unit_ps);
	else if (got == 0)
		put_none(&place, reason);
	cd_ideal_release(&ideal);
	return got < 0 ? -1 : 0;
}

/* ---- the metric -----------------------------------------------------------
 */

static int sender_alone(const struct cd_analysis *analysis,
			const struct cd_pair *pair)
{
	const struct cd_lane *lane = cd_ideal_lane(pair);
	struct sent_list list = {0};
	int result = 0;

	if (lane == NULL)
		return 0;
	if (list_sent(lane->dut, &list) < 0)
		result = -1;
	else if (list.n > 0)
		result = join_times(lane->dut, &list);
	if (result == 0 && list.n > 0) {
		unwrap(&list);
		result = against_sender(analysis, pair, lane, &list);
	}
	free(list.v);
	return result;
}

static int run(struct cd_analysis *analysis, struct cd_error *error)
{
	for (size_t i = 0; i < analysis->n_pairs; i++)
		if (analysis->pairs[i].alone &&
		    sender_alone(analysis, &analysis->pairs[i]) < 0)
			return cd_error_memory(error);
	return 0;
}

const struct cd_metric cd_metric_sender = {"sender", run};
