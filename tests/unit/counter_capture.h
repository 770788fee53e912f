/* Captures with and without a counter, for the tests of its detection. */
#ifndef CAPDIFF_TESTS_COUNTER_CAPTURE_H
#define CAPDIFF_TESTS_COUNTER_CAPTURE_H

#include "detect_capture.h"
#include "stat_random.h"

/* ---- packets ------------------------------------------------------------ */

enum { TCP = 6, RAW = 101, ETHERNET = 1, LENGTH_MAX = 1500 };

static inline void store16(uint8_t *p, unsigned v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

struct header {
	unsigned protocol;
	uint16_t src_port, dst_port;
	uint8_t src; /* last byte of the address */
	uint16_t id;
};

static const struct header udp = {UDP, 40000, 5001, 1, 0};

static inline uint32_t l4_bytes(unsigned protocol)
{
	return protocol == UDP ? 8 : protocol == TCP ? 20 : 0;
}

/* One raw IPv4 packet with `n` bytes of payload, of which `captured`. */
static inline void add_cut(struct capture *c, const struct header *h,
		    const uint8_t *payload, uint32_t n, uint32_t captured,
		    uint64_t us)
{
	uint8_t b[20 + 20 + LENGTH_MAX] = {0};
	uint32_t l4 = l4_bytes(h->protocol), total = 20 + l4 + n;

	cr_assert_leq(n, LENGTH_MAX);
	store16(b, 0x4500);
	store16(b + 2, total);
	store16(b + 4, h->id);
	b[9] = (uint8_t)h->protocol;
	memcpy(b + 12, "\x0a\0\0\0\x0a\0\0\x02", 8);
	b[15] = h->src;
	if (l4 != 0) {
		store16(b + 20, h->src_port);
		store16(b + 22, h->dst_port);
	}
	if (h->protocol == UDP)
		store16(b + 24, 8 + n);
	else if (h->protocol == TCP)
		b[32] = 0x50;
	memcpy(b + 20 + l4, payload, n);
	add_frame(c, RAW, b, total - n + captured, total, 0,
		  (struct cd_instant){(int64_t)(1700000000 + us / 1000000),
				      (int64_t)(us % 1000000) * 1000000});
}

static inline void add(struct capture *c, const struct header *h,
		const uint8_t *payload, uint32_t n, uint64_t us)
{
	add_cut(c, h, payload, n, n, us);
}

static inline void store(uint8_t *p, uint64_t v, unsigned width, bool little)
{
	for (unsigned i = 0; i < width; i++)
		p[little ? i : width - 1 - i] = (uint8_t)(v >> 8 * i);
}

static inline void store_le(uint8_t *p, uint64_t v, unsigned width)
{
	store(p, v, width, true);
}

static inline void store_be(uint8_t *p, uint64_t v, unsigned width)
{
	store(p, v, width, false);
}

static inline void fill(struct noise *r, uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)(noise_bits(r) >> 32);
}

/* ---- expectations ------------------------------------------------------- */

static inline void check_spec(const struct cd_detection *d, const char *want)
{
	struct cd_str text = {0};

	cr_assert_not(d->ambiguous, "%s", cd_str_text(&d->tried));
	if (want == NULL) {
		if (d->spec.format != NULL && d->spec.format->spell != NULL)
			d->spec.format->spell(&d->spec, &text);
		cr_assert_null(d->spec.format, "%s",
			       text.length > 0 ? cd_str_text(&text)
					       : d->spec.format->name);
		return;
	}
	cr_assert_not_null(d->spec.format, "not %s", want);
	cr_assert_str_eq(d->spec.format->name, "field");
	d->spec.format->spell(&d->spec, &text);
	cr_assert_str_eq(cd_str_text(&text), want);
	cd_str_release(&text);
}

/* NULL: nothing. */
static inline void expect(struct capture *const *c, size_t n, const char *want)
{
	struct cd_detection d = detect(c, n, true);

	check_spec(&d, want);
	cd_detection_release(&d);
}

static inline void expect_one(struct capture *c, const char *want)
{
	expect(&c, 1, want);
	free_capture(c);
}

static inline void empty(struct capture *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->bytes[i]);
	c->n = 0;
}

#endif
