/*
 * pcap (draft-ietf-opsawg-pcap) in all byte orders, with its relatives: the
 * same file header, sometimes another magic, longer record headers.
 */
#include <stdlib.h>

#include "capture/reader.h"

#define FILE_HEADER 24
#define RECORD_HEADER 16
#define LOOK_RECORDS 8
#define LOOK_SECONDS (1u << 24) /* half a year */
#define LOOK_BYTES ((size_t)192 << 10)

/* What a magic number says. Where one magic stands for several layouts, the
 * first records decide. */
static const struct variant {
	uint32_t magic;
	uint8_t fraction_digits;
	uint8_t extra_bytes;	  /* of the file header */
	uint8_t header_bytes[3];  /* of a record, likeliest first */
} variants[] = {
	/* 24: Linux 2.2 libpcap of ss990417 (Red Hat 6.1); 20: Nokia IPSO */
	{0xa1b2c3d4, 6, 0, {16, 24, 20}},
	{0xa1b23c4d, 9, 0, {16}},
	/* 24: Kuznetzov's patch; 28: its ss990915 form (SuSE 6.3) */
	{0xa1b2cd34, 6, 0, {24, 28}},
	/* Ixia lcap, of hardware and software ports: the total length of the
	 * records follows the file header */
	{0x1c0001ac, 6, 4, {16}},
	{0x1c0001ab, 6, 4, {16}},
};

/* Which of the two lengths comes first (libpcap, sf-pcap.c). */
enum length_order {
	CAPLEN_FIRST,
	SHORTER_FIRST, /* version 2.3: writers disagreed */
	ORIGLEN_FIRST  /* before 2.3, and 543.0 of DG/UX */
};

struct pcap {
	bool usual; /* little endian, short record headers, caplen first */
	bool little;
	uint8_t header_bytes;
	uint8_t order; /* enum length_order */
	uint8_t fcs_bytes;
	uint32_t magic;
	uint32_t linktype;
	uint32_t limit;	   /* of caplen */
	uint32_t per_second;
	int64_t tick_ps;
	/* the last run of records of nothing but zeros */
	uint64_t zeros_offset, zeros_first, zeros_last; /* 0: none */
};

static const struct variant *find_variant(uint32_t magic)
{
	for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++)
		if (variants[i].magic == magic)
			return &variants[i];
	return NULL;
}

static bool probe_pcap(const uint8_t *bytes, size_t n)
{
	return n >= 4 && (find_variant(cd_le32(bytes)) != NULL ||
			  find_variant(cd_be32(bytes)) != NULL);
}

static void order_lengths(enum length_order order, uint32_t *caplen,
			  uint32_t *origlen)
{
	uint32_t kept = *caplen;

	if (order == CAPLEN_FIRST ||
	    (order == SHORTER_FIRST && *caplen <= *origlen))
		return;
	*caplen = *origlen;
	*origlen = kept;
}

/* `seconds`: of the first record. */
static bool is_plausible(const struct pcap *p, const uint8_t *header,
			 uint32_t seconds, uint32_t *caplen)
{
	uint32_t later = load32(header, p->little) - seconds;
	uint32_t fraction = load32(header + 4, p->little);
	uint32_t origlen = load32(header + 12, p->little);

	*caplen = load32(header + 8, p->little);
	order_lengths(p->order, caplen, &origlen);
	return fraction < p->per_second && *caplen <= p->limit &&
	       (later < LOOK_SECONDS || -later < LOOK_SECONDS) &&
	       (origlen >= *caplen || origlen == 0) && origlen < 1u << 28 &&
	       (*caplen | origlen) != 0;
}

/* Do the first records make sense with record headers of `size` bytes?
 * 0 no; 1 as far as we look; 2 all LOOK_RECORDS, or all of the file's, and
 * not just one. */
static int rate_headers(const struct cd_capture *capture, size_t size)
{
	const struct pcap *p = capture->state;
	struct cd_input *input = capture->input;
	uint32_t seconds = 0;
	size_t at = 0;

	for (int i = 0; i < LOOK_RECORDS; i++) {
		uint32_t caplen;

		if (at > LOOK_BYTES)
			return 1;
		if (cd_input_need(input, at + size, NULL) <= 0) {
			if ((size_t)(input->end - input->cur) != at)
				return 0;
			return i > 1 ? 2 : 1;
		}
		if (i == 0)
			seconds = load32(input->cur, p->little);
		if (!is_plausible(p, input->cur + at, seconds, &caplen))
			return 0;
		at += size + caplen;
	}
	return 2;
}

static uint8_t choose_header(const struct cd_capture *capture,
			     const struct variant *v)
{
	if (v->header_bytes[1] == 0 ||
	    rate_headers(capture, v->header_bytes[0]) > 0)
		return v->header_bytes[0];
	for (size_t i = 1; i < 3 && v->header_bytes[i] != 0; i++)
		if (rate_headers(capture, v->header_bytes[i]) == 2)
			return v->header_bytes[i];
	return v->header_bytes[0];
}

/* 2.4 is all there is today; 543.0 once came from DG/UX. */
static int check_version(struct pcap *p, uint16_t major, uint16_t minor,
			 struct cd_error *error)
{
	if (major != 2 && major != 543)
		return cd_error_set(error, CD_E_FORMAT,
				    "is pcap of version %u.%u, but only "
				    "version 2 is known", major, minor);
	p->order = CAPLEN_FIRST;
	if (major == 543 || minor < 3)
		p->order = ORIGLEN_FIRST;
	else if (minor == 3)
		p->order = SHORTER_FIRST;
	return 0;
}

/* Link type: 4 bits FCS length in units of 16 bits, 1 bit that says whether
 * it counts, 26 bits type. */
static void set_linktype(struct pcap *p, uint32_t word)
{
	p->linktype = word & 0x03ffffff;
	p->fcs_bytes = CD_FCS_UNKNOWN;
	if ((word & 0x04000000) != 0)
		p->fcs_bytes = (uint8_t)(2 * (word >> 28));
}

static int add_only_iface(struct cd_capture *capture, uint32_t snaplen,
			  uint8_t digits, struct cd_error *error)
{
	const struct pcap *p = capture->state;
	struct cd_iface *iface = cd_capture_add_iface(capture, error);

	if (iface == NULL)
		return -1;
	iface->linktype = p->linktype;
	iface->snaplen = snaplen;
	iface->fcs_bytes = p->fcs_bytes;
	iface->resolution = (struct cd_resolution){10, digits};
	return 0;
}

static int read_header(struct cd_capture *capture, const struct variant *v,
		       struct cd_error *error)
{
	struct pcap *p = capture->state;
	struct cd_input *input = capture->input;
	size_t size = FILE_HEADER + (size_t)v->extra_bytes;
	const uint8_t *h;
	uint32_t snaplen;
	int got = cd_input_need(input, size, error);

	if (got <= 0)
		return cd_capture_short(capture, got, "the file header", 0,
					size, error);
	h = input->cur;
	if (check_version(p, load16(h + 4, p->little),
			  load16(h + 6, p->little), error) < 0)
		return -1;
	capture->thiszone = (int32_t)load32(h + 8, p->little);
	snaplen = load32(h + 16, p->little);
	set_linktype(p, load32(h + 20, p->little));
	p->limit = cd_record_limit(p->linktype, snaplen);
	input->cur += size;
	p->header_bytes = choose_header(capture, v);
	p->usual = p->little && p->header_bytes == RECORD_HEADER &&
		   p->order == CAPLEN_FIRST;
	return add_only_iface(capture, snaplen, v->fraction_digits, error);
}

static int open_pcap(struct cd_capture *capture, struct cd_error *error)
{
	struct pcap *p = calloc(1, sizeof(*p));
	const struct variant *v;

	if (p == NULL)
		return cd_error_memory(error);
	capture->state = p;
	capture->sections = 1;
	v = find_variant(cd_le32(capture->input->cur));
	p->little = v != NULL;
	if (v == NULL)
		v = find_variant(cd_be32(capture->input->cur));
	p->magic = v->magic;
	p->per_second = v->fraction_digits == 6 ? 1000000 : 1000000000;
	p->tick_ps = CD_PS_PER_S / p->per_second;
	return read_header(capture, v, error);
}

/* Nothing follows, or not enough for a record header. */
static int end_pcap(const struct cd_capture *capture, int got,
		    struct cd_error *error)
{
	const struct pcap *p = capture->state;
	const struct cd_input *input = capture->input;

	if (got == 0 && p->zeros_last > 0 && p->zeros_last == capture->packets)
		return cd_capture_damaged(
		    capture, p->zeros_offset, error,
		    "from packet %llu on there are only zeros, which were "
		    "never written: a full disk or a power cut?",
		    (unsigned long long)p->zeros_first);
	if (got == 0 && input->cur == input->end)
		return 0;
	return cd_capture_short(capture, got, "a record header",
				cd_input_offset(input), p->header_bytes,
				error);
}

static int explain_damage(const struct cd_capture *capture, uint32_t seconds,
			  uint32_t caplen, struct cd_error *error)
{
	const struct pcap *p = capture->state;
	uint64_t offset = cd_input_offset(capture->input);

	if (seconds == p->magic && caplen == 0) {
		cd_error_hint(error, "join captures with mergecap, not cat");
		return cd_capture_damaged(capture, offset, error,
					  "another pcap file begins here");
	}
	return cd_capture_damaged(capture, offset, error,
				  "a record header that says %lu bytes were "
				  "captured (limit %lu)",
				  (unsigned long)caplen,
				  (unsigned long)p->limit);
}

/*
 * Space that the file system gave and nobody wrote, after a power cut or on a
 * full disk, reads as records of no bytes at time 0. They are packets to every
 * reader, and so they are here; but a file that ends in them is damaged.
 */
static void note_zeros(const struct cd_capture *capture, struct pcap *p)
{
	const uint8_t *header = capture->input->cur;

	for (size_t i = 0; i < p->header_bytes; i++)
		if (header[i] != 0)
			return;
	if (p->zeros_last == 0 || p->zeros_last != capture->packets) {
		p->zeros_offset = cd_input_offset(capture->input);
		p->zeros_first = capture->packets + 1;
	}
	p->zeros_last = capture->packets + 1;
}

/* Kuznetzov's patch: u32 interface index, u16 protocol, u8 packet type as in
 * linux/if_packet.h, where 4 is outgoing. Converters leave them 0. */
static uint8_t read_direction(const struct pcap *p, const uint8_t *header)
{
	if (p->header_bytes < 24 || load32(header + 16, p->little) == 0)
		return 0;
	return header[22] == 4 ? 2 : 1;
}

/* The record at `h`, whole in the window: fill `record` and pass over it. */
static inline void take_record(struct cd_capture *capture, const uint8_t *h,
			       size_t header_bytes, uint32_t caplen,
			       uint32_t origlen, bool little,
			       struct cd_record *record)
{
	const struct pcap *p = capture->state;
	uint32_t fraction = load32(h + 4, little);

	record->number = ++capture->packets;
	record->time.s = load32(h, little);
	record->time.ps = fraction * p->tick_ps;
	record->data = h + header_bytes;
	record->caplen = caplen;
	record->origlen = origlen;
	record->iface = 0;
	record->linktype = p->linktype;
	record->flags = 0;
	record->fcs_bytes = p->fcs_bytes;
	record->direction = 0;
	record->fraction = fraction;
	record->drops = 0;
	if (CD_UNLIKELY(fraction >= p->per_second)) {
		record->time.ps = CD_PS_PER_S - 1;
		record->flags = CD_RECORD_BAD_FRACTION;
	}
	capture->bytes += caplen;
	capture->ifaces[0].packets = capture->packets;
	capture->input->cur = record->data + caplen;
}

/* The long way: any layout, any byte order, the end, faults. */
static int next_any(struct cd_capture *capture, struct cd_record *record,
		    struct cd_error *error)
{
	struct pcap *p = capture->state;
	struct cd_input *input = capture->input;
	uint64_t size = p->header_bytes;
	uint32_t seconds, caplen, origlen;
	int got = cd_input_need(input, size, error);

	if (got <= 0)
		return end_pcap(capture, got, error);
	seconds = load32(input->cur, p->little);
	caplen = load32(input->cur + 8, p->little);
	origlen = load32(input->cur + 12, p->little);
	order_lengths(p->order, &caplen, &origlen);
	if (caplen > p->limit || (seconds == p->magic && caplen == 0))
		return explain_damage(capture, seconds, caplen, error);
	if (CD_UNLIKELY(caplen == 0))
		note_zeros(capture, p);
	size += caplen;
	got = cd_input_need(input, size, error);
	if (got <= 0)
		return cd_capture_short(capture, got, "a record",
					cd_input_offset(input), size, error);
	take_record(capture, input->cur, p->header_bytes, caplen, origlen,
		    p->little, record);
	record->direction = read_direction(p, record->data - p->header_bytes);
	return 1;
}

static int next_pcap(struct cd_capture *capture, struct cd_record *record,
		     struct cd_error *error)
{
	const struct pcap *p = capture->state;
	const uint8_t *h = capture->input->cur;
	size_t left = (size_t)(capture->input->end - h);
	uint32_t caplen;

	if (CD_UNLIKELY(!p->usual || left < RECORD_HEADER))
		return next_any(capture, record, error);
	caplen = cd_le32(h + 8);
	if (CD_UNLIKELY(caplen == 0 || caplen > p->limit ||
			caplen > left - RECORD_HEADER))
		return next_any(capture, record, error);
	prefetch(h);
	take_record(capture, h, RECORD_HEADER, caplen, cd_le32(h + 12), true,
		    record);
	return 1;
}

static size_t burst_pcap(const struct cd_capture *capture,
			 struct cd_burst *burst, int64_t *time_ps, size_t most)
{
	const struct pcap *p = capture->state;
	const uint8_t *h = capture->input->cur;
	uint64_t lengths = (uint64_t)burst->origlen << 32 | burst->caplen;
	size_t n;

	if (!p->usual || burst->caplen > p->limit)
		return 0;
	burst->data = h + RECORD_HEADER;
	burst->stride = RECORD_HEADER + burst->caplen;
	most = count_readable((size_t)(capture->input->end - h), RECORD_HEADER,
			      burst->stride, most);
	for (n = 0; n < most; n++, h += burst->stride) {
		int64_t s = cd_le32(h);
		uint32_t fraction = cd_le32(h + 4);

		if (CD_UNLIKELY(cd_le64(h + 8) != lengths ||
				fraction >= p->per_second ||
				!is_burst_time(s, burst->base_s)))
			break;
		prefetch(h);
		time_ps[n] = (s - burst->base_s) * CD_PS_PER_S +
			     fraction * p->tick_ps;
	}
	return n;
}

static void close_pcap(struct cd_capture *capture)
{
	free(capture->state);
}

const struct cd_capture_format cd_capture_pcap = {
	.name = "pcap",
	.probe = probe_pcap,
	.open = open_pcap,
	.next = next_pcap,
	.burst = burst_pcap,
	.close = close_pcap,
};
