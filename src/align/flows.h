/*
 * The streams of one capture while it is read: from stamped packets to tracks.
 */
#ifndef CAPDIFF_ALIGN_FLOWS_H
#define CAPDIFF_ALIGN_FLOWS_H

#include "align/identity.h"
#include "align/point.h"
#include "align/shape.h"
#include "align/times.h"
#include "align/unwrap.h"
#include "frame/frame.h"
#include "stamp/stamp.h"

/* Every so many numbers the identity of a packet is kept. */
#define CD_IDENTITY_EVERY 64

/* An identity whose number is not unwrapped yet. */
struct cd_pending_identity {
	uint64_t number; /* of its frame */
	struct cd_identity identity;
};

/* One stream under construction. */
struct cd_flow {
	struct cd_stream stream;
	/* What nearly every packet is compared with. */
	uint32_t src, dst, ports; /* of IPv4, as is_of() reads them */
	struct cd_shape shape;
	int64_t before_ps;	  /* time of its packet before; INT64_MAX if
				     that has none */
	uint64_t no_delta;	  /* packets without such a neighbour */
	struct cd_unwrap *unwrap;
	struct cd_track *track; /* of the current epoch, NULL: no packet yet */
	size_t epochs_capacity;
	bool anonymous;		/* no packet told its flow id yet */
	struct cd_pending_identity *pending;
	size_t pending_at, n_pending, pending_capacity;
};

struct cd_flows {
	struct cd_stamp_spec spec; /* format NULL: one stream of all packets */
	const struct cd_times *times; /* for the unit of tracks */
	struct cd_number_place place;
	unsigned bits;
	uint64_t step; /* magnitude */
	struct cd_flow *last;
	struct cd_flow **flows; /* by first appearance */
	size_t n, capacity;
	uint32_t *table; /* open addressing: index + 1, 0 free */
	size_t table_size; /* a power of two, or 0 */
};

/* A packet: what its track keeps (seq still to be found) and where that came
 * from. */
struct cd_packet {
	struct cd_track_row row;
	const struct cd_frame *frame;
};

void cd_flows_init(struct cd_flows *flows, const struct cd_stamp_spec *spec,
		   const struct cd_times *times);
void cd_flows_release(struct cd_flows *flows);

/* All return 0, or -1 without memory. */
int cd_flows_add(struct cd_flows *flows, struct cd_packet *packet,
		 const struct cd_stamp *stamp);
/* A packet whose number was not captured, or which is no data. */
int cd_flows_add_cut(struct cd_flows *flows, const struct cd_packet *packet);
int cd_flows_add_control(struct cd_flows *flows,
			 const struct cd_packet *packet);
/* Without a stamp: row.seq is given. */
int cd_flows_add_plain(struct cd_flows *flows, const struct cd_packet *packet);

/* No more packets: hand the streams over to the point. What turned out to be
 * control traffic of no stream is counted as other traffic. */
int cd_flows_finish(struct cd_flows *flows, struct cd_point *point);

#endif
