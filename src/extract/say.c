#include "extract/say.h"

#include <inttypes.h>

#include "report/text.h"

/* "IDs 5-7"; numbers that nobody has among them do not count. */
static void say_numbers(const struct cd_mark *mark, struct cd_str *out)
{
	uint64_t all = (uint64_t)mark->other - (uint64_t)mark->seq + 1;

	if (mark->n == 1)
		cd_str_addf(out, "ID %" PRId64, mark->seq);
	else
		cd_str_addf(out, "%sIDs %" PRId64 "-%" PRId64,
			    mark->n == all ? "" : "of ", mark->seq,
			    mark->other);
}

static void say_copy(const struct cd_mark *mark, struct cd_str *out)
{
	bool before = mark->other < 0;
	double ps = (double)mark->other;

	cd_str_add(out, mark->kind == CD_MARK_COPY
			    ? "duplicate"
			    : "repeated as in the reference");
	if (mark->n > 2)
		cd_str_addf(out, " (copy %" PRIu64 ")", mark->n);
	if (mark->other == CD_TIME_NONE)
		return;
	cd_str_add(out, ", ");
	cd_text_span(out, before ? -ps : ps, false);
	cd_str_add(out, before ? " before the first" : " after the first");
}

static void say_delta(const struct cd_mark *mark, struct cd_str *out)
{
	cd_str_add(out, "most wrong delta, shows ");
	cd_text_span(out, (double)mark->other, false);
	cd_str_add(out, ", true ");
	cd_text_span(out, (double)(int64_t)mark->n, false);
}

static void say_what(const struct cd_mark *mark, struct cd_str *out)
{
	switch (mark->kind) {
	case CD_MARK_GAP:
		cd_str_addf(out, "%" PRIu64 " missing before this", mark->n);
		break;
	case CD_MARK_TAIL:
		cd_str_addf(out, "%" PRIu64 " missing after this", mark->n);
		break;
	case CD_MARK_COPY:
	case CD_MARK_REPEAT:
		say_copy(mark, out);
		break;
	case CD_MARK_LATE:
		cd_str_add(out, "out of order");
		break;
	case CD_MARK_STAMP:
		cd_str_add(out, "time stamp ");
		cd_text_span(out, (double)mark->other, false);
		cd_str_add(out, " late");
		break;
	case CD_MARK_DELTA:
		say_delta(mark, out);
		break;
	}
}

static void say_mark(const struct cd_mark *mark, bool stream,
		     struct cd_str *out)
{
	bool gap = mark->kind == CD_MARK_GAP || mark->kind == CD_MARK_TAIL;

	say_what(mark, out);
	cd_str_add(out, " (");
	if (gap)
		say_numbers(mark, out);
	else
		cd_str_addf(out, "ID %" PRId64, mark->seq);
	if (stream)
		cd_str_addf(out, ", stream %" PRIu32, mark->stream);
	cd_str_add(out, ")");
}

uint64_t cd_marks_drops(const struct cd_mark *marks, size_t n)
{
	uint64_t drops = 0;

	for (size_t i = 0; i < n; i++)
		if (marks[i].kind == CD_MARK_GAP)
			drops += marks[i].n;
	return drops;
}

void cd_marks_say(const struct cd_mark *marks, size_t n, bool streams,
		  const struct cd_record *record, struct cd_str *out)
{
	uint64_t drops = cd_marks_drops(marks, n);

	cd_str_add(out, "capdiff: ");
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			cd_str_add(out, "; ");
		say_mark(&marks[i], streams, out);
	}
	if (drops > 0 && record->flags & CD_RECORD_HAS_DROPS)
		cd_str_addf(out, "; the drop count of the file was %" PRIu64,
			    record->drops);
	if (record->flags & CD_RECORD_NO_TIME)
		cd_str_add(out, "; the file says no time");
}
