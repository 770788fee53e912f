/*
 * A capture point: everything kept of one capture after it was read once.
 */
#ifndef CAPDIFF_ALIGN_POINT_H
#define CAPDIFF_ALIGN_POINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "align/intervals.h"
#include "align/track.h"
#include "base/error.h"
#include "base/str.h"
#include "base/time.h"
#include "capture/capture.h"
#include "capture/set.h"
#include "stamp/stamp.h"

#define CD_POINTS_MAX 64

/* Who a stream is: addresses, ports and the stamp's own flow id. Unused parts
 * are zero, so that memcmp compares. */
struct cd_stream_key {
	uint8_t src[16], dst[16];
	uint32_t flow;
	uint16_t src_port, dst_port; /* ICMP: 0, type << 8 | code */
	uint8_t address_bytes;	     /* 4, 16; 0: not IP */
	uint8_t protocol;
	uint8_t zero[2];
};

/* One stream in one capture. */
struct cd_stream {
	struct cd_stream_key key;
	struct cd_track **epochs; /* at least one; a restart begins a new one */
	size_t n_epochs;
	uint64_t packets;	  /* stamped, all epochs, with copies */
	uint64_t cut;		  /* number beyond the snaplen */
	uint64_t control;	  /* handshake, FIN, warm-up */
	uint64_t strays;
	uint64_t invalid_times;
	/* file order, neighbours with valid times, epochs joined */
	uint64_t deltas;
	uint64_t steps_back, equal;
	int64_t step_back_max_ps; /* >= 0 */
	/* payload bytes of the first packet, and whether all have as many */
	uint32_t payload_bytes, frame_bytes;
	bool one_size;
	uint32_t frame_bytes_max;
	uint64_t offload;	  /* frames larger than any MTU or IP length 0 */
	uint64_t fragments;
	/* CD_ENCAP_* of any of its packets, and of all; how many have some, an
	 * FCS in the file, bytes behind IP (padding or a trailer) */
	uint16_t encaps_any, encaps_all;
	uint64_t encapsulated, fcs, padded;
	bool wrap_ambiguous;
	uint64_t doubtful; /* copies, or sent by a generator that restarted */
	int64_t first_ps, last_ps; /* smallest and largest valid time */
};

struct cd_point {
	/* given by the caller */
	const char *path;
	const char *label;
	/* A ring set: its files in order; `path` is what to call them. NULL:
	 * the file `path`. */
	const char *const *paths;
	size_t n_paths;
	bool has_iface;	     /* only packets of interface `only_iface` */
	uint32_t only_iface;
	int64_t ts_unit_ps;  /* --ts-unit: what the fraction of a second
				counts, 0: what the file says */

	/* the file */
	const char *format;
	enum cd_compression compression;
	bool regular;
	/* Records and captured bytes of the capture point: of its interface,
	 * after -f, at most -c many. All else below is of these, too. */
	uint64_t packets, bytes;
	uint64_t filtered;	     /* records that -f left out */
	uint64_t wire_bytes;	     /* sum of origlen */
	struct cd_iface *ifaces;     /* taken over from the capture */
	size_t n_ifaces;
	char *hardware, *os, *application, *comment;
	uint64_t comments;
	int32_t thiszone;
	/* fault != CD_OK: cut short or damaged; of a ring set the first file
	 * that is, all others are read */
	struct cd_error stop;
	struct cd_member *members; /* of a ring set, else NULL */
	size_t n_members;

	struct cd_instant base;	     /* span 0 of every track */
	bool has_times;
	/* Smallest and largest valid time of any traffic, also of what -f left
	 * out; 0 without. */
	int64_t first_ps, last_ps;
	/* neighbours in the file with valid times, whatever they are */
	uint64_t deltas, steps_back, equal;
	int64_t step_back_max_ps; /* >= 0 */
	uint64_t no_time, bad_fraction, out_of_range, zero_time;
	int64_t unit_ps;	     /* finest tick of its interfaces */

	/* frames */
	uint64_t not_ip, cut_headers, bad_headers, link_unknown, fcs_frames;
	uint64_t drops_in_records;   /* sum of epb_dropcount */
	bool has_drops;
	uint64_t unparsed;	     /* no stamp: other traffic */

	struct cd_stream *streams;   /* by first appearance */
	size_t n_streams;
	bool numbered;		     /* false: stamp `none`, seq = row */
	struct cd_intervals intervals; /* if they were asked for */
};

void cd_point_release(struct cd_point *point);
/* The stream with this key, or NULL. */
const struct cd_stream *cd_point_stream(const struct cd_point *point,
					const struct cd_stream_key *key);
/* "UDP 10.0.0.1:9 > 10.0.0.2:9, flow 3", "ICMPv6 ::1 > ::1 echo request, id
 * 17553", IPv6 in brackets before a port; "all packets" if they are not IP. */
void cd_stream_describe(const struct cd_stream_key *key, struct cd_str *out);

#endif
