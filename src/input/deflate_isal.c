#include "input/deflate.h"

#include <isa-l.h>
#include <stdlib.h>
#include <string.h>

/* The library looks up several symbols at once and keeps back those before one
 * that is not whole yet; whether it does so depends on how much it is given.
 * So that is always the same. */
#define PIECE 65536u

struct isal {
	struct inflate_state state;
	bool damaged;
};

static void reset_isal(void *library)
{
	struct isal *l = library;

	isal_inflate_init(&l->state);
	l->state.crc_flag = ISAL_GZIP_NO_HDR;
	l->damaged = false;
}

static void *open_isal(void)
{
	struct isal *l = calloc(1, sizeof(*l));

	if (l != NULL)
		reset_isal(l);
	return l;
}

static void close_isal(void *library)
{
	free(library);
}

/* When it meets damage the library keeps back some of what it made before. */
static void rescue(struct isal *l)
{
	struct inflate_state *s = &l->state;
	size_t n = (size_t)(s->tmp_out_valid - s->tmp_out_processed);

	if (n > s->avail_out)
		n = s->avail_out;
	memcpy(s->next_out, s->tmp_out_buffer + s->tmp_out_processed, n);
	s->tmp_out_processed += (int32_t)n;
	s->next_out += n;
	s->avail_out -= (uint32_t)n;
}

static enum cd_deflate_status tell_status(const struct isal *l)
{
	const struct inflate_state *s = &l->state;

	if (l->damaged && s->tmp_out_processed == s->tmp_out_valid)
		return CD_DEFLATE_DAMAGED;
	if (!l->damaged && s->block_state == ISAL_BLOCK_FINISH)
		return CD_DEFLATE_ENDS;
	return CD_DEFLATE_GOES_ON;
}

/* What was read ahead, from the next whole byte on. */
static void give_rest(const struct inflate_state *s,
		      struct cd_inflated *result)
{
	unsigned bits = s->read_in_length > 0 ? (unsigned)s->read_in_length : 0;

	result->n_rest = bits / 8;
	for (unsigned i = 0; i < bits / 8; i++)
		result->rest[i] = (uint8_t)(s->read_in >> (bits % 8 + 8 * i));
}

static void inflate_isal(void *library, struct cd_feed *feed, uint8_t *to,
			 size_t size, struct cd_inflated *result)
{
	struct isal *l = library;
	struct inflate_state *s = &l->state;
	size_t left = (size_t)(feed->end - feed->cur);
	uint32_t given = left > PIECE ? PIECE : (uint32_t)left;

	s->next_in = feed->buffer + (feed->cur - feed->buffer);
	s->avail_in = given;
	s->next_out = to;
	s->avail_out = size > INT32_MAX ? INT32_MAX : (uint32_t)size;
	if (!l->damaged)
		l->damaged = isal_inflate(s) < 0;
	if (l->damaged)
		rescue(l);
	feed->cur += given - s->avail_in;
	result->status = tell_status(l);
	result->made = (size_t)(s->next_out - to);
	result->crc = s->crc;
	result->n_rest = 0;
	if (result->status == CD_DEFLATE_ENDS)
		give_rest(s, result);
}

#define TEXT(number) #number
#define DOTTED(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)

/* The one we were compiled with: the library does not tell. */
const char *cd_isal_version(void)
{
	return DOTTED(ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION,
		      ISAL_PATCH_VERSION);
}

const struct cd_deflate cd_deflate_isal = {
	.wants = PIECE,
	.open = open_isal,
	.close = close_isal,
	.reset = reset_isal,
	.inflate = inflate_isal,
};
