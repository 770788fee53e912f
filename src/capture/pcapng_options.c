#include "capture/pcapng_options.h"

#include <stdlib.h>

#include "capture/reader.h"

enum { END_OF_OPTIONS = 0, COMMENT = 1 };

struct option {
	uint16_t code;
	uint16_t length;
	const uint8_t *value;
};

/* 1: an option; 0: the end, be it marked or not. */
static int next_option(struct cd_capture *capture, struct cd_cursor *c,
		       struct option *option)
{
	size_t padding;

	if (cd_cursor_left(c) == 0)
		return 0;
	option->code = cd_cursor_u16(c);
	option->length = cd_cursor_u16(c);
	if (!c->bad && option->code == END_OF_OPTIONS)
		return 0;
	option->value = cd_cursor_take(c, option->length);
	if (c->bad) {
		capture->faults++;
		return 0;
	}
	/* The last one of a list may lack its padding. */
	padding = (4u - option->length % 4u) % 4u;
	if (padding > cd_cursor_left(c))
		padding = cd_cursor_left(c);
	cd_cursor_take(c, padding);
	return 1;
}

/* Length of the UTF-8 sequence at `p`, 0 if it is none (RFC 3629). */
static size_t utf8_length(const uint8_t *p, size_t left)
{
	static const struct {
		uint8_t mask, lead, low, high; /* bounds of the second byte */
	} forms[] = {
		{0xff, 0xe0, 0xa0, 0xbf}, {0xff, 0xed, 0x80, 0x9f},
		{0xf0, 0xe0, 0x80, 0xbf}, {0xff, 0xf0, 0x90, 0xbf},
		{0xff, 0xf4, 0x80, 0x8f}, {0xfc, 0xf0, 0x80, 0xbf},
		{0xe0, 0xc0, 0x80, 0xbf},
	};
	size_t n = p[0] < 0x80 ? 1 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;

	if (n == 1)
		return 1;
	if (left < n || p[0] == 0xc0 || p[0] == 0xc1)
		return 0;
	for (size_t i = 2; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if ((p[0] & forms[i].mask) == forms[i].lead)
			return p[1] >= forms[i].low && p[1] <= forms[i].high
				   ? n : 0;
	return 0;
}

/* Text of a file as the rest of the program may use it: up to the first NUL,
 * no control characters, '?' for what is not UTF-8. */
static char *copy_text(const uint8_t *p, size_t n)
{
	char *text = malloc(n + 1);
	size_t at = 0;

	if (text == NULL)
		return NULL;
	while (at < n && p[at] != 0) {
		size_t size = utf8_length(p + at, n - at);

		if (size < 2) {
			bool plain = size == 1 && p[at] != 0x7f;

			text[at] = (char)(!plain ? '?' :
					  p[at] < 0x20 ? ' ' : p[at]);
			at++;
			continue;
		}
		memcpy(text + at, p + at, size);
		at += size;
	}
	text[at] = '\0';
	return text;
}

/* Keep the first text of its kind. */
static int keep_text(char **kept, const uint8_t *p, size_t n,
		     struct cd_error *error)
{
	if (*kept != NULL)
		return 0;
	*kept = copy_text(p, n);
	return *kept == NULL ? cd_error_memory(error) : 0;
}

static int keep_option(char **kept, const struct option *option,
		       struct cd_error *error)
{
	return keep_text(kept, option->value, option->length, error);
}

static int keep_comment(struct cd_capture *capture,
			const struct option *option, struct cd_error *error)
{
	capture->comments++;
	return keep_option(&capture->comment, option, error);
}

int cd_pcapng_section_options(struct cd_capture *capture, struct cd_cursor c,
			      struct cd_error *error)
{
	struct option o;

	while (next_option(capture, &c, &o)) {
		char **kept = o.code == 2   ? &capture->hardware
			      : o.code == 3 ? &capture->os
			      : o.code == 4 ? &capture->application
					    : NULL;

		if (o.code == COMMENT && keep_comment(capture, &o, error) < 0)
			return -1;
		if (kept != NULL && keep_option(kept, &o, error) < 0)
			return -1;
	}
	return 0;
}

/* if_filter: one byte says that a filter expression follows (0) or a compiled
 * program (1), which nobody can read. */
static int keep_filter(struct cd_iface *iface, const struct option *o,
		       struct cd_error *error)
{
	if (o->length < 1 || o->value[0] != 0)
		return 0;
	return keep_text(&iface->filter, o->value + 1, o->length - 1u, error);
}

static int keep_iface_text(struct cd_iface *iface, const struct option *o,
			   struct cd_error *error)
{
	switch (o->code) {
	case 2:
		return keep_option(&iface->name, o, error);
	case 3:
		return keep_option(&iface->description, o, error);
	case 11:
		return keep_filter(iface, o, error);
	case 12:
		return keep_option(&iface->os, o, error);
	case 15:
		return keep_option(&iface->hardware, o, error);
	default:
		return 0;
	}
}

enum { IF_TSRESOL = 9, IF_FCSLEN = 13, IF_TSOFFSET = 14 };

/* if_tsresol and if_tsoffset; false if they have another length than the only
 * one that means something. */
static bool take_time_option(struct cd_iface *iface, const struct option *o,
			     bool little)
{
	if (o->code == IF_TSRESOL) {
		if (o->length != 1)
			return false;
		iface->resolution.base = (o->value[0] & 0x80) != 0 ? 2 : 10;
		iface->resolution.exponent = o->value[0] & 0x7f;
	} else if (o->code == IF_TSOFFSET) {
		if (o->length != 8)
			return false;
		iface->offset_s = (int64_t)(little ? cd_le64(o->value)
						   : cd_be64(o->value));
	}
	return true;
}

int cd_pcapng_iface_options(struct cd_capture *capture,
			    struct cd_iface *iface, struct cd_cursor c,
			    uint64_t offset, struct cd_error *error)
{
	uint64_t faults = capture->faults;
	struct option o;

	while (next_option(capture, &c, &o)) {
		if (!take_time_option(iface, &o, c.swap))
			return cd_capture_damaged(
			    capture, offset, error,
			    "an interface whose %s has %u bytes",
			    o.code == IF_TSRESOL ? "if_tsresol (resolution)"
						 : "if_tsoffset", o.length);
		if (o.code == IF_FCSLEN && o.length == 1)
			iface->fcs_bytes = o.value[0];
		if (o.code == COMMENT && keep_comment(capture, &o, error) < 0)
			return -1;
		if (keep_iface_text(iface, &o, error) < 0)
			return -1;
	}
	if (capture->faults != faults)
		return cd_capture_damaged(capture, offset, error,
					  "an interface whose options do not "
					  "fit its block: its resolution "
					  "cannot be known");
	return 0;
}

static uint64_t *find_counter(struct cd_iface *iface, uint16_t code)
{
	switch (code) {
	case 4:
		return &iface->received;
	case 5:
		return &iface->dropped;
	case 6:
		return &iface->accepted;
	case 7:
		return &iface->os_dropped;
	case 8:
		return &iface->delivered;
	default:
		return NULL;
	}
}

/* Start and end of capturing: two halves like the time of a packet. */
static void take_period(struct cd_iface *iface, const struct option *o,
			struct cd_clock *clock, bool little)
{
	bool start = o->code == 2;
	uint64_t ticks = (uint64_t)load32(o->value, little) << 32 |
			 load32(o->value + 4, little);
	bool good = cd_clock_instant(clock, ticks,
				     start ? &iface->start : &iface->end);

	if (start)
		iface->has_start = good;
	else
		iface->has_end = good;
}

int cd_pcapng_statistics_options(struct cd_capture *capture,
				 struct cd_iface *iface,
				 struct cd_clock *clock, struct cd_cursor c,
				 struct cd_error *error)
{
	struct option o;

	iface->has_start = iface->has_end = false;
	for (uint16_t code = 4; code <= 8; code++)
		*find_counter(iface, code) = CD_COUNT_NONE;
	while (next_option(capture, &c, &o)) {
		uint64_t *counter = find_counter(iface, o.code);

		if (o.code == COMMENT && keep_comment(capture, &o, error) < 0)
			return -1;
		if (o.code < 2 || o.code > 8)
			continue;
		if (o.length != 8)
			capture->faults++;
		else if (counter == NULL)
			take_period(iface, &o, clock, c.swap);
		else
			*counter = c.swap ? cd_le64(o.value)
					  : cd_be64(o.value);
	}
	return 0;
}

enum { EPB_FLAGS = 2, EPB_DROPCOUNT = 4 };

int cd_pcapng_packet_options(struct cd_capture *capture,
			     struct cd_record *record, struct cd_cursor c,
			     struct cd_error *error)
{
	struct option o;

	while (next_option(capture, &c, &o)) {
		if (o.code == COMMENT && keep_comment(capture, &o, error) < 0)
			return -1;
		if (o.code == EPB_FLAGS && o.length == 4) {
			uint32_t flags = load32(o.value, c.swap);

			/* bits 0-1 direction (3 is not defined), 5-8 FCS
			 * length in bytes, 0 if not known */
			record->direction = (uint8_t)((flags & 3) % 3);
			if ((flags >> 5 & 15) != 0)
				record->fcs_bytes = (uint8_t)(flags >> 5 & 15);
		} else if (o.code == EPB_DROPCOUNT && o.length == 8) {
			record->drops = c.swap ? cd_le64(o.value)
					       : cd_be64(o.value);
			record->flags |= CD_RECORD_HAS_DROPS;
		} else if (o.code == EPB_FLAGS || o.code == EPB_DROPCOUNT) {
			capture->faults++;
		}
	}
	return 0;
}
