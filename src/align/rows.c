#include "align/rows.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/time.h"

/*
 * Every step takes a run: rows whose numbers the same tracks have. The columns
 * of a run are copied whole, so that long runs cost next to nothing per row
 * and short ones stay cheap.
 */

/* One track: its reader's block, and the first row not yet used. */
struct head {
	struct cd_track_reader *reader;
	struct cd_block block;
	size_t at;
	bool end;
};

struct cd_rows {
	size_t n;
	int64_t from, to;
	enum cd_rows_mode mode;
	unsigned columns; /* wanted by the caller */
	bool has_invalid; /* some track has rows without a time */

	struct head heads[CD_POINTS_MAX];

	/* the block under construction */
	size_t rows;
	int64_t seq[CD_BLOCK_ROWS];
	uint64_t *mask; /* NULL in CD_ROWS_MATCHED */
	int64_t *time[CD_POINTS_MAX];
	uint64_t *number[CD_POINTS_MAX];
	uint64_t *position[CD_POINTS_MAX];
	uint32_t *length[CD_POINTS_MAX];
};

/* ---- life -------------------------------------------------------------------- */

static bool has_invalid(const struct cd_rows_options *o)
{
	for (size_t k = 0; k < o->n; k++)
		if (cd_track_invalid(o->tracks[k]) > 0)
			return true;
	return false;
}

static int allocate_columns(struct cd_rows *rows, size_t k, unsigned columns)
{
	bool bad = false;

	if (columns & CD_COLUMN_TIME) {
		rows->time[k] = calloc(CD_BLOCK_ROWS, sizeof(*rows->time[k]));
		bad |= rows->time[k] == NULL;
	}
	if (columns & CD_COLUMN_NUMBER) {
		rows->number[k] =
		    calloc(CD_BLOCK_ROWS, sizeof(*rows->number[k]));
		bad |= rows->number[k] == NULL;
	}
	if (columns & CD_COLUMN_POSITION) {
		rows->position[k] =
		    calloc(CD_BLOCK_ROWS, sizeof(*rows->position[k]));
		bad |= rows->position[k] == NULL;
	}
	if (columns & CD_COLUMN_LENGTH) {
		rows->length[k] =
		    calloc(CD_BLOCK_ROWS, sizeof(*rows->length[k]));
		bad |= rows->length[k] == NULL;
	}
	return bad ? -1 : 0;
}

struct cd_rows *cd_rows_new(const struct cd_rows_options *options)
{
	struct cd_rows *rows = calloc(1, sizeof(*rows));
	unsigned columns = options->columns;

	assert(options->n >= 1 && options->n <= CD_POINTS_MAX);
	if (rows == NULL)
		return NULL;
	rows->n = options->n;
	rows->from = options->from;
	rows->to = options->to;
	rows->mode = options->mode;
	rows->columns = columns;
	rows->has_invalid = has_invalid(options);
	if (rows->mode == CD_ROWS_MATCHED && rows->has_invalid)
		columns |= CD_COLUMN_TIME;
	if (rows->mode == CD_ROWS_UNION) {
		rows->mask = calloc(CD_BLOCK_ROWS, sizeof(*rows->mask));
		if (rows->mask == NULL)
			goto fail;
	}
	for (size_t k = 0; k < rows->n; k++) {
		rows->heads[k].reader = cd_track_reader_new(
		    options->tracks[k], CD_ORDER_SEQ, columns);
		if (rows->heads[k].reader == NULL ||
		    allocate_columns(rows, k, columns) < 0)
			goto fail;
	}
	cd_rows_rewind(rows);
	return rows;
fail:
	cd_rows_free(rows);
	return NULL;
}

void cd_rows_free(struct cd_rows *rows)
{
	if (rows == NULL)
		return;
	for (size_t k = 0; k < rows->n; k++) {
		cd_track_reader_free(rows->heads[k].reader);
		free(rows->time[k]);
		free(rows->number[k]);
		free(rows->position[k]);
		free(rows->length[k]);
	}
	free(rows->mask);
	free(rows);
}

/* ---- heads ------------------------------------------------------------------- */

static int64_t head_seq(const struct head *head)
{
	return head->block.seq[head->at];
}

static void load_head(struct head *head)
{
	head->at = 0;
	head->end = cd_track_reader_next(head->reader, &head->block) == 0;
}

static void seek_head(struct head *head, int64_t seq)
{
	cd_track_reader_seek(head->reader, seq);
	load_head(head);
}

static void use_rows(struct head *head, size_t n)
{
	head->at += n;
	if (head->at == head->block.n)
		load_head(head);
}

/* The first of rows low..high that has a number >= seq; high surely has. */
static size_t first_from(const int64_t *s, size_t low, size_t high, int64_t seq)
{
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (s[mid] < seq)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Rows from here on, at most `most`, numbered below `seq`: by doubling steps,
 * as it is mostly few of them. The first one is below. */
static size_t run_below(const struct head *head, size_t most, int64_t seq)
{
	const int64_t *s = head->block.seq + head->at;
	size_t low = 0, step = 1;

	if (s[most - 1] < seq)
		return most;
	while (low + step < most && s[low + step] < seq) {
		low += step;
		step *= 2;
	}
	return first_from(s, low + 1, low + step < most ? low + step : most - 1,
			  seq);
}

/* To the first row with a number >= seq, which is ahead. */
static void skip_to(struct head *head, int64_t seq)
{
	size_t left = head->block.n - head->at;

	if (head->block.seq[head->block.n - 1] < seq)
		seek_head(head, seq);
	else
		head->at += run_below(head, left, seq);
}

/* Rows, at most `most`, before the first gap in rising numbers. */
static size_t without_gap(const int64_t *s, size_t most)
{
	size_t low = 1, high = most; /* the answer is one of low..high */

	if ((uint64_t)s[most - 1] - (uint64_t)s[0] == most - 1)
		return most;
	while (low < high) {
		size_t mid = low + (high - low + 1) / 2;

		if ((uint64_t)s[mid - 1] - (uint64_t)s[0] == mid - 1)
			low = mid;
		else
			high = mid - 1;
	}
	return low;
}

#define SHORT_RUN 16

/* Rows from here on, at most `most`, of which both have the same numbers; the
 * first one is. Fewer than there are, up to a gap that both have. */
static size_t equal_run(const struct head *a, const struct head *b, size_t most)
{
	const int64_t *x = a->block.seq + a->at, *y = b->block.seq + b->at;
	size_t i = without_gap(y, without_gap(x, most));

	while (i < SHORT_RUN && i < most && x[i] == y[i])
		i++;
	return i;
}

void cd_rows_rewind(struct cd_rows *rows)
{
	for (size_t k = 0; k < rows->n; k++)
		seek_head(&rows->heads[k], rows->from);
}

/* ---- runs -------------------------------------------------------------------- */

static void copy_seq(struct cd_rows *rows, const struct head *head, size_t n)
{
	memcpy(rows->seq + rows->rows, head->block.seq + head->at,
	       n * sizeof(*rows->seq));
}

static void copy_run(struct cd_rows *rows, size_t k, size_t n)
{
	const struct cd_block *b = &rows->heads[k].block;
	size_t at = rows->heads[k].at, to = rows->rows;

	if (rows->time[k] != NULL)
		memcpy(rows->time[k] + to, b->time_ps + at,
		       n * sizeof(*b->time_ps));
	if (rows->number[k] != NULL)
		memcpy(rows->number[k] + to, b->number + at,
		       n * sizeof(*b->number));
	if (rows->position[k] != NULL)
		memcpy(rows->position[k] + to, b->position + at,
		       n * sizeof(*b->position));
	if (rows->length[k] != NULL)
		memcpy(rows->length[k] + to, b->length + at,
		       n * sizeof(*b->length));
}

/* Rows of one track up to the end of the range, or as many as there is room
 * for; the first one is inside. */
static size_t rows_left(const struct cd_rows *rows, const struct head *head,
			size_t most)
{
	size_t left = head->block.n - head->at;

	if (left < most)
		most = left;
	if (head->block.seq[head->at + most - 1] > rows->to)
		most = run_below(head, most, rows->to + 1);
	return most;
}

/* Does a head of the next n rows lack a valid time? */
static bool lacks_time(const struct cd_rows *rows)
{
	for (size_t k = 0; k < rows->n; k++)
		if (rows->heads[k].block.has_invalid)
			return true;
	return false;
}

/* Rows of this run that have a time everywhere: the first n of them, `skip`
 * rows after those have none. */
static size_t timed_run(const struct cd_rows *rows, size_t n, size_t *skip)
{
	size_t i = 0, start;

	*skip = 0;
	if (!rows->has_invalid || !lacks_time(rows))
		return n;
	for (start = n; i < n; i++) {
		bool valid = true;

		for (size_t k = 0; k < rows->n; k++) {
			const struct head *h = &rows->heads[k];

			valid &= h->block.time_ps[h->at + i] != CD_TIME_NONE;
		}
		if (valid && start < n)
			break;
		if (!valid && start == n)
			start = i;
	}
	*skip = i - start;
	return start;
}

/* All heads to the first number that all may have. False: one has ended, or
 * the range has. */
static bool meet(struct cd_rows *rows, int64_t *seq)
{
	size_t agree = 1;
	int64_t s;

	if (rows->heads[0].end)
		return false;
	s = head_seq(&rows->heads[0]);
	for (size_t k = 1; agree < rows->n; k = k + 1 == rows->n ? 0 : k + 1) {
		struct head *h = &rows->heads[k];

		if (h->end)
			return false;
		if (head_seq(h) < s)
			skip_to(h, s);
		if (h->end)
			return false;
		agree = head_seq(h) == s ? agree + 1 : 1;
		s = head_seq(h);
	}
	*seq = s;
	return s <= rows->to;
}

static bool add_matched_run(struct cd_rows *rows)
{
	const struct head *first = &rows->heads[0];
	size_t n = CD_BLOCK_ROWS - rows->rows, skip;
	int64_t seq;

	if (!meet(rows, &seq))
		return false;
	for (size_t k = 0; k < rows->n; k++)
		n = rows_left(rows, &rows->heads[k], n);
	for (size_t k = 1; k < rows->n; k++)
		n = equal_run(first, &rows->heads[k], n);
	n = timed_run(rows, n, &skip);
	copy_seq(rows, first, n);
	for (size_t k = 0; k < rows->n; k++) {
		copy_run(rows, k, n);
		use_rows(&rows->heads[k], n + skip);
	}
	rows->rows += n;
	return true;
}

/* The smallest number of all heads. */
static bool least(const struct cd_rows *rows, int64_t *seq)
{
	bool any = false;

	*seq = rows->to;
	for (size_t k = 0; k < rows->n; k++) {
		const struct head *h = &rows->heads[k];

		if (!h->end && head_seq(h) <= *seq) {
			*seq = head_seq(h);
			any = true;
		}
	}
	return any;
}

/* The rows from `seq` on that the same tracks have. */
static size_t union_run(const struct cd_rows *rows, int64_t seq, uint64_t *mask,
			const struct head **first)
{
	size_t n = CD_BLOCK_ROWS - rows->rows;

	*first = NULL;
	*mask = 0;
	for (size_t k = 0; k < rows->n; k++) {
		const struct head *h = &rows->heads[k];

		if (h->end || head_seq(h) != seq)
			continue;
		n = rows_left(rows, h, n);
		n = *first == NULL ? n : equal_run(*first, h, n);
		*first = *first == NULL ? h : *first;
		*mask |= UINT64_C(1) << k;
	}
	for (size_t k = 0; k < rows->n; k++)
		if (!rows->heads[k].end && !(*mask >> k & 1))
			n = run_below(*first, n, head_seq(&rows->heads[k]));
	return n;
}

static bool add_union_run(struct cd_rows *rows)
{
	const struct head *first;
	uint64_t mask;
	int64_t seq;
	size_t n;

	if (!least(rows, &seq))
		return false;
	n = union_run(rows, seq, &mask, &first);
	copy_seq(rows, first, n);
	for (size_t i = 0; i < n; i++)
		rows->mask[rows->rows + i] = mask;
	for (size_t k = 0; k < rows->n; k++) {
		if (!(mask >> k & 1))
			continue;
		copy_run(rows, k, n);
		use_rows(&rows->heads[k], n);
	}
	rows->rows += n;
	return true;
}

/* ---- the interface ----------------------------------------------------------- */

static void hand_out(const struct cd_rows *rows, struct cd_rows_block *block)
{
	block->n = rows->rows;
	block->seq = rows->seq;
	block->mask = rows->mask;
	for (size_t k = 0; k < rows->n; k++) {
		block->time_ps[k] =
		    rows->columns & CD_COLUMN_TIME ? rows->time[k] : NULL;
		block->number[k] = rows->number[k];
		block->length[k] = rows->length[k];
		block->position[k] = rows->position[k];
	}
}

int cd_rows_next(struct cd_rows *rows, struct cd_rows_block *block)
{
	bool matched = rows->mode == CD_ROWS_MATCHED;

	rows->rows = 0;
	while (rows->rows < CD_BLOCK_ROWS &&
	       (matched ? add_matched_run(rows) : add_union_run(rows)))
		;
	hand_out(rows, block);
	return rows->rows > 0;
}
