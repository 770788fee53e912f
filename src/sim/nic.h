/*
 * Interface card and kernel: frames wait in a ring until an interrupt, which
 * is late on purpose (coalescing); then the kernel takes all that wait, one
 * after the other. Software time stamps are taken as it takes each.
 *
 * M1 of METRICS 3.7 is a free-running timer, M2 a timer from the first frame
 * that waits, M3 is M1 with a cost for each packet.
 */
#ifndef CAPDIFF_SIM_NIC_H
#define CAPDIFF_SIM_NIC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "sim/packet.h"
#include "sim/scenario.h"

struct cd_arrival {
	struct cd_packet packet;
	int64_t arrival_ps; /* at the card */
	int64_t service_ps; /* when the kernel takes it */
	uint64_t drops;	    /* lost by a full ring before it */
};

struct cd_nic {
	const struct cd_point_spec *point;
	struct cd_arrival *fifo; /* circular, capacity a power of two */
	size_t capacity, first, waiting;
	int64_t interrupt_ps;	 /* of the frames that wait */
	/* the batch being served: taken one by one, each `cost` long */
	int64_t batch_ps;
	uint64_t batch_left, batch_taken;
	int64_t idle_ps; /* when the kernel has done all it took so far */
	uint64_t dropped;
};

void cd_nic_init(struct cd_nic *nic, const struct cd_point_spec *point);
void cd_nic_release(struct cd_nic *nic);

/* The next frame that the kernel takes before `before_ps`; call until false,
 * then cd_nic_arrive() for the frame that arrives at that time. */
bool cd_nic_take(struct cd_nic *nic, int64_t before_ps,
		 struct cd_arrival *taken);
/* 1: it waits; 0: the ring is full, it is lost; -1: no memory. */
int cd_nic_arrive(struct cd_nic *nic, const struct cd_packet *packet,
		  int64_t arrival_ps, struct cd_error *error);

/* First time from `t_ps` on that is in none of the windows. */
int64_t cd_windows_after(const struct cd_windows *windows, int64_t t_ps);

#endif
