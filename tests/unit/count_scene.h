/* Scenes of some captures, analysed. */
#ifndef CAPDIFF_TESTS_UNIT_COUNT_SCENE_H
#define CAPDIFF_TESTS_UNIT_COUNT_SCENE_H

#include "scene.h"
#include "metric/order.h"

struct scene {
	struct scene_capture captures[4];
	struct cd_point points[4];
	size_t n;
	struct cd_metric_options options;
	struct cd_report *report;
	struct cd_error error;
	int result;
};

static inline void scene_init(struct scene *s, size_t n)
{
	*s = (struct scene){.n = n, .options = scene_options()};
}

static inline void make_points(struct scene *s)
{
	static const char *const labels[] = {"ref", "dut", "third", "fourth"};

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

static inline int64_t count(const struct scene *s, const char *name)
{
	return scene_count(s->report, 1, name);
}

#endif
