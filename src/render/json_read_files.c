#include "render/json_read_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/time.h"

#define CAPTURES_MAX 64

void *cd_read_room(struct cd_pick *pick, size_t n, size_t size)
{
	void *room = n == 0 || pick->bad ? NULL : calloc(n, size);

	if (room == NULL && n > 0 && !pick->bad)
		cd_pick_memory(pick);
	return room;
}

enum cd_judgement cd_read_judgement(struct cd_pick *pick, const json_t *from,
				    const char *name)
{
	if (cd_pick_member(from, name) == NULL)
		return CD_INCONCLUSIVE;
	return cd_pick_bool(pick, from, name) ? CD_TRUE : CD_FALSE;
}

int64_t cd_read_point(const struct cd_report *report, const char *label)
{
	for (size_t i = 0; i < report->n_captures; i++)
		if (strcmp(report->captures[i].label, label) == 0)
			return (int64_t)i;
	return -1;
}

/* ---- instants ------------------------------------------------------------ */

/* `n` digits at *text, which moves behind them; -1: there are fewer. */
static int64_t take_digits(const char **text, int n)
{
	int64_t number = 0;

	for (int i = 0; i < n; i++, (*text)++) {
		if (**text < '0' || **text > '9')
			return -1;
		number = number * 10 + (**text - '0');
	}
	return number;
}

static int64_t take_year(const char **text)
{
	bool negative = **text == '-';
	const char *digits = *text + negative;
	size_t n = strspn(digits, "0123456789");
	int64_t year;

	*text = digits;
	year = n < 3 || n > 12 ? -1 : take_digits(text, (int)n);
	return negative ? -year : year;
}

/* Days since 1970-01-01 of a Gregorian date; the year begins in March, so that
 * the leap day comes last. */
static int64_t days_from_civil(int64_t year, int64_t month, int64_t day)
{
	int64_t y = year - (month <= 2);
	int64_t era = (y >= 0 ? y : y - 399) / 400;
	int64_t yoe = y - era * 400;
	int64_t doy = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

/* "2026-11-30T18:53:01.123456Z"; sets the number of decimals. */
static bool read_iso(const char *text, struct cd_instant *out, int *digits)
{
	int64_t year = take_year(&text), part[5];
	static const char before[] = "--T::";
	const char *fraction;

	for (int i = 0; i < 5; i++) {
		if (*text++ != before[i])
			return false;
		part[i] = take_digits(&text, 2);
		if (part[i] < 0)
			return false;
	}
	out->s = days_from_civil(year, part[0], part[1]) * 86400 +
		 part[2] * 3600 + part[3] * 60 + part[4];
	out->ps = 0;
	*digits = 0;
	if (*text == '.') {
		fraction = ++text;
		*digits = (int)strspn(text, "0123456789") % 100;
		if (*digits < 1 || *digits > 12)
			return false;
		out->ps = take_digits(&fraction, *digits);
		text = fraction;
		for (int i = *digits; i < 12; i++)
			out->ps *= 10;
	}
	return text[0] == 'Z' && text[1] == '\0' && part[0] >= 1 &&
	       part[0] <= 12;
}

static struct cd_instant read_instant(struct cd_pick *pick, const json_t *from,
				      const char *name,
				      struct cd_report_capture *c)
{
	const char *text = cd_pick_text(pick, from, name);
	struct cd_instant instant = {0};

	c->has_times = text != NULL;
	if (text != NULL && !read_iso(text, &instant, &c->time_digits))
		cd_pick_fail(pick, "\"%s\" is no time of the form "
			     "2026-11-30T18:53:01.5Z", name);
	return instant;
}

/* ---- captures ------------------------------------------------------------ */

static void read_iface(struct cd_pick *pick, const json_t *from,
		       struct cd_report_iface *iface)
{
	iface->section = cd_pick_small(pick, from, "section");
	iface->id = cd_pick_small(pick, from, "id");
	iface->linktype = cd_pick_small(pick, from, "linktype");
	iface->snaplen = cd_pick_small(pick, from, "snaplen");
	iface->linktype_name = cd_pick_copy(pick, from, "linktype_name");
	iface->name = cd_pick_copy(pick, from, "name");
	iface->description = cd_pick_copy(pick, from, "description");
	iface->filter = cd_pick_copy(pick, from, "filter");
	iface->os = cd_pick_copy(pick, from, "os");
	iface->hardware = cd_pick_copy(pick, from, "hardware");
	iface->tick_ps = cd_pick_span(pick, from, "resolution_ns");
	iface->packets = cd_pick_count(pick, from, "packets", UINT64_MAX);
	iface->received = cd_pick_count(pick, from, "received", UINT64_MAX);
	iface->dropped = cd_pick_count(pick, from, "dropped", UINT64_MAX);
	iface->os_dropped = cd_pick_count(pick, from, "os_dropped", UINT64_MAX);
}

static void read_file(struct cd_pick *pick, const json_t *from,
		      struct cd_report_file *file)
{
	file->path = cd_pick_copy(pick, from, "path");
	file->format = cd_pick_copy(pick, from, "format");
	file->compression = cd_pick_copy(pick, from, "compression");
	file->first = cd_pick_count(pick, from, "first_frame", UINT64_MAX);
	file->packets = cd_pick_count(pick, from, "packets", UINT64_MAX);
	file->bytes = cd_pick_count(pick, from, "bytes", UINT64_MAX);
	file->cut_short = cd_pick_bool(pick, from, "cut_short");
	file->damaged = cd_pick_bool(pick, from, "damaged");
	file->stop_offset = cd_pick_count(pick, from, "stop_offset", 0);
}

static void read_lists(struct cd_pick *pick, const json_t *from,
		       struct cd_report_capture *c)
{
	const json_t *ifaces = cd_pick_list(pick, from, "interfaces");
	const json_t *files = NULL;
	size_t n = json_array_size(ifaces);

	c->ifaces = cd_read_room(pick, n, sizeof(*c->ifaces));
	c->n_ifaces = c->ifaces == NULL ? 0 : n;
	for (size_t i = 0; i < c->n_ifaces; i++)
		read_iface(pick, json_array_get(ifaces, i), &c->ifaces[i]);
	if (cd_pick_member(from, "files") != NULL)
		files = cd_pick_list(pick, from, "files");
	n = json_array_size(files);
	c->files = cd_read_room(pick, n, sizeof(*c->files));
	c->n_files = c->files == NULL ? 0 : n;
	for (size_t i = 0; i < c->n_files; i++)
		read_file(pick, json_array_get(files, i), &c->files[i]);
}

static void read_capture(struct cd_pick *pick, const json_t *from,
			 struct cd_report *report, struct cd_report_capture *c)
{
	const char *role;

	c->label = cd_pick_copy(pick, from, "label");
	c->path = cd_pick_copy(pick, from, "path");
	c->format = cd_pick_copy(pick, from, "format");
	c->compression = cd_pick_copy(pick, from, "compression");
	c->packets = cd_pick_count(pick, from, "packets", UINT64_MAX);
	c->bytes = cd_pick_count(pick, from, "bytes", UINT64_MAX);
	c->first = read_instant(pick, from, "first", c);
	c->last = read_instant(pick, from, "last", c);
	c->hardware = cd_pick_copy(pick, from, "hardware");
	c->os = cd_pick_copy(pick, from, "os");
	c->application = cd_pick_copy(pick, from, "application");
	c->comment = cd_pick_copy(pick, from, "comment");
	c->cut_short = cd_pick_bool(pick, from, "cut_short");
	c->damaged = cd_pick_bool(pick, from, "damaged");
	c->stop_offset = cd_pick_count(pick, from, "stop_offset", 0);
	read_lists(pick, from, c);
	role = cd_pick_text(pick, from, "role");
	c->reference = role != NULL && strcmp(role, "reference") == 0;
	if (c->reference)
		report->reference = (uint32_t)(c - report->captures);
}

/* Values, findings and series name captures by their labels. */
static void check_labels(struct cd_pick *pick, const struct cd_report *report)
{
	for (size_t i = 0; i < report->n_captures; i++) {
		const char *label = report->captures[i].label;

		cd_pick_at(pick, "captures[%zu]", i);
		if (label == NULL)
			cd_pick_fail(pick, "it has no label");
		for (size_t j = 0; j < i && !pick->bad; j++)
			if (strcmp(report->captures[j].label, label) == 0)
				cd_pick_fail(pick, "its label is that of "
					     "another one");
	}
}

static void read_captures(struct cd_pick *pick, const json_t *root,
			  struct cd_report *report)
{
	const json_t *list = cd_pick_list(pick, root, "captures");
	size_t n = json_array_size(list);

	if (n > CAPTURES_MAX) {
		cd_pick_fail(pick, "more than %d captures", CAPTURES_MAX);
		return;
	}
	report->captures = cd_read_room(pick, n, sizeof(*report->captures));
	report->n_captures = report->captures == NULL ? 0 : n;
	for (size_t i = 0; i < report->n_captures; i++) {
		cd_pick_at(pick, "captures[%zu]", i);
		read_capture(pick, json_array_get(list, i), report,
			     &report->captures[i]);
	}
	if (!pick->bad)
		check_labels(pick, report);
}

/* ---- stamp and streams --------------------------------------------------- */

static void read_stamp(struct cd_pick *pick, const json_t *root,
		       struct cd_report *report)
{
	const json_t *stamp, *hits;

	cd_pick_at(pick, "stamp");
	if (cd_pick_member(root, "stamp") == NULL)
		return;
	stamp = cd_pick_object(pick, root, "stamp");
	report->stamp_format = cd_pick_copy(pick, stamp, "format");
	report->stamp_title = cd_pick_copy(pick, stamp, "title");
	report->stamp_where = cd_pick_copy(pick, stamp, "where");
	report->stamp_spec = cd_pick_copy(pick, stamp, "spec");
	report->stamp_detected = cd_pick_bool(pick, stamp, "detected");
	hits = cd_pick_object(pick, stamp, "hits");
	if (json_object_size(hits) == 0)
		return;
	report->stamp_hits = cd_read_room(pick, report->n_captures,
					  sizeof(*report->stamp_hits));
	for (size_t i = 0; i < report->n_captures && !pick->bad; i++)
		report->stamp_hits[i] =
		    cd_pick_real(pick, hits, report->captures[i].label);
}

static void read_stream(struct cd_pick *pick, const json_t *from,
			const struct cd_report *report,
			struct cd_report_stream *stream)
{
	const json_t *packets = cd_pick_object(pick, from, "packets");

	stream->id = cd_pick_small(pick, from, "id");
	stream->what = cd_pick_copy(pick, from, "what");
	stream->payload_bytes = cd_pick_small(pick, from, "payload_bytes");
	stream->frame_bytes = cd_pick_small(pick, from, "frame_bytes");
	stream->one_size = cd_pick_bool(pick, from, "one_size");
	if (json_object_size(packets) == 0)
		return;
	stream->packets = cd_read_room(pick, report->n_captures,
				       sizeof(*stream->packets));
	for (size_t i = 0; i < report->n_captures && !pick->bad; i++)
		stream->packets[i] = cd_pick_count(
		    pick, packets, report->captures[i].label, UINT64_MAX);
}

static void read_streams(struct cd_pick *pick, const json_t *root,
			 struct cd_report *report)
{
	const json_t *list = cd_pick_list(pick, root, "streams");
	size_t n = json_array_size(list);

	report->streams = cd_read_room(pick, n, sizeof(*report->streams));
	report->n_streams = report->streams == NULL ? 0 : n;
	for (size_t i = 0; i < report->n_streams; i++) {
		cd_pick_at(pick, "streams[%zu]", i);
		read_stream(pick, json_array_get(list, i), report,
			    &report->streams[i]);
	}
}

void cd_read_files(struct cd_pick *pick, const json_t *root,
		   struct cd_report *report)
{
	read_captures(pick, root, report);
	read_stamp(pick, root, report);
	cd_pick_at(pick, "%s", "");
	read_streams(pick, root, report);
	cd_pick_at(pick, "%s", "");
}
