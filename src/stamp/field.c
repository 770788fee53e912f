/* A number at any place, of any width: nothing can be checked. */
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

static enum cd_stamp_found parse(const struct cd_stamp_spec *spec,
				 const struct cd_frame *frame,
				 struct cd_stamp *stamp)
{
	const uint8_t *p;
	uint32_t end;
	int64_t at;

	if (!find_place(spec, frame, &at, &end) || at + spec->width > end)
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

static void where(const struct cd_stamp_spec *spec, struct cd_str *out)
{
	cd_str_addf(out, "%s%+d", bases[spec->base], (int)spec->at);
}

const struct cd_stamp_format cd_stamp_field = {
    .name = "field",
    .title = "sequence numbers",
    .keys = "at,width,endian,step",
    .bits = 0,
    .clock = CD_TX_NONE,
    .evidence = CD_EVIDENCE_NONE,
    .parse = parse,
    .where = where,
};
