#include "metric/sample.h"

#include <stdlib.h>

#include "align/track.h"
#include "base/time.h"

static const struct cd_track *largest_track(const struct cd_point *point)
{
	const struct cd_track *largest = NULL;

	for (size_t i = 0; i < point->n_streams; i++)
		for (size_t k = 0; k < point->streams[i].n_epochs; k++) {
			const struct cd_track *t = point->streams[i].epochs[k];

			if (largest == NULL ||
			    cd_track_unique(t) > cd_track_unique(largest))
				largest = t;
		}
	return largest;
}

/* The first rows of a block that have a time. */
static void take_rows(struct cd_sample_times *sample,
		      const struct cd_block *block)
{
	size_t n = block->n < CD_SAMPLE_ROWS ? block->n : CD_SAMPLE_ROWS;

	for (size_t i = 0; i < n; i++) {
		if (block->time_ps[i] == CD_TIME_NONE)
			continue;
		sample->seq[sample->n] = block->seq[i];
		sample->ps[sample->n] = block->time_ps[i];
		sample->length[sample->n++] = block->length[i];
	}
}

static void take_stretches(struct cd_sample_times *sample,
			   struct cd_track_reader *reader, int64_t first,
			   int64_t last)
{
	uint64_t step = ((uint64_t)last - (uint64_t)first) / CD_SAMPLE_BLOCKS;
	int64_t from = first;
	struct cd_block block;

	for (size_t i = 0; i < CD_SAMPLE_BLOCKS; i++) {
		int64_t at = first + (int64_t)(i * step);

		if (at < from)
			at = from;
		cd_track_reader_seek(reader, at);
		if (cd_track_reader_next(reader, &block) != 1)
			return;
		take_rows(sample, &block);
		if (block.n > CD_SAMPLE_ROWS)
			block.n = CD_SAMPLE_ROWS;
		if (block.seq[block.n - 1] == last)
			return;
		from = block.seq[block.n - 1] + 1;
	}
}

static int reserve(struct cd_sample_times *sample)
{
	size_t most = CD_SAMPLE_BLOCKS * CD_SAMPLE_ROWS;

	sample->seq = malloc(most * sizeof(*sample->seq));
	sample->ps = malloc(most * sizeof(*sample->ps));
	sample->length = malloc(most * sizeof(*sample->length));
	return sample->seq == NULL || sample->ps == NULL ||
		       sample->length == NULL
		   ? -1
		   : 0;
}

int cd_sample_take(struct cd_sample_times *sample, const struct cd_point *point)
{
	const struct cd_track *track = largest_track(point);
	struct cd_track_reader *reader;
	int64_t first, last;

	*sample = (struct cd_sample_times){0};
	if (track == NULL || !cd_track_range(track, &first, &last))
		return 0;
	if (reserve(sample) < 0)
		return -1;
	reader = cd_track_reader_new(track, CD_ORDER_SEQ,
				     CD_COLUMN_TIME | CD_COLUMN_LENGTH);
	if (reader == NULL)
		return -1;
	take_stretches(sample, reader, first, last);
	cd_track_reader_free(reader);
	return 0;
}

void cd_sample_release(struct cd_sample_times *sample)
{
	free(sample->seq);
	free(sample->ps);
	free(sample->length);
	*sample = (struct cd_sample_times){0};
}
