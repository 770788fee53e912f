/* Series built by hand, for tests of what draws them. */
#ifndef CAPDIFF_TESTS_SAMPLE_SERIES_H
#define CAPDIFF_TESTS_SAMPLE_SERIES_H

#include "report/series.h"
#include "report/sweep.h"
#include "sample_report.h"

static inline void sample_bin(struct cd_report *r, struct cd_series *s,
			      int64_t low, int64_t high, uint64_t n)
{
	cd_series_add(r, s);
	cd_series_span(s, 0, low);
	cd_series_span(s, 1, high);
	cd_series_count(s, 2, n);
}

/* One bar: a hardware capture. */
static inline void sample_one_bar(struct cd_report *r, uint32_t p)
{
	sample_bin(r, cd_report_series(r, p, "delta.histogram"), US(9.9),
		   US(10.1), 199999);
}

/* Most deltas are zero, the others islands. */
static inline void sample_islands(struct cd_report *r, uint32_t p)
{
	struct cd_series *s = cd_report_series(r, p, "delta.histogram");

	sample_bin(r, s, CD_TIME_NONE, 0, 183480);
	sample_bin(r, s, 0, US(1), 21);
	sample_bin(r, s, US(1), US(1.03), 1000);
	sample_bin(r, s, US(110), US(113), 900);
	sample_bin(r, s, US(113), US(117), 14000);
	sample_bin(r, s, US(117), US(121), 1);
}

static inline void sample_exceedance(struct cd_report *r, uint32_t p,
				     double scale_us)
{
	struct cd_series *s = cd_report_series(r, p, "time.error.exceedance");

	for (int i = 0; i <= 400; i++) {
		cd_series_add(r, s);
		cd_series_span(s, 0, US(scale_us * i / 400));
		cd_series_real(s, 1,
			       i == 400 ? 0
					: (400 - i) * (400 - i) / 160000.0 *
					      (400 - i) / 400);
	}
}

static inline void sample_offset(struct cd_report *r, uint32_t p)
{
	struct cd_series *s = cd_report_series(r, p, "clock.offset");

	for (int i = 0; i < 500; i++) {
		int64_t line = US(i * 0.05) + (i < 250 ? 0 : US(200));

		cd_series_add(r, s);
		cd_series_span(s, 0, MS(i * 4));
		cd_series_span(s, 1, line - US(10));
		cd_series_span(s, 2, line + US(i % 7));
		cd_series_span(s, 3, line + US(110 + i % 13));
		cd_series_span(s, 4, line);
	}
	s = cd_report_series(r, p, "clock.step");
	cd_series_add(r, s);
	cd_series_span(s, 0, SEC(1));
	cd_series_span(s, 1, US(200));
	cd_series_count(s, 2, 100000);
}

static inline void sample_gaps(struct cd_report *r, uint32_t p)
{
	struct cd_series *s = cd_report_series(r, p, "loss.gap");

	for (int i = 0; i < 91; i++) {
		cd_series_add(r, s);
		cd_series_span(s, 0, MS(20 * i + 3));
		cd_series_count(s, 1, i == 75 ? 412 : 1);
		cd_series_count(s, 5, 1);
	}
	s = cd_report_series(r, p, "duplicate.copy");
	for (int i = 0; i < 4; i++) {
		cd_series_add(r, s);
		cd_series_span(s, 0, MS(500 + 10 * i));
		cd_series_count(s, 1, 1);
	}
}

static inline void sample_cell(struct cd_sweep *s, uint32_t size, double l1_bps,
			       uint32_t point, uint64_t missing)
{
	struct cd_sweep_cell *c = &s->cells[s->n_cells++];

	c->size = size;
	c->point = point;
	c->l1_bps = l1_bps;
	c->pps = l1_bps / (8 * (size + 20));
	c->has_counts = true;
	c->expected = 1488095;
	c->missing = missing;
	c->complete.judgement = missing == 0 ? CD_TRUE : CD_FALSE;
	c->accurate.judgement = CD_TRUE;
}

static inline struct cd_sweep *sample_sweep(struct cd_report *r, size_t cells)
{
	r->sweep = cd_sweep_new();
	r->sweep->has_reference = true;
	r->sweep->cells = calloc(cells, sizeof(*r->sweep->cells));
	return r->sweep;
}

/* The pair of INTERFACE.md 4.1 with all its series, and a sweep. */
static inline struct cd_report *sample_drawn(void)
{
	struct cd_report *r = sample_captures(2);

	sample_own(r, 0);
	sample_laptop(r, 1);
	sample_one_bar(r, 0);
	sample_islands(r, 1);
	sample_exceedance(r, 1, 125);
	sample_offset(r, 1);
	sample_gaps(r, 1);
	sample_cell(sample_sweep(r, 1), 64, 1e9, 1, 1);
	return r;
}

#endif
