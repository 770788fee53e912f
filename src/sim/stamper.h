/*
 * Stampers: what generators write into packets, byte for byte as the makers'
 * programs do (the layouts are those of each project's own source). A new one
 * is a function and a line in cd_stampers[].
 */
#ifndef CAPDIFF_SIM_STAMPER_H
#define CAPDIFF_SIM_STAMPER_H

#include <stdint.h>

#include "base/time.h"
#include "sim/scenario.h"

#define CD_PROTOCOL_ICMP 1
#define CD_PROTOCOL_UDP 17

/* A packet being built, and what to write. */
struct cd_stamping {
	const struct cd_stream_spec *stream;
	uint8_t *frame, *l3, *l4, *payload, *end; /* end of the IP packet */
	uint64_t number;	/* raw, modulo 2^bits */
	struct cd_instant tx;	/* what the generator's clock showed */
	int64_t since_start_ps; /* the same as a span since the start */
};

struct cd_stamper {
	const char *name;
	const char *about;
	uint32_t room;	   /* least payload bytes */
	uint8_t bits;	   /* of the number; 0: stream->width * 8 */
	uint8_t protocol;  /* IP protocol unless the scenario says another */
	uint16_t port;	   /* default destination port */
	uint64_t first;	   /* default first number */
	void (*write)(const struct cd_stamping *s); /* NULL: nothing */
};

extern const struct cd_stamper cd_stampers[]; /* ends with a NULL name */

const struct cd_stamper *cd_stamper_find(const char *name); /* or NULL */
/* Width of the stream's numbers in bits, 1..64; 0 if it has none. */
unsigned cd_stamper_bits(const struct cd_stream_spec *stream);

#endif
