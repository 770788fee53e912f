/* Which files named one by one are one ring set? */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "input/ringname.h"
#include "input/ringset.h"

#define TCPDUMP_LEAST 3 /* two numbered files may be anything */

/* A file, and how its name stands among the others'. */
struct entry {
	struct cd_ring_name name;
	size_t index;
	size_t head; /* bytes that all of its set begin with */
};

/* "x.pcap" may be the first of x.pcap1, x.pcap2, …, and its head is itself. */
static struct entry describe(const char *path, size_t index)
{
	struct entry e = {.name = cd_ring_name_parse(path), .index = index};

	e.head = e.name.is_dumpcap ? e.name.stem : e.name.body;
	return e;
}

static int compare_parts(const char *a, size_t na, const char *b, size_t nb)
{
	int order = memcmp(a, b, na < nb ? na : nb);

	return order != 0 ? order : (na > nb) - (na < nb);
}

/* 0: the names stand for one set, as far as each alone can tell. */
static int compare_sets(const struct entry *a, const struct entry *b)
{
	const struct cd_ring_name *x = &a->name, *y = &b->name;
	int order = x->is_dumpcap - y->is_dumpcap;

	if (order == 0)
		order = x->time_first - y->time_first;
	if (order == 0)
		order = compare_parts(x->path, a->head, y->path, b->head);
	if (order == 0 && x->is_dumpcap)
		order = compare_parts(x->path + x->suffix, x->end - x->suffix,
				      y->path + y->suffix, y->end - y->suffix);
	return order;
}

static int by_set(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = compare_sets(x, y);

	return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

static int by_time(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = memcmp(x->name.time, y->name.time, 14);

	if (order != 0)
		return order;
	return (x->name.number > y->name.number) -
	       (x->name.number < y->name.number);
}

/* Times of files of one set rise with their numbers, and no number comes
 * twice. The numbers may pass from 99999 to 0, but a ring that holds half of
 * the circle is more likely two. */
static bool is_dumpcap_set(struct entry *e, size_t n)
{
	uint64_t circle = 0;

	qsort(e, n, sizeof(*e), by_time);
	for (size_t i = 1; i < n; i++) {
		uint64_t step = e[i].name.number - e[i - 1].name.number +
				CD_RING_DUMPCAP_MODULUS;

		step %= CD_RING_DUMPCAP_MODULUS;
		circle += step;
		if (step == 0 || circle > CD_RING_DUMPCAP_MODULUS / 2)
			return false;
	}
	return n >= 2;
}

static bool has_number(const struct entry *e)
{
	return e->name.body < e->name.end;
}

static int by_number(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = has_number(x) - has_number(y);

	return order != 0 ? order
			  : cd_ring_name_compare(&x->name, &y->name);
}

/* NAME.pcap counts as number 0. */
static uint64_t number_of(const struct entry *e)
{
	if (!has_number(e))
		return 0;
	return cd_ring_digits(e->name.path + e->name.body,
			      e->name.end - e->name.body);
}

static bool is_tcpdump_set(struct entry *e, size_t n)
{
	qsort(e, n, sizeof(*e), by_number);
	if (n < TCPDUMP_LEAST ||
	    !cd_ring_name_ends_in_suffix(&e[0].name, true) ||
	    number_of(&e[n - 1]) == UINT64_MAX)
		return false;
	for (size_t i = 1; i < n; i++)
		if (number_of(&e[i]) == number_of(&e[i - 1]))
			return false;
	return number_of(&e[n - 1]) - number_of(&e[0]) < 2 * n;
}

/* The n entries are of one set, if it is one. */
static void join(struct entry *e, size_t n, size_t *group)
{
	size_t first = e[0].index; /* the least, before any other sorting */

	if (n < 2 || !(e[0].name.is_dumpcap ? is_dumpcap_set(e, n)
					    : is_tcpdump_set(e, n)))
		return;
	for (size_t i = 0; i < n; i++)
		group[e[i].index] = first;
}

int cd_ringset_group(const char *const *paths, size_t n, size_t *group)
{
	struct entry *entries = calloc(n + 1, sizeof(*entries));

	if (entries == NULL)
		return -1;
	for (size_t i = 0; i < n; i++) {
		entries[i] = describe(paths[i], i);
		group[i] = i;
	}
	qsort(entries, n, sizeof(*entries), by_set);
	for (size_t i = 0, end; i < n; i = end) {
		end = i + 1;
		while (end < n &&
		       compare_sets(&entries[i], &entries[end]) == 0)
			end++;
		join(entries + i, end - i, group);
	}
	free(entries);
	return 0;
}

char *cd_ringset_pattern(const char *const *paths, size_t n)
{
	struct entry e = describe(paths[0], 0);
	size_t from = e.name.is_dumpcap ? e.name.suffix : e.name.end;
	bool same_end = true;

	for (size_t i = 1; i < n; i++) {
		struct cd_ring_name other = cd_ring_name_parse(paths[i]);

		same_end = same_end &&
			   strcmp(other.path + other.end,
				  e.name.path + e.name.end) == 0;
	}
	return cd_strf("%.*s%s*%.*s%s", (int)e.head, e.name.path,
		       e.name.is_dumpcap ? "_" : "",
		       (int)(e.name.end - from), e.name.path + from,
		       same_end ? e.name.path + e.name.end : "");
}

static bool is_number_or_joint(char c, bool numbers)
{
	return numbers ? c >= '0' && c <= '9' : strchr("-_. ", c) != NULL;
}

/* Where numbers, and then joints, that end at `at` begin. */
static size_t strip(const char *path, size_t base, size_t at)
{
	for (int numbers = 1; numbers >= 0; numbers--)
		while (at > base &&
		       is_number_or_joint(path[at - 1], numbers != 0))
			at--;
	return at;
}

char *cd_ringset_name(const char *const *paths, size_t n)
{
	struct entry e = describe(paths[0], 0);
	const struct cd_ring_name *name = &e.name;
	size_t shared = name->end, at = name->stem;
	bool one_set = true;

	for (size_t i = 1; i < n; i++) {
		struct entry other = describe(paths[i], i);
		size_t k = 0;

		one_set = one_set && compare_sets(&e, &other) == 0;
		while (k < shared && paths[i][k] == name->path[k])
			k++;
		shared = k;
	}
	if (!one_set || !name->is_dumpcap)
		at = strip(name->path, name->base, shared);
	return at > name->base ? cd_strf("%.*s", (int)at, name->path)
			       : cd_strdup(name->path);
}
