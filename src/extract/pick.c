#include "extract/pick.h"

#include <string.h>

#include "extract/ngout.h"
#include "extract/pcapout.h"

struct pick {
	const struct cd_pick *what;
	bool pcap;
	struct cd_ngout ng;
	struct cd_pcapout old;
	size_t next; /* range */
	uint64_t found;
};

static bool ends_in(const char *path, size_t length, const char *end)
{
	size_t n = strlen(end);

	return length > n && strncmp(path + length - n, end, n) == 0;
}

bool cd_pick_is_gzip(const char *path)
{
	return ends_in(path, strlen(path), ".gz");
}

bool cd_pick_is_pcap(const char *path)
{
	size_t n = strlen(path) - (cd_pick_is_gzip(path) ? 3 : 0);

	return ends_in(path, n, ".pcap") || ends_in(path, n, ".cap");
}

static int begin(void *context, const struct cd_capture *capture,
		 struct cd_error *error)
{
	struct pick *pick = context;

	return pick->pcap ? cd_pcapout_begin(&pick->old, capture, error)
			  : cd_ngout_begin(&pick->ng, capture, error);
}

/* Frames come in rising order. */
static bool is_wanted(struct pick *pick, uint64_t frame)
{
	const struct cd_frame_set *frames = pick->what->frames;

	while (pick->next < frames->n && frames->items[pick->next].last < frame)
		pick->next++;
	return pick->next < frames->n &&
	       frames->items[pick->next].first <= frame;
}

static int pick_packet(void *context, const struct cd_record *record,
		       const struct cd_raw *raw, struct cd_error *error)
{
	struct pick *pick = context;

	if (!is_wanted(pick, record->number))
		return 0;
	pick->found++;
	return pick->pcap
		   ? cd_pcapout_packet(&pick->old, record, error)
		   : cd_ngout_packet(&pick->ng, record, raw, NULL, error);
}

static int pick_other(void *context, const struct cd_raw *raw,
		      struct cd_error *error)
{
	struct pick *pick = context;

	if (pick->pcap || raw->type == CD_BLOCK_ISB)
		return 0;
	return cd_ngout_other(&pick->ng, raw, error);
}

static int pick_all(struct pick *pick, struct cd_error *error)
{
	const struct cd_pick *what = pick->what;
	const struct cd_pass pass = {begin, pick_packet, pick_other, pick};

	if (cd_pass_run(&pass, what->watch, what->may_stop, error))
		return -1;
	if (pick->found != cd_frame_set_count(what->frames))
		return cd_pass_changed(what->watch->paths[0], error);
	if (pick->pcap && cd_pcapout_end(&pick->old, error))
		return -1;
	return cd_watch_check(what->watch, error);
}

int cd_pick(const struct cd_pick *what, struct cd_error *error)
{
	struct pick pick = {
	    .what = what,
	    .pcap = cd_pick_is_pcap(what->path),
	    .ng = {.ts_unit_ps = what->ts_unit_ps},
	    .old = {.ts_unit_ps = what->ts_unit_ps},
	};
	struct cd_sink *sink =
	    cd_sink_open(what->path, cd_pick_is_gzip(what->path), error);
	int failed;

	if (sink == NULL)
		return -1;
	pick.ng.sink = pick.old.sink = sink;
	failed = pick_all(&pick, error);
	failed |= cd_sink_close(sink, !failed, error);
	cd_ngout_release(&pick.ng);
	return failed ? -1 : 0;
}
