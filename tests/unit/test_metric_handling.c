#include "scene.h"

#include "frame/frame.h"

/* Two captures of numbers 0..99 of two streams, as different points left their
 * frames. */
struct handling {
	struct scene_capture captures[2];
	struct cd_point points[2];
	struct cd_metric_options options;
	struct cd_report *report;
};

static void begin(struct handling *h)
{
	static const char *const labels[] = {"ref", "dut"};

	*h = (struct handling){.options = scene_options()};
	for (size_t k = 0; k < 2; k++) {
		for (int64_t seq = 0; seq < 100; seq++)
			for (uint32_t id = 0; id < 2; id++)
				scene_add(&h->captures[k],
					  (struct scene_packet){
					      .stream = id,
					      .seq = seq,
					      .time_ps = (2 * seq + id) * MS});
		h->points[k] = scene_point(labels[k], &h->captures[k]);
	}
}

static void analyse(struct handling *h)
{
	struct cd_error error = {0};

	h->report = scene_report(h->points, 2, 0);
	cr_assert_eq(
	    cd_analyse(h->points, 2, 0, &h->options, h->report, &error), 0);
	cr_assert_not(h->report->bad);
}

static void end(struct handling *h)
{
	cd_report_free(h->report);
	for (size_t k = 0; k < 2; k++) {
		free(h->captures[k].packets);
		scene_release(&h->points[k]);
	}
}

/* The sentence of a finding, NULL: there is none. */
static const char *said(const struct handling *h, const char *code, int point)
{
	for (size_t i = 0; i < h->report->n_findings; i++) {
		const struct cd_finding *f = &h->report->findings[i];

		if (strcmp(f->code, code) == 0 && f->point == point)
			return f->text;
	}
	return NULL;
}

static int64_t count(const struct handling *h, uint32_t point, const char *name)
{
	const struct cd_value *v = cd_report_find(h->report, point, name);

	cr_assert_not_null(v, "%s", name);
	return v->integer;
}

static void set_encaps(struct cd_point *point, uint16_t any, uint16_t all)
{
	for (size_t i = 0; i < point->n_streams; i++) {
		point->streams[i].encaps_any = any;
		point->streams[i].encaps_all = all;
		point->streams[i].encapsulated = any == all ? 100 : 40;
	}
}

static const char *const codes[] = {
    "headers_added",   "headers_removed", "headers_in_part", "fcs_differs",
    "padding_differs", "fcs_in_part",	  "packets_cut"};

Test(metric_handling, nothing_to_say)
{
	struct handling h;

	begin(&h);
	set_encaps(&h.points[0], CD_ENCAP_VLAN, CD_ENCAP_VLAN);
	set_encaps(&h.points[1], CD_ENCAP_VLAN, CD_ENCAP_VLAN);
	analyse(&h);
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		for (int k = 0; k < 2; k++)
			cr_expect_null(said(&h, codes[i], k), "%s", codes[i]);
	cr_assert_eq(count(&h, 1, "stream.encapsulated"), 200);
	cr_assert_eq(count(&h, 1, "stream.fcs"), 0);
	cr_assert_eq(count(&h, 1, "stream.padded"), 0);
	end(&h);
}

Test(metric_handling, headers_added_and_removed)
{
	struct handling h;

	begin(&h);
	set_encaps(&h.points[0], CD_ENCAP_MPLS, CD_ENCAP_MPLS);
	set_encaps(&h.points[1], CD_ENCAP_VLAN | CD_ENCAP_GRE | CD_ENCAP_ERSPAN,
		   CD_ENCAP_VLAN | CD_ENCAP_GRE | CD_ENCAP_ERSPAN);
	analyse(&h);
	cr_assert_str_eq(said(&h, "headers_added", 1),
			 "VLAN tag, GRE header and ERSPAN header added, "
			 "compared with the reference");
	cr_assert_str_eq(said(&h, "headers_removed", 1),
			 "MPLS labels removed, compared with the reference");
	cr_assert_null(said(&h, "headers_in_part", 1));
	end(&h);
}

Test(metric_handling, headers_around_some)
{
	struct handling h;

	begin(&h);
	set_encaps(&h.points[1], CD_ENCAP_VLAN, 0);
	analyse(&h);
	cr_assert_str_eq(said(&h, "headers_in_part", 1),
			 "VLAN tag around some packets, not around others");
	cr_assert_null(said(&h, "headers_added", 1));
	cr_assert_eq(count(&h, 1, "stream.encapsulated"), 80);
	end(&h);
}

/* One stream with a header and one without are some packets, too. */
Test(metric_handling, headers_around_one_stream)
{
	struct handling h;

	begin(&h);
	h.points[1].streams[1].encaps_any = CD_ENCAP_VXLAN;
	h.points[1].streams[1].encaps_all = CD_ENCAP_VXLAN;
	analyse(&h);
	cr_assert_str_eq(said(&h, "headers_in_part", 1),
			 "VXLAN header around some packets, not around others");
	end(&h);
}

Test(metric_handling, fcs)
{
	struct handling h;

	begin(&h);
	for (size_t i = 0; i < 2; i++)
		h.points[0].streams[i].fcs = 100;
	analyse(&h);
	cr_assert_str_eq(said(&h, "fcs_differs", 1),
			 "no frame check sequence, kept in the reference");
	cr_assert_eq(count(&h, 0, "stream.fcs"), 200);
	cr_assert_null(said(&h, "fcs_in_part", 0));
	end(&h);

	begin(&h);
	for (size_t i = 0; i < 2; i++)
		h.points[1].streams[i].fcs = 100;
	analyse(&h);
	cr_assert_str_eq(said(&h, "fcs_differs", 1),
			 "frame check sequence kept, not so in the reference");
	end(&h);
}

Test(metric_handling, fcs_in_one_direction)
{
	struct handling h;

	begin(&h);
	h.points[1].streams[0].fcs = 100;
	analyse(&h);
	cr_assert_str_eq(said(&h, "fcs_in_part", 1),
			 "frame check sequence kept in 1 of 2 streams only");
	cr_assert_null(said(&h, "fcs_differs", 1));
	end(&h);

	begin(&h);
	h.points[1].streams[0].fcs = 70;
	analyse(&h);
	cr_assert_str_eq(said(&h, "fcs_in_part", 1),
			 "frame check sequence kept in 70 frames of 200 only");
	end(&h);
}

Test(metric_handling, padding)
{
	struct handling h;

	begin(&h);
	for (size_t i = 0; i < 2; i++)
		h.points[1].streams[i].padded = 100;
	analyse(&h);
	cr_assert_not_null(said(&h, "padding_differs", 1));
	cr_assert_eq(count(&h, 1, "stream.padded"), 200);
	end(&h);

	begin(&h);
	for (size_t i = 0; i < 2; i++)
		h.points[0].streams[i].padded = 100;
	analyse(&h);
	cr_assert_not_null(said(&h, "padding_differs", 1));
	end(&h);

	begin(&h); /* of the short ones among them */
	h.points[0].streams[0].padded = 100;
	h.points[1].streams[0].padded = 100;
	analyse(&h);
	cr_assert_null(said(&h, "padding_differs", 1));
	end(&h);
}

Test(metric_handling, cut)
{
	struct handling h;

	begin(&h);
	h.points[1].bytes = 200 * 64;
	h.points[1].wire_bytes = 200 * 96;
	h.points[0].bytes = h.points[0].wire_bytes = 200 * 96;
	analyse(&h);
	cr_assert_str_eq(said(&h, "packets_cut", 1),
			 "packets were cut (snapshot length): 12800 of 19200 "
			 "bytes are in the file");
	cr_assert_null(said(&h, "packets_cut", 0));
	end(&h);
}
