#include "stamp/reader.h"

#include <string.h>

#include "stamp/formats.h"

enum {
	NEAR_STEPS = 1024,
	NEAR_SHARE = 16,
	NEAR_LEAST = 4,
	FLOW_MIN = 8,
	SPARSE = 8
};

/* How the numbers of one capture go on, from neighbour to neighbour in the
 * flows that count. */
struct moves {
	size_t next;  /* by exactly one step */
	size_t near;  /* by some steps, as after a loss or before a late one */
	size_t far;   /* by more */
	size_t odd;   /* by no whole number of steps */
	size_t same;  /* not at all */
	size_t clash; /* of those: and yet they are different packets */
	int64_t net;  /* steps forward less steps back, of the first two */
};

static bool are_copies(const struct cd_body *a, const struct cd_body *b)
{
	uint32_t n = a->n < b->n ? a->n : b->n;

	return a->bytes == b->bytes && a->flow == b->flow && a->id == b->id &&
	       memcmp(a->p, b->p, n) == 0;
}

/* How far a loss, or a late packet, is from its neighbour: not much of the
 * cycle, or anything would do. */
static uint64_t near_steps(unsigned width, uint64_t size)
{
	uint64_t most = (UINT64_MAX >> (64 - 8 * width)) / size / NEAR_SHARE;

	if (most > NEAR_STEPS)
		return NEAR_STEPS;
	return most < NEAR_LEAST ? NEAR_LEAST : most;
}

static void count_pair(const struct cd_reader *r, unsigned width,
		       const struct cd_neighbours *p, struct moves *m)
{
	int64_t delta = cd_extend(cd_reader_delta(r, p), width);
	int64_t step = (int64_t)r->step;
	uint64_t size = step < 0 ? 0 - r->step : r->step;
	uint64_t span = delta < 0 ? 0 - (uint64_t)delta : (uint64_t)delta;

	if (delta == 0) {
		m->same++;
		m->clash +=
		    !are_copies(&r->bodies->all[p->x], &r->bodies->all[p->y]);
	} else if (span / size > near_steps(width, size)) {
		m->far++;
	} else if (span % size != 0) {
		m->odd++;
	} else {
		m->next += delta == step;
		m->near += delta != step;
		m->net += (delta < 0) == (step < 0) ? (int64_t)(span / size)
						    : -(int64_t)(span / size);
	}
}

static void add_moves(struct moves *sum, const struct moves *m)
{
	sum->next += m->next;
	sum->near += m->near;
	sum->far += m->far;
	sum->odd += m->odd;
	sum->same += m->same;
	sum->clash += m->clash;
	sum->net += m->net;
}

static size_t count_moves(const struct moves *m)
{
	return m->next + m->near + m->far + m->odd;
}

/* Does a flow count here? In receive queues that take turns no two neighbours
 * need be one step apart, but in the end most numbers were there. */
static bool is_counting(const struct moves *m)
{
	size_t n = count_moves(m), wild = m->far + m->odd;

	if (m->next > 0 && m->next * 4 >= n)
		return wild * 5 <= n;
	return n >= FLOW_MIN && wild * 10 <= n && m->net > 0 &&
	       m->net <= SPARSE * (int64_t)n;
}

/*
 * Does a capture prove it? TCP is a stream: what counts in it are messages,
 * which are not the packets, unless nearly all begin with one.
 */
static bool is_proof(const struct cd_reader *r, const struct moves *m)
{
	struct cd_kind kind = r->bodies->kind;
	bool stream = kind.ip && kind.value == CD_PROTO_TCP;
	size_t n = count_moves(m);

	return m->next >= CD_HITS_MIN && m->next * 2 >= n &&
	       m->far * (stream ? 50 : 10) <= n && m->odd * 50 <= n &&
	       m->net * 2 >= (int64_t)m->next && m->clash * 20 <= n + m->same;
}

/* Mark the pairs of one flow, which counts. */
static void claim(const struct cd_reader *r, const struct cd_neighbours *pairs,
		  size_t n, struct cd_reading *reading)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t delta = cd_reader_delta(r, &pairs[i]);
		bool next =
		    cd_extend(delta, reading->width) == (int64_t)r->step;

		reading->marks[pairs[i].x] |= CD_MARK_CLAIMED;
		reading->marks[pairs[i].y] |=
		    CD_MARK_CLAIMED | (next ? CD_MARK_NEXT : 0);
		reading->hits += next;
	}
}

static void disclaim(const struct cd_neighbours *pairs, size_t n,
		     struct cd_reading *reading)
{
	for (size_t i = 0; i < n; i++) {
		reading->marks[pairs[i].x] |= CD_MARK_WILD;
		reading->marks[pairs[i].y] |= CD_MARK_WILD;
	}
}

/* Flow by flow. */
static void measure(const struct cd_reader *r, struct cd_reading *reading,
		    struct moves *of_captures)
{
	size_t first = 0;

	while (first < r->n_pairs) {
		const struct cd_neighbours *pairs = &r->pairs[first];
		struct moves flow = {0};
		size_t n = 0;

		do
			count_pair(r, reading->width, &pairs[n++], &flow);
		while (first + n < r->n_pairs &&
		       cd_bodies_joined(r->bodies, r->spot.shared, pairs->x,
					pairs[n].x));
		if (is_counting(&flow)) {
			claim(r, pairs, n, reading);
			add_moves(
			    &of_captures[r->bodies->all[pairs->x].capture],
			    &flow);
		} else {
			disclaim(pairs, n, reading);
		}
		first += n;
	}
}

static void count_bodies(const struct cd_reader *r, struct cd_reading *reading)
{
	for (size_t i = 0; i < r->bodies->n; i++) {
		const struct cd_body *b = &r->bodies->all[i];

		reading->read[b->capture] += r->valid[i];
		reading->claimed[b->capture] +=
		    (reading->marks[i] & CD_MARK_CLAIMED) != 0;
		reading->cut[b->capture] +=
		    !r->valid[i] && b->n < b->bytes &&
		    (r->spot.from_end || r->spot.at < b->bytes);
	}
}

/* A tenth of one capture's packets prove it; one in a hundred of every other
 * capture's goes along, if they are enough to tell, and were not cut. */
static bool is_everywhere(const struct cd_reader *r,
			  const struct cd_reading *reading,
			  const struct moves *of_captures)
{
	bool proved = false;

	for (size_t i = 0; i < r->ground->n; i++) {
		size_t n = r->ground->samples[i].n;

		if (n == 0)
			continue;
		proved |= is_proof(r, &of_captures[i]) &&
			  reading->claimed[i] * 10 >= n;
		if (reading->claimed[i] * 100 >= n ||
		    reading->cut[i] * 100 >= n)
			continue;
		if (reading->read[i] == 0 || reading->read[i] > CD_HITS_MIN)
			return false;
	}
	return proved;
}

bool cd_reader_measure(const struct cd_reader *r, struct cd_reading *reading)
{
	struct moves of_captures[CD_SAMPLES_MAX] = {{0}};

	measure(r, reading, of_captures);
	count_bodies(r, reading);
	return is_everywhere(r, reading, of_captures);
}
