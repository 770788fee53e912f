#include "scene.h"

#include <math.h>

#include "metric/edges.h"
#include "report/codes.h"

/* ---- scenes ---------------------------------------------------------------
 */

struct scene {
	struct scene_capture captures[3];
	struct cd_point points[3];
	size_t n;
	struct cd_metric_options options;
	struct cd_report *report;
	struct cd_error error;
	int result;
};

static const char *const labels[] = {"ref", "dut", "third"};

static void scene_init(struct scene *s, size_t n)
{
	*s = (struct scene){.n = n, .options = scene_options()};
}

static void make_points(struct scene *s)
{
	for (size_t k = 0; k < s->n; k++)
		if (s->points[k].label == NULL)
			s->points[k] = scene_point(labels[k], &s->captures[k]);
}

static void analyse(struct scene *s, uint32_t reference)
{
	make_points(s);
	cd_report_free(s->report);
	s->report = scene_report(s->points, s->n, reference);
	s->error = (struct cd_error){0};
	s->result = cd_analyse(s->points, s->n, reference, &s->options,
			       s->report, &s->error);
	cr_assert_not(s->report->bad);
}

static void scene_free(struct scene *s)
{
	for (size_t k = 0; k < s->n; k++) {
		free(s->captures[k].packets);
		scene_release(&s->points[k]);
	}
	cd_report_free(s->report);
}

/* Numbers first..last of a stream and epoch, from `at_ps` on, 1 ms apart. */
static void add_range(struct scene *s, size_t k, uint32_t stream,
		      uint32_t epoch, int64_t first, int64_t last,
		      int64_t at_ps)
{
	for (int64_t seq = first; seq <= last; seq++)
		scene_add(&s->captures[k],
			  (struct scene_packet){
			      .stream = stream,
			      .epoch = epoch,
			      .seq = seq,
			      .time_ps = at_ps + (seq - first) * MS,
			  });
}

static int64_t count(const struct scene *s, const char *name)
{
	return scene_count(s->report, 1, name);
}

static bool found(const struct scene *s, const char *code)
{
	return cd_report_has_finding(s->report, code, 1);
}

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

/* Samples of 64: send times `tx` apart, contents all alike if `digest`. */
static void add_sampled(struct scene *s, size_t k, int64_t n, int64_t tx,
			uint64_t digest)
{
	for (int64_t i = 0; i < n; i++) {
		struct scene_packet p = {.seq = i, .time_ps = i * MS};

		if (i % 64 == 0) {
			p.tx = tx == 0 ? 0 : tx + i;
			p.digest = digest;
		}
		scene_add(&s->captures[k], p);
	}
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
