#include "sim/random.h"

typedef unsigned __int128 u128;

/* FNV-1a */
static uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; *text != '\0'; text++)
		hash = (hash ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
	return (hash ^ 0xff) * UINT64_C(0x100000001b3);
}

struct cd_random cd_random_init(uint64_t seed, const char *owner,
				const char *purpose)
{
	struct cd_random r;
	uint64_t x = UINT64_C(0xcbf29ce484222325);

	x = hash_text(hash_text(x, owner), purpose);
	x = cd_random_mix(x ^ cd_random_mix(seed + 1));
	for (int i = 0; i < 4; i++) {
		x += UINT64_C(0x9e3779b97f4a7c15);
		r.s[i] = cd_random_mix(x);
	}
	return r;
}

uint64_t cd_random_limit(u128 numerator, u128 denominator)
{
	if (numerator >= denominator)
		return UINT64_MAX;
	while (numerator >> 64 || denominator >> 64) {
		numerator >>= 1;
		denominator >>= 1;
	}
	return (uint64_t)((numerator << 64) / denominator);
}
