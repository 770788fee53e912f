#include "input/framed.h"

#include "base/bytes.h"

static int tell_cut(const struct cd_framed *f, struct cd_error *error)
{
	return cd_error_set(error, CD_E_TRUNCATED,
			    "the %s data are cut short", f->name);
}

/* Past a frame that is to be skipped: 0, or -1. */
static int skip_frame(struct cd_framed *f, struct cd_error *error)
{
	struct cd_feed *feed = f->feed;
	int got = cd_feed_need(feed, 8, error);
	uint64_t left;

	if (got <= 0)
		return got < 0 ? -1 : tell_cut(f, error);
	left = (uint64_t)cd_le32(feed->cur + 4) + 8;
	for (;;) {
		size_t n = (size_t)(feed->end - feed->cur);

		if (n >= left)
			break;
		left -= n;
		feed->cur = feed->end;
		got = cd_feed_need(feed, 1, error);
		if (got <= 0)
			return got < 0 ? -1 : tell_cut(f, error);
	}
	feed->cur += left;
	return 0;
}

/* Do the last bytes of all begin as a frame does? */
static bool is_begun(const struct cd_framed *f)
{
	const struct cd_feed *feed = f->feed;
	uint32_t skippable = CD_SKIPPABLE;
	bool frame = true, skip = true;

	for (unsigned i = 0; feed->cur + i < feed->end; i++) {
		uint8_t mask = i == 0 ? 0xf0 : 0xff;

		frame = frame && feed->cur[i] == (uint8_t)(f->magic >> 8 * i);
		skip = skip && (feed->cur[i] & mask) ==
				   (uint8_t)(skippable >> 8 * i);
	}
	return frame || skip;
}

/* Between frames: 1 another one begins, 0 the end, -1 error. */
static int find_frame(struct cd_framed *f, struct cd_error *error)
{
	struct cd_feed *feed = f->feed;

	for (;;) {
		int got = cd_feed_need(feed, 4, error);

		if (got < 0 || (got == 0 && feed->cur == feed->end))
			return got;
		if (got == 1 && cd_le32(feed->cur) == f->magic)
			return 1;
		if (got == 0 && is_begun(f))
			return tell_cut(f, error);
		if (got == 0 || !cd_is_skippable(feed->cur))
			return cd_error_set(error, CD_E_CORRUPT,
					    "the %s data are followed by "
					    "something else", f->name);
		if (skip_frame(f, error) < 0)
			return -1;
	}
}

/*
 * The libraries say how many bytes end a block and its successor's header. If
 * what they are given goes on to something damaged, they do not tell what they
 * made of the block before. So they are given the block alone, and nothing
 * while they still hold some of it: no good byte gets lost.
 */
static ptrdiff_t run_step(struct cd_framed *f, uint8_t *to, size_t size,
			  struct cd_error *error)
{
	struct cd_feed *feed = f->feed;
	size_t n_in = (size_t)(feed->end - feed->cur);
	size_t n_to = size;
	size_t wanted = f->wanted;

	if (wanted > f->ahead)
		wanted -= f->ahead;
	if (f->full)
		n_in = 0;
	else if (n_in > wanted)
		n_in = wanted;
	wanted = f->step(f->codec, feed->cur, &n_in, to, &n_to, error);
	if (wanted == CD_FRAMED_FAILED)
		return -1;
	feed->cur += n_in;
	f->wanted = wanted;
	f->full = n_to == size;
	return (ptrdiff_t)n_to;
}

ptrdiff_t cd_framed_read(void *framed, uint8_t *to, size_t size,
			 struct cd_error *error)
{
	struct cd_framed *f = framed;

	for (;;) {
		ptrdiff_t made;
		int got;

		if (f->wanted == 0) {
			got = find_frame(f, error);
			if (got <= 0)
				return got;
			f->wanted = f->at_first;
			f->full = false;
		}
		got = f->full ? 1 : cd_feed_need(f->feed, 1, error);
		if (got < 0)
			return -1;
		made = run_step(f, to, size, error);
		if (made != 0)
			return made;
		if (got == 0 && f->wanted != 0)
			return tell_cut(f, error);
	}
}
