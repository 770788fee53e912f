/* A number at any place, of any width: nothing can be checked. */
#include <inttypes.h>

#include "stamp/formats.h"

static const char *const bases[] = {
    [CD_AT_FRAME] = "frame", [CD_AT_L3] = "l3",	  [CD_AT_L4] = "l4",
    [CD_AT_UDP] = "udp",     [CD_AT_END] = "end",
};

static uint32_t offset_of(const struct cd_frame *frame, const uint8_t *p)
{
	return (uint32_t)(p - frame->data);
}

/* Offset in the frame where the IP packet ends, or what is left of the frame
 * without padding if it holds none. */
static uint32_t find_end(const struct cd_frame *frame)
{
	if (frame->address_bytes == 0 || frame->l3 == NULL)
		return frame->frame_bytes - frame->padding_bytes;
	return offset_of(frame, frame->l3) + frame->ip_bytes;
}

/* Where the field begins and what it has to lie in, as offsets in the frame;
 * false if this frame has no such place. */
static bool find_place(const struct cd_stamp_spec *spec,
		       const struct cd_frame *frame, int64_t *at, uint32_t *end)
{
	const uint8_t *base;

	*end = find_end(frame);
	switch (spec->base) {
	case CD_AT_FRAME:
		base = frame->data;
		*end = frame->frame_bytes;
		break;
	case CD_AT_L3:
		base = frame->l3;
		break;
	case CD_AT_L4:
		base = frame->l4;
		break;
	case CD_AT_UDP:
		base = frame->l4 == NULL ? NULL : frame->payload;
		if (base != NULL)
			*end = offset_of(frame, base) + frame->payload_bytes;
		break;
	default: /* the end of the first fragment is not that of the packet */
		*at = (int64_t)*end + spec->at;
		return (frame->flags & CD_FRAME_FRAGMENT) == 0 && *at >= 0;
	}
	if (base == NULL)
		return false;
	*at = (int64_t)offset_of(frame, base) + spec->at;
	return true;
}

static bool has_port(const struct cd_stamp_spec *spec, uint16_t port)
{
	return port >= spec->port_from && port <= spec->port_to;
}

static bool is_wanted(const struct cd_stamp_spec *spec,
		      const struct cd_frame *frame)
{
	bool ip = frame->address_bytes != 0;

	if (spec->protocol != 0 &&
	    (!ip || frame->ip_protocol != spec->protocol))
		return false;
	if (spec->ethertype != 0 && (ip || frame->ethertype != spec->ethertype))
		return false;
	return spec->port_to == 0 || (ip && (has_port(spec, frame->src_port) ||
					     has_port(spec, frame->dst_port)));
}

static enum cd_stamp_found parse(const struct cd_stamp_spec *spec,
				 const struct cd_frame *frame,
				 struct cd_stamp *stamp)
{
	const uint8_t *p;
	uint32_t end;
	int64_t at;

	if (!is_wanted(spec, frame) || !find_place(spec, frame, &at, &end) ||
	    at + spec->width > end)
		return CD_STAMP_NO;
	if (at + spec->width > frame->caplen)
		return CD_STAMP_CUT;
	p = frame->data + at;
	*stamp = (struct cd_stamp){
	    .seq = spec->little ? cd_le_n(p, spec->width)
				: cd_be_n(p, spec->width),
	};
	return CD_STAMP_YES;
}

static bool pin(const struct cd_stamp_spec *spec, const struct cd_frame *frame,
		struct cd_stamp_pin *out)
{
	uint32_t end;
	int64_t at;

	if (frame->payload == NULL || !find_place(spec, frame, &at, &end))
		return false;
	*out = (struct cd_stamp_pin){
	    .at = (int32_t)(at - (int64_t)offset_of(frame, frame->payload)),
	    .width = spec->width,
	    .little = spec->little,
	};
	return true;
}

static void where(const struct cd_stamp_spec *spec, struct cd_str *out)
{
	cd_str_addf(out, "%s%+d", bases[spec->base], (int)spec->at);
}

static void add_protocol(struct cd_str *out, uint8_t protocol)
{
	switch (protocol) {
	case CD_PROTO_TCP:
		cd_str_add(out, ",proto=tcp");
		break;
	case CD_PROTO_UDP:
		cd_str_add(out, ",proto=udp");
		break;
	default:
		cd_str_addf(out, ",proto=%u", protocol);
		break;
	}
}

static void spell(const struct cd_stamp_spec *spec, struct cd_str *out)
{
	cd_str_add(out, "field:at=");
	where(spec, out);
	cd_str_addf(out, ",width=%u,endian=%s,step=%" PRId64, spec->width,
		    spec->little ? "little" : "big", spec->step);
	if (spec->protocol != 0)
		add_protocol(out, spec->protocol);
	if (spec->ethertype != 0)
		cd_str_addf(out, ",type=0x%04x", spec->ethertype);
	if (spec->port_to != 0)
		cd_str_addf(out, ",port=%u", spec->port_from);
	if (spec->port_to > spec->port_from)
		cd_str_addf(out, "-%u", spec->port_to);
	if (spec->shared)
		cd_str_add(out, ",flows=one");
}

const struct cd_stamp_format cd_stamp_field = {
    .name = "field",
    .title = "sequence numbers",
    .keys = "at,width,endian,step,proto,port,type,flows",
    .bits = 0,
    .clock = CD_TX_NONE,
    .evidence = CD_EVIDENCE_NONE,
    .parse = parse,
    .pin = pin,
    .where = where,
    .spell = spell,
};
