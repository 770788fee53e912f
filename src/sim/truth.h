/*
 * What really happened: collected while the points write, judged afterwards
 * by the definitions of METRICS 1 and 2 (by a program of its own, which shares
 * nothing with the one it tests), written as truth.json.
 */
#ifndef CAPDIFF_SIM_TRUTH_H
#define CAPDIFF_SIM_TRUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/time.h"
#include "sim/packet.h"
#include "sim/scenario.h"

#define CD_COPIES_MAX 15 /* counted of one number */

/* One stream at one point. A slot is a number of the stream, 0 the first. */
struct cd_tally {
	uint64_t slots;
	uint8_t *copies;  /* half a byte each, captured with a good number */
	uint32_t *order;  /* slots in file order, if that is not their own */
	size_t n_order, order_capacity;
	uint32_t *corrupt; /* slots of records whose number is damaged */
	size_t n_corrupt, corrupt_capacity;
	uint64_t records;  /* with the corrupt ones */
	uint64_t cut_head, cut_tail; /* came before the start, after the end */
};

struct cd_point_truth {
	struct cd_tally *tallies; /* by stream */
	bool keeps_order;
	uint64_t records;
	struct cd_instant first, last, previous;
	uint64_t steps_back, equal;
	int64_t step_back_max_ps;
	uint64_t lost_on_way, ring_drops, buffer_drops;
	/* by step of the scenario: the first packet stamped after it */
	struct cd_packet *after_step;
	bool *has_after_step;
};

struct cd_truth {
	const struct cd_scenario *scenario;
	struct cd_point_truth *points;
	/* by stream: first and last packet sent */
	uint64_t *sent;
	int64_t *first_ps, *last_ps;
};

int cd_truth_init(struct cd_truth *truth, const struct cd_scenario *scenario,
		  struct cd_error *error);
void cd_truth_release(struct cd_truth *truth);

void cd_truth_sent(struct cd_truth *truth, const struct cd_packet *packet);
/* `point` wrote it. */
int cd_truth_record(struct cd_truth *truth, size_t point,
		    const struct cd_packet *packet, struct cd_instant stamp,
		    bool corrupt, struct cd_error *error);
/* `point` took its stamp at true time `t_ps`. */
void cd_truth_stamped(struct cd_truth *truth, size_t point,
		      const struct cd_packet *packet, int64_t t_ps);

unsigned cd_tally_copies(const struct cd_tally *tally, uint64_t slot);

/* A point against the reference, in slots. */
struct cd_pair {
	bool overlap;
	uint64_t a, b; /* common interval */
	uint64_t expected, lost, ref_miss, both_miss;
	uint64_t head_excluded, tail_excluded; /* of the reference's numbers */
	uint64_t head_surplus, tail_surplus;   /* of the point's own */
	uint64_t runs, longest;
	uint64_t copies, excess, deficit;
	uint64_t reordered, extent_max;
	/* rising; runs of lost numbers as first slot and count */
	struct cd_range *lost_runs;
	size_t n_runs, runs_capacity;
	uint32_t *reordered_slots;
	size_t n_reordered, reordered_capacity;
};

int cd_pair_init(struct cd_pair *pair, const struct cd_truth *truth,
		 size_t reference, size_t point, size_t stream,
		 struct cd_error *error);
void cd_pair_release(struct cd_pair *pair);

/* truth.json at `path`. */
int cd_truth_write(const struct cd_truth *truth, const char *path,
		   struct cd_error *error);

#endif
