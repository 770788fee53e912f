/*
 * A scenario: what is sent, and who captures it. Text files of `key = value`
 * lines: global keys first, then [stream NAME] and [point NAME] sections. The
 * keys are the tables cd_global_keys[], cd_stream_keys[] and cd_point_keys[];
 * all times are ps since the scenario's start.
 */
#ifndef CAPDIFF_SIM_SCENARIO_H
#define CAPDIFF_SIM_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/time.h"
#include "sim/noise.h"
#include "sim/units.h"

#define CD_FOREVER INT64_MAX

/* Which packets something happens to: a share of them, alone or in runs, or
 * named ones (0-based positions in their stream). */
struct cd_range {
	uint64_t first, last;
};

struct cd_pick {
	uint64_t share;	   /* 10^-12 */
	uint64_t burst;	   /* mean length of runs; 0: independent */
	struct cd_range *ranges; /* rising */
	size_t n_ranges, capacity;
	uint64_t by;	   /* displaced by so many packets */
	int64_t after_ps;  /* how much later the copy comes */
};

/* [at, at + length), again every `every` (0: once). */
struct cd_window {
	int64_t at_ps, length_ps, every_ps;
};

struct cd_windows {
	struct cd_window *items;
	size_t n, capacity;
};

struct cd_step {
	int64_t at_ps, size_ps;
	int64_t rate; /* 10^-12, slews only */
};

struct cd_steps {
	struct cd_step *items;
	size_t n, capacity;
};

/* One stamp put off its true time: "the early outlier". */
struct cd_glitch {
	uint64_t index;
	int64_t by_ps;
};

struct cd_glitches {
	struct cd_glitch *items;
	size_t n, capacity;
};

#define CD_SIZES_MAX 16

/* Frame lengths on the wire, with FCS, drawn by weight. */
struct cd_sizes {
	uint32_t bytes[CD_SIZES_MAX], weight[CD_SIZES_MAX];
	size_t n;
};

struct cd_restarts {
	uint64_t *items; /* rising packet positions */
	size_t n, capacity;
};

struct cd_endpoint {
	uint8_t address[16];
	uint16_t port;
	bool has_port, v6;
};

enum cd_arrivals { CD_ARRIVALS_CONSTANT, CD_ARRIVALS_POISSON,
		   CD_ARRIVALS_BURSTS };
enum cd_fill { CD_FILL_ZERO, CD_FILL_PATTERN, CD_FILL_RANDOM };
enum cd_place { CD_PLACE_FRAME, CD_PLACE_L3, CD_PLACE_L4, CD_PLACE_UDP,
		CD_PLACE_END };

struct cd_stamper; /* stamper.h */

struct cd_stream_spec {
	char *name;
	const struct cd_stamper *stamp;
	uint64_t packets;
	/* numbers */
	uint64_t first;
	bool has_first;
	int64_t step;
	uint64_t repeat;
	struct cd_restarts restarts;
	struct cd_pick skip;
	uint32_t flow;
	bool has_flow;
	/* the field stamp: where, how wide, which end first */
	int place;
	int32_t at;
	uint64_t width;
	bool little;
	/* when: one of rate, spacing, load */
	uint64_t rate_mpps;
	int64_t spacing_ps;
	uint64_t load; /* of the link at L1, 10^-12 */
	int arrivals;
	uint64_t burst;
	struct cd_noises jitter;
	int64_t begin_ps;
	/* what */
	struct cd_sizes sizes;
	struct cd_endpoint source, destination;
	uint64_t protocol; /* IP protocol; 0: the stamp's own */
	uint64_t vlan;	   /* 0: none */
	uint64_t ttl;
	int fill;
	bool reverse; /* destination to source, on the link's other direction */
	bool ip_id;   /* a counter; else 0 */
	struct cd_noises tx_early;
	int64_t tx_offset_ps, tx_ppm;
};

enum cd_coalescing { CD_COALESCE_NONE, CD_COALESCE_TIMER,
		     CD_COALESCE_ONESHOT };
enum cd_fcs { CD_FCS_ABSENT, CD_FCS_PRESENT, CD_FCS_DECLARED };
enum cd_monotonic { CD_MONOTONIC_NO, CD_MONOTONIC_CLAMP, CD_MONOTONIC_BUMP };
enum cd_tagging { CD_TAG_KEEP, CD_TAG_STRIP, CD_TAG_ADD };
enum cd_counting { CD_COUNTS_NONE, CD_COUNTS_HONEST, CD_COUNTS_SAID };

struct cd_point_spec {
	char *name;
	/* the file */
	bool pcap, gzip, big_endian;
	struct cd_resolution resolution;
	uint64_t snaplen; /* 0: no limit */
	int fcs;
	int tagging;
	uint64_t tag;
	int64_t tsoffset_s;
	char *hardware, *os, *application;
	int counting;
	uint64_t drops_said;
	bool run_times, drop_counts;
	/* what comes by and is let through */
	int64_t delay_ps;
	bool edge_end;
	int64_t start_ps, stop_ps;
	uint64_t head, tail;
	char *ignore; /* a stream's name */
	struct cd_pick loss, late, corrupt, duplicate, swap;
	uint64_t queues, queue_block;
	/* interface card to kernel, where software stamps are taken */
	bool hardware_stamps;
	int coalescing;
	int64_t period_ps, phase_ps, cost_ps;
	uint64_t frames; /* 0: no limit to a batch */
	uint64_t ring;	 /* 0: no limit */
	struct cd_windows stalls;
	/* kernel to file */
	uint64_t buffer; /* 0: no limit */
	uint64_t drain_mpps;
	struct cd_windows pauses;
	/* the clock */
	int64_t epoch_s; /* shown at time 0; the scenario's if not has_epoch */
	bool has_epoch;
	int64_t offset_ps, ppm;
	struct cd_steps steps, slews;
	int64_t wander_ps, wander_period_ps;
	int64_t tick_num_ps, tick_den; /* tick = num / den ps; 0: none */
	bool through_double;
	struct cd_noises noise;
	struct cd_glitches glitches;
	int monotonic;
};

struct cd_scenario {
	char *name;
	char *about;
	uint64_t seed;
	int64_t epoch_s;
	uint64_t link_bps;
	struct cd_stream_spec *streams;
	size_t n_streams, streams_capacity;
	struct cd_point_spec *points;
	size_t n_points, points_capacity;
};

/*
 * Parse `text`; `file` is for messages. Then cd_scenario_set() as often as
 * wanted, then cd_scenario_check(). Errors are CD_E_USAGE and name the line.
 * Release also after an error.
 */
int cd_scenario_parse(struct cd_scenario *scenario, const char *name,
		      const char *text, const char *file,
		      struct cd_error *error);
/*
 * "NAME.key=value" for the stream or point of that name, "stream.key=value"
 * and "point.key=value" for all, "key=value" for a global key or, failing
 * that, every stream. Replaces what the scenario said.
 */
int cd_scenario_set(struct cd_scenario *scenario, const char *assignment,
		    struct cd_error *error);
/* Fill in what depends on other keys and refuse what cannot be. */
int cd_scenario_check(struct cd_scenario *scenario, struct cd_error *error);
void cd_scenario_release(struct cd_scenario *scenario);

/* One line of the tables. */
struct cd_key {
	const char *name;
	const char *values; /* for people: "DURATION", "yes|no" */
	const char *about;
	/* Parse `value` into `section` (a spec or the scenario). */
	int (*parse)(const struct cd_key *key, const char *value,
		     void *section, struct cd_error *error);
	size_t offset;
	bool list;		    /* every line adds; "none" empties it */
	const char *const *choices; /* the words of `values` */
	uint64_t limit;		    /* counts: the largest; 0: none */
};

extern const struct cd_key cd_global_keys[], cd_stream_keys[],
    cd_point_keys[]; /* end with a NULL name */

#endif
