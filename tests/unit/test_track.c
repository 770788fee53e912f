#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "align/pack.h"
#include "align/track.h"
#include "base/time.h"

/* xorshift64*: the same numbers everywhere. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(2685821657736338717);
}

/* ---- packed columns -------------------------------------------------------- */

static void check_pack(const uint64_t *v, size_t n, uint64_t previous)
{
	uint8_t bytes[CD_PACK_MAX + CD_PACK_SLACK];
	uint64_t back[CD_PACK_RUN + 1];
	uint8_t *end;

	memset(bytes, 0xa5, sizeof(bytes));
	back[n] = 77;
	end = cd_pack(bytes, v, n, previous);
	cr_assert_leq((size_t)(end - bytes), CD_PACK_MAX - 8);
	cr_assert_eq(cd_unpack(bytes, back, n, previous, 1), end);
	cr_assert_eq(cd_pack_skip(bytes, n), end);
	for (size_t i = 0; i < n; i++)
		cr_assert_eq(back[i], v[i], "value %zu of %zu", i, n);
	cr_assert_eq(cd_unpack(bytes, back, n, previous, 1000), end);
	for (size_t i = 0; i < n; i++)
		cr_assert_eq(back[i], 1000 * v[i], "value %zu of %zu", i, n);
	cr_assert_eq(back[n], 77);
}

Test(pack, every_width_and_length)
{
	uint64_t state = 1, v[CD_PACK_RUN];

	for (unsigned width = 0; width <= 64; width++)
		for (size_t n = 1; n <= CD_PACK_RUN; n++) {
			uint64_t sum = next_random(&state), previous = sum;
			uint64_t least = next_random(&state);

			for (size_t i = 0; i < n; i++) {
				uint64_t r = next_random(&state);

				sum += least + (width == 0 ? 0
							   : r >> (64 - width));
				v[i] = sum;
			}
			check_pack(v, n, previous);
		}
}

/* A constant difference, but for some greater ones. */
static void check_few(size_t n, size_t others, unsigned width, uint64_t *state)
{
	uint64_t v[CD_PACK_RUN], sum = next_random(state), previous = sum;
	uint64_t least = next_random(state);
	bool other[CD_PACK_RUN] = {false};

	for (size_t i = 0; i < others; i++)
		other[next_random(state) % n] = true;
	other[0] |= others % 3 == 1;
	other[n - 1] |= others % 3 == 2;
	for (size_t i = 0; i < n; i++) {
		sum += least;
		sum += other[i] ? next_random(state) >> (64 - width) : 0;
		v[i] = sum;
	}
	check_pack(v, n, previous);
}

Test(pack, few_greater_differences)
{
	uint8_t bytes[CD_PACK_MAX + CD_PACK_SLACK];
	uint64_t state = 2, v[CD_PACK_RUN];

	for (unsigned width = 1; width <= 64; width++)
		for (size_t others = 1; others <= 18; others++)
			for (size_t n = 1; n <= CD_PACK_RUN; n += 1 + n / 8)
				check_few(n, others, width, &state);
	/* two losses: a place and an excess for each */
	for (size_t i = 0; i < CD_PACK_RUN; i++)
		v[i] = i + (i > 50 ? 1 : 0) + (i > 70 ? 3 : 0);
	cr_assert_eq(cd_pack(bytes, v, CD_PACK_RUN, UINT64_MAX) - bytes, 7);
}

Test(pack, extremes)
{
	uint64_t v[4] = {0, UINT64_MAX, (uint64_t)INT64_MIN, INT64_MAX};

	for (size_t n = 1; n <= 4; n++)
		for (size_t p = 0; p < 4; p++)
			check_pack(v, n, v[p]);
}

Test(pack, a_constant_difference_costs_a_few_bytes)
{
	uint8_t bytes[CD_PACK_MAX + CD_PACK_SLACK];
	uint64_t v[CD_PACK_RUN];
	uint32_t narrow[CD_PACK_RUN], back[CD_PACK_RUN];

	for (size_t i = 0; i < CD_PACK_RUN; i++) {
		v[i] = 1000 + i;
		narrow[i] = 60;
	}
	cr_assert_eq(cd_pack(bytes, v, CD_PACK_RUN, 999) - bytes, 3);
	cr_assert_eq(cd_pack32(bytes, narrow, CD_PACK_RUN, 60) - bytes, 2);
	narrow[77] = UINT32_MAX;
	narrow[78] = 0;
	cd_pack32(bytes, narrow, CD_PACK_RUN, 60);
	cd_unpack32(bytes, back, CD_PACK_RUN, 60);
	cr_assert_arr_eq(back, narrow, sizeof(narrow));
}

/* ---- tracks against a plain list of rows ------------------------------------ */

struct model_row {
	struct cd_track_row row;
	bool stray, copy, late;
	uint64_t position;
	int64_t first_time;
};

struct model {
	struct model_row *rows;
	size_t n;
	struct model_row *sorted; /* first copies by seq */
	size_t n_sorted;
	struct cd_track *track;
};

static int by_seq(const void *a, const void *b)
{
	const struct model_row *x = a, *y = b;

	if (x->row.seq != y->row.seq)
		return x->row.seq < y->row.seq ? -1 : 1;
	return x->position < y->position ? -1 : 1;
}

/* What makes a row late or a copy, straight from the definitions. */
static void model_finish(struct model *m)
{
	struct model_row *all = malloc((m->n + 1) * sizeof(*all));
	int64_t max = 0;
	bool any = false;
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++) {
		struct model_row *r = &m->rows[i];

		r->position = i;
		if (r->stray)
			continue;
		r->late = any && r->row.seq <= max;
		if (!any || r->row.seq > max)
			max = r->row.seq;
		any = true;
	}
	for (size_t i = 0; i < m->n; i++)
		if (!m->rows[i].stray)
			all[n++] = m->rows[i];
	qsort(all, n, sizeof(*all), by_seq);
	m->sorted = malloc((n + 1) * sizeof(*m->sorted));
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || all[i].row.seq != all[i - 1].row.seq) {
			m->sorted[m->n_sorted++] = all[i];
			continue;
		}
		m->rows[all[i].position].copy = true;
		m->rows[all[i].position].late = false;
		m->rows[all[i].position].first_time =
		    m->sorted[m->n_sorted - 1].row.time_ps;
	}
	free(all);
	for (size_t i = 0; i < m->n; i++)
		cr_assert_eq(cd_track_add(m->track, &m->rows[i].row,
					  m->rows[i].stray ? CD_ROW_STRAY
							   : CD_ROW_KEPT),
			     0);
	cr_assert_eq(cd_track_finish(m->track), 0);
}

static void model_free(struct model *m)
{
	cd_track_free(m->track);
	free(m->rows);
	free(m->sorted);
}

struct recipe {
	size_t n;
	int64_t unit;
	unsigned loss, late, copy, stray, invalid, odd_time; /* per 1000 */
	bool wild; /* any int64 numbers and times */
};

static struct model model_new(const struct recipe *recipe, uint64_t seed)
{
	struct model m = {.rows = calloc(recipe->n + 1, sizeof(*m.rows)),
			  .n = recipe->n,
			  .track = cd_track_new(recipe->unit)};
	int64_t seq = -500, time = recipe->wild ? 0 : -3000 * recipe->unit;
	uint64_t state = seed, number = 0;

	for (size_t i = 0; i < m.n; i++) {
		struct cd_track_row *r = &m.rows[i].row;
		uint64_t x = next_random(&state);

		seq++;
		if (x % 1000 < recipe->loss)
			seq += (int64_t)(x >> 20 & 0xff);
		if (!recipe->wild)
			time += (int64_t)(x >> 30 & 0xfff) * recipe->unit;
		number += x >> 50 == 3 ? 2 : 1;
		*r = (struct cd_track_row){
		    .seq = seq, .time_ps = time, .number = number,
		    .length = 60, .iface = 0};
		x = next_random(&state);
		if (x % 1000 < recipe->late)
			r->seq -= (int64_t)(x >> 32 & 63);
		x = next_random(&state);
		if (x % 1000 < recipe->copy && i > 0)
			r->seq = m.rows[i - 1].row.seq;
		x = next_random(&state);
		m.rows[i].stray = x % 1000 < recipe->stray;
		if ((x >> 10) % 1000 < recipe->invalid)
			r->time_ps = CD_TIME_NONE;
		else if ((x >> 20) % 1000 < recipe->odd_time)
			r->time_ps++;
		if ((x >> 30) % 100 == 0) {
			r->length = (uint32_t)(x >> 40);
			r->iface = (uint32_t)(x >> 61);
		}
		if (recipe->wild) {
			r->seq = (int64_t)next_random(&state);
			r->time_ps = (int64_t)next_random(&state);
			r->number = next_random(&state);
		}
	}
	model_finish(&m);
	return m;
}

#define ALL_COLUMNS \
	(CD_COLUMN_TIME | CD_COLUMN_NUMBER | CD_COLUMN_LENGTH | \
	 CD_COLUMN_POSITION | CD_COLUMN_IFACE)

static void check_row(const struct cd_block *b, size_t i,
		      const struct model_row *want, unsigned columns)
{
	cr_assert_eq(b->seq[i], want->row.seq);
	cr_assert_eq(b->time_ps != NULL, (columns & CD_COLUMN_TIME) != 0);
	if (b->time_ps != NULL)
		cr_assert_eq(b->time_ps[i], want->row.time_ps);
	if (b->time_ps != NULL && b->time_ps[i] == CD_TIME_NONE)
		cr_assert(b->has_invalid);
	if (columns & CD_COLUMN_NUMBER)
		cr_assert_eq(b->number[i], want->row.number);
	if (columns & CD_COLUMN_LENGTH)
		cr_assert_eq(b->length[i], want->row.length);
	if (columns & CD_COLUMN_IFACE)
		cr_assert_eq(b->iface[i], want->row.iface);
	if (columns & CD_COLUMN_POSITION)
		cr_assert_eq(b->position[i], want->position,
			     "position %llu, not %llu",
			     (unsigned long long)b->position[i],
			     (unsigned long long)want->position);
}

static void check_order(const struct model *m, enum cd_order order,
			unsigned columns)
{
	const struct model_row *want =
	    order == CD_ORDER_FILE ? m->rows : m->sorted;
	size_t n = order == CD_ORDER_FILE ? m->n : m->n_sorted, at = 0;
	struct cd_track_reader *r =
	    cd_track_reader_new(m->track, order, columns);
	struct cd_block b;

	while (cd_track_reader_next(r, &b) == 1) {
		cr_assert(b.n > 0 && b.n <= CD_BLOCK_ROWS);
		cr_assert_leq(at + b.n, n);
		for (size_t i = 0; i < b.n; i++, at++) {
			check_row(&b, i, &want[at], columns);
			if (order == CD_ORDER_FILE)
				cr_assert_eq(b.stray != NULL && b.stray[i],
					     want[at].stray);
		}
	}
	cr_assert_eq(at, n);
	cr_assert_eq(cd_track_reader_next(r, &b), 0);
	cd_track_reader_free(r);
}

static void check_lists(const struct model *m)
{
	const struct cd_copy *copies;
	const struct cd_late *late;
	size_t n_copies, n_late, c = 0, l = 0, strays = 0, invalid = 0;

	copies = cd_track_copies(m->track, &n_copies);
	late = cd_track_late(m->track, &n_late);
	for (size_t i = 0; i < m->n; i++) {
		const struct model_row *r = &m->rows[i];

		strays += r->stray;
		c += r->copy;
		l += r->late;
		invalid += r->row.time_ps == CD_TIME_NONE;
	}
	cr_assert_eq(n_copies, c);
	cr_assert_eq(n_late, l);
	cr_assert_eq(cd_track_strays(m->track), strays);
	cr_assert_eq(cd_track_rows(m->track), m->n);
	cr_assert_eq(cd_track_unique(m->track), m->n_sorted);
	cr_assert_eq(cd_track_invalid(m->track), invalid);
	for (size_t i = 0; i < n_copies; i++) {
		const struct model_row *r = &m->rows[copies[i].position];

		cr_assert(r->copy);
		cr_assert_eq(copies[i].seq, r->row.seq);
		cr_assert_eq(copies[i].time_ps, r->row.time_ps);
		cr_assert_eq(copies[i].number, r->row.number);
		cr_assert_eq(copies[i].first_time_ps, r->first_time);
		cr_assert(i == 0 || copies[i - 1].seq < copies[i].seq ||
			  (copies[i - 1].seq == copies[i].seq &&
			   copies[i - 1].position < copies[i].position));
	}
	for (size_t i = 0; i < n_late; i++) {
		const struct model_row *r = &m->rows[late[i].position];

		cr_assert(r->late);
		cr_assert_eq(late[i].seq, r->row.seq);
		cr_assert_eq(late[i].time_ps, r->row.time_ps);
		cr_assert(i == 0 || late[i - 1].seq < late[i].seq);
	}
}

static void check_range(const struct model *m)
{
	int64_t first, last;

	cr_assert_eq(cd_track_range(m->track, &first, &last), m->n_sorted > 0);
	if (m->n_sorted == 0)
		return;
	cr_assert_eq(first, m->sorted[0].row.seq);
	cr_assert_eq(last, m->sorted[m->n_sorted - 1].row.seq);
}

/* Seek to every number near a row, forth and back. */
static void check_seek(const struct model *m, uint64_t seed)
{
	struct cd_track_reader *r =
	    cd_track_reader_new(m->track, CD_ORDER_SEQ, ALL_COLUMNS);
	uint64_t state = seed;
	struct cd_block b;

	for (int i = 0; i < 2000 && m->n_sorted > 0; i++) {
		size_t at = next_random(&state) % m->n_sorted;
		int64_t seq = m->sorted[at].row.seq;

		if (i % 3 == 0 && seq > INT64_MIN)
			seq--;
		while (at > 0 && m->sorted[at - 1].row.seq >= seq)
			at--;
		cd_track_reader_seek(r, seq);
		for (int blocks = 0; blocks < 2 && at < m->n_sorted; blocks++) {
			cr_assert_eq(cd_track_reader_next(r, &b), 1);
			for (size_t k = 0; k < b.n; k += 1 + k / 2)
				check_row(&b, k, &m->sorted[at + k],
					  ALL_COLUMNS);
			at += b.n;
		}
	}
	cd_track_reader_seek(r, INT64_MAX);
	if (m->n_sorted > 0 &&
	    m->sorted[m->n_sorted - 1].row.seq < INT64_MAX)
		cr_assert_eq(cd_track_reader_next(r, &b), 0);
	cd_track_reader_seek(r, INT64_MIN);
	cr_assert_eq(cd_track_reader_next(r, &b), m->n_sorted > 0);
	cd_track_reader_free(r);
}

/* e of RFC 4737 section 4.2.2, by its definition. */
static uint64_t slow_extent(const struct model *m, uint64_t window)
{
	int64_t *s = malloc((m->n + 1) * sizeof(*s));
	uint64_t largest = 0;
	size_t n = 0;

	for (size_t i = 0; i < m->n && n < window; i++) {
		if (m->rows[i].stray || m->rows[i].copy)
			continue;
		s[n] = m->rows[i].row.seq;
		for (size_t j = 0; j < n; j++)
			if (s[j] > s[n]) {
				if (n - j > largest)
					largest = n - j;
				break;
			}
		n++;
	}
	free(s);
	return largest;
}

static void check_all(const struct recipe *recipe, uint64_t seed)
{
	struct model m = model_new(recipe, seed);

	check_lists(&m);
	check_range(&m);
	check_order(&m, CD_ORDER_FILE, ALL_COLUMNS);
	check_order(&m, CD_ORDER_SEQ, ALL_COLUMNS);
	for (unsigned columns = 0; columns < 32; columns += 5) {
		check_order(&m, CD_ORDER_FILE, columns);
		check_order(&m, CD_ORDER_SEQ, columns);
	}
	check_seek(&m, seed);
	for (uint64_t window = 10; window < 3000; window *= 6)
		cr_assert_eq(cd_track_head_extent(m.track, window),
			     slow_extent(&m, window));
	model_free(&m);
}

Test(track, plain_streams_of_any_length)
{
	for (size_t n = 0; n < 300; n += 7)
		check_all(&(struct recipe){.n = n, .unit = 1000}, n + 1);
	check_all(&(struct recipe){.n = 1024, .unit = 1000}, 1);
	check_all(&(struct recipe){.n = 10000, .unit = 1000000}, 2);
}

Test(track, everything_at_once)
{
	struct recipe r = {.n = 20000, .unit = 1000000, .loss = 10,
			   .late = 20, .copy = 15, .stray = 3, .invalid = 5,
			   .odd_time = 1};

	check_all(&r, 3);
	r.n = 1000;
	for (uint64_t seed = 10; seed < 30; seed++)
		check_all(&r, seed);
}

Test(track, mostly_beside_the_backbone)
{
	check_all(&(struct recipe){.n = 20000, .unit = 1, .late = 700,
				   .copy = 500, .stray = 200}, 4);
	check_all(&(struct recipe){.n = 500, .unit = 1, .stray = 1000}, 5);
}

Test(track, invalid_times)
{
	check_all(&(struct recipe){.n = 5000, .unit = 1000, .invalid = 1000},
		  6);
	check_all(&(struct recipe){.n = 5000, .unit = 1000, .invalid = 500,
				   .late = 100}, 7);
}

Test(track, any_numbers_and_times)
{
	check_all(&(struct recipe){.n = 3000, .unit = 1, .wild = true}, 8);
	check_all(&(struct recipe){.n = 3000, .unit = 1000, .wild = true}, 9);
	check_all(&(struct recipe){.n = 3000, .unit = INT64_MAX,
				   .wild = true}, 10);
	check_all(&(struct recipe){.n = 300, .unit = INT64_C(1) << 62,
				   .wild = true}, 11);
}

Test(track, times_near_the_ends_of_a_span)
{
	const int64_t unit[] = {1, 1000, 1000000, 6400, 15625, 1 << 20};

	for (size_t u = 0; u < 6; u++) {
		struct model m = {.rows = calloc(2000, sizeof(*m.rows)),
				  .n = 2000,
				  .track = cd_track_new(unit[u])};
		int64_t end = INT64_MAX - INT64_MAX % unit[u];

		for (size_t i = 0; i < m.n; i++)
			m.rows[i].row = (struct cd_track_row){
			    .seq = (int64_t)i * (i > 1000 ? 1 << 30 : 1),
			    .time_ps = i % 600 < 300 ? end : -end,
			    .number = i + 1,
			    .length = 60};
		model_finish(&m);
		check_order(&m, CD_ORDER_FILE, ALL_COLUMNS);
		model_free(&m);
	}
}

Test(track, memory_per_packet)
{
	struct cd_track *track = cd_track_new(1000);
	uint64_t state = 1;
	int64_t time = 0;

	/* 12.3 us apart, jitter below 1 us, nanoseconds */
	for (int64_t i = 0; i < 200000; i++) {
		time += 12300000;
		cr_assert_eq(
		    cd_track_add(
			track,
			&(struct cd_track_row){
			    .seq = i,
			    .time_ps = time + (int64_t)(next_random(&state) %
							1000) * 1000,
			    .number = (uint64_t)i + 1,
			    .length = 60},
			CD_ROW_KEPT),
		    0);
	}
	cr_assert_eq(cd_track_finish(track), 0);
	cr_assert_lt(cd_track_bytes(track), 3 * 200000);
	cd_track_free(track);
}

Test(track, identities_come_back)
{
	struct cd_track *track = cd_track_new(1);
	const struct cd_identity *list;
	size_t n;

	for (int64_t i = 0; i < 100; i++)
		cr_assert_eq(cd_track_add_identity(
				 track, &(struct cd_identity){.seq = 64 * i,
							      .tx = -i,
							      .has_tx = true}),
			     0);
	cr_assert_eq(cd_track_finish(track), 0);
	list = cd_track_identities(track, &n);
	cr_assert_eq(n, 100);
	for (int64_t i = 0; i < 100; i++) {
		cr_assert_eq(list[i].seq, 64 * i);
		cr_assert_eq(list[i].tx, -i);
	}
	cd_track_free(track);
}
