/*
 * repack MODE... IN OUT: the same packets as another capture point would have
 * written them. OUT ending in .pcap or .pcapng, and .gz behind it.
 *
 *	vlan mpls vxlan erspan	put a header in front (given in this order,
 *				the last one is the outermost)
 *	fcs	append the frame check sequence
 *	pad	pad frames to 60 bytes
 *	nat	another source address and port
 *	slice=N	keep N bytes
 *	us	microseconds
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "capture/capture.h"
#include "capture/writer.h"

#define MOST (256 * 1024)

struct packet {
	uint8_t bytes[MOST + 512]; /* room in front for headers */
	uint8_t *data;
	uint32_t caplen, origlen;
};

static void put16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static uint8_t *push(struct packet *p, uint32_t n)
{
	p->data -= n;
	p->caplen += n;
	p->origlen += n;
	return p->data;
}

/* Make room for `n` bytes behind the two addresses. */
static uint8_t *push_inside(struct packet *p, uint32_t n)
{
	uint8_t *old = p->data, *d = push(p, n);

	memmove(d, old, 12);
	return d + 12;
}

static void add_vlan(struct packet *p)
{
	memcpy(push_inside(p, 4), "\x81\x00\x00\x64", 4);
}

/* MPLS needs the ethertype replaced: only on IP directly behind Ethernet. */
static void add_mpls(struct packet *p)
{
	if (memcmp(p->data + 12, "\x08\x00", 2) != 0)
		return;
	push_inside(p, 4);
	memcpy(p->data + 12, "\x88\x47\x00\x06\x41\x40", 6);
}

/* Ethernet, IPv4 and what follows, in front of the frame. */
static uint8_t *add_outer(struct packet *p, uint32_t inside, uint8_t protocol)
{
	uint8_t *d = push(p, 34 + inside);

	memset(d, 0, 34 + inside);
	memcpy(d, "\x02\0\0\0\0\x0a\x02\0\0\0\0\x0b\x08\0\x45", 15);
	put16(d + 16, p->origlen - 14);
	d[22] = 64;
	d[23] = protocol;
	memcpy(d + 26, "\xc0\x00\x02\x01\xc0\x00\x02\x02", 8);
	return d + 34;
}

static void add_vxlan(struct packet *p)
{
	uint8_t *d = add_outer(p, 16, 17);

	put16(d, 50000);
	put16(d + 2, 4789);
	put16(d + 4, p->origlen - 34);
	memcpy(d + 8, "\x08\0\0\0\0\0\x2a\0", 8);
}

static void add_erspan(struct packet *p)
{
	memcpy(add_outer(p, 16, 47), "\x10\0\x88\xbe\0\0\0\1\x10\x01\x10\x64\0\0\0\1",
	       16);
}

static void add_fcs(struct packet *p)
{
	uint32_t crc = (uint32_t)crc32(0, p->data, p->caplen);

	for (int i = 0; i < 4 && p->caplen == p->origlen + (uint32_t)i; i++)
		p->data[p->caplen++] = (uint8_t)(crc >> 8 * i);
	p->origlen += 4;
}

static void add_padding(struct packet *p)
{
	bool whole = p->caplen == p->origlen;

	if (p->origlen >= 60)
		return;
	if (whole) {
		memset(p->data + p->caplen, 0, 60 - p->caplen);
		p->caplen = 60;
	}
	p->origlen = 60;
}

static void change_source(struct packet *p)
{
	if (memcmp(p->data + 12, "\x08\x00", 2) != 0 || p->caplen < 38)
		return;
	memcpy(p->data + 26, "\xcb\x00\x71\x07", 4);
	if (p->data[23] == 17 || p->data[23] == 6)
		put16(p->data + 34, cd_be16(p->data + 34) ^ 0x5555u);
}

static void slice(struct packet *p, const char *word)
{
	uint32_t n = (uint32_t)strtoul(word + 6, NULL, 10);

	if (p->caplen > n)
		p->caplen = n;
}

static void change(struct packet *p, const char *mode)
{
	static const struct {
		const char *name;
		void (*change)(struct packet *);
	} modes[] = {{"vlan", add_vlan},     {"mpls", add_mpls},
		     {"vxlan", add_vxlan},   {"erspan", add_erspan},
		     {"fcs", add_fcs},	     {"pad", add_padding},
		     {"nat", change_source}};

	if (strncmp(mode, "slice=", 6) == 0) {
		slice(p, mode);
		return;
	}
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (strcmp(modes[i].name, mode) == 0)
			modes[i].change(p);
}

static bool ends_in(const char *text, const char *end)
{
	size_t n = strlen(text), k = strlen(end);

	return n >= k && strcmp(text + n - k, end) == 0;
}

static struct cd_writer *open_output(const char *path, bool us,
				     const struct cd_iface *iface,
				     struct cd_error *error)
{
	struct cd_writer_options options = {
	    .format = strstr(path, ".pcapng") != NULL ? CD_WRITE_PCAPNG
						      : CD_WRITE_PCAP,
	    .gzip = ends_in(path, ".gz"),
	    .resolution = {10, us ? 6 : 9},
	    .linktype = iface->linktype,
	    .fcs_bytes = -1,
	};

	return cd_writer_open(path, &options, error);
}

static int copy(struct cd_capture *in, char **modes, int n, const char *path,
		struct cd_error *error)
{
	static struct packet p;
	struct cd_writer *out = NULL;
	struct cd_record r;
	bool us = false;
	int got;

	for (int i = 0; i < n; i++)
		us |= strcmp(modes[i], "us") == 0;
	while ((got = cd_capture_next(in, &r, error)) == 1) {
		struct cd_writer_packet w = {.time = r.time};

		if (out == NULL)
			out = open_output(path, us, &in->ifaces[0], error);
		if (out == NULL || r.caplen > MOST)
			return -1;
		p.data = p.bytes + 256;
		memcpy(p.data, r.data, r.caplen);
		p.caplen = r.caplen;
		p.origlen = r.origlen;
		for (int i = 0; i < n; i++)
			change(&p, modes[i]);
		w.data = p.data;
		w.caplen = p.caplen;
		w.origlen = p.origlen;
		if (cd_writer_packet(out, &w, error))
			return -1;
	}
	return got < 0 || cd_writer_close(out, error) ? -1 : 0;
}

int main(int argc, char **argv)
{
	struct cd_error error = {0};
	struct cd_input *input;
	struct cd_capture *in;
	int status = 1;

	if (argc < 3)
		return 2;
	input = cd_input_open(argv[argc - 2], &error);
	in = input == NULL ? NULL : cd_capture_open(input, &error);
	if (in != NULL)
		status = copy(in, argv + 1, argc - 3, argv[argc - 1],
			      &error) != 0;
	if (status)
		fprintf(stderr, "repack: %s\n", error.what);
	cd_capture_close(in);
	return status;
}
