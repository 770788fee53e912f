/* The values of scenario keys: one parser per kind (struct cd_key.parse). */
#ifndef CAPDIFF_SIM_VALUES_H
#define CAPDIFF_SIM_VALUES_H

#include "sim/scenario.h"

typedef int cd_value_parser(const struct cd_key *key, const char *value,
			    void *section, struct cd_error *error);

/* Into the member at key->offset. */
cd_value_parser cd_value_span;	 /* int64_t ps */
cd_value_parser cd_value_length; /* the same, not negative */
cd_value_parser cd_value_count;	 /* uint64_t up to key->limit */
cd_value_parser cd_value_seconds; /* int64_t, whole seconds, any sign */
cd_value_parser cd_value_rate;	 /* uint64_t mpps, not 0 */
cd_value_parser cd_value_bits;	 /* uint64_t b/s, not 0 */
cd_value_parser cd_value_ppm;	 /* int64_t 10^-12, below 1 */
cd_value_parser cd_value_yes;	 /* bool */
cd_value_parser cd_value_word;	 /* int: index into key->choices */
cd_value_parser cd_value_either; /* bool: the second of key->choices */
cd_value_parser cd_value_text;	 /* char *, owned */
cd_value_parser cd_value_resolution;
cd_value_parser cd_value_epoch;
cd_value_parser cd_value_pick;	 /* SHARE [burst N] | at N[-N],... */
cd_value_parser cd_value_pick_by;    /* with "by N" */
cd_value_parser cd_value_pick_after; /* with "after DURATION" */
cd_value_parser cd_value_noise;	 /* adds: KIND SCALE [SHAPE] [SHARE] */
cd_value_parser cd_value_window; /* adds: AT for LENGTH [every PERIOD] */
cd_value_parser cd_value_step;	 /* adds: SIZE at TIME */
cd_value_parser cd_value_slew;	 /* adds: SIZE at TIME by PPM */
cd_value_parser cd_value_glitch; /* adds: SIZE at PACKET */
cd_value_parser cd_value_sizes;	 /* N | imix | N:WEIGHT,... */
cd_value_parser cd_value_restarts; /* adds: packet positions */
cd_value_parser cd_value_endpoint; /* ADDRESS[:PORT] or [ADDRESS]:PORT */

/* Into several members of a spec. */
cd_value_parser cd_value_stamp;	   /* stream: stamp */
cd_value_parser cd_value_number;   /* stream: first, has_first */
cd_value_parser cd_value_step_size; /* stream: step, not 0 */
cd_value_parser cd_value_pace;	   /* stream: rate, spacing or load */
cd_value_parser cd_value_flow;	   /* stream: flow, has_flow */
cd_value_parser cd_value_place;	   /* stream: place, at */
cd_value_parser cd_value_coalesce; /* point: coalescing, period, phase */
cd_value_parser cd_value_wander;   /* point: wander, wander_period */
cd_value_parser cd_value_tick;	   /* point: tick_num, tick_den */
cd_value_parser cd_value_tagging;  /* point: tagging, tag */
cd_value_parser cd_value_queues;   /* point: queues, queue_block */
cd_value_parser cd_value_counting; /* point: counting, drops_said */

void cd_pick_release(struct cd_pick *pick);

#endif
