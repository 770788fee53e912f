/* pcapng from the inside: for pcapng.c and pcapng_burst.c. */
#ifndef CAPDIFF_CAPTURE_PCAPNG_PRIVATE_H
#define CAPDIFF_CAPTURE_PCAPNG_PRIVATE_H

#include "capture/clock.h"
#include "capture/reader.h"

enum {
	SECTION_HEADER = 0x0a0d0d0a,
	INTERFACE_DESCRIPTION = 1,
	PACKET = 2, /* obsolete */
	SIMPLE_PACKET = 3,
	NAME_RESOLUTION = 4,
	INTERFACE_STATISTICS = 5,
	ENHANCED_PACKET = 6,
	JOURNAL_EXPORT = 9,
	DECRYPTION_SECRETS = 10,
	CUSTOM = 0x0bad,
	CUSTOM_NO_COPY = 0x40000bad
};

#define BYTE_ORDER_MAGIC 0x1a2b3c4d
#define HEAD 8u		/* type and length */
#define BLOCK_MIN 12u	/* with the length repeated at the end */
#define PACKET_HEAD 28u /* of enhanced and obsolete packet blocks */
#define BLOCK_MAX (CD_RECORD_MAX + (1u << 20))

/* What packets need of their interface, parallel to capture->ifaces. */
struct port {
	struct cd_clock clock;
	uint32_t limit; /* of caplen */
};

struct pcapng {
	bool little;  /* this section */
	bool whole;   /* every block is wanted, none passed over unread */
	size_t taken; /* bytes of the last block that was not passed over */
	size_t first; /* index of its first interface */
	struct port *ports;
	size_t ports_capacity;
};

static inline size_t pad4(uint32_t n)
{
	return ((size_t)n + 3) & ~(size_t)3;
}

/* As cd_capture_burst(). */
size_t pcapng_burst(const struct cd_capture *capture, struct cd_burst *burst,
		    int64_t *time_ps, size_t most);

#endif
