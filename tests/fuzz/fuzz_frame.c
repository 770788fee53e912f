/*
 * The first six bytes are the link type, the FCS length and by how much the
 * wire length goes beyond the frame, which is the rest.
 */
#include "fuzz.h"

#include "base/bytes.h"
#include "frame/frame.h"

static void check_inside(const struct cd_frame *f, enum cd_frame_status status)
{
	const uint8_t *end = f->data + f->caplen;

	MUST(f->l3 == NULL || (f->l3 >= f->data && f->l3 <= end));
	MUST(f->l4 == NULL || (f->l4 >= f->data && f->l4 <= end));
	MUST((f->payload != NULL) == (status == CD_FRAME_OK));
	if (f->payload != NULL) {
		MUST(f->payload >= f->data && f->payload <= end);
		MUST(f->payload_captured <= (size_t)(end - f->payload));
		MUST(f->payload_captured <= f->payload_bytes);
	}
	if (f->address_bytes > 0) {
		MUST(f->src >= f->data && f->src + f->address_bytes <= end);
		MUST(f->dst >= f->data && f->dst + f->address_bytes <= end);
	} else {
		MUST(f->src == NULL && f->dst == NULL);
	}
	MUST(f->encaps >> CD_ENCAPS == 0);
}

static ptrdiff_t place(const struct cd_frame *f, const uint8_t *p)
{
	return p == NULL ? -1 : p - f->data;
}

static void check_same(const struct cd_frame *a, const struct cd_frame *b)
{
	MUST(place(a, a->l3) == place(b, b->l3));
	MUST(place(a, a->l4) == place(b, b->l4));
	MUST(place(a, a->payload) == place(b, b->payload));
	MUST(place(a, a->src) == place(b, b->src));
	MUST(place(a, a->dst) == place(b, b->dst));
	MUST(a->payload_captured == b->payload_captured);
	MUST(a->payload_bytes == b->payload_bytes);
	MUST(a->address_bytes == b->address_bytes);
	MUST(a->ip_protocol == b->ip_protocol && a->flags == b->flags);
	MUST(a->vlan_tags == b->vlan_tags);
	MUST(a->mpls_labels == b->mpls_labels);
	MUST(a->tunnels == b->tunnels && a->encaps == b->encaps);
	MUST(a->src_port == b->src_port && a->dst_port == b->dst_port);
	MUST(a->ethertype == b->ethertype);
	MUST(a->frame_bytes == b->frame_bytes);
	MUST(a->ip_bytes == b->ip_bytes);
	MUST(a->padding_bytes == b->padding_bytes);
}

/* All bytes that are not said to decide change, and nothing else does. */
static void check_fixed(const struct cd_frame *frame, uint32_t linktype,
			uint32_t origlen, uint8_t fcs,
			enum cd_frame_status status)
{
	uint8_t *other = exact_copy(frame->data, frame->caplen);
	uint8_t fixed[256];
	size_t n = frame->caplen < 256 ? frame->caplen : 256;
	struct cd_frame parsed;

	if (cd_frame_fixed(frame, linktype, fixed, n)) {
		for (size_t i = 0; i < frame->caplen; i++)
			if (i >= n || fixed[i] == 0)
				other[i] = (uint8_t)(other[i] * 5u + 77 + i);
		MUST(cd_frame_parse(linktype, other, frame->caplen, origlen,
				    fcs, &parsed) == status);
		check_same(frame, &parsed);
	}
	free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct cd_frame frame;
	enum cd_frame_status status;
	uint32_t linktype, origlen;
	uint8_t *data;

	if (n < 6)
		return 0;
	linktype = cd_be16(bytes);
	data = exact_copy(bytes + 6, n - 6);
	origlen = (uint32_t)(n - 6) + cd_be16(bytes + 4);
	status = cd_frame_parse(linktype, data, (uint32_t)(n - 6), origlen,
				bytes[2], &frame);
	check_inside(&frame, status);
	if (status == CD_FRAME_OK)
		check_fixed(&frame, linktype, origlen, bytes[2], status);
	free(data);
	return 0;
}
