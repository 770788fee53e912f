#include "sim/stamper.h"

#include <string.h>

#define NTP_1900 UINT32_C(2208988800) /* seconds from 1900 to 1970 */

static void be16(uint8_t *p, uint64_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static void be32(uint8_t *p, uint64_t v)
{
	be16(p, v >> 16);
	be16(p + 2, v);
}

static void be64(uint8_t *p, uint64_t v)
{
	be32(p, v >> 32);
	be32(p + 4, v);
}

static void le_n(uint8_t *p, uint64_t v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static uint64_t microseconds(struct cd_instant t)
{
	return (uint64_t)(t.ps / CD_PS_PER_US);
}

/* Seconds and microseconds, each 32 bits, most significant byte first. */
static void put_timeval(uint8_t *p, struct cd_instant t)
{
	be32(p, (uint64_t)t.s);
	be32(p + 4, microseconds(t));
}

static uint16_t destination_port(const struct cd_stamping *s)
{
	const struct cd_stream_spec *stream = s->stream;

	return stream->reverse ? stream->source.port
			       : stream->destination.port;
}

/* Linux net/core/pktgen.c, struct pktgen_hdr */
static void write_pktgen(const struct cd_stamping *s)
{
	be32(s->payload, 0xbe9be955);
	be32(s->payload + 4, s->number);
	put_timeval(s->payload + 8, s->tx);
}

/* iperf 2.0.10+ include/payloads.h: low word, time, high word; the flag says
 * that there are 64 bits. */
static void write_iperf2(const struct cd_stamping *s)
{
	be32(s->payload, s->number);
	put_timeval(s->payload + 4, s->tx);
	be32(s->payload + 12, s->number >> 32);
	be32(s->payload + 16, 0x08000000);
}

/* iperf 2.0.5 and older: 32 bits, 12 bytes. */
static void write_iperf2_32(const struct cd_stamping *s)
{
	be32(s->payload, s->number);
	put_timeval(s->payload + 4, s->tx);
}

/* esnet/iperf src/iperf_udp.c; the clock is the uptime, here an hour more
 * than the scenario's. */
static void put_uptime(uint8_t *p, const struct cd_stamping *s)
{
	struct cd_instant up = cd_instant_add(
	    (struct cd_instant){.s = 3600}, (struct cd_span){s->since_start_ps});

	put_timeval(p, up);
}

static void write_iperf3(const struct cd_stamping *s)
{
	put_uptime(s->payload, s);
	be32(s->payload + 8, s->number);
}

static void write_iperf3_64(const struct cd_stamping *s)
{
	put_uptime(s->payload, s);
	be64(s->payload + 8, s->number);
}

/* MGEN 5 src/common/mgenMsg.cpp, IPv4 or IPv6 destination */
static void write_mgen(const struct cd_stamping *s)
{
	const struct cd_stream_spec *stream = s->stream;
	const struct cd_endpoint *to = stream->reverse ? &stream->source
						       : &stream->destination;
	unsigned width = to->v6 ? 16 : 4;
	uint8_t *p = s->payload;

	be16(p, (uint64_t)(s->end - p));
	p[2] = 2;
	p[3] = 0x08; /* last buffer */
	be32(p + 4, stream->flow);
	be32(p + 8, s->number);
	put_timeval(p + 12, s->tx);
	be16(p + 20, destination_port(s));
	p[22] = to->v6 ? 2 : 1;
	p[23] = (uint8_t)width;
	memcpy(p + 24, to->address, width);
}

/* Mellanox/sockperf src/message.h: number, flags (client), length */
static void write_sockperf(const struct cd_stamping *s)
{
	be64(s->payload, s->number);
	be16(s->payload + 8, 1);
	be32(s->payload + 10, (uint64_t)(s->end - s->payload));
}

/* D-ITG 2.8.1 src/ITGSend/ITGSend.cpp: second of the day */
static void write_ditg(const struct cd_stamping *s)
{
	be32(s->payload, s->stream->flow);
	be32(s->payload + 4, s->number);
	be32(s->payload + 8, (uint64_t)(s->tx.s % 86400));
	be32(s->payload + 12, microseconds(s->tx));
}

/* RFC 3550 5.1, payload type 96, a 90 kHz clock */
static void write_rtp(const struct cd_stamping *s)
{
	__int128 media = (__int128)s->since_start_ps * 9 / 100000000;

	s->payload[0] = 0x80;
	s->payload[1] = 96;
	be16(s->payload + 2, s->number);
	be32(s->payload + 4, (uint64_t)media);
	be32(s->payload + 8, s->stream->flow);
}

/* iputils ping on 64-bit Linux: echo request or (reverse) reply. The checksum
 * comes later. */
static void write_ping(const struct cd_stamping *s)
{
	bool v6 = s->stream->destination.v6;

	if (v6)
		s->l4[0] = s->stream->reverse ? 129 : 128;
	else
		s->l4[0] = s->stream->reverse ? 0 : 8;
	s->l4[1] = 0;
	be16(s->l4 + 4, s->stream->flow);
	be16(s->l4 + 6, s->number);
	le_n(s->payload, (uint64_t)s->tx.s, 8);
	le_n(s->payload + 8, microseconds(s->tx), 8);
}

/* RUDE rude.h struct udp_data */
static void write_rude(const struct cd_stamping *s)
{
	be32(s->payload, s->number);
	put_timeval(s->payload + 4, s->tx);
	be32(s->payload + 12, s->stream->flow);
	if (!s->stream->destination.v6)
		memcpy(s->payload + 16, s->stream->destination.address, 4);
}

static void put_ip_id(const struct cd_stamping *s, uint64_t id)
{
	if (!s->stream->destination.v6)
		be16(s->l3 + 4, id);
}

/* TRex src/stx/stl/trex_stl_fs.h struct flow_stat_payload_header, at the end;
 * a time stamp counter of 2.5 GHz; latency streams have the IP ID 0xffff */
static void write_trex(const struct cd_stamping *s)
{
	uint8_t *p = s->end - 16;
	__int128 cycles = (__int128)s->since_start_ps / 400;

	put_ip_id(s, 0xffff);
	p[0] = 0xab;
	p[1] = 2;
	le_n(p + 2, s->stream->flow, 2);
	le_n(p + 4, s->number, 4);
	le_n(p + 8, (uint64_t)cycles, 8);
}

/* RFC 4656 4.1.2, unauthenticated: number, NTP time, error estimate */
static void write_owamp(const struct cd_stamping *s)
{
	__int128 fraction = ((__int128)s->tx.ps << 32) / CD_PS_PER_S;

	be32(s->payload, s->number);
	be32(s->payload + 4, (uint64_t)s->tx.s + NTP_1900);
	be32(s->payload + 8, (uint64_t)fraction);
	be16(s->payload + 12, 0x8001);
}

/* Pktgen-DPDK app/pktgen.h tstamp_t: always at byte 48 of the frame */
static void write_pktgen_dpdk(const struct cd_stamping *s)
{
	uint8_t *p = s->frame + 48;

	le_n(p, 0xf00dcafe, 4);
	le_n(p + 4, s->number, 4);
	le_n(p + 8, (uint64_t)((__int128)s->since_start_ps / 400), 8);
}

/* MoonGen examples/moonsniff/traffic-gen.lua */
static void write_moonsniff(const struct cd_stamping *s)
{
	le_n(s->payload, s->number, 4);
	s->payload[4] = 0x55;
	put_ip_id(s, s->number);
}

/* iij/nanoping nanoping_common.c struct nanoping_msg: ping 4, pong 5 */
static void write_nanoping(const struct cd_stamping *s)
{
	le_n(s->payload, s->number, 8);
	s->payload[8] = s->stream->reverse ? 5 : 4;
}

/* Any counter anywhere. cd_scenario_check() has seen that it fits. */
static void write_field(const struct cd_stamping *s)
{
	const struct cd_stream_spec *stream = s->stream;
	uint8_t *const base[] = {s->frame, s->l3, s->l4, s->payload, s->end};
	uint8_t *p = base[stream->place] + stream->at;
	unsigned width = (unsigned)stream->width;

	for (unsigned i = 0; i < width; i++) {
		unsigned from_end = stream->little ? i : width - 1 - i;

		p[i] = (uint8_t)(s->number >> 8 * from_end);
	}
}

#define UDP CD_PROTOCOL_UDP

const struct cd_stamper cd_stampers[] = {
    {"none", "no number at all", 0, 1, UDP, 9, 0, NULL},
    {"pktgen", "Linux kernel pktgen", 16, 32, UDP, 9, 1, write_pktgen},
    {"iperf2", "iperf 2.0.10 and later, 64 bits", 20, 64, UDP, 5001, 0,
     write_iperf2},
    {"iperf2-32", "iperf 2.0.5 and older, 32 bits", 12, 32, UDP, 5001, 0,
     write_iperf2_32},
    {"iperf3", "iperf3 UDP, 32 bits", 12, 32, UDP, 5201, 1, write_iperf3},
    {"iperf3-64", "iperf3 --udp-counters-64bit", 16, 64, UDP, 5201, 1,
     write_iperf3_64},
    {"mgen", "NRL MGEN 5", 28, 32, UDP, 5000, 0, write_mgen},
    {"sockperf", "sockperf throughput", 14, 64, UDP, 11111, 1,
     write_sockperf},
    {"ditg", "D-ITG 2.8", 16, 32, UDP, 8999, 1, write_ditg},
    {"rude", "RUDE", 20, 32, UDP, 10001, 0, write_rude},
    {"rtp", "RTP, payload type 96", 12, 16, UDP, 5004, 0, write_rtp},
    {"ping", "ICMP echo of iputils", 16, 16, CD_PROTOCOL_ICMP, 0, 1,
     write_ping},
    {"trex", "TRex latency stream", 16, 32, UDP, 12, 0xfffffffe, write_trex},
    {"owamp", "OWAMP, TWAMP, STAMP test", 14, 32, UDP, 862, 0, write_owamp},
    {"pktgen-dpdk", "Pktgen-DPDK latency", 22, 32, UDP, 5678, 0,
     write_pktgen_dpdk},
    {"moonsniff", "MoonGen MoonSniff", 5, 32, UDP, 319, 0, write_moonsniff},
    {"nanoping", "nanoping", 9, 64, UDP, 10666, 1, write_nanoping},
    {"field", "a counter at `at`, `width`, `endian`", 0, 0, UDP, 9, 0,
     write_field},
    {NULL, NULL, 0, 0, 0, 0, 0, NULL}};

const struct cd_stamper *cd_stamper_find(const char *name)
{
	for (const struct cd_stamper *s = cd_stampers; s->name != NULL; s++)
		if (strcmp(s->name, name) == 0)
			return s;
	return NULL;
}

unsigned cd_stamper_bits(const struct cd_stream_spec *stream)
{
	if (stream->stamp->write == NULL)
		return 0;
	if (stream->stamp->bits == 0)
		return (unsigned)stream->width * 8;
	return stream->stamp->bits;
}
