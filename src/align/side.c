/* Rows beside the backbone: copies, late rows and strays, sorted once. */
#include "align/track_private.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"

struct key {
	uint64_t seq; /* minus the smallest */
	size_t index; /* in `beside` */
};

/* One pass of a radix sort by the byte at `shift`; stable. */
static void sort_byte(const struct key *from, struct key *to, size_t n,
		      unsigned shift)
{
	size_t start[257] = {0};

	for (size_t i = 0; i < n; i++)
		start[(from[i].seq >> shift & 0xff) + 1]++;
	for (size_t b = 0; b < 256; b++)
		start[b + 1] += start[b];
	for (size_t i = 0; i < n; i++)
		to[start[from[i].seq >> shift & 0xff]++] = from[i];
}

/* By seq, ties as they are. The result is in `keys`; spare holds as many. */
static void sort_keys(struct key *keys, struct key *spare, size_t n)
{
	struct key *from = keys, *to = spare;
	uint64_t all = 0;
	bool sorted = true;

	for (size_t i = 0; i < n; i++) {
		all |= keys[i].seq;
		sorted = sorted && (i == 0 || keys[i - 1].seq <= keys[i].seq);
	}
	if (sorted)
		return;
	for (unsigned shift = 0; shift < 64 && all >> shift != 0; shift += 8) {
		struct key *swap = from;

		sort_byte(from, to, n, shift);
		from = to;
		to = swap;
	}
	if (from != keys)
		memcpy(keys, from, n * sizeof(*keys));
}

/* Keys of the rows that are no strays, in (seq, position) order; the caller
 * frees. */
static struct key *ordered_keys(const struct cd_track *track, size_t *n_keys)
{
	const struct side_row *beside = track->beside;
	struct key *keys = malloc(2 * track->n_beside * sizeof(*keys));
	int64_t least = INT64_MAX;
	size_t n = 0;

	if (keys == NULL)
		return NULL;
	for (size_t i = 0; i < track->n_beside; i++)
		if (beside[i].kind != SIDE_STRAY && beside[i].row.seq < least)
			least = beside[i].row.seq;
	for (size_t i = 0; i < track->n_beside; i++)
		if (beside[i].kind != SIDE_STRAY)
			keys[n++] = (struct key){
			    .seq = (uint64_t)beside[i].row.seq -
				   (uint64_t)least,
			    .index = i};
	sort_keys(keys, keys + n, n);
	*n_keys = n;
	return keys;
}

static bool is_invalid(const struct cd_track *track, uint64_t row)
{
	size_t low = 0, high = track->n_gaps;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (track->gaps[mid].first <= row)
			low = mid + 1;
		else
			high = mid;
	}
	return low > 0 &&
	       row - track->gaps[low - 1].first < track->gaps[low - 1].n;
}

/* The backbone block looked at last. */
struct lookup {
	const struct cd_track *track;
	size_t block; /* n_blocks: none yet */
	uint64_t seq[TRACK_BLOCK], time[TRACK_BLOCK];
};

/* Is `seq` in the backbone, and when? */
static bool look_up(struct lookup *l, int64_t seq, int64_t *time_ps)
{
	size_t b = track_block_of(l->track, seq), low = 0, high;

	if (l->track->n_blocks == 0)
		return false;
	if (b != l->block)
		track_decode(l->track, b,
			     &(struct track_columns){.seq = l->seq,
						     .time = l->time});
	l->block = b;
	high = track_block_rows(l->track, b);
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if ((int64_t)l->seq[mid] < seq)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == track_block_rows(l->track, b) || (int64_t)l->seq[low] != seq)
		return false;
	*time_ps = (int64_t)l->time[low];
	if (is_invalid(l->track, (uint64_t)b * TRACK_BLOCK + low))
		*time_ps = CD_TIME_NONE;
	return true;
}

/* Rows of one number, in file order: the first is late unless the backbone has
 * the number, the others are copies. */
static void mark_late(struct cd_track *track, const struct key *keys, size_t n,
		      struct lookup *l, int64_t *first_time)
{
	for (size_t i = 0; i < n; i++) {
		struct side_row *side = &track->beside[keys[i].index];

		if (i > 0 && keys[i].seq == keys[i - 1].seq) {
			first_time[i] = first_time[i - 1];
		} else if (!look_up(l, side->row.seq, &first_time[i])) {
			side->kind = SIDE_LATE;
			first_time[i] = side->row.time_ps;
		}
	}
}

static void put_copy(struct cd_copy *list, size_t *n,
		     const struct side_row *side, int64_t first_time)
{
	list[(*n)++] = (struct cd_copy){
	    .seq = side->row.seq,
	    .time_ps = side->row.time_ps,
	    .position = side->position,
	    .number = side->row.number,
	    .first_time_ps = first_time,
	    .length = side->row.length,
	    .iface = side->row.iface,
	};
}

static void put_late(struct cd_track *track, const struct side_row *side)
{
	track->late[track->n_late++] = (struct cd_late){
	    .seq = side->row.seq,
	    .time_ps = side->row.time_ps,
	    .position = side->position,
	    .number = side->row.number,
	    .length = side->row.length,
	    .iface = side->row.iface,
	};
}

static int allocate_lists(struct cd_track *track)
{
	size_t n[3] = {0};

	for (size_t i = 0; i < track->n_beside; i++)
		n[track->beside[i].kind]++;
	assert(track->n_beside <= UINT32_MAX);
	track->side = malloc(track->n_beside * sizeof(*track->side));
	track->copies = malloc((n[SIDE_COPY] + 1) * sizeof(*track->copies));
	track->late = malloc((n[SIDE_LATE] + 1) * sizeof(*track->late));
	track->strays = malloc((n[SIDE_STRAY] + 1) * sizeof(*track->strays));
	if (track->side == NULL || track->copies == NULL ||
	    track->late == NULL || track->strays == NULL)
		return -1;
	track->n_side = track->n_beside;
	return 0;
}

static void fill_lists(struct cd_track *track, const struct key *keys,
		       size_t n_keys, const int64_t *first_time)
{
	for (size_t i = 0; i < n_keys; i++) {
		const struct side_row *row = &track->beside[keys[i].index];
		struct side_ref *ref = &track->side[keys[i].index];

		if (row->kind == SIDE_LATE) {
			ref->index = (uint32_t)track->n_late;
			put_late(track, row);
		} else {
			ref->index = (uint32_t)track->n_copies;
			put_copy(track->copies, &track->n_copies, row,
				 first_time[i]);
		}
	}
	for (size_t i = 0; i < track->n_beside; i++) {
		const struct side_row *row = &track->beside[i];

		track->side[i].position = row->position;
		track->side[i].kind = row->kind;
		if (row->kind != SIDE_STRAY)
			continue;
		track->side[i].index = (uint32_t)track->n_strays;
		put_copy(track->strays, &track->n_strays, row,
			 row->row.time_ps);
	}
}

int track_sort_side(struct cd_track *track)
{
	struct lookup l = {.track = track, .block = track->n_blocks};
	int64_t *first_time;
	struct key *keys;
	size_t n;
	int status = -1;

	if (track->n_beside == 0)
		return 0;
	keys = ordered_keys(track, &n);
	if (keys == NULL)
		return -1;
	first_time = malloc((n + 1) * sizeof(*first_time));
	if (first_time == NULL)
		goto done;
	mark_late(track, keys, n, &l, first_time);
	if (allocate_lists(track) < 0)
		goto done;
	fill_lists(track, keys, n, first_time);
	status = 0;
done:
	free(first_time);
	free(keys);
	return status;
}

/* ---- e_k --------------------------------------------------------------------- */

/* First copies at file positions below that of backbone row `row`. */
static uint64_t rank_of_row(const struct cd_track *track, uint64_t row,
			    size_t late_before_side, size_t side)
{
	size_t before = track_side_before(track, row);
	uint64_t late = late_before_side;

	for (size_t i = before; i < side; i++)
		late -= track->side[i].kind == SIDE_LATE;
	return row + late;
}

/* The first backbone row with a larger number. */
static uint64_t row_above(struct lookup *l, int64_t seq)
{
	size_t b = track_block_of(l->track, seq), n, i = 0;

	if (b != l->block)
		track_decode(l->track, b,
			     &(struct track_columns){.seq = l->seq});
	l->block = b;
	n = track_block_rows(l->track, b);
	while (i < n && (int64_t)l->seq[i] <= seq)
		i++;
	return (uint64_t)b * TRACK_BLOCK + i;
}

uint64_t cd_track_head_extent(const struct cd_track *track, uint64_t window)
{
	struct lookup l = {.track = track, .block = track->n_blocks};
	uint64_t largest = 0;
	size_t late = 0;

	for (size_t i = 0; i < track->n_side; i++) {
		const struct side_ref *ref = &track->side[i];
		uint64_t rank = ref->position - i + late, above;

		if (rank >= window)
			break;
		if (ref->kind != SIDE_LATE)
			continue;
		above = rank_of_row(track,
				    row_above(&l, track->late[ref->index].seq),
				    late, i);
		if (rank - above > largest)
			largest = rank - above;
		late++;
	}
	return largest;
}
