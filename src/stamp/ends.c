#include "stamp/ends.h"

#include <stdlib.h>
#include <string.h>

/* Whose packet it is. */
struct ends {
	uint8_t src[16], dst[16];
	uint16_t src_port, dst_port;
	uint8_t protocol, address_bytes;
	uint8_t zero[2];
	uint32_t position;
};

static int compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct ends));
}

static bool are_same(const struct ends *a, const struct ends *b)
{
	return memcmp(a, b, offsetof(struct ends, position)) == 0;
}

static void read_ends(const struct cd_frame *f, struct ends *e)
{
	memcpy(e->src, f->src, f->address_bytes);
	memcpy(e->dst, f->dst, f->address_bytes);
	e->src_port = f->src_port;
	e->dst_port = f->dst_port;
	e->protocol = f->ip_protocol;
	e->address_bytes = f->address_bytes;
}

int cd_ends_number(const struct cd_sample *sample, uint32_t *flow,
		   size_t *n_flows)
{
	struct ends *all = calloc(sample->n + 1, sizeof(*all));
	size_t n = 0;

	*n_flows = 0;
	if (all == NULL)
		return -1;
	for (size_t i = 0; i < sample->n; i++) {
		const struct cd_frame *f = &sample->frames[i];

		flow[i] = CD_NO_FLOW;
		if (sample->status[i] != CD_FRAME_OK || f->l4 == NULL)
			continue;
		all[n].position = (uint32_t)i;
		read_ends(f, &all[n++]);
	}
	qsort(all, n, sizeof(*all), compare);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || !are_same(&all[i - 1], &all[i]))
			(*n_flows)++;
		flow[all[i].position] = (uint32_t)(*n_flows - 1);
	}
	free(all);
	return 0;
}
