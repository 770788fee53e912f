#include "metric/identity.h"

#include <inttypes.h>
#include <stdlib.h>

#include "metric/metric.h"
#include "metric/put.h"
#include "metric/words.h"
#include "report/codes.h"

/* ---- samples ------------------------------------------------------------ */

/* Samples by number, copies in file order: pointers into the track's array. */
struct samples {
	const struct cd_identity **at;
	size_t n;
};

static int by_number(const void *a, const void *b)
{
	const struct cd_identity *x = *(const struct cd_identity *const *)a;
	const struct cd_identity *y = *(const struct cd_identity *const *)b;

	if (x->seq != y->seq)
		return x->seq < y->seq ? -1 : 1;
	return x < y ? -1 : x > y;
}

static int take_samples(const struct cd_track *track, int64_t from, int64_t to,
			struct samples *out)
{
	size_t n;
	const struct cd_identity *all = cd_track_identities(track, &n);
	bool sorted = true;

	*out = (struct samples){.at = malloc((n + 1) * sizeof(*out->at))};
	if (out->at == NULL)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (all[i].seq < from || all[i].seq > to)
			continue;
		if (out->n > 0 && out->at[out->n - 1]->seq > all[i].seq)
			sorted = false;
		out->at[out->n++] = &all[i];
	}
	if (!sorted)
		qsort(out->at, out->n, sizeof(*out->at), by_number);
	return 0;
}

/* ---- two packets -------------------------------------------------------- */

#define NO_LEVEL (-1)

/* The longest digest that both packets have: 2 the whole payload. */
static int common_level(const struct cd_identity *a,
			const struct cd_identity *b)
{
	if (a->full && b->full && a->bytes == b->bytes)
		return 2;
	for (int level = 1; level >= 0; level--)
		if (a->digest[level] != 0 && b->digest[level] != 0)
			return level;
	return NO_LEVEL;
}

static bool has_same_tx(const struct cd_identity *a,
			const struct cd_identity *b)
{
	return !a->has_tx || !b->has_tx || a->tx == b->tx;
}

static bool has_same_content(const struct cd_identity *a,
			     const struct cd_identity *b)
{
	int level = common_level(a, b);

	return level == NO_LEVEL || a->digest[level] == b->digest[level];
}

/* Does anything but the number tell these two apart? */
static bool is_distinct(const struct cd_identity *a,
			const struct cd_identity *b)
{
	return !has_same_tx(a, b) || !has_same_content(a, b);
}

static void tally_packet(const struct cd_identity *a,
			 const struct cd_identity *b,
			 struct cd_identity_tally *tally)
{
	int level = common_level(a, b);
	bool tx = a->has_tx && b->has_tx;

	tally->compared += tx || level != NO_LEVEL;
	tally->tx += tx;
	tally->tx_different += tx && a->tx != b->tx;
	tally->digests += level != NO_LEVEL;
	tally->digest_different += !has_same_content(a, b);
}

/* Samples of one number, the first at `from`. */
static size_t count_copies(const struct samples *s, size_t from)
{
	size_t n = 1;

	while (from + n < s->n && s->at[from + n]->seq == s->at[from]->seq)
		n++;
	return n;
}

#define COPIES_TRIED 16

/* A number that was sent several times, with other contents each time: the
 * first copies are the same packet only if neither capture lacks it, so any
 * two copies will do. */
static void tally_number(const struct samples *x, size_t i,
			 const struct samples *y, size_t k,
			 struct cd_identity_tally *tally)
{
	size_t n = count_copies(x, i), m = count_copies(y, k);

	for (size_t a = 0; a < n && a < COPIES_TRIED; a++)
		for (size_t b = 0; b < m && b < COPIES_TRIED; b++)
			if (!is_distinct(x->at[i + a], y->at[k + b])) {
				tally_packet(x->at[i + a], y->at[k + b],
					     tally);
				return;
			}
	tally_packet(x->at[i], y->at[k], tally);
}

int cd_identity_compare(const struct cd_track *a, const struct cd_track *b,
			int64_t from, int64_t to,
			struct cd_identity_tally *tally)
{
	struct samples x = {0}, y = {0};
	const struct cd_identity *last = NULL;
	int result = -1;

	if (take_samples(a, from, to, &x) || take_samples(b, from, to, &y))
		goto out;
	for (size_t i = 0, k = 0; i < x.n; i++) {
		int64_t seq = x.at[i]->seq;

		if (i > 0 && x.at[i - 1]->seq == seq)
			continue;
		while (k < y.n && y.at[k]->seq < seq)
			k++;
		if (k == y.n)
			break;
		if (y.at[k]->seq != seq)
			continue;
		tally_number(&x, i, &y, k, tally);
		if (last != NULL && is_distinct(last, x.at[i]))
			tally->varies = true;
		last = x.at[i];
	}
	result = 0;
out:
	free(x.at);
	free(y.at);
	return result;
}

bool cd_identity_contradicts(const struct cd_identity_tally *tally)
{
	if (tally->tx > 0)
		return tally->tx_different > tally->tx / 2;
	return tally->digest_different > tally->digests / 2;
}

int cd_identity_conflicts(const struct cd_track *track, int64_t from,
			  int64_t to, uint64_t *conflicts)
{
	struct samples s;
	size_t first = 0;

	*conflicts = 0;
	if (take_samples(track, from, to, &s))
		return -1;
	for (size_t i = 1; i < s.n; i++) {
		if (s.at[i]->seq != s.at[first]->seq)
			first = i;
		else if (is_distinct(s.at[first], s.at[i]))
			++*conflicts;
	}
	free(s.at);
	return 0;
}

/* ---- the metric --------------------------------------------------------- */

static int tally_pair(const struct cd_pair *pair,
		      struct cd_identity_tally *tally)
{
	*tally = (struct cd_identity_tally){0};
	for (size_t i = 0; i < pair->n_lanes; i++) {
		const struct cd_lane *lane = &pair->lanes[i];

		if (lane->common &&
		    cd_identity_compare(lane->ref, lane->dut, lane->a, lane->b,
					tally))
			return -1;
	}
	return 0;
}

static const char *how_compared(const struct cd_identity_tally *tally)
{
	if (tally->tx > 0 && tally->digests > 0)
		return "send times and contents";
	return tally->tx > 0 ? "send times" : "contents";
}

static void say_findings(struct cd_report *report, const struct cd_pair *pair,
			 const struct cd_identity_tally *tally,
			 uint64_t different)
{
	if (pair->different_packets)
		cd_report_finding(
		    report, CD_ERROR, CD_CODE_DIFFERENT_PACKETS, (int)pair->dut,
		    "same numbers but different packets: of %s compared "
		    "%" PRIu64
		    " differ from the reference's in their %s; captures of "
		    "two different runs?",
		    cd_count_words(tally->compared, "packet").text, different,
		    tally->tx > 0 ? "embedded send times" : "contents");
	else if (pair->unverifiable)
		cd_report_finding(
		    report, CD_NOTE, CD_CODE_UNVERIFIABLE, (int)pair->dut,
		    "identity of packets not verifiable: besides the number "
		    "nothing in them tells one run from another");
	else if (different > 0)
		cd_report_finding(
		    report, CD_WARNING, "content_differs", (int)pair->dut,
		    "same number, different bytes: of %s compared %" PRIu64
		    " not as in the reference",
		    cd_count_words(tally->compared, "packet").text, different);
}

static int check_pair(struct cd_analysis *analysis, struct cd_pair *pair)
{
	struct cd_place place = {analysis->report, pair->dut, CD_NO_STREAM};
	struct cd_identity_tally tally;
	uint64_t different;

	if (tally_pair(pair, &tally))
		return -1;
	pair->different_packets = cd_identity_contradicts(&tally);
	pair->unverifiable = !pair->different_packets && !tally.varies;
	different = tally.tx_different > tally.digest_different
			? tally.tx_different
			: tally.digest_different;
	cd_put_count(&place, "identity.checked", tally.compared);
	cd_put_count(&place, "identity.different", different);
	if (tally.compared > 0)
		cd_report_text(analysis->report, pair->dut, "identity.how",
			       how_compared(&tally));
	else
		cd_put_null(&place, "identity.how", "nothing to compare");
	if (pair->both_have > 0)
		say_findings(analysis->report, pair, &tally, different);
	return 0;
}

static int run_identity(struct cd_analysis *analysis, struct cd_error *error)
{
	for (size_t i = 0; i < analysis->n_pairs; i++) {
		struct cd_pair *pair = &analysis->pairs[i];

		if (pair->alone || !pair->numbered)
			continue;
		if (check_pair(analysis, pair))
			return cd_error_memory(error);
	}
	return 0;
}

const struct cd_metric cd_metric_identity = {"identity", run_identity};
