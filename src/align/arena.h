/*
 * Memory that is only added to: large chunks, in huge pages where the system
 * has them, because first touch of fresh memory costs more than all that is
 * computed from it. What was handed out never moves.
 */
#ifndef CAPDIFF_ALIGN_ARENA_H
#define CAPDIFF_ALIGN_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct cd_arena {
	uint8_t **chunks;
	size_t n_chunks, capacity;
	uint8_t *free;	  /* in the last chunk */
	size_t left;	  /* bytes there */
	size_t allocated; /* bytes of all chunks */
};

/* All zero is an empty arena. */
void cd_arena_release(struct cd_arena *arena);
/* n contiguous bytes, or NULL without memory. */
uint8_t *cd_arena_take(struct cd_arena *arena, size_t n);

#endif
