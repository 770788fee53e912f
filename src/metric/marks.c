#include "metric/marks.h"

#include <stdlib.h>

#include "metric/absent.h"
#include "metric/arrivals.h"
#include "metric/copies.h"
#include "metric/errors.h"
#include "metric/frames.h"
#include "metric/lanes.h"
#include "metric/walk.h"

/* ---- gaps -----------------------------------------------------------------
 */

struct gap_marker {
	struct cd_marks *marks;
	struct cd_mark gap;  /* n > 0: under way */
	uint64_t last_frame; /* with a packet of D; 0: none yet */
};

static int note_missing(void *context, const struct cd_absent_packet *packet)
{
	struct gap_marker *marker = context;

	if (marker->gap.n == 0)
		marker->gap.seq = packet->seq;
	marker->gap.n += packet->n;
	marker->gap.other = packet->seq + (int64_t)(packet->n - 1);
	return 0;
}

static int end_gap(struct gap_marker *marker, enum cd_mark_kind kind,
		   uint64_t frame)
{
	int failed;

	marker->gap.kind = kind;
	marker->gap.frame = frame;
	failed = cd_marks_add(marker->marks, &marker->gap);
	marker->gap.n = 0;
	return failed;
}

static int note_present(void *context, const struct cd_absent_packet *packet)
{
	struct gap_marker *marker = context;

	marker->last_frame = packet->frame;
	return marker->gap.n > 0 ? end_gap(marker, CD_MARK_GAP, packet->frame)
				 : 0;
}

static int mark_gaps(const struct cd_analysis *analysis,
		     const struct cd_pair *pair, const struct cd_lane *lane,
		     struct cd_marks *marks)
{
	struct gap_marker marker = {.marks = marks,
				    .gap = {.stream = lane->stream}};
	const struct cd_absent_sink sink = {note_missing, note_present,
					    &marker};

	if (lane->dut == NULL)
		return 0;
	if (cd_absent_walk(analysis, pair, lane, &sink))
		return -1;
	if (marker.gap.n > 0 && marker.last_frame > 0)
		return end_gap(&marker, CD_MARK_TAIL, marker.last_frame);
	return 0;
}

/* ---- copies and late packets ----------------------------------------------
 */

static int mark_copy(const struct cd_lane *lane, const struct cd_copy *c,
		     uint64_t which, uint64_t in_reference,
		     struct cd_marks *marks)
{
	struct cd_mark mark = {
	    .frame = c->number,
	    .n = which,
	    .seq = c->seq,
	    .other = CD_TIME_NONE,
	    .stream = lane->stream,
	    .kind = which - 1 > in_reference ? CD_MARK_COPY : CD_MARK_REPEAT,
	};

	if (c->time_ps != CD_TIME_NONE && c->first_time_ps != CD_TIME_NONE)
		mark.other = cd_minus(c->time_ps, c->first_time_ps);
	return cd_marks_add(marks, &mark);
}

static int mark_copies(const struct cd_lane *lane, struct cd_marks *marks)
{
	struct cd_copies ref = cd_copies_of(lane->ref);
	struct cd_copies dut = cd_copies_of(lane->dut);
	uint64_t which = 1, in_reference = 0;

	for (const struct cd_copy *c = dut.at; c != dut.end; c++) {
		if (c == dut.at || c[-1].seq != c->seq) {
			in_reference = cd_copies_take(&ref, c->seq);
			which = 1;
		}
		which++;
		if (cd_is_common(lane, c->seq) &&
		    mark_copy(lane, c, which, in_reference, marks))
			return -1;
	}
	return 0;
}

static int mark_late_one(const struct cd_lane *lane, int64_t seq,
			 uint64_t frame, struct cd_marks *marks)
{
	const struct cd_mark mark = {
	    .frame = frame,
	    .seq = seq,
	    .stream = lane->stream,
	    .kind = CD_MARK_LATE,
	};

	return cd_marks_add(marks, &mark);
}

/* Where the reference is in order, what is late came after a larger number. */
static int mark_late_numbers(const struct cd_lane *lane, struct cd_marks *marks)
{
	size_t n;
	const struct cd_late *late = cd_track_late(lane->dut, &n);

	for (size_t i = 0; i < n; i++)
		if (cd_is_common(lane, late[i].seq) &&
		    mark_late_one(lane, late[i].seq, late[i].number, marks))
			return -1;
	return 0;
}

/* First copies in file order against places in the reference. */
struct arrivals {
	const struct cd_lane *lane;
	struct cd_places places;
	struct cd_firsts firsts;
	bool any_key;
	int64_t greatest_key;
};

/* Did it come after one that is behind it in the reference? */
static bool is_overtaken(struct arrivals *a, int64_t seq)
{
	int64_t key = cd_places_key(&a->places, seq);

	if (a->any_key && key < a->greatest_key)
		return true;
	a->any_key = true;
	a->greatest_key = key;
	return false;
}

static int mark_overtaken(struct arrivals *a, struct cd_marks *marks)
{
	struct cd_track_reader *reader =
	    cd_track_reader_new(a->lane->dut, CD_ORDER_FILE, CD_COLUMN_NUMBER);
	struct cd_block block;
	uint64_t position = 0;
	int failed = reader == NULL;

	while (!failed && cd_track_reader_next(reader, &block))
		for (size_t i = 0; !failed && i < block.n; i++, position++) {
			int64_t seq = block.seq[i];

			if ((block.stray == NULL || !block.stray[i]) &&
			    cd_firsts_take(&a->firsts, seq, position) &&
			    cd_is_common(a->lane, seq) && is_overtaken(a, seq))
				failed = mark_late_one(a->lane, seq,
						       block.number[i], marks);
		}
	cd_track_reader_free(reader);
	return failed ? -1 : 0;
}

static int mark_late(const struct cd_lane *lane, struct cd_marks *marks)
{
	struct arrivals arrivals = {.lane = lane};
	size_t n_ref = 0;
	int failed;

	if (lane->dut == NULL || !lane->common)
		return 0;
	if (lane->ref != NULL)
		cd_track_late(lane->ref, &n_ref);
	if (n_ref == 0)
		return mark_late_numbers(lane, marks);
	arrivals.firsts = cd_firsts_of(lane->dut);
	failed = cd_places_init(&arrivals.places, lane->ref) ||
		 mark_overtaken(&arrivals, marks);
	cd_places_release(&arrivals.places);
	return failed ? -1 : 0;
}

/* ---- time stamps ----------------------------------------------------------
 */

struct worst {
	size_t lane;
	int64_t seq, f;
};

struct worsts {
	struct worst items[CD_WORST_STAMPS]; /* by falling f, first of equals */
	size_t n;
};

static void insert_worst(struct worsts *list, const struct worst *row)
{
	size_t at = list->n;

	if (at == CD_WORST_STAMPS && row->f <= list->items[at - 1].f)
		return;
	if (at == CD_WORST_STAMPS)
		at--;
	else
		list->n++;
	for (; at > 0 && list->items[at - 1].f < row->f; at--)
		list->items[at] = list->items[at - 1];
	list->items[at] = *row;
}

static int find_worst(const struct cd_pair *pair, struct cd_errors *errors,
		      struct worsts *list)
{
	struct cd_walk walk;
	struct cd_walk_block block;
	int got;

	if (cd_walk_init(&walk, pair, 0, pair->n_lanes))
		return -1;
	walk.lengths = errors->has_sizes;
	while ((got = cd_walk_next(&walk, &block)) == 1)
		for (size_t i = 0; i < block.n; i++) {
			struct worst row = {.lane = block.lane,
					    .seq = block.seq[i]};

			row.f = cd_error_of(
			    errors, block.lane, block.ref_ps[i],
			    block.dut_ps[i],
			    block.length == NULL ? 0 : block.length[i]);
			if (row.f > pair->lim_ps)
				insert_worst(list, &row);
		}
	cd_walk_release(&walk);
	return got;
}

static int mark_stamps(const struct cd_pair *pair, struct cd_marks *marks)
{
	struct worsts *list = calloc(1, sizeof(*list));
	struct cd_errors errors;
	int failed = cd_errors_init(&errors, pair) || list == NULL;

	if (!failed && errors.known)
		failed = find_worst(pair, &errors, list);
	for (size_t i = 0; !failed && i < list->n; i++) {
		const struct cd_lane *lane = &pair->lanes[list->items[i].lane];
		struct cd_mark mark = {
		    .seq = list->items[i].seq,
		    .other = list->items[i].f,
		    .stream = lane->stream,
		    .kind = CD_MARK_STAMP,
		};

		if (cd_frame_of(lane->dut, mark.seq, &mark.frame))
			failed = cd_marks_add(marks, &mark);
	}
	cd_errors_release(&errors);
	free(list);
	return failed ? -1 : 0;
}

static int mark_delta(const struct cd_pair *pair, struct cd_marks *marks)
{
	const struct cd_worst_gap *worst = &pair->worst;
	struct cd_mark mark = {
	    .frame = worst->frame,
	    .n = (uint64_t)worst->true_ps,
	    .seq = worst->seq + 1,
	    .other = worst->shown_ps,
	    .kind = CD_MARK_DELTA,
	};

	if (!worst->found || worst->error_ps <= (uint64_t)pair->lim_ps ||
	    !cd_frame_of(pair->lanes[worst->lane].dut, mark.seq, &mark.frame))
		return 0;
	mark.stream = pair->lanes[worst->lane].stream;
	return cd_marks_add(marks, &mark);
}

/* ---- a pair ---------------------------------------------------------------
 */

int cd_marks_of_pair(const struct cd_analysis *analysis,
		     const struct cd_pair *pair, struct cd_marks *marks)
{
	for (size_t i = 0; pair->numbered && i < pair->n_lanes; i++) {
		const struct cd_lane *lane = &pair->lanes[i];

		if (mark_gaps(analysis, pair, lane, marks) ||
		    mark_copies(lane, marks) || mark_late(lane, marks))
			return -1;
	}
	if (pair->alone || !pair->numbered || pair->lim_ps <= 0)
		return 0;
	return mark_stamps(pair, marks) || mark_delta(pair, marks) ? -1 : 0;
}

static int add_frame(void *context, const struct cd_absent_packet *packet)
{
	return cd_frame_set_add(context, packet->frame);
}

static int pass_present(void *context, const struct cd_absent_packet *packet)
{
	(void)context;
	(void)packet;
	return 0;
}

int cd_missing_of_pair(const struct cd_analysis *analysis,
		       const struct cd_pair *pair, struct cd_frame_set *set)
{
	const struct cd_absent_sink sink = {add_frame, pass_present, set};

	for (size_t i = 0; !pair->alone && i < pair->n_lanes; i++)
		if (cd_absent_walk(analysis, pair, &pair->lanes[i], &sink))
			return -1;
	return 0;
}
