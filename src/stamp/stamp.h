/*
 * Stamps: the stream, sequence number and transmit time that a generator put
 * into a packet. The formats are the table cd_stamp_formats[].
 */
#ifndef CAPDIFF_STAMP_STAMP_H
#define CAPDIFF_STAMP_STAMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "frame/frame.h"

enum {
	CD_STAMP_HAS_TX = 1, /* `tx` holds a transmit time */
};

/* What parse() says of a packet. */
enum cd_stamp_found {
	CD_STAMP_YES,	/* `stamp` is filled */
	CD_STAMP_NO,	/* not of this format (other traffic) */
	CD_STAMP_CUT,	/* all that was captured fits, but the number was not */
	CD_STAMP_CONTROL /* of this format, but no data: handshake, FIN, warm-up */
};

struct cd_stamp {
	uint64_t seq;	/* raw field, `bits` wide, not yet divided by the step */
	uint32_t flow;	/* the stamp's own flow id (SSRC, MGEN flow…), else 0 */
	uint8_t flags;	/* CD_STAMP_* */
	uint8_t l4_flow; /* reserved, 0 */
	int64_t tx;	/* transmit time in tx_unit_ps since the format's epoch */
};

/* One parsed `--stamp` argument or detected choice; plain data, copyable. */
struct cd_stamp_spec {
	const struct cd_stamp_format *format;
	uint32_t flow;	    /* with has_flow: only this flow id */
	bool has_flow;
	uint8_t width;	    /* bytes, 1..8; iperf3: 4, 8, 0 by each packet */
	/* generic extractor */
	uint8_t base;	    /* CD_AT_* */
	bool little;
	int32_t at;	    /* offset from the base; from the end: negative */
	int64_t step;	    /* never 0; 1 for all but `field` */
	/* its packets, among others; 0: any */
	uint8_t protocol;   /* IP protocol */
	uint16_t ethertype; /* of packets without IP */
	uint16_t port_from, port_to; /* source or destination port, inclusive */
	bool shared;	    /* one counter over all flows */
};

enum { CD_AT_FRAME, CD_AT_L3, CD_AT_L4, CD_AT_UDP /* payload */, CD_AT_END };

/* Transmit time scale. */
enum cd_stamp_clock {
	CD_TX_NONE,
	CD_TX_UNIX,	/* since 1970, comparable with capture times */
	CD_TX_INTERVAL	/* unknown epoch: only differences mean something */
};

/* How much one packet that parses proves. */
enum cd_stamp_evidence {
	CD_EVIDENCE_NONE,   /* nothing, anything parses: never detected */
	CD_EVIDENCE_FIELDS, /* little: needs a flow of packets that agree */
	CD_EVIDENCE_HEADER, /* what the number is, but not that it counts */
	CD_EVIDENCE_MAGIC   /* all: it cannot be anything else */
};

/* Where the number of a packet is, and what else of its payload decides. */
struct cd_stamp_pin {
	uint64_t fixed;	 /* bit i: payload byte i must be the same */
	int32_t at;	 /* of the number, from the payload on */
	uint8_t width;	 /* bytes, 1..8 */
	bool little;
};

struct cd_stamp_format {
	const char *name;    /* as in --stamp */
	const char *alias;   /* another name for it, or NULL */
	const char *title;   /* "iperf2 sequence numbers" */
	const char *keys;    /* option names taken, "flow" or "at,width,…" */
	uint8_t bits;	     /* of the sequence field; 0: cd_stamp_bits() */
	enum cd_stamp_clock clock;
	int64_t tx_unit_ps;  /* 1,000,000 = microseconds */
	enum cd_stamp_evidence evidence;
	uint8_t widths[2];   /* variants by spec.width, told by the data; 0: one */
	/* `frame`: of any status; what it lacks is CD_STAMP_NO. */
	enum cd_stamp_found (*parse)(const struct cd_stamp_spec *spec,
				     const struct cd_frame *frame,
				     struct cd_stamp *stamp);
	/* Do the fields beside the number of a packet that parses fit those of
	 * an earlier one of its flow? NULL: they tell nothing. */
	bool (*fits)(const struct cd_frame *earlier,
		     const struct cd_frame *frame);
	/* What makes another packet with the same headers and lengths parse as
	 * this one did, with the same flow, so that only its number need be
	 * read. False, or NULL: only parse() can tell. */
	bool (*pin)(const struct cd_stamp_spec *spec,
		    const struct cd_frame *frame, struct cd_stamp_pin *pin);
	/* Where the number is, in --stamp field: spelling ("udp+4"). */
	void (*where)(const struct cd_stamp_spec *spec, struct cd_str *out);
	/* The whole --stamp argument that says the same ("field:at=udp+4,…").
	 * NULL: the name alone does, or nearly. */
	void (*spell)(const struct cd_stamp_spec *spec, struct cd_str *out);
};

extern const struct cd_stamp_format *const cd_stamp_formats[]; /* NULL ends */

/*
 * Parse a `--stamp` argument: "pktgen", "mgen:flow=3", "iperf3:width=8",
 * "field:at=udp+8,width=4,endian=big,step=1" (base frame, l3, l4, udp, end;
 * "udp" is the payload of any L4, "end+N" or "end-N" = N bytes before the end
 * of the IP packet; width 4, big, step 1 are the defaults), "icmp" = "ping".
 * Which packets carry the field, if not all that are long enough: proto=udp
 * (tcp, or a number), port=5001 or port=5001-5008 (source or destination),
 * type=0x88b5 (ethertype of packets without IP); flows=one: one counter runs
 * over all of them.
 * "auto" and "none" are the caller's. CD_E_USAGE with the nearest name on error.
 */
int cd_stamp_spec_parse(const char *text, struct cd_stamp_spec *spec,
			struct cd_error *error);
/* What the numbers are, as people say it: "iperf2 sequence numbers", "sequence
 * numbers at udp+12, 4 bytes big endian, step 1". */
void cd_stamp_title(const struct cd_stamp_spec *spec, struct cd_str *out);
/* Sequence field width in bits: the modulus of unwrapping is 2^bits. */
unsigned cd_stamp_bits(const struct cd_stamp_spec *spec);

static inline enum cd_stamp_found
cd_stamp_parse(const struct cd_stamp_spec *spec, const struct cd_frame *frame,
	       struct cd_stamp *stamp)
{
	return spec->format->parse(spec, frame, stamp);
}

#endif
