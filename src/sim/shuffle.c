#include "sim/shuffle.h"

#include <stdlib.h>

int cd_queues_init(struct cd_queues *q, const struct cd_point_spec *point,
		   cd_item_out *out, void *context, struct cd_error *error)
{
	*q = (struct cd_queues){.queues = point->queues,
				.block = point->queue_block,
				.out = out, .context = context};
	if (q->queues <= 1)
		return 0;
	q->items = calloc(q->queues * q->block, sizeof(*q->items));
	return q->items == NULL ? cd_error_memory(error) : 0;
}

void cd_queues_release(struct cd_queues *q)
{
	free(q->items);
	q->items = NULL;
}

int cd_queues_add(struct cd_queues *q, const struct cd_item *item,
		  struct cd_error *error)
{
	if (q->queues <= 1)
		return q->out(q->context, item, error);
	q->items[q->n++] = *item;
	if (q->n < q->queues * q->block)
		return 0;
	return cd_queues_flush(q, error);
}

int cd_queues_flush(struct cd_queues *q, struct cd_error *error)
{
	for (uint64_t queue = 0; queue < q->queues; queue++)
		for (uint64_t i = queue; i < q->n; i += q->queues)
			if (q->out(q->context, &q->items[i], error))
				return -1;
	q->n = 0;
	return 0;
}
