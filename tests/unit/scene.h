/*
 * Captures made by hand for tests of metrics: packets in file order become
 * points with streams, epochs and tracks, as an ingest would have left them.
 */
#ifndef TESTS_UNIT_SCENE_H
#define TESTS_UNIT_SCENE_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "align/point.h"
#include "base/array.h"
#include "base/time.h"
#include "metric/metric.h"

#define US CD_PS_PER_US
#define MS CD_PS_PER_MS

/* One packet of a capture. */
struct scene_packet {
	uint32_t stream, epoch;
	int64_t seq;
	int64_t time_ps; /* CD_TIME_NONE: invalid */
	uint32_t length; /* 0: 96 */
	bool stray;
	bool foreign;	 /* other traffic: only its time counts */
	int64_t tx;	 /* != 0: sampled with this send time */
	uint64_t digest; /* != 0: sampled with this content */
};

struct scene_capture {
	struct scene_packet *packets;
	size_t n, capacity;
};

static inline void scene_add(struct scene_capture *c, struct scene_packet p)
{
	if (p.length == 0)
		p.length = 96;
	cr_assert_eq(
	    cd_grow(&c->packets, &c->capacity, c->n + 1, sizeof(*c->packets)),
	    0);
	c->packets[c->n++] = p;
}

/* UDP 10.0.0.1:5000+id > 10.0.0.2:9 */
static inline struct cd_stream_key scene_key(uint32_t id)
{
	return (struct cd_stream_key){
	    .src = {10, 0, 0, 1},
	    .dst = {10, 0, 0, 2},
	    .src_port = (uint16_t)(5000 + id),
	    .dst_port = 9,
	    .address_bytes = 4,
	    .protocol = 17,
	};
}

static inline void scene_time(struct cd_point *point, struct cd_stream *stream,
			      int64_t ps, int64_t *last)
{
	if (ps == CD_TIME_NONE) {
		if (stream != NULL)
			stream->invalid_times++;
		return;
	}
	if (!point->has_times || ps < point->first_ps)
		point->first_ps = ps;
	if (!point->has_times || ps > point->last_ps)
		point->last_ps = ps;
	point->has_times = true;
	if (stream == NULL)
		return;
	if (*last == CD_TIME_NONE) {
		stream->first_ps = stream->last_ps = ps;
	} else {
		stream->deltas++;
		stream->steps_back += ps < *last;
		stream->equal += ps == *last;
		if (*last - ps > stream->step_back_max_ps)
			stream->step_back_max_ps = *last - ps;
	}
	if (ps < stream->first_ps)
		stream->first_ps = ps;
	if (ps > stream->last_ps)
		stream->last_ps = ps;
	*last = ps;
}

static inline struct cd_track *scene_epoch(struct cd_stream *stream,
					   uint32_t epoch)
{
	size_t capacity = stream->n_epochs;

	while (stream->n_epochs <= epoch) {
		cr_assert_eq(cd_grow(&stream->epochs, &capacity,
				     stream->n_epochs + 1,
				     sizeof(*stream->epochs)),
			     0);
		stream->epochs[stream->n_epochs] = cd_track_new(1000);
		cr_assert_not_null(stream->epochs[stream->n_epochs]);
		stream->n_epochs++;
	}
	return stream->epochs[epoch];
}

static inline void scene_put(struct cd_point *point, struct cd_stream *stream,
			     const struct scene_packet *p, uint64_t number)
{
	struct cd_track *track = scene_epoch(stream, p->epoch);
	struct cd_track_row row = {
	    .seq = p->seq,
	    .time_ps = p->time_ps,
	    .number = number,
	    .length = p->length,
	};
	struct cd_identity identity = {
	    .seq = p->seq,
	    .tx = p->tx,
	    .has_tx = p->tx != 0,
	    .digest = {p->digest, p->digest, p->digest},
	    .bytes = p->length - 42,
	    .full = p->digest != 0,
	};

	cr_assert_eq(
	    cd_track_add(track, &row, p->stray ? CD_ROW_STRAY : CD_ROW_KEPT),
	    0);
	if (p->tx != 0 || p->digest != 0)
		cr_assert_eq(cd_track_add_identity(track, &identity), 0);
	if (stream->packets == 0) {
		stream->frame_bytes = stream->frame_bytes_max = p->length;
		stream->payload_bytes = p->length - 42;
		stream->one_size = true;
	}
	stream->one_size &= p->length == stream->frame_bytes;
	if (p->length > stream->frame_bytes_max)
		stream->frame_bytes_max = p->length;
	stream->packets++;
	stream->strays += p->stray;
	(void)point;
}

/* A point of these packets; release with scene_release(). Streams are those of
 * the packets, in order of appearance; at most 64. */
static inline struct cd_point scene_point(const char *label,
					  const struct scene_capture *c)
{
	struct cd_point point = {
	    .path = label,
	    .label = label,
	    .format = "pcap",
	    .packets = c->n,
	    .unit_ps = 1000,
	    .numbered = true,
	    .base = {.s = 1700000000},
	};
	int64_t last[64];
	uint32_t ids[64];

	point.streams = calloc(64, sizeof(*point.streams));
	cr_assert_not_null(point.streams);
	for (size_t i = 0; i < c->n; i++) {
		const struct scene_packet *p = &c->packets[i];
		size_t k = 0;

		if (p->foreign) {
			point.unparsed++;
			scene_time(&point, NULL, p->time_ps, NULL);
			continue;
		}
		while (k < point.n_streams && ids[k] != p->stream)
			k++;
		if (k == point.n_streams) {
			cr_assert_lt(k, 64);
			ids[k] = p->stream;
			last[k] = CD_TIME_NONE;
			point.streams[k].key = scene_key(p->stream);
			point.n_streams++;
		}
		scene_put(&point, &point.streams[k], p, i + 1);
		scene_time(&point, &point.streams[k], p->time_ps, &last[k]);
	}
	for (size_t k = 0; k < point.n_streams; k++)
		for (size_t e = 0; e < point.streams[k].n_epochs; e++)
			cr_assert_eq(
			    cd_track_finish(point.streams[k].epochs[e]), 0);
	return point;
}

static inline void scene_release(struct cd_point *point)
{
	for (size_t k = 0; k < point->n_streams; k++) {
		for (size_t e = 0; e < point->streams[k].n_epochs; e++)
			cd_track_free(point->streams[k].epochs[e]);
		free(point->streams[k].epochs);
	}
	free(point->streams);
	free(point->ifaces);
	memset(point, 0, sizeof(*point));
}

static inline struct cd_metric_options scene_options(void)
{
	return (struct cd_metric_options){
	    .fcs_bytes = -1,
	    .lim_abs_ps = 100 * US,
	    .lim_ratio = 0.1,
	};
}

/* A report that knows the captures' labels. */
static inline struct cd_report *scene_report(const struct cd_point *points,
					     size_t n, uint32_t reference)
{
	struct cd_report *report = cd_report_new();

	cr_assert_not_null(report);
	report->captures = calloc(n, sizeof(*report->captures));
	cr_assert_not_null(report->captures);
	report->n_captures = n;
	report->reference = reference;
	for (size_t i = 0; i < n; i++) {
		report->captures[i].label = cd_strdup(points[i].label);
		report->captures[i].path = cd_strdup(points[i].path);
		report->captures[i].reference = i == reference;
	}
	return report;
}

/* The value of a key; fails the test where it is null. */
static inline int64_t scene_count(const struct cd_report *report,
				  uint32_t point, const char *name)
{
	const struct cd_value *v = cd_report_find(report, point, name);

	cr_assert_not_null(v, "%s is not there", name);
	cr_assert_neq(v->kind, CD_VALUE_NULL, "%s is null: %s", name,
		      v->reason);
	return v->integer;
}

static inline double scene_real(const struct cd_report *report, uint32_t point,
				const char *name)
{
	const struct cd_value *v = cd_report_find(report, point, name);

	cr_assert_not_null(v, "%s is not there", name);
	cr_assert_eq(v->kind, CD_VALUE_REAL, "%s is null: %s", name,
		     v->reason == NULL ? "" : v->reason);
	return v->real;
}

static inline const char *scene_null(const struct cd_report *report,
				     uint32_t point, const char *name)
{
	const struct cd_value *v = cd_report_find(report, point, name);

	cr_assert_not_null(v, "%s is not there", name);
	cr_assert_eq(v->kind, CD_VALUE_NULL, "%s is not null", name);
	return v->reason;
}

#endif
