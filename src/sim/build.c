#include "sim/build.h"

#include <string.h>
#include <zlib.h>

#include "base/bytes.h"
#include "sim/random.h"
#include "sim/stamper.h"

#define ETHERTYPE_VLAN 0x8100
#define ETHERTYPE_IPV4 0x0800
#define ETHERTYPE_IPV6 0x86dd
#define PROTOCOL_ICMP6 58

static void put16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static uint32_t l4_bytes(const struct cd_stream_spec *stream)
{
	bool has_header = stream->protocol == CD_PROTOCOL_UDP ||
			  stream->protocol == CD_PROTOCOL_ICMP ||
			  stream->protocol == PROTOCOL_ICMP6;

	return has_header ? 8 : 0;
}

uint32_t cd_build_header_bytes(const struct cd_stream_spec *stream)
{
	return 14u + (stream->vlan != 0 ? 4u : 0u) +
	       (stream->destination.v6 ? 40u : 20u) + l4_bytes(stream);
}

uint32_t cd_build_payload_bytes(const struct cd_stream_spec *stream,
				uint32_t size)
{
	return size - CD_FCS_BYTES - cd_build_header_bytes(stream);
}

int64_t cd_build_id(const struct cd_stream_spec *stream, uint64_t index,
		    uint32_t *epoch)
{
	const struct cd_restarts *restarts = &stream->restarts;
	uint64_t begin = 0;

	*epoch = 0;
	while (*epoch < restarts->n && restarts->items[*epoch] <= index)
		begin = restarts->items[(*epoch)++];
	/* unsigned: 64-bit numbers may wrap too */
	return (int64_t)((uint64_t)((int64_t)stream->first / stream->step) +
			 (index - begin) / stream->repeat);
}

uint64_t cd_build_number(const struct cd_stream_spec *stream, uint64_t index)
{
	unsigned bits = cd_stamper_bits(stream);
	uint32_t epoch;
	uint64_t number = (uint64_t)cd_build_id(stream, index, &epoch) *
			  (uint64_t)stream->step;

	return bits == 0 || bits == 64 ? number
				       : number & (UINT64_MAX >> (64 - bits));
}

/* RFC 1071: the sum of 16-bit words, not yet folded. */
static uint64_t add_words(uint64_t sum, const uint8_t *p, size_t n)
{
	for (; n >= 2; p += 2, n -= 2)
		sum += cd_be16(p);
	return n == 0 ? sum : sum + (uint64_t)(p[0] << 8);
}

static uint16_t fold(uint64_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

/* Locally administered addresses: 02:00:00:00:00:01 sends. */
static uint8_t *put_ethernet(uint8_t *p, const struct cd_stream_spec *stream)
{
	memset(p, 0, 12);
	p[0] = p[6] = 2;
	p[5] = stream->reverse ? 1 : 2;
	p[11] = stream->reverse ? 2 : 1;
	p += 12;
	if (stream->vlan != 0) {
		put16(p, ETHERTYPE_VLAN);
		put16(p + 2, (uint32_t)stream->vlan);
		p += 4;
	}
	put16(p, stream->destination.v6 ? ETHERTYPE_IPV6 : ETHERTYPE_IPV4);
	return p + 2;
}

static uint8_t *put_ipv4(uint8_t *p, const struct cd_stream_spec *stream,
			 const struct cd_packet *packet, size_t length)
{
	const struct cd_endpoint *from = &stream->source;
	const struct cd_endpoint *to = &stream->destination;

	memset(p, 0, 20);
	p[0] = 0x45;
	put16(p + 2, (uint32_t)length);
	put16(p + 4, stream->ip_id ? (uint32_t)packet->index & 0xffff : 0);
	put16(p + 6, stream->ip_id ? 0 : 0x4000);
	p[8] = (uint8_t)stream->ttl;
	p[9] = (uint8_t)stream->protocol;
	memcpy(p + 12, (stream->reverse ? to : from)->address, 4);
	memcpy(p + 16, (stream->reverse ? from : to)->address, 4);
	return p + 20;
}

static uint8_t *put_ipv6(uint8_t *p, const struct cd_stream_spec *stream,
			 size_t length)
{
	const struct cd_endpoint *from = &stream->source;
	const struct cd_endpoint *to = &stream->destination;

	memset(p, 0, 8);
	p[0] = 0x60;
	put16(p + 4, (uint32_t)length - 40);
	p[6] = (uint8_t)stream->protocol;
	p[7] = (uint8_t)stream->ttl;
	memcpy(p + 8, (stream->reverse ? to : from)->address, 16);
	memcpy(p + 24, (stream->reverse ? from : to)->address, 16);
	return p + 40;
}

static void put_udp(uint8_t *p, const struct cd_stream_spec *stream,
		    size_t length)
{
	const struct cd_endpoint *from = &stream->source;
	const struct cd_endpoint *to = &stream->destination;

	put16(p, (stream->reverse ? to : from)->port);
	put16(p + 2, (stream->reverse ? from : to)->port);
	put16(p + 4, (uint32_t)length);
	put16(p + 6, 0);
}

static void fill_payload(uint8_t *p, size_t n,
			 const struct cd_stream_spec *stream,
			 const struct cd_packet *packet, uint64_t seed)
{
	uint64_t x = cd_random_mix(seed ^ (uint64_t)packet->stream << 48) +
		     packet->index;

	uint64_t word = 0;

	if (stream->fill == CD_FILL_ZERO) {
		memset(p, 0, n);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		if (i % 8 == 0)
			word = cd_random_mix(x * UINT64_C(0x9e3779b97f4a7c15) +
					     i);
		p[i] = (uint8_t)(stream->fill == CD_FILL_PATTERN
				     ? i : word >> i % 8 * 8);
	}
}

static struct cd_instant generator_time(const struct cd_scenario *scenario,
					const struct cd_stream_spec *stream,
					int64_t tx_ps, int64_t *since_ps)
{
	__int128 drift = (__int128)tx_ps * stream->tx_ppm /
			 (int64_t)CD_SHARE_ONE;

	*since_ps = tx_ps + stream->tx_offset_ps + (int64_t)drift;
	return cd_instant_add((struct cd_instant){.s = scenario->epoch_s},
			      (struct cd_span){*since_ps});
}

static void put_checksums(const struct cd_stamping *s)
{
	const struct cd_stream_spec *stream = s->stream;
	size_t length = (size_t)(s->end - s->l4);
	bool udp = stream->protocol == CD_PROTOCOL_UDP;
	uint64_t sum = 0;
	uint16_t check;

	if (!stream->destination.v6)
		put16(s->l3 + 10, fold(add_words(0, s->l3, 20)));
	/* UDP over IPv4 goes without; IPv6 wants one (RFC 8200 8.1) */
	if (stream->destination.v6 && l4_bytes(stream) > 0)
		sum = add_words(length + stream->protocol, s->l3 + 8, 32);
	else if (stream->protocol != CD_PROTOCOL_ICMP)
		return;
	check = fold(add_words(sum, s->l4, length));
	if (udp)
		put16(s->l4 + 6, check == 0 ? 0xffff : check);
	else
		put16(s->l4 + 2, check);
}

/* The frame as it was sent, without FCS. */
static uint32_t build_sent(uint8_t *frame, const struct cd_scenario *scenario,
			   const struct cd_packet *packet, uint64_t damage)
{
	const struct cd_stream_spec *stream =
	    &scenario->streams[packet->stream];
	uint32_t length = packet->size - CD_FCS_BYTES;
	struct cd_stamping s = {.stream = stream, .frame = frame,
				.end = frame + length};

	s.l3 = put_ethernet(frame, stream);
	if (stream->destination.v6)
		s.l4 = put_ipv6(s.l3, stream, (size_t)(s.end - s.l3));
	else
		s.l4 = put_ipv4(s.l3, stream, packet,
				(size_t)(s.end - s.l3));
	s.payload = s.l4 + l4_bytes(stream);
	if (stream->protocol == CD_PROTOCOL_UDP)
		put_udp(s.l4, stream, (size_t)(s.end - s.l4));
	else
		memset(s.l4, 0, l4_bytes(stream));
	fill_payload(s.payload, (size_t)(s.end - s.payload), stream, packet,
		     scenario->seed);
	s.number = cd_build_number(stream, packet->index) ^ damage;
	s.tx = generator_time(scenario, stream, packet->tx_ps,
			      &s.since_start_ps);
	if (stream->stamp->write != NULL)
		stream->stamp->write(&s);
	put_checksums(&s);
	return length;
}

/* Take a tag off, or put one on, behind the addresses. */
static uint8_t *retag(uint8_t *frame, const struct cd_stream_spec *stream,
		      const struct cd_point_spec *point, uint32_t *length)
{
	if (point->tagging == CD_TAG_STRIP && stream->vlan != 0) {
		memmove(frame + 4, frame, 12);
		*length -= 4;
		return frame + 4;
	}
	if (point->tagging == CD_TAG_ADD) {
		frame -= 4;
		memmove(frame, frame + 4, 12);
		put16(frame + 12, ETHERTYPE_VLAN);
		put16(frame + 14, (uint32_t)point->tag);
		*length += 4;
	}
	return frame;
}

/* IEEE 802.3 3.2.9: the CRC's bits in the order of the wire come out as its
 * bytes, least significant first. */
static void put_fcs(uint8_t *frame, uint32_t length)
{
	uint32_t crc = (uint32_t)crc32(0, frame, length);

	for (unsigned i = 0; i < CD_FCS_BYTES; i++)
		frame[length + i] = (uint8_t)(crc >> 8 * i);
}

struct cd_built cd_build_frame(struct cd_builder *builder,
			       const struct cd_packet *packet,
			       uint64_t damage)
{
	const struct cd_scenario *scenario = builder->scenario;
	uint8_t *frame = builder->bytes + CD_FRAME_ROOM;
	uint32_t length = build_sent(frame, scenario, packet, damage);

	frame = retag(frame, &scenario->streams[packet->stream],
		      builder->point, &length);
	if (builder->point->fcs != CD_FCS_ABSENT) {
		put_fcs(frame, length);
		length += CD_FCS_BYTES;
	}
	return (struct cd_built){.data = frame, .length = length};
}
