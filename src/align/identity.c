#include "align/identity.h"

#include <xxhash.h>

struct cd_number_place cd_number_place(const struct cd_stamp_spec *spec)
{
	struct cd_number_place place = {0};
	struct cd_stamp_spec field;
	struct cd_str text = {0};

	cd_str_add(&text, "field:at=");
	spec->format->where(spec, &text);
	if (!text.bad &&
	    cd_stamp_spec_parse(cd_str_text(&text), &field, NULL) == 0) {
		place.base = field.base;
		place.at = field.at;
		place.width = (uint8_t)((cd_stamp_bits(spec) + 7) / 8);
		place.known = true;
	}
	cd_str_release(&text);
	return place;
}

static const uint8_t *base_of(const struct cd_frame *frame, uint8_t base)
{
	switch (base) {
	case CD_AT_FRAME:
		return frame->data;
	case CD_AT_L3:
		return frame->l3;
	case CD_AT_L4:
		return frame->l4;
	case CD_AT_UDP:
		return frame->payload;
	default:
		if (frame->l3 == NULL)
			return NULL;
		if (frame->address_bytes == 0)
			return frame->data + frame->frame_bytes -
			       frame->padding_bytes;
		return frame->l3 + frame->ip_bytes;
	}
}

/* The number's first byte and the one after its last, as offsets in the
 * payload; both n if it is not in there. */
static void find_number(const struct cd_number_place *place,
			const struct cd_frame *frame, size_t n, size_t *from,
			size_t *to)
{
	const uint8_t *base = base_of(frame, place->base);
	int64_t at;

	*from = *to = n;
	if (!place->known || base == NULL)
		return;
	at = base - frame->payload + place->at;
	if (at < 0 || (uint64_t)at >= n)
		return;
	*from = (size_t)at;
	if (place->width < n - *from)
		*to = *from + place->width;
}

/* The first n payload bytes without from..to. */
static uint64_t digest(const uint8_t *payload, size_t n, size_t from, size_t to)
{
	uint64_t before;

	from = from < n ? from : n;
	to = to < n ? to : n;
	before = XXH3_64bits(payload, from);
	return XXH3_64bits_withSeed(payload + to, n - to, before);
}

void cd_identity_take(const struct cd_number_place *place,
		      const struct cd_frame *frame,
		      const struct cd_stamp *stamp, struct cd_identity *out)
{
	static const uint32_t lengths[] = {16, 64};
	size_t n = frame->payload_captured, from, to;

	*out = (struct cd_identity){
	    .tx = stamp->tx,
	    .has_tx = (stamp->flags & CD_STAMP_HAS_TX) != 0,
	    .bytes = frame->payload_bytes,
	};
	if (frame->payload == NULL)
		return;
	out->full = frame->payload_captured == frame->payload_bytes;
	find_number(place, frame, n, &from, &to);
	for (size_t i = 0; i < 2; i++) {
		uint32_t length = lengths[i] < frame->payload_bytes
				      ? lengths[i]
				      : frame->payload_bytes;

		if (length <= n)
			out->digest[i] =
			    digest(frame->payload, length, from, to);
	}
	out->digest[2] = digest(frame->payload, n, from, to);
}
