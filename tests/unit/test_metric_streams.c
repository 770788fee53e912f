/* Pairs: streams, epochs, identity, what is said. */
#include "pair_scene.h"

Test(streams, only_streams_belong_together)
{
	struct scene s;

	scene_init(&s, 2);
	add_range(&s, 0, 0, 0, 0, 99, 0);
	add_range(&s, 1, 7, 0, 0, 99, 1000);
	make_points(&s);
	s.points[1].streams[0].key.src[0] = 192;
	s.points[1].streams[0].key.dst_port = 77;
	analyse(&s, 0);
	cr_expect_eq(s.result, 0);
	cr_expect(found(&s, "addresses_differ"));
	cr_expect_eq(count(&s, "match.matched"), 100);
	scene_free(&s);
}

/* Requests and their replies are not one stream. */
Test(streams, replies_are_not_matched)
{
	struct scene s;
	struct cd_stream_key *key;

	scene_init(&s, 2);
	add_range(&s, 0, 0, 0, 0, 99, 0);
	add_range(&s, 1, 0, 0, 0, 99, 1000);
	make_points(&s);
	key = &s.points[1].streams[0].key;
	memcpy(key->src, s.points[0].streams[0].key.dst, 16);
	memcpy(key->dst, s.points[0].streams[0].key.src, 16);
	analyse(&s, 0);
	cr_expect_eq(s.result, -1);
	cr_expect_eq(s.error.fault, CD_E_DATA);
	scene_free(&s);
}

Test(streams, sums_and_single_ones)
{
	struct scene s;

	scene_init(&s, 2);
	for (uint32_t id = 0; id < 2; id++) {
		add_range(&s, 0, id, 0, 0, 99, 0);
		add_range(&s, 1, id, 0, 0, 49, 1000);
		add_range(&s, 1, id, 0, 60 + id, 99, 60 * MS);
	}
	analyse(&s, 0);
	cr_expect_eq(count(&s, "loss.missing"), 21);
	cr_expect_eq(count(&s, "loss.longest_run"), 11);
	cr_expect_eq(count(&s, "loss.runs"), 2);
	cr_expect_eq(
	    cd_report_find_stream(s.report, 1, 0, "loss.missing")->integer, 10);
	cr_expect_eq(
	    cd_report_find_stream(s.report, 1, 1, "loss.longest_run")->integer,
	    11);
	cr_expect_str_eq(scene_null(s.report, 1, "loss.common_first"),
			 "several streams");
	cr_expect_eq(s.report->streams[1].packets[1], 89);
	scene_free(&s);
}

/* ---- restarts -------------------------------------------------------------
 */

/* The reference saw three runs of one second each, D began after the first
 * restart; the clocks differ by `ahead`. */
static void restart_scene(struct scene *s, int64_t ahead, bool tx)
{
	static const int64_t begin[] = {0, 1500, 4000};

	scene_init(s, 2);
	for (uint32_t e = 0; e < 3; e++)
		for (int64_t i = 0; i < 1000; i++) {
			struct scene_packet p = {
			    .epoch = e,
			    .seq = i,
			    .time_ps = (begin[e] + i) * MS,
			    .tx = tx && i % 64 == 0 ? (begin[e] + i) * 1000 + 1
						    : 0};

			scene_add(&s->captures[0], p);
			if (e == 0 || i % 100 == 50)
				continue;
			p.epoch = e - 1;
			p.time_ps += ahead;
			scene_add(&s->captures[1], p);
		}
}

Test(epochs, late_start_by_the_pause_between)
{
	struct scene s;

	restart_scene(&s, 77000 * MS, false);
	analyse(&s, 0);
	cr_expect_eq(s.result, 0);
	cr_expect_eq(count(&s, "match.matched"), 1980);
	cr_expect_eq(count(&s, "loss.missing"), 20);
	cr_expect_eq(count(&s, "loss.ref_miss"), 0);
	cr_expect_eq(count(&s, "loss.both_miss"), 0);
	cr_expect_eq(count(&s, "loss.head_excluded") +
			 count(&s, "loss.tail_excluded"),
		     1000);
	cr_expect_not(found(&s, "epochs_ambiguous"));
	scene_free(&s);
}

Test(epochs, late_start_by_send_times)
{
	struct scene s;

	restart_scene(&s, 77000 * MS, true);
	analyse(&s, 0);
	cr_expect_eq(s.result, 0);
	cr_expect_eq(count(&s, "match.matched"), 1980);
	cr_expect_eq(count(&s, "identity.different"), 0);
	scene_free(&s);
}

/* With equal pauses the times fit twice: the clocks' own difference decides,
 * and it is said. */
Test(epochs, equal_pauses_are_ambiguous)
{
	struct scene s;

	scene_init(&s, 2);
	for (uint32_t e = 0; e < 3; e++) {
		add_range(&s, 0, 0, e, 0, 499, e * 1000 * MS);
		if (e > 0)
			add_range(&s, 1, 0, e - 1, 0, 499, (e * 1000 + 3) * MS);
	}
	analyse(&s, 0);
	cr_expect(found(&s, "epochs_ambiguous"));
	cr_expect_eq(count(&s, "match.matched"), 1000);
	cr_expect_eq(count(&s, "loss.head_excluded") +
			 count(&s, "loss.tail_excluded"),
		     500);
	scene_free(&s);
}

Test(epochs, all_seen_by_both)
{
	struct scene s;

	scene_init(&s, 2);
	for (uint32_t e = 0; e < 4; e++) {
		add_range(&s, 0, 0, e, 0, 99 + 10 * e, e * 1000 * MS);
		add_range(&s, 1, 0, e, 0, 99 + 10 * e, (e * 1000 + 7) * MS);
	}
	analyse(&s, 0);
	cr_expect_eq(count(&s, "match.matched"), 460);
	cr_expect_eq(count(&s, "loss.missing"), 0);
	cr_expect_eq(scene_count(s.report, 0, "stream.epochs"), 4);
	scene_free(&s);
}

/* ---- one capture ----------------------------------------------------------
 */

Test(alone, gaps_of_the_numbering)
{
	struct scene s;

	scene_init(&s, 1);
	add_range(&s, 0, 0, 0, 10, 49, 0);
	add_range(&s, 0, 0, 0, 55, 99, 45 * MS);
	add_range(&s, 0, 0, 0, 101, 199, 91 * MS);
	analyse(&s, 0);
	cr_expect_eq(s.result, 0);
	cr_expect_eq(scene_count(s.report, 0, "loss.expected"), 190);
	cr_expect_eq(scene_count(s.report, 0, "loss.missing"), 6);
	cr_expect_eq(scene_count(s.report, 0, "loss.runs"), 2);
	cr_expect_eq(scene_count(s.report, 0, "loss.longest_run"), 5);
	cr_expect_eq(scene_count(s.report, 0, "loss.longest_first_seq"), 50);
	cr_expect_eq(scene_count(s.report, 0, "loss.longest_outage_ns"),
		     6 * MS);
	cr_expect_eq(scene_count(s.report, 0, "stream.gaps"), 6);
	cr_expect_str_eq(scene_null(s.report, 0, "loss.ref_miss"),
			 "no reference");
	cr_expect_eq(scene_count(s.report, 0, "order.reordered_file"), 0);
	scene_free(&s);
}

Test(alone, expected_packets_are_told)
{
	struct scene s;

	scene_init(&s, 1);
	add_range(&s, 0, 0, 0, 0, 98, 0);
	s.options.has_expect = true;
	s.options.expect = 100;
	analyse(&s, 0);
	cr_expect_eq(scene_count(s.report, 0, "loss.whole_expected"), 100);
	cr_expect_eq(scene_count(s.report, 0, "loss.whole_missing"), 1);
	s.options.expect = 90;
	analyse(&s, 0);
	cr_expect_eq(scene_count(s.report, 0, "loss.whole_missing"), 0);
	cr_expect(cd_report_has_finding(s.report, "more_than_expected", 0));
	scene_free(&s);
}

Test(alone, without_numbers)
{
	struct scene s;

	scene_init(&s, 2);
	add_range(&s, 0, 0, 0, 0, 99, 0);
	add_range(&s, 1, 0, 0, 0, 49, 0);
	make_points(&s);
	s.points[0].numbered = s.points[1].numbered = false;
	analyse(&s, 0);
	cr_expect_eq(s.result, 0);
	cr_expect_str_eq(scene_null(s.report, 1, "loss.missing"), "no numbers");
	cr_expect_eq(count(&s, "stream.packets"), 50);
	cr_expect_float_eq(scene_real(s.report, 1, "rate.pps"), 1000, 1e-6);
	scene_free(&s);
}

/* ---- where no number may be given -----------------------------------------
 */

Test(refused, ambiguous_wrap)
{
	struct scene s;

	scene_init(&s, 2);
	add_range(&s, 0, 0, 0, 0, 99, 0);
	add_range(&s, 1, 0, 0, 0, 49, 0);
	add_range(&s, 1, 0, 0, 60, 99, 60 * MS);
	make_points(&s);
	s.points[1].streams[0].wrap_ambiguous = true;
	analyse(&s, 0);
	cr_expect(found(&s, CD_CODE_WRAP_AMBIGUOUS));
	cr_expect_str_eq(scene_null(s.report, 1, "loss.missing"),
			 "ambiguous wrap");
	cr_expect_str_eq(scene_null(s.report, 1, "loss.ratio_upper_95"),
			 "ambiguous wrap");
	scene_free(&s);
}

Test(refused, cut_numbers_are_apart)
{
	struct scene s;

	scene_init(&s, 2);
	add_range(&s, 0, 0, 0, 0, 99, 0);
	add_range(&s, 1, 0, 0, 0, 99, 0);
	make_points(&s);
	s.points[1].streams[0].cut = 3;
	analyse(&s, 0);
	cr_expect(found(&s, CD_CODE_NUMBERS_CUT));
	cr_expect_eq(count(&s, "loss.cut"), 3);
	cr_expect_eq(count(&s, "loss.missing"), 0);
	scene_free(&s);
}

/* 30 of 100 packets are in 10 merged frames: that may be all that is missing;
 * merged frames without a loss are no excuse for anything. */
Test(refused, merged_frames)
{
	struct scene s;

	scene_init(&s, 2);
	add_range(&s, 0, 0, 0, 0, 99, 0);
	for (int64_t i = 0; i < 100; i++)
		if (i < 60 || i % 4 == 0 || i == 99)
			add_range(&s, 1, 0, 0, i, i, i * MS);
	make_points(&s);
	s.points[1].streams[0].offload = 10;
	analyse(&s, 0);
	cr_expect(found(&s, CD_CODE_OFFLOAD_MERGE));
	s.points[0].streams[0].offload = 10;
	analyse(&s, 0);
	cr_expect_not(found(&s, CD_CODE_OFFLOAD_MERGE));
	cr_expect(found(&s, "offload_frames"));
	scene_free(&s);
}

Test(refused, reused_numbers)
{
	struct scene s;

	scene_init(&s, 2);
	for (int64_t i = 0; i < 1200; i++)
		for (size_t k = 0; k < 2; k++)
			scene_add(&s.captures[k],
				  (struct scene_packet){.seq = i % 100,
							.time_ps = i * MS});
	analyse(&s, 0);
	cr_expect(found(&s, CD_CODE_AMBIGUOUS_NUMBERS));
	scene_free(&s);
}

/* ---- copies ---------------------------------------------------------------
 */

Test(copies, repeats_of_the_source)
{
	struct scene s;

	scene_init(&s, 2);
	for (int64_t i = 0; i < 100; i++)
		for (int64_t copy = 0; copy < 4; copy++) {
			struct scene_packet p = {.seq = i,
						 .time_ps = i * MS + copy * US};

			if (copy < 3)
				scene_add(&s.captures[0], p);
			/* D lacks one copy of 5, has one more of 7 */
			if (copy < (i == 5 ? 2 : i == 7 ? 4 : 3))
				scene_add(&s.captures[1], p);
		}
	analyse(&s, 0);
	cr_expect_eq(count(&s, "duplicate.copies"), 200);
	cr_expect_eq(count(&s, "duplicate.excess"), 1);
	cr_expect_eq(count(&s, "duplicate.deficit"), 1);
	cr_expect_eq(count(&s, "duplicate.delay_p50_ns"), 1 * US);
	cr_expect_eq(count(&s, "duplicate.delay_max_ns"), 3 * US);
	cr_expect(found(&s, "source_repeats"));
	cr_expect_eq(scene_count(s.report, 0, "duplicate.copies"), 200);
	scene_free(&s);
}

Test(copies, other_bytes_under_the_same_number)
{
	struct scene s;

	scene_init(&s, 2);
	add_sampled(&s, 0, 1000, 1000, 0);
	add_sampled(&s, 1, 1000, 1000, 0);
	scene_add(
	    &s.captures[1],
	    (struct scene_packet){.seq = 640, .time_ps = 600 * MS, .tx = 5});
	scene_add(&s.captures[1], (struct scene_packet){.seq = 128,
							.time_ps = 1001 * MS,
							.tx = 1128});
	analyse(&s, 0);
	cr_expect_eq(count(&s, "duplicate.copies"), 2);
	cr_expect_eq(count(&s, "duplicate.conflicts"), 1);
	cr_expect_eq(count(&s, "duplicate.inversions"), 1);
	cr_expect_eq(count(&s, "identity.different"), 0);
	cr_expect(found(&s, "same_number_other_bytes"));
	scene_free(&s);
}

/* ---- the file's own counters ----------------------------------------------
 */

static void set_counters(struct scene *s, uint64_t received, uint64_t dropped,
			 uint64_t os)
{
	struct cd_point *p = &s->points[1];

	p->format = "pcapng";
	if (p->ifaces == NULL)
		p->ifaces = calloc(1, sizeof(*p->ifaces));
	cr_assert_not_null(p->ifaces);
	p->n_ifaces = 1;
	p->ifaces[0].received = received;
	p->ifaces[0].dropped = dropped;
	p->ifaces[0].os_dropped = os;
}

Test(counters, beside_what_is_missing)
{
	struct scene s;

	scene_init(&s, 2);
	add_range(&s, 0, 0, 0, 0, 99, 0);
	add_range(&s, 1, 0, 0, 0, 49, 0);
	add_range(&s, 1, 0, 0, 60, 99, 60 * MS);
	analyse(&s, 0);
	cr_expect_str_eq(scene_null(s.report, 1, "loss.reported_by_file"),
			 "format has no counters");
	set_counters(&s, CD_COUNT_NONE, CD_COUNT_NONE, CD_COUNT_NONE);
	analyse(&s, 0);
	cr_expect_str_eq(scene_null(s.report, 1, "loss.reported_by_file"),
			 "not recorded");
	set_counters(&s, 90, 3, CD_COUNT_NONE);
	analyse(&s, 0);
	cr_expect_eq(count(&s, "loss.reported_by_file"), 3);
	cr_expect_eq(count(&s, "loss.unreported"), 7);
	cr_expect_eq(count(&s, "loss.missing"), 10);
	set_counters(&s, 90, 3, 20);
	analyse(&s, 0);
	cr_expect_eq(count(&s, "loss.reported_by_file"), 23);
	cr_expect_eq(count(&s, "loss.unreported"), 0);
	set_counters(&s, 90, 4294967290, 0);
	analyse(&s, 0);
	cr_expect_str_eq(scene_null(s.report, 1, "loss.reported_by_file"),
			 "impossible value");
	cr_expect(found(&s, "counter_impossible"));
	set_counters(&s, 100, 101, 0);
	analyse(&s, 0);
	cr_expect_eq(count(&s, "loss.reported_by_file"), 101);
	cr_expect(found(&s, "counter_impossible"));
	/* received is what is in the file: dropped are not among them */
	set_counters(&s, 90, 101, 0);
	analyse(&s, 0);
	cr_expect_not(found(&s, "counter_impossible"));
	/* only before packets */
	set_counters(&s, 90, CD_COUNT_NONE, CD_COUNT_NONE);
	s.points[1].has_drops = true;
	s.points[1].drops_in_records = 4;
	analyse(&s, 0);
	cr_expect_eq(count(&s, "loss.reported_by_file"), 4);
	scene_free(&s);
}

/* ---- rates ----------------------------------------------------------------
 */

/* 60 bytes without FCS at 1000 packets a second. */
Test(rate, of_what_was_on_the_wire)
{
	struct scene s;

	scene_init(&s, 2);
	for (int64_t i = 0; i <= 1000; i++) {
		struct scene_packet p = {
		    .seq = i, .time_ps = i * MS, .length = 60};

		/* D lacks some, the reference one */
		if (i != 500)
			scene_add(&s.captures[0], p);
		if (i % 10 != 3)
			scene_add(&s.captures[1], p);
	}
	analyse(&s, 0);
	cr_expect_float_eq(scene_real(s.report, 1, "rate.pps"), 1000, 1e-9);
	cr_expect_float_eq(scene_real(s.report, 1, "rate.l1_bps"), 672000,
			   1e-6);
	cr_expect_float_eq(scene_real(s.report, 1, "rate.l2_bps"), 512000,
			   1e-6);
	cr_expect_float_eq(scene_real(s.report, 1, "rate.captured_bps"), 480000,
			   1e-6);
	cr_expect_eq(count(&s, "rate.frame_bytes_p50"), 64);
	scene_free(&s);
}

/* Sizes of the reference, mixed; short frames are padded on the wire. */
Test(rate, of_mixed_sizes)
{
	struct scene s;

	scene_init(&s, 2);
	for (int64_t i = 0; i <= 999; i++) {
		struct scene_packet p = {.seq = i, .time_ps = i * MS};

		p.length = i % 10 < 6 ? 50 : i % 10 < 9 ? 590 : 1514;
		scene_add(&s.captures[0], p);
		p.length += 4;
		scene_add(&s.captures[1], p);
	}
	analyse(&s, 0);
	cr_expect_eq(count(&s, "rate.frame_bytes_p50"), 64);
	cr_expect_eq(count(&s, "rate.frame_bytes_min"), 64);
	cr_expect_eq(count(&s, "rate.frame_bytes_max"), 1518);
	/* mean of 6 x 64, 3 x 594, 1518: 368.4 */
	cr_expect_float_eq(scene_real(s.report, 1, "rate.l2_bps"),
			   1000 * 8 * 368.4, 1e-6);
	scene_free(&s);
}

/* Two streams at once are one load, a restart's pause is none. */
Test(rate, of_streams_and_restarts)
{
	struct scene s;

	scene_init(&s, 2);
	for (size_t k = 0; k < 2; k++) {
		add_range(&s, k, 0, 0, 0, 999, 0);
		add_range(&s, k, 1, 0, 0, 999, 0);
		add_range(&s, k, 0, 1, 0, 999, 10000 * MS);
		add_range(&s, k, 1, 1, 0, 999, 10000 * MS);
	}
	analyse(&s, 0);
	cr_expect_float_eq(scene_real(s.report, 1, "rate.pps"),
			   2 * 1999 / (2 * 0.999), 1e-6);
	scene_free(&s);
}

/* ---- bounds ---------------------------------------------------------------
 */

Test(loss, bounds_of_the_ratio)
{
	struct scene s;
	const struct cd_value *ratio;

	scene_init(&s, 2);
	add_range(&s, 0, 0, 0, 0, 9999, 0);
	add_range(&s, 1, 0, 0, 0, 9999, 1);
	analyse(&s, 0);
	/* 1 - 0.05^(1/n) */
	cr_expect_float_eq(scene_real(s.report, 1, "loss.ratio_upper_95"),
			   -expm1(log(0.05) / 10000), 1e-12);
	/* -ln 0.05 / 9.999 s */
	cr_expect_float_eq(scene_real(s.report, 1, "loss.runs_upper_95_hz"),
			   -log(0.05) / 9.999, 1e-9);
	ratio = cd_report_find(s.report, 1, "loss.ratio");
	cr_expect_eq(ratio->real, 0);
	cr_expect(ratio->has_interval && ratio->has_n);
	cr_expect_eq(ratio->low, 0);
	cr_expect_eq(ratio->n, 10000);
	scene_free(&s);
}
