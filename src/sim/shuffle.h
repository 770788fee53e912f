/* Packets that change places. */
#ifndef CAPDIFF_SIM_SHUFFLE_H
#define CAPDIFF_SIM_SHUFFLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/time.h"
#include "sim/packet.h"
#include "sim/scenario.h"

/* A packet about to be written. */
struct cd_item {
	struct cd_packet packet;
	struct cd_instant stamp;
	uint64_t drops; /* of this point before it */
};

/* Takes one item; 0 or -1. */
typedef int cd_item_out(void *context, const struct cd_item *item,
			struct cd_error *error);

/*
 * Several receive queues: packets are dealt to them in turn, and each is
 * written out in blocks. Nothing happens with one queue.
 */
struct cd_queues {
	uint64_t queues, block;
	struct cd_item *items; /* queues * block */
	size_t n;
	cd_item_out *out;
	void *context;
};

int cd_queues_init(struct cd_queues *queues, const struct cd_point_spec *point,
		   cd_item_out *out, void *context, struct cd_error *error);
void cd_queues_release(struct cd_queues *queues);
int cd_queues_add(struct cd_queues *queues, const struct cd_item *item,
		  struct cd_error *error);
int cd_queues_flush(struct cd_queues *queues, struct cd_error *error);

#endif
