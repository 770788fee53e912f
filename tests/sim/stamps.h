/*
 * What stands in a capture that capsim wrote, read without any of capdiff's
 * code: numbers and times of little-endian pcapng files whose packets carry a
 * 32-bit number at one place, and statistics of them.
 */
#ifndef CAPDIFF_TESTS_SIM_STAMPS_H
#define CAPDIFF_TESTS_SIM_STAMPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In file order. Times are ps since 2026-01-01. */
struct stamps {
	uint32_t *seq;
	int64_t *ps;
	size_t n;
};

/* The number is big-endian at `at` of the frame. False: not such a file. */
bool stamps_read(struct stamps *s, const char *path, size_t at);
void stamps_release(struct stamps *s);

/* The sample value of rank ceil(p n), as METRICS 0.5 has it; sorts v. */
int64_t rank_value(int64_t *v, size_t n, double p);

#endif
