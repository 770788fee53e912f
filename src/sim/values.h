/* The values of scenario keys: one parser per kind (struct cd_key.parse). */
#ifndef CAPDIFF_SIM_VALUES_H
#define CAPDIFF_SIM_VALUES_H

#include "sim/scenario.h"

typedef int cd_value_parser(const struct cd_key *key, const char *value,
			    void *section, struct cd_error *error);

/* Bounds that keep every sum of times inside 106 days of ps. */
#define CD_LENGTH_MAX_PS (INT64_C(1000) * CD_PS_PER_S)
#define CD_OFFSET_MAX_PS (INT64_C(20) * 86400 * CD_PS_PER_S)
#define CD_TIME_MAX_PS (INT64_C(100) * 86400 * CD_PS_PER_S)
#define CD_PPM_MAX INT64_C(100000000000) /* 100,000 ppm */
#define CD_LIST_MAX 256

/* A duration between `least` and `most`. */
int cd_values_span(const char *text, int64_t least, int64_t most, int64_t *ps,
		   struct cd_error *error);

/* Into the member at key->offset. */
cd_value_parser cd_value_offset; /* int64_t ps, either sign */
cd_value_parser cd_value_length; /* int64_t ps, up to 1000 s */
cd_value_parser cd_value_time;	 /* int64_t ps, up to 100 days */
cd_value_parser cd_value_count;	 /* uint64_t up to key->limit */
cd_value_parser cd_value_seconds; /* int64_t, whole seconds, any sign */
cd_value_parser cd_value_rate;	 /* uint64_t mpps, not 0 */
cd_value_parser cd_value_bits;	 /* uint64_t b/s, not 0 */
cd_value_parser cd_value_ppm;	 /* int64_t 10^-12 */
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
cd_value_parser cd_value_reading;  /* point: epoch, has_epoch */
cd_value_parser cd_value_tagging;  /* point: tagging, tag */
cd_value_parser cd_value_queues;   /* point: queues, queue_block */
cd_value_parser cd_value_counting; /* point: counting, drops_said */

void cd_pick_release(struct cd_pick *pick);

#endif
