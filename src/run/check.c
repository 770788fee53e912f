#include "run/check.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "align/identity.h"
#include "report/codes.h"

unsigned cd_thread_count(unsigned wanted, size_t captures)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned limit = processors < 1 ? 1 : (unsigned)processors;

	if (wanted == 0)
		wanted = limit;
	if (wanted > captures)
		wanted = (unsigned)captures;
	return wanted == 0 ? 1 : wanted;
}

static bool has_control(const char *text)
{
	while (*text != '\0' && (unsigned char)*text >= ' ' && *text != 127)
		text++;
	return *text != '\0';
}

static int check_label(const char *label, struct cd_error *error)
{
	if (label == NULL)
		return 0;
	if (label[0] != '\0' && strpbrk(label, ".<>=!#/\\\"'` ") == NULL &&
	    !has_control(label))
		return 0;
	cd_error_set(error, CD_E_USAGE, "'%s' cannot be a label", label);
	cd_error_hint(error, "letters, digits, - and _ make a label");
	return -1;
}

static int same_capture(const char *path, struct cd_error *error)
{
	cd_error_file(error, path);
	cd_error_set(error, CD_E_USAGE, "the same capture is given twice");
	cd_error_hint(error, "two interfaces of one file are FILE#0 FILE#1");
	return -1;
}

static int check_pair(const struct capdiff_capture *a,
		      const struct capdiff_capture *b, struct cd_error *error)
{
	if (strcmp(a->path, "-") == 0 && strcmp(b->path, "-") == 0) {
		cd_error_set(error, CD_E_USAGE,
			     "standard input is given twice");
		cd_error_hint(error, "name the second capture's file, or a "
				     "FIFO");
		return -1;
	}
	if (a->label != NULL && b->label != NULL &&
	    strcmp(a->label, b->label) == 0)
		return cd_error_set(error, CD_E_USAGE,
				    "two captures are called '%s'", a->label);
	if (strcmp(a->path, b->path) != 0 ||
	    (a->one_interface && b->one_interface &&
	     a->interface != b->interface))
		return 0;
	return same_capture(b->path, error);
}

/* A file by what it is, not by its name. */
struct identity {
	const char *path;
	const struct capdiff_capture *capture;
	dev_t dev;
	ino_t ino;
};

static int by_identity(const void *a, const void *b)
{
	const struct identity *x = a, *y = b;

	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	if (x->ino != y->ino)
		return x->ino < y->ino ? -1 : 1;
	if (x->capture->one_interface != y->capture->one_interface)
		return x->capture->one_interface ? 1 : -1;
	return (x->capture->interface > y->capture->interface) -
	       (x->capture->interface < y->capture->interface);
}

static bool is_same(const struct identity *a, const struct identity *b)
{
	const struct capdiff_capture *x = a->capture, *y = b->capture;

	return a->dev == b->dev && a->ino == b->ino &&
	       !(x->one_interface && y->one_interface &&
		 x->interface != y->interface);
}

static size_t identify(const struct capdiff_capture *capture,
		       const char *path, struct identity *out)
{
	struct stat status;

	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return 0;
	*out = (struct identity){path, capture, status.st_dev, status.st_ino};
	return 1;
}

/* No regular file may be in two captures, or twice in one set. */
static int check_files(const struct capdiff_capture *captures, size_t n,
		       struct cd_error *error)
{
	struct identity *all;
	size_t most = n, found = 0;
	int status = 0;

	for (size_t i = 0; i < n; i++)
		most += captures[i].n_files;
	all = calloc(most, sizeof(*all));
	if (all == NULL)
		return cd_error_memory(error);
	for (size_t i = 0; i < n; i++) {
		const struct capdiff_capture *c = &captures[i];

		for (size_t k = 0; k < c->n_files; k++)
			found += identify(c, c->files[k], &all[found]);
		if (c->n_files == 0)
			found += identify(c, c->path, &all[found]);
	}
	qsort(all, found, sizeof(*all), by_identity);
	for (size_t i = 1; i < found && status == 0; i++)
		if (is_same(&all[i - 1], &all[i]))
			status = same_capture(all[i].path, error);
	free(all);
	return status;
}

int cd_check_captures(const struct capdiff_options *options,
		      struct cd_error *error)
{
	size_t n = options->n_captures;

	if (n == 0 || n > CAPDIFF_MAX_CAPTURES)
		return cd_error_set(error, CD_E_USAGE,
				    "%zu captures given, 1 to %d are possible",
				    n, CAPDIFF_MAX_CAPTURES);
	if (options->reference >= n)
		return cd_error_set(error, CD_E_USAGE,
				    "the reference is none of the captures");
	for (size_t i = 0; i < n; i++) {
		if (check_label(options->captures[i].label, error))
			return -1;
		for (size_t j = 0; j < i; j++)
			if (check_pair(&options->captures[j],
				       &options->captures[i], error))
				return -1;
	}
	return check_files(options->captures, n, error);
}

int cd_check_units(const struct capdiff_capture *captures,
		   struct cd_point *points, size_t n, struct cd_error *error)
{
	static const struct {
		const char *name;
		int64_t ps;
	} units[] = {{"ns", CD_PS_PER_NS}, {"us", CD_PS_PER_US}};

	for (size_t i = 0; i < n; i++) {
		const char *unit = captures[i].ts_unit;
		size_t k = 0;

		if (unit == NULL)
			continue;
		while (k < 2 && strcmp(units[k].name, unit) != 0)
			k++;
		if (k == 2) {
			cd_error_set(error, CD_E_USAGE,
				     "time stamp unit '%s' is not known", unit);
			cd_error_hint(error, "ns or us");
			return -1;
		}
		points[i].ts_unit_ps = units[k].ps;
	}
	return 0;
}

/* True: it makes the status 2. */
static bool say_stop(const struct cd_error *stop, int point,
		     bool allow_truncated, struct cd_report *report)
{
	bool cut = stop->fault == CD_E_TRUNCATED;

	cd_report_finding(report, CD_ERROR, cut ? "cut_short" : "damaged",
			  point, stop->hint[0] != '\0' ? "%s; %s" : "%s",
			  stop->what, stop->hint);
	return !(cut && allow_truncated);
}

/* A set goes on behind the file, which has to be named. */
static bool say_member_stop(const struct cd_member *member, int point,
			    bool allow_truncated, struct cd_report *report)
{
	const struct cd_error *stop = member->stop;
	bool cut = stop->fault == CD_E_TRUNCATED;

	cd_report_finding(report, CD_ERROR, cut ? "cut_short" : "damaged",
			  point, "%s: %s; %s", member->path, stop->what,
			  stop->hint[0] != '\0'
			      ? stop->hint
			      : "the other files of the set are analysed");
	return !(cut && allow_truncated);
}

bool cd_check_stops(const struct cd_point *points, size_t n,
		    bool allow_truncated, struct cd_report *report)
{
	bool failed = false;

	for (size_t i = 0; i < n; i++) {
		const struct cd_point *p = &points[i];

		if (p->stop.fault != CD_OK && p->members == NULL)
			failed |= say_stop(&p->stop, (int)i, allow_truncated,
					   report);
		for (size_t k = 0; k < p->n_members; k++)
			if (p->members[k].stop != NULL)
				failed |= say_member_stop(
				    &p->members[k], (int)i, allow_truncated,
				    report);
	}
	return failed;
}

static bool any_stream(const struct cd_point *points, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (points[i].n_streams > 0)
			return true;
	return false;
}

static const char *what_to_do(const struct cd_ingest_options *options,
			      const struct cd_detection *found)
{
	if (options->stamp != CD_STAMP_GIVEN && found->ambiguous)
		return "say which one is meant: --stamp and one of these";
	if (found->cut)
		return "capture again with a snapshot length of at least 96 "
		       "bytes (tcpdump -s 96, dumpcap -s 96)";
	return "say where it is: --stamp field:at=udp+0,width=4,endian=big; "
	       "--stamp none shows what needs no numbers: counts, rates, "
	       "deltas, time stamp resolution";
}

/* What was looked for and what to try, when there is no number to match by. */
static int say_no_stamp(const struct cd_ingest_options *options,
			const struct cd_ingest_result *result,
			struct cd_error *error)
{
	const struct cd_detection *found = &result->detection;

	if (options->stamp == CD_STAMP_GIVEN)
		cd_error_set(error, CD_E_DATA,
			     "no packet carries a number of the stamp '%s'",
			     options->spec.format->name);
	else if (found->ambiguous)
		cd_error_set(error, CD_E_DATA,
			     "more than one kind of sequence number fits: %s",
			     cd_str_text(&found->tried));
	else if (found->cut)
		cd_error_set(error, CD_E_DATA,
			     "the packets were cut before a sequence number "
			     "could be found");
	else
		cd_error_set(error, CD_E_DATA,
			     "no sequence number found; tried %s",
			     cd_str_text(&found->tried));
	cd_error_hint(error, "%s", what_to_do(options, found));
	return -1;
}

/* Does this capture hold the streams, but not one of their numbers? */
static bool all_cut(const struct cd_point *point)
{
	uint64_t numbers = 0, cut = 0;

	for (size_t i = 0; i < point->n_streams; i++) {
		numbers += point->streams[i].packets;
		cut += point->streams[i].cut;
	}
	return numbers == 0 && cut > 0;
}

/* Bytes of a frame that surely reach behind the number: two VLAN tags, an IPv6
 * header and L4 in front of it. 0 where it is counted from the end. */
static unsigned bytes_needed(const struct cd_stamp_spec *spec)
{
	struct cd_number_place place = cd_number_place(spec);
	unsigned front = place.base == CD_AT_FRAME ? 0
			 : place.base == CD_AT_L3  ? 22
			 : place.base == CD_AT_L4  ? 62
						   : 70;

	if (!place.known || place.base == CD_AT_END || place.at < 0)
		return 0;
	return front + (unsigned)place.at + place.width;
}

static int say_cut(const struct cd_point *point,
		   const struct cd_stamp_spec *spec, struct cd_error *error)
{
	unsigned bytes = bytes_needed(spec);

	cd_error_file(error, point->path);
	cd_error_set(error, CD_E_DATA,
		     "all packets were cut before the sequence number");
	if (bytes > 0)
		cd_error_hint(error,
			      "capture again with at least %u bytes of each "
			      "packet (tcpdump -s %u)", bytes, bytes);
	else
		cd_error_hint(error, "capture again with whole packets "
				     "(tcpdump -s 0)");
	return -1;
}

/* One capture alone is measured all the same. */
static void note_no_stamp(const struct cd_detection *found,
			  struct cd_report *report)
{
	cd_report_finding(
	    report, CD_NOTE, CD_CODE_NO_NUMBERS, 0,
	    found->ambiguous
		? "more than one kind of sequence number fits, so missing "
		  "packets cannot be counted; say which one is meant: --stamp "
		  "%s"
		: "no sequence number found, so missing packets cannot be "
		  "counted; tried %s",
	    cd_str_text(&found->tried));
}

int cd_check_stamp(const struct cd_point *points, size_t n,
		   const struct cd_ingest_options *options,
		   const struct cd_ingest_result *result,
		   struct cd_report *report, struct cd_error *error)
{
	if (result->spec.format != NULL && any_stream(points, n)) {
		for (size_t i = 0; i < n; i++)
			if (all_cut(&points[i]))
				return say_cut(&points[i], &result->spec,
					       error);
		return 0;
	}
	if (n == 1 && any_stream(points, n)) {
		if (options->stamp == CD_STAMP_AUTO)
			note_no_stamp(&result->detection, report);
		return 0;
	}
	if (options->stamp == CD_STAMP_NONE && any_stream(points, n)) {
		cd_report_finding(report, CD_NOTE, CD_CODE_NO_NUMBERS, -1,
				  "without sequence numbers (--stamp none) "
				  "packets are counted, not matched");
		return 0;
	}
	return say_no_stamp(options, result, error);
}
