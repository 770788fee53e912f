#include "extract/pcapout.h"

#define MAGIC_US 0xa1b2c3d4u
#define MAGIC_NS 0xa1b23c4du
#define SNAPLEN 262144u
/* Link-type word: an FCS length is said, in 16-bit words. */
#define FCS_SAID 0x04000000u
#define FCS_SHIFT 28

static uint8_t *put32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		*p++ = (uint8_t)(v >> 8 * i);
	return p;
}

static int put_header(struct cd_pcapout *out, struct cd_error *error)
{
	uint8_t header[24], *p = header;
	uint32_t link = out->linktype;

	if (out->fcs_bytes != CD_FCS_UNKNOWN && out->fcs_bytes < 32)
		link |= FCS_SAID | (uint32_t)out->fcs_bytes / 2 << FCS_SHIFT;
	p = put32(p, out->micro ? MAGIC_US : MAGIC_NS);
	p = put32(p, 2 | 4u << 16);
	p = put32(p, 0);
	p = put32(p, 0);
	p = put32(p, SNAPLEN);
	put32(p, link);
	out->begun = true;
	return cd_sink_add(out->sink, header, sizeof(header), error);
}

int cd_pcapout_begin(struct cd_pcapout *out, const struct cd_capture *capture,
		     struct cd_error *error)
{
	(void)error;
	out->capture = capture;
	out->from_pcap = !cd_capture_has_blocks(capture);
	return 0;
}

/* Coarse times stay what they are; the first packet decides. */
static void choose(struct cd_pcapout *out, const struct cd_record *record)
{
	const struct cd_iface *iface = &out->capture->ifaces[record->iface];

	out->linktype = record->linktype;
	out->fcs_bytes = iface->fcs_bytes;
	out->micro = out->from_pcap && iface->resolution.exponent == 6;
	if (out->from_pcap && out->ts_unit_ps != 0)
		out->micro = out->ts_unit_ps == CD_PS_PER_US;
}

static int refuse(const char *what, struct cd_error *error)
{
	cd_error_set(error, CD_E_DATA, "pcap cannot hold %s", what);
	cd_error_hint(error, "let the name of the output end in .pcapng");
	return -1;
}

/* As the file says it, if it is a pcap file of the same unit. */
static bool find_fraction(const struct cd_pcapout *out,
			  const struct cd_record *record, uint32_t *fraction)
{
	uint8_t digits =
	    out->capture->ifaces[record->iface].resolution.exponent;

	if (out->from_pcap &&
	    (out->ts_unit_ps != 0 || (digits == 6) == out->micro)) {
		*fraction = record->fraction;
		return true;
	}
	*fraction = (uint32_t)(record->time.ps /
			       (out->micro ? CD_PS_PER_US : CD_PS_PER_NS));
	return (record->flags & CD_RECORD_BAD_FRACTION) == 0;
}

int cd_pcapout_packet(struct cd_pcapout *out, const struct cd_record *record,
		      struct cd_error *error)
{
	uint8_t header[16], *p = header;
	uint32_t fraction;

	if (!out->begun) {
		choose(out, record);
		if (put_header(out, error))
			return -1;
	}
	if (record->linktype != out->linktype)
		return refuse("packets of several link types", error);
	if (record->time.s < 0 || record->time.s > UINT32_MAX ||
	    !find_fraction(out, record, &fraction))
		return refuse("one of the times", error);
	p = put32(p, (uint32_t)record->time.s);
	p = put32(p, fraction);
	p = put32(p, record->caplen);
	put32(p, record->origlen);
	if (cd_sink_add(out->sink, header, sizeof(header), error))
		return -1;
	return cd_sink_add(out->sink, record->data, record->caplen, error);
}

int cd_pcapout_end(struct cd_pcapout *out, struct cd_error *error)
{
	if (out->begun)
		return 0;
	out->linktype = 1;
	out->fcs_bytes = CD_FCS_UNKNOWN;
	return put_header(out, error);
}
