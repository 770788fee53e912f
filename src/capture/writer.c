#include "capture/writer.h"

#include <stdlib.h>
#include <string.h>

#include "capture/block.h"
#include "capture/sink.h"

typedef unsigned __int128 u128;

enum { ISB_START = 2, ISB_END, ISB_RECEIVED, ISB_DROPPED, ISB_OS_DROPPED = 7 };

#define PCAP_MAGIC_US 0xa1b2c3d4u
#define PCAP_MAGIC_NS 0xa1b23c4du
#define PCAP_SNAPLEN 262144u
/* Link-type word of a pcap header: an FCS length is said, in 16-bit words
 * (draft-ietf-opsawg-pcap 4). */
#define PCAP_FCS_SAID 0x04000000u
#define PCAP_FCS_SHIFT 28

struct cd_writer {
	struct cd_sink *sink;
	bool pcapng;
	uint32_t interfaces;
	int64_t offset_s;
	uint8_t tsresol;
	u128 per_second;       /* ticks */
	uint64_t ps_per_tick;  /* 0: a tick is no whole number of ps */
	struct cd_block_out block; /* under construction */
};

static void store16(const struct cd_writer *w, uint8_t *p, uint16_t v)
{
	p[w->block.big ? 0 : 1] = (uint8_t)(v >> 8);
	p[w->block.big ? 1 : 0] = (uint8_t)v;
}

static void store32(const struct cd_writer *w, uint8_t *p, uint32_t v)
{
	uint32_t le = w->block.big ? __builtin_bswap32(v) : v;

	p[0] = (uint8_t)le;
	p[1] = (uint8_t)(le >> 8);
	p[2] = (uint8_t)(le >> 16);
	p[3] = (uint8_t)(le >> 24);
}

static int write_block(struct cd_writer *w, struct cd_error *error)
{
	cd_block_end(&w->block);
	return cd_sink_add(w->sink, w->block.bytes, w->block.used, error);
}

static int write_interface(struct cd_writer *w,
			   const struct cd_writer_options *o,
			   struct cd_error *error)
{
	struct cd_block_interface interface = {
	    .linktype = (uint16_t)o->linktype,
	    .snaplen = o->snaplen,
	    .tsresol = w->tsresol,
	    .fcs_bytes = o->fcs_bytes,
	    .offset_s = o->offset_s,
	};

	if (cd_block_interface(&w->block, &interface, error))
		return -1;
	return cd_sink_add(w->sink, w->block.bytes, w->block.used, error);
}

static int write_pcapng_header(struct cd_writer *w,
			       const struct cd_writer_options *o,
			       struct cd_error *error)
{
	struct cd_block_section section = {o->hardware, o->os, o->application};

	if (cd_block_section(&w->block, &section, error) ||
	    cd_sink_add(w->sink, w->block.bytes, w->block.used, error))
		return -1;
	for (uint32_t i = 0; i < w->interfaces; i++)
		if (write_interface(w, o, error))
			return -1;
	return 0;
}

static int write_pcap_header(struct cd_writer *w,
			     const struct cd_writer_options *o,
			     struct cd_error *error)
{
	bool ns = o->resolution.exponent == 9;
	uint32_t link = o->linktype;
	uint8_t header[24] = {0};

	if (o->fcs_bytes >= 0)
		link |= PCAP_FCS_SAID |
			(uint32_t)(o->fcs_bytes / 2) << PCAP_FCS_SHIFT;
	store32(w, header, ns ? PCAP_MAGIC_NS : PCAP_MAGIC_US);
	store16(w, header + 4, 2);
	store16(w, header + 6, 4);
	store32(w, header + 16, o->snaplen == 0 ? PCAP_SNAPLEN : o->snaplen);
	store32(w, header + 20, link);
	return cd_sink_add(w->sink, header, sizeof(header), error);
}

static int check_options(const struct cd_writer_options *o,
			 struct cd_error *error)
{
	struct cd_resolution r = o->resolution;

	if ((r.base != 2 && r.base != 10) || r.exponent > 127)
		return cd_error_set(error, CD_E_USAGE,
				    "no such time stamp resolution: %u^-%u s",
				    r.base, r.exponent);
	if (o->format == CD_WRITE_PCAP &&
	    (r.base != 10 || (r.exponent != 6 && r.exponent != 9)))
		return cd_error_set(error, CD_E_USAGE,
				    "pcap files hold microseconds or "
				    "nanoseconds, not %u^-%u s",
				    r.base, r.exponent);
	if (o->linktype > UINT16_MAX)
		return cd_error_set(error, CD_E_USAGE,
				    "link type %u is too large", o->linktype);
	if (o->fcs_bytes > 30 || (o->fcs_bytes > 0 && o->fcs_bytes % 2 != 0))
		return cd_error_set(error, CD_E_USAGE,
				    "a frame check sequence of %d bytes",
				    o->fcs_bytes);
	return 0;
}

static void set_resolution(struct cd_writer *w, struct cd_resolution r)
{
	w->tsresol = (uint8_t)(r.exponent | (r.base == 2 ? 0x80 : 0));
	w->per_second = 1;
	for (unsigned i = 0; i < r.exponent; i++) {
		if (w->per_second >> 64)
			break; /* more ticks than a 64-bit field can hold */
		w->per_second *= r.base;
	}
	if (r.base == 10 && r.exponent <= 12)
		w->ps_per_tick = (uint64_t)CD_PS_PER_S /
				 (uint64_t)w->per_second;
}

struct cd_writer *cd_writer_open(const char *path,
				 const struct cd_writer_options *options,
				 struct cd_error *error)
{
	struct cd_writer *w;
	int status;

	if (check_options(options, error))
		return NULL;
	w = calloc(1, sizeof(*w));
	if (w == NULL) {
		cd_error_memory(error);
		return NULL;
	}
	w->block.big = options->big_endian;
	w->pcapng = options->format == CD_WRITE_PCAPNG;
	w->interfaces = options->interfaces == 0 || !w->pcapng
			    ? 1 : options->interfaces;
	w->offset_s = w->pcapng ? options->offset_s : 0;
	set_resolution(w, options->resolution);
	w->sink = cd_sink_open(path, options->gzip, error);
	if (w->sink == NULL)
		goto fail;
	status = w->pcapng ? write_pcapng_header(w, options, error)
			   : write_pcap_header(w, options, error);
	if (status != 0)
		goto fail;
	return w;
fail:
	cd_sink_close(w->sink, false, NULL);
	cd_block_release(&w->block);
	free(w);
	return NULL;
}

static uint64_t fraction_ticks(const struct cd_writer *w, int64_t ps)
{
	if (w->ps_per_tick != 0)
		return (uint64_t)ps / w->ps_per_tick;
	return (uint64_t)((u128)ps * w->per_second / (u128)CD_PS_PER_S);
}

static int refuse_time(struct cd_error *error)
{
	return cd_error_set(error, CD_E_DATA,
			    "a time that the file format cannot hold");
}

/* pcapng: ticks since the interface's own zero. */
static int find_ticks(const struct cd_writer *w, struct cd_instant t,
		      uint64_t *ticks, struct cd_error *error)
{
	__int128 s = (__int128)t.s - w->offset_s;
	u128 n;

	if (s < 0 || (u128)s > UINT64_MAX || w->per_second >> 64)
		return refuse_time(error);
	n = (u128)s * w->per_second;
	if (n > UINT64_MAX)
		return refuse_time(error);
	n += fraction_ticks(w, t.ps);
	if (n > UINT64_MAX)
		return refuse_time(error);
	*ticks = (uint64_t)n;
	return 0;
}

static int write_pcap_packet(struct cd_writer *w,
			     const struct cd_writer_packet *p,
			     struct cd_error *error)
{
	uint8_t header[16];

	if (p->time.s < 0 || p->time.s > UINT32_MAX)
		return refuse_time(error);
	store32(w, header, (uint32_t)p->time.s);
	store32(w, header + 4, (uint32_t)fraction_ticks(w, p->time.ps));
	store32(w, header + 8, p->caplen);
	store32(w, header + 12, p->origlen);
	if (cd_sink_add(w->sink, header, sizeof(header), error))
		return -1;
	return cd_sink_add(w->sink, p->data, p->caplen, error);
}

static int write_pcapng_packet(struct cd_writer *w,
			       const struct cd_writer_packet *p,
			       struct cd_error *error)
{
	struct cd_block_out *b = &w->block;
	uint64_t ticks = 0;

	if (p->iface >= w->interfaces)
		return cd_error_set(error, CD_E_DATA, "no interface %u",
				    p->iface);
	if (find_ticks(w, p->time, &ticks, error) ||
	    cd_block_begin(b, CD_BLOCK_EPB,
			   p->caplen + cd_block_text_room(p->comment), error))
		return -1;
	cd_block_put32(b, p->iface);
	cd_block_put_ticks(b, ticks);
	cd_block_put32(b, p->caplen);
	cd_block_put32(b, p->origlen);
	cd_block_put_bytes(b, p->data, p->caplen);
	cd_block_pad(b);
	cd_block_options(b);
	cd_block_option_text(b, CD_OPT_COMMENT, p->comment);
	if (p->has_drops)
		cd_block_option_u64(b, CD_EPB_DROPCOUNT, p->drops);
	return write_block(w, error);
}

int cd_writer_packet(struct cd_writer *w, const struct cd_writer_packet *p,
		     struct cd_error *error)
{
	return w->pcapng ? write_pcapng_packet(w, p, error)
			 : write_pcap_packet(w, p, error);
}

static int put_option_time(struct cd_writer *w, uint16_t code, bool has,
			   struct cd_instant t, struct cd_error *error)
{
	uint64_t ticks = 0;

	if (!has)
		return 0;
	if (find_ticks(w, t, &ticks, error))
		return -1;
	cd_block_option(&w->block, code, 8);
	cd_block_put_ticks(&w->block, ticks);
	return 0;
}

static void put_option_count(struct cd_writer *w, uint16_t code, uint64_t n)
{
	if (n != UINT64_MAX)
		cd_block_option_u64(&w->block, code, n);
}

int cd_writer_statistics(struct cd_writer *w,
			 const struct cd_writer_statistics *s,
			 struct cd_error *error)
{
	uint64_t ticks = 0;

	if (!w->pcapng)
		return 0;
	if (s->iface >= w->interfaces)
		return cd_error_set(error, CD_E_DATA, "no interface %u",
				    s->iface);
	if (find_ticks(w, s->time, &ticks, error) ||
	    cd_block_begin(&w->block, CD_BLOCK_ISB, 0, error))
		return -1;
	cd_block_put32(&w->block, s->iface);
	cd_block_put_ticks(&w->block, ticks);
	cd_block_options(&w->block);
	if (put_option_time(w, ISB_START, s->has_start, s->start, error) ||
	    put_option_time(w, ISB_END, s->has_end, s->end, error))
		return -1;
	put_option_count(w, ISB_RECEIVED, s->received);
	put_option_count(w, ISB_DROPPED, s->dropped);
	put_option_count(w, ISB_OS_DROPPED, s->os_dropped);
	return write_block(w, error);
}

int cd_writer_close(struct cd_writer *w, struct cd_error *error)
{
	int status;

	if (w == NULL)
		return 0;
	status = cd_sink_close(w->sink, true, error);
	cd_block_release(&w->block);
	free(w);
	return status;
}

void cd_writer_discard(struct cd_writer *w)
{
	if (w == NULL)
		return;
	cd_sink_close(w->sink, false, NULL);
	cd_block_release(&w->block);
	free(w);
}
