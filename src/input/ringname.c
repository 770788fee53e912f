#include "input/ringname.h"

#include <string.h>

#define NUMBER_DIGITS 5
#define TIME_DIGITS 14

/* Not isdigit(): no locale. */
static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool ends_in(const char *path, size_t base, size_t end,
		    const char *suffix)
{
	size_t n = strlen(suffix);

	return end > base + n && memcmp(path + end - n, suffix, n) == 0;
}

static size_t drop_compression(const char *path, size_t base, size_t end)
{
	static const char *const suffixes[] = {".gz", ".zst", ".lz4", ".xz",
					       ".bz2"};

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (ends_in(path, base, end, suffixes[i]))
			return end - strlen(suffixes[i]);
	return end;
}

static size_t count_digits(const char *p, const char *end)
{
	size_t n = 0;

	while (p + n < end && is_digit(p[n]))
		n++;
	return n;
}

uint64_t cd_ring_digits(const char *digits, size_t n)
{
	uint64_t value = 0;

	if (n == 0 || n > 18)
		return UINT64_MAX;
	for (size_t i = 0; i < n; i++)
		value = 10 * value + (uint64_t)(digits[i] - '0');
	return value;
}

static bool in_range(const char *digits, uint64_t least, uint64_t most)
{
	uint64_t value = cd_ring_digits(digits, 2);

	return value >= least && value <= most;
}

static bool is_clock(const char *digits)
{
	return in_range(digits, 0, 23) && in_range(digits + 2, 0, 59) &&
	       in_range(digits + 4, 0, 60);
}

static bool is_month_day(const char *digits)
{
	return in_range(digits, 1, 12) && in_range(digits + 2, 1, 31);
}

static bool is_date(const char *digits)
{
	return in_range(digits, 19, 20) && is_month_day(digits + 4);
}

bool cd_ring_is_time(const char *digits, size_t n)
{
	if (n == 6)
		return is_clock(digits) || is_month_day(digits + 2);
	return n >= 10 || (n == 8 && is_date(digits));
}

/* "_00001_20261130185301" or "_20261130185301_00001", and then a suffix or
 * nothing. 0: neither; else bytes. */
static size_t match_dumpcap(const char *p, const char *end,
			    struct cd_ring_name *name)
{
	const size_t n = 2 + NUMBER_DIGITS + TIME_DIGITS;
	size_t first, second;
	const char *number, *time;

	if (p + n > end || p[0] != '_')
		return 0;
	first = count_digits(p + 1, end);
	if ((first != NUMBER_DIGITS && first != TIME_DIGITS) ||
	    p[1 + first] != '_')
		return 0;
	second = count_digits(p + 2 + first, end);
	if (first + second != NUMBER_DIGITS + TIME_DIGITS ||
	    (p + n < end && p[n] != '.'))
		return 0;
	name->time_first = first == TIME_DIGITS;
	number = name->time_first ? p + 2 + first : p + 1;
	time = name->time_first ? p + 1 : p + 2 + first;
	if (!is_date(time) || !is_clock(time + 8))
		return 0;
	name->number = cd_ring_digits(number, NUMBER_DIGITS);
	name->time = time;
	return n;
}

/* The last place that fits: NAME may hold such numbers too. */
static void find_dumpcap(struct cd_ring_name *name)
{
	const char *end = name->path + name->end;

	for (size_t at = name->end; at-- > name->base;) {
		size_t n = match_dumpcap(name->path + at, end, name);

		if (n == 0)
			continue;
		name->is_dumpcap = true;
		name->stem = at;
		name->suffix = at + n;
		return;
	}
}

struct cd_ring_name cd_ring_name_parse(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct cd_ring_name name = {.path = path};

	name.base = slash == NULL ? 0 : (size_t)(slash + 1 - path);
	name.end = drop_compression(path, name.base, strlen(path));
	name.body = name.end;
	while (name.body > name.base && is_digit(path[name.body - 1]))
		name.body--;
	find_dumpcap(&name);
	return name;
}

/* As numbers, of any length; then by their length. */
static int compare_digits(const char *a, size_t na, const char *b, size_t nb)
{
	size_t za = 0, zb = 0;
	int order;

	while (za < na && a[za] == '0')
		za++;
	while (zb < nb && b[zb] == '0')
		zb++;
	if (na - za != nb - zb)
		return na - za < nb - zb ? -1 : 1;
	order = memcmp(a + za, b + zb, na - za);
	return order != 0 ? order : (na > nb) - (na < nb);
}

int cd_ring_name_compare(const struct cd_ring_name *a,
			 const struct cd_ring_name *b)
{
	const char *p = a->path + a->base, *q = b->path + b->base;
	const char *p_end = a->path + a->end, *q_end = b->path + b->end;

	while (p < p_end && q < q_end) {
		size_t n = count_digits(p, p_end), m = count_digits(q, q_end);
		int order = n > 0 && m > 0
				? compare_digits(p, n, q, m)
				: (unsigned char)*p - (unsigned char)*q;

		if (order != 0)
			return order;
		p += n > 0 ? n : 1;
		q += m > 0 ? m : 1;
	}
	return (p < p_end) - (q < q_end);
}

bool cd_ring_name_alike(const struct cd_ring_name *a,
			const struct cd_ring_name *b, uint64_t *varying)
{
	const char *p = a->path + a->base, *q = b->path + b->base;
	const char *p_end = a->path + a->body, *q_end = b->path + b->body;
	unsigned column = 0;

	if (a->base != b->base || memcmp(a->path, b->path, a->base) != 0)
		return false;
	while (p < p_end && q < q_end) {
		size_t n = count_digits(p, p_end), m = count_digits(q, q_end);

		if ((n > 0) != (m > 0) || (n == 0 && *p != *q))
			return false;
		if (n > 0) {
			if (column >= CD_RING_COLUMNS)
				return false;
			if (n != m || memcmp(p, q, n) != 0)
				*varying |= UINT64_C(1) << column;
			column++;
		}
		p += n > 0 ? n : 1;
		q += m > 0 ? m : 1;
	}
	return p == p_end && q == q_end;
}

size_t cd_ring_column(const struct cd_ring_name *name, unsigned column,
		      size_t *n)
{
	const char *end = name->path + name->body;
	const char *p = name->path + name->base;

	while (p < end) {
		*n = count_digits(p, end);
		if (*n > 0 && column-- == 0)
			return (size_t)(p - name->path);
		p += *n > 0 ? *n : 1;
	}
	*n = 0;
	return name->body;
}

bool cd_ring_name_ends_in_suffix(const struct cd_ring_name *name, bool known)
{
	static const char *const suffixes[] = {".pcap", ".pcapng", ".cap",
					       ".dmp", ".dump"};
	size_t at = name->body;

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (ends_in(name->path, name->base, name->body, suffixes[i]))
			return true;
	while (at > name->base && is_letter(name->path[at - 1]))
		at--;
	return !known && at < name->body && at > name->base &&
	       name->path[at - 1] == '.';
}
