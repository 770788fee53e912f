#include "stat/wide.h"

#include <math.h>

typedef unsigned __int128 u128;

struct cd_wide cd_wide_from(__int128 v)
{
	uint64_t fill = v < 0 ? UINT64_MAX : 0;

	return (struct cd_wide){{(uint64_t)v, (uint64_t)((u128)v >> 64), fill,
				 fill}};
}

struct cd_wide cd_wide_add(struct cd_wide a, struct cd_wide b)
{
	u128 carry = 0;

	for (int i = 0; i < 4; i++) {
		carry += (u128)a.w[i] + b.w[i];
		a.w[i] = (uint64_t)carry;
		carry >>= 64;
	}
	return a;
}

static struct cd_wide negate(struct cd_wide v)
{
	for (int i = 0; i < 4; i++)
		v.w[i] = ~v.w[i];
	return cd_wide_add(v, (struct cd_wide){{1, 0, 0, 0}});
}

struct cd_wide cd_wide_sub(struct cd_wide a, struct cd_wide b)
{
	return cd_wide_add(a, negate(b));
}

/* Modulo 2^256 the two's complement product is the unsigned one. */
struct cd_wide cd_wide_mul(struct cd_wide a, struct cd_wide b)
{
	struct cd_wide out = {{0}};

	for (int i = 0; i < 4; i++) {
		u128 carry = 0;

		for (int j = 0; i + j < 4; j++) {
			carry += (u128)a.w[i] * b.w[j] + out.w[i + j];
			out.w[i + j] = (uint64_t)carry;
			carry >>= 64;
		}
	}
	return out;
}

int cd_wide_sign(struct cd_wide v)
{
	if (v.w[3] >> 63)
		return -1;
	return (v.w[0] | v.w[1] | v.w[2] | v.w[3]) != 0;
}

/* The 64 most significant bits with a sticky last one: as a double has 53,
 * rounding those is rounding the whole. */
double cd_wide_double(struct cd_wide v)
{
	int sign = cd_wide_sign(v);
	int top = 3;
	uint64_t head, sticky = 0;
	int shift;

	if (sign < 0)
		v = negate(v);
	while (top > 0 && v.w[top] == 0)
		top--;
	if (top == 0)
		return sign < 0 ? -(double)v.w[0] : (double)v.w[0];
	shift = __builtin_clzll(v.w[top]);
	head = v.w[top] << shift;
	if (shift > 0) {
		head |= v.w[top - 1] >> (64 - shift);
		sticky = v.w[top - 1] << shift;
	} else {
		sticky = v.w[top - 1];
	}
	for (int i = top - 2; i >= 0; i--)
		sticky |= v.w[i];
	head |= sticky != 0;
	return ldexp(sign < 0 ? -(double)head : (double)head,
		     64 * top - shift);
}
