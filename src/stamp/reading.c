#include "stamp/reader.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH_MAX = 8, WIDTH_USUAL = 4 };

struct cd_reader *cd_reader_new(const struct cd_bodies *bodies,
				const struct cd_ground *ground)
{
	struct cd_reader *r = calloc(1, sizeof(*r));
	size_t n = bodies->n + 1;

	if (r == NULL)
		return NULL;
	r->bodies = bodies;
	r->ground = ground;
	r->values = malloc(n * sizeof(*r->values));
	r->valid = malloc(n * sizeof(*r->valid));
	r->pairs = malloc(n * sizeof(*r->pairs));
	r->deltas = malloc(n * sizeof(*r->deltas));
	r->counts = calloc(UINT16_MAX + 1, sizeof(*r->counts));
	if (r->values != NULL && r->valid != NULL && r->pairs != NULL &&
	    r->deltas != NULL && r->counts != NULL)
		return r;
	cd_reader_free(r);
	return NULL;
}

void cd_reader_free(struct cd_reader *reader)
{
	if (reader == NULL)
		return;
	free(reader->values);
	free(reader->valid);
	free(reader->pairs);
	free(reader->deltas);
	free(reader->counts);
	free(reader);
}

void cd_reading_release(struct cd_reading *reading)
{
	free(reading->marks);
	reading->marks = NULL;
}

static uint64_t mask_of(unsigned bytes)
{
	return UINT64_MAX >> (64 - 8 * bytes);
}

/* ---- reading ----------------------------------------------------------------
 */

/* Bytes there are from the lowest one up, 0 if not even that. */
static uint32_t room_of(const struct cd_reader *r, const struct cd_body *b)
{
	uint32_t at = r->spot.at, skip = r->bodies->skip;

	if (at >= b->n || (r->spot.from_end && !b->ended))
		return 0;
	if (r->spot.from_end)
		at = b->n - 1 - at;
	if (at < skip)
		return 0;
	return r->little ? b->n - at : at - skip + 1;
}

static uint64_t read_value(const struct cd_reader *r, const struct cd_body *b)
{
	const uint8_t *p =
	    b->p + (r->spot.from_end ? b->n - 1 - r->spot.at : r->spot.at);
	uint64_t v = 0;

	for (unsigned i = 0; i < r->bytes; i++)
		v |= (uint64_t) * (r->little ? p + i : p - i) << 8 * i;
	return v;
}

/* As many bytes as nine in ten have that have two; where the payload is
 * shorter, there is no field. */
static void choose_bytes(struct cd_reader *r)
{
	size_t rooms[WIDTH_MAX + 1] = {0}, all = 0, n = 0;

	for (size_t i = 0; i < r->bodies->n; i++) {
		uint32_t room = room_of(r, &r->bodies->all[i]);

		rooms[room < WIDTH_MAX ? room : WIDTH_MAX]++;
	}
	for (unsigned k = 2; k <= WIDTH_MAX; k++)
		all += rooms[k];
	for (r->bytes = WIDTH_MAX; r->bytes > 2; r->bytes--) {
		n += rooms[r->bytes];
		if (n * 10 >= all * 9)
			break;
	}
}

static void read_values(struct cd_reader *r)
{
	choose_bytes(r);
	for (size_t i = 0; i < r->bodies->n; i++) {
		const struct cd_body *b = &r->bodies->all[i];

		r->valid[i] = room_of(r, b) >= r->bytes;
		if (r->valid[i])
			r->values[i] = read_value(r, b);
	}
}

static void list_pairs(struct cd_reader *r)
{
	bool shared = r->spot.shared, any = false;
	uint32_t before = 0;

	r->n_pairs = 0;
	for (size_t i = 0; i < r->bodies->n; i++) {
		uint32_t y = cd_bodies_at(r->bodies, shared, i);

		if (!r->valid[y])
			continue;
		if (any && cd_bodies_joined(r->bodies, shared, before, y))
			r->pairs[r->n_pairs++] =
			    (struct cd_neighbours){before, y};
		before = y;
		any = true;
	}
}

/* ---- the step ---------------------------------------------------------------
 */

#define ALL_CAPTURES SIZE_MAX

static bool is_in(const struct cd_reader *r, size_t i, size_t capture)
{
	return capture == ALL_CAPTURES ||
	       r->bodies->all[r->pairs[i].x].capture == capture;
}

/* The most frequent difference of the lowest two bytes in that capture that is
 * not 0; the differences of all pairs that have it become r->deltas. How many.
 */
static size_t find_low_step(struct cd_reader *r, size_t capture)
{
	uint32_t most = 0;
	size_t n = 0;

	r->step = 0;
	for (size_t i = 0; i < r->n_pairs; i++) {
		uint16_t low = (uint16_t)cd_reader_delta(r, &r->pairs[i]);

		if (low != 0 && is_in(r, i, capture) &&
		    ++r->counts[low] > most) {
			most = r->counts[low];
			r->step = low;
		}
	}
	for (size_t i = 0; i < r->n_pairs; i++) {
		uint64_t delta = cd_reader_delta(r, &r->pairs[i]);

		r->counts[(uint16_t)delta] = 0;
		if ((uint16_t)delta == r->step)
			r->deltas[n++] = delta;
	}
	return r->step == 0 ? 0 : n;
}

/* One more byte that differs by the same in three of four. How many of the
 * differences are left. */
static size_t widen_step(struct cd_reader *r, size_t n)
{
	unsigned shift = 8 * r->limit;
	size_t most = 0, kept = 0;
	uint64_t step = 0;

	for (size_t i = 0; i < n; i++) {
		uint8_t byte = (uint8_t)(r->deltas[i] >> shift);

		if (++r->counts[byte] > most) {
			most = r->counts[byte];
			step = byte;
		}
	}
	memset(r->counts, 0, 256 * sizeof(*r->counts));
	if (most * 4 < n * 3)
		return 0;
	for (size_t i = 0; i < n; i++)
		if ((uint8_t)(r->deltas[i] >> shift) == step)
			r->deltas[kept++] = r->deltas[i];
	r->step |= step << shift;
	r->limit++;
	return kept;
}

static bool find_step(struct cd_reader *r, size_t capture)
{
	size_t n = find_low_step(r, capture);

	r->limit = 2;
	while (n >= CD_HITS_MIN && r->limit < r->bytes) {
		size_t kept = widen_step(r, n);

		if (kept == 0)
			break;
		n = kept;
	}
	r->step = (uint64_t)cd_extend(r->step, r->limit);
	return n >= CD_HITS_MIN;
}

/* ---- the width --------------------------------------------------------------
 */

/* Carries into byte k, or borrows when the step is negative. */
struct carries {
	size_t taken[WIDTH_MAX], lost[WIDTH_MAX];
};

/* `off`: what the difference is off the step. */
static void count_carry(const struct cd_reader *r, uint64_t x, uint64_t off,
			struct carries *c)
{
	bool down = (int64_t)r->step < 0;
	unsigned exact =
	    off == 0 ? WIDTH_MAX : (unsigned)__builtin_ctzll(off) / 8;

	for (unsigned k = 1; k <= exact && k < r->limit; k++) {
		uint64_t m = mask_of(k);
		bool carry = (x & m) + (r->step & m) > m;

		if (carry == down)
			continue;
		if (exact > k)
			c->taken[k]++;
		else if ((uint8_t)(off >> 8 * k) == (down ? 1 : 0xff))
			c->lost[k]++;
	}
}

static void count_carries(struct cd_reader *r, struct carries *c)
{
	memset(c, 0, sizeof(*c));
	r->ones = r->zeros = 0;
	for (size_t i = 0; i < r->n_pairs; i++) {
		uint64_t x = r->values[r->pairs[i].x];
		uint64_t off = cd_reader_delta(r, &r->pairs[i]) - r->step;

		count_carry(r, x, off, c);
		if ((uint16_t)off != 0)
			continue;
		r->ones |= x;
		r->zeros |= ~x;
	}
}

/* Is byte k of the step more than its sign? */
static bool is_sized(const struct cd_reader *r, unsigned k)
{
	return cd_extend(r->step, k) != cd_extend(r->step, k + 1);
}

/*
 * How wide the field may be, and how many of its bytes are seen to move. A
 * byte that a carry should reach, and does not, is none of it: above it the
 * number goes round. Nor is one that has a rhythm of its own.
 */
static void find_limit(struct cd_reader *r)
{
	struct carries c;

	count_carries(r, &c);
	r->moved = 1;
	for (unsigned k = 1; k < r->limit; k++) {
		if (c.lost[k] > c.taken[k] ||
		    (k > 1 && c.taken[k] == 0 && is_sized(r, k))) {
			r->limit = k;
			break;
		}
		if (c.taken[k] > 0)
			r->moved = k + 1;
	}
	r->step = (uint64_t)cd_extend(r->step, r->limit);
}

/* Numbers in words: the last digit goes round after ten, or sixteen. */
static bool is_text(const struct cd_reader *r)
{
	for (size_t i = 0; i < r->n_pairs; i++) {
		uint64_t x = r->values[r->pairs[i].x] & 0xff;
		uint64_t off = cd_reader_delta(r, &r->pairs[i]) - r->step;
		bool letter = (x | 0x20) >= 'a' && (x | 0x20) <= 'f';

		if ((uint16_t)off == 0 && !letter && !(x >= '0' && x <= '9'))
			return false;
	}
	return true;
}

/* In all numbers the same, and as a small one has it. */
static bool is_leading(const struct cd_reader *r, unsigned k)
{
	uint8_t ones = (uint8_t)(r->ones >> 8 * k);
	uint8_t zeros = (uint8_t)(r->zeros >> 8 * k);

	return ones == 0 || (zeros == 0 && (int64_t)r->step < 0);
}

/* One stream, but the captures begin so far apart that byte k differs. */
static bool is_moved(const struct cd_reader *r, unsigned k)
{
	return !r->bodies->flows_vary && r->bodies->n_captures > 1 &&
	       ((r->ones & r->zeros) >> 8 * k & 0xff) != 0;
}

/*
 * The bytes that move, and zeros above them up to the 4 (or 8) bytes that most
 * counters have: in the first packets of a counter they tell nothing. Other
 * bytes that stay the same may be another field: too narrow a field goes round
 * and is unwrapped all the same, one that is too wide would seem to begin
 * anew whenever the true one goes round.
 */
static unsigned choose_width(struct cd_reader *r)
{
	unsigned width = r->moved, usual;

	while (width < r->limit && is_moved(r, width))
		width++;
	while (cd_extend(r->step, width) != (int64_t)r->step)
		width++;
	if (width < 2)
		width = 2;
	usual = width <= WIDTH_USUAL ? WIDTH_USUAL : WIDTH_MAX;
	while (width < usual && width < r->limit && is_leading(r, width))
		width++;
	return width;
}

/* ---- all of it --------------------------------------------------------------
 */

/* With r->step. As cd_reader_try(). */
static int try_step(struct cd_reader *r, struct cd_reading *reading)
{
	find_limit(r);
	if (r->limit < 2 || r->step == 0 || is_text(r))
		return 0;
	*reading = (struct cd_reading){
	    .spot = r->spot,
	    .little = r->little,
	    .carried = r->moved > 1,
	    .next_zero = is_leading(r, 1),
	    .width = (uint8_t)choose_width(r),
	    .step = (int64_t)r->step,
	    .marks = calloc(r->bodies->n + 1, 1),
	};
	if (reading->marks == NULL)
		return -1;
	if (cd_reader_measure(r, reading))
		return 1;
	cd_reading_release(reading);
	return 0;
}

/* The step that is most frequent in all captures together; if it is no counter
 * with that, then in each of them, as one that disorders packets may repeat
 * another step as often. */
int cd_reader_try(struct cd_reader *reader, const struct cd_spot *spot,
		  bool little, struct cd_reading *reading)
{
	struct cd_reader *r = reader;
	size_t n = r->bodies->n_captures;
	uint16_t tried = 0;

	r->spot = *spot;
	r->little = little;
	read_values(r);
	list_pairs(r);
	for (size_t i = 0; i < 1 + (n > 1 ? n : 0); i++) {
		int counts;

		if (!find_step(r, i == 0 ? ALL_CAPTURES : i - 1) ||
		    (i > 0 && (uint16_t)r->step == tried))
			continue;
		if (i == 0)
			tried = (uint16_t)r->step;
		counts = try_step(r, reading);
		if (counts != 0)
			return counts;
	}
	return 0;
}
