/*
 * What an annotated copy holds, found without any code of capdiff:
 *	marked check ORIGINAL COPY	every byte of ORIGINAL is in COPY, but for
 *		comments that begin with "capdiff: " and drop counts; lists the
 *		packets that have such a comment: FRAME DROPS COMMENT
 *	marked numbers FILE AT WIDTH [MAGIC]	the big-endian number AT bytes
 *		behind the UDP or ICMP header of each packet that is IPv4 on
 *		Ethernet, long enough, and has the 32-bit number MAGIC there
 * pcap and pcapng of either byte order, plain or gzip.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define SHB 0x0a0d0d0au

struct file {
	uint8_t *bytes;
	size_t n, at;
	bool little, ng;
};

static void die(const char *format, ...)
    __attribute__((format(printf, 1, 2), noreturn));

static void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

static struct file load(const char *path)
{
	struct file f = {0};
	size_t room = 1 << 20;
	gzFile in = gzopen(path, "rb");
	int got;

	if (in == NULL)
		die("%s: cannot be opened", path);
	f.bytes = malloc(room);
	while ((got = gzread(in, f.bytes + f.n, (unsigned)(room - f.n))) > 0) {
		f.n += (size_t)got;
		if (f.n == room)
			f.bytes = realloc(f.bytes, room *= 2);
	}
	gzclose(in);
	if (f.n < 24)
		die("%s: too short", path);
	f.ng = memcmp(f.bytes, "\x0a\x0d\x0d\x0a", 4) == 0;
	return f;
}

static uint32_t get(const struct file *f, const uint8_t *p, int n)
{
	uint32_t v = 0;

	for (int i = 0; i < n; i++)
		v = v << 8 | p[f->little ? n - 1 - i : i];
	return v;
}

/* A block or a record, without what frames it. */
struct item {
	const uint8_t *block;
	size_t length;
	uint32_t type; /* of the block; pcap: 6 */
	uint32_t iface;
	uint64_t ticks;
	uint32_t caplen, origlen;
	const uint8_t *data, *options, *end;
	bool little;
};

static bool next_pcap(struct file *f, struct item *item)
{
	const uint8_t *h = f->bytes + f->at;
	uint32_t magic;

	if (f->at == 0) {
		f->little = f->bytes[0] == 0xd4 || f->bytes[0] == 0x4d;
		f->at = 24;
		h += 24;
	}
	if (f->at + 16 > f->n)
		return false;
	magic = get(f, f->bytes, 4);
	*item = (struct item){.type = 6};
	item->caplen = get(f, h + 8, 4);
	item->origlen = get(f, h + 12, 4);
	item->ticks = get(f, h, 4) *
			  (uint64_t)(magic == 0xa1b2c3d4 ? 1000000
							 : 1000000000) +
		      get(f, h + 4, 4);
	item->data = h + 16;
	if (f->at + 16 + item->caplen > f->n)
		return false;
	f->at += 16 + item->caplen;
	return true;
}

static void find_packet(const struct file *f, struct item *item)
{
	const uint8_t *b = item->block;

	if (item->type == 3) {
		item->origlen = get(f, b + 8, 4);
		item->data = b + 12;
		item->caplen = item->origlen;
		if (item->caplen > item->length - 16)
			item->caplen = (uint32_t)item->length - 16;
		item->options = item->end;
		return;
	}
	item->iface = get(f, b + 8, item->type == 2 ? 2 : 4);
	item->ticks = (uint64_t)get(f, b + 12, 4) << 32 | get(f, b + 16, 4);
	item->caplen = get(f, b + 20, 4);
	item->origlen = get(f, b + 24, 4);
	item->data = b + 28;
	item->options = b + 28 + (item->caplen + 3) / 4 * 4;
}

static bool next(struct file *f, struct item *item)
{
	if (!f->ng)
		return next_pcap(f, item);
	if (f->at + 12 > f->n)
		return false;
	*item = (struct item){.block = f->bytes + f->at};
	if (memcmp(item->block, "\x0a\x0d\x0d\x0a", 4) == 0)
		f->little = item->block[8] == 0x4d;
	item->little = f->little;
	item->type = get(f, item->block, 4);
	item->length = get(f, item->block + 4, 4);
	if (item->length < 12 || f->at + item->length > f->n)
		return false;
	item->end = item->block + item->length - 4;
	if (item->type == 2 || item->type == 3 || item->type == 6)
		find_packet(f, item);
	f->at += item->length;
	return true;
}

static bool is_packet(const struct item *item)
{
	return item->type == 2 || item->type == 3 || item->type == 6;
}

/* The next packet of a pcapng file; blocks that a copy of pcap puts in front
 * are passed over. */
static bool next_packet(struct file *f, struct item *item)
{
	while (next(f, item))
		if (is_packet(item))
			return true;
	return false;
}

/* ---- check ----------------------------------------------------------------
 */

static unsigned long frames;

static bool is_ours(const struct file *f, const uint8_t *o)
{
	return get(f, o, 2) == 1 && get(f, o + 2, 2) > 9 &&
	       memcmp(o + 4, "capdiff: ", 9) == 0;
}

static size_t option_bytes(const struct file *f, const uint8_t *o,
			   const uint8_t *end)
{
	size_t n = 4 + (get(f, o + 2, 2) + 3) / 4 * 4;

	if (n > (size_t)(end - o))
		die("packet %lu: an option does not fit", frames);
	return n;
}

static uint64_t get64(const struct file *f, const uint8_t *p)
{
	uint64_t a = get(f, p, 4), b = get(f, p + 4, 4);

	return f->little ? b << 32 | a : a << 32 | b;
}

/* Options of the copy against those of the original; a comment of ours, or
 * NULL. */
static const uint8_t *match_options(const struct file *f, const struct item *a,
				    const struct item *b, bool *drops,
				    uint64_t *n_drops)
{
	const uint8_t *x = a->options, *y = b->options, *ours = NULL;

	while (b->end - y >= 4 && get(f, y, 2) != 0) {
		size_t n = option_bytes(f, y, b->end);
		bool has = x != NULL && a->end - x >= 4 && get(f, x, 2) != 0;
		bool count = get(f, y, 2) == 4 && get(f, y + 2, 2) == 8;

		if (count) {
			*drops = true;
			*n_drops = get64(f, y + 4);
		}
		if (has && (memcmp(x, y, n) == 0 ||
			    (count && get(f, x, 2) == 4)))
			x += n;
		else if (is_ours(f, y) && ours == NULL)
			ours = y;
		else if (!count || ours == NULL)
			die("packet %lu: another option %u", frames,
			    (unsigned)get(f, y, 2));
		y += n;
	}
	if (x != NULL && a->end - x >= 4 && get(f, x, 2) != 0)
		die("packet %lu: an option is lost", frames);
	return ours;
}

static void list(const struct file *f, const uint8_t *ours, bool drops,
		 uint64_t n_drops)
{
	printf("%lu ", frames);
	if (drops)
		printf("%llu ", (unsigned long long)n_drops);
	else
		printf("- ");
	printf("%.*s\n", (int)get(f, ours + 2, 2), (const char *)ours + 4);
}

static void match_packet(const struct file *f, const struct item *a,
			 const struct item *b)
{
	uint64_t n_drops = 0;
	bool drops = false;
	const uint8_t *ours;

	frames++;
	if (a->caplen != b->caplen || a->origlen != b->origlen ||
	    a->ticks != b->ticks || a->iface != b->iface ||
	    memcmp(a->data, b->data, a->caplen) != 0)
		die("packet %lu differs", frames);
	if (a->block != NULL && a->length == b->length &&
	    memcmp(a->block, b->block, a->length) == 0)
		return;
	if (b->type != 6)
		die("packet %lu: changed, but no EPB", frames);
	ours = match_options(f, a, b, &drops, &n_drops);
	if (ours != NULL)
		list(f, ours, drops, n_drops);
	else if (a->block != NULL)
		die("packet %lu: changed without a comment", frames);
}

static void match_other(const struct item *a, const struct item *b)
{
	size_t from = a->type == SHB ? 24 : 0;

	if (a->length != b->length ||
	    memcmp(a->block + from, b->block + from, a->length - from) != 0)
		die("a block of type %u behind packet %lu differs", a->type,
		    frames);
}

static void check(const char *original, const char *copy)
{
	struct file a = load(original), b = load(copy);
	struct item x, y;

	while (next(&a, &x)) {
		bool got = a.ng ? next(&b, &y) : next_packet(&b, &y);

		if (!got)
			die("the copy ends behind packet %lu", frames);
		if (a.ng && is_packet(&x) != is_packet(&y))
			die("another block behind packet %lu", frames);
		if (is_packet(&x))
			match_packet(&b, &x, &y);
		else
			match_other(&x, &y);
	}
	if (a.at != a.n)
		fprintf(stderr, "the original ends inside a record\n");
	if (next(&b, &y))
		die("the copy has more than the original");
	free(a.bytes);
	free(b.bytes);
}

/* ---- numbers --------------------------------------------------------------
 */

static uint64_t number_at(const uint8_t *p, size_t width)
{
	uint64_t v = 0;

	for (size_t i = 0; i < width; i++)
		v = v << 8 | p[i];
	return v;
}

static void list_numbers(const char *path, size_t at, size_t width,
			 uint64_t magic)
{
	struct file f = load(path);
	struct item item;

	while (next_packet(&f, &item)) {
		const uint8_t *d = item.data;
		size_t from;

		if (item.caplen < 34 || d[12] != 8 || d[13] != 0 ||
		    (d[23] != 17 && d[23] != 1))
			continue;
		from = 14 + (d[14] & 15u) * 4 + 8;
		if (from + at + width > item.caplen ||
		    (magic != 0 && number_at(d + from, 4) != magic))
			continue;
		printf("%llu\n",
		       (unsigned long long)number_at(d + from + at, width));
	}
	free(f.bytes);
}

int main(int argc, char **argv)
{
	if (argc == 4 && strcmp(argv[1], "check") == 0) {
		check(argv[2], argv[3]);
	} else if (argc >= 5 && strcmp(argv[1], "numbers") == 0) {
		list_numbers(argv[2], strtoul(argv[3], NULL, 10),
			     strtoul(argv[4], NULL, 10),
			     argc == 5 ? 0 : strtoul(argv[5], NULL, 16));
	} else {
		fprintf(stderr, "usage: marked check ORIGINAL COPY\n"
				"       marked numbers FILE AT WIDTH [MAGIC]\n");
		return 2;
	}
	return 0;
}
