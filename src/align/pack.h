/*
 * Columns of integers in runs of up to 128: the smallest difference between
 * neighbours, and what exceeds it packed into as many bits as the largest
 * needs. A run of constant difference costs two to ten bytes, whatever its
 * length. Any 64-bit values come back exactly (arithmetic is modulo 2^64).
 */
#ifndef CAPDIFF_ALIGN_PACK_H
#define CAPDIFF_ALIGN_PACK_H

#include <stddef.h>
#include <stdint.h>

#define CD_PACK_RUN 128
/* Most bytes one packed run takes. */
#define CD_PACK_MAX (CD_PACK_RUN * 8 + 10 + 8)
/* Readable bytes wanted after the last packed run. */
#define CD_PACK_SLACK 8

/* Pack n values (1..CD_PACK_RUN) that follow `previous`; returns the end. */
uint8_t *cd_pack(uint8_t *out, const uint64_t *values, size_t n,
		 uint64_t previous);
uint8_t *cd_pack32(uint8_t *out, const uint32_t *values, size_t n,
		   uint32_t previous);

/* The inverse, with the same n and previous, times `scale`; returns the end. */
const uint8_t *cd_unpack(const uint8_t *in, uint64_t *values, size_t n,
			 uint64_t previous, uint64_t scale);
const uint8_t *cd_unpack32(const uint8_t *in, uint32_t *values, size_t n,
			   uint32_t previous);
/* Past a run of n values. */
const uint8_t *cd_pack_skip(const uint8_t *in, size_t n);

#endif
