#include "sweep/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Trials of one rate differ by what the generator does. Without a reference
 * the rate is only as good as what was captured. */
#define TOGETHER 1.02
#define TOGETHER_ALONE 1.3
#define EXCEED_RATIO 0.0 /* RFC 2544 */
#define MANY_TRIALS 20	 /* METRICS 9.3: percentiles from here on */

/* ---- runs of the same size and rate -------------------------------------- */

struct place {
	uint32_t size;
	double pps;
	size_t run;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	if (x->pps != y->pps)
		return x->pps < y->pps ? -1 : 1;
	return (x->run > y->run) - (x->run < y->run);
}

/* End of the group that begins at `from`. */
static size_t end_group(const struct place *places, size_t n, size_t from,
			double together)
{
	size_t to = from + 1;

	while (to < n && places[to].size == places[from].size &&
	       places[to].pps <= places[from].pps * together)
		to++;
	return to;
}

/* ---- one cell ------------------------------------------------------------ */

static void count_trial(struct cd_sweep_trials *trials,
			enum cd_judgement judgement)
{
	trials->valid += judgement != CD_INCONCLUSIVE;
	trials->failed += judgement == CD_FALSE;
}

static void judge_trials(struct cd_sweep_trials *trials)
{
	if (trials->valid == 0)
		trials->judgement = CD_INCONCLUSIVE;
	else
		trials->judgement =
		    (double)trials->failed <=
			    EXCEED_RATIO * (double)trials->valid
			? CD_TRUE
			: CD_FALSE;
}

/* As the verdict counts: with --expect the larger loss. */
static void add_counts(struct cd_sweep_cell *cell, const struct cd_report *r,
		       uint32_t point)
{
	double expected = cd_sweep_number(r, point, "loss.expected");
	double missing = cd_sweep_number(r, point, "loss.missing");
	double whole = cd_sweep_number(r, point, "loss.whole_missing");

	if (!isnan(whole) && (r->n_captures == 1 || !(missing >= whole))) {
		missing = whole;
		expected = cd_sweep_number(r, point, "loss.whole_expected");
	}
	if (!(expected > 0) || !(missing >= 0))
		return;
	cell->has_counts = true;
	cell->expected += (uint64_t)expected;
	cell->missing += (uint64_t)missing;
}

static int compare_spans(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Nearest rank of `share` in n sorted ones. */
static int64_t pick(const int64_t *sorted, size_t n, double share)
{
	size_t rank = (size_t)ceil(share * (double)n);

	return sorted[rank == 0 ? 0 : rank - 1];
}

static void spread_of(int64_t *spans, size_t n, struct cd_sweep_spread *out)
{
	bool many = n >= MANY_TRIALS;

	*out = (struct cd_sweep_spread){.n = n};
	if (n == 0)
		return;
	qsort(spans, n, sizeof(*spans), compare_spans);
	out->median_ps = pick(spans, n, 0.5);
	out->low_ps = many ? pick(spans, n, 0.01) : spans[0];
	out->high_ps = many ? pick(spans, n, 0.99) : spans[n - 1];
}

static int add_spread(const struct cd_report *report,
		      const struct cd_sweep_cell *cell, const char *name,
		      struct cd_sweep_spread *out)
{
	int64_t *spans = calloc(cell->n_runs, sizeof(*spans));
	size_t n = 0;

	if (spans == NULL)
		return -1;
	for (size_t i = 0; i < cell->n_runs; i++) {
		const struct cd_sweep_run *run =
		    &report->sweep->runs[cell->runs[i]];
		int64_t k = cd_sweep_point_in(report, cell->point, run);
		const struct cd_value *v =
		    cd_report_find(run->report, (uint32_t)k, name);

		if (v != NULL && v->kind == CD_VALUE_SPAN)
			spans[n++] = v->integer;
	}
	spread_of(spans, n, out);
	free(spans);
	return 0;
}

/* The reason of the first trial that failed, of completeness before
 * accuracy; else of the first undecided one. */
static int rank_verdict(const struct cd_report_verdict *v)
{
	if (v->n_reasons == 0)
		return 0;
	return v->complete == CD_FALSE ? 3 : v->accurate == CD_FALSE ? 2 : 1;
}

/* One that makes it rank so. */
static const char *name_reason(const struct cd_report_verdict *v)
{
	enum cd_about what = v->complete != CD_FALSE && v->accurate == CD_FALSE
				 ? CD_ABOUT_ACCURATE
				 : CD_ABOUT_COMPLETE;

	for (size_t i = 0; i < v->n_reasons; i++)
		if (cd_is_about(&v->reasons_about, i, what))
			return v->reasons[i];
	return v->reasons[0];
}

static void add_trial(struct cd_report *report, struct cd_sweep_cell *cell,
		      size_t index, int *rank)
{
	const struct cd_sweep_run *run = &report->sweep->runs[index];
	uint32_t point =
	    (uint32_t)cd_sweep_point_in(report, cell->point, run);
	const struct cd_report_verdict *v =
	    cd_report_verdict(run->report, point);

	cell->runs[cell->n_runs++] = index;
	add_counts(cell, run->report, point);
	if (v == NULL)
		return;
	count_trial(&cell->complete, v->complete);
	count_trial(&cell->accurate, v->accurate);
	if (rank_verdict(v) > *rank) {
		*rank = rank_verdict(v);
		cell->reason = cd_report_keep(report, name_reason(v));
	}
}

/* The run in the middle by rate stands for all. */
static void set_rates(const struct cd_sweep *sweep, struct cd_sweep_cell *cell)
{
	const struct cd_sweep_run *run =
	    &sweep->runs[cell->runs[(cell->n_runs - 1) / 2]];

	cell->pps = run->pps;
	cell->l1_bps = run->l1_bps;
	cell->l2_bps = run->l2_bps;
	if (sweep->link_bps > 0 && cell->l1_bps > 0)
		cell->load = cell->l1_bps / sweep->link_bps;
}

/* One cell of the group for this point, if any run has it. 0 or -1. */
static int add_cell(struct cd_report *report, const struct place *places,
		    size_t n, uint32_t point, size_t *capacity)
{
	struct cd_sweep *sweep = report->sweep;
	struct cd_sweep_cell *cell;
	int rank = 0;

	if (cd_grow(&sweep->cells, capacity, sweep->n_cells + 1,
		    sizeof(*sweep->cells)))
		return -1;
	cell = &sweep->cells[sweep->n_cells];
	*cell = (struct cd_sweep_cell){.size = places[0].size, .point = point};
	cell->runs = calloc(n, sizeof(*cell->runs));
	if (cell->runs == NULL)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (cd_sweep_point_in(report, point,
				      &sweep->runs[places[i].run]) >= 0)
			add_trial(report, cell, places[i].run, &rank);
	if (cell->n_runs == 0) {
		free(cell->runs);
		return 0;
	}
	sweep->n_cells++;
	judge_trials(&cell->complete);
	judge_trials(&cell->accurate);
	set_rates(sweep, cell);
	return add_spread(report, cell, "delta.max_ns", &cell->longest_delta) ||
		       add_spread(report, cell, "time.error.span_ns",
				  &cell->error)
		   ? -1
		   : 0;
}

static size_t take_places(const struct cd_sweep *sweep, struct place *places)
{
	size_t n = 0;

	for (size_t i = 0; i < sweep->n_runs; i++)
		if (sweep->runs[i].report != NULL &&
		    sweep->runs[i].report->n_captures > 0)
			places[n++] = (struct place){sweep->runs[i].size,
						     sweep->runs[i].pps, i};
	if (n > 0)
		qsort(places, n, sizeof(*places), compare_places);
	return n;
}

int cd_sweep_cells(struct cd_report *report)
{
	struct cd_sweep *sweep = report->sweep;
	struct place *places = calloc(sweep->n_runs + 1, sizeof(*places));
	double together = sweep->has_reference ? TOGETHER : TOGETHER_ALONE;
	size_t n, capacity = 0;
	int status = places == NULL ? -1 : 0;

	n = status ? 0 : take_places(sweep, places);
	for (size_t from = 0, to; from < n && status == 0; from = to) {
		to = end_group(places, n, from, together);
		for (uint32_t p = 0; p < report->n_captures && status == 0; p++)
			if (!report->captures[p].reference)
				status = add_cell(report, places + from,
						  to - from, p, &capacity);
	}
	free(places);
	return status;
}
