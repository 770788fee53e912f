/*
 * dress IN OUT: the packets of IN as a pcapng file that has everything such
 * files may have: sections of both byte orders, some with their length, two
 * interfaces with other clocks in each, obsolete and simple packet blocks,
 * names, secrets, custom and unknown blocks and options, comments, drop
 * counts, option lists without end. Some packets are left out, some written
 * twice.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/capture.h"

#define PER_SECTION 1500

struct out {
	FILE *file;
	bool big;
	uint8_t block[1 << 17];
	size_t n;
	long section; /* where its header is; -1: length not said */
};

static void put(struct out *o, uint64_t v, size_t width)
{
	for (size_t i = 0; i < width; i++)
		o->block[o->n + i] =
		    (uint8_t)(v >> 8 * (o->big ? width - 1 - i : i));
	o->n += width;
}

static void put_bytes(struct out *o, const void *bytes, size_t n, uint8_t pad)
{
	memcpy(o->block + o->n, bytes, n);
	for (o->n += n; o->n % 4 != 0;)
		o->block[o->n++] = pad;
}

static void option(struct out *o, unsigned code, const void *bytes, size_t n)
{
	put(o, code, 2);
	put(o, n, 2);
	put_bytes(o, bytes, n, 0);
}

static void text(struct out *o, unsigned code, const char *s)
{
	option(o, code, s, strlen(s));
}

static void begin(struct out *o, uint32_t type)
{
	o->n = 0;
	put(o, type, 4);
	put(o, 0, 4);
}

static void end(struct out *o)
{
	size_t n = o->n + 4;

	put(o, n, 4);
	o->n = 4;
	put(o, n, 4);
	fwrite(o->block, 1, n, o->file);
}

static void interface(struct out *o, uint8_t resolution, uint64_t offset_s)
{
	begin(o, 1);
	put(o, 1, 2);
	put(o, 0, 2);
	put(o, 0, 4);
	text(o, 2, offset_s == 0 ? "eth0" : "eth1");
	text(o, 3, "a card");
	option(o, 9, &resolution, 1);
	if (offset_s != 0) {
		put(o, 14, 2);
		put(o, 8, 2);
		put(o, offset_s, 8);
	}
	text(o, 33333, "nobody knows this");
	put(o, 0, 4);
	end(o);
}

static void names(struct out *o)
{
	begin(o, 4);
	put(o, 1, 2);
	put(o, 9, 2);
	put_bytes(o, "\x0a\0\0\1host\0", 9, 0);
	put(o, 0, 4);
	end(o);
	begin(o, 10);
	put(o, 0x544c534b, 4);
	put(o, 5, 4);
	put_bytes(o, "# key", 5, 0);
	end(o);
}

static void strangers(struct out *o)
{
	begin(o, 0xbad);
	put(o, 32473, 4);
	put_bytes(o, "of a private enterprise", 23, 0xee);
	end(o);
	begin(o, 0x40000bad);
	put(o, 32473, 4);
	end(o);
	begin(o, 0x77777777);
	end(o);
}

static void section(struct out *o)
{
	o->big = !o->big;
	o->section = o->big ? -1 : ftell(o->file);
	begin(o, 0x0a0d0d0a);
	put(o, 0x1a2b3c4d, 4);
	put(o, 1, 2);
	put(o, 0, 2);
	put(o, UINT64_MAX, 8);
	text(o, 1, "a section of its own");
	text(o, 4, "dress");
	put(o, 0, 4);
	end(o);
	interface(o, 9, 0);
	interface(o, 10, 1000000000);
	names(o);
}

static void statistics(struct out *o, uint32_t iface)
{
	begin(o, 5);
	put(o, iface, 4);
	put(o, 0, 8);
	text(o, 1, "at the end");
	put(o, 5, 2);
	put(o, 8, 2);
	put(o, 3, 8);
	put(o, 0, 4);
	end(o);
}

/* Fill in the section's length where it is said. */
static void end_section(struct out *o)
{
	uint8_t head[28];
	long at;

	statistics(o, 0);
	statistics(o, 1);
	at = ftell(o->file);
	if (o->section < 0)
		return;
	fseek(o->file, o->section, SEEK_SET);
	if (fread(head, 1, sizeof(head), o->file) != sizeof(head))
		exit(1);
	o->n = 0;
	put(o, (uint64_t)(at - o->section - (head[4] | head[5] << 8)), 8);
	fseek(o->file, o->section + 16, SEEK_SET);
	fwrite(o->block, 1, 8, o->file);
	fseek(o->file, at, SEEK_SET);
}

static void simple(struct out *o, const struct cd_record *r)
{
	begin(o, 3);
	put(o, r->origlen, 4);
	put_bytes(o, r->data, r->caplen, 0);
	end(o);
}

static void options(struct out *o, uint64_t i, bool obsolete)
{
	size_t from = o->n;

	if (i % 7 == 0)
		text(o, 1, "kept");
	if (i % 9 == 0 && !obsolete) {
		put(o, 4, 2);
		put(o, 8, 2);
		put(o, 5, 8);
	}
	if (i % 11 == 0) {
		put(o, 2, 2);
		put(o, 4, 2);
		put(o, 1, 4);
	}
	if (i % 13 == 0) {
		option(o, 2988, "\0\0~\xd9" "custom", 10);
		text(o, 40000, "unknown");
		text(o, 1, "another");
	}
	if (o->n > from && i % 2 == 0)
		put(o, 0, 4);
	if (i % 26 == 0)
		put_bytes(o, "behind the end", 14, 0x55);
}

static void packet(struct out *o, const struct cd_record *r, uint64_t i)
{
	bool obsolete = i % 10 == 0;
	uint32_t iface = i % 3 == 0;
	uint64_t ticks = (uint64_t)r->time.s * 1000000000 +
			 (uint64_t)r->time.ps / 1000;

	if (iface != 0)
		ticks = (ticks - UINT64_C(1000000000000000000)) * 10;
	begin(o, obsolete ? 2 : 6);
	put(o, iface, obsolete ? 2 : 4);
	if (obsolete)
		put(o, i % 20 == 0 ? 65535 : 1, 2);
	put(o, ticks >> 32, 4);
	put(o, ticks & UINT32_MAX, 4);
	put(o, r->caplen, 4);
	put(o, r->origlen, 4);
	put_bytes(o, r->data, r->caplen, 0xaa);
	options(o, i, obsolete);
	end(o);
}

static void write_one(struct out *o, const struct cd_record *r, uint64_t i)
{
	if (i % 17 == 0)
		simple(o, r);
	else
		packet(o, r, i);
}

static bool is_lost(uint64_t i)
{
	return i % 101 == 50 || (i % 1000 > 300 && i % 1000 < 300 + i / 1000);
}

int main(int argc, char **argv)
{
	static struct out o;
	struct cd_error error = {0};
	struct cd_input *input = argc == 3 ? cd_input_open(argv[1], &error)
					   : NULL;
	struct cd_capture *in =
	    input == NULL ? NULL : cd_capture_open(input, &error);
	struct cd_record record;

	if (in == NULL)
		return 2;
	o.file = fopen(argv[2], "w+b");
	if (o.file == NULL)
		return 2;
	for (uint64_t i = 0; cd_capture_next(in, &record, NULL) > 0; i++) {
		if (i % PER_SECTION == 0) {
			if (i > 0)
				end_section(&o);
			section(&o);
		}
		if (i % 77 == 0)
			strangers(&o);
		if (is_lost(i))
			continue;
		write_one(&o, &record, i);
		if (i % 600 == 599)
			write_one(&o, &record, i + 1);
	}
	end_section(&o);
	cd_capture_close(in);
	return fclose(o.file) == 0 ? 0 : 1;
}
