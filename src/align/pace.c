#include "align/pace.h"

/* Numbers a rate must be measured over to be believed. */
#define RATE_NUMBERS 16
/* Numbers between the marks of the recent rate. */
#define MARK_NUMBERS 256

typedef unsigned __int128 u128;

static uint64_t passed(const struct cd_pace_mark *mark, int64_t seq)
{
	return (uint64_t)seq - (uint64_t)mark->seq;
}

static void set_marks(struct cd_pace *pace, int64_t time_ps, int64_t seq)
{
	struct cd_pace_mark mark = {.time_ps = time_ps, .seq = seq};

	if (!pace->has_first) {
		pace->first = pace->old = pace->recent = mark;
		pace->has_first = true;
	} else if (time_ps > pace->recent.time_ps &&
		   passed(&pace->recent, seq) >= MARK_NUMBERS) {
		pace->old = pace->recent;
		pace->recent = mark;
	}
}

void cd_pace_turn(struct cd_pace *pace, int64_t time_ps, int64_t max_seq)
{
	if (time_ps == CD_TIME_NONE)
		return;
	if (pace->started && time_ps > pace->bucket) {
		uint64_t decayed = pace->in_100ms - pace->in_100ms / 8;

		pace->in_100ms =
		    pace->in_bucket > decayed ? pace->in_bucket : decayed;
	}
	pace->before_ps = pace->started ? pace->last_ps : time_ps;
	pace->started = true;
	pace->bucket = time_ps;
	pace->in_bucket = 1;
	pace->last_ps = time_ps;
	set_marks(pace, time_ps, max_seq);
}

void cd_pace_restart(struct cd_pace *pace)
{
	pace->has_first = false;
}

uint64_t cd_pace_100ms(const struct cd_pace *pace)
{
	return pace->in_bucket > pace->in_100ms ? pace->in_bucket
						: pace->in_100ms;
}

/* The later of the last two times, should one of them be a wild one. */
static int64_t last_time(const struct cd_pace *pace)
{
	return pace->before_ps > pace->last_ps ? pace->before_ps
					       : pace->last_ps;
}

int64_t cd_pace_gap(const struct cd_pace *pace, int64_t time_ps)
{
	__int128 gap = (__int128)time_ps - last_time(pace);

	if (!pace->started || time_ps == CD_TIME_NONE || gap < 0)
		return 0;
	return gap > INT64_MAX ? INT64_MAX : (int64_t)gap;
}

struct rate {
	uint64_t numbers, ps; /* ps 0: not known */
};

static struct rate rate_since(const struct cd_pace *pace,
			      const struct cd_pace_mark *mark, int64_t max_seq)
{
	struct rate r = {0};

	if (!pace->has_first || passed(mark, max_seq) < RATE_NUMBERS ||
	    pace->last_ps <= mark->time_ps)
		return r;
	r.numbers = passed(mark, max_seq);
	r.ps = (uint64_t)pace->last_ps - (uint64_t)mark->time_ps;
	return r;
}

static bool exceeds(struct rate r, int64_t gap_ps, uint64_t limit)
{
	return r.ps > 0 &&
	       (u128)(uint64_t)gap_ps * r.numbers > (u128)limit * r.ps;
}

bool cd_pace_exceeds(const struct cd_pace *pace, int64_t gap_ps, int64_t max_seq,
		     uint64_t limit)
{
	if (gap_ps <= 0)
		return false;
	return exceeds(rate_since(pace, &pace->first, max_seq), gap_ps, limit) ||
	       exceeds(rate_since(pace, &pace->old, max_seq), gap_ps, limit);
}

static uint64_t numbers_in(struct rate r, int64_t gap_ps)
{
	u128 n = r.ps == 0 ? 0 : (u128)(uint64_t)gap_ps * r.numbers / r.ps;

	return n > INT64_MAX ? INT64_MAX : (uint64_t)n;
}

struct cd_pace_guess cd_pace_guess(const struct cd_pace *pace, int64_t gap_ps,
				   int64_t max_seq)
{
	struct rate all = rate_since(pace, &pace->first, max_seq);
	struct rate recent = rate_since(pace, &pace->old, max_seq);

	if (recent.ps == 0)
		recent = all;
	return (struct cd_pace_guess){.by_all = numbers_in(all, gap_ps),
				      .by_recent = numbers_in(recent, gap_ps)};
}
