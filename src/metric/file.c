#include "metric/file.h"

#include <inttypes.h>
#include <string.h>

#include "metric/lanes.h"
#include "metric/metric.h"
#include "metric/put.h"
#include "metric/words.h"
#include "report/codes.h"

/* ---- the file's own counters ----------------------------------------------
 */

/* A 32-bit counter that fell below zero, or a 64-bit one. */
#define NEAR_WRAP (UINT64_C(1) << 20)

static bool is_impossible(uint64_t count)
{
	return (count > UINT32_MAX - NEAR_WRAP && count <= UINT32_MAX) ||
	       count > INT64_MAX;
}

static bool is_meant(const struct cd_point *point, size_t iface)
{
	return !point->has_iface || iface == point->only_iface;
}

enum counter { RECEIVED, DROPPED, OS_DROPPED };

static uint64_t counter_of(const struct cd_iface *iface, enum counter which)
{
	if (which == RECEIVED)
		return iface->received;
	return which == DROPPED ? iface->dropped : iface->os_dropped;
}

static bool has_counters(const struct cd_point *point)
{
	return point->format != NULL && strcmp(point->format, "pcapng") == 0;
}

static struct cd_file_counter sum_counter(const struct cd_point *point,
					  enum counter which)
{
	struct cd_file_counter sum = {
	    .sum = CD_COUNT_NONE,
	    .reason =
		has_counters(point) ? "not recorded" : "format has no counters",
	};

	for (size_t i = 0; i < point->n_ifaces; i++) {
		uint64_t count = counter_of(&point->ifaces[i], which);

		if (!is_meant(point, i) || count == CD_COUNT_NONE)
			continue;
		if (is_impossible(count))
			return (struct cd_file_counter){
			    CD_COUNT_NONE, "impossible value", true};
		sum.sum = sum.sum == CD_COUNT_NONE ? count : sum.sum + count;
	}
	return sum;
}

static struct cd_file_counter add_counters(struct cd_file_counter a,
					   struct cd_file_counter b)
{
	if (a.impossible || (b.sum == CD_COUNT_NONE && !b.impossible))
		return a;
	if (b.impossible || a.sum == CD_COUNT_NONE)
		return b;
	a.sum += b.sum;
	return a;
}

struct cd_file_counter cd_file_drops(const struct cd_point *point)
{
	struct cd_file_counter drops = add_counters(
	    sum_counter(point, DROPPED), sum_counter(point, OS_DROPPED));

	if (drops.sum == CD_COUNT_NONE && !drops.impossible && point->has_drops)
		drops.sum = point->drops_in_records;
	return drops;
}

static void put_counter(const struct cd_place *place, const char *name,
			struct cd_file_counter counter)
{
	if (counter.sum == CD_COUNT_NONE)
		cd_put_null(place, name, counter.reason);
	else
		cd_put_count(place, name, counter.sum);
}

static void say_counters(struct cd_report *report, int k,
			 const struct cd_point *point)
{
	for (size_t i = 0; i < point->n_ifaces; i++)
		for (int c = RECEIVED; c <= OS_DROPPED; c++) {
			uint64_t n =
			    counter_of(&point->ifaces[i], (enum counter)c);

			if (is_meant(point, i) && n != CD_COUNT_NONE &&
			    is_impossible(n))
				cd_report_finding(
				    report, CD_WARNING, "counter_impossible", k,
				    "a drop counter of the file is not "
				    "reliable: interface %zu counts %" PRIu64,
				    i, n);
		}
}

/* More drops than packets received: believable only where the counter of
 * received packets leaves the dropped ones out, and counts what is in the
 * file. */
static void say_drops(struct cd_report *report, int k,
		      const struct cd_point *point)
{
	struct cd_file_counter received = sum_counter(point, RECEIVED);
	struct cd_file_counter drops = cd_file_drops(point);

	say_counters(report, k, point);
	if (received.sum != CD_COUNT_NONE && drops.sum != CD_COUNT_NONE &&
	    drops.sum > received.sum &&
	    received.sum - received.sum / 100 > point->packets)
		cd_report_finding(
		    report, CD_WARNING, "counter_impossible", k,
		    "the file counts %s as dropped but only %" PRIu64
		    " as received: its counters are not reliable",
		    cd_count_words(drops.sum, "packet").text, received.sum);
}

/* ---- values ---------------------------------------------------------------
 */

static void put_file(const struct cd_place *place, const struct cd_point *point)
{
	cd_put_count(place, "file.packets", point->packets);
	cd_put_count(place, "file.bytes", point->bytes);
	cd_put_count(place, "file.filtered", point->filtered);
	if (point->has_times)
		cd_put_span(place, "file.duration_ns",
			    cd_minus(point->last_ps, point->first_ps));
	else
		cd_put_null(place, "file.duration_ns", "no times");
	put_counter(place, "file.received", sum_counter(point, RECEIVED));
	put_counter(place, "file.dropped", sum_counter(point, DROPPED));
	put_counter(place, "file.os_dropped", sum_counter(point, OS_DROPPED));
	if (point->has_drops)
		cd_put_count(place, "file.drops_in_records",
			     point->drops_in_records);
	else
		cd_put_null(place, "file.drops_in_records",
			    has_counters(point) ? "not recorded"
						: "format has no counters");
	cd_put_count(place, "file.cut_short",
		     point->stop.fault == CD_E_TRUNCATED);
	cd_put_count(place, "file.damaged",
		     point->stop.fault != CD_OK &&
			 point->stop.fault != CD_E_TRUNCATED);
}

/* Sums over the streams of a capture. */
struct sums {
	struct cd_stream all;
	uint64_t epochs, gaps, unique;
	bool has_range;
	int64_t first_seq, last_seq;
};

static void add_epochs(struct sums *sums, const struct cd_stream *stream)
{
	int64_t first, last;

	for (size_t i = 0; i < stream->n_epochs; i++) {
		const struct cd_track *track = stream->epochs[i];
		uint64_t unique = cd_track_unique(track);

		sums->epochs++;
		if (!cd_track_range(track, &first, &last))
			continue;
		sums->unique += unique;
		sums->gaps += (uint64_t)last - (uint64_t)first + 1 - unique;
		if (!sums->has_range || first < sums->first_seq)
			sums->first_seq = first;
		if (!sums->has_range || last > sums->last_seq)
			sums->last_seq = last;
		sums->has_range = true;
	}
}

static void add_stream(struct sums *sums, const struct cd_stream *stream)
{
	struct cd_stream *all = &sums->all;

	all->packets += stream->packets;
	all->cut += stream->cut;
	all->control += stream->control;
	all->strays += stream->strays;
	all->invalid_times += stream->invalid_times;
	all->deltas += stream->deltas;
	all->steps_back += stream->steps_back;
	all->equal += stream->equal;
	if (stream->step_back_max_ps > all->step_back_max_ps)
		all->step_back_max_ps = stream->step_back_max_ps;
	all->offload += stream->offload;
	all->fragments += stream->fragments;
	add_epochs(sums, stream);
}

/* What a capture and a stream have alike. */
static void put_sums(const struct cd_place *place, const struct sums *sums,
		     bool numbered)
{
	const struct cd_stream *all = &sums->all;

	cd_put_count(place, "stream.packets", all->packets);
	cd_put_count(place, "stream.cut", all->cut);
	cd_put_count(place, "stream.control", all->control);
	cd_put_count(place, "stream.strays", all->strays);
	cd_put_count(place, "stream.epochs", sums->epochs);
	cd_put_count(place, "stream.offload", all->offload);
	cd_put_count(place, "stream.fragments", all->fragments);
	if (numbered && sums->has_range) {
		cd_put_count(place, "stream.gaps", sums->gaps);
		cd_put_number(place, "stream.first_seq", sums->first_seq);
		cd_put_number(place, "stream.last_seq", sums->last_seq);
	} else {
		cd_put_null(place, "stream.gaps", "no numbers");
		cd_put_null(place, "stream.first_seq", "no numbers");
		cd_put_null(place, "stream.last_seq", "no numbers");
	}
	cd_put_n(cd_put_count(place, "time.steps_back", all->steps_back),
		 all->deltas);
	cd_put_span(place, "time.step_back_max_ns", all->step_back_max_ps);
	cd_put_n(cd_put_count(place, "time.equal", all->equal), all->deltas);
	cd_put_count(place, "time.invalid", all->invalid_times);
}

static void put_point(struct cd_analysis *analysis, uint32_t k)
{
	const struct cd_point *point = &analysis->points[k];
	struct cd_place place = {analysis->report, k, CD_NO_STREAM};
	struct sums sums = {0};

	put_file(&place, point);
	cd_put_count(&place, "stream.count", point->n_streams);
	cd_put_count(&place, "stream.unparsed", point->unparsed);
	for (size_t i = 0; i < point->n_streams; i++)
		add_stream(&sums, &point->streams[i]);
	sums.all.deltas = point->deltas;
	sums.all.steps_back = point->steps_back;
	sums.all.equal = point->equal;
	sums.all.step_back_max_ps = point->step_back_max_ps;
	put_sums(&place, &sums, point->numbered);
	cd_put_span(&place, "time.resolution_ns", point->unit_ps);
}

static void put_streams(struct cd_analysis *analysis, uint32_t k)
{
	size_t n = analysis->report->n_streams;

	for (uint32_t id = 0; id < n; id++) {
		const struct cd_stream *stream = analysis->streams[k * n + id];
		struct cd_place place = {analysis->report, k, id};
		struct sums sums = {0};

		if (stream == NULL || !analysis->shown[id])
			continue;
		add_stream(&sums, stream);
		put_sums(&place, &sums, analysis->points[k].numbered);
	}
}

/* ---- findings -------------------------------------------------------------
 */

static void say_no_times(struct cd_report *report, int k, const char *why)
{
	cd_report_finding(report, CD_WARNING, CD_CODE_NO_TIME_INFORMATION, k,
			  "%s: whether packets are missing can be checked, the "
			  "accuracy of time stamps cannot",
			  why);
}

static void say_number(struct cd_report *report, enum cd_severity severity,
		       const char *code, int k, uint64_t n, const char *noun,
		       const char *text)
{
	if (n > 0)
		cd_report_finding(report, severity, code, k, "%s %s",
				  cd_count_words(n, noun).text, text);
}

static void say_times(struct cd_report *report, int k,
		      const struct cd_point *point)
{
	if (!point->has_times && point->packets > 0)
		say_no_times(report, k, "no packet has a usable time");
	else if (point->first_ps == point->last_ps &&
		 point->packets - point->no_time > 1)
		say_no_times(report, k, "every packet has the same time");
	if (point->has_times)
		say_number(report, CD_NOTE, "packets_without_time", k,
			   point->no_time, "packet", "without time stamp");
	say_number(report, CD_WARNING, "time_out_of_range", k,
		   point->out_of_range, "time stamp",
		   "out of range, left out of time statistics");
	if (point->zero_time < point->packets)
		say_number(report, CD_WARNING, "time_zero", k, point->zero_time,
			   "time stamp",
			   "of zero (1970), left out of time statistics");
}

/* ns written into a file of us, or single bad stamps. */
static void say_fractions(struct cd_report *report, int k,
			  const struct cd_point *point)
{
	uint64_t bad = point->bad_fraction;

	if (bad > point->packets / 2)
		say_number(report, CD_WARNING, CD_CODE_TIME_UNIT, k, bad,
			   "time stamp",
			   "with a fraction of a second and more: "
			   "nanoseconds in a file that says microseconds? "
			   "(--ts-unit LABEL=ns)");
	else
		say_number(report, CD_WARNING, "time_bad_fraction", k, bad,
			   "time stamp",
			   "with a fraction of a second and more, left out of "
			   "time statistics");
}

static void say_frames(struct cd_report *report, int k,
		       const struct cd_point *point)
{
	uint64_t fragments = 0;

	for (size_t i = 0; i < point->n_streams; i++)
		fragments += point->streams[i].fragments;
	say_number(report, CD_WARNING, "link_unknown", k, point->link_unknown,
		   "packet", "of a link type that is not known, not read");
	say_number(report, CD_NOTE, "headers_cut", k, point->cut_headers,
		   "packet", "cut inside the headers (snapshot length)");
	say_number(report, CD_NOTE, "headers_bad", k, point->bad_headers,
		   "packet", "with headers that contradict each other");
	say_number(report, CD_NOTE, "fragments", k, fragments, "IP fragment",
		   "in the stream: only first ones carry the number");
}

/* A header field that shifts nothing here, but says that clocks were set by
 * different rules. */
static void say_zones(struct cd_analysis *analysis)
{
	for (uint32_t k = 0; k < analysis->n_points; k++) {
		int32_t ref = analysis->points[analysis->reference].thiszone;
		int32_t zone = analysis->points[k].thiszone;

		if (zone != ref)
			cd_report_finding(
			    analysis->report, CD_WARNING, "thiszone_differs",
			    (int)k,
			    "the file header says a time zone of %" PRId32
			    " s, the reference's %" PRId32 " s; neither is "
			    "applied",
			    zone, ref);
	}
}

static int run_file(struct cd_analysis *analysis, struct cd_error *error)
{
	(void)error;
	for (uint32_t k = 0; k < analysis->n_points; k++) {
		const struct cd_point *point = &analysis->points[k];

		put_point(analysis, k);
		put_streams(analysis, k);
		say_drops(analysis->report, (int)k, point);
		say_times(analysis->report, (int)k, point);
		say_fractions(analysis->report, (int)k, point);
		say_frames(analysis->report, (int)k, point);
	}
	say_zones(analysis);
	return 0;
}

const struct cd_metric cd_metric_file = {"file", run_file};
