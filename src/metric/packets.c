#include "metric/packets.h"

#include <stdlib.h>

#include "align/rows.h"
#include "metric/absent.h"
#include "metric/copies.h"
#include "metric/errors.h"
#include "metric/lanes.h"
#include "metric/numbers.h"

/* One track of the group that is being walked. */
struct member {
	uint32_t point;
	struct cd_copies copies;
	int64_t before_ps; /* of the number before; CD_TIME_NONE */
};

/* The lane of a pair in the group. */
struct side {
	const struct cd_lane *lane; /* NULL: not in the group */
	size_t index;		    /* among the pair's lanes */
	struct cd_absence absence;
};

struct walk {
	const struct cd_analysis *analysis;
	cd_packet_sink *sink;
	void *context;
	struct cd_errors *errors; /* one for each pair */
	size_t *at;		  /* next lane of each pair */
	/* the group: the reference's track first, if it has one */
	struct side *sides;
	struct member members[CD_POINTS_MAX];
	const struct cd_track *tracks[CD_POINTS_MAX];
	size_t n;
	bool has_ref;
	bool any; /* a row was seen */
	int64_t last_seq;
	struct cd_packet_cell *cells;
};

/* ---- a row ----------------------------------------------------------------
 */

static void fill_cell(struct walk *walk, size_t k,
		      const struct cd_rows_block *block, size_t i)
{
	struct member *member = &walk->members[k];
	struct cd_packet_cell *cell = &walk->cells[member->point];
	int64_t ps = block->time_ps[k][i];
	bool follows = walk->any && cd_follows(walk->last_seq, block->seq[i]);

	cell->has = true;
	cell->copies = 1 + cd_copies_take(&member->copies, block->seq[i]);
	cell->frame = block->number[k][i];
	cell->time_ps = ps;
	cell->has_delta =
	    follows && ps != CD_TIME_NONE && member->before_ps != CD_TIME_NONE;
	if (cell->has_delta)
		cell->delta_ps = cd_minus(ps, member->before_ps);
	member->before_ps = ps;
}

/* What the reference has to say of the pair's cell. */
static void judge_cell(struct walk *walk, size_t p, int64_t seq,
		       uint32_t length)
{
	const struct cd_pair *pair = &walk->analysis->pairs[p];
	const struct side *side = &walk->sides[p];
	const struct cd_packet_cell *ref = &walk->cells[pair->ref];
	struct cd_packet_cell *cell = &walk->cells[pair->dut];

	if (cell->has)
		cell->missing = 0;
	else if (ref->has && side->lane != NULL && pair->numbered &&
		 cd_is_missing(&side->absence, seq, ref->time_ps))
		cell->missing = 1;
	cell->has_error =
	    cell->has && ref->has && side->lane != NULL &&
	    walk->errors[p].known && cd_is_common(side->lane, seq) &&
	    side->lane->theta_ps != NULL && ref->time_ps != CD_TIME_NONE &&
	    cell->time_ps != CD_TIME_NONE;
	if (cell->has_error)
		cell->error_ps =
		    cd_error_of(&walk->errors[p], side->index, ref->time_ps,
				cell->time_ps, length);
}

static int pass_row(struct walk *walk, const struct cd_rows_block *block,
		    size_t i, struct cd_packet_row *row, struct cd_error *error)
{
	const struct cd_analysis *a = walk->analysis;

	for (size_t k = 0; k < a->n_points; k++)
		walk->cells[k] = (struct cd_packet_cell){.missing = -1};
	for (size_t k = 0; k < walk->n; k++)
		if (block->mask == NULL || block->mask[i] >> k & 1)
			fill_cell(walk, k, block, i);
		else
			walk->members[k].before_ps = CD_TIME_NONE;
	for (size_t p = 0; p < a->n_pairs; p++)
		if (!a->pairs[p].alone)
			judge_cell(walk, p, block->seq[i],
				   walk->has_ref ? block->length[0][i] : 0);
	walk->any = true;
	walk->last_seq = block->seq[i];
	row->seq = block->seq[i];
	return walk->sink(walk->context, row, error);
}

/* ---- a group of tracks ----------------------------------------------------
 */

static void add_track(struct walk *walk, uint32_t point,
		      const struct cd_track *track)
{
	struct member *member = &walk->members[walk->n];

	walk->tracks[walk->n++] = track;
	*member = (struct member){.point = point,
				  .copies = cd_copies_of(track),
				  .before_ps = CD_TIME_NONE};
}

static void add_side(struct walk *walk, size_t p, size_t index)
{
	const struct cd_pair *pair = &walk->analysis->pairs[p];
	const struct cd_lane *lane = &pair->lanes[index];

	walk->sides[p] = (struct side){
	    .lane = lane,
	    .index = index,
	    .absence = cd_absence_of(walk->analysis, pair, lane),
	};
	if (lane->dut != NULL)
		add_track(walk, pair->dut, lane->dut);
}

static int pass_group(struct walk *walk, const struct cd_lane *lane,
		      struct cd_error *error)
{
	struct cd_rows_options options = {
	    .tracks = walk->tracks,
	    .n = walk->n,
	    .from = INT64_MIN,
	    .to = INT64_MAX,
	    .mode = CD_ROWS_UNION,
	    .columns = CD_COLUMN_TIME | CD_COLUMN_NUMBER | CD_COLUMN_LENGTH,
	};
	struct cd_packet_row row = {
	    .stream = lane->stream, .epoch = lane->epoch, .cells = walk->cells};
	struct cd_rows *rows = cd_rows_new(&options);
	struct cd_rows_block block;
	int failed = 0;

	if (rows == NULL)
		return cd_error_memory(error);
	walk->any = false;
	while (!failed && cd_rows_next(rows, &block))
		for (size_t i = 0; !failed && i < block.n; i++)
			failed = pass_row(walk, &block, i, &row, error);
	cd_rows_free(rows);
	return failed;
}

static void begin_group(struct walk *walk)
{
	for (size_t p = 0; p < walk->analysis->n_pairs; p++)
		walk->sides[p] = (struct side){0};
	walk->n = 0;
	walk->has_ref = false;
}

/* ---- all groups -----------------------------------------------------------
 */

/* The next lane of the pair, if it is of this stream. */
static const struct cd_lane *peek(const struct walk *walk, size_t p,
				  uint32_t stream)
{
	const struct cd_pair *pair = &walk->analysis->pairs[p];

	if (walk->at[p] == pair->n_lanes ||
	    pair->lanes[walk->at[p]].stream != stream)
		return NULL;
	return &pair->lanes[walk->at[p]];
}

/* Epochs of the reference: every pair has a lane for each, in order. */
static int pass_matched(struct walk *walk, uint32_t stream,
			struct cd_error *error)
{
	const struct cd_analysis *a = walk->analysis;
	const struct cd_lane *lane;

	while ((lane = peek(walk, 0, stream)) != NULL && lane->ref != NULL) {
		begin_group(walk);
		walk->has_ref = true;
		add_track(walk, a->reference, lane->ref);
		for (size_t p = 0; p < a->n_pairs; p++)
			add_side(walk, p, walk->at[p]++);
		if (pass_group(walk, lane, error))
			return -1;
	}
	return 0;
}

static int pass_others(struct walk *walk, uint32_t stream,
		       struct cd_error *error)
{
	const struct cd_lane *lane;

	for (size_t p = 0; p < walk->analysis->n_pairs; p++)
		while ((lane = peek(walk, p, stream)) != NULL) {
			begin_group(walk);
			add_side(walk, p, walk->at[p]++);
			if (walk->n > 0 && pass_group(walk, lane, error))
				return -1;
		}
	return 0;
}

static int pass_all(struct walk *walk, struct cd_error *error)
{
	for (uint32_t id = 0; id < walk->analysis->report->n_streams; id++)
		if (pass_matched(walk, id, error) ||
		    pass_others(walk, id, error))
			return -1;
	return 0;
}

int cd_packets_walk(const struct cd_analysis *analysis, cd_packet_sink *sink,
		    void *context, struct cd_error *error)
{
	size_t n = analysis->n_pairs;
	struct walk walk = {
	    .analysis = analysis,
	    .sink = sink,
	    .context = context,
	    .errors = calloc(n, sizeof(*walk.errors)),
	    .at = calloc(n, sizeof(*walk.at)),
	    .sides = calloc(n, sizeof(*walk.sides)),
	    .cells = calloc(analysis->n_points, sizeof(*walk.cells)),
	};
	int failed = walk.errors == NULL || walk.at == NULL ||
		     walk.sides == NULL || walk.cells == NULL;

	for (size_t p = 0; !failed && p < n; p++)
		failed = cd_errors_init(&walk.errors[p], &analysis->pairs[p]);
	if (failed)
		cd_error_memory(error);
	failed = failed || pass_all(&walk, error);
	for (size_t p = 0; walk.errors != NULL && p < n; p++)
		cd_errors_release(&walk.errors[p]);
	free(walk.errors);
	free(walk.at);
	free(walk.sides);
	free(walk.cells);
	return failed ? -1 : 0;
}
