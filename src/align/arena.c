#include "align/arena.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/array.h"

#define CHUNK_LAST ((size_t)2 << 20) /* one huge page of most systems */

void cd_arena_release(struct cd_arena *arena)
{
	for (size_t i = 0; i < arena->n_chunks; i++)
		free(arena->chunks[i]);
	free(arena->chunks);
	*arena = (struct cd_arena){0};
}

static uint8_t *new_chunk(size_t n)
{
	void *p;

	if (n % CHUNK_LAST != 0)
		return malloc(n);
	if (posix_memalign(&p, CHUNK_LAST, n) != 0)
		return NULL;
#ifdef MADV_HUGEPAGE
	madvise(p, n, MADV_HUGEPAGE); /* a wish: without it, small pages */
#endif
	return p;
}

/* As much again as there is, so that short tracks stay small. */
static size_t chunk_size(const struct cd_arena *arena, size_t need)
{
	size_t n = arena->allocated;

	if (n > CHUNK_LAST / 2)
		n = CHUNK_LAST;
	return n < need ? need : n;
}

uint8_t *cd_arena_take(struct cd_arena *arena, size_t n)
{
	uint8_t *p;

	if (n > arena->left) {
		size_t size = chunk_size(arena, n);

		if (cd_grow(&arena->chunks, &arena->capacity,
			    arena->n_chunks + 1, sizeof(*arena->chunks)) < 0)
			return NULL;
		p = new_chunk(size);
		if (p == NULL)
			return NULL;
		arena->chunks[arena->n_chunks++] = p;
		arena->allocated += size;
		arena->free = p;
		arena->left = size;
	}
	p = arena->free;
	arena->free += n;
	arena->left -= n;
	return p;
}
