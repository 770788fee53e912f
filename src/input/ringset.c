#include "input/ringset.h"

#include <stdlib.h>
#include <string.h>

#include "input/ringname.h"

/* Number at the end of a name: 0 if it has none, as tcpdump counts. */
static uint64_t end_number(const struct cd_ring_name *name)
{
	if (name->body == name->end)
		return 0;
	return cd_ring_digits(name->path + name->body, name->end - name->body);
}

static const char *file_name(const struct cd_ring_name *name)
{
	return name->path + name->base;
}

/* ---- which kind ------------------------------------------------------------ */

static bool same_part(const struct cd_ring_name *a, size_t from_a, size_t to_a,
		      const struct cd_ring_name *b, size_t from_b, size_t to_b)
{
	return to_a - from_a == to_b - from_b &&
	       memcmp(a->path + from_a, b->path + from_b, to_a - from_a) == 0;
}

/* Of one set, if dumpcap wrote it? */
static bool same_dumpcap(const struct cd_ring_name *a,
			 const struct cd_ring_name *b)
{
	return a->is_dumpcap && b->is_dumpcap &&
	       a->time_first == b->time_first &&
	       same_part(a, 0, a->stem, b, 0, b->stem) &&
	       same_part(a, a->suffix, a->end, b, b->suffix, b->end);
}

static bool all_dumpcap(const struct cd_ring_name *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!same_dumpcap(&names[0], &names[i]))
			return false;
	return true;
}

/* tcpdump -C without -W: one name, and that name with 1, 2, … behind it. The
 * name itself may end in digits. True: `body` of all is its end. */
static bool split_at_first(struct cd_ring_name *names, size_t n)
{
	const struct cd_ring_name *first = &names[0];
	size_t end;

	for (size_t i = 1; i < n; i++)
		if (names[i].end < first->end)
			first = &names[i];
	end = first->end;
	for (size_t i = 0; i < n; i++) {
		const char *rest = names[i].path + end;
		size_t digits = strspn(rest, "0123456789");

		if (&names[i] == first)
			continue;
		if (!same_part(first, 0, end, &names[i], 0, end) ||
		    digits == 0 || rest[0] == '0' ||
		    end + digits != names[i].end)
			return false;
	}
	for (size_t i = 0; i < n; i++)
		names[i].body = end;
	return true;
}

static bool all_times(const struct cd_ring_name *names, size_t n,
		      unsigned column)
{
	for (size_t i = 0; i < n; i++) {
		size_t digits = names[i].end - names[i].body;
		size_t at = names[i].body;

		if (column < CD_RING_COLUMNS)
			at = cd_ring_column(&names[i], column, &digits);
		if (!cd_ring_is_time(names[i].path + at, digits))
			return false;
	}
	return true;
}

/* The only number that differs, CD_RING_COLUMNS for the one at the end;
 * `several` if there is no only one. */
static unsigned only_column(uint64_t varying, bool end_varies, bool *several)
{
	unsigned column = 0;

	*several = (varying & (varying - 1)) != 0 ||
		   (varying != 0 && end_varies);
	if (varying == 0 || *several)
		return CD_RING_COLUMNS;
	while ((varying >> column & 1) == 0)
		column++;
	return column;
}

static bool end_varies(const struct cd_ring_name *names, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (!same_part(&names[0], names[0].body, names[0].end,
			       &names[i], names[i].body, names[i].end))
			return true;
	return false;
}

static int not_one_set(const struct cd_ring_name *a,
		       const struct cd_ring_name *b, struct cd_error *error)
{
	cd_error_set(error, CD_E_USAGE,
		     "%.150s and %.150s are not of one ring set: their names "
		     "differ in more than numbers",
		     file_name(a), file_name(b));
	cd_error_hint(error, "a pattern in quotes is one capture; without "
			     "quotes each file is one");
	return -1;
}

/* Every file's number, by what differs in the names. */
static int classify(struct cd_ringset *set, struct cd_ring_name *names,
		    struct cd_error *error)
{
	uint64_t varying = 0;
	unsigned column;
	bool several, at_end;

	if (all_dumpcap(names, set->n)) {
		set->kind = CD_RING_DUMPCAP;
		return 0;
	}
	set->has_first = split_at_first(names, set->n);
	for (size_t i = 1; i < set->n && !set->has_first; i++)
		if ((names[0].is_dumpcap && names[i].is_dumpcap) ||
		    !cd_ring_name_alike(&names[0], &names[i], &varying))
			return not_one_set(&names[0], &names[i], error);
	at_end = end_varies(names, set->n);
	column = only_column(varying, at_end, &several);
	for (size_t i = 0; i < set->n; i++) {
		size_t digits, at = cd_ring_column(&names[i], column, &digits);

		names[i].number = column == CD_RING_COLUMNS
				      ? end_number(&names[i])
				      : cd_ring_digits(names[i].path + at,
						       digits);
	}
	if (several || all_times(names, set->n, column))
		set->kind = CD_RING_TIMES;
	else if (column == CD_RING_COLUMNS &&
		 cd_ring_name_ends_in_suffix(&names[0], false))
		set->kind = CD_RING_TCPDUMP;
	else
		set->kind = CD_RING_NUMBER;
	return 0;
}

/* ---- in order of the names --------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
	const struct cd_ring_name *x = a, *y = b;
	int order = cd_ring_name_compare(x, y);

	return order != 0 ? order : strcmp(x->path, y->path);
}

static int by_number(const void *a, const void *b)
{
	const struct cd_ring_name *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return strcmp(x->path, y->path);
}

static bool same_place(const struct cd_ringset *set,
		       const struct cd_ring_name *a,
		       const struct cd_ring_name *b)
{
	if (set->kind == CD_RING_TIMES)
		return cd_ring_name_compare(a, b) == 0;
	return a->number == b->number;
}

static int check_places(const struct cd_ringset *set,
			const struct cd_ring_name *names,
			struct cd_error *error)
{
	for (size_t i = 1; i < set->n; i++) {
		if (!same_place(set, &names[i - 1], &names[i]))
			continue;
		cd_error_set(error, CD_E_USAGE,
			     "%.150s and %.150s have the same number in their "
			     "ring set",
			     file_name(&names[i - 1]), file_name(&names[i]));
		cd_error_hint(error,
			      set->kind == CD_RING_DUMPCAP
				  ? "two runs of dumpcap are two captures: "
				    "choose one by its time, such as "
				    "'NAME_*_20261130*'"
				  : "a file and its compressed copy?");
		return -1;
	}
	return 0;
}

int cd_ringset_init(struct cd_ringset *set, const char *const *paths, size_t n,
		    struct cd_error *error)
{
	struct cd_ring_name *names = calloc(n, sizeof(*names));
	int status = -1;

	*set = (struct cd_ringset){.n = n};
	set->files = calloc(n, sizeof(*set->files));
	if (names == NULL || set->files == NULL) {
		cd_error_memory(error);
		goto out;
	}
	for (size_t i = 0; i < n; i++)
		names[i] = cd_ring_name_parse(paths[i]);
	if (classify(set, names, error) < 0)
		goto out;
	qsort(names, n, sizeof(*names),
	      set->kind == CD_RING_TIMES ? by_name : by_number);
	if (check_places(set, names, error) < 0)
		goto out;
	for (size_t i = 0; i < n; i++) {
		set->files[i].path = names[i].path;
		if (set->kind != CD_RING_TIMES)
			set->files[i].number = names[i].number;
	}
	status = 0;
out:
	free(names);
	return status;
}

void cd_ringset_release(struct cd_ringset *set)
{
	free(set->files);
	set->files = NULL;
	set->n = 0;
}

/* ---- in order of writing ------------------------------------------------------ */

static void reverse(struct cd_ring_file *from, struct cd_ring_file *to)
{
	while (from < to) {
		struct cd_ring_file kept = *from;

		*from++ = *--to;
		*to = kept;
	}
}

/* files[at] becomes the first. */
static void turn(struct cd_ringset *set, size_t at)
{
	reverse(set->files, set->files + at);
	reverse(set->files + at, set->files + set->n);
	reverse(set->files, set->files + set->n);
	set->wrapped = true;
}

/* Behind the largest gap of the circle the ring begins; in doubt at the
 * smallest number. */
static void turn_at_gap(struct cd_ringset *set)
{
	const struct cd_ring_file *f = set->files;
	uint64_t most = f[0].number + CD_RING_DUMPCAP_MODULUS -
			f[set->n - 1].number;
	size_t at = 0;

	for (size_t i = 1; i < set->n; i++)
		if (f[i].number - f[i - 1].number > most) {
			most = f[i].number - f[i - 1].number;
			at = i;
		}
	if (at > 0)
		turn(set, at);
}

/* Files whose time is earlier than the one's before them; *at is the first.
 * Files without a time do not count. */
static size_t count_falls(const struct cd_ringset *set, size_t *at)
{
	const struct cd_ring_file *before = NULL;
	size_t falls = 0;

	for (size_t i = 0; i < set->n; i++) {
		const struct cd_ring_file *file = &set->files[i];

		if (!file->has_time)
			continue;
		if (before != NULL &&
		    cd_instant_compare(file->time, before->time) < 0 &&
		    falls++ == 0)
			*at = i;
		before = file;
	}
	return falls;
}

/* Is the last time not later than the first one, so that the order is round? */
static bool is_round(const struct cd_ringset *set)
{
	const struct cd_ring_file *first = set->files;
	const struct cd_ring_file *last = set->files + set->n - 1;

	while (!first->has_time)
		first++;
	while (!last->has_time)
		last--;
	return cd_instant_compare(last->time, first->time) <= 0;
}

static void turn_by_times(struct cd_ringset *set)
{
	size_t at = 0;

	if (!set->has_first && count_falls(set, &at) == 1 && is_round(set))
		turn(set, at);
}

static int by_time(const void *a, const void *b)
{
	const struct cd_ring_file *x = a, *y = b;
	int order = cd_instant_compare(x->time, y->time);

	return order != 0 ? order
			  : (x->number > y->number) - (x->number < y->number);
}

/* What has no time stays behind its neighbour in the order of the names. */
static void sort_by_times(struct cd_ringset *set)
{
	struct cd_ring_file *f = set->files;
	size_t first = 0, at;

	while (first < set->n && !f[first].has_time)
		first++;
	if (first == set->n || count_falls(set, &at) == 0)
		return;
	for (size_t i = 0; i < set->n; i++) {
		f[i].number = i;
		if (!f[i].has_time)
			f[i].time = f[i > first ? i - 1 : first].time;
	}
	qsort(f, set->n, sizeof(*f), by_time);
	for (size_t i = 0; i < set->n; i++)
		f[i].number = 0;
	set->by_time = true;
}

void cd_ringset_arrange(struct cd_ringset *set)
{
	switch (set->kind) {
	case CD_RING_DUMPCAP:
		turn_at_gap(set);
		break;
	case CD_RING_TCPDUMP:
	case CD_RING_NUMBER:
		turn_by_times(set);
		break;
	case CD_RING_TIMES:
		sort_by_times(set);
		break;
	}
	if (count_falls(set, &set->backwards) == 1)
		set->two_runs = set->kind == CD_RING_DUMPCAP && is_round(set);
}

uint64_t cd_ringset_missing(const struct cd_ringset *set, size_t i)
{
	uint64_t before = set->files[i - 1].number;
	uint64_t number = set->files[i].number;

	if (set->kind == CD_RING_TIMES)
		return 0;
	if (number > before)
		return number - before - 1;
	if (set->kind == CD_RING_DUMPCAP)
		return number + CD_RING_DUMPCAP_MODULUS - before - 1;
	/* tcpdump begins again at 0; of others nobody knows */
	return set->kind == CD_RING_TCPDUMP ? number : 0;
}
