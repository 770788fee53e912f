#include "align/cycles.h"

#include <stdlib.h>
#include <string.h>

#include "align/field.h"

/* Wider fields do not go round within any capture. */
#define BITS_MAX 32
#define PROBES 256	/* identities looked up per epoch */
#define ALIKE_MAX 4	/* packets that may look the same */
#define SHIFTS_MAX 4096 /* tried by time */
#define BLOCKS_MAX 16	/* looked through for a valid time */

/* ---- by identity ------------------------------------------------------------- */

/* What tells one packet from another, and where it is. */
struct mark {
	uint64_t what;
	int64_t seq;
};

static struct mark mark_of(const struct cd_identity *identity)
{
	return (struct mark){
	    .what = identity->has_tx ? (uint64_t)identity->tx
				     : identity->digest[0],
	    .seq = identity->seq,
	};
}

static int by_what(const void *a, const void *b)
{
	const struct mark *x = a, *y = b;

	if (x->what != y->what)
		return x->what < y->what ? -1 : 1;
	return (x->seq > y->seq) - (x->seq < y->seq);
}

struct marks {
	struct mark *list; /* sorted */
	size_t n;
};

static int list_marks(const struct cd_stream *stream, struct marks *marks)
{
	size_t n = 0, k = 0;

	for (size_t e = 0; e < stream->n_epochs; e++) {
		size_t n_epoch;

		cd_track_identities(stream->epochs[e], &n_epoch);
		n += n_epoch;
	}
	marks->list = malloc((n + 1) * sizeof(*marks->list));
	marks->n = n;
	if (marks->list == NULL)
		return -1;
	for (size_t e = 0; e < stream->n_epochs; e++) {
		const struct cd_identity *identities =
		    cd_track_identities(stream->epochs[e], &n);

		for (size_t i = 0; i < n; i++)
			marks->list[k++] = mark_of(&identities[i]);
	}
	qsort(marks->list, marks->n, sizeof(*marks->list), by_what);
	return 0;
}

static size_t first_alike(const struct marks *marks, uint64_t what)
{
	size_t low = 0, high = marks->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (marks->list[mid].what < what)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

struct votes {
	int64_t shift[PROBES];
	unsigned count[PROBES];
	size_t n;
	unsigned all;	 /* votes for any shift */
	unsigned telling; /* probes that no other packet looks like */
};

static void vote(struct votes *votes, int64_t shift)
{
	size_t i = 0;

	while (i < votes->n && votes->shift[i] != shift)
		i++;
	if (i == PROBES)
		return;
	if (i == votes->n) {
		votes->shift[i] = shift;
		votes->count[votes->n++] = 0;
	}
	votes->count[i]++;
	votes->all++;
}

static void vote_by_mark(const struct marks *marks, const struct mark *mark,
			 uint64_t cycle, struct votes *votes)
{
	size_t from = first_alike(marks, mark->what), to = from;

	while (to < marks->n && marks->list[to].what == mark->what &&
	       to - from <= ALIKE_MAX)
		to++;
	if (to - from > ALIKE_MAX)
		return;
	votes->telling++;
	for (size_t i = from; i < to; i++) {
		int64_t shift = marks->list[i].seq - mark->seq;

		if (cd_magnitude(shift) % cycle == 0)
			vote(votes, shift);
	}
}

/* Do the packets of a track differ from each other? One that is alike all over
 * may still have a lone stray likeness in the other capture. */
static bool is_varied(const struct cd_identity *list, size_t n)
{
	size_t alike = 0;

	for (size_t i = 1; i < n; i++)
		alike += mark_of(&list[i]).what == mark_of(&list[i - 1]).what;
	return n > 1 && alike < n / 2;
}

/* The shift that the identities want: true if they tell, 0 when none fits. */
static bool shift_by_identity(const struct cd_track *track,
			      const struct marks *marks, uint64_t cycle,
			      int64_t *shift)
{
	struct votes votes = {.n = 0};
	size_t n, best = 0;
	const struct cd_identity *list = cd_track_identities(track, &n);
	size_t step = n / PROBES + 1;

	*shift = 0;
	if (!is_varied(list, n))
		return false;
	for (size_t i = 0; i < n; i += step) {
		struct mark mark = mark_of(&list[i]);

		vote_by_mark(marks, &mark, cycle, &votes);
	}
	for (size_t i = 1; i < votes.n; i++)
		if (votes.count[i] > votes.count[best])
			best = i;
	if (votes.telling == 0)
		return false;
	if (votes.n > 0 && 2 * votes.count[best] > votes.all)
		*shift = votes.shift[best];
	return true;
}

/* ---- by time -------------------------------------------------------------------- */

struct side {
	const struct cd_point *point;
	struct cd_track_reader *reader;
	int64_t first, last;
};

/* Time of the first number >= seq that has one. */
static bool time_at(const struct side *side, int64_t seq, struct cd_instant *t)
{
	struct cd_block block;

	cd_track_reader_seek(side->reader, seq);
	for (int b = 0; b < BLOCKS_MAX &&
			cd_track_reader_next(side->reader, &block) == 1; b++)
		for (size_t i = 0; i < block.n; i++)
			if (block.time_ps[i] != CD_TIME_NONE) {
				*t = cd_instant_add(
				    side->point->base,
				    (struct cd_span){block.time_ps[i]});
				return true;
			}
	return false;
}

/* How far the ends are apart after the shift, in cycles; of captures that
 * began and ended together, 0. */
static uint64_t ends_apart(const struct side *ref, const struct side *side,
			   int64_t shift, uint64_t cycle)
{
	uint64_t apart = cd_magnitude(side->first + shift - ref->first) +
			 cd_magnitude(side->last + shift - ref->last);

	return (apart + cycle / 2) / cycle;
}

/* |T - T_ref| in the middle of what both have; false without times. */
static bool time_apart(const struct side *ref, const struct side *side,
		       int64_t shift, int64_t *apart_ps)
{
	int64_t first = side->first + shift, last = side->last + shift, mid;
	struct cd_instant t, t_ref;
	struct cd_span d;

	first = first > ref->first ? first : ref->first;
	last = last < ref->last ? last : ref->last;
	mid = first + (last - first) / 2;
	if (!time_at(ref, mid, &t_ref) || !time_at(side, mid - shift, &t))
		return false;
	if (!cd_instant_diff(t, t_ref, &d))
		d.ps = INT64_MAX;
	*apart_ps = d.ps < 0 ? -d.ps : d.ps;
	return true;
}

static bool overlaps(const struct side *ref, const struct side *side,
		     int64_t shift)
{
	return side->first + shift <= ref->last &&
	       side->last + shift >= ref->first;
}

/* Of the shifts that leave the ends least apart, the one with the smallest
 * difference in time; the smallest shift among equals. */
static int64_t shift_by_time(const struct side *ref, const struct side *side,
			     uint64_t cycle)
{
	uint64_t least = UINT64_MAX;
	int64_t nearest = INT64_MAX, best = 0;

	for (int64_t i = 0; i < SHIFTS_MAX; i++) {
		int64_t c = i % 2 == 0 ? i / 2 : -(i / 2) - 1;
		int64_t shift = c * (int64_t)cycle, apart_ps;
		uint64_t apart = ends_apart(ref, side, shift, cycle);

		if (!overlaps(ref, side, shift) || apart > least ||
		    !time_apart(ref, side, shift, &apart_ps))
			continue;
		if (apart < least || apart_ps < nearest) {
			least = apart;
			nearest = apart_ps;
			best = shift;
		}
	}
	return best;
}

static int open_side(struct side *side, const struct cd_point *point,
		     const struct cd_track *track)
{
	side->point = point;
	side->reader = cd_track_reader_new(track, CD_ORDER_SEQ, CD_COLUMN_TIME);
	if (side->reader == NULL)
		return -1;
	if (!cd_track_range(track, &side->first, &side->last))
		side->first = side->last = 0;
	return 0;
}

/* ---- streams --------------------------------------------------------------------- */

struct pair {
	const struct cd_point *ref_point, *point;
	const struct cd_stream *ref, *stream;
	uint64_t cycle;
};

static int align_by_time(const struct pair *pair)
{
	struct side ref = {0}, side = {0};
	int failed = -1;
	int64_t shift;

	if (pair->ref->n_epochs != 1 || pair->stream->n_epochs != 1 ||
	    pair->ref->packets == 0 || pair->stream->packets == 0)
		return 0;
	if (open_side(&ref, pair->ref_point, pair->ref->epochs[0]) < 0 ||
	    open_side(&side, pair->point, pair->stream->epochs[0]) < 0)
		goto out;
	shift = shift_by_time(&ref, &side, pair->cycle);
	if (shift != 0)
		cd_track_shift(pair->stream->epochs[0], shift);
	failed = 0;
out:
	cd_track_reader_free(ref.reader);
	cd_track_reader_free(side.reader);
	return failed;
}

static int align_stream(const struct pair *pair)
{
	struct marks marks;
	bool told = false;

	if (list_marks(pair->ref, &marks) < 0)
		return -1;
	for (size_t e = 0; e < pair->stream->n_epochs; e++) {
		struct cd_track *track = pair->stream->epochs[e];
		int64_t shift;

		if (!shift_by_identity(track, &marks, pair->cycle, &shift))
			continue;
		told = true;
		if (shift != 0)
			cd_track_shift(track, shift);
	}
	free(marks.list);
	return told ? 0 : align_by_time(pair);
}

/* Can the cycles of this stream be in doubt at all? Not if the numbers of both
 * captures lie in the first cycle. */
static bool is_doubtful(const struct cd_stream *stream, uint64_t cycle)
{
	for (size_t e = 0; e < stream->n_epochs; e++) {
		int64_t first, last;

		if (cd_track_range(stream->epochs[e], &first, &last) &&
		    (first < 0 || (uint64_t)last >= cycle))
			return true;
	}
	return false;
}

/* The streams of a point by key. */
struct list {
	const struct cd_stream **streams;
	size_t n;
};

static int by_key(const void *a, const void *b)
{
	const struct cd_stream *x = *(const struct cd_stream *const *)a;
	const struct cd_stream *y = *(const struct cd_stream *const *)b;

	return memcmp(&x->key, &y->key, sizeof(x->key));
}

static int list_streams(const struct cd_point *point, struct list *list)
{
	list->streams = malloc((point->n_streams + 1) * sizeof(*list->streams));
	if (list->streams == NULL)
		return -1;
	for (list->n = 0; list->n < point->n_streams; list->n++)
		list->streams[list->n] = &point->streams[list->n];
	qsort(list->streams, list->n, sizeof(*list->streams), by_key);
	return 0;
}

/* The same stream in the first capture of those before that has it. */
static bool find_ref(const struct cd_point *points, const struct list *lists,
		     size_t n, struct pair *pair)
{
	for (size_t j = 0; j < n; j++) {
		const struct cd_stream **found =
		    bsearch(&pair->stream, lists[j].streams, lists[j].n,
			    sizeof(*lists[j].streams), by_key);

		if (found == NULL)
			continue;
		pair->ref = *found;
		pair->ref_point = &points[j];
		return true;
	}
	return false;
}

static int align_point(const struct cd_point *points, const struct list *lists,
		       size_t k, uint64_t cycle)
{
	struct pair pair = {.cycle = cycle, .point = &points[k]};

	for (size_t i = 0; i < points[k].n_streams; i++) {
		pair.stream = &points[k].streams[i];
		if (find_ref(points, lists, k, &pair) &&
		    (is_doubtful(pair.ref, cycle) ||
		     is_doubtful(pair.stream, cycle)) &&
		    align_stream(&pair) < 0)
			return -1;
	}
	return 0;
}

int cd_cycles_align(struct cd_point *points, size_t n,
		    const struct cd_stamp_spec *spec)
{
	struct cd_field field = cd_field(cd_stamp_bits(spec), spec->step);
	struct list *lists;
	int failed = 0;

	if (cd_field_number_bits(&field) > BITS_MAX)
		return 0;
	lists = calloc(n, sizeof(*lists));
	if (lists == NULL)
		return -1;
	for (size_t k = 0; k < n && failed == 0; k++) {
		failed = list_streams(&points[k], &lists[k]);
		if (failed == 0)
			failed = align_point(points, lists, k,
					     2 * cd_field_half(&field));
	}
	for (size_t k = 0; k < n; k++)
		free(lists[k].streams);
	free(lists);
	return failed;
}
