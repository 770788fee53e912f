#include "stamp/claims.h"

#include <stdlib.h>
#include <string.h>

#include "stamp/ends.h"

enum {
	FIELDS_MIN = 10, /* packets that formats without a magic need */
	SMALL_STEP = 64, /* losses between neighbours, as a rule */
	NEAR_STEP = 1024 /* a longer gap, a late packet, a copy */
};

/* One packet that a candidate reads. */
struct sighting {
	uint32_t flow, position;
	struct cd_stamp stamp;
};

struct collector {
	struct cd_claims *claims;
	const struct cd_sample *sample;
	uint32_t *flow;	    /* of each packet, or CD_NO_FLOW */
	uint32_t *misses;   /* packets of each flow the candidate cannot read */
	uint32_t *hits;	    /* packets of each flow that it reads */
	uint32_t *tracking; /* mask: transmit times go with capture times */
	struct sighting *sightings;
	size_t n_flows, n_sightings;
	unsigned candidate;
	const struct cd_stamp_spec *spec;
};

/* Show the candidate every packet. */
static void read_stamps(struct collector *c)
{
	struct cd_claims *claims = c->claims;

	memset(c->misses, 0, c->n_flows * sizeof(*c->misses));
	memset(c->hits, 0, c->n_flows * sizeof(*c->hits));
	c->n_sightings = 0;
	for (uint32_t i = 0; i < c->sample->n; i++) {
		struct sighting *s = &c->sightings[c->n_sightings];

		if (c->flow[i] == CD_NO_FLOW)
			continue;
		switch (
		    cd_stamp_parse(c->spec, &c->sample->frames[i], &s->stamp)) {
		case CD_STAMP_YES:
			s->flow = c->flow[i];
			s->position = i;
			c->hits[s->flow]++;
			c->n_sightings++;
			break;
		case CD_STAMP_NO:
			c->misses[c->flow[i]]++;
			break;
		case CD_STAMP_CUT:
			claims->cut[c->candidate]++;
			break;
		case CD_STAMP_CONTROL:
			break;
		}
	}
	claims->parsed[c->candidate] = c->n_sightings;
}

/* By flow and the stamp's own flow, then as in the file. */
static int compare_sightings(const void *a, const void *b)
{
	const struct sighting *x = a, *y = b;

	if (x->flow != y->flow)
		return x->flow < y->flow ? -1 : 1;
	if (x->stamp.flow != y->stamp.flow)
		return x->stamp.flow < y->stamp.flow ? -1 : 1;
	return x->position < y->position ? -1 : x->position > y->position;
}

/* How the numbers go on in a flow of n packets. */
struct steps {
	size_t forward; /* by a little */
	size_t near;	/* a copy, a late one, the next after a longer gap */
	size_t far;
};

static struct steps count_steps(const struct sighting *s, size_t n,
				unsigned bits)
{
	struct steps steps = {0};

	for (size_t i = 1; i < n; i++) {
		uint64_t d = (s[i].stamp.seq - s[i - 1].stamp.seq)
				 << (64 - bits) >>
			     (64 - bits);
		uint64_t back = (0 - d) << (64 - bits) >> (64 - bits);

		if (d >= 1 && d <= SMALL_STEP)
			steps.forward++;
		else if (d <= NEAR_STEP || back <= NEAR_STEP)
			steps.near++;
		else
			steps.far++;
	}
	return steps;
}

static size_t count_misfits(const struct collector *c, const struct sighting *s,
			    size_t n)
{
	const struct cd_frame *frames = c->sample->frames;
	size_t misfits = 0;

	if (c->spec->format->fits == NULL)
		return 0;
	for (size_t i = 1; i < n; i++)
		if (!c->spec->format->fits(&frames[s[i - 1].position],
					   &frames[s[i].position]))
			misfits++;
	return misfits;
}

/* Largest less smallest transmit time, in its unit; 0 if there is none. */
static uint64_t span_of_tx(const struct sighting *s, size_t n)
{
	int64_t least = 0, most = 0;
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		if ((s[i].stamp.flags & CD_STAMP_HAS_TX) == 0)
			continue;
		if (!any || s[i].stamp.tx < least)
			least = s[i].stamp.tx;
		if (!any || s[i].stamp.tx > most)
			most = s[i].stamp.tx;
		any = true;
	}
	return (uint64_t)most - (uint64_t)least;
}

/* A clock that is read for every packet, or for the few dozen of one offloaded
 * send, does not stand still. */
static bool clock_runs(const struct sighting *s, size_t n)
{
	size_t changes = 0;

	for (size_t i = 1; i < n; i++)
		changes += s[i].stamp.tx != s[i - 1].stamp.tx;
	return changes > 0 && changes * 64 >= n;
}

/* Do the transmit times advance about as fast as the capture's? */
static bool goes_with_capture(const struct collector *c,
			      const struct sighting *s, size_t n)
{
	const struct cd_instant *times = c->sample->times;
	struct cd_span capture;
	double tx, seen;

	if (times == NULL || n < 2 ||
	    !cd_instant_diff(times[s[n - 1].position], times[s[0].position],
			     &capture))
		return false;
	tx = (double)span_of_tx(s, n) * (double)c->spec->format->tx_unit_ps;
	seen = (double)capture.ps;
	return seen > 0 && tx > seen / 4 && tx < seen * 4;
}

/* Do the packets of one flow bear the candidate out? */
static bool make_sense(const struct collector *c, const struct sighting *s,
		       size_t n)
{
	const struct cd_stamp_format *format = c->spec->format;
	struct steps steps = count_steps(s, n, cd_stamp_bits(c->spec));

	switch (format->evidence) {
	case CD_EVIDENCE_MAGIC:
		return true;
	case CD_EVIDENCE_HEADER:
		return steps.forward > 0 && steps.far <= n / 2;
	case CD_EVIDENCE_FIELDS:
		return n >= FIELDS_MIN && steps.forward * 5 >= n - 1 &&
		       steps.far <= (n - 1) / 10 &&
		       count_misfits(c, s, n) <= (n - 1) / 10 &&
		       (format->clock == CD_TX_NONE || clock_runs(s, n)) &&
		       c->hits[s->flow] >= c->misses[s->flow];
	default:
		return false;
	}
}

static void claim(struct collector *c, const struct sighting *s, size_t n)
{
	uint32_t bit = UINT32_C(1) << c->candidate;
	bool tracks = goes_with_capture(c, s, n);

	for (size_t i = 0; i < n; i++) {
		c->claims->mask[s[i].position] |= bit;
		if (tracks)
			c->tracking[s[i].position] |= bit;
	}
}

static void try_candidate(struct collector *c)
{
	const struct sighting *s = c->sightings;
	size_t first = 0;

	read_stamps(c);
	qsort(c->sightings, c->n_sightings, sizeof(*s), compare_sightings);
	for (size_t i = 1; i <= c->n_sightings; i++) {
		if (i < c->n_sightings && s[i].flow == s[first].flow &&
		    s[i].stamp.flow == s[first].stamp.flow)
			continue;
		if (make_sense(c, s + first, i - first))
			claim(c, s + first, i - first);
		first = i;
	}
}

/* Of several claims on one packet: those that prove more; then those whose
 * transmit times go with the capture's. */
static void settle_conflicts(struct collector *c,
			     const struct cd_candidates *candidates)
{
	uint32_t of_evidence[CD_EVIDENCE_MAGIC + 1] = {0};

	for (size_t k = 0; k < candidates->n; k++)
		of_evidence[candidates->spec[k].format->evidence] |= UINT32_C(1)
								     << k;
	for (size_t i = 0; i < c->claims->n; i++) {
		uint32_t *mask = &c->claims->mask[i];

		for (int e = CD_EVIDENCE_MAGIC; e > CD_EVIDENCE_NONE; e--)
			if ((*mask & of_evidence[e]) != 0)
				*mask &= of_evidence[e];
		if ((*mask & c->tracking[i]) != 0)
			*mask &= c->tracking[i];
	}
}

static void count_claims(struct cd_claims *claims, size_t n_candidates)
{
	for (size_t i = 0; i < claims->n; i++)
		for (size_t k = 0; k < n_candidates; k++)
			claims->claimed[k] += claims->mask[i] >> k & 1;
}

int cd_claims_collect(struct cd_claims *claims, const struct cd_sample *sample,
		      const struct cd_candidates *candidates)
{
	size_t n = sample->n == 0 ? 1 : sample->n;
	struct collector c = {.claims = claims, .sample = sample};
	int result = -1;

	*claims = (struct cd_claims){.n = sample->n};
	claims->mask = calloc(n, sizeof(*claims->mask));
	c.flow = calloc(n, sizeof(*c.flow));
	c.misses = calloc(n, sizeof(*c.misses));
	c.hits = calloc(n, sizeof(*c.hits));
	c.tracking = calloc(n, sizeof(*c.tracking));
	c.sightings = calloc(n, sizeof(*c.sightings));
	if (claims->mask == NULL || c.flow == NULL || c.misses == NULL ||
	    c.hits == NULL || c.tracking == NULL || c.sightings == NULL ||
	    cd_ends_number(sample, c.flow, &c.n_flows) != 0)
		goto out;
	for (size_t i = 0; i < sample->n; i++)
		claims->cut_headers += sample->status[i] == CD_FRAME_CUT;
	for (size_t k = 0; k < candidates->n; k++) {
		c.candidate = (unsigned)k;
		c.spec = &candidates->spec[k];
		try_candidate(&c);
	}
	settle_conflicts(&c, candidates);
	count_claims(claims, candidates->n);
	result = 0;
out:
	free(c.flow);
	free(c.misses);
	free(c.hits);
	free(c.tracking);
	free(c.sightings);
	return result;
}

void cd_claims_release(struct cd_claims *claims)
{
	free(claims->mask);
	claims->mask = NULL;
}
