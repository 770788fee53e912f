#include "capture/set.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "capture/reader.h"

#define LOOK_RECORDS 33

struct set {
	struct cd_capture_format format; /* its name is the first file's */
	struct cd_member *members;
	size_t n, at; /* members[at] is open, or the next to be */
	struct cd_capture *inner; /* NULL: none is open */
	uint64_t before;	  /* packets of the files before */
	uint64_t consumed;	  /* bytes of the files before */
	uint32_t *map; /* interfaces of the open file to the set's */
	size_t n_map, map_capacity;
	bool anew; /* counters of a file begin with it */
	struct cd_error why; /* of the open file's end */
	bool stolen; /* members are somebody else's */
};

/* ---- interfaces of the files to those of the set ------------------------------- */

static bool same_text(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool same_iface(const struct cd_iface *a, const struct cd_iface *b)
{
	return a->section == b->section && a->id == b->id &&
	       a->linktype == b->linktype && a->snaplen == b->snaplen &&
	       a->resolution.base == b->resolution.base &&
	       a->resolution.exponent == b->resolution.exponent &&
	       a->offset_s == b->offset_s && a->fcs_bytes == b->fcs_bytes &&
	       same_text(a->name, b->name);
}

/* Texts go over; counters do at the end of the file. */
static int add_iface(struct cd_capture *capture, struct cd_iface *from,
		     struct cd_error *error)
{
	struct cd_iface *to = cd_capture_add_iface(capture, error);

	if (to == NULL)
		return -1;
	to->section = from->section;
	to->id = from->id;
	to->linktype = from->linktype;
	to->snaplen = from->snaplen;
	to->resolution = from->resolution;
	to->offset_s = from->offset_s;
	to->fcs_bytes = from->fcs_bytes;
	to->name = from->name;
	to->description = from->description;
	to->filter = from->filter;
	to->os = from->os;
	to->hardware = from->hardware;
	from->description = from->filter = from->os = from->hardware = NULL;
	from->name = to->name == NULL ? NULL : cd_strdup(to->name);
	if (to->name != NULL && from->name == NULL)
		return cd_error_memory(error);
	return 0;
}

/* All interfaces that the open file has so far. */
static int map_ifaces(struct cd_capture *capture, struct cd_error *error)
{
	struct set *set = capture->state;
	struct cd_capture *inner = set->inner;

	if (cd_grow(&set->map, &set->map_capacity, inner->n_ifaces + 1,
		    sizeof(*set->map)) < 0)
		return cd_error_memory(error);
	for (; set->n_map < inner->n_ifaces; set->n_map++) {
		struct cd_iface *iface = &inner->ifaces[set->n_map];
		size_t i = 0;

		while (i < capture->n_ifaces &&
		       !same_iface(&capture->ifaces[i], iface))
			i++;
		if (i == capture->n_ifaces &&
		    add_iface(capture, iface, error) < 0)
			return -1;
		set->map[set->n_map] = (uint32_t)i;
	}
	return 0;
}

/* ---- statistics ----------------------------------------------------------------- */

static bool has_fallen(uint64_t before, uint64_t now)
{
	return before != CD_COUNT_NONE && now != CD_COUNT_NONE && now < before;
}

/* Do the counters of a later file count on from those before, or anew? */
static bool counts_on(const struct cd_iface *before, const struct cd_iface *now)
{
	if (has_fallen(before->received, now->received) ||
	    has_fallen(before->dropped, now->dropped) ||
	    has_fallen(before->os_dropped, now->os_dropped))
		return false;
	if (before->has_start && now->has_start)
		return cd_instant_compare(now->start, before->start) <= 0;
	if (before->received == CD_COUNT_NONE || now->received == CD_COUNT_NONE)
		return true;
	return now->received - before->received >= now->packets;
}

static void fold(uint64_t *total, uint64_t now, bool on)
{
	if (now == CD_COUNT_NONE)
		return;
	if (on || *total == CD_COUNT_NONE)
		*total = now;
	else
		*total = now > UINT64_MAX - 1 - *total ? UINT64_MAX - 1
						       : *total + now;
}

static bool has_statistics(const struct cd_iface *iface)
{
	return iface->received != CD_COUNT_NONE ||
	       iface->dropped != CD_COUNT_NONE ||
	       iface->os_dropped != CD_COUNT_NONE || iface->has_start ||
	       iface->has_end;
}

static void fold_iface(struct set *set, struct cd_iface *total,
		       const struct cd_iface *now)
{
	bool on;

	if (!has_statistics(now))
		return;
	if (has_statistics(total) && !counts_on(total, now))
		set->anew = true;
	on = !set->anew;
	fold(&total->received, now->received, on);
	fold(&total->dropped, now->dropped, on);
	fold(&total->os_dropped, now->os_dropped, on);
	fold(&total->accepted, now->accepted, on);
	fold(&total->delivered, now->delivered, on);
	if (now->has_start && !total->has_start) {
		total->has_start = true;
		total->start = now->start;
	}
	if (now->has_end) {
		total->has_end = true;
		total->end = now->end;
	}
}

/* ---- files ------------------------------------------------------------------------ */

static void take_text(char **to, char **from)
{
	if (*to != NULL)
		return;
	*to = *from;
	*from = NULL;
}

static void take_head(struct cd_capture *capture)
{
	struct set *set = capture->state;
	struct cd_capture *inner = set->inner;

	if (set->format.name == NULL) {
		set->format.name = inner->format->name;
		capture->thiszone = inner->thiszone;
	}
	take_text(&capture->hardware, &inner->hardware);
	take_text(&capture->os, &inner->os);
	take_text(&capture->application, &inner->application);
	take_text(&capture->comment, &inner->comment);
}

/* Why this file ends here. 0, or -1: no memory for it. */
static int note_stop(struct cd_member *member, const struct cd_error *why)
{
	member->stop = malloc(sizeof(*member->stop));
	if (member->stop == NULL)
		return -1;
	*member->stop = *why;
	if (why->fault == CD_E_EMPTY)
		member->stop->fault = CD_E_TRUNCATED;
	cd_error_file(member->stop, member->path);
	return 0;
}

static int close_member(struct cd_capture *capture, struct cd_error *error)
{
	struct set *set = capture->state;
	struct cd_capture *inner = set->inner;
	struct cd_member *member = &set->members[set->at];
	int status = map_ifaces(capture, error);

	for (size_t i = 0; i < set->n_map; i++)
		fold_iface(set, &capture->ifaces[set->map[i]],
			   &inner->ifaces[i]);
	take_head(capture);
	capture->comments += inner->comments;
	capture->faults += inner->faults;
	if (inner->sections > capture->sections)
		capture->sections = inner->sections;
	member->packets = inner->packets;
	member->bytes = inner->bytes;
	set->before += inner->packets;
	set->consumed += cd_input_consumed(inner->input);
	cd_capture_close(inner);
	set->inner = NULL;
	set->n_map = 0;
	set->at++;
	return status;
}

/* The member whose turn it is. 1: it is open; 0: it cannot be, and its turn is
 * over; -1: no memory. */
static int open_member(struct cd_capture *capture, struct cd_error *error)
{
	struct set *set = capture->state;
	struct cd_member *member = &set->members[set->at];
	struct cd_error why = {0};
	struct cd_input *input = cd_input_open(member->path, &why);

	if (input != NULL)
		set->inner = cd_capture_open(input, &why);
	if (set->inner == NULL) {
		set->at++;
		if (why.fault == CD_E_MEMORY || note_stop(member, &why) < 0)
			return cd_error_memory(error);
		return 0;
	}
	member->format = set->inner->format->name;
	member->compression = cd_input_compression(set->inner->input);
	take_head(capture);
	return map_ifaces(capture, error) < 0 ? -1 : 1;
}

/* 1, 0: no file is left, -1 */
static int open_next(struct cd_capture *capture, struct cd_error *error)
{
	const struct set *set = capture->state;
	int got = 0;

	while (got == 0 && set->at < set->n)
		got = open_member(capture, error);
	return got;
}

/* ---- as a capture -------------------------------------------------------------- */

static int end_member(struct cd_capture *capture, int got,
		      struct cd_error *error)
{
	struct set *set = capture->state;

	if (got < 0 && (set->why.fault == CD_E_MEMORY ||
			note_stop(&set->members[set->at], &set->why) < 0))
		return cd_error_memory(error);
	set->why = (struct cd_error){0};
	return close_member(capture, error);
}

static int next_set(struct cd_capture *capture, struct cd_record *record,
		    struct cd_error *error)
{
	struct set *set = capture->state;

	for (;;) {
		int got = 1;

		if (CD_UNLIKELY(set->inner == NULL))
			got = open_next(capture, error);
		if (CD_UNLIKELY(got <= 0))
			return got;
		got = cd_capture_next(set->inner, record, &set->why);
		if (CD_LIKELY(got > 0))
			break;
		if (end_member(capture, got, error) < 0)
			return -1;
	}
	if (CD_UNLIKELY(record->iface >= set->n_map) &&
	    map_ifaces(capture, error) < 0)
		return -1;
	record->number += set->before;
	record->iface = set->map[record->iface];
	capture->packets++;
	capture->bytes += record->caplen;
	capture->ifaces[record->iface].packets++;
	return 1;
}

static void close_set(struct cd_capture *capture)
{
	struct set *set = capture->state;

	if (set == NULL)
		return;
	cd_capture_close(set->inner);
	if (!set->stolen)
		cd_members_free(set->members, set->n);
	free(set->map);
	free(set);
}

static struct set *new_set(const char *const *paths, size_t n)
{
	struct set *set = calloc(1, sizeof(*set));

	if (set == NULL)
		return NULL;
	set->format = (struct cd_capture_format){.next = next_set,
						 .close = close_set};
	set->members = calloc(n, sizeof(*set->members));
	for (; set->members != NULL && set->n < n; set->n++) {
		struct cd_member *member = &set->members[set->n];

		member->path = cd_strdup(paths[set->n]);
		if (member->path == NULL)
			break;
	}
	if (set->n == n)
		return set;
	cd_members_free(set->members, set->n);
	free(set);
	return NULL;
}

struct cd_capture *cd_set_open(const char *const *paths, size_t n,
			       struct cd_error *error)
{
	struct cd_capture *capture = calloc(1, sizeof(*capture));
	struct set *set = new_set(paths, n);
	int got;

	if (capture == NULL || set == NULL) {
		cd_error_memory(error);
		goto fail;
	}
	capture->state = set;
	capture->format = &set->format;
	got = open_next(capture, error);
	if (got > 0)
		return capture;
	if (got == 0 && error != NULL && error->fault == CD_OK)
		*error = *set->members[0].stop;
fail:
	if (capture != NULL)
		capture->format = NULL;
	cd_capture_close(capture);
	close_set(&(struct cd_capture){.state = set});
	return NULL;
}

/* ---- what is known of the files ------------------------------------------------- */

static bool is_set(const struct cd_capture *capture)
{
	return capture->format->next == next_set;
}

static void update_open_member(struct set *set)
{
	if (set->inner == NULL)
		return;
	set->members[set->at].packets = set->inner->packets;
	set->members[set->at].bytes = set->inner->bytes;
}

const struct cd_member *cd_set_members(const struct cd_capture *capture,
				       size_t *n)
{
	struct set *set = capture->state;

	*n = 0;
	if (!is_set(capture))
		return NULL;
	update_open_member(set);
	*n = set->n;
	return set->members;
}

struct cd_member *cd_set_take_members(struct cd_capture *capture, size_t *n)
{
	struct set *set = capture->state;

	*n = 0;
	if (!is_set(capture))
		return NULL;
	update_open_member(set);
	set->stolen = true;
	*n = set->n;
	return set->members;
}

void cd_members_free(struct cd_member *members, size_t n)
{
	for (size_t i = 0; members != NULL && i < n; i++) {
		free(members[i].path);
		free(members[i].stop);
	}
	free(members);
}

uint64_t cd_set_consumed(const struct cd_capture *capture)
{
	const struct set *set = capture->state;

	if (!is_set(capture))
		return cd_input_consumed(capture->input);
	if (set->inner == NULL)
		return set->consumed;
	return set->consumed + cd_input_consumed(set->inner->input);
}

/* ---- the time of a file ----------------------------------------------------------- */

static bool has_good_time(const struct cd_record *record)
{
	return (record->flags & (CD_RECORD_NO_TIME | CD_RECORD_OUT_OF_RANGE |
				 CD_RECORD_BAD_FRACTION)) == 0 &&
	       (record->time.s != 0 || record->time.ps != 0);
}

static int by_time(const void *a, const void *b)
{
	return cd_instant_compare(*(const struct cd_instant *)a,
				  *(const struct cd_instant *)b);
}

static int read_times(struct cd_capture *capture, struct cd_instant *time)
{
	struct cd_instant times[LOOK_RECORDS];
	struct cd_record record;
	size_t n = 0;

	for (int i = 0; i < LOOK_RECORDS; i++) {
		if (cd_capture_next(capture, &record, NULL) <= 0)
			break;
		if (has_good_time(&record))
			times[n++] = record.time;
	}
	if (n == 0)
		return 0;
	qsort(times, n, sizeof(*times), by_time);
	*time = times[(n - 1) / 2];
	return 1;
}

int cd_capture_time(const char *path, struct cd_instant *time,
		    struct cd_error *error)
{
	struct cd_error why = {0};
	struct cd_input *input = cd_input_open(path, &why);
	struct cd_capture *capture = NULL;
	int got;

	if (input != NULL)
		capture = cd_capture_open(input, &why);
	if (capture != NULL) {
		got = read_times(capture, time);
		cd_capture_close(capture);
		return got;
	}
	if (why.fault == CD_E_EMPTY || why.fault == CD_E_TRUNCATED ||
	    why.fault == CD_E_CORRUPT)
		return 0;
	if (error != NULL && error->fault == CD_OK)
		*error = why;
	return -1;
}
