/* Reports built by hand, shared by the tests of verdict and render. */
#ifndef CAPDIFF_TESTS_SAMPLE_REPORT_H
#define CAPDIFF_TESTS_SAMPLE_REPORT_H

#include <stdlib.h>

#include "base/array.h"
#include "base/time.h"
#include "report/report.h"

#define NS(x) ((int64_t)((x) * (double)CD_PS_PER_NS))
#define US(x) ((int64_t)((x) * (double)CD_PS_PER_US))
#define MS(x) ((int64_t)((x) * (double)CD_PS_PER_MS))
#define SEC(x) ((int64_t)((x) * (double)CD_PS_PER_S))

static inline void sample_capture(struct cd_report *r, size_t i,
				  const char *label, const char *application)
{
	struct cd_report_capture *c = &r->captures[i];

	c->label = cd_strdup(label);
	c->path = cd_strf("%s.pcapng", label);
	c->format = cd_strdup("pcapng");
	c->application = cd_strdup(application);
	c->reference = i == 0;
	c->packets = 200000;
	c->bytes = 24800000;
	c->has_times = true;
	c->first = (struct cd_instant){1796064781, INT64_C(123456789012)};
	c->last = (struct cd_instant){1796064783, INT64_C(123446789012)};
	c->time_digits = 9;
	c->ifaces = calloc(1, sizeof(*c->ifaces));
	c->n_ifaces = 1;
	c->ifaces[0].linktype = 1;
	c->ifaces[0].linktype_name = cd_strdup("EN10MB");
	c->ifaces[0].snaplen = 262144;
	c->ifaces[0].name = cd_strdup("eth0");
	c->ifaces[0].tick_ps = i == 0 ? 1000 : 1000000;
	c->ifaces[0].packets = 200000;
	c->ifaces[0].received = UINT64_MAX;
	c->ifaces[0].dropped = UINT64_MAX;
	c->ifaces[0].os_dropped = UINT64_MAX;
}

/* `n` captures: the first is the reference, nothing measured yet. */
static inline struct cd_report *sample_captures(size_t n)
{
	static const char *const labels[] = {"hw", "laptop", "tap", "server",
					     "vm", "bond"};
	struct cd_report *r = cd_report_new();

	r->captures = calloc(n, sizeof(*r->captures));
	r->n_captures = n;
	for (size_t i = 0; i < n; i++)
		sample_capture(r, i, labels[i],
			       i == 0 ? "ProfiShark 1G+"
				      : "Dumpcap (Wireshark) 4.0.17 (Git)");
	r->stamp_format = cd_strdup("iperf2");
	r->stamp_title = cd_strdup("iperf2 sequence numbers");
	r->stamp_where = cd_strdup("udp+0");
	r->stamp_detected = true;
	r->stamp_hits = calloc(n, sizeof(*r->stamp_hits));
	r->streams = calloc(1, sizeof(*r->streams));
	r->n_streams = 1;
	r->streams[0].what =
	    cd_strdup("UDP 10.0.0.1:40000 > 10.0.0.2:5001");
	r->streams[0].packets = calloc(n, sizeof(uint64_t));
	r->streams[0].payload_bytes = 82;
	r->streams[0].frame_bytes = 124;
	r->streams[0].one_size = true;
	for (size_t i = 0; i < n; i++) {
		r->stamp_hits[i] = 1.0;
		r->streams[0].packets[i] = 200000;
	}
	return r;
}

/* Values that every capture has, the reference too. */
static inline void sample_own(struct cd_report *r, uint32_t p)
{
	cd_report_count(r, p, "file.packets", 200000);
	cd_report_span(r, p, "file.duration_ns", SEC(61.99999));
	cd_report_count(r, p, "stream.count", 1);
	cd_report_count(r, p, "stream.packets", 200000);
	cd_report_span(r, p, "time.resolution_ns", NS(1));
	cd_report_span(r, p, "time.tick_ns", NS(1));
	cd_report_span(r, p, "delta.p50_ns", US(10));
	cd_report_span(r, p, "delta.max_ns", US(10.04));
	cd_report_count(r, p, "delta.zero", 0);
	cd_report_real(r, p, "delta.zero_ratio", 0);
	cd_report_count(r, p, "delta.negative", 0);
	cd_report_real(r, p, "delta.impossible_ratio", 0);
	cd_report_real(r, p, "physics.link_bps", 1e9);
	cd_report_count(r, p, "duplicate.copies", 0);
	cd_report_count(r, p, "order.reordered_file", 0);
	cd_report_real(r, p, "rate.pps", 1e5);
	cd_report_real(r, p, "rate.l1_bps", 118.4e6);
	cd_report_count(r, p, "rate.frame_bytes_p50", 128);
}

/* A compared capture that is complete and accurate. */
static inline void sample_clean(struct cd_report *r, uint32_t p)
{
	struct cd_value *v;

	sample_own(r, p);
	cd_report_count(r, p, "loss.expected", 200000);
	cd_report_count(r, p, "loss.missing", 0);
	cd_report_real(r, p, "loss.ratio_upper_95", 1.498e-5);
	cd_report_count(r, p, "loss.ref_miss", 0);
	cd_report_count(r, p, "loss.head_excluded", 0);
	cd_report_count(r, p, "loss.tail_excluded", 0);
	cd_report_number(r, p, "loss.common_first", 0);
	cd_report_number(r, p, "loss.common_last", 199999);
	cd_report_count(r, p, "match.matched", 200000);
	v = cd_report_span(r, p, "time.error.span_ns", NS(420));
	v->has_n = v->has_interval = true;
	v->n = 200000;
	v->low = 410;
	v->high = 431;
	cd_report_span(r, p, "time.error.max_ns", US(1.5));
	cd_report_real(r, p, "delta_error.false_share", 0.001);
	v = cd_report_span(r, p, "clock.offset_ns", MS(1.314));
	v = cd_report_real(r, p, "clock.drift_ppm", 12.034);
	v->has_n = v->has_interval = true;
	v->n = 200000;
	v->low = 12.01;
	v->high = 12.05;
	cd_report_count(r, p, "clock.steps", 0);
	cd_report_span(r, p, "clock.wander_ns", NS(80));
	cd_report_span(r, p, "clock.span_ns", SEC(61.99999));
	cd_report_span(r, p, "limit.lim_ns", US(1));
	cd_report_span(r, p, "time.u_ref_ns", NS(1));
}

/* The laptop of INTERFACE.md 4.1. */
static inline void sample_laptop(struct cd_report *r, uint32_t p)
{
	sample_clean(r, p);
	r->captures[p].packets = 199502;
	cd_report_count(r, p, "file.packets", 199502);
	cd_report_span(r, p, "time.resolution_ns", US(1));
	cd_report_span(r, p, "time.tick_ns", US(1));
	cd_report_span(r, p, "delta.p50_ns", 0);
	cd_report_span(r, p, "delta.max_ns", US(125));
	cd_report_span(r, p, "delta.worst_shown_ns", US(125));
	cd_report_span(r, p, "delta.worst_true_ns", US(10));
	cd_report_number(r, p, "delta.worst_seq", 150612);
	cd_report_count(r, p, "delta.worst_frame", 150113);
	cd_report_count(r, p, "delta.zero", 183480);
	cd_report_real(r, p, "delta.zero_ratio", 0.92);
	cd_report_real(r, p, "delta.impossible_ratio", 0.92);
	cd_report_count(r, p, "duplicate.copies", 4);
	cd_report_count(r, p, "loss.missing", 502);
	cd_report_real(r, p, "loss.ratio", 502.0 / 200000);
	cd_report_count(r, p, "loss.runs", 91);
	cd_report_count(r, p, "loss.longest_run", 412);
	cd_report_span(r, p, "loss.longest_outage_ns", MS(4.13));
	cd_report_span(r, p, "loss.longest_at_ns", SEC(1.5));
	cd_report_count(r, p, "loss.reported_by_file", 90);
	cd_report_count(r, p, "match.matched", 199498);
	cd_report_span(r, p, "time.error.span_ns", US(124.8));
	cd_report_real(r, p, "delta_error.false_share", 0.92);
	cd_report_real(r, p, "burst.coalescing", 0.92);
	cd_report_span(r, p, "burst.period_ns", US(125));
	cd_report_span(r, p, "burst.period_p10_ns", US(124));
	cd_report_span(r, p, "burst.period_p90_ns", US(126));
	cd_report_count(r, p, "burst.size_p50", 12);
}

#endif
