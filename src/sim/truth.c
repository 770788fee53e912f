#include "sim/truth.h"

#include <stdlib.h>

#include "base/array.h"

static int init_tally(struct cd_tally *tally,
		      const struct cd_stream_spec *stream)
{
	tally->slots = (stream->packets + stream->repeat - 1) / stream->repeat;
	tally->copies = calloc((tally->slots + 1) / 2, 1);
	return tally->copies == NULL ? -1 : 0;
}

static bool can_reorder(const struct cd_point_spec *point)
{
	return point->queues > 1 || point->late.share > 0 ||
	       point->late.n_ranges > 0 || point->swap.share > 0 ||
	       point->swap.n_ranges > 0;
}

static int init_point(struct cd_point_truth *truth,
		      const struct cd_scenario *scenario, size_t i)
{
	const struct cd_point_spec *point = &scenario->points[i];

	truth->keeps_order = can_reorder(point);
	truth->tallies = calloc(scenario->n_streams, sizeof(*truth->tallies));
	truth->after_step = calloc(point->steps.n + 1,
				   sizeof(*truth->after_step));
	truth->has_after_step = calloc(point->steps.n + 1,
				       sizeof(*truth->has_after_step));
	if (truth->tallies == NULL || truth->after_step == NULL ||
	    truth->has_after_step == NULL)
		return -1;
	for (size_t s = 0; s < scenario->n_streams; s++)
		if (init_tally(&truth->tallies[s], &scenario->streams[s]))
			return -1;
	return 0;
}

int cd_truth_init(struct cd_truth *truth, const struct cd_scenario *scenario,
		  struct cd_error *error)
{
	*truth = (struct cd_truth){.scenario = scenario};
	truth->points = calloc(scenario->n_points, sizeof(*truth->points));
	truth->sent = calloc(scenario->n_streams, sizeof(*truth->sent));
	truth->first_ps = calloc(scenario->n_streams, sizeof(int64_t));
	truth->last_ps = calloc(scenario->n_streams, sizeof(int64_t));
	if (truth->points == NULL || truth->sent == NULL ||
	    truth->first_ps == NULL || truth->last_ps == NULL)
		return cd_error_memory(error);
	for (size_t i = 0; i < scenario->n_points; i++)
		if (init_point(&truth->points[i], scenario, i))
			return cd_error_memory(error);
	return 0;
}

static void release_point(struct cd_point_truth *point, size_t n_streams)
{
	for (size_t i = 0; point->tallies != NULL && i < n_streams; i++) {
		free(point->tallies[i].copies);
		free(point->tallies[i].order);
		free(point->tallies[i].corrupt);
	}
	free(point->tallies);
	free(point->after_step);
	free(point->has_after_step);
}

void cd_truth_release(struct cd_truth *truth)
{
	for (size_t i = 0;
	     truth->points != NULL && i < truth->scenario->n_points; i++)
		release_point(&truth->points[i], truth->scenario->n_streams);
	free(truth->points);
	free(truth->sent);
	free(truth->first_ps);
	free(truth->last_ps);
	*truth = (struct cd_truth){0};
}

void cd_truth_sent(struct cd_truth *truth, const struct cd_packet *packet)
{
	uint32_t i = packet->stream;

	if (truth->sent[i]++ == 0)
		truth->first_ps[i] = packet->wire_ps;
	truth->last_ps[i] = packet->wire_ps;
}

unsigned cd_tally_copies(const struct cd_tally *tally, uint64_t slot)
{
	return tally->copies[slot / 2] >> (slot % 2 * 4) & 15;
}

static int count_slot(struct cd_point_truth *point, struct cd_tally *tally,
		      uint64_t slot)
{
	unsigned shift = slot % 2 * 4;

	if (cd_tally_copies(tally, slot) < CD_COPIES_MAX)
		tally->copies[slot / 2] =
		    (uint8_t)(tally->copies[slot / 2] + (1u << shift));
	if (!point->keeps_order)
		return 0;
	if (cd_grow(&tally->order, &tally->order_capacity,
		    tally->n_order + 1, sizeof(*tally->order)))
		return -1;
	tally->order[tally->n_order++] = (uint32_t)slot;
	return 0;
}

static int note_corrupt(struct cd_tally *tally, uint64_t slot)
{
	if (cd_grow(&tally->corrupt, &tally->corrupt_capacity,
		    tally->n_corrupt + 1, sizeof(*tally->corrupt)))
		return -1;
	tally->corrupt[tally->n_corrupt++] = (uint32_t)slot;
	return 0;
}

static void note_time(struct cd_point_truth *point, struct cd_instant stamp)
{
	struct cd_span back;
	int order;

	if (point->records++ == 0) {
		point->first = point->last = point->previous = stamp;
		return;
	}
	order = cd_instant_compare(stamp, point->previous);
	if (order == 0)
		point->equal++;
	if (order < 0) {
		point->steps_back++;
		cd_instant_diff(point->previous, stamp, &back);
		if (back.ps > point->step_back_max_ps)
			point->step_back_max_ps = back.ps;
	}
	if (cd_instant_compare(stamp, point->first) < 0)
		point->first = stamp;
	if (cd_instant_compare(stamp, point->last) > 0)
		point->last = stamp;
	point->previous = stamp;
}

int cd_truth_record(struct cd_truth *truth, size_t i,
		    const struct cd_packet *packet, struct cd_instant stamp,
		    bool corrupt, struct cd_error *error)
{
	struct cd_point_truth *point = &truth->points[i];
	struct cd_tally *tally = &point->tallies[packet->stream];
	uint64_t slot = packet->index /
			truth->scenario->streams[packet->stream].repeat;

	tally->records++;
	note_time(point, stamp);
	if (corrupt ? note_corrupt(tally, slot)
		    : count_slot(point, tally, slot))
		return cd_error_memory(error);
	return 0;
}

void cd_truth_stamped(struct cd_truth *truth, size_t i,
		      const struct cd_packet *packet, int64_t t_ps)
{
	struct cd_point_truth *point = &truth->points[i];
	const struct cd_steps *steps = &truth->scenario->points[i].steps;

	for (size_t k = 0; k < steps->n; k++) {
		if (point->has_after_step[k] || t_ps < steps->items[k].at_ps)
			continue;
		point->has_after_step[k] = true;
		point->after_step[k] = *packet;
	}
}
