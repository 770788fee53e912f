#include "stat/ols.h"

#define CHUNK 4096
#define MIDDLE_BITS 57 /* CHUNK products of such add up inside 127 bits */
#define PART 32
#define SMALL_BITS 30  /* PART - 1 products of such add up inside 63 bits */

struct sums {
	__int128 x, d, xx, xd;
};

/* Pairs of any size, onto `o`. */
static void sum_large(struct cd_ols *o, const int64_t *x, const int64_t *d,
		      size_t n)
{
	for (size_t i = 0; i < n; i++) {
		o->sum_x += x[i];
		o->sum_d += d[i];
		cd_wide_add_product(&o->sum_xx, x[i], x[i]);
		cd_wide_add_product(&o->sum_xd, x[i], d[i]);
	}
}

/* All bits from the sign down to the lowest alike are 0 here. */
static inline uint64_t spread(uint64_t v)
{
	return v ^ v << 1;
}

static void sum_middle(struct sums *s, const int64_t *x, const int64_t *d,
		       size_t n)
{
	for (size_t i = 0; i < n; i++) {
		s->x += x[i];
		s->d += d[i];
		s->xx += (__int128)x[i] * x[i];
		s->xd += (__int128)x[i] * d[i];
	}
}

/* The same of n <= PART pairs that lie within 0.5 ms; false, and nothing
 * added, where not. They are summed up less the first one, (a, b):
 * sum (a + u)(b + v) is n a b + a sum v + b sum u + sum u v. */
static bool sum_small(struct sums *s, const int64_t *x, const int64_t *d,
		      size_t n)
{
	__int128 a = x[0], b = d[0], m = (__int128)n;
	uint64_t any = 0, xx = 0, xd = 0, sum_u = 0, sum_v = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t u = (uint64_t)x[i] - (uint64_t)x[0];
		uint64_t v = (uint64_t)d[i] - (uint64_t)d[0];

		any |= spread(u) | spread(v);
		sum_u += u;
		sum_v += v;
		xx += u * u;
		xd += u * v;
	}
	if (any >> SMALL_BITS)
		return false;
	s->x += m * a + (int64_t)sum_u;
	s->d += m * b + (int64_t)sum_v;
	s->xx += m * a * a + 2 * a * (int64_t)sum_u + (int64_t)xx;
	s->xd += m * a * b + a * (int64_t)sum_v + b * (int64_t)sum_u +
		 (int64_t)xd;
	return true;
}

static bool is_middle(const int64_t *x, const int64_t *d, size_t n)
{
	uint64_t any = 0;

	for (size_t i = 0; i < n; i++)
		any |= spread((uint64_t)x[i]) | spread((uint64_t)d[i]);
	return any >> MIDDLE_BITS == 0;
}

/* n <= CHUNK pairs. */
static void add_middle(struct cd_ols *o, const int64_t *x, const int64_t *d,
		       size_t n)
{
	struct sums s = {0};

	for (size_t at = 0; at < n; at += PART) {
		size_t size = n - at < PART ? n - at : PART;

		if (!sum_small(&s, x + at, d + at, size))
			sum_middle(&s, x + at, d + at, size);
	}
	o->sum_x += s.x;
	o->sum_d += s.d;
	o->sum_xx = cd_wide_add(o->sum_xx, cd_wide_from(s.xx));
	o->sum_xd = cd_wide_add(o->sum_xd, cd_wide_from(s.xd));
}

void cd_ols_add(struct cd_ols *o, const int64_t *x, const int64_t *d, size_t n)
{
	for (size_t done = 0; done < n; done += CHUNK) {
		size_t size = n - done < CHUNK ? n - done : CHUNK;

		if (is_middle(x + done, d + done, size))
			add_middle(o, x + done, d + done, size);
		else
			sum_large(o, x + done, d + done, size);
	}
	o->n += n;
}

void cd_ols_merge(struct cd_ols *o, const struct cd_ols *other)
{
	o->n += other->n;
	o->sum_x += other->sum_x;
	o->sum_d += other->sum_d;
	o->sum_xx = cd_wide_add(o->sum_xx, other->sum_xx);
	o->sum_xd = cd_wide_add(o->sum_xd, other->sum_xd);
}

/* n sum(ab) - sum(a) sum(b): up to 2^62 * 2^62 * 2^126 */
static struct cd_wide centred(uint64_t n, struct cd_wide sum_ab, __int128 sum_a,
			      __int128 sum_b)
{
	struct cd_wide all = cd_wide_mul(sum_ab, cd_wide_from(n));

	return cd_wide_sub(
	    all, cd_wide_mul(cd_wide_from(sum_a), cd_wide_from(sum_b)));
}

bool cd_ols_line(const struct cd_ols *o, struct cd_ols_line *line)
{
	struct cd_wide xx = centred(o->n, o->sum_xx, o->sum_x, o->sum_x);
	struct cd_wide xd = centred(o->n, o->sum_xd, o->sum_x, o->sum_d);

	if (o->n < 2 || cd_wide_sign(xx) == 0)
		return false;
	line->slope = cd_wide_double(xd) / cd_wide_double(xx);
	line->mean_x = (double)o->sum_x / (double)o->n;
	line->mean_d = (double)o->sum_d / (double)o->n;
	line->intercept = line->mean_d - line->slope * line->mean_x;
	return true;
}
