/* loss.gap and duplicate.copy: where in time packets are absent or doubled. */
#include <stdlib.h>

#include "base/array.h"
#include "base/time.h"
#include "metric/absent.h"
#include "metric/series.h"
#include "metric/walk.h"
#include "report/series.h"

/* What lies in one row: one gap; of many gaps the longest. */
struct part {
	struct cd_gap gap;
	uint64_t gaps, missing;
};

struct list {
	struct part *parts;
	size_t n, capacity;
	uint64_t of;
	int64_t from_ps, to_ps; /* of the reference */
	bool bucketed;		/* parts are CD_SERIES_MAX equal times */
	/* the gap under way: packets > 0 */
	struct cd_gap run;
	int64_t before_ps; /* last time of the reference, or NONE */
};

static void put_in_bucket(struct list *list, const struct part *part)
{
	int64_t at = part->gap.at_ps;
	size_t i = at == CD_TIME_NONE
		       ? 0
		       : cd_series_bucket(at, list->from_ps, list->to_ps,
					  CD_SERIES_MAX);
	struct part *bucket = &list->parts[i];

	bucket->gaps += part->gaps;
	bucket->missing += part->missing;
	if (part->gap.packets > bucket->gap.packets)
		bucket->gap = part->gap;
}

/* Too many for single rows. */
static int make_buckets(struct list *list)
{
	struct part *single = list->parts;

	list->parts = calloc(CD_SERIES_MAX, sizeof(*list->parts));
	if (list->parts == NULL) {
		list->parts = single;
		return -1;
	}
	for (size_t i = 0; i < list->n; i++)
		put_in_bucket(list, &single[i]);
	free(single);
	list->n = CD_SERIES_MAX;
	list->bucketed = true;
	return 0;
}

static int add_part(struct list *list, const struct part *part)
{
	list->of += part->gaps;
	if (!list->bucketed && list->n == CD_SERIES_MAX && make_buckets(list))
		return -1;
	if (list->bucketed) {
		put_in_bucket(list, part);
		return 0;
	}
	if (cd_grow((void **)&list->parts, &list->capacity, list->n + 1,
		    sizeof(*list->parts)))
		return -1;
	list->parts[list->n++] = *part;
	return 0;
}

/* ---- gaps -----------------------------------------------------------------
 */

static int end_run(struct list *list, int64_t after_ps)
{
	struct part part = {list->run, 1, list->run.packets};

	if (list->run.packets == 0)
		return 0;
	list->run.packets = 0;
	if (after_ps != CD_TIME_NONE && part.gap.at_ps != CD_TIME_NONE)
		part.gap.outage_ps = cd_minus(after_ps, part.gap.at_ps);
	return add_part(list, &part);
}

static int note_missing(void *context, const struct cd_absent_packet *packet)
{
	struct list *list = context;
	struct cd_gap *run = &list->run;

	if (run->packets == 0) {
		run->first_seq = packet->seq;
		run->at_ps = list->before_ps != CD_TIME_NONE
				 ? list->before_ps
				 : packet->time_ps;
		run->outage_ps = CD_TIME_NONE;
	}
	run->packets += packet->n;
	run->last_seq = packet->seq + (int64_t)(packet->n - 1);
	if (packet->time_ps != CD_TIME_NONE)
		list->before_ps = packet->time_ps;
	return 0;
}

static int note_present(void *context, const struct cd_absent_packet *packet)
{
	struct list *list = context;

	if (end_run(list, packet->time_ps))
		return -1;
	if (packet->time_ps != CD_TIME_NONE)
		list->before_ps = packet->time_ps;
	return 0;
}

static int collect_gaps(const struct cd_analysis *analysis,
			const struct cd_pair *pair, struct list *list)
{
	const struct cd_absent_sink sink = {note_missing, note_present, list};

	for (size_t i = 0; i < pair->n_lanes; i++) {
		list->before_ps = CD_TIME_NONE;
		if (cd_absent_walk(analysis, pair, &pair->lanes[i], &sink) ||
		    end_run(list, CD_TIME_NONE))
			return -1;
	}
	return 0;
}

/* By time; what has none first. */
static int compare(const void *a, const void *b)
{
	const struct cd_gap *x = &((const struct part *)a)->gap;
	const struct cd_gap *y = &((const struct part *)b)->gap;

	if (x->at_ps != y->at_ps)
		return x->at_ps < y->at_ps ? -1 : 1;
	return (x->first_seq > y->first_seq) - (x->first_seq < y->first_seq);
}

static int64_t since(int64_t at_ps, int64_t start_ps)
{
	return at_ps == CD_TIME_NONE ? CD_TIME_NONE : cd_minus(at_ps, start_ps);
}

static void put_gaps(struct cd_report *report, uint32_t point,
		     const struct list *list)
{
	struct cd_series *s = cd_report_series(report, point, "loss.gap");

	for (size_t i = 0; i < list->n; i++) {
		const struct part *p = &list->parts[i];

		if (p->gaps == 0)
			continue;
		if (!cd_series_add(report, s))
			return;
		cd_series_span(s, 0, since(p->gap.at_ps, list->from_ps));
		cd_series_count(s, 1, p->gap.packets);
		cd_series_span(s, 2, p->gap.outage_ps);
		cd_series_count(s, 3, (uint64_t)p->gap.first_seq);
		cd_series_count(s, 4, (uint64_t)p->gap.last_seq);
		cd_series_count(s, 5, p->gaps);
		cd_series_count(s, 6, p->missing);
	}
	if (s != NULL)
		s->of = list->of;
}

int cd_series_losses(const struct cd_analysis *analysis,
		     const struct cd_pair *pair)
{
	const struct cd_point *ref = &analysis->points[pair->ref];
	struct list list = {.from_ps = ref->first_ps, .to_ps = ref->last_ps};
	int failed = collect_gaps(analysis, pair, &list);

	if (!failed && list.of > 0) {
		if (!list.bucketed)
			qsort(list.parts, list.n, sizeof(*list.parts), compare);
		put_gaps(analysis->report, pair->dut, &list);
	}
	free(list.parts);
	return failed;
}

/* ---- copies ---------------------------------------------------------------
 */

/* On the reference's clock, as well as it is known: by the first segment that
 * holds it, where steps leave several or none. */
static int64_t time_of_copy(const struct cd_pair *pair,
			    const struct cd_lane *lane,
			    const struct cd_copy *copy)
{
	const struct cd_clock *clock = &pair->clock;
	int64_t x, at = copy->time_ps;

	if (at == CD_TIME_NONE || pair->alone || !clock->has_offset)
		return at;
	x = cd_minus(cd_minus(at, clock->d0_ps), clock->x0_ps);
	for (size_t i = 0; lane->theta_ps != NULL && i < clock->n_segments;
	     i++) {
		double lag = lane->theta_ps[i] + clock->y * (double)x;

		at = cd_minus(x, cd_round_ps(lag / (1 + clock->y)));
		if (cd_clock_segment(clock, at) == i)
			return cd_plus(at, clock->x0_ps);
	}
	return cd_plus(x, clock->x0_ps);
}

static int add_copies(struct list *list, const struct cd_pair *pair,
		      const struct cd_lane *lane)
{
	size_t n = 0;
	const struct cd_copy *copies =
	    lane->dut == NULL ? NULL : cd_track_copies(lane->dut, &n);

	for (size_t i = 0; i < n; i++) {
		struct part part = {.gaps = 1};

		if (!cd_is_common(lane, copies[i].seq))
			continue;
		part.gap.at_ps = time_of_copy(pair, lane, &copies[i]);
		part.gap.first_seq = copies[i].seq;
		part.gap.packets = 1;
		if (add_part(list, &part))
			return -1;
	}
	return 0;
}

int cd_series_copies(const struct cd_analysis *analysis,
		     const struct cd_pair *pair)
{
	const struct cd_point *ref = &analysis->points[pair->ref];
	struct list list = {.from_ps = ref->first_ps, .to_ps = ref->last_ps};
	struct cd_series *s;
	int failed = 0;

	for (size_t i = 0; i < pair->n_lanes && !failed; i++)
		failed = add_copies(&list, pair, &pair->lanes[i]);
	if (!failed && list.of > 0) {
		if (!list.bucketed)
			qsort(list.parts, list.n, sizeof(*list.parts), compare);
		s = cd_report_series(analysis->report, pair->dut,
				     "duplicate.copy");
		for (size_t i = 0; i < list.n; i++) {
			const struct part *p = &list.parts[i];

			if (p->gaps == 0 || !cd_series_add(analysis->report, s))
				continue;
			cd_series_span(s, 0,
				       since(p->gap.at_ps, list.from_ps));
			cd_series_count(s, 1, p->gaps);
		}
		if (s != NULL)
			s->of = list.of;
	}
	free(list.parts);
	return failed;
}
