/* For the search for a counter only: the bytes that are searched. */
#ifndef CAPDIFF_STAMP_BODIES_H
#define CAPDIFF_STAMP_BODIES_H

#include "stamp/detect.h"

/* Packets that are searched together: of one IP protocol, or without IP and of
 * one ethertype. */
struct cd_kind {
	bool ip;
	uint16_t value;
};

#define CD_KINDS_MAX 16

struct cd_body {
	const uint8_t
	    *p;		/* payload; without IP what the link headers lead to */
	uint32_t n;	/* bytes of it that were captured */
	uint32_t bytes; /* that there were on the wire */
	uint32_t flow;	/* one of its capture's */
	uint32_t position; /* in its sample */
	uint16_t id;	   /* of IPv4 */
	uint8_t capture;
	bool ended; /* the end of the packet was captured, and is that of `p` */
};

struct cd_bodies {
	struct cd_kind kind;
	struct cd_body *all;   /* by capture, flow, position */
	uint32_t *as_captured; /* indices of `all` by capture, position */
	size_t n, n_captures;
	uint32_t skip;	  /* bytes in front that are a header */
	uint32_t longest; /* largest n */
	bool sizes_vary, flows_vary;
};

/* What cd_ends_number() says of each sample. */
struct cd_ground {
	const struct cd_sample *samples;
	size_t n;
	uint32_t *flow[CD_SAMPLES_MAX];
};

/* 0, or -1 without memory, as all here. Release in either case. */
int cd_ground_init(struct cd_ground *ground, const struct cd_sample *samples,
		   size_t n);
void cd_ground_release(struct cd_ground *ground);

/* Kinds of which the samples hold `least` packets or more; how many. */
size_t cd_kinds_list(const struct cd_ground *ground, size_t least,
		     struct cd_kind kinds[CD_KINDS_MAX]);

int cd_bodies_init(struct cd_bodies *bodies, const struct cd_ground *ground,
		   struct cd_kind kind);
void cd_bodies_release(struct cd_bodies *bodies);

/* The i-th body, flow by flow or (shared) as captured. */
static inline uint32_t cd_bodies_at(const struct cd_bodies *bodies, bool shared,
				    size_t i)
{
	return shared ? bodies->as_captured[i] : (uint32_t)i;
}

/* Of one flow or (shared) of one capture? */
static inline bool cd_bodies_joined(const struct cd_bodies *bodies, bool shared,
				    uint32_t x, uint32_t y)
{
	const struct cd_body *a = &bodies->all[x], *b = &bodies->all[y];

	return a->capture == b->capture && (shared || a->flow == b->flow);
}

#endif
