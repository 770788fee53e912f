/* Counts by the examples of the standards. */
#include "count_scene.h"

/* ---- a pair of captures, analysed -----------------------------------------
 */

/* Numbers in file order at 1 ms each; ends with -1. */
static void add_numbers(struct scene *s, size_t k, const int64_t *numbers)
{
	for (size_t i = 0; numbers[i] >= 0; i++)
		scene_add(&s->captures[k],
			  (struct scene_packet){.seq = numbers[i],
						.time_ps = (int64_t)i * MS});
}

/* Numbers first..last, each at its own millisecond. */
static void add_range(struct scene *s, size_t k, int64_t first, int64_t last)
{
	for (int64_t seq = first; seq <= last; seq++)
		scene_add(
		    &s->captures[k],
		    (struct scene_packet){.seq = seq, .time_ps = seq * MS});
}

/* ---- examples of the standards --------------------------------------------
 */

/* RFC 3357 5.4.3: of ten packets the 2nd, 5th, 7th, 9th and 10th are lost; an
 * eleventh ends the last period. Periods 1 to 4, the last of two packets. */
Test(loss, rfc3357_periods)
{
	struct scene s;

	scene_init(&s, 2);
	add_range(&s, 0, 1, 11);
	add_numbers(&s, 1, (const int64_t[]){1, 3, 4, 6, 8, 11, -1});
	analyse(&s, 0);
	cr_expect_eq(s.result, 0);
	cr_expect_eq(count(&s, "loss.missing"), 5);
	cr_expect_eq(count(&s, "loss.expected"), 11);
	cr_expect_eq(count(&s, "loss.runs"), 4);
	cr_expect_eq(count(&s, "loss.single_runs"), 3);
	cr_expect_eq(count(&s, "loss.longest_run"), 2);
	cr_expect_eq(count(&s, "loss.longest_first_seq"), 9);
	cr_expect_eq(count(&s, "loss.longest_last_seq"), 10);
	cr_expect_eq(count(&s, "loss.longest_frame"), 6);
	/* packets 8 and 11 of the reference */
	cr_expect_eq(count(&s, "loss.longest_outage_ns"), 3 * MS);
	cr_expect_eq(count(&s, "loss.longest_at_ns"), 7 * MS);
	cr_expect_eq(count(&s, "loss.bursts"), 1);
	cr_expect_float_eq(scene_real(s.report, 1, "loss.mean_run"), 1.25,
			   1e-12);
	/* 4 of 5 received packets with a successor are followed by a lost one,
	 * 4 of 5 lost ones by a received one */
	cr_expect_float_eq(scene_real(s.report, 1, "loss.p_good_bad"), 0.8,
			   1e-12);
	cr_expect_float_eq(scene_real(s.report, 1, "loss.p_bad_good"), 0.8,
			   1e-12);
	scene_free(&s);
}

/* RFC 5560 5.3, cases 1 to 4: fraction of duplication and replicated packets
 * of four. */
Test(duplicate, rfc5560_cases)
{
	static const struct {
		int64_t numbers[16];
		double fraction;
		int64_t replicated;
	} cases[] = {
	    {{1, 2, 3, 4, -1}, 0, 0},
	    {{1, 1, 2, 2, 3, 3, 4, 4, -1}, 1, 4},
	    {{1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, -1}, 2, 4},
	    {{1, 1, 1, 2, 3, 3, 3, 4, -1}, 1, 2},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct scene s;

		scene_init(&s, 2);
		add_range(&s, 0, 1, 4);
		add_numbers(&s, 1, cases[i].numbers);
		analyse(&s, 0);
		cr_expect_float_eq(scene_real(s.report, 1, "duplicate.ratio"),
				   cases[i].fraction, 1e-12);
		cr_expect_eq(count(&s, "duplicate.replicated"),
			     cases[i].replicated);
		cr_expect_eq(count(&s, "duplicate.copies"),
			     (int64_t)(cases[i].fraction * 4));
		cr_expect_eq(count(&s, "duplicate.excess"),
			     (int64_t)(cases[i].fraction * 4));
		cr_expect_eq(count(&s, "loss.missing"), 0);
		scene_free(&s);
	}
}

/* RFC 4737 7.1 to 7.3: packet 4; 5 and 6; 4, 5 and 6 reordered. Behind the
 * packets that the common interval is found by (METRICS 1.1). */
Test(order, rfc4737_examples)
{
	static const struct {
		int64_t numbers[16];
		int64_t reordered, extent, n, moves;
	} cases[] = {
	    {{1, 2, 3, 5, 6, 7, 8, 4, 9, 10, -1}, 1, 4, 4, 1},
	    {{1, 2, 3, 4, 7, 5, 6, 8, 9, 10, -1}, 2, 2, 1, 1},
	    {{1, 2, 3, 7, 8, 9, 10, 4, 5, 6, 11, -1}, 3, 6, 4, 3},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct scene s;

		scene_init(&s, 2);
		add_range(&s, 0, -1200, 11);
		add_range(&s, 1, -1200, 0);
		add_numbers(&s, 1, cases[i].numbers);
		analyse(&s, 0);
		cr_expect_eq(count(&s, "order.reordered_file"),
			     cases[i].reordered);
		cr_expect_eq(count(&s, "order.extent_max"), cases[i].extent);
		cr_expect_eq(count(&s, "order.n_max"), cases[i].n);
		cr_expect_eq(count(&s, "order.moves"), cases[i].moves);
		/* one packet a millisecond */
		cr_expect_eq(count(&s, "order.late_max_ns"),
			     cases[i].extent * MS);
		scene_free(&s);
	}
}
