/*
 * Captures: bytes to packet records, interfaces and their counters.
 *
 * The formats are the table cd_capture_formats[]: a new one is its own file
 * and a line there.
 */
#ifndef CAPDIFF_CAPTURE_CAPTURE_H
#define CAPDIFF_CAPTURE_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/time.h"
#include "input/input.h"

/* Longest record accepted; libpcap's own MAXIMUM_SNAPLEN for most links is
 * 262,144, for USB and DBus 128 MiB. */
#define CD_RECORD_MAX (128u << 20)

#define CD_COUNT_NONE UINT64_MAX /* a counter that was not recorded */
#define CD_FCS_UNKNOWN 0xff	 /* FCS length not said */

/* One interface of one section of a file. pcap files have exactly one. The
 * texts are valid UTF-8 without control characters, whatever the file holds. */
struct cd_iface {
	uint32_t section, id; /* id restarts with every section (pcapng) */
	uint32_t linktype;    /* LINKTYPE_ value, as in the file */
	uint32_t snaplen;     /* 0: no limit */
	struct cd_resolution resolution;
	int64_t offset_s;	/* if_tsoffset */
	uint8_t fcs_bytes;	/* said by the file; CD_FCS_UNKNOWN: not said */
	uint64_t packets;	/* records read from it so far */
	char *name;		/* if_name, else NULL; so all texts */
	char *description;
	char *filter;
	char *os;
	char *hardware;
	/* Last interface statistics block; CD_COUNT_NONE: not recorded. */
	uint64_t received, dropped, os_dropped, accepted, delivered;
	bool has_start, has_end; /* isb_starttime, isb_endtime */
	struct cd_instant start, end;
};

enum {
	CD_RECORD_NO_TIME = 1,	   /* the block has no time stamp (SPB) */
	/* Fraction of a second >= 1 s in a pcap record: time.ps is the last of
	 * its second, record.fraction what the file says. */
	CD_RECORD_BAD_FRACTION = 2,
	CD_RECORD_OUT_OF_RANGE = 4, /* seconds past what int64 holds */
	CD_RECORD_HAS_DROPS = 8	   /* `drops` was recorded (epb_dropcount) */
};

struct cd_record {
	uint64_t number; /* 1-based in the file: Wireshark's frame number */
	struct cd_instant time; /* zero with CD_RECORD_NO_TIME */
	const uint8_t *data; /* caplen bytes, borrowed until the next call */
	uint32_t caplen;     /* bytes captured (never more than in the file) */
	uint32_t origlen;    /* bytes on the wire, as the file says */
	uint32_t iface;	     /* index into cd_capture.ifaces */
	uint32_t linktype;
	uint8_t flags;	   /* CD_RECORD_* */
	uint8_t fcs_bytes; /* of this packet, or CD_FCS_UNKNOWN */
	uint8_t direction; /* 0 not said, 1 inbound, 2 outbound */
	uint32_t fraction; /* pcap: the field behind the seconds, unscaled */
	uint64_t drops;	   /* packets lost since the previous one */
};

struct cd_capture {
	const struct cd_capture_format *format;
	struct cd_input *input;
	struct cd_iface *ifaces;
	size_t n_ifaces, ifaces_capacity;
	uint32_t sections;
	uint64_t packets; /* records returned so far */
	uint64_t bytes;	  /* sum of their caplen */
	/* First ones met; NULL if none. */
	char *hardware, *os, *application, *comment;
	uint64_t comments; /* opt_comment options met */
	int32_t thiszone;  /* pcap header field, never applied */
	/* Faults of the file that cost no packet, passed over: a wrong second
	 * block length, an option that does not fit its block. */
	uint64_t faults;
	void *state;	   /* the format's own */
};

/* Records in a row that look like one before them. */
struct cd_burst {
	/* What they have in common, none with a flag, drops or a direction: */
	uint32_t caplen, origlen, iface;
	int64_t base_s;	     /* their times count from this second on */
	/* Where they are, still to be consumed: */
	const uint8_t *data; /* of the first */
	size_t stride;	     /* from the data of one to that of the next */
};

/* Times of bursts are less than this far (97 days) from their base. */
#define CD_BURST_SECONDS INT64_C(8388608)
/* From the data of each record on so many bytes can be read, whatever they
 * belong to. */
#define CD_BURST_READABLE 80

struct cd_capture_format {
	const char *name; /* "pcap", "pcapng" */
	/* Does a file that begins with these `n` bytes (>= 4) look like it? */
	bool (*probe)(const uint8_t *bytes, size_t n);
	/* Read the file header. 0 or -1. */
	int (*open)(struct cd_capture *capture, struct cd_error *error);
	/* 1: a record; 0: end of file; -1: error. */
	int (*next)(struct cd_capture *capture, struct cd_record *record,
		    struct cd_error *error);
	/* As cd_capture_burst(). */
	size_t (*burst)(const struct cd_capture *capture,
			struct cd_burst *burst, int64_t *time_ps, size_t most);
	void (*close)(struct cd_capture *capture);
};

extern const struct cd_capture_format *const cd_capture_formats[];

/*
 * Recognise the format by its first bytes and read its header; takes over
 * `input` (and closes it, also on error). NULL on error: CD_E_EMPTY if there
 * is no byte, CD_E_FORMAT with the first bytes in words if it is no capture.
 */
struct cd_capture *cd_capture_open(struct cd_input *input,
				   struct cd_error *error);
void cd_capture_close(struct cd_capture *capture);

/*
 * The next packet. 1: `record` is filled, its data borrowed until the next
 * call. 0: end. -1: error, everything before it was good; CD_E_TRUNCATED: the
 * file ends inside a record or block, CD_E_CORRUPT: damaged. error->offset and
 * error->packets say where, and so does its sentence. No call may follow the
 * end or an error.
 */
static inline int cd_capture_next(struct cd_capture *capture,
				  struct cd_record *record,
				  struct cd_error *error)
{
	return capture->format->next(capture, record, error);
}

/*
 * A short way past many records: how many of the next ones, at most `most`,
 * are as `burst` says, up to the first that is not, or that only
 * cd_capture_next() can read. 0 proves nothing. Fills their times (spans since
 * base_s) and where they are; nothing is consumed before cd_capture_take(),
 * which takes the first n of them as if cd_capture_next() had been called n
 * times. caplen > 0.
 */
static inline size_t cd_capture_burst(const struct cd_capture *capture,
				      struct cd_burst *burst, int64_t *time_ps,
				      size_t most)
{
	return capture->format->burst(capture, burst, time_ps, most);
}

static inline void cd_capture_take(struct cd_capture *capture,
				   const struct cd_burst *burst, size_t n)
{
	capture->input->cur += n * burst->stride;
	capture->packets += n;
	capture->bytes += (uint64_t)n * burst->caplen;
	capture->ifaces[burst->iface].packets += n;
}

/* A block of a pcapng file as it stands there. */
struct cd_raw {
	const uint8_t *bytes; /* borrowed until the next call */
	size_t n;	      /* up to the next block */
	uint32_t type;
	uint32_t length; /* as its head says: n, unless that was mended */
	bool little;
};

enum { CD_RAW_PACKET = 1, CD_RAW_OTHER = 2 };

/* Is it a pcapng file, no pcap file and no ring set? */
bool cd_capture_has_blocks(const struct cd_capture *capture);
/*
 * Instead of cd_capture_next(), from the begin of a pcapng file: the next block
 * of any type. CD_RAW_PACKET: `record` is filled as well, its data inside the
 * block; CD_RAW_OTHER; 0 and -1 as cd_capture_next().
 */
int cd_capture_next_block(struct cd_capture *capture, struct cd_record *record,
			  struct cd_raw *raw, struct cd_error *error);

/* Name of a LINKTYPE_ value as tcpdump -L prints it ("EN10MB"), or
 * "linktype-N" built in `text` (20 bytes suffice). */
const char *cd_linktype_name(uint32_t linktype, char *text, size_t size);

#endif
