/* A stream under construction from the inside: for flows.c and steady.c. */
#ifndef CAPDIFF_ALIGN_FLOWS_PRIVATE_H
#define CAPDIFF_ALIGN_FLOWS_PRIVATE_H

#include "align/flows.h"

/* No time, none before, or a step back. */
void flow_note_time_slowly(struct cd_flow *flow, int64_t time_ps,
			   int64_t before);

/* Raw deltas (METRICS 3.1): neighbours in file order. No time is INT64_MAX. */
static inline void flow_note_time(struct cd_flow *flow, int64_t time_ps)
{
	struct cd_stream *stream = &flow->stream;
	int64_t before = flow->before_ps;

	flow->before_ps = time_ps;
	if (CD_UNLIKELY(time_ps < before)) {
		flow_note_time_slowly(flow, time_ps, before);
		return;
	}
	stream->equal += time_ps == before;
	if (time_ps > stream->last_ps)
		stream->last_ps = time_ps;
}

#endif
