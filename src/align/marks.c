#include "align/marks.h"

#include <stdlib.h>

#include "base/array.h"

void cd_marks_release(struct cd_marks *marks)
{
	free(marks->items);
	*marks = (struct cd_marks){0};
}

int cd_marks_add(struct cd_marks *marks, const struct cd_mark *mark)
{
	if (cd_grow(&marks->items, &marks->capacity, marks->n + 1,
		    sizeof(*marks->items)))
		return -1;
	marks->items[marks->n++] = *mark;
	return 0;
}

/* A total order: the same file whatever made the marks. */
static int by_frame(const void *a, const void *b)
{
	const struct cd_mark *x = a, *y = b;

	if (x->frame != y->frame)
		return x->frame < y->frame ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->stream != y->stream)
		return x->stream < y->stream ? -1 : 1;
	return (x->seq > y->seq) - (x->seq < y->seq);
}

void cd_marks_sort(struct cd_marks *marks)
{
	if (marks->n > 1)
		qsort(marks->items, marks->n, sizeof(*marks->items), by_frame);
}

void cd_frame_set_release(struct cd_frame_set *set)
{
	free(set->items);
	*set = (struct cd_frame_set){0};
}

int cd_frame_set_add(struct cd_frame_set *set, uint64_t frame)
{
	struct cd_frame_range *last =
	    set->n == 0 ? NULL : &set->items[set->n - 1];

	if (last != NULL && last->last + 1 == frame) {
		last->last = frame;
		return 0;
	}
	if (cd_grow(&set->items, &set->capacity, set->n + 1,
		    sizeof(*set->items)))
		return -1;
	set->items[set->n++] = (struct cd_frame_range){frame, frame};
	return 0;
}

static int by_first(const void *a, const void *b)
{
	const struct cd_frame_range *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

void cd_frame_set_sort(struct cd_frame_set *set)
{
	size_t n = 0;

	if (set->n < 2)
		return;
	qsort(set->items, set->n, sizeof(*set->items), by_first);
	for (size_t i = 1; i < set->n; i++) {
		struct cd_frame_range *last = &set->items[n];

		if (set->items[i].first > last->last + 1)
			set->items[++n] = set->items[i];
		else if (set->items[i].last > last->last)
			last->last = set->items[i].last;
	}
	set->n = n + 1;
}

uint64_t cd_frame_set_count(const struct cd_frame_set *set)
{
	uint64_t n = 0;

	for (size_t i = 0; i < set->n; i++)
		n += set->items[i].last - set->items[i].first + 1;
	return n;
}
