#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "align/rows.h"
#include "base/time.h"

/* xorshift64*: the same numbers everywhere. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(2685821657736338717);
}

#define SPAN 12000 /* numbers -100 .. SPAN - 101 */
#define FIRST (-100)

/* What each capture kept of every number: the plain answer. */
struct seen {
	bool has[SPAN];
	struct cd_track_row row[SPAN];
	uint64_t position[SPAN];
	uint64_t unique;
};

struct recipe {
	unsigned loss, late, copy, invalid; /* per 1000 */
	size_t from, to;		    /* captured part, indices */
	size_t burst;			    /* rows lost at once, now and then */
};

static void add_row(struct cd_track *track, struct seen *seen, size_t at,
		    uint64_t *position, uint64_t salt, bool invalid)
{
	struct cd_track_row row = {
	    .seq = FIRST + (int64_t)at,
	    .time_ps = invalid ? CD_TIME_NONE
			       : (int64_t)(at * 1000000 + salt % 9000),
	    .number = *position + 1,
	    .length = 60 + (uint32_t)(salt % 3),
	};

	cr_assert_eq(cd_track_add(track, &row, CD_ROW_KEPT), 0);
	if (!seen->has[at]) {
		seen->has[at] = true;
		seen->row[at] = row;
		seen->position[at] = *position;
		seen->unique++;
	}
	++*position;
}

static struct cd_track *make_track(const struct recipe *recipe, uint64_t seed,
				   struct seen *seen)
{
	struct cd_track *track = cd_track_new(1000);
	uint64_t state = seed, position = 0;
	size_t held = SIZE_MAX;

	memset(seen, 0, sizeof(*seen));
	for (size_t i = recipe->from; i < recipe->to; i++) {
		uint64_t x = next_random(&state);
		bool invalid = (x >> 20) % 1000 < recipe->invalid;

		if (x % 1000 < recipe->loss) {
			i += recipe->burst;
			continue;
		}
		if ((x >> 10) % 1000 < recipe->late && held == SIZE_MAX) {
			held = i;
			continue;
		}
		add_row(track, seen, i, &position, x >> 40, invalid);
		if ((x >> 30) % 1000 < recipe->copy)
			add_row(track, seen, i, &position, x >> 41, false);
		if (held != SIZE_MAX && (x >> 50 & 3) == 0) {
			add_row(track, seen, held, &position, x >> 42, false);
			held = SIZE_MAX;
		}
	}
	cr_assert_eq(cd_track_finish(track), 0);
	return track;
}

struct setup {
	size_t n;
	struct cd_track *tracks[CD_POINTS_MAX];
	struct seen *seen; /* n of them */
};

static struct setup setup_new(const struct recipe *recipes, size_t n,
			      uint64_t seed)
{
	struct setup s = {.n = n, .seen = malloc(n * sizeof(*s.seen))};

	for (size_t k = 0; k < n; k++)
		s.tracks[k] = make_track(&recipes[k], seed + k, &s.seen[k]);
	return s;
}

static void setup_free(struct setup *s)
{
	for (size_t k = 0; k < s->n; k++)
		cd_track_free(s->tracks[k]);
	free(s->seen);
}

static uint64_t mask_of(const struct setup *s, size_t at, bool timed)
{
	uint64_t mask = 0;

	for (size_t k = 0; k < s->n; k++)
		if (s->seen[k].has[at] &&
		    (!timed || s->seen[k].row[at].time_ps != CD_TIME_NONE))
			mask |= UINT64_C(1) << k;
	return mask;
}

static void check_columns(const struct setup *s,
			  const struct cd_rows_options *o,
			  const struct cd_rows_block *b, size_t i, size_t at)
{
	for (size_t k = 0; k < s->n; k++) {
		const struct cd_track_row *row = &s->seen[k].row[at];

		cr_assert_eq(b->time_ps[k] != NULL,
			     (o->columns & CD_COLUMN_TIME) != 0);
		if (!s->seen[k].has[at])
			continue;
		if (o->columns & CD_COLUMN_TIME)
			cr_assert_eq(b->time_ps[k][i], row->time_ps);
		if (o->columns & CD_COLUMN_NUMBER)
			cr_assert_eq(b->number[k][i], row->number);
		if (o->columns & CD_COLUMN_LENGTH)
			cr_assert_eq(b->length[k][i], row->length);
		if (o->columns & CD_COLUMN_POSITION)
			cr_assert_eq(b->position[k][i],
				     s->seen[k].position[at]);
	}
}

/* Rows against a look at every number of the range. */
static uint64_t check_pass(const struct setup *s,
			   const struct cd_rows_options *o,
			   struct cd_rows *rows)
{
	uint64_t all = s->n == 64 ? ~UINT64_C(0) : (UINT64_C(1) << s->n) - 1;
	bool matched = o->mode == CD_ROWS_MATCHED;
	struct cd_rows_block b = {0};
	size_t i = 0;
	uint64_t n = 0;

	for (size_t at = 0; at < SPAN; at++) {
		int64_t seq = FIRST + (int64_t)at;
		uint64_t mask = mask_of(s, at, matched);

		if (seq < o->from || seq > o->to ||
		    (matched ? mask != all : mask == 0))
			continue;
		if (i == b.n) {
			cr_assert_eq(cd_rows_next(rows, &b), 1);
			cr_assert(b.n > 0 && b.n <= CD_BLOCK_ROWS);
			cr_assert_eq(b.mask == NULL, matched);
			i = 0;
		}
		cr_assert_eq(b.seq[i], seq);
		if (!matched)
			cr_assert_eq(b.mask[i], mask);
		check_columns(s, o, &b, i, at);
		i++;
		n++;
	}
	cr_assert_eq(i, b.n);
	cr_assert_eq(cd_rows_next(rows, &b), 0);
	return n;
}

static void check_rows(const struct setup *s, int64_t from, int64_t to,
		       unsigned columns)
{
	for (int mode = CD_ROWS_UNION; mode <= CD_ROWS_MATCHED; mode++) {
		struct cd_rows_options o = {
		    .tracks = (const struct cd_track *const *)s->tracks,
		    .n = s->n,
		    .from = from,
		    .to = to,
		    .mode = (enum cd_rows_mode)mode,
		    .columns = columns};
		struct cd_rows *rows = cd_rows_new(&o);
		struct cd_rows_block b;
		uint64_t n;

		cr_assert_not_null(rows);
		n = check_pass(s, &o, rows);
		cd_rows_rewind(rows);
		cr_assert_eq(check_pass(s, &o, rows), n);
		cd_rows_rewind(rows);
		cr_assert_eq(cd_rows_next(rows, &b), n > 0);
		cd_rows_free(rows);
	}
}

static const unsigned all_columns = CD_COLUMN_TIME | CD_COLUMN_NUMBER |
				    CD_COLUMN_LENGTH | CD_COLUMN_POSITION;

static void check_recipes(const struct recipe *recipes, size_t n, uint64_t seed)
{
	struct setup s = setup_new(recipes, n, seed);

	check_rows(&s, INT64_MIN, INT64_MAX, all_columns);
	check_rows(&s, INT64_MIN, INT64_MAX, CD_COLUMN_TIME);
	check_rows(&s, INT64_MIN, INT64_MAX, 0);
	check_rows(&s, FIRST, FIRST + SPAN - 1, CD_COLUMN_NUMBER);
	check_rows(&s, 5, 5, all_columns);
	check_rows(&s, 6, 5, all_columns);
	check_rows(&s, 1000, 8191, CD_COLUMN_LENGTH);
	check_rows(&s, SPAN + 1, INT64_MAX, all_columns);
	for (int64_t from = -90; from < SPAN; from += 1789)
		check_rows(&s, from, from + 777, CD_COLUMN_TIME);
	setup_free(&s);
}

Test(rows, complete_and_equal)
{
	check_recipes((struct recipe[]){{.to = SPAN}, {.to = SPAN}}, 2, 1);
}

Test(rows, one_track)
{
	check_recipes((struct recipe[]){{.loss = 100, .late = 50, .copy = 50,
					 .invalid = 30, .to = SPAN}}, 1, 2);
}

Test(rows, one_lost_in_a_hundred)
{
	check_recipes((struct recipe[]){{.to = SPAN},
					{.loss = 10, .to = SPAN}}, 2, 3);
	check_recipes((struct recipe[]){{.loss = 10, .to = SPAN},
					{.loss = 10, .to = SPAN}}, 2, 4);
}

Test(rows, everything_at_once)
{
	for (uint64_t seed = 10; seed < 14; seed++)
		check_recipes(
		    (struct recipe[]){
			{.loss = 3, .late = 5, .copy = 5, .invalid = 4,
			 .from = 7, .to = SPAN - 3, .burst = 20},
			{.loss = 300, .late = 200, .copy = 90, .invalid = 20,
			 .from = 3, .to = SPAN},
		    },
		    2, seed);
}

Test(rows, far_apart)
{
	/* holes longer than a block, and no number in common */
	check_recipes((struct recipe[]){{.loss = 1, .burst = 3000, .to = SPAN},
					{.to = SPAN}}, 2, 20);
	check_recipes((struct recipe[]){{.to = 5000},
					{.from = 5000, .to = SPAN}}, 2, 21);
	check_recipes((struct recipe[]){{.to = 5000}, {.from = 4999,
						       .to = 5000}}, 2, 22);
	check_recipes((struct recipe[]){{.to = 5000}, {.to = 0}}, 2, 23);
}

Test(rows, no_times_at_all)
{
	check_recipes((struct recipe[]){{.to = SPAN},
					{.invalid = 1000, .to = SPAN}}, 2, 30);
}

Test(rows, many_tracks)
{
	struct recipe recipes[CD_POINTS_MAX];

	for (size_t k = 0; k < CD_POINTS_MAX; k++)
		recipes[k] = (struct recipe){.loss = (unsigned)(k % 7),
					     .late = (unsigned)(k % 5),
					     .copy = k == 3 ? 500 : 1,
					     .from = k,
					     .to = SPAN - 2 * k};
	check_recipes(recipes, 3, 40);
	check_recipes(recipes, 7, 50);
	check_recipes(recipes, 20, 60);
}

Test(rows, as_many_tracks_as_there_may_be)
{
	struct recipe recipes[CD_POINTS_MAX];
	struct setup s;

	for (size_t k = 0; k < CD_POINTS_MAX; k++)
		recipes[k] = (struct recipe){.loss = 1, .to = SPAN};
	s = setup_new(recipes, CD_POINTS_MAX, 70);
	check_rows(&s, 100, 2000, CD_COLUMN_TIME);
	setup_free(&s);
}
