#include "metric/epoch.h"

#include <stdlib.h>

#include "align/rows.h"
#include "base/time.h"
#include "metric/identity.h"
#include "metric/lanes.h"

/* Offsets are tried from at most this many epochs of either side. */
#define TRIED_MAX 64

/* Where an epoch lies in its capture. */
struct extent {
	bool has;
	int64_t first_seq, last_seq;
	int64_t from_ps, to_ps; /* time of its first and last numbers */
};

struct side {
	struct cd_track *const *epochs;
	struct extent *extents;
	size_t n, longest;
};

static bool time_from(struct cd_track_reader *reader, int64_t seq,
		      int64_t *time_ps)
{
	struct cd_block block;

	cd_track_reader_seek(reader, seq);
	while (cd_track_reader_next(reader, &block))
		for (size_t i = 0; i < block.n; i++)
			if (block.time_ps[i] != CD_TIME_NONE) {
				*time_ps = block.time_ps[i];
				return true;
			}
	return false;
}

static int measure(const struct cd_track *track, struct extent *out)
{
	struct cd_track_reader *reader;

	*out = (struct extent){0};
	if (!cd_track_range(track, &out->first_seq, &out->last_seq))
		return 0;
	reader = cd_track_reader_new(track, CD_ORDER_SEQ, CD_COLUMN_TIME);
	if (reader == NULL)
		return -1;
	if (time_from(reader, out->first_seq, &out->from_ps)) {
		out->has = true;
		if (!time_from(reader, out->last_seq, &out->to_ps) ||
		    out->to_ps < out->from_ps)
			out->to_ps = out->from_ps;
	}
	cd_track_reader_free(reader);
	return 0;
}

static int side_init(struct side *side, const struct cd_stream *stream)
{
	*side = (struct side){
	    .epochs = stream->epochs,
	    .n = stream->n_epochs,
	    .extents = calloc(stream->n_epochs + 1, sizeof(struct extent)),
	};
	if (side->extents == NULL)
		return -1;
	for (size_t i = 0; i < side->n; i++) {
		if (measure(side->epochs[i], &side->extents[i]))
			return -1;
		if (cd_track_unique(side->epochs[i]) >
		    cd_track_unique(side->epochs[side->longest]))
			side->longest = i;
	}
	return 0;
}

/* Overlap in time (in 1024 ps) under an offset of the clocks, at least 1 where
 * they touch; 0 without one, or without a number in common. */
static int64_t overlap_of(const struct extent *r, const struct extent *d,
			  int64_t offset_ps)
{
	int64_t from, to;

	if (!r->has || !d->has || r->first_seq > d->last_seq ||
	    d->first_seq > r->last_seq)
		return 0;
	from = cd_minus(d->from_ps, offset_ps);
	to = cd_minus(d->to_ps, offset_ps);
	if (from < r->from_ps)
		from = r->from_ps;
	if (to > r->to_ps)
		to = r->to_ps;
	/* so that a sum over many epochs cannot overflow */
	return to < from ? 0 : (to - from) / 1024 + 1;
}

/* d of the first number that both have. */
static int find_offset(const struct cd_track *r, const struct cd_track *d,
		       int64_t from, int64_t to, int64_t *offset_ps)
{
	const struct cd_track *tracks[] = {r, d};
	struct cd_rows_options options = {
	    .tracks = tracks,
	    .n = 2,
	    .from = from,
	    .to = to,
	    .mode = CD_ROWS_MATCHED,
	    .columns = CD_COLUMN_TIME,
	};
	struct cd_rows_block block;
	struct cd_rows *rows = cd_rows_new(&options);
	int found;

	if (rows == NULL)
		return -1;
	found = cd_rows_next(rows, &block);
	if (found)
		*offset_ps = cd_minus(block.time_ps[1][0], block.time_ps[0][0]);
	cd_rows_free(rows);
	return found;
}

/* 1: they can be the same epoch, under *offset_ps; 0: they cannot; -1. */
static int suppose(const struct side *r, size_t i, const struct side *d,
		   size_t k, int64_t *offset_ps)
{
	const struct extent *a = &r->extents[i], *b = &d->extents[k];
	int64_t from =
	    a->first_seq > b->first_seq ? a->first_seq : b->first_seq;
	int64_t to = a->last_seq < b->last_seq ? a->last_seq : b->last_seq;
	struct cd_identity_tally tally = {0};

	if (!a->has || !b->has || from > to)
		return 0;
	if (cd_identity_compare(r->epochs[i], d->epochs[k], from, to, &tally))
		return -1;
	if (cd_identity_contradicts(&tally))
		return 0;
	return find_offset(r->epochs[i], d->epochs[k], from, to, offset_ps);
}

/* Both sides are in order of time: walk them together; every epoch gets the
 * one it overlaps longest. Returns the sum of these overlaps. */
static int64_t link_epochs(const struct side *r, const struct side *d,
			   int64_t offset_ps, size_t *link)
{
	int64_t sum = 0;
	size_t taken = 0; /* epochs of d before this one are used up */

	for (size_t i = 0; i < r->n; i++) {
		int64_t best = 0;

		link[i] = CD_NO_EPOCH;
		for (size_t k = taken; k < d->n; k++) {
			int64_t here = overlap_of(&r->extents[i],
						  &d->extents[k], offset_ps);

			if (here > best) {
				best = here;
				link[i] = k;
			}
			if (d->extents[k].has && r->extents[i].has &&
			    cd_minus(d->extents[k].from_ps, offset_ps) >
				r->extents[i].to_ps)
				break;
		}
		if (link[i] != CD_NO_EPOCH)
			taken = link[i] + 1;
		sum += best;
	}
	return sum;
}

/* ---- the best of the offsets --------------------------------------------- */

struct guess {
	int64_t offset_ps, score;
	int64_t between_ps; /* distance of the clocks themselves */
};

struct guesses {
	struct guess *items;
	size_t n;
};

static int add_guess(struct guesses *guesses, const struct side *r, size_t i,
		     const struct side *d, size_t k, int64_t base_ps,
		     size_t *link)
{
	int64_t offset, between;
	int found = suppose(r, i, d, k, &offset);

	if (found <= 0)
		return found;
	if (__builtin_add_overflow(offset, base_ps, &between))
		between = INT64_MAX;
	if (between < 0)
		between = between == INT64_MIN ? INT64_MAX : -between;
	guesses->items[guesses->n++] = (struct guess){
	    .offset_ps = offset,
	    .score = link_epochs(r, d, offset, link),
	    .between_ps = between,
	};
	return 0;
}

static int collect(struct guesses *guesses, const struct side *r,
		   const struct side *d, int64_t base_ps, size_t *link)
{
	size_t n_r = r->n < TRIED_MAX ? r->n : TRIED_MAX;
	size_t n_d = d->n < TRIED_MAX ? d->n : TRIED_MAX;

	for (size_t k = 0; k < n_d; k++)
		if (add_guess(guesses, r, r->longest, d, k, base_ps, link))
			return -1;
	for (size_t i = 0; i < n_r; i++)
		if (i != r->longest &&
		    add_guess(guesses, r, i, d, d->longest, base_ps, link))
			return -1;
	return 0;
}

/* Another answer, not the same one from other packets. */
static bool is_apart(const struct guess *a, const struct guess *b)
{
	int64_t apart = cd_minus(a->offset_ps, b->offset_ps);

	return apart > 100 * CD_PS_PER_MS || apart < -100 * CD_PS_PER_MS;
}

/* Guesses within a twentieth of the best score are equals. */
static const struct guess *choose(const struct guesses *guesses,
				  bool *ambiguous)
{
	const struct guess *chosen = NULL;
	int64_t best = 0, enough;

	for (size_t i = 0; i < guesses->n; i++)
		if (guesses->items[i].score > best)
			best = guesses->items[i].score;
	enough = best - best / 20;
	for (size_t i = 0; best > 0 && i < guesses->n; i++) {
		const struct guess *g = &guesses->items[i];

		if (g->score < enough)
			continue;
		if (chosen != NULL && is_apart(g, chosen))
			*ambiguous = true;
		if (chosen == NULL || g->between_ps < chosen->between_ps)
			chosen = g;
	}
	return chosen;
}

static int match_sides(const struct side *r, const struct side *d,
		       int64_t base_ps, size_t *link, bool *ambiguous)
{
	struct guesses guesses = {0};
	const struct guess *chosen;
	int result = -1;

	guesses.items = calloc(2 * TRIED_MAX, sizeof(*guesses.items));
	if (guesses.items == NULL)
		return -1;
	if (collect(&guesses, r, d, base_ps, link))
		goto out;
	chosen = choose(&guesses, ambiguous);
	for (size_t i = 0; i < r->n; i++)
		link[i] = CD_NO_EPOCH;
	if (chosen != NULL)
		link_epochs(r, d, chosen->offset_ps, link);
	result = 0;
out:
	free(guesses.items);
	return result;
}

int cd_epochs_match(const struct cd_stream *ref, const struct cd_stream *dut,
		    int64_t base_ps, size_t *link, bool *ambiguous)
{
	struct side r = {0}, d = {0};
	int result = -1;

	*ambiguous = false;
	if (ref->n_epochs == 1 && dut->n_epochs == 1) {
		link[0] = 0;
		return 0;
	}
	if (side_init(&r, ref) == 0 && side_init(&d, dut) == 0)
		result = match_sides(&r, &d, base_ps, link, ambiguous);
	free(r.extents);
	free(d.extents);
	return result;
}
