#include "stamps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EPOCH_S INT64_C(1767225600) /* 2026-01-01 */
#define PS_PER_S INT64_C(1000000000000)

struct bytes {
	uint8_t *p;
	size_t n;
};

static bool slurp(const char *path, struct bytes *b)
{
	FILE *file = fopen(path, "rb");
	long size = -1;

	if (file != NULL && fseek(file, 0, SEEK_END) == 0)
		size = ftell(file);
	if (size > 0) {
		b->n = (size_t)size;
		b->p = malloc(b->n);
		rewind(file);
		if (b->p != NULL && fread(b->p, 1, b->n, file) != b->n)
			size = -1;
	}
	if (file != NULL)
		fclose(file);
	return size > 0 && b->p != NULL;
}

static uint32_t u32(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	       (uint32_t)p[3] << 24;
}

static uint32_t be32(const uint8_t *p)
{
	return p[3] | (uint32_t)p[2] << 8 | (uint32_t)p[1] << 16 |
	       (uint32_t)p[0] << 24;
}

static uint32_t u16(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8;
}

/* if_tsresol (decimal only) and if_tsoffset of an interface block. */
struct clock {
	int64_t unit_ps, offset_s;
};

static void read_interface(const uint8_t *p, const uint8_t *end,
			   struct clock *clock)
{
	*clock = (struct clock){.unit_ps = 1000000};
	for (p += 16; p + 4 <= end && u16(p) != 0;
	     p += 4 + (u16(p + 2) + 3) / 4 * 4) {
		if (u16(p) == 9)
			clock->unit_ps = llround(pow(10, 12 - p[4]));
		if (u16(p) == 14)
			clock->offset_s = (int64_t)(u32(p + 4) |
						    (uint64_t)u32(p + 8) << 32);
	}
}

static void read_packet(const uint8_t *p, const struct clock *clock, size_t at,
			struct stamps *s)
{
	uint64_t ticks = (uint64_t)u32(p + 12) << 32 | u32(p + 16);
	uint64_t per_s = (uint64_t)(PS_PER_S / clock->unit_ps);
	int64_t whole = (int64_t)(ticks / per_s) + clock->offset_s - EPOCH_S;

	s->ps[s->n] =
	    whole * PS_PER_S + (int64_t)(ticks % per_s) * clock->unit_ps;
	s->seq[s->n++] = be32(p + 28 + at);
}

bool stamps_read(struct stamps *s, const char *path, size_t at)
{
	struct bytes b = {NULL, 0};
	struct clock clock = {1000000, 0};
	size_t total;

	*s = (struct stamps){NULL, NULL, 0};
	if (!slurp(path, &b) || b.n < 28 || u32(b.p) != 0x0a0d0d0a) {
		free(b.p);
		return false;
	}
	s->seq = malloc(b.n / 32 * sizeof(*s->seq));
	s->ps = malloc(b.n / 32 * sizeof(*s->ps));
	for (const uint8_t *p = b.p, *end = b.p + b.n; p + 12 <= end;
	     p += total) {
		total = u32(p + 4);
		if (total < 12 || (size_t)(end - p) < total)
			break;
		if (u32(p) == 1)
			read_interface(p, p + total - 4, &clock);
		else if (u32(p) == 6 && u32(p + 20) >= at + 4)
			read_packet(p, &clock, at, s);
	}
	free(b.p);
	return s->n > 0;
}

void stamps_release(struct stamps *s)
{
	free(s->seq);
	free(s->ps);
	*s = (struct stamps){NULL, NULL, 0};
}

static int compare(const void *a, const void *b)
{
	int64_t x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return x < y ? -1 : x > y;
}

int64_t rank_value(int64_t *v, size_t n, double p)
{
	size_t k = (size_t)ceil(p * (double)n - 1e-9);

	qsort(v, n, sizeof(*v), compare);
	return v[k == 0 ? 0 : k - 1];
}
