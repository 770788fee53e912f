/* Scenes of two captures and what they must come to. */
#ifndef CAPDIFF_TESTS_UNIT_PAIR_SCENE_H
#define CAPDIFF_TESTS_UNIT_PAIR_SCENE_H

#include "scene.h"
#include <math.h>
#include "metric/edges.h"
#include "report/codes.h"

struct scene {
	struct scene_capture captures[3];
	struct cd_point points[3];
	size_t n;
	struct cd_metric_options options;
	struct cd_report *report;
	struct cd_error error;
	int result;
};

static const char *const labels[] = {"ref", "dut", "third"};

static inline void scene_init(struct scene *s, size_t n)
{
	*s = (struct scene){.n = n, .options = scene_options()};
}

static inline void make_points(struct scene *s)
{
	for (size_t k = 0; k < s->n; k++)
		if (s->points[k].label == NULL)
			s->points[k] = scene_point(labels[k], &s->captures[k]);
}

static inline void analyse(struct scene *s, uint32_t reference)
{
	make_points(s);
	cd_report_free(s->report);
	s->report = scene_report(s->points, s->n, reference);
	s->error = (struct cd_error){0};
	s->result = cd_analyse(s->points, s->n, reference, &s->options,
			       s->report, &s->error);
	cr_assert_not(s->report->bad);
}

static inline void scene_free(struct scene *s)
{
	for (size_t k = 0; k < s->n; k++) {
		free(s->captures[k].packets);
		scene_release(&s->points[k]);
	}
	cd_report_free(s->report);
}

/* Numbers first..last of a stream and epoch, from `at_ps` on, 1 ms apart. */
static inline void add_range(struct scene *s, size_t k, uint32_t stream,
		      uint32_t epoch, int64_t first, int64_t last,
		      int64_t at_ps)
{
	for (int64_t seq = first; seq <= last; seq++)
		scene_add(&s->captures[k],
			  (struct scene_packet){
			      .stream = stream,
			      .epoch = epoch,
			      .seq = seq,
			      .time_ps = at_ps + (seq - first) * MS,
			  });
}

static inline int64_t count(const struct scene *s, const char *name)
{
	return scene_count(s->report, 1, name);
}

static inline bool found(const struct scene *s, const char *code)
{
	return cd_report_has_finding(s->report, code, 1);
}

/* Samples of 64: send times `tx` apart, contents all alike if `digest`. */
static inline void add_sampled(struct scene *s, size_t k, int64_t n, int64_t tx,
			uint64_t digest)
{
	for (int64_t i = 0; i < n; i++) {
		struct scene_packet p = {.seq = i, .time_ps = i * MS};

		if (i % 64 == 0) {
			p.tx = tx == 0 ? 0 : tx + i;
			p.digest = digest;
		}
		scene_add(&s->captures[k], p);
	}
}

#endif
