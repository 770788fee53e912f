/* pcapng (draft-ietf-opsawg-pcapng): sections, interfaces, packets and
 * statistics; every other block is passed over. */
#include <stdlib.h>

#include "base/array.h"
#include "capture/pcapng_options.h"
#include "capture/pcapng_private.h"
#include "capture/reader.h"

/* read_block(): nothing to return to the caller */
#define NO_RECORD 2

static bool probe_pcapng(const uint8_t *bytes, size_t n)
{
	return n >= 4 && cd_be32(bytes) == SECTION_HEADER;
}

static struct cd_cursor options_at(const struct pcapng *p, const uint8_t *b,
				   size_t from, uint32_t length)
{
	size_t end = length - 4;

	return from < end ? cd_cursor(b + from, end - from, p->little)
			  : cd_cursor(b, 0, p->little);
}

static bool is_known(uint32_t type)
{
	return (type >= INTERFACE_DESCRIPTION && type <= DECRYPTION_SECRETS) ||
	       type == SECTION_HEADER || type == CUSTOM ||
	       type == CUSTOM_NO_COPY;
}

/* Does a block of a known type begin `at` bytes ahead, or the file end? */
static bool block_follows(const struct cd_capture *capture, size_t at)
{
	const struct pcapng *p = capture->state;
	struct cd_input *input = capture->input;
	uint32_t type, length;
	int got = cd_input_need(input, at + HEAD, NULL);

	if (got <= 0)
		return got == 0 && (size_t)(input->end - input->cur) == at;
	type = load32(input->cur + at, p->little);
	length = load32(input->cur + at + 4, p->little);
	return type == SECTION_HEADER ||
	       (is_known(type) && length >= BLOCK_MIN && length <= BLOCK_MAX &&
		length % 4 == 0);
}

static uint32_t second_length(const struct cd_capture *capture, size_t at)
{
	const struct pcapng *p = capture->state;

	if (cd_input_need(capture->input, at + 4, NULL) <= 0)
		return 0;
	return load32(capture->input->cur + at, p->little);
}

/*
 * Where a block of odd `length` ends, or one whose second length (expected
 * `at` bytes ahead) is another. Some writers leave the padding out of the
 * length, some out of the file; a second length that is simply wrong costs
 * nothing as long as the next block begins where the first one says.
 * 0 and *tail, the bytes from `at` to the next block; or -1.
 */
static int mend_end(struct cd_capture *capture, uint32_t length, size_t at,
		    uint64_t offset, size_t *tail, struct cd_error *error)
{
	size_t padding = (4 - length % 4) % 4;

	*tail = padding + 4;
	capture->faults++;
	if (second_length(capture, at + padding) == length)
		return 0;
	if (padding != 0 && second_length(capture, at) == length) {
		*tail = 4;
		return 0;
	}
	if (block_follows(capture, at + padding + 4))
		return 0;
	capture->faults--;
	return cd_capture_damaged(
	    capture, offset, error,
	    "a block of %lu bytes that ends with the length %lu",
	    (unsigned long)length,
	    (unsigned long)second_length(capture, at + padding));
}

/* The end of a block: `at`, `tail` as in mend_end(). */
static int find_end(struct cd_capture *capture, uint32_t length, size_t at,
		    uint64_t offset, size_t *tail, struct cd_error *error)
{
	const struct pcapng *p = capture->state;

	*tail = 4;
	if (length % 4 == 0 &&
	    load32(capture->input->cur + at, p->little) == length)
		return 0;
	return mend_end(capture, length, at, offset, tail, error);
}

/* Past the block at cur, to the next one. */
static void take_block(struct cd_capture *capture, uint32_t length, size_t tail)
{
	struct pcapng *p = capture->state;

	p->taken = length - 4 + tail;
	capture->input->cur += p->taken;
}

static int refuse_version(struct cd_capture *capture, uint16_t major,
			  uint16_t minor, struct cd_error *error)
{
	if (capture->sections == 0)
		return cd_error_set(error, CD_E_FORMAT,
				    "is pcapng of version %u.%u, but only "
				    "version 1.0 is known", major, minor);
	return cd_capture_damaged(capture, cd_input_offset(capture->input),
				  error, "a section of pcapng version %u.%u, "
				  "but only version 1.0 is known", major,
				  minor);
}

/* Byte order and version. 1.2 is 1.0 (draft, section 4.1). */
static int check_section(struct cd_capture *capture, struct cd_error *error)
{
	struct pcapng *p = capture->state;
	const uint8_t *b = capture->input->cur;
	uint16_t major, minor;

	if (cd_le32(b + 8) != BYTE_ORDER_MAGIC &&
	    cd_be32(b + 8) != BYTE_ORDER_MAGIC)
		return cd_capture_damaged(
		    capture, cd_input_offset(capture->input), error,
		    "a section header with the byte-order magic %08lx",
		    (unsigned long)cd_be32(b + 8));
	p->little = cd_le32(b + 8) == BYTE_ORDER_MAGIC;
	major = load16(b + 12, p->little);
	minor = load16(b + 14, p->little);
	if (major != 1 || (minor != 0 && minor != 2))
		return refuse_version(capture, major, minor, error);
	return 0;
}

static int damaged_block(const struct cd_capture *capture, uint32_t type,
			 uint32_t length, struct cd_error *error)
{
	return cd_capture_damaged(
	    capture, cd_input_offset(capture->input), error,
	    "a block of type 0x%lx that says it has %lu bytes",
	    (unsigned long)type, (unsigned long)length);
}

static int read_section(struct cd_capture *capture, struct cd_error *error)
{
	struct pcapng *p = capture->state;
	struct cd_input *input = capture->input;
	const uint32_t least = 28; /* up to and with the second length */
	uint32_t length;
	size_t tail;
	int got = cd_input_need(input, least, error);

	if (got <= 0)
		return cd_capture_short(capture, got, "a section header",
					cd_input_offset(input), least, error);
	if (check_section(capture, error) < 0)
		return -1;
	length = load32(input->cur + 4, p->little);
	if (length < least || length > BLOCK_MAX)
		return damaged_block(capture, SECTION_HEADER, length, error);
	got = cd_input_need(input, length, error);
	if (got <= 0)
		return cd_capture_short(capture, got, "a section header",
					cd_input_offset(input), length, error);
	if (find_end(capture, length, length - 4, cd_input_offset(input),
		     &tail, error) < 0)
		return -1;
	p->first = capture->n_ifaces;
	capture->sections++;
	if (cd_pcapng_section_options(
		capture, options_at(p, input->cur, 24, length), error) < 0)
		return -1;
	take_block(capture, length, tail);
	return NO_RECORD;
}

static int read_interface(struct cd_capture *capture, uint32_t length,
			  struct cd_error *error)
{
	struct pcapng *p = capture->state;
	const uint8_t *b = capture->input->cur;
	struct cd_iface *iface = cd_capture_add_iface(capture, error);
	struct port *port;

	if (iface == NULL)
		return -1;
	if (cd_grow(&p->ports, &p->ports_capacity, capture->n_ifaces,
		    sizeof(*p->ports)) < 0)
		return cd_error_memory(error);
	iface->section = capture->sections - 1;
	iface->id = (uint32_t)(capture->n_ifaces - 1 - p->first);
	iface->linktype = load16(b + 8, p->little);
	iface->snaplen = load32(b + 12, p->little);
	if (cd_pcapng_iface_options(capture, iface,
				    options_at(p, b, 16, length),
				    cd_input_offset(capture->input),
				    error) < 0)
		return -1;
	port = &p->ports[capture->n_ifaces - 1];
	port->clock = cd_clock_init(iface->resolution, iface->offset_s);
	port->limit = cd_record_limit(iface->linktype, iface->snaplen);
	return NO_RECORD;
}

/* The interface `id` of this section as index, or SIZE_MAX. */
static size_t find_iface(const struct cd_capture *capture, uint32_t id)
{
	const struct pcapng *p = capture->state;

	return id < capture->n_ifaces - p->first ? p->first + id : SIZE_MAX;
}

/* The last statistics of an interface count, so each replaces those before.
 * Those of an interface that is not there tell nothing. */
static int read_statistics(struct cd_capture *capture, uint32_t length,
			   struct cd_error *error)
{
	struct pcapng *p = capture->state;
	const uint8_t *b = capture->input->cur;
	size_t index = find_iface(capture, load32(b + 8, p->little));

	if (index == SIZE_MAX) {
		capture->faults++;
		return NO_RECORD;
	}
	if (cd_pcapng_statistics_options(capture, &capture->ifaces[index],
					 &p->ports[index].clock,
					 options_at(p, b, 20, length),
					 error) < 0)
		return -1;
	return NO_RECORD;
}

static int unknown_iface(const struct cd_capture *capture, uint32_t id,
			 struct cd_error *error)
{
	const struct pcapng *p = capture->state;

	return cd_capture_damaged(
	    capture, cd_input_offset(capture->input), error,
	    "a packet of interface %lu, but its section has described %zu",
	    (unsigned long)id, capture->n_ifaces - p->first);
}

static int impossible_length(const struct cd_capture *capture, uint32_t caplen,
			     uint32_t length, struct cd_error *error)
{
	return cd_capture_damaged(
	    capture, cd_input_offset(capture->input), error,
	    "a packet that says %lu bytes were captured, in a block of %lu",
	    (unsigned long)caplen, (unsigned long)length);
}

/* What all kinds of packet blocks have in common. */
static inline void fill_record(struct cd_capture *capture,
			       struct cd_record *record, size_t index,
			       const uint8_t *data, uint32_t caplen)
{
	struct cd_iface *iface = &capture->ifaces[index];

	iface->packets++;
	capture->bytes += caplen;
	record->number = ++capture->packets;
	record->data = data;
	record->caplen = caplen;
	record->iface = (uint32_t)index;
	record->linktype = iface->linktype;
	record->fcs_bytes = iface->fcs_bytes;
	record->direction = 0;
	record->fraction = 0;
	record->drops = 0;
}

/* SPB: no time, the first interface, and no captured length but the snapshot
 * length. */
static int read_simple(struct cd_capture *capture, uint32_t length,
		       struct cd_record *record, struct cd_error *error)
{
	const struct pcapng *p = capture->state;
	const uint8_t *b = capture->input->cur;
	size_t index = find_iface(capture, 0);
	uint32_t origlen = load32(b + 8, p->little);
	uint32_t caplen = origlen;
	uint32_t snaplen;

	if (index == SIZE_MAX)
		return unknown_iface(capture, 0, error);
	snaplen = capture->ifaces[index].snaplen;
	if (snaplen != 0 && caplen > snaplen)
		caplen = snaplen;
	if (caplen > length - 16 || caplen > p->ports[index].limit)
		return impossible_length(capture, caplen, length, error);
	fill_record(capture, record, index, b + 12, caplen);
	record->origlen = origlen;
	record->time = (struct cd_instant){0, 0};
	record->flags = CD_RECORD_NO_TIME;
	return 1;
}

/* EPB and the obsolete PB: the same but for the first four bytes, which `id`
 * comes from. */
static int read_packet(struct cd_capture *capture, uint32_t length,
		       uint32_t id, struct cd_record *record,
		       struct cd_error *error)
{
	struct pcapng *p = capture->state;
	const uint8_t *b = capture->input->cur;
	uint64_t ticks = (uint64_t)load32(b + 12, p->little) << 32 |
			 load32(b + 16, p->little);
	uint32_t caplen = load32(b + 20, p->little);
	size_t index = find_iface(capture, id);
	size_t options = PACKET_HEAD + pad4(caplen);

	if (index == SIZE_MAX)
		return unknown_iface(capture, id, error);
	if (caplen > length - PACKET_HEAD - 4 ||
	    caplen > p->ports[index].limit)
		return impossible_length(capture, caplen, length, error);
	fill_record(capture, record, index, b + PACKET_HEAD, caplen);
	record->origlen = load32(b + 24, p->little);
	record->flags = 0;
	if (!cd_clock_instant(&p->ports[index].clock, ticks, &record->time))
		record->flags = CD_RECORD_OUT_OF_RANGE;
	if (cd_pcapng_packet_options(
		capture, record, options_at(p, b, options, length), error) < 0)
		return -1;
	return 1;
}

static int read_obsolete(struct cd_capture *capture, uint32_t length,
			 struct cd_record *record, struct cd_error *error)
{
	const struct pcapng *p = capture->state;
	const uint8_t *b = capture->input->cur;
	uint16_t id = load16(b + 8, p->little);
	uint16_t drops = load16(b + 10, p->little);
	int got = read_packet(capture, length, id, record, error);

	if (got == 1 && drops != UINT16_MAX) {
		record->drops = drops;
		record->flags |= CD_RECORD_HAS_DROPS;
	}
	return got;
}

/* Shortest block of a type that is looked into; 0: it is passed over. */
static uint32_t least_length(uint32_t type)
{
	switch (type) {
	case ENHANCED_PACKET:
	case PACKET:
		return PACKET_HEAD + 4;
	case SIMPLE_PACKET:
		return 16;
	case INTERFACE_DESCRIPTION:
		return 20;
	case INTERFACE_STATISTICS:
		return 24;
	default:
		return 0;
	}
}

static int pass_over(struct cd_capture *capture, uint32_t length,
		     struct cd_error *error)
{
	struct cd_input *input = capture->input;
	uint64_t offset = cd_input_offset(input);
	size_t tail;
	int got = cd_input_skip(input, length - 4, error);

	if (got > 0)
		got = cd_input_need(input, 4, error);
	if (got <= 0)
		return cd_capture_short(capture, got, "a block", offset,
					length, error);
	if (find_end(capture, length, 0, offset, &tail, error) < 0)
		return -1;
	input->cur += tail;
	return NO_RECORD;
}

/* Nothing follows, or not enough for a block. */
static int end_pcapng(const struct cd_capture *capture, int got,
		      struct cd_error *error)
{
	const struct cd_input *input = capture->input;

	if (got == 0 && input->cur == input->end)
		return 0;
	return cd_capture_short(capture, got, "a block",
				cd_input_offset(input), BLOCK_MIN, error);
}

static int read_inside(struct cd_capture *capture, uint32_t type,
		       uint32_t length, struct cd_record *record,
		       struct cd_error *error)
{
	const struct pcapng *p = capture->state;
	uint32_t id = load32(capture->input->cur + 8, p->little);

	switch (type) {
	case INTERFACE_DESCRIPTION:
		return read_interface(capture, length, error);
	case INTERFACE_STATISTICS:
		return read_statistics(capture, length, error);
	case SIMPLE_PACKET:
		return read_simple(capture, length, record, error);
	case PACKET:
		return read_obsolete(capture, length, record, error);
	case ENHANCED_PACKET:
		return read_packet(capture, length, id, record, error);
	default:
		return NO_RECORD;
	}
}

/* The block at cur, of whatever type. 1 a packet, NO_RECORD, 0 the end, -1 an
 * error. */
static int read_block(struct cd_capture *capture, struct cd_record *record,
		      struct cd_error *error)
{
	const struct pcapng *p = capture->state;
	struct cd_input *input = capture->input;
	uint32_t type, length;
	size_t tail;
	int got = cd_input_need(input, BLOCK_MIN, error);

	if (got <= 0)
		return end_pcapng(capture, got, error);
	type = load32(input->cur, p->little);
	length = load32(input->cur + 4, p->little);
	if (type == SECTION_HEADER)
		return read_section(capture, error);
	if (length < BLOCK_MIN || length > BLOCK_MAX ||
	    length < least_length(type))
		return damaged_block(capture, type, length, error);
	if (least_length(type) == 0 && !p->whole)
		return pass_over(capture, length, error);
	got = cd_input_need(input, length, error);
	if (got <= 0)
		return cd_capture_short(capture, got, "a block",
					cd_input_offset(input), length, error);
	if (find_end(capture, length, length - 4, cd_input_offset(input),
		     &tail, error) < 0)
		return -1;
	got = read_inside(capture, type, length, record, error);
	if (got > 0)
		take_block(capture, length, tail);
	return got;
}

/*
 * What nearly every block is: an enhanced packet, whole in the window, little
 * endian, without options, in the same second as the last one. False, and
 * nothing done, if it is not; then read_block() looks at it.
 */
static inline bool take_packet(struct cd_capture *capture,
			       struct cd_record *record)
{
	struct pcapng *p = capture->state;
	const uint8_t *b = capture->input->cur;
	size_t left = (size_t)(capture->input->end - b);
	uint32_t length, caplen;
	struct port *port;
	uint64_t rest;
	size_t index;

	if (left < PACKET_HEAD + 4 || !p->little ||
	    cd_le32(b) != ENHANCED_PACKET)
		return false;
	length = cd_le32(b + 4);
	caplen = cd_le32(b + 20);
	index = find_iface(capture, cd_le32(b + 8));
	if (length > left || index == SIZE_MAX ||
	    length != PACKET_HEAD + 4 + pad4(caplen) ||
	    cd_le32(b + length - 4) != length)
		return false;
	port = &p->ports[index];
	rest = ((uint64_t)cd_le32(b + 12) << 32 | cd_le32(b + 16)) -
	       port->clock.first;
	if (caplen > port->limit || rest >= port->clock.per_second)
		return false;
	prefetch(b);
	fill_record(capture, record, index, b + PACKET_HEAD, caplen);
	record->origlen = cd_le32(b + 24);
	record->flags = 0;
	record->time.s = port->clock.second;
	record->time.ps = (int64_t)rest * port->clock.tick_ps;
	capture->input->cur = b + length;
	return true;
}

static int next_pcapng(struct cd_capture *capture, struct cd_record *record,
		       struct cd_error *error)
{
	int got;

	if (CD_LIKELY(take_packet(capture, record)))
		return 1;
	do
		got = read_block(capture, record, error);
	while (got == NO_RECORD);
	return got;
}

bool cd_capture_has_blocks(const struct cd_capture *capture)
{
	return capture->format == &cd_capture_pcapng;
}

/* The first section was read by open_pcapng() and is still in the buffer. */
int cd_capture_next_block(struct cd_capture *capture, struct cd_record *record,
			  struct cd_raw *raw, struct cd_error *error)
{
	struct pcapng *p = capture->state;
	int got = p->whole ? read_block(capture, record, error) : NO_RECORD;

	p->whole = true;
	if (got <= 0)
		return got;
	raw->bytes = capture->input->cur - p->taken;
	raw->n = p->taken;
	raw->type = load32(raw->bytes, p->little);
	raw->length = load32(raw->bytes + 4, p->little);
	raw->little = p->little;
	return got;
}

static int open_pcapng(struct cd_capture *capture, struct cd_error *error)
{
	struct pcapng *p = calloc(1, sizeof(*p));

	if (p == NULL)
		return cd_error_memory(error);
	capture->state = p;
	return read_section(capture, error) < 0 ? -1 : 0;
}

static void close_pcapng(struct cd_capture *capture)
{
	struct pcapng *p = capture->state;

	if (p == NULL)
		return;
	free(p->ports);
	free(p);
}

const struct cd_capture_format cd_capture_pcapng = {
	.name = "pcapng",
	.probe = probe_pcapng,
	.open = open_pcapng,
	.next = next_pcapng,
	.burst = pcapng_burst,
	.close = close_pcapng,
};
