/* Reading the real captures that may be found beside the sources: records,
 * copies and ranges as an independent program counted them. */
#include "config.h"

#include <jansson.h>
#include <stdio.h>
#include <sys/stat.h>

#include "ingesting.h"

static const char *shared_path(void)
{
	static char path[1024];
	const char *shared = getenv("CAPDIFF_SHARED");
	const char *srcdir = getenv("srcdir");
	struct stat st;

	if (shared == NULL)
		snprintf(path, sizeof(path), "%s/../shared",
			 srcdir == NULL ? "." : srcdir);
	else
		snprintf(path, sizeof(path), "%s", shared);
	return stat(path, &st) == 0 ? path : NULL;
}

static uint64_t number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	cr_assert(json_is_integer(value), "%s", key);
	return (uint64_t)json_integer_value(value);
}

/* The stream of the truth with as many records in both captures. */
static const json_t *find_truth(const json_t *truth, uint64_t ref, uint64_t dut)
{
	const json_t *streams = json_object_get(truth, "streams"), *s;
	size_t i;

	json_array_foreach(streams, i, s)
		if (number(s, "ref_records") == ref &&
		    number(s, "dut_records") == dut)
			return s;
	return NULL;
}

static size_t copies_of(const struct cd_stream *stream)
{
	size_t n;

	cd_track_copies(stream->epochs[0], &n);
	return n;
}

static void check_stream(const struct cd_stream *ref,
			 const struct cd_stream *dut, const json_t *truth)
{
	const json_t *t = find_truth(truth, ref->packets, dut->packets);
	const json_t *common;
	int64_t f[2], l[2], e[2], a;

	cr_assert_not_null(t);
	cr_assert_eq(ref->n_epochs, 1);
	cr_assert_eq(dut->n_epochs, 1);
	cr_assert_eq(ref->strays + dut->strays, 0);
	cr_assert_not(ref->wrap_ambiguous || dut->wrap_ambiguous);
	cr_assert_eq(copies_of(ref), number(t, "ref_dup"));
	cr_assert_eq(copies_of(dut), number(t, "dut_dup"));
	cr_assert_eq(dut->steps_back, number(t, "dut_ts_negative"));
	cr_assert(cd_track_range(ref->epochs[0], &f[0], &l[0]));
	cr_assert(cd_track_range(dut->epochs[0], &f[1], &l[1]));
	e[0] = (int64_t)cd_track_head_extent(ref->epochs[0], 1000);
	e[1] = (int64_t)cd_track_head_extent(dut->epochs[0], 1000);
	a = f[0] + e[0] > f[1] + e[1] ? f[0] + e[0] : f[1] + e[1];
	common = json_object_get(t, "common");
	cr_assert_eq(a, json_integer_value(json_array_get(common, 0)));
	cr_assert_eq(l[0] < l[1] ? l[0] : l[1],
		     json_integer_value(json_array_get(common, 1)));
}

static void check_run(const char *shared, const char *name, bool pcapng)
{
	char path[3][1200], *paths[] = {path[0], path[1]};
	struct reading *r;
	json_t *truth;

	snprintf(path[0], sizeof(path[0]), "%s/lab/%s/ref.pcap.gz", shared,
		 name);
	snprintf(path[1], sizeof(path[1]), "%s/lab/%s/dut.pcap%s.gz", shared,
		 name, pcapng ? "ng" : "");
	snprintf(path[2], sizeof(path[2]), "%s/lab/%s/truth.json", shared,
		 name);
	truth = json_load_file(path[2], 0, NULL);
	cr_assert_not_null(truth, "%s", path[2]);
	r = new_reading(2, paths);
	must_read(r);
	cr_assert_str_eq(r->result.spec.format->name,
			 json_string_value(json_object_get(truth, "stamp")));
	cr_assert_eq(r->points[0].compression, CD_GZIP);
	cr_assert_eq(r->points[0].n_streams,
		     json_array_size(json_object_get(truth, "streams")));
	for (size_t i = 0; i < r->points[0].n_streams; i++) {
		const struct cd_stream *ref = &r->points[0].streams[i];
		const struct cd_stream *dut =
		    cd_point_stream(&r->points[1], &ref->key);

		cr_assert_not_null(dut);
		check_stream(ref, dut, truth);
	}
	end_reading(r);
	json_decref(truth);
}

Test(ingest_lab, as_counted_by_another_program)
{
	static const struct {
		const char *name;
		bool pcapng;
	} runs[] = {
	    {"derived_clock", false},	   {"derived_messy", false},
	    {"derived_step", false},	   {"iperf2", true},
	    {"iperf3", false},		   {"mgen_drop", false},
	    {"pingflood", false},	   {"pktgen_1514_20000", false},
	    {"pktgen_1514_80000", false},  {"pktgen_512_100000", false},
	    {"pktgen_512_20000", false},   {"pktgen_64_20000", false},
	    {"pktgen_64_200000", false},   {"rtp", true},
	    {"sockperf", false},
	};
	const char *shared = shared_path();

	if (shared == NULL)
		cr_skip_test("no captures beside the sources");
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++)
		check_run(shared, runs[i].name, runs[i].pcapng);
}
