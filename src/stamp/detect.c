#include "stamp/detect.h"

#include <assert.h>
#include <stdlib.h>

#include "stamp/claims.h"
#include "stamp/counter.h"

#define CARRIED 0.01 /* share of a sample from which on it counts */
#define CUT_SHARE 0.1
#define MINOR 0.1 /* share up to which a format without magic is beside it */

static void list_candidates(struct cd_candidates *c)
{
	for (size_t i = 0; cd_stamp_formats[i] != NULL; i++) {
		const struct cd_stamp_format *f = cd_stamp_formats[i];

		if (f->evidence == CD_EVIDENCE_NONE)
			continue;
		for (size_t w = 0; w == 0 || (w < 2 && f->widths[w] != 0);
		     w++) {
			assert(c->n < CD_CANDIDATES_MAX);
			c->spec[c->n++] = (struct cd_stamp_spec){
			    .format = f,
			    .width = f->widths[w],
			    .step = 1,
			};
		}
	}
}

static double share_of(const struct cd_claims *claims, size_t candidate)
{
	return claims->n == 0
		   ? 0
		   : (double)claims->claimed[candidate] / (double)claims->n;
}

/* How well a candidate does over all captures. */
struct score {
	size_t carriers; /* captures with CARRIED or more */
	double least;	 /* smallest share of those */
	double sum;
};

static struct score score_of(const struct cd_claims *claims, size_t n,
			     size_t candidate)
{
	struct score score = {.least = 1};

	for (size_t i = 0; i < n; i++) {
		double share = share_of(&claims[i], candidate);

		if (share < CARRIED)
			continue;
		score.carriers++;
		score.sum += share;
		if (share < score.least)
			score.least = share;
	}
	return score;
}

static bool is_better(struct score a, struct score b)
{
	if (a.carriers != b.carriers)
		return a.carriers > b.carriers;
	if (a.least < b.least || a.least > b.least)
		return a.least > b.least;
	return a.sum > b.sum;
}

/* Index of the best candidate, or their number if none is carried. */
static size_t choose(const struct cd_claims *claims, size_t n,
		     const struct cd_candidates *candidates)
{
	struct score best = {0};
	size_t choice = candidates->n;

	for (size_t k = 0; k < candidates->n; k++) {
		struct score score = score_of(claims, n, k);

		if (score.carriers > 0 && is_better(score, best)) {
			best = score;
			choice = k;
		}
	}
	return choice;
}

/* Packets of all samples that have a bit of `any` and none of `none`. */
static size_t count_packets(const struct cd_claims *claims, size_t n,
			    uint32_t any, uint32_t none)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < claims[i].n; j++)
			count += (claims[i].mask[j] & any) != 0 &&
				 (claims[i].mask[j] & none) == 0;
	return count;
}

/* Candidates that read half of the choice's packets, or more, as well. */
static uint32_t find_rivals(const struct cd_claims *claims, size_t n,
			    size_t n_candidates, size_t choice)
{
	uint32_t bit = UINT32_C(1) << choice, rivals = 0;
	size_t all = count_packets(claims, n, bit, 0);

	for (size_t k = 0; k < n_candidates; k++) {
		uint32_t other = UINT32_C(1) << k;
		size_t alone = count_packets(claims, n, bit, other);

		if (k != choice && alone <= all / 2)
			rivals |= other;
	}
	return rivals;
}

static void add_name(struct cd_str *out, const char *name)
{
	cd_str_addf(out, "%s%s", out->length == 0 ? "" : ", ", name);
}

static void say_names(struct cd_str *out,
		      const struct cd_candidates *candidates, uint32_t which)
{
	const struct cd_stamp_format *last = NULL;

	for (size_t k = 0; k < candidates->n; k++) {
		const struct cd_stamp_format *f = candidates->spec[k].format;

		if ((which >> k & 1) != 0 && f != last)
			add_name(out, f->name);
		last = f;
	}
}

/* Formats of packets that the choice leaves, with their largest share. */
static void say_others(struct cd_str *out, const struct cd_claims *claims,
		       size_t n, const struct cd_candidates *candidates,
		       size_t choice)
{
	uint32_t mine = UINT32_C(1) << choice;

	for (size_t k = 0; k < candidates->n; k++) {
		double share = 0;

		if (k == choice || candidates->spec[k].format ==
				       candidates->spec[choice].format)
			continue;
		for (size_t i = 0; i < n; i++) {
			double one = (double)count_packets(
			    &claims[i], 1, UINT32_C(1) << k, mine);

			one = claims[i].n == 0 ? 0 : one / (double)claims[i].n;
			share = one > share ? one : share;
		}
		if (share < CARRIED)
			continue;
		add_name(out, candidates->spec[k].format->name);
		cd_str_addf(out, " (%.0f %%)", share * 100);
	}
}

/* A sample too poor to judge by itself (few packets, heavy loss) carries the
 * choice wherever it can be read. */
static void note_shares(struct cd_detection *out,
			const struct cd_claims *claims, size_t n, size_t choice)
{
	for (size_t i = 0; i < n; i++) {
		size_t hits = claims[i].claimed[choice];

		if (hits == 0)
			hits = claims[i].parsed[choice];
		out->share[i] =
		    claims[i].n == 0 ? 0 : (double)hits / (double)claims[i].n;
	}
}

/* choice: the number of candidates if none. */
static bool is_cut(const struct cd_claims *claims, size_t n,
		   size_t n_candidates, size_t choice)
{
	for (size_t i = 0; i < n; i++) {
		size_t most = 0;

		for (size_t k = 0; k < n_candidates; k++)
			if ((choice == n_candidates || k == choice) &&
			    claims[i].cut[k] > most)
				most = claims[i].cut[k];
		if (claims[i].n > 0 && (double)(most + claims[i].cut_headers) >=
					   CUT_SHARE * (double)claims[i].n)
			return true;
	}
	return false;
}

static void decide(const struct cd_claims *claims, size_t n,
		   const struct cd_candidates *candidates,
		   struct cd_detection *out)
{
	size_t choice = choose(claims, n, candidates);
	uint32_t rivals = 0;

	out->cut = is_cut(claims, n, candidates->n, choice);
	if (choice < candidates->n)
		rivals = find_rivals(claims, n, candidates->n, choice);
	out->ambiguous = rivals != 0;
	if (rivals != 0)
		rivals |= UINT32_C(1) << choice;
	say_names(&out->tried, candidates, rivals != 0 ? rivals : UINT32_MAX);
	if (choice == candidates->n || rivals != 0)
		return;
	out->spec = candidates->spec[choice];
	note_shares(out, claims, n, choice);
	say_others(&out->others, claims, n, candidates, choice);
}

/* A few pings, or packets that look like RTP, beside a stream that is not
 * known. */
static bool is_minor(const struct cd_detection *d, size_t n)
{
	if (d->spec.format->evidence == CD_EVIDENCE_MAGIC)
		return false;
	for (size_t i = 0; i < n; i++)
		if (d->share[i] >= MINOR)
			return false;
	return true;
}

static bool is_larger(const struct cd_detection *a,
		      const struct cd_detection *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a->share[i] < 2 * b->share[i])
			return false;
	return true;
}

/* By a counter; what was chosen before is something else that there is. */
static void replace(struct cd_detection *out, struct cd_detection *by, size_t n)
{
	double share = 0;

	for (size_t i = 0; i < n; i++) {
		share = out->share[i] > share ? out->share[i] : share;
		out->share[i] = by->share[i];
	}
	if (by->others.length > 0)
		add_name(&out->others, cd_str_text(&by->others));
	if (out->spec.format != NULL) {
		add_name(&out->others, out->spec.format->name);
		cd_str_addf(&out->others, " (%.0f %%)", share * 100);
	}
	out->spec = by->spec;
}

/* Where the known formats leave something to be found. */
static int find_counter(const struct cd_sample *samples, size_t n,
			struct cd_detection *out)
{
	struct cd_detection found = {.ambiguous = false};
	bool known = out->spec.format != NULL;
	int result;

	if (out->ambiguous || (known && !is_minor(out, n)))
		return 0;
	add_name(&out->tried, "a counter anywhere in the payload");
	result = cd_counter_find(samples, n, &found);
	if (found.tried.bad || found.others.bad)
		result = -1;
	if (result == 0 && found.ambiguous && !known) {
		cd_str_release(&out->tried);
		cd_str_add(&out->tried, cd_str_text(&found.tried));
		out->ambiguous = true;
	} else if (result == 0 && found.spec.format != NULL &&
		   (!known || is_larger(&found, out, n))) {
		replace(out, &found, n);
	}
	cd_detection_release(&found);
	return result;
}

int cd_stamp_detect(const struct cd_sample *samples, size_t n_captures,
		    struct cd_detection *out, struct cd_error *error)
{
	struct cd_claims claims[CD_SAMPLES_MAX];
	struct cd_candidates candidates = {.n = 0};
	size_t n = 0;
	int result = 0;

	assert(n_captures <= CD_SAMPLES_MAX);
	*out = (struct cd_detection){.ambiguous = false};
	list_candidates(&candidates);
	while (n < n_captures && result == 0) {
		result =
		    cd_claims_collect(&claims[n], &samples[n], &candidates);
		n++;
	}
	if (result == 0)
		decide(claims, n, &candidates, out);
	if (result == 0)
		result = find_counter(samples, n_captures, out);
	if (out->tried.bad || out->others.bad)
		result = -1;
	while (n > 0)
		cd_claims_release(&claims[--n]);
	if (result == 0)
		return 0;
	cd_detection_release(out);
	return cd_error_memory(error);
}

void cd_detection_release(struct cd_detection *detection)
{
	cd_str_release(&detection->others);
	cd_str_release(&detection->tried);
}
