#include "metric/lanes.h"
#include "metric/metric.h"
#include "metric/order.h"
#include "metric/put.h"
#include "metric/words.h"

static void add_order(struct cd_disorder *sum, const struct cd_disorder *part)
{
	sum->arrivals += part->arrivals;
	sum->reordered_file += part->reordered_file;
	sum->reordered_time += part->reordered_time;
	sum->moves += part->moves;
	sum->moves_known &= part->moves_known;
	if (part->extent_max > sum->extent_max)
		sum->extent_max = part->extent_max;
	if (part->n_max > sum->n_max)
		sum->n_max = part->n_max;
	if (!part->has_late)
		return;
	if (!sum->has_late || part->late_max_ps > sum->late_max_ps)
		sum->late_max_ps = part->late_max_ps;
	sum->has_late = true;
}

static void put_order(const struct cd_place *place,
		      const struct cd_disorder *order)
{
	cd_put_n(
	    cd_put_count(place, "order.reordered_file", order->reordered_file),
	    order->arrivals);
	cd_put_n(
	    cd_put_count(place, "order.reordered_time", order->reordered_time),
	    order->arrivals);
	cd_put_count(place, "order.extent_max", order->extent_max);
	cd_put_count(place, "order.n_max", order->n_max);
	if (order->has_late)
		cd_put_span(place, "order.late_max_ns", order->late_max_ps);
	else
		cd_put_null(place, "order.late_max_ns",
			    order->reordered_file > 0 ? "no times"
						      : "nothing late");
	if (order->moves_known)
		cd_put_count(place, "order.moves", order->moves);
	else
		cd_put_null(place, "order.moves", "too far out of order");
}

/* In time but not in the file: the stamps are at fault. In the file but not in
 * time: its writer, which a sort can mend. */
static void say_order(struct cd_report *report, uint32_t point,
		      const struct cd_disorder *order)
{
	if (order->reordered_file == 0 && order->reordered_time > 0)
		cd_report_finding(
		    report, CD_WARNING, "stamps_out_of_order", (int)point,
		    "%s out of order by the time stamps but not in the file: "
		    "the stamps are at fault (several queues or processors, a "
		    "clock set back)",
		    cd_count_words(order->reordered_time, "packet").text);
	else if (order->reordered_time == 0 && order->reordered_file > 0)
		cd_report_finding(
		    report, CD_NOTE, "file_out_of_order", (int)point,
		    "%s out of order in the file but not by the time stamps: "
		    "the writer mixed them (reordercap mends that)",
		    cd_count_words(order->reordered_file, "packet").text);
}

/* One capture: sums of the stream under way and of all. */
struct sums {
	struct cd_analysis *analysis;
	uint32_t point, stream;
	struct cd_disorder all, one;
};

static void sums_init(struct sums *sums, struct cd_analysis *analysis,
		      uint32_t point)
{
	*sums = (struct sums){
	    .analysis = analysis,
	    .point = point,
	    .stream = CD_NO_STREAM,
	    .all = {.moves_known = true},
	};
}

static void close_stream(struct sums *sums)
{
	struct cd_place place = {sums->analysis->report, sums->point,
				 sums->stream};

	if (sums->stream == CD_NO_STREAM)
		return;
	add_order(&sums->all, &sums->one);
	if (sums->analysis->shown[sums->stream])
		put_order(&place, &sums->one);
}

static int add_task(struct sums *sums, uint32_t stream,
		    const struct cd_order_task *task)
{
	struct cd_disorder order;

	if (cd_order_measure(task, &order))
		return -1;
	if (stream != sums->stream) {
		close_stream(sums);
		sums->one = (struct cd_disorder){.moves_known = true};
		sums->stream = stream;
	}
	add_order(&sums->one, &order);
	return 0;
}

static void sums_put(struct sums *sums)
{
	struct cd_place place = {sums->analysis->report, sums->point,
				 CD_NO_STREAM};

	close_stream(sums);
	put_order(&place, &sums->all);
	say_order(sums->analysis->report, sums->point, &sums->all);
}

/* The reference by its own numbers, all of it. */
static int judge_reference(struct cd_analysis *analysis)
{
	size_t n = analysis->report->n_streams;
	const struct cd_stream **streams =
	    &analysis->streams[analysis->reference * n];
	struct sums sums;

	sums_init(&sums, analysis, analysis->reference);
	for (uint32_t id = 0; id < n; id++)
		for (size_t i = 0;
		     streams[id] != NULL && i < streams[id]->n_epochs; i++) {
			struct cd_order_task task = {
			    .dut = streams[id]->epochs[i],
			    .from = INT64_MIN,
			    .to = INT64_MAX,
			    .arrivals = cd_track_unique(streams[id]->epochs[i]),
			    .steps_back = streams[id]->steps_back > 0,
			};

			if (add_task(&sums, id, &task))
				return -1;
		}
	sums_put(&sums);
	return 0;
}

static int judge_pair(struct cd_analysis *analysis, const struct cd_pair *pair)
{
	struct sums sums;

	sums_init(&sums, analysis, pair->dut);
	for (size_t i = 0; i < pair->n_lanes; i++) {
		const struct cd_lane *lane = &pair->lanes[i];
		struct cd_order_task task = {
		    .ref = lane->ref,
		    .dut = lane->dut,
		    .from = lane->a,
		    .to = lane->b,
		    .arrivals = lane->dut_has,
		    .steps_back = lane->dut_stream != NULL &&
				  lane->dut_stream->steps_back > 0,
		};

		if (lane->common && add_task(&sums, lane->stream, &task))
			return -1;
	}
	sums_put(&sums);
	return 0;
}

static int run_order(struct cd_analysis *analysis, struct cd_error *error)
{
	int result = 0;

	if (analysis->points[analysis->reference].numbered)
		result = judge_reference(analysis);
	for (size_t i = 0; result == 0 && i < analysis->n_pairs; i++)
		if (!analysis->pairs[i].alone && analysis->pairs[i].numbered)
			result = judge_pair(analysis, &analysis->pairs[i]);
	return result == 0 ? 0 : cd_error_memory(error);
}

const struct cd_metric cd_metric_order = {"order", run_order};
