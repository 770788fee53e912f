#include "align/pairs.h"

#include "base/bytes.h"
#include "base/time.h"

void cd_pairs_note(struct cd_pairs *pairs, struct cd_point *point,
		   int64_t time_ps)
{
	int64_t before = pairs->before_ps, back;

	pairs->before_ps = time_ps == CD_TIME_NONE ? INT64_MAX : time_ps;
	if (before == INT64_MAX || time_ps == CD_TIME_NONE)
		return;
	point->deltas++;
	point->equal += time_ps == before;
	if (CD_LIKELY(time_ps >= before))
		return;
	point->steps_back++;
	if (__builtin_sub_overflow(before, time_ps, &back))
		back = INT64_MAX;
	if (back > point->step_back_max_ps)
		point->step_back_max_ps = back;
}

void cd_pairs_note_run(struct cd_pairs *pairs, struct cd_point *point,
		       struct cd_flow *flow, const struct cd_stream *before,
		       uint64_t n)
{
	struct cd_stream *now = &flow->stream;

	pairs->before_ps = flow->before_ps;
	point->deltas += n;
	point->equal += now->equal - before->equal;
	point->steps_back += now->steps_back - before->steps_back;
	if (now->step_back_max_ps > point->step_back_max_ps)
		point->step_back_max_ps = now->step_back_max_ps;
	if (before->step_back_max_ps > now->step_back_max_ps)
		now->step_back_max_ps = before->step_back_max_ps;
}
