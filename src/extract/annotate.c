#include "extract/annotate.h"

#include "extract/ngout.h"
#include "extract/pick.h"
#include "extract/say.h"

struct copy {
	const struct cd_annotate *what;
	struct cd_ngout out;
	size_t next; /* mark */
	struct cd_str text;
};

static int begin(void *context, const struct cd_capture *capture,
		 struct cd_error *error)
{
	struct copy *copy = context;

	return cd_ngout_begin(&copy->out, capture, error);
}

static int copy_other(void *context, const struct cd_raw *raw,
		      struct cd_error *error)
{
	struct copy *copy = context;

	return cd_ngout_other(&copy->out, raw, error);
}

static int copy_marked(struct copy *copy, const struct cd_record *record,
		       const struct cd_raw *raw, struct cd_error *error)
{
	const struct cd_marks *marks = copy->what->marks;
	const struct cd_mark *first = &marks->items[copy->next];
	struct cd_note note = {0};
	size_t n = 0;

	while (copy->next < marks->n &&
	       marks->items[copy->next].frame == record->number) {
		copy->next++;
		n++;
	}
	copy->text.length = 0;
	cd_marks_say(first, n, copy->what->streams, record, &copy->text);
	if (copy->text.bad)
		return cd_error_memory(error);
	note.comment = cd_str_text(&copy->text);
	note.drops = cd_marks_drops(first, n);
	note.has_drops = note.drops > 0;
	return cd_ngout_packet(&copy->out, record, raw, &note, error);
}

static int copy_packet(void *context, const struct cd_record *record,
		       const struct cd_raw *raw, struct cd_error *error)
{
	struct copy *copy = context;
	const struct cd_marks *marks = copy->what->marks;

	if (copy->next < marks->n &&
	    marks->items[copy->next].frame == record->number)
		return copy_marked(copy, record, raw, error);
	return cd_ngout_packet(&copy->out, record, raw, NULL, error);
}

static int copy_all(struct copy *copy, struct cd_error *error)
{
	const struct cd_annotate *what = copy->what;
	const struct cd_pass pass = {begin, copy_packet, copy_other, copy};

	if (cd_pass_run(&pass, what->watch, what->may_stop, error))
		return -1;
	if (copy->next < what->marks->n)
		return cd_pass_changed(what->watch->paths[0], error);
	return cd_watch_check(what->watch, error);
}

int cd_annotate(const struct cd_annotate *what, struct cd_error *error)
{
	struct copy copy = {.what = what,
			    .out = {.ts_unit_ps = what->ts_unit_ps}};
	int failed;

	copy.out.sink =
	    cd_sink_open(what->path, cd_pick_is_gzip(what->path), error);
	if (copy.out.sink == NULL)
		return -1;
	failed = copy_all(&copy, error);
	failed |= cd_sink_close(copy.out.sink, !failed, error);
	cd_ngout_release(&copy.out);
	cd_str_release(&copy.text);
	return failed ? -1 : 0;
}
