#include "stat/mtie.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void cd_mtie_init(struct cd_mtie *mtie, int64_t tau)
{
	*mtie = (struct cd_mtie){.tau = tau, .last_x = INT64_MIN};
}

void cd_mtie_release(struct cd_mtie *mtie)
{
	free(mtie->low.items);
	free(mtie->high.items);
	mtie->low = mtie->high = (struct cd_mtie_queue){0};
}

void cd_mtie_break(struct cd_mtie *mtie)
{
	mtie->low.at = mtie->low.n = 0;
	mtie->high.at = mtie->high.n = 0;
	mtie->last_x = INT64_MIN;
}

static int push(struct cd_mtie_queue *q, const struct cd_mtie_sample *sample)
{
	if (q->n == 0)
		q->at = 0;
	if (q->at + q->n == q->capacity && q->at > q->capacity / 2) {
		memmove(q->items, q->items + q->at,
			q->n * sizeof(*q->items));
		q->at = 0;
	}
	if (cd_grow(&q->items, &q->capacity, q->at + q->n + 1,
		    sizeof(*q->items)) < 0)
		return -1;
	q->items[q->at + q->n++] = *sample;
	return 0;
}

static void leave_window(struct cd_mtie_queue *q, int64_t x, int64_t tau)
{
	while (q->n > 0 &&
	       (uint64_t)x - (uint64_t)q->items[q->at].x > (uint64_t)tau) {
		q->at++;
		q->n--;
	}
}

/* What the new sample outdoes can be no extreme any more. */
static void drop_outdone(struct cd_mtie_queue *q, int64_t v, bool low)
{
	while (q->n > 0) {
		int64_t other = q->items[q->at + q->n - 1].v;

		if (low ? other < v : other > v)
			break;
		q->n--;
	}
}

static int add_one(struct cd_mtie *m, const struct cd_mtie_sample *sample)
{
	uint64_t apart;

	drop_outdone(&m->low, sample->v, true);
	drop_outdone(&m->high, sample->v, false);
	if (push(&m->low, sample) < 0 || push(&m->high, sample) < 0)
		return -1;
	leave_window(&m->low, sample->x, m->tau);
	leave_window(&m->high, sample->x, m->tau);
	apart = (uint64_t)m->high.items[m->high.at].v -
		(uint64_t)m->low.items[m->low.at].v;
	if (apart > m->worst)
		m->worst = apart;
	return 0;
}

int cd_mtie_add(struct cd_mtie *mtie, const int64_t *x, const int64_t *v,
		size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct cd_mtie_sample sample = {x[i], v[i]};

		if (sample.x < mtie->last_x)
			sample.x = mtie->last_x;
		mtie->last_x = sample.x;
		if (add_one(mtie, &sample) < 0)
			return -1;
	}
	return 0;
}
