/*
 * Real captures against drifts, residuals and deltas that an independent
 * program computed (lab/README.md of the shared collection). Skipped where the
 * collection is not there.
 */
#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "lab_files.h"

/* Per stream of the pair, in the key's unit. */
static bool find_number(const struct lab *lab, uint32_t point, uint32_t stream,
			const char *name, double *number)
{
	const struct cd_report *report = lab->pair.report;
	const struct cd_value *value;

	if (report->n_streams == 1)
		stream = CD_NO_STREAM;
	value = cd_report_find_stream(report, point, stream, name);
	cr_assert_not_null(value, "%s", name);
	return cd_value_number(value, number);
}

/* A null stands where n does not support a percentile; the independent program
 * printed those all the same. */
static void expect_near(const struct lab *lab, uint32_t point, uint32_t stream,
			const char *name, const json_t *truth, double tolerance)
{
	double number = NAN;

	if (!find_number(lab, point, stream, name, &number))
		return;
	cr_expect(fabs(number - json_number_value(truth)) <= tolerance,
		  "%s %s is %.6f, not %.6f", lab->name, name, number,
		  json_number_value(truth));
}

struct line {
	const char *truth, *value;
};

static void check_deltas(const struct lab *lab, uint32_t point, uint32_t stream,
			 const json_t *truth)
{
	static const struct line lines[] = {{"min", "delta.min_ns"},
					    {"p50", "delta.p50_ns"},
					    {"p99", "delta.p99_ns"},
					    {"p999", "delta.p99_9_ns"},
					    {"max", "delta.max_ns"}};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		expect_near(lab, point, stream, lines[i].value,
			    json_object_get(truth, lines[i].truth), 0);
}

/* The other program cut its percentiles of r to whole ns. */
static void check_residuals(const struct lab *lab, uint32_t stream,
			    const json_t *truth, double tolerance)
{
	static const struct line lines[] = {{"min", "time.residual.min_ns"},
					    {"p0_1", "time.residual.p0_1_ns"},
					    {"p1", "time.residual.p1_ns"},
					    {"p50", "time.residual.p50_ns"},
					    {"p99", "time.residual.p99_ns"},
					    {"p99_9", "time.residual.p99_9_ns"},
					    {"max", "time.residual.max_ns"}};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		expect_near(lab, 1, stream, lines[i].value,
			    json_object_get(truth, lines[i].truth), tolerance);
}

static uint32_t stream_of(const struct lab *lab, const json_t *truth)
{
	json_t *ref = json_object_get(truth, "ref_records");
	json_t *dut = json_object_get(truth, "dut_records");

	return pair_stream(&lab->pair, (uint64_t)json_integer_value(ref),
			   (uint64_t)json_integer_value(dut));
}

/* Its deltas of the reference are those of matched packets: ours of all. */
static bool same_reference_deltas(const json_t *truth)
{
	return json_integer_value(json_object_get(truth, "lost")) == 0 &&
	       json_integer_value(json_object_get(truth, "ref_miss")) == 0;
}

static void check_stream(const struct lab *lab, const json_t *truth)
{
	uint32_t stream = stream_of(lab, truth);
	bool shared_clock = lab->pair.report->n_streams > 1;

	check_deltas(lab, 1, stream, json_object_get(truth, "dut_delta"));
	if (same_reference_deltas(truth))
		check_deltas(lab, 0, stream,
			     json_object_get(truth, "ref_delta"));
	if (json_object_get(truth, "res") == NULL)
		return; /* a step was added */
	/* two streams share one drift, which moves their ends by 0.1 us */
	check_residuals(lab, stream, json_object_get(truth, "res"),
			shared_clock ? 200 : 1);
	expect_near(lab, 1, stream, "delta_error.false_share",
		    json_object_get(truth, "I"), 1e-6);
	expect_near(lab, 1, stream, "delta_error.mean_abs_ns",
		    json_object_get(truth, "eps_abs_mean"), 0.05);
	expect_near(lab, 1, stream, "delta_error.max_abs_ns",
		    json_object_get(truth, "eps_abs_max"), 0.05);
	expect_near(lab, 1, stream, "delta_error.pairs",
		    json_object_get(truth, "pairs"), 0);
	expect_near(lab, 1, CD_NO_STREAM, "clock.drift_ppm",
		    json_object_get(truth, "skew_ppm"),
		    shared_clock ? 0.6 : 1e-4);
	expect_near(lab, 1, CD_NO_STREAM, "clock.drift_ols_ppm",
		    json_object_get(truth, "ols_ppm"),
		    shared_clock ? 0.6 : 1e-4);
}

Test(lab_time, numbers_are_those_of_an_independent_program)
{
	for (size_t i = 0; i < LAB_COUNT; i++) {
		struct lab lab;
		json_t *streams;

		if (!lab_open(&lab, lab_names[i]))
			cr_skip_test("no shared collection");
		lab_analyse(&lab, 0);
		streams = json_object_get(lab.truth, "streams");
		for (size_t k = 0; k < json_array_size(streams); k++)
			check_stream(&lab, json_array_get(streams, k));
		lab_release(&lab);
	}
}

static double whole(const struct lab *lab, const char *name)
{
	double number = NAN;

	cr_assert(find_number(lab, 1, CD_NO_STREAM, name, &number), "%s", name);
	return number;
}

Test(lab_time, a_clock_that_was_changed)
{
	struct lab lab;

	if (!lab_open(&lab, "derived_clock"))
		cr_skip_test("no shared collection");
	lab_analyse(&lab, 0);
	/* added to a pair that shared one clock */
	cr_expect_float_eq(whole(&lab, "clock.drift_ppm"), 43.21, 0.01);
	cr_expect_float_eq(whole(&lab, "clock.offset_ns"), 5855128937, 1000);
	cr_expect_eq(whole(&lab, "clock.steps"), 0);
	lab_release(&lab);
}

Test(lab_time, a_clock_that_was_stepped)
{
	struct lab lab;

	if (!lab_open(&lab, "derived_step"))
		cr_skip_test("no shared collection");
	lab_analyse(&lab, 0);
	cr_expect_eq(whole(&lab, "clock.steps"), 1);
	cr_expect_float_eq(whole(&lab, "clock.step_max_ns"), -3e6, 200);
	/* record 50,639 of the file, four of other traffic before it */
	cr_expect_float_eq(whole(&lab, "clock.step_max_seq"), 50636, 1);
	cr_expect_float_eq(whole(&lab, "clock.drift_ppm"), -7.5, 0.05);
	cr_expect_eq(whole(&lab, "delta_error.pairs"), 99998);
	lab_release(&lab);
}

Test(lab_time, one_clock_needs_no_step)
{
	for (size_t i = 0; i < LAB_COUNT; i++) {
		struct lab lab;

		if (strcmp(lab_names[i], "derived_step") == 0)
			continue;
		if (!lab_open(&lab, lab_names[i]))
			cr_skip_test("no shared collection");
		lab_analyse(&lab, 0);
		cr_expect_eq(whole(&lab, "clock.steps"), 0, "%s", lab.name);
		lab_release(&lab);
	}
}
