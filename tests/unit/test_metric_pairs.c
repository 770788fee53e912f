/* Pairs: the common interval, losses at its ends. */
#include "pair_scene.h"

/* ---- head and tail --------------------------------------------------------
 */

static const struct cd_metric *find_metric(const char *name)
{
	for (size_t i = 0; cd_metrics[i] != NULL; i++)
		if (strcmp(cd_metrics[i]->name, name) == 0)
			return cd_metrics[i];
	cr_assert_fail("no metric is called %s", name);
	return NULL;
}

/* Counts and loss with a clock that is given, not fitted: D's is `theta_ps`
 * ahead and runs `y` faster. */
static void analyse_with_clock(struct scene *s, uint32_t reference,
			       int64_t theta_ps, double y)
{
	struct cd_analysis *analysis;
	struct cd_pair *pair;

	make_points(s);
	cd_report_free(s->report);
	s->report = scene_report(s->points, s->n, reference);
	analysis = cd_analysis_new(s->points, s->n, reference, &s->options,
				   s->report, &s->error);
	cr_assert_not_null(analysis);
	cr_assert_eq(find_metric("count")->run(analysis, &s->error), 0);
	pair = &analysis->pairs[0];
	pair->clock.has_offset = pair->clock.has_drift = true;
	pair->clock.n_segments = 1;
	pair->clock.d0_ps = theta_ps;
	pair->clock.y = y;
	for (size_t i = 0; i < pair->n_lanes; i++) {
		if (pair->lanes[i].matched == 0)
			continue;
		pair->lanes[i].theta_ps = calloc(1, sizeof(double));
		cr_assert_not_null(pair->lanes[i].theta_ps);
	}
	cr_assert_eq(find_metric("loss")->run(analysis, &s->error), 0);
	cd_analysis_free(analysis);
}

/* R has 0..999 at 1 ms each. D has 100..899 and its clock is 5 s ahead. */
static void cut_scene(struct scene *s)
{
	scene_init(s, 2);
	add_range(s, 0, 0, 0, 0, 999, 0);
}

static void add_foreign(struct scene *s, size_t k, int64_t ps)
{
	scene_add(&s->captures[k],
		  (struct scene_packet){.foreign = true, .time_ps = ps});
}

Test(edges, no_evidence_excludes)
{
	struct scene s;

	cut_scene(&s);
	add_range(&s, 1, 0, 0, 100, 899, 5100 * MS);
	analyse_with_clock(&s, 0, 5000 * MS, 0);
	cr_expect_eq(count(&s, "loss.missing"), 0);
	cr_expect_eq(count(&s, "loss.expected"), 800);
	cr_expect_eq(count(&s, "loss.head_excluded"), 100);
	cr_expect_eq(count(&s, "loss.tail_excluded"), 100);
	cr_expect_eq(count(&s, "loss.tail_lost"), 0);
	/* 0 to 100 ms and 899 to 999 ms */
	cr_expect_eq(count(&s, "loss.excluded_ns"), 200 * MS);
	cr_expect(found(&s, "tail_excluded"));
	scene_free(&s);
}

/* A record at 950 ms of the reference's time: with g = 10 ms the packets up to
 * 940 ms are lost; the head's up to 50 ms back from the first packet are. */
Test(edges, foreign_records_promote)
{
	struct scene s;

	cut_scene(&s);
	add_foreign(&s, 1, 5050 * MS);
	add_range(&s, 1, 0, 0, 100, 899, 5100 * MS);
	add_foreign(&s, 1, 5950 * MS);
	analyse_with_clock(&s, 0, 5000 * MS, 0);
	cr_expect_eq(count(&s, "loss.tail_lost"), 41); /* 900..940 */
	cr_expect_eq(count(&s, "loss.tail_excluded"), 59);
	cr_expect_eq(count(&s, "loss.head_lost"), 40); /* 60..99 */
	cr_expect_eq(count(&s, "loss.head_excluded"), 60);
	cr_expect_eq(count(&s, "loss.missing"), 81);
	cr_expect_eq(count(&s, "loss.expected"), 881);
	cr_expect_eq(count(&s, "loss.runs"), 2);
	cr_expect_eq(count(&s, "loss.longest_run"), 41);
	cr_expect_eq(count(&s, "loss.longest_first_seq"), 900);
	/* from 899 to 941, which the reference still has */
	cr_expect_eq(count(&s, "loss.longest_outage_ns"), 42 * MS);
	cr_expect(found(&s, "tail_lost"));
	cr_expect(found(&s, "head_lost"));
	scene_free(&s);
}

/* The same two files with their roles changed. */
Test(edges, promotion_is_mirrored)
{
	struct scene s;
	int64_t missing, head, tail;

	cut_scene(&s);
	add_foreign(&s, 1, 5050 * MS);
	add_range(&s, 1, 0, 0, 100, 899, 5100 * MS);
	add_foreign(&s, 1, 5950 * MS);
	analyse_with_clock(&s, 0, 5000 * MS, 0);
	missing = count(&s, "loss.missing");
	head = count(&s, "loss.head_excluded");
	tail = count(&s, "loss.tail_excluded");
	analyse_with_clock(&s, 1, -5000 * MS, 0);
	cr_expect_eq(scene_count(s.report, 0, "loss.missing"), 0);
	cr_expect_eq(scene_count(s.report, 0, "loss.ref_miss"), missing);
	cr_expect_eq(scene_count(s.report, 0, "loss.head_surplus"), head);
	cr_expect_eq(scene_count(s.report, 0, "loss.tail_surplus"), tail);
	scene_free(&s);
}

/* Drift counts: 1000 ppm over 900 s shift the end by 0.9 s. */
Test(edges, evidence_follows_the_drift)
{
	struct scene s;

	scene_init(&s, 2);
	for (int64_t i = 0; i < 1000; i++) {
		scene_add(&s.captures[0],
			  (struct scene_packet){.seq = i,
						.time_ps = i * CD_PS_PER_S});
		if (i < 900)
			scene_add(
			    &s.captures[1],
			    (struct scene_packet){.seq = i,
						  .time_ps = i * CD_PS_PER_S +
							     i * CD_PS_PER_MS});
	}
	/* the reference's 950.5 s */
	add_foreign(&s, 1, 950500 * MS + 950500 * US);
	analyse_with_clock(&s, 0, 0, 1e-3);
	cr_expect_eq(count(&s, "loss.tail_lost"), 51);
	cr_expect_eq(count(&s, "loss.tail_excluded"), 49);
	scene_free(&s);
}

Test(edges, interface_end_promotes)
{
	struct scene s;

	cut_scene(&s);
	add_range(&s, 1, 0, 0, 0, 899, 5000 * MS);
	make_points(&s);
	s.points[1].ifaces = calloc(1, sizeof(*s.points[1].ifaces));
	s.points[1].n_ifaces = 1;
	s.points[1].ifaces[0].has_end = true;
	s.points[1].ifaces[0].end =
	    cd_instant_add(s.points[1].base, (struct cd_span){8000 * MS});
	analyse_with_clock(&s, 0, 5000 * MS, 0);
	cr_expect_eq(count(&s, "loss.tail_lost"), 100);
	cr_expect_eq(count(&s, "loss.tail_excluded"), 0);
	cr_expect_eq(count(&s, "loss.missing"), 100);
	scene_free(&s);
}

/* Two streams; D has nothing of the second, but was running. */
Test(edges, stream_lost_altogether)
{
	struct scene s;

	scene_init(&s, 2);
	add_range(&s, 0, 0, 0, 0, 999, 0);
	add_range(&s, 0, 1, 0, 0, 499, 100 * MS);
	add_range(&s, 1, 0, 0, 0, 999, 5000 * MS);
	analyse_with_clock(&s, 0, 5000 * MS, 0);
	cr_expect_eq(count(&s, "loss.missing"), 500);
	cr_expect_eq(count(&s, "loss.expected"), 1500);
	cr_expect_eq(count(&s, "loss.runs"), 1);
	cr_expect(found(&s, "stream_only_in_reference"));
	cr_expect_eq(
	    cd_report_find_stream(s.report, 1, 1, "loss.missing")->integer,
	    500);
	cr_expect_eq(
	    cd_report_find_stream(s.report, 1, 0, "loss.missing")->integer, 0);
	/* roles changed: the reference lacks a stream of the same host */
	analyse_with_clock(&s, 1, -5000 * MS, 0);
	cr_expect_eq(scene_count(s.report, 0, "loss.ref_miss"), 500);
	cr_expect_eq(scene_count(s.report, 0, "loss.missing"), 0);
	scene_free(&s);
}

/* Traffic of other hosts that happens to carry numbers is not the run's. */
Test(edges, foreign_stream_does_not_count)
{
	struct scene s;

	scene_init(&s, 2);
	add_range(&s, 0, 0, 0, 0, 999, 0);
	add_range(&s, 1, 0, 0, 0, 999, 5000 * MS);
	add_range(&s, 1, 1, 0, 0, 499, 5100 * MS);
	make_points(&s);
	s.points[1].streams[1].key.src[0] = 172;
	s.points[1].streams[1].key.dst[0] = 172;
	analyse_with_clock(&s, 0, 5000 * MS, 0);
	cr_expect_eq(count(&s, "loss.ref_miss"), 0);
	cr_expect_eq(count(&s, "loss.tail_surplus"), 500);
	cr_expect(found(&s, "stream_only_here"));
	scene_free(&s);
}

/* --guard leaves out 100 ms at both ends, lost or not. */
Test(edges, guard_trims)
{
	struct scene s;

	scene_init(&s, 2);
	add_range(&s, 0, 0, 0, 0, 999, 0);
	add_range(&s, 1, 0, 0, 0, 49, 0);
	add_range(&s, 1, 0, 0, 60, 499, 60 * MS);
	add_range(&s, 1, 0, 0, 502, 999, 502 * MS);
	s.options.guard_ps = 100 * MS;
	analyse_with_clock(&s, 0, 0, 0);
	cr_expect_eq(count(&s, "loss.common_first"), 100);
	cr_expect_eq(count(&s, "loss.common_last"), 899);
	cr_expect_eq(count(&s, "loss.expected"), 800);
	cr_expect_eq(count(&s, "loss.missing"), 2);
	cr_expect_eq(count(&s, "loss.head_excluded"), 100);
	cr_expect_eq(count(&s, "loss.tail_excluded"), 100);
	cr_expect_eq(count(&s, "loss.head_surplus"), 90);
	cr_expect_eq(count(&s, "loss.tail_surplus"), 100);
	scene_free(&s);
}

/* ---- what can be compared -------------------------------------------------
 */

Test(pairs, nothing_in_common)
{
	struct scene s;

	scene_init(&s, 2);
	add_range(&s, 0, 0, 0, 0, 99, 0);
	add_range(&s, 1, 0, 0, 5000, 5099, 0);
	analyse(&s, 0);
	cr_expect_eq(s.result, -1);
	cr_expect_eq(s.error.fault, CD_E_DATA);
	cr_expect_not_null(strstr(s.error.what, "no packet in common"));
	cr_expect_not_null(strstr(s.error.what, "0 to 99"));
	cr_expect_not_null(strstr(s.error.what, "5000 to 5099"));
	cr_expect(found(&s, CD_CODE_NO_COMMON));
	cr_expect_str_eq(scene_null(s.report, 1, "loss.missing"),
			 "no packet in common");
	cr_expect_eq(count(&s, "loss.head_excluded"), 100);
	cr_expect_eq(count(&s, "loss.tail_surplus"), 100);
	scene_free(&s);
}

Test(pairs, one_without_any_numbers)
{
	struct scene s;

	scene_init(&s, 2);
	add_range(&s, 0, 0, 0, 0, 99, 0);
	add_foreign(&s, 1, 5 * MS);
	analyse(&s, 0);
	cr_expect_eq(s.result, -1);
	cr_expect_eq(s.error.fault, CD_E_DATA);
	cr_expect_not_null(strstr(s.error.what, "no numbers"));
	scene_free(&s);
}

Test(pairs, two_trials)
{
	struct scene s;

	scene_init(&s, 2);
	add_sampled(&s, 0, 1000, 1000, 0);
	add_sampled(&s, 1, 1000, 900000, 0);
	analyse(&s, 0);
	cr_expect_eq(s.result, -1);
	cr_expect_eq(s.error.fault, CD_E_DATA);
	cr_expect_not_null(strstr(s.error.what, "different packets"));
	cr_expect(found(&s, CD_CODE_DIFFERENT_PACKETS));
	cr_expect_eq(count(&s, "identity.checked"), 16);
	cr_expect_eq(count(&s, "identity.different"), 16);
	/* the numbers are still there to look at */
	cr_expect_eq(count(&s, "match.matched"), 1000);
	scene_free(&s);
}

Test(pairs, same_trial_is_verified)
{
	struct scene s;

	scene_init(&s, 2);
	add_sampled(&s, 0, 1000, 1000, 77);
	add_sampled(&s, 1, 1000, 1000, 77);
	s.captures[1].packets[64].digest = 78;
	analyse(&s, 0);
	cr_expect_eq(s.result, 0);
	cr_expect_eq(count(&s, "identity.different"), 1);
	cr_expect(found(&s, "content_differs"));
	cr_expect_not(found(&s, CD_CODE_UNVERIFIABLE));
	scene_free(&s);
}

/* Every number is sent twice, with another send time; of some the second
 * capture lacks the first packet. */
Test(pairs, numbers_sent_twice)
{
	struct scene s;

	scene_init(&s, 2);
	for (int64_t i = 0; i < 2000; i++)
		for (size_t k = 0; k < 2; k++) {
			struct scene_packet p = {.seq = i / 2,
						 .time_ps = i * MS};

			if (i / 2 % 64 == 0)
				p.tx = 1000 + i;
			if (k == 0 || i % 2 == 1 || i % 512 == 0)
				scene_add(&s.captures[k], p);
		}
	analyse(&s, 0);
	cr_expect_eq(s.result, 0);
	cr_expect_eq(count(&s, "identity.checked"), 16);
	cr_expect_eq(count(&s, "identity.different"), 0);
	scene_free(&s);
}

/* The same filling in every packet proves nothing. */
Test(pairs, constant_content_is_unverifiable)
{
	struct scene s;

	scene_init(&s, 2);
	add_sampled(&s, 0, 1000, 0, 77);
	add_sampled(&s, 1, 1000, 0, 77);
	analyse(&s, 0);
	cr_expect_eq(s.result, 0);
	cr_expect(found(&s, CD_CODE_UNVERIFIABLE));
	scene_free(&s);
}

Test(pairs, the_same_capture_twice)
{
	struct scene s;

	scene_init(&s, 2);
	add_range(&s, 0, 0, 0, 0, 99, 0);
	add_range(&s, 1, 0, 0, 0, 99, 0);
	analyse(&s, 0);
	cr_expect(found(&s, "same_capture"));
	/* another base, another clock */
	s.points[1].base.s += 1;
	analyse(&s, 0);
	cr_expect_not(found(&s, "same_capture"));
	/* one packet a nanosecond off */
	scene_free(&s);
	scene_init(&s, 2);
	add_range(&s, 0, 0, 0, 0, 999, 0);
	add_range(&s, 1, 0, 0, 0, 999, 0);
	s.captures[1].packets[900].time_ps += 1000;
	analyse(&s, 0);
	cr_expect_not(found(&s, "same_capture"));
	scene_free(&s);
}

/* ---- streams under other addresses ----------------------------------------
 */

Test(streams, addresses_translated)
{
	struct scene s;

	scene_init(&s, 2);
	for (uint32_t id = 0; id < 3; id++) {
		add_range(&s, 0, id, 0, 0, 99, 0);
		/* the other way round, so that order is not what matches */
		add_range(&s, 1, 2 - id, 0, 0, 89 + 2 - id, 1000);
	}
	make_points(&s);
	for (size_t i = 0; i < 3; i++)
		s.points[1].streams[i].key.src[0] = 192;
	analyse(&s, 0);
	cr_expect_eq(s.result, 0);
	cr_expect_eq(s.report->n_streams, 3);
	cr_expect(found(&s, "addresses_differ"));
	cr_expect_eq(count(&s, "match.matched"), 90 + 91 + 92);
	for (uint32_t id = 0; id < 3; id++)
		cr_expect_eq(
		    cd_report_find_stream(s.report, 1, id, "match.matched")
			->integer,
		    90 + id);
	scene_free(&s);
}
