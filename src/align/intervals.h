/*
 * A capture cut into intervals while it is read, packet by packet, whether it
 * has a number or not: every N packets, or every so much time since its first
 * packet.
 */
#ifndef CAPDIFF_ALIGN_INTERVALS_H
#define CAPDIFF_ALIGN_INTERVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More are not kept: too_many. */
#define CD_INTERVALS_MAX 100000

struct cd_interval_row {
	uint64_t packets;
	uint64_t captured_bytes;
	uint64_t l2_bytes;    /* on the wire, with FCS, at least 64 a frame */
	uint64_t drops;	      /* told in the packets' own records */
	uint64_t first_frame; /* 0: no packet */
	int64_t first_ps, last_ps; /* smallest and largest time, or NONE */
};

/* From this frame on, packets that no time puts elsewhere are in this row. */
struct cd_interval_turn {
	uint64_t frame;
	size_t row;
};

/* By packets if `every` > 0, by time if `span_ps` > 0; else off. */
struct cd_intervals {
	uint64_t every;
	int64_t span_ps;
	int fcs_bytes; /* that the files hold, -1: none */
	/* filled */
	struct cd_interval_row *rows;
	size_t n, capacity;
	uint64_t packets;
	bool started, too_many;
	int64_t start_ps; /* the first valid time; rows count from it */
	size_t last;	  /* row of the packet before */
	struct cd_interval_turn *turns;
	size_t n_turns, turns_capacity;
};

/* A packet, as it is in the file. */
struct cd_interval_packet {
	int64_t time_ps; /* CD_TIME_NONE: goes with the packet before */
	uint64_t frame;
	uint32_t caplen, length; /* captured; on the wire, without FCS */
	uint64_t drops;
};

static inline bool cd_intervals_wanted(const struct cd_intervals *i)
{
	return i->every > 0 || i->span_ps > 0;
}

/* 0 or -1 (no memory). Frame numbers rise; times before the first are of the
 * first row. */
int cd_intervals_add(struct cd_intervals *intervals,
		     const struct cd_interval_packet *packet);
void cd_intervals_release(struct cd_intervals *intervals);

/* The row that an added packet of this frame number and time is counted in. */
size_t cd_intervals_row(const struct cd_intervals *intervals, uint64_t frame,
			int64_t time_ps);

/* Bytes of a frame on the wire with FCS, from its length in the file. */
static inline uint32_t cd_frame_wire_bytes(uint32_t length, int fcs_bytes)
{
	int64_t bytes = (int64_t)length + 4 - (fcs_bytes < 0 ? 0 : fcs_bytes);

	return bytes < 64 ? 64 : (uint32_t)bytes;
}

#endif
