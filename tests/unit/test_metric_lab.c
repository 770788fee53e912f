/*
 * Real captures that really lost packets, against counts that an independent
 * program made of them (lab/README.md of the shared collection). Skipped where
 * the collection is not there.
 */
#include <jansson.h>

#include "lab_files.h"

/* Truth does not promote what the evidence says (README). */
static void check_stream(const struct lab *lab, const char *name,
			 const json_t *truth)
{
	static const struct {
		const char *truth, *value;
		int promoted; /* times the packets promoted to loss */
	} lines[] = {
	    {"expected", "loss.expected", -1},
	    {"lost", "loss.missing", -1},
	    {"ref_miss", "loss.ref_miss", 0},
	    {"head_excluded", "loss.head_excluded", 0},
	    {"tail_excluded", "loss.tail_excluded", 1},
	    {"matched", "match.matched", 0},
	    {"dut_dup", "duplicate.copies", 0},
	    {"reordered_file", "order.reordered_file", 0},
	    {"dut_ts_negative", "time.steps_back", 0},
	    {"dut_ts_zero", "time.equal", 0},
	};
	const struct pair_files *pair = &lab->pair;
	uint32_t stream = pair_stream(
	    pair,
	    (uint64_t)json_integer_value(json_object_get(truth, "ref_records")),
	    (uint64_t)json_integer_value(
		json_object_get(truth, "dut_records")));
	int64_t promoted = pair_value(pair, stream, "loss.tail_lost");
	json_t *common = json_object_get(truth, "common");

	cr_expect_eq(pair_value(pair, stream, "loss.head_lost"), 0);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		json_int_t want =
		    json_integer_value(json_object_get(truth, lines[i].truth));
		int64_t got = pair_value(pair, stream, lines[i].value) +
			      lines[i].promoted * promoted;

		cr_expect_eq(got, want, "%s: %s is %lld, not %lld", name,
			     lines[i].value, (long long)got, (long long)want);
	}
	cr_expect_eq(pair_value(pair, stream, "loss.runs") - (promoted > 0),
		     json_integer_value(json_object_get(truth, "loss_runs")),
		     "%s", name);
	cr_expect_geq(pair_value(pair, stream, "loss.longest_run"),
		      json_integer_value(json_object_get(truth, "longest_run")),
		      "%s", name);
	cr_expect_eq(pair_value(pair, stream, "loss.common_first"),
		     json_integer_value(json_array_get(common, 0)), "%s", name);
	cr_expect_eq(pair_value(pair, stream, "loss.common_last"),
		     json_integer_value(json_array_get(common, 1)), "%s", name);
}

Test(lab, counts_are_those_of_an_independent_program)
{
	for (size_t i = 0; i < LAB_COUNT; i++) {
		struct lab lab;
		json_t *streams;

		if (!lab_open(&lab, lab_names[i]))
			cr_skip_test("no shared collection");
		lab_analyse(&lab, 0);
		streams = json_object_get(lab.truth, "streams");
		cr_expect_eq(lab.pair.report->n_streams,
			     json_array_size(streams), "%s", lab_names[i]);
		for (size_t k = 0; k < json_array_size(streams); k++)
			check_stream(&lab, lab_names[i],
				     json_array_get(streams, k));
		lab_release(&lab);
	}
}

static int64_t whole(const struct cd_report *report, uint32_t point,
		     const char *name)
{
	const struct cd_value *v = cd_report_find(report, point, name);

	cr_assert(v != NULL && v->kind != CD_VALUE_NULL, "%s", name);
	return v->integer;
}

/* Roles changed, with promotion and the clocks that were fitted for it. */
Test(lab, roles_swapped)
{
	static const char *const some[] = {"derived_messy", "mgen_drop",
					   "pingflood", "sockperf"};
	static const char *const mirrored[][2] = {
	    {"loss.missing", "loss.ref_miss"},
	    {"loss.ref_miss", "loss.missing"},
	    {"loss.head_excluded", "loss.head_surplus"},
	    {"loss.tail_excluded", "loss.tail_surplus"},
	    {"match.matched", "match.matched"},
	};

	for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
		struct cd_report *there;
		struct lab lab;

		if (!lab_open(&lab, some[i]))
			cr_skip_test("no shared collection");
		lab_analyse(&lab, 0);
		there = lab.pair.report;
		lab.pair.report = NULL;
		lab_analyse(&lab, 1);
		for (size_t k = 0; k < sizeof(mirrored) / sizeof(mirrored[0]);
		     k++)
			cr_expect_eq(whole(there, 1, mirrored[k][0]),
				     whole(lab.pair.report, 0, mirrored[k][1]),
				     "%s: %s", some[i], mirrored[k][0]);
		cd_report_free(there);
		lab_release(&lab);
	}
}
