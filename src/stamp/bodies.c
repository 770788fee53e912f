#include "stamp/bodies.h"

#include <stdlib.h>

#include "stamp/ends.h"
#include "stamp/formats.h"

enum { ICMP_HEADER = 8, TYPES_FROM = 0x600 /* below it is a length */ };

/* ---- flows ------------------------------------------------------------------
 */

int cd_ground_init(struct cd_ground *ground, const struct cd_sample *samples,
		   size_t n)
{
	*ground = (struct cd_ground){.samples = samples, .n = n};
	for (size_t i = 0; i < n; i++) {
		size_t n_flows;

		ground->flow[i] =
		    malloc((samples[i].n + 1) * sizeof(*ground->flow[i]));
		if (ground->flow[i] == NULL ||
		    cd_ends_number(&samples[i], ground->flow[i], &n_flows) != 0)
			return -1;
	}
	return 0;
}

void cd_ground_release(struct cd_ground *ground)
{
	for (size_t i = 0; i < ground->n; i++)
		free(ground->flow[i]);
}

/* ---- kinds ------------------------------------------------------------------
 */

static bool is_ip(const struct cd_sample *sample, size_t i)
{
	const struct cd_frame *f = &sample->frames[i];

	return sample->status[i] == CD_FRAME_OK && f->l4 != NULL &&
	       f->payload != NULL && !cd_stamp_is_service(f);
}

static bool is_other(const struct cd_sample *sample, size_t i)
{
	const struct cd_frame *f = &sample->frames[i];

	return sample->status[i] == CD_FRAME_NOT_IP && f->l3 != NULL &&
	       f->ethertype >= TYPES_FROM;
}

static bool is_of_kind(const struct cd_sample *sample, size_t i,
		       struct cd_kind kind)
{
	const struct cd_frame *f = &sample->frames[i];

	return kind.ip ? is_ip(sample, i) && f->ip_protocol == kind.value
		       : is_other(sample, i) && f->ethertype == kind.value;
}

static bool kind_of(const struct cd_sample *sample, size_t i,
		    struct cd_kind *kind)
{
	kind->ip = is_ip(sample, i);
	kind->value = kind->ip ? sample->frames[i].ip_protocol
			       : sample->frames[i].ethertype;
	return kind->ip || is_other(sample, i);
}

static void count_kind(struct cd_kind *kinds, size_t *counts, size_t *n,
		       struct cd_kind kind)
{
	size_t k = 0;

	while (k < *n &&
	       (kinds[k].ip != kind.ip || kinds[k].value != kind.value))
		k++;
	if (k == CD_KINDS_MAX)
		return;
	if (k == *n) {
		kinds[k] = kind;
		counts[k] = 0;
		(*n)++;
	}
	counts[k]++;
}

size_t cd_kinds_list(const struct cd_ground *ground, size_t least,
		     struct cd_kind kinds[CD_KINDS_MAX])
{
	size_t counts[CD_KINDS_MAX], n = 0, kept = 0;

	for (size_t i = 0; i < ground->n; i++)
		for (size_t j = 0; j < ground->samples[i].n; j++) {
			struct cd_kind kind;

			if (kind_of(&ground->samples[i], j, &kind))
				count_kind(kinds, counts, &n, kind);
		}
	for (size_t k = 0; k < n; k++)
		if (counts[k] >= least)
			kinds[kept++] = kinds[k];
	return kept;
}

/* ---- bodies -----------------------------------------------------------------
 */

static void read_ip(struct cd_body *body, const struct cd_frame *f)
{
	body->p = f->payload;
	body->n = f->payload_captured;
	body->bytes = f->payload_bytes;
	body->id = f->ip_id;
	body->ended =
	    (f->flags & (CD_FRAME_FRAGMENT | CD_FRAME_LENGTH_0)) == 0 &&
	    body->n == body->bytes &&
	    (uint32_t)(f->payload - f->l3) + body->n == f->ip_bytes;
}

static void read_other(struct cd_body *body, const struct cd_frame *f)
{
	uint32_t from = (uint32_t)(f->l3 - f->data);
	uint32_t end = f->frame_bytes - f->padding_bytes;

	body->p = f->l3;
	body->bytes = end > from ? end - from : 0;
	body->n = f->caplen > from ? f->caplen - from : 0;
	if (body->n > body->bytes)
		body->n = body->bytes;
	body->ended = body->n == body->bytes;
}

static int by_flow(const void *a, const void *b)
{
	const struct cd_body *x = a, *y = b;

	if (x->capture != y->capture)
		return x->capture < y->capture ? -1 : 1;
	if (x->flow != y->flow)
		return x->flow < y->flow ? -1 : 1;
	return x->position < y->position ? -1 : x->position > y->position;
}

/* Those of one capture, in its order. */
static void collect(struct cd_bodies *bodies, const struct cd_ground *ground,
		    size_t capture)
{
	const struct cd_sample *sample = &ground->samples[capture];

	for (size_t i = 0; i < sample->n; i++) {
		struct cd_body *body = &bodies->all[bodies->n];

		if (!is_of_kind(sample, i, bodies->kind))
			continue;
		*body = (struct cd_body){.position = (uint32_t)i,
					 .capture = (uint8_t)capture};
		if (bodies->kind.ip) {
			read_ip(body, &sample->frames[i]);
			body->flow = ground->flow[capture][i];
		} else {
			read_other(body, &sample->frames[i]);
		}
		bodies->n++;
	}
}

/* Where the packet at each position of a capture went. */
static void index_captured(struct cd_bodies *bodies, uint32_t *index)
{
	size_t first = 0, out = 0;

	while (first < bodies->n) {
		uint8_t capture = bodies->all[first].capture;
		uint32_t last = 0;
		size_t end = first;

		for (; end < bodies->n && bodies->all[end].capture == capture;
		     end++) {
			uint32_t position = bodies->all[end].position;

			index[position] = (uint32_t)end + 1;
			last = position > last ? position : last;
		}
		for (uint32_t i = 0; i <= last; i++) {
			if (index[i] != 0)
				bodies->as_captured[out++] = index[i] - 1;
			index[i] = 0;
		}
		first = end;
	}
}

static void survey(struct cd_bodies *bodies)
{
	for (size_t i = 0; i < bodies->n; i++) {
		const struct cd_body *b = &bodies->all[i];

		if (b->n > bodies->longest)
			bodies->longest = b->n;
		bodies->sizes_vary |= b->bytes != bodies->all[0].bytes;
		bodies->flows_vary |= i > 0 && b->capture == b[-1].capture &&
				      b->flow != b[-1].flow;
	}
}

int cd_bodies_init(struct cd_bodies *bodies, const struct cd_ground *ground,
		   struct cd_kind kind)
{
	size_t all = 1, most = 1;
	uint32_t *index;

	*bodies = (struct cd_bodies){.kind = kind, .n_captures = ground->n};
	if (kind.ip &&
	    (kind.value == CD_PROTO_ICMP || kind.value == CD_PROTO_ICMPV6))
		bodies->skip = ICMP_HEADER;
	for (size_t i = 0; i < ground->n; i++) {
		all += ground->samples[i].n;
		if (ground->samples[i].n >= most)
			most = ground->samples[i].n + 1;
	}
	bodies->all = malloc(all * sizeof(*bodies->all));
	bodies->as_captured = malloc(all * sizeof(*bodies->as_captured));
	index = calloc(most, sizeof(*index));
	if (bodies->all != NULL && bodies->as_captured != NULL &&
	    index != NULL) {
		for (size_t i = 0; i < ground->n; i++)
			collect(bodies, ground, i);
		qsort(bodies->all, bodies->n, sizeof(*bodies->all), by_flow);
		index_captured(bodies, index);
		survey(bodies);
		free(index);
		return 0;
	}
	free(index);
	return -1;
}

void cd_bodies_release(struct cd_bodies *bodies)
{
	free(bodies->all);
	free(bodies->as_captured);
}
