#include "sim/generator.h"

#include <stdlib.h>

#include "sim/fixed.h"
#include "sim/picker.h"
#include "sim/random.h"

/* A stream on its way. Its schedule is exact: a packet is due after `units`
 * times num / den ps, with units in packets or in bits. */
struct source {
	const struct cd_stream_spec *spec;
	struct cd_random size_random, gap_random, jitter_random, tx_random;
	struct cd_picker skip;
	uint64_t index;	    /* of the pending packet */
	cd_u128 units, num, den;
	int64_t schedule_ps; /* units * num / den */
	int64_t poisson_ps;  /* the same with random gaps */
	int64_t burst_ps;    /* schedule of the burst's first packet */
	uint64_t burst_left;
	int64_t sent_ps;     /* the previous packet, jitter and all */
	uint64_t weights;    /* of all sizes */
	struct cd_packet pending;
	bool done;
};

struct cd_generator {
	const struct cd_scenario *scenario;
	int64_t free_ps[2]; /* when each direction of the link is */
	struct source *sources;
};

int64_t cd_generator_bytes_ps(const struct cd_scenario *scenario,
			      uint32_t bytes)
{
	return (int64_t)((cd_u128)bytes * 8 * CD_PS_PER_S /
			 scenario->link_bps);
}

static uint32_t draw_size(struct source *s)
{
	const struct cd_sizes *sizes = &s->spec->sizes;
	uint64_t pick;
	size_t i = 0;

	if (sizes->n == 1)
		return sizes->bytes[0];
	pick = cd_random_below(&s->size_random, s->weights);
	while (pick >= sizes->weight[i])
		pick -= sizes->weight[i++];
	return sizes->bytes[i];
}

/* When the packet is due, since the stream began; moves the schedule on. */
static int64_t take_due(struct source *s, uint32_t size)
{
	int64_t due = s->schedule_ps, gap;

	s->units += s->spec->load != 0 ? (size + CD_L1_OVERHEAD) * 8 : 1;
	s->schedule_ps = (int64_t)(s->units * s->num / s->den);
	gap = s->schedule_ps - due;
	if (s->spec->arrivals == CD_ARRIVALS_POISSON) {
		uint64_t x = cd_fix_neg_ln(cd_random_next(&s->gap_random));

		due = s->poisson_ps;
		s->poisson_ps += (int64_t)((cd_i128)x * gap >> 56);
	} else if (s->spec->arrivals == CD_ARRIVALS_BURSTS) {
		if (s->burst_left == 0) {
			s->burst_left = s->spec->burst;
			s->burst_ps = due;
		}
		s->burst_left--;
		due = s->burst_ps;
	}
	return due;
}

/* Fill `pending`, wire time still as wished. Never before the one ahead. */
static void schedule(struct source *s, uint32_t stream)
{
	const struct cd_stream_spec *spec = s->spec;
	uint32_t size = draw_size(s);
	int64_t t = spec->begin_ps + take_due(s, size);

	t += cd_noise_draw(&spec->jitter, &s->jitter_random);
	if (t < s->sent_ps)
		t = s->sent_ps;
	s->sent_ps = t;
	s->pending = (struct cd_packet){.wire_ps = t, .index = s->index,
					.stream = stream, .size = size};
}

static cd_u128 find_gcd(cd_u128 a, cd_u128 b)
{
	while (b != 0) {
		cd_u128 rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Lowest terms keep units * num inside 128 bits for 100 days and more. */
static void set_schedule(struct source *s, const struct cd_scenario *scenario)
{
	const struct cd_stream_spec *spec = s->spec;
	cd_u128 common;

	s->den = 1;
	s->num = (cd_u128)spec->spacing_ps;
	if (spec->rate_mpps != 0) {
		s->num = (cd_u128)CD_PS_PER_S * 1000;
		s->den = spec->rate_mpps;
	} else if (spec->load != 0) {
		s->num = (cd_u128)CD_PS_PER_S * CD_SHARE_ONE;
		s->den = (cd_u128)scenario->link_bps * spec->load;
	}
	common = find_gcd(s->num, s->den);
	s->num /= common;
	s->den /= common;
}

static void init_source(struct source *s, const struct cd_scenario *scenario,
			uint32_t stream)
{
	const struct cd_stream_spec *spec = &scenario->streams[stream];
	uint64_t seed = scenario->seed;

	*s = (struct source){.spec = spec};
	s->size_random = cd_random_init(seed, spec->name, "size");
	s->gap_random = cd_random_init(seed, spec->name, "gap");
	s->jitter_random = cd_random_init(seed, spec->name, "jitter");
	s->tx_random = cd_random_init(seed, spec->name, "tx");
	s->skip = cd_picker_init(&spec->skip, seed, spec->name, "skip");
	for (size_t i = 0; i < spec->sizes.n; i++)
		s->weights += spec->sizes.weight[i];
	set_schedule(s, scenario);
	schedule(s, stream);
}

struct cd_generator *cd_generator_new(const struct cd_scenario *scenario,
				      struct cd_error *error)
{
	struct cd_generator *g = calloc(1, sizeof(*g));

	if (g != NULL)
		g->sources = calloc(scenario->n_streams, sizeof(*g->sources));
	if (g == NULL || g->sources == NULL) {
		free(g);
		cd_error_memory(error);
		return NULL;
	}
	g->scenario = scenario;
	for (uint32_t i = 0; i < scenario->n_streams; i++)
		init_source(&g->sources[i], scenario, i);
	return g;
}

void cd_generator_free(struct cd_generator *g)
{
	if (g == NULL)
		return;
	free(g->sources);
	free(g);
}

/* When the pending packet can go: it waits for the one before. */
static int64_t wire_time(const struct cd_generator *g, const struct source *s)
{
	int64_t free_ps = g->free_ps[s->spec->reverse];

	return s->pending.wire_ps < free_ps ? free_ps : s->pending.wire_ps;
}

/* The stream whose packet goes next: first on the wire, then first due, then
 * first in the scenario. NULL when all are done. */
static struct source *first_source(struct cd_generator *g)
{
	struct source *first = NULL;
	int64_t first_ps = 0;

	for (size_t i = 0; i < g->scenario->n_streams; i++) {
		struct source *s = &g->sources[i];
		int64_t t = wire_time(g, s);

		if (s->done || (first != NULL && t > first_ps) ||
		    (first != NULL && t == first_ps &&
		     s->pending.wire_ps >= first->pending.wire_ps))
			continue;
		first = s;
		first_ps = t;
	}
	return first;
}

static struct cd_packet transmit(struct cd_generator *g, struct source *s)
{
	struct cd_packet p = s->pending;

	p.wire_ps = wire_time(g, s);
	g->free_ps[s->spec->reverse] =
	    p.wire_ps +
	    cd_generator_bytes_ps(g->scenario, p.size + CD_L1_OVERHEAD);
	p.tx_ps = p.wire_ps - cd_noise_draw(&s->spec->tx_early, &s->tx_random);
	s->index++;
	if (s->index == s->spec->packets)
		s->done = true;
	else
		schedule(s, p.stream);
	return p;
}

bool cd_generator_next(struct cd_generator *g, struct cd_packet *packet)
{
	for (;;) {
		struct source *s = first_source(g);

		if (s == NULL)
			return false;
		*packet = transmit(g, s);
		if (!cd_picker_hit(&s->skip, packet->index))
			return true;
	}
}
