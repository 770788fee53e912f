/* Frames parsed in memory of their exact size. */
#ifndef CAPDIFF_TESTS_FRAME_EXACT_H
#define CAPDIFF_TESTS_FRAME_EXACT_H

#include <criterion/criterion.h>
#include <stdlib.h>

#include "frame_packet.h"

static inline void check_inside(const struct cd_frame *f,
				enum cd_frame_status status,
				const uint8_t *data, uint32_t caplen)
{
	const uint8_t *end = data + caplen;

	cr_assert_eq(f->data, data);
	cr_assert_eq(f->caplen, caplen);
	cr_assert(f->l3 == NULL || (f->l3 >= data && f->l3 <= end));
	cr_assert(f->l4 == NULL || (f->l4 >= data && f->l4 <= end));
	cr_assert(f->src == NULL || f->src + f->address_bytes <= end);
	cr_assert(f->dst == NULL || f->dst + f->address_bytes <= end);
	cr_assert_eq(f->payload != NULL, status == CD_FRAME_OK);
	if (status != CD_FRAME_OK)
		return;
	cr_assert(f->payload + f->payload_captured <= end);
	cr_assert_leq(f->payload_captured, f->payload_bytes);
	cr_assert_leq(f->padding_bytes, f->frame_bytes);
	cr_assert_leq(f->tunnels, 8);
}

static const uint32_t packet_links[] = {1,   101, 0,   108, 113, 276, 228,
					229, 12,  999, 9,   50,	 51,  104};

/* In exactly sized memory, so that the sanitizer sees one byte too many. */
static inline void parse_exact(const uint8_t *bytes, uint32_t caplen,
			       uint32_t origlen)
{
	uint8_t *exact = malloc(caplen == 0 ? 1 : caplen);
	uint8_t *data = caplen == 0 ? exact + 1 : exact;

	cr_assert_not_null(exact);
	memcpy(data, bytes, caplen);
	for (size_t i = 0; i < sizeof(packet_links) / 4; i++) {
		struct cd_frame f;
		enum cd_frame_status status =
		    cd_frame_parse(packet_links[i], data, caplen, origlen,
				   i % 2 ? 4 : 0xff, &f);

		check_inside(&f, status, data, caplen);
	}
	free(exact);
}

#endif
