/* Scenes of two captures and what they must come to. */
#ifndef CAPDIFF_TESTS_UNIT_PAIR_SCENE_H
#define CAPDIFF_TESTS_UNIT_PAIR_SCENE_H

#include <math.h>

#include "count_scene.h"
#include "metric/edges.h"
#include "report/codes.h"

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
