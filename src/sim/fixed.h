/*
 * Logarithm, exponential, root and sine in fixed point: integers only, so that
 * every platform draws the same noise (libm differs in the last bits).
 */
#ifndef CAPDIFF_SIM_FIXED_H
#define CAPDIFF_SIM_FIXED_H

#include <stdint.h>

typedef unsigned __int128 cd_u128;
typedef __int128 cd_i128;

#define CD_FIX_ONE (INT64_C(1) << 56) /* Q56: 1.0 */

/* -ln(u / 2^64) in Q56; 0 stands for 2^64. 0 .. 44.4. Error < 2^-53. */
uint64_t cd_fix_neg_ln(uint64_t u);

/* a * e^y for y in Q56, at most `limit` (and limit from y = 40 on). Relative
 * error < 2^-50, then floored. */
int64_t cd_fix_scale_exp(int64_t a, uint64_t y, int64_t limit);

/* Largest r with r * r <= v. */
uint64_t cd_fix_sqrt(cd_u128 v);

/* Sine of turn / 2^64 of a full circle, in Q56. Error < 2^-50. */
int64_t cd_fix_sin(uint64_t turn);

#endif
