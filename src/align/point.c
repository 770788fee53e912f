#include "align/point.h"

#include <stdlib.h>
#include <string.h>

static void release_iface(struct cd_iface *iface)
{
	free(iface->name);
	free(iface->description);
	free(iface->filter);
	free(iface->os);
	free(iface->hardware);
}

void cd_point_release(struct cd_point *point)
{
	for (size_t i = 0; i < point->n_ifaces; i++)
		release_iface(&point->ifaces[i]);
	free(point->ifaces);
	cd_members_free(point->members, point->n_members);
	cd_intervals_release(&point->intervals);
	free(point->hardware);
	free(point->os);
	free(point->application);
	free(point->comment);
	for (size_t i = 0; i < point->n_streams; i++) {
		struct cd_stream *stream = &point->streams[i];

		for (size_t e = 0; e < stream->n_epochs; e++)
			cd_track_free(stream->epochs[e]);
		free(stream->epochs);
	}
	free(point->streams);
	point->ifaces = NULL;
	point->n_ifaces = 0;
	point->members = NULL;
	point->n_members = 0;
	point->hardware = point->os = NULL;
	point->application = point->comment = NULL;
	point->streams = NULL;
	point->n_streams = 0;
}

const struct cd_stream *cd_point_stream(const struct cd_point *point,
					const struct cd_stream_key *key)
{
	for (size_t i = 0; i < point->n_streams; i++)
		if (memcmp(&point->streams[i].key, key, sizeof(*key)) == 0)
			return &point->streams[i];
	return NULL;
}

/* ---- in words ---------------------------------------------------------------- */

enum { ICMP = 1, TCP = 6, UDP = 17, ICMPV6 = 58, SCTP = 132, UDPLITE = 136 };

/* The longest run of two or more zero groups, as RFC 5952 wants it: its first
 * group, or 8. */
static unsigned longest_zeros(const uint8_t *a, unsigned *n)
{
	unsigned best = 8, run = 0;

	*n = 0;
	for (unsigned i = 0; i < 8; i++) {
		run = a[2 * i] == 0 && a[2 * i + 1] == 0 ? run + 1 : 0;
		if (run > 1 && run > *n) {
			*n = run;
			best = i + 1 - run;
		}
	}
	return best;
}

static void add_ipv6(struct cd_str *out, const uint8_t *a)
{
	unsigned n, zeros = longest_zeros(a, &n);

	for (unsigned i = 0; i < 8; i++) {
		if (i == zeros) {
			cd_str_add(out, "::");
			i += n - 1;
			continue;
		}
		cd_str_addf(out, "%s%x", i > 0 && i != zeros + n ? ":" : "",
			    (unsigned)(a[2 * i] << 8 | a[2 * i + 1]));
	}
}

static void add_end(struct cd_str *out, const struct cd_stream_key *key,
		    const uint8_t *a, uint16_t port, bool ports)
{
	if (key->address_bytes == 4) {
		cd_str_addf(out, "%u.%u.%u.%u", a[0], a[1], a[2], a[3]);
	} else {
		cd_str_add(out, ports ? "[" : "");
		add_ipv6(out, a);
		cd_str_add(out, ports ? "]" : "");
	}
	if (ports)
		cd_str_addf(out, ":%u", port);
}

static void add_protocol(struct cd_str *out, unsigned protocol)
{
	switch (protocol) {
	case ICMP:
		cd_str_add(out, "ICMP");
		break;
	case TCP:
		cd_str_add(out, "TCP");
		break;
	case UDP:
		cd_str_add(out, "UDP");
		break;
	case ICMPV6:
		cd_str_add(out, "ICMPv6");
		break;
	case SCTP:
		cd_str_add(out, "SCTP");
		break;
	case UDPLITE:
		cd_str_add(out, "UDP-Lite");
		break;
	default:
		cd_str_addf(out, "IP protocol %u", protocol);
	}
}

static bool has_ports(unsigned protocol)
{
	return protocol == TCP || protocol == UDP || protocol == SCTP ||
	       protocol == UDPLITE;
}

static void add_icmp(struct cd_str *out, const struct cd_stream_key *key)
{
	unsigned type = key->dst_port >> 8;

	if (type == (key->protocol == ICMP ? 8u : 128u))
		cd_str_add(out, " echo request");
	else if (type == (key->protocol == ICMP ? 0u : 129u))
		cd_str_add(out, " echo reply");
	else
		cd_str_addf(out, " type %u", type);
	cd_str_addf(out, ", id %u", (unsigned)key->flow);
}

void cd_stream_describe(const struct cd_stream_key *key, struct cd_str *out)
{
	bool icmp = key->protocol == ICMP || key->protocol == ICMPV6;
	bool ports = has_ports(key->protocol);

	if (key->address_bytes == 0) {
		cd_str_add(out, "all packets");
	} else {
		add_protocol(out, key->protocol);
		cd_str_add(out, " ");
		add_end(out, key, key->src, key->src_port, ports);
		cd_str_add(out, " > ");
		add_end(out, key, key->dst, key->dst_port, ports);
	}
	if (icmp)
		add_icmp(out, key);
	else if (key->flow != 0)
		cd_str_addf(out, ", flow %u", (unsigned)key->flow);
}
