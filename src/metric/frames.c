#include "metric/frames.h"

bool cd_frame_of(const struct cd_track *track, int64_t seq, uint64_t *frame)
{
	struct cd_track_reader *reader =
	    cd_track_reader_new(track, CD_ORDER_SEQ, CD_COLUMN_NUMBER);
	struct cd_block block;
	bool found = false;

	if (reader == NULL)
		return false;
	cd_track_reader_seek(reader, seq);
	if (cd_track_reader_next(reader, &block) == 1 && block.seq[0] == seq) {
		*frame = block.number[0];
		found = true;
	}
	cd_track_reader_free(reader);
	return found;
}
