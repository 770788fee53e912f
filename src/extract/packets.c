#include "extract/packets.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "capture/sink.h"
#include "extract/pick.h"

/* Longest cell of a number or time. */
#define CELL 64

struct column_set {
	struct cd_instant base;
	int decimals; /* of the times */
	/* "2026-11-30T18:53:01.", which many packets have in common */
	int64_t second; /* of `text`; INT64_MIN: none yet */
	char text[CD_ISO_SIZE];
	size_t length;
};

struct cd_packets {
	struct cd_sink *sink;
	const struct cd_point *points;
	size_t n, reference;
	struct column_set *sets; /* one for each capture */
	struct cd_str line;
};

/* ---- the head -------------------------------------------------------------
 */

static void add_quoted(struct cd_str *line, const char *text)
{
	cd_str_add(line, "\"");
	for (; *text != '\0'; text++) {
		if (*text == '"')
			cd_str_add(line, "\"");
		cd_str_addn(line, text, 1);
	}
	cd_str_add(line, "\"");
}

/* With a label where there are columns of several captures. */
static void add_name(struct cd_packets *p, const char *name, const char *label)
{
	struct cd_str text = {0};

	cd_str_addf(&text, "%s%s%s", name, label == NULL ? "" : "_",
		    label == NULL ? "" : label);
	cd_str_add(&p->line, ",");
	if (label == NULL)
		cd_str_add(&p->line, name);
	else
		add_quoted(&p->line, cd_str_text(&text));
	p->line.bad |= text.bad;
	cd_str_release(&text);
}

static void add_head(struct cd_packets *p)
{
	static const char *const alone[] = {"copies", "frame", "t", "delta_ns"};
	static const char *const ref[] = {"copies_ref", "frame_ref", "t_ref",
					  "delta_ref_ns"};
	static const char *const each[] = {"missing", "copies",	  "frame",
					   "t",	      "error_ns", "delta_ns"};

	cd_str_add(&p->line, "stream,epoch,seq,captures");
	for (size_t k = 0; k < 4; k++)
		add_name(p, p->n == 1 ? alone[k] : ref[k], NULL);
	for (size_t i = 0; p->n > 1 && i < p->n; i++)
		for (size_t k = 0; i != p->reference && k < 6; k++)
			add_name(p, each[k],
				 p->n == 2 ? NULL : p->points[i].label);
	cd_str_add(&p->line, "\r\n");
}

/* ---- a row ----------------------------------------------------------------
 */

/* Digits of `v`, at least `least`, to `text`: how many. */
static size_t put_digits(char *text, uint64_t v, size_t least)
{
	char digits[24];
	size_t n = 0;

	do
		digits[n++] = (char)('0' + v % 10);
	while ((v /= 10) > 0 || n < least);
	for (size_t i = 0; i < n; i++)
		text[i] = digits[n - 1 - i];
	return n;
}

static void add_number(struct cd_packets *p, uint64_t v)
{
	char text[CELL] = ",";

	cd_str_addn(&p->line, text, 1 + put_digits(text + 1, v, 1));
}

/* Exact ns: up to three decimals. */
static void add_ns(struct cd_packets *p, bool has, int64_t ps)
{
	char text[CELL] = ",";
	uint64_t v = ps < 0 ? 0 - (uint64_t)ps : (uint64_t)ps;
	size_t n = 1;

	if (has && ps < 0)
		text[n++] = '-';
	if (has)
		n += put_digits(text + n, v / 1000, 1);
	if (has && v % 1000 != 0) {
		text[n++] = '.';
		n += put_digits(text + n, v % 1000, 3);
		while (text[n - 1] == '0')
			n--;
	}
	cd_str_addn(&p->line, text, n);
}

static void add_time(struct cd_packets *p, struct column_set *set, int64_t ps)
{
	char text[CELL];
	struct cd_instant t;
	uint64_t fraction;
	size_t n = 0;

	cd_str_add(&p->line, ",");
	if (ps == CD_TIME_NONE)
		return;
	t = cd_instant_add(set->base, (struct cd_span){ps});
	if (set->second != t.s) {
		cd_instant_iso((struct cd_instant){t.s, 0}, 0, set->text,
			       sizeof(set->text));
		set->length = strlen(set->text) - 1; /* without the Z */
		set->second = t.s;
	}
	cd_str_addn(&p->line, set->text, set->length);
	fraction = (uint64_t)t.ps;
	for (int k = set->decimals; k < 12; k++)
		fraction /= 10;
	if (set->decimals > 0) {
		text[n++] = '.';
		n += put_digits(text + n, fraction, (size_t)set->decimals);
	}
	text[n++] = 'Z';
	cd_str_addn(&p->line, text, n);
}

static void add_cell(struct cd_packets *p, size_t i,
		     const struct cd_packet_cell *cell, bool compared)
{
	if (compared)
		cd_str_add(&p->line, cell->missing < 0	 ? ","
				     : cell->missing > 0 ? ",1"
							 : ",0");
	if (!cell->has) {
		cd_str_add(&p->line, compared ? ",0,,,," : ",0,,,");
		return;
	}
	add_number(p, cell->copies);
	add_number(p, cell->frame);
	add_time(p, &p->sets[i], cell->time_ps);
	if (compared)
		add_ns(p, cell->has_error, cell->error_ps);
	add_ns(p, cell->has_delta, cell->delta_ps);
}

static void add_captures(struct cd_packets *p,
			 const struct cd_packet_cell *cells)
{
	bool first = true;

	cd_str_add(&p->line, ",\"");
	for (size_t i = 0; i < p->n; i++) {
		if (!cells[i].has)
			continue;
		cd_str_addf(&p->line, "%s%s", first ? "" : ";",
			    p->points[i].label);
		first = false;
	}
	cd_str_add(&p->line, "\"");
}

static int write_line(struct cd_packets *p, struct cd_error *error)
{
	if (p->line.bad)
		return cd_error_memory(error);
	return cd_sink_add(p->sink, p->line.text, p->line.length, error);
}

int cd_packets_add(struct cd_packets *p, const struct cd_packet_row *row,
		   struct cd_error *error)
{
	p->line.length = 0;
	cd_str_addf(&p->line, "%" PRIu32 ",%" PRIu32 ",%" PRId64, row->stream,
		    row->epoch, row->seq);
	add_captures(p, row->cells);
	add_cell(p, p->reference, &row->cells[p->reference], false);
	for (size_t i = 0; i < p->n; i++)
		if (i != p->reference)
			add_cell(p, i, &row->cells[i], true);
	cd_str_add(&p->line, "\r\n");
	return write_line(p, error);
}

/* ---- the file -------------------------------------------------------------
 */

/* Decimals of a second that a tick of this many ps needs. */
static int decimals_of(int64_t tick_ps)
{
	int n = 12;

	while (n > 0 && tick_ps > 0 && tick_ps % 10 == 0) {
		tick_ps /= 10;
		n--;
	}
	return n;
}

int cd_packets_close(struct cd_packets *p, bool keep, struct cd_error *error)
{
	int status;

	if (p == NULL)
		return 0;
	status = cd_sink_close(p->sink, keep, error);
	cd_str_release(&p->line);
	free(p->sets);
	free(p);
	return status;
}

struct cd_packets *cd_packets_open(const char *path,
				   const struct cd_point *points, size_t n,
				   size_t reference, struct cd_error *error)
{
	struct cd_packets *p = calloc(1, sizeof(*p));

	if (p != NULL)
		p->sets = calloc(n, sizeof(*p->sets));
	if (p == NULL || p->sets == NULL) {
		cd_error_memory(error);
		free(p);
		return NULL;
	}
	p->points = points;
	p->n = n;
	p->reference = n == 1 ? 0 : reference;
	for (size_t i = 0; i < n; i++)
		p->sets[i] = (struct column_set){
		    .base = points[i].base,
		    .decimals = decimals_of(points[i].unit_ps),
		    .second = INT64_MIN,
		};
	p->sink = cd_sink_open(path, cd_pick_is_gzip(path), error);
	add_head(p);
	if (p->sink != NULL && write_line(p, error) == 0)
		return p;
	cd_packets_close(p, false, NULL);
	return NULL;
}
