#include "stat/ols.h"

#include "stat/loglinear.h"

typedef unsigned __int128 u128;

#define CHUNK 4096
#define SMALL_BITS 57 /* CHUNK products of such add up inside 127 bits */

/* n <= CHUNK pairs of any size, onto `o`. */
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

/* The same where it fits narrower sums (spans below 40 h); false, and nothing
 * added, where not. */
static bool sum_small(struct cd_ols *o, const int64_t *x, const int64_t *d,
		      size_t n)
{
	uint64_t any = 0;
	__int128 sum_x = 0, sum_d = 0;
	u128 xx = 0, xd = 0;

	for (size_t i = 0; i < n; i++) {
		any |= cd_magnitude(x[i]) | cd_magnitude(d[i]);
		sum_x += x[i];
		sum_d += d[i];
		xx += (u128)((__int128)x[i] * x[i]);
		xd += (u128)((__int128)x[i] * d[i]);
	}
	if (any >> SMALL_BITS)
		return false;
	o->sum_x += sum_x;
	o->sum_d += sum_d;
	o->sum_xx = cd_wide_add(o->sum_xx, cd_wide_from((__int128)xx));
	o->sum_xd = cd_wide_add(o->sum_xd, cd_wide_from((__int128)xd));
	return true;
}

void cd_ols_add(struct cd_ols *o, const int64_t *x, const int64_t *d, size_t n)
{
	for (size_t done = 0; done < n; done += CHUNK) {
		size_t size = n - done < CHUNK ? n - done : CHUNK;

		if (!sum_small(o, x + done, d + done, size))
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
