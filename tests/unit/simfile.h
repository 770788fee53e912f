/*
 * For tests of the simulator: run a scenario into a folder of its own, and a
 * small reader of pcap and pcapng that shares nothing with the program.
 */
#ifndef SIMFILE_H
#define SIMFILE_H

#include <criterion/criterion.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/bytes.h"
#include "sim/run.h"
#include "sim/scenario.h"

/* ---- running ---- */

static inline void remove_folder(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *entry;
	char path[PATH_MAX];

	while (d != NULL && (entry = readdir(d)) != NULL) {
		snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
		unlink(path);
	}
	if (d != NULL)
		closedir(d);
	rmdir(dir);
}

/* Run scenario text with assignments ("a=b; c=d") into `dir`, a template of
 * mkdtemp(). */
static inline void run_text(const char *text, const char *assignments,
			    char *dir)
{
	struct cd_error error = {0};
	struct cd_scenario scenario;
	struct cd_truth truth;
	char copy[1024], *rest = copy, *one;
	int status;

	cr_assert_not_null(mkdtemp(dir));
	status = cd_scenario_parse(&scenario, "test", text, "test", &error);
	snprintf(copy, sizeof(copy), "%s", assignments);
	while (status == 0 && (one = strtok_r(rest, ";", &rest)) != NULL)
		status = cd_scenario_set(&scenario, one, &error);
	if (status == 0)
		status = cd_scenario_check(&scenario, &error);
	cr_assert_eq(status, 0, "%s", error.what);
	cr_assert_eq(cd_sim_run(&scenario, dir, &truth, &error), 0, "%s",
		     error.what);
	cd_truth_release(&truth);
	cd_scenario_release(&scenario);
}

/* ---- reading ---- */

struct sim_bytes {
	uint8_t *p;
	size_t n;
};

/* A whole file, inflated if it is compressed. */
static inline struct sim_bytes slurp(const char *dir, const char *name)
{
	char path[PATH_MAX];
	struct sim_bytes b = {NULL, 0};
	size_t capacity = 1 << 16;
	gzFile file;
	int got;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = gzopen(path, "rb");
	cr_assert_not_null(file, "%s", path);
	b.p = malloc(capacity);
	while ((got = gzread(file, b.p + b.n, (unsigned)(capacity - b.n))) > 0) {
		b.n += (size_t)got;
		if (b.n == capacity)
			b.p = realloc(b.p, capacity *= 2);
	}
	cr_assert_eq(got, 0);
	gzclose(file);
	return b;
}

struct sim_row {
	int64_t s, ps;
	uint32_t caplen, origlen;
	const uint8_t *data;
	uint64_t drops; /* epb_dropcount */
};

struct sim_capture {
	struct sim_bytes file;
	struct sim_row *rows;
	size_t n, capacity;
	bool big;
	uint32_t snaplen;
	uint8_t tsresol, fcslen; /* pcapng; fcslen 0xff: not there */
	int64_t tsoffset;
	bool has_isb;
	uint64_t ifrecv, ifdrop, osdrop, start, end;
};

static inline uint32_t sim_u32(const struct sim_capture *c, const uint8_t *p)
{
	return c->big ? cd_be32(p) : cd_le32(p);
}

static inline uint16_t sim_u16(const struct sim_capture *c, const uint8_t *p)
{
	return c->big ? cd_be16(p) : cd_le16(p);
}

static inline uint64_t sim_u64(const struct sim_capture *c, const uint8_t *p)
{
	return c->big ? cd_be64(p) : cd_le64(p);
}

static inline struct sim_row *sim_add_row(struct sim_capture *c)
{
	if (c->n == c->capacity) {
		c->capacity = c->capacity * 2 + 1024;
		c->rows = realloc(c->rows, c->capacity * sizeof(*c->rows));
	}
	memset(&c->rows[c->n], 0, sizeof(*c->rows));
	return &c->rows[c->n++];
}

static inline void sim_read_pcap(struct sim_capture *c)
{
	const uint8_t *p = c->file.p, *end = p + c->file.n;
	int64_t unit;

	c->big = p[0] == 0xa1;
	unit = sim_u32(c, p) == 0xa1b23c4d ? 1000 : 1000000;
	c->snaplen = sim_u32(c, p + 16);
	c->fcslen = sim_u32(c, p + 20) >> 26 & 1
			? (uint8_t)(sim_u32(c, p + 20) >> 28 << 1) : 0xff;
	for (p += 24; p < end;) {
		struct sim_row *row = sim_add_row(c);

		cr_assert_geq(end - p, 16);
		row->s = sim_u32(c, p);
		row->ps = sim_u32(c, p + 4) * unit;
		row->caplen = sim_u32(c, p + 8);
		row->origlen = sim_u32(c, p + 12);
		row->data = p + 16;
		p += 16 + row->caplen;
	}
	cr_assert_eq(p, end);
}

/* Options from `p` on; the one with `code`, or NULL. */
static inline const uint8_t *sim_option(const struct sim_capture *c,
					const uint8_t *p, const uint8_t *end,
					unsigned code)
{
	while (p + 4 <= end && sim_u16(c, p) != 0) {
		if (sim_u16(c, p) == code)
			return p + 4;
		p += 4 + (sim_u16(c, p + 2) + 3) / 4 * 4;
	}
	return NULL;
}

static inline uint64_t sim_option_ticks(const struct sim_capture *c,
					const uint8_t *p)
{
	return p == NULL ? 0 : (uint64_t)sim_u32(c, p) << 32 |
				   sim_u32(c, p + 4);
}

static inline void sim_idb(struct sim_capture *c, const uint8_t *p,
			   const uint8_t *end)
{
	const uint8_t *o;

	c->snaplen = sim_u32(c, p + 12);
	o = sim_option(c, p + 16, end, 9);
	c->tsresol = o == NULL ? 6 : *o;
	o = sim_option(c, p + 16, end, 13);
	c->fcslen = o == NULL ? 0xff : *o;
	o = sim_option(c, p + 16, end, 14);
	c->tsoffset = o == NULL ? 0 : (int64_t)sim_u64(c, o);
}

static inline void sim_epb(struct sim_capture *c, const uint8_t *p,
			   const uint8_t *end)
{
	struct sim_row *row = sim_add_row(c);
	uint64_t ticks = sim_option_ticks(c, p + 12);
	unsigned __int128 per_second = 1;
	const uint8_t *o;

	for (int i = 0; i < (c->tsresol & 0x7f); i++)
		per_second *= c->tsresol & 0x80 ? 2 : 10;
	row->s = (int64_t)(ticks / per_second) + c->tsoffset;
	row->ps = (int64_t)(ticks % per_second * 1000000000000 / per_second);
	row->caplen = sim_u32(c, p + 20);
	row->origlen = sim_u32(c, p + 24);
	row->data = p + 28;
	o = sim_option(c, p + 28 + (row->caplen + 3) / 4 * 4, end, 4);
	row->drops = o == NULL ? 0 : sim_u64(c, o);
}

static inline void sim_isb(struct sim_capture *c, const uint8_t *p,
			   const uint8_t *end)
{
	const uint8_t *o;

	c->has_isb = true;
	c->start = sim_option_ticks(c, sim_option(c, p + 20, end, 2));
	c->end = sim_option_ticks(c, sim_option(c, p + 20, end, 3));
	o = sim_option(c, p + 20, end, 4);
	c->ifrecv = o == NULL ? UINT64_MAX : sim_u64(c, o);
	o = sim_option(c, p + 20, end, 5);
	c->ifdrop = o == NULL ? UINT64_MAX : sim_u64(c, o);
	o = sim_option(c, p + 20, end, 7);
	c->osdrop = o == NULL ? UINT64_MAX : sim_u64(c, o);
}

static inline void sim_read_pcapng(struct sim_capture *c)
{
	const uint8_t *p = c->file.p, *end = p + c->file.n;

	c->big = p[8] == 0x1a;
	while (p < end) {
		uint32_t total = sim_u32(c, p + 4);

		cr_assert(total >= 12 && total % 4 == 0 && p + total <= end);
		cr_assert_eq(sim_u32(c, p + total - 4), total);
		if (sim_u32(c, p) == 1)
			sim_idb(c, p, p + total - 4);
		else if (sim_u32(c, p) == 6)
			sim_epb(c, p, p + total - 4);
		else if (sim_u32(c, p) == 5)
			sim_isb(c, p, p + total - 4);
		p += total;
	}
}

static inline struct sim_capture sim_read(const char *dir, const char *name)
{
	struct sim_capture c = {.file = slurp(dir, name), .fcslen = 0xff};

	cr_assert_gt(c.file.n, 24);
	if (cd_be32(c.file.p) == 0x0a0d0d0a)
		sim_read_pcapng(&c);
	else
		sim_read_pcap(&c);
	return c;
}

static inline void sim_release(struct sim_capture *c)
{
	free(c->rows);
	free(c->file.p);
}

/* Since the scenario's default epoch, in ps. */
static inline int64_t sim_ps(const struct sim_row *row)
{
	return (row->s - 1767225600) * INT64_C(1000000000000) + row->ps;
}

#endif
