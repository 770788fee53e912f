/* Marks of time stamps and deltas against the errors that were put in. */
#include "metric_times.h"

#include "metric/marks.h"

/* The marks of one kind, by frame; release with free(). */
static struct cd_mark *marks_of(const struct rig *rig, enum cd_mark_kind kind,
				size_t *n)
{
	struct cd_marks marks = {0};
	struct cd_mark *found;

	cr_assert_eq(cd_marks_of_pair(&rig->analysis, &rig->pair, &marks), 0);
	cd_marks_sort(&marks);
	found = malloc((marks.n + 1) * sizeof(*found));
	*n = 0;
	for (size_t i = 0; i < marks.n; i++)
		if (marks.items[i].kind == kind)
			found[(*n)++] = marks.items[i];
	cd_marks_release(&marks);
	return found;
}

/* Every 100th packet is late, each more than the one before: the hundred worst
 * are the last hundred. Packet 501 is missing, so frames are numbers. */
Test(metric_marks, the_worst_stamps)
{
	struct times t = make_times(20000, 10 * US);
	struct cd_mark *marks;
	struct rig rig;
	size_t n;

	for (size_t i = 0; i < t.n; i += 100)
		t.dut[i] += (int64_t)(i + 100) * 50 * NS;
	t.dut[501] = LOST;
	run_times(&rig, &t);
	marks = marks_of(&rig, CD_MARK_STAMP, &n);
	cr_assert_eq(n, CD_WORST_STAMPS);
	for (size_t i = 0; i < n; i++) {
		int64_t seq = 10000 + 100 * (int64_t)i;

		cr_expect_eq(marks[i].seq, seq);
		cr_expect_eq(marks[i].other, (seq + 100) * 50 * NS);
		cr_expect_eq(marks[i].frame, (uint64_t)seq);
	}
	free(marks);
	rig_release(&rig);
	free_times(&t);
}

/* Of equals the first. */
Test(metric_marks, stamps_that_are_equally_wrong)
{
	struct times t = make_times(20000, 10 * US);
	struct cd_mark *marks;
	struct rig rig;
	size_t n;

	for (size_t i = 0; i < t.n; i += 100)
		t.dut[i] += 200 * US;
	run_times(&rig, &t);
	marks = marks_of(&rig, CD_MARK_STAMP, &n);
	cr_assert_eq(n, CD_WORST_STAMPS);
	for (size_t i = 0; i < n; i++)
		cr_expect_eq(marks[i].seq, 100 * (int64_t)i);
	free(marks);
	rig_release(&rig);
	free_times(&t);
}

/* At the limit and just above it; the last one returns by small steps. */
static void delay(struct times *t, int64_t limit)
{
	t->dut[5000] += limit;
	t->dut[7000] += limit + 1 * NS;
	for (int64_t i = 0; i < 10; i++)
		t->dut[9000 + i] += 5 * limit - i * limit / 2;
}

Test(metric_marks, stamps_above_the_limit_and_the_worst_delta)
{
	static const int64_t seqs[] = {7000, 9000, 9001, 9002, 9003,
				       9004, 9005, 9006, 9007};
	struct times t = make_times(20000, 10 * US);
	struct cd_mark *marks;
	struct rig rig;
	size_t n;

	delay(&t, 1 * US);
	run_times(&rig, &t);
	cr_assert_eq(rig.pair.lim_ps, 1 * US);
	marks = marks_of(&rig, CD_MARK_STAMP, &n);
	cr_assert_eq(n, sizeof(seqs) / sizeof(*seqs));
	for (size_t i = 0; i < n; i++)
		cr_expect_eq(marks[i].seq, seqs[i]);
	free(marks);
	marks = marks_of(&rig, CD_MARK_DELTA, &n);
	cr_assert_eq(n, 1);
	cr_expect_eq(marks->seq, 9000);
	cr_expect_eq(marks->frame, 9001);
	cr_expect_eq(marks->other, 15 * US);
	cr_expect_eq(marks->n, (uint64_t)(10 * US));
	free(marks);
	rig_release(&rig);
	free_times(&t);
}

Test(metric_marks, nothing_within_the_limit)
{
	struct times t = make_times(20000, 10 * US);
	struct cd_mark *marks;
	struct rig rig;
	size_t n;

	t.dut[5000] += 1 * US;
	run_times(&rig, &t);
	for (int kind = CD_MARK_GAP; kind <= CD_MARK_DELTA; kind++) {
		marks = marks_of(&rig, (enum cd_mark_kind)kind, &n);
		cr_expect_eq(n, 0, "%zu of kind %d", n, kind);
		free(marks);
	}
	rig_release(&rig);
	free_times(&t);
}
