/* truth.json; the manual page describes its members. */
#include <stdlib.h>

#include "sim/build.h"
#include "sim/clock.h"
#include "sim/json.h"
#include "sim/point.h"
#include "sim/stamper.h"
#include "sim/truth.h"
#include "sim/units.h"

static void put_time(struct cd_json *j, const char *name, struct cd_instant t)
{
	char text[CD_ISO_SIZE];

	cd_json_text(j, name, cd_instant_iso(t, 12, text, sizeof(text)));
}

/* The ID of a slot as a reader unwraps it; *epoch counts restarts. */
static int64_t id_of(const struct cd_stream_spec *stream, uint64_t slot,
		     uint32_t *epoch)
{
	return cd_build_id(stream, slot * stream->repeat, epoch);
}

/* [id], [id, n] or, in a stream that restarts, with the epoch behind. */
static void put_slot(struct cd_json *j, const struct cd_stream_spec *stream,
		     uint64_t slot, bool has_count, uint64_t count)
{
	uint32_t epoch;
	int64_t v[3];
	unsigned n = 0;

	v[n++] = id_of(stream, slot, &epoch);
	if (has_count)
		v[n++] = (int64_t)count;
	if (stream->restarts.n > 0)
		v[n++] = epoch;
	if (n == 1)
		cd_json_i64(j, NULL, v[0]);
	else
		cd_json_tuple(j, v, n);
}

static void put_stream(struct cd_json *j, const struct cd_truth *truth,
		       size_t i)
{
	const struct cd_stream_spec *s = &truth->scenario->streams[i];

	cd_json_begin(j, NULL, '{');
	cd_json_text(j, "name", s->name);
	cd_json_text(j, "stamp", s->stamp->name);
	cd_json_u64(j, "bits", cd_stamper_bits(s));
	cd_json_u64(j, "first", s->first);
	cd_json_i64(j, "step", s->step);
	cd_json_u64(j, "flow", s->flow);
	cd_json_u64(j, "protocol", s->protocol);
	cd_json_u64(j, "sent", truth->sent[i]);
	cd_json_u64(j, "skipped", s->packets - truth->sent[i]);
	cd_json_u64(j, "repeat", s->repeat);
	cd_json_begin(j, "restarts", '[');
	for (size_t k = 0; k < s->restarts.n; k++)
		cd_json_u64(j, NULL, s->restarts.items[k]);
	cd_json_end(j, ']');
	cd_json_i64(j, "first_ps", truth->first_ps[i]);
	cd_json_i64(j, "last_ps", truth->last_ps[i]);
	cd_json_end(j, '}');
}

static void put_steps(struct cd_json *j, const struct cd_truth *truth,
		      size_t i)
{
	const struct cd_point_truth *p = &truth->points[i];
	const struct cd_steps *steps = &truth->scenario->points[i].steps;

	cd_json_begin(j, "steps", '[');
	for (size_t k = 0; k < steps->n; k++) {
		const struct cd_packet *packet = &p->after_step[k];
		const struct cd_stream_spec *s =
		    &truth->scenario->streams[packet->stream];
		uint32_t epoch;

		cd_json_begin(j, NULL, '{');
		cd_json_i64(j, "at_ps", steps->items[k].at_ps);
		cd_json_i64(j, "size_ps", steps->items[k].size_ps);
		if (p->has_after_step[k]) {
			cd_json_text(j, "stream", s->name);
			cd_json_i64(j, "first_id",
				    cd_build_id(s, packet->index, &epoch));
		} else {
			cd_json_null(j, "first_id");
		}
		cd_json_end(j, '}');
	}
	cd_json_end(j, ']');
}

static void put_slews(struct cd_json *j, const struct cd_steps *slews)
{
	cd_json_begin(j, "slews", '[');
	for (size_t k = 0; k < slews->n; k++) {
		cd_json_begin(j, NULL, '{');
		cd_json_i64(j, "at_ps", slews->items[k].at_ps);
		cd_json_i64(j, "size_ps", slews->items[k].size_ps);
		cd_json_ppm(j, "rate_ppm", slews->items[k].rate);
		cd_json_end(j, '}');
	}
	cd_json_end(j, ']');
}

static void put_noise(struct cd_json *j, const struct cd_noises *noises)
{
	cd_json_begin(j, "noise", '[');
	for (size_t k = 0; k < noises->n; k++) {
		const struct cd_noise *noise = &noises->items[k];

		cd_json_begin(j, NULL, '{');
		cd_json_text(j, "kind", cd_noise_names[noise->kind]);
		cd_json_i64(j, "scale_ps", noise->scale_ps);
		if (noise->kind == CD_NOISE_PARETO)
			cd_json_u64(j, "shape_millionths", noise->shape);
		cd_json_ppm(j, "share_ppm", (int64_t)noise->share);
		cd_json_end(j, '}');
	}
	cd_json_end(j, ']');
}

static void put_clock(struct cd_json *j, const struct cd_truth *truth,
		      size_t i)
{
	const struct cd_point_spec *spec = &truth->scenario->points[i];

	cd_json_begin(j, "clock", '{');
	cd_json_i64(j, "epoch_s", spec->epoch_s);
	cd_json_i64(j, "offset_ps", spec->offset_ps);
	cd_json_ppm(j, "ppm", spec->ppm);
	cd_json_i64(j, "wander_ps", spec->wander_ps);
	cd_json_i64(j, "wander_period_ps", spec->wander_period_ps);
	cd_json_i64(j, "tick_num_ps", spec->tick_num_ps);
	cd_json_i64(j, "tick_den", spec->tick_den);
	cd_json_bool(j, "through_double", spec->through_double);
	cd_json_i64(j, "resolution_ps", cd_resolution_ps(spec->resolution));
	put_steps(j, truth, i);
	put_slews(j, &spec->slews);
	put_noise(j, &spec->noise);
	cd_json_end(j, '}');
}

static void put_card(struct cd_json *j, const struct cd_point_spec *spec)
{
	static const char *const names[] = {"none", "timer", "oneshot"};

	cd_json_begin(j, "card", '{');
	cd_json_text(j, "stamps",
		     spec->hardware_stamps ? "hardware" : "software");
	cd_json_text(j, "coalesce", names[spec->coalescing]);
	cd_json_i64(j, "period_ps", spec->period_ps);
	cd_json_i64(j, "phase_ps", spec->phase_ps);
	cd_json_u64(j, "frames", spec->frames);
	cd_json_i64(j, "cost_ps", spec->cost_ps);
	cd_json_u64(j, "ring", spec->ring);
	cd_json_u64(j, "buffer", spec->buffer);
	cd_json_end(j, '}');
}

static void put_drops(struct cd_json *j, const struct cd_point_truth *p,
		      const struct cd_point_spec *spec)
{
	cd_json_begin(j, "drops", '{');
	cd_json_u64(j, "on_the_way", p->lost_on_way);
	cd_json_u64(j, "ring", p->ring_drops);
	cd_json_u64(j, "buffer", p->buffer_drops);
	if (spec->pcap || spec->counting == CD_COUNTS_NONE)
		cd_json_null(j, "reported");
	else if (spec->counting == CD_COUNTS_SAID)
		cd_json_u64(j, "reported", spec->drops_said);
	else
		cd_json_u64(j, "reported", p->ring_drops + p->buffer_drops);
	cd_json_end(j, '}');
}

static void put_counts(struct cd_json *j, const struct cd_pair *pair)
{
	cd_json_u64(j, "expected", pair->expected);
	cd_json_u64(j, "lost", pair->lost);
	cd_json_u64(j, "runs", pair->runs);
	cd_json_u64(j, "longest", pair->longest);
	cd_json_u64(j, "ref_miss", pair->ref_miss);
	cd_json_u64(j, "both_miss", pair->both_miss);
	cd_json_u64(j, "head_excluded", pair->head_excluded);
	cd_json_u64(j, "tail_excluded", pair->tail_excluded);
	cd_json_u64(j, "head_surplus", pair->head_surplus);
	cd_json_u64(j, "tail_surplus", pair->tail_surplus);
	cd_json_u64(j, "copies", pair->copies);
	cd_json_u64(j, "excess", pair->excess);
	cd_json_u64(j, "deficit", pair->deficit);
	cd_json_u64(j, "reordered", pair->reordered);
	cd_json_u64(j, "extent_max", pair->extent_max);
}

static void put_lists(struct cd_json *j, const struct cd_pair *pair,
		      const struct cd_tally *tally,
		      const struct cd_stream_spec *stream)
{
	cd_json_begin(j, "lost_runs", '[');
	for (size_t k = 0; k < pair->n_runs; k++)
		put_slot(j, stream, pair->lost_runs[k].first, true,
			 pair->lost_runs[k].last);
	cd_json_end(j, ']');
	cd_json_begin(j, "duplicated", '[');
	for (uint64_t slot = 0; slot < tally->slots; slot++)
		if (cd_tally_copies(tally, slot) > 1)
			put_slot(j, stream, slot, true,
				 cd_tally_copies(tally, slot));
	cd_json_end(j, ']');
	cd_json_begin(j, "reordered_ids", '[');
	for (size_t k = 0; k < pair->n_reordered; k++)
		put_slot(j, stream, pair->reordered_slots[k], false, 0);
	cd_json_end(j, ']');
	cd_json_begin(j, "corrupt_ids", '[');
	for (size_t k = 0; k < tally->n_corrupt; k++)
		put_slot(j, stream, tally->corrupt[k], false, 0);
	cd_json_end(j, ']');
}

/* One stream at one point, against the first point. */
static int put_pair(struct cd_json *j, const struct cd_truth *truth, size_t i,
		    size_t s, struct cd_error *error)
{
	const struct cd_stream_spec *stream = &truth->scenario->streams[s];
	const struct cd_tally *tally = &truth->points[i].tallies[s];
	struct cd_pair pair;

	if (cd_pair_init(&pair, truth, 0, i, s, error)) {
		cd_pair_release(&pair);
		return -1;
	}
	cd_json_begin(j, NULL, '{');
	cd_json_text(j, "name", stream->name);
	cd_json_u64(j, "records", tally->records);
	cd_json_u64(j, "corrupt", tally->n_corrupt);
	cd_json_u64(j, "cut_head", tally->cut_head);
	cd_json_u64(j, "cut_tail", tally->cut_tail);
	cd_json_begin(j, "common", '[');
	if (pair.overlap) {
		put_slot(j, stream, pair.a, false, 0);
		put_slot(j, stream, pair.b, false, 0);
	}
	cd_json_end(j, ']');
	put_counts(j, &pair);
	put_lists(j, &pair, tally, stream);
	cd_json_end(j, '}');
	cd_pair_release(&pair);
	return 0;
}

/* (1 + y) / (1 + y_reference) - 1, floored to 10^-12. */
static int64_t relative_ppm(const struct cd_scenario *scenario, size_t i)
{
	int64_t one = (int64_t)CD_SHARE_ONE;
	__int128 mine = scenario->points[i].ppm + one;
	__int128 reference = scenario->points[0].ppm + one;
	__int128 ratio = mine * one / reference;

	return (int64_t)ratio - one;
}

/* At the first packet of the first stream; null if it is beyond 106 days. */
static void put_offset(struct cd_json *j, const struct cd_truth *truth,
		       size_t i)
{
	const struct cd_point_spec *points = truth->scenario->points;
	struct cd_instant zero = {.s = points[0].epoch_s};
	struct cd_instant mine = {.s = points[i].epoch_s};
	int64_t t_ps = truth->first_ps[0];
	struct cd_span offset;

	mine = cd_instant_add(
	    mine, (struct cd_span){cd_clock_ahead(&points[i], t_ps)});
	zero = cd_instant_add(
	    zero, (struct cd_span){cd_clock_ahead(&points[0], t_ps)});
	if (cd_instant_diff(mine, zero, &offset))
		cd_json_i64(j, "offset_ps", offset.ps);
	else
		cd_json_null(j, "offset_ps");
}

static int put_point(struct cd_json *j, const struct cd_truth *truth, size_t i,
		     struct cd_error *error)
{
	const struct cd_scenario *scenario = truth->scenario;
	const struct cd_point_spec *spec = &scenario->points[i];
	const struct cd_point_truth *p = &truth->points[i];
	char *file = cd_point_file_name(spec);
	int status = 0;

	if (file == NULL)
		return cd_error_memory(error);
	cd_json_begin(j, NULL, '{');
	cd_json_text(j, "name", spec->name);
	cd_json_text(j, "file", file);
	free(file);
	cd_json_u64(j, "records", p->records);
	if (p->records > 0) {
		put_time(j, "first", p->first);
		put_time(j, "last", p->last);
	}
	cd_json_u64(j, "steps_back", p->steps_back);
	cd_json_i64(j, "step_back_max_ps", p->step_back_max_ps);
	cd_json_u64(j, "equal", p->equal);
	cd_json_ppm(j, "drift_ppm", relative_ppm(scenario, i));
	put_offset(j, truth, i);
	put_clock(j, truth, i);
	put_card(j, spec);
	put_drops(j, p, spec);
	cd_json_begin(j, "streams", '[');
	for (size_t s = 0; s < scenario->n_streams && status == 0; s++)
		status = put_pair(j, truth, i, s, error);
	cd_json_end(j, ']');
	cd_json_end(j, '}');
	return status;
}

int cd_truth_write(const struct cd_truth *truth, const char *path,
		   struct cd_error *error)
{
	const struct cd_scenario *scenario = truth->scenario;
	struct cd_json *j = cd_json_open(path, error);
	int status = 0;

	if (j == NULL)
		return -1;
	cd_json_begin(j, NULL, '{');
	cd_json_text(j, "schema", "capsim-truth/1");
	cd_json_text(j, "scenario", scenario->name);
	cd_json_u64(j, "seed", scenario->seed);
	put_time(j, "epoch", (struct cd_instant){.s = scenario->epoch_s});
	cd_json_u64(j, "link_bps", scenario->link_bps);
	cd_json_begin(j, "streams", '[');
	for (size_t i = 0; i < scenario->n_streams; i++)
		put_stream(j, truth, i);
	cd_json_end(j, ']');
	cd_json_begin(j, "points", '[');
	for (size_t i = 0; i < scenario->n_points && status == 0; i++)
		status = put_point(j, truth, i, error);
	cd_json_end(j, ']');
	cd_json_end(j, '}');
	return cd_json_close(j, error) || status ? -1 : 0;
}
