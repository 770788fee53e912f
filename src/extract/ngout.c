#include "extract/ngout.h"

#include "config.h"

#include <string.h>

#include "base/bytes.h"

#define PACKET_HEAD 28u /* of enhanced and obsolete packet blocks */
#define SECTION_LENGTH 16u

void cd_ngout_release(struct cd_ngout *out)
{
	cd_block_release(&out->block);
}

static int write_block(struct cd_ngout *out, struct cd_error *error)
{
	return cd_sink_add(out->sink, out->block.bytes, out->block.used, error);
}

/* ---- from pcap ------------------------------------------------------------
 */

static uint8_t digits_of(const struct cd_ngout *out,
			 const struct cd_iface *iface)
{
	if (out->ts_unit_ps == CD_PS_PER_NS)
		return 9;
	if (out->ts_unit_ps == CD_PS_PER_US)
		return 6;
	return iface->resolution.exponent;
}

int cd_ngout_begin(struct cd_ngout *out, const struct cd_capture *capture,
		   struct cd_error *error)
{
	const struct cd_block_section section = {.application = PACKAGE_NAME
						 " " PACKAGE_VERSION};
	const struct cd_iface *iface;
	struct cd_block_interface interface;

	if (cd_capture_has_blocks(capture))
		return 0;
	iface = &capture->ifaces[0];
	if (iface->linktype > UINT16_MAX)
		return cd_error_set(error, CD_E_DATA,
				    "pcapng cannot hold link type %lu",
				    (unsigned long)iface->linktype);
	interface = (struct cd_block_interface){
	    .linktype = (uint16_t)iface->linktype,
	    .snaplen = iface->snaplen,
	    .tsresol = digits_of(out, iface),
	    .fcs_bytes =
		iface->fcs_bytes == CD_FCS_UNKNOWN ? -1 : iface->fcs_bytes,
	};
	out->per_second = interface.tsresol == 6 ? 1000000 : 1000000000;
	out->block.big = false;
	if (cd_block_section(&out->block, &section, error) ||
	    write_block(out, error) ||
	    cd_block_interface(&out->block, &interface, error))
		return -1;
	return write_block(out, error);
}

static void put_note(struct cd_block_out *b, const struct cd_note *note,
		     bool drops_done)
{
	if (note == NULL)
		return;
	cd_block_option_text(b, CD_OPT_COMMENT, note->comment);
	if (note->has_drops && !drops_done)
		cd_block_option_u64(b, CD_EPB_DROPCOUNT, note->drops);
}

static size_t note_room(const struct cd_note *note)
{
	return note == NULL ? 0 : cd_block_text_room(note->comment);
}

/* A packet that was in no enhanced block, of the first interface. */
static int put_new(struct cd_ngout *out, const struct cd_record *record,
		   uint64_t ticks, const struct cd_note *note,
		   struct cd_error *error)
{
	struct cd_block_out *b = &out->block;

	if (cd_block_begin(b, CD_BLOCK_EPB, record->caplen + note_room(note),
			   error))
		return -1;
	cd_block_put32(b, 0);
	cd_block_put_ticks(b, ticks);
	cd_block_put32(b, record->caplen);
	cd_block_put32(b, record->origlen);
	cd_block_put_bytes(b, record->data, record->caplen);
	cd_block_pad(b);
	cd_block_options(b);
	if (record->direction != 0)
		cd_block_option_u32(b, CD_EPB_FLAGS, record->direction);
	put_note(b, note, false);
	cd_block_end(b);
	return write_block(out, error);
}

/* Seconds and fraction as the file says them, also when the fraction is more
 * than a second. */
static uint64_t ticks_of(const struct cd_ngout *out,
			 const struct cd_record *record)
{
	return (uint64_t)record->time.s * out->per_second + record->fraction;
}

/* ---- packets of pcapng ----------------------------------------------------
 */

static uint16_t load16(const struct cd_raw *raw, size_t at)
{
	const uint8_t *p = raw->bytes + at;

	return raw->little ? cd_le16(p) : cd_be16(p);
}

/* The options of a packet block: bytes from..to of it. */
struct options {
	size_t from, to;
	size_t end;   /* no further good one: the end, its mark or a bad one */
	size_t drops; /* value of epb_dropcount, 0: none */
	bool whole;   /* `end` is `to` */
};

static struct options find_options(const struct cd_raw *raw, uint32_t caplen)
{
	struct options o = {.from = PACKET_HEAD +
				    (((size_t)caplen + 3) & ~(size_t)3),
			    .to = raw->length - 4};

	if (o.from > o.to)
		o.from = o.to;
	for (o.end = o.from; o.to - o.end >= 4;) {
		uint16_t code = load16(raw, o.end);
		size_t n = load16(raw, o.end + 2), next = (n + 3) & ~(size_t)3;

		if (code == CD_OPT_END || n > o.to - o.end - 4)
			break;
		if (code == CD_EPB_DROPCOUNT && n == 8)
			o.drops = o.end + 4;
		/* the last one may lack its padding */
		o.end +=
		    4 + (next < o.to - o.end - 4 ? next : o.to - o.end - 4);
	}
	o.whole = o.end == o.to;
	return o;
}

/* Options as they were, ours behind the last good one. */
static void put_options(struct cd_block_out *b, const struct cd_raw *raw,
			const struct options *o, const struct cd_note *note)
{
	size_t at = b->used;
	bool replace = note->has_drops && o->drops != 0;

	if (o->whole)
		cd_block_options(b);
	cd_block_put_bytes(b, raw->bytes + o->from, o->end - o->from);
	if (replace) {
		size_t end = b->used;

		b->used = at + (o->drops - o->from);
		cd_block_put64(b, note->drops);
		b->used = end;
	}
	cd_block_pad(b);
	put_note(b, note, replace);
	cd_block_put_bytes(b, raw->bytes + o->end, o->to - o->end);
	cd_block_pad(b);
}

/* An obsolete block has a short interface number and, behind it, the packets
 * lost: 65,535 if not known. */
static void put_head(struct cd_block_out *b, const struct cd_raw *raw)
{
	if (raw->type == CD_BLOCK_PB)
		cd_block_put32(b, load16(raw, 8));
	else
		cd_block_put_bytes(b, raw->bytes + 8, 4);
	cd_block_put_bytes(b, raw->bytes + 12, 16);
}

static int put_packet(struct cd_ngout *out, const struct cd_record *record,
		      const struct cd_raw *raw, const struct cd_note *note,
		      struct cd_error *error)
{
	struct cd_block_out *b = &out->block;
	struct options o = find_options(raw, record->caplen);
	struct cd_note own = *note;

	if (raw->type == CD_BLOCK_PB && !own.has_drops &&
	    record->flags & CD_RECORD_HAS_DROPS) {
		own.has_drops = true;
		own.drops = record->drops;
	}
	if (cd_block_begin(b, CD_BLOCK_EPB, raw->n + note_room(note), error))
		return -1;
	put_head(b, raw);
	cd_block_put_bytes(b, record->data, record->caplen);
	if (o.from > PACKET_HEAD + (size_t)record->caplen)
		cd_block_put_bytes(b, record->data + record->caplen,
				   o.from - PACKET_HEAD - record->caplen);
	cd_block_pad(b);
	put_options(b, raw, &o, &own);
	cd_block_end(b);
	return write_block(out, error);
}

int cd_ngout_packet(struct cd_ngout *out, const struct cd_record *record,
		    const struct cd_raw *raw, const struct cd_note *note,
		    struct cd_error *error)
{
	if (raw == NULL)
		return put_new(out, record, ticks_of(out, record), note, error);
	if (note == NULL)
		return cd_sink_add(out->sink, raw->bytes, raw->n, error);
	out->block.big = !raw->little;
	if (raw->type == CD_BLOCK_SPB)
		return put_new(out, record, 0, note, error); /* has no time */
	return put_packet(out, record, raw, note, error);
}

/* ---- other blocks ---------------------------------------------------------
 */

int cd_ngout_other(struct cd_ngout *out, const struct cd_raw *raw,
		   struct cd_error *error)
{
	static const uint8_t not_said[8] = {0xff, 0xff, 0xff, 0xff,
					    0xff, 0xff, 0xff, 0xff};
	size_t behind = SECTION_LENGTH + sizeof(not_said);

	if (raw->type != CD_BLOCK_SHB)
		return cd_sink_add(out->sink, raw->bytes, raw->n, error);
	if (cd_sink_add(out->sink, raw->bytes, SECTION_LENGTH, error) ||
	    cd_sink_add(out->sink, not_said, sizeof(not_said), error))
		return -1;
	return cd_sink_add(out->sink, raw->bytes + behind, raw->n - behind,
			   error);
}
