/* Simulations as a whole: files against truth, counters, same bytes. */
#include "simfile.h"

#include <jansson.h>

#include "sim/presets.h"

#define FOLDER "/tmp/capdiff-sim-XXXXXX"

/* ---- files against the truth ---- */

/* Where the number of a scenario's packets is. */
struct numbering {
	unsigned at, width;
	bool little;
};

/* Unwrapped numbers of one file in file order; those that are far off (more
 * than an eighth of the range) are left out and counted. */
static size_t read_numbers(const struct sim_capture *c, struct numbering n,
			   int64_t first, int64_t *out, size_t *strays)
{
	unsigned bits = n.width * 8;
	int64_t range = bits >= 62 ? INT64_MAX : INT64_C(1) << bits;
	int64_t last = first;
	size_t count = 0;

	*strays = 0;
	for (size_t i = 0; i < c->n; i++) {
		const uint8_t *p = c->rows[i].data + n.at;
		uint64_t raw = n.little ? cd_le_n(p, n.width)
					: cd_be_n(p, n.width);
		int64_t step = ((int64_t)raw - last) % range;

		if (step > range / 2)
			step -= range;
		if (step < -range / 2)
			step += range;
		if (step > range / 8 || step < -range / 8) {
			++*strays;
			continue;
		}
		out[count++] = last + step;
		if (step > 0)
			last += step;
	}
	return count;
}

/* How often each number (less `base`) was seen. */
static unsigned *count_copies(const int64_t *ids, size_t n, int64_t base,
			      size_t slots)
{
	unsigned *copies = calloc(slots, sizeof(*copies));

	for (size_t i = 0; i < n; i++) {
		cr_assert(ids[i] >= base && ids[i] - base < (int64_t)slots);
		copies[ids[i] - base]++;
	}
	return copies;
}

/* Brute force: first copies in [a, b] that come after a larger one, and the
 * largest extent (RFC 4737 4.2.1). */
static uint64_t count_reordered(const int64_t *ids, size_t n, int64_t a,
				int64_t b, size_t within, uint64_t *extent)
{
	int64_t *list = malloc((n + 1) * sizeof(*list));
	uint8_t *seen = calloc((size_t)(b - a + 1), 1);
	uint64_t reordered = 0;
	size_t m = 0;

	*extent = 0;
	for (size_t i = 0; i < n && m < within; i++) {
		if (ids[i] < a || ids[i] > b || seen[ids[i] - a]++ > 0)
			continue;
		list[m] = ids[i];
		/* nothing in these scenarios is more than 200 off */
		for (size_t j = m < 200 ? 0 : m - 200; j < m; j++)
			if (list[j] > list[m]) {
				reordered++;
				if (m - j > *extent)
					*extent = m - j;
				break;
			}
		m++;
	}
	free(seen);
	free(list);
	return reordered;
}

static json_t *read_truth(const char *dir)
{
	char path[PATH_MAX];
	json_error_t error;
	json_t *truth;

	snprintf(path, sizeof(path), "%s/truth.json", dir);
	truth = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
	cr_assert_not_null(truth, "%s", error.text);
	return truth;
}

static int64_t member(const json_t *object, const char *name)
{
	json_t *v = json_object_get(object, name);

	cr_assert(json_is_integer(v), "%s", name);
	return json_integer_value(v);
}

/* "lost_runs" names exactly the numbers that R has and D lacks. */
static void check_lost_list(const json_t *stream, const unsigned *r,
			    const unsigned *d, int64_t base, int64_t a,
			    int64_t b)
{
	json_t *runs = json_object_get(stream, "lost_runs"), *run;
	int64_t next = a, longest = 0;
	size_t i;

	json_array_foreach(runs, i, run) {
		int64_t id = json_integer_value(json_array_get(run, 0));
		int64_t count = json_integer_value(json_array_get(run, 1));

		for (; next < id; next++)
			cr_assert(!(r[next - base] > 0 && d[next - base] == 0),
				  "%lld", (long long)next);
		longest = count > longest ? count : longest;
		for (; count > 0; next++) {
			cr_assert_eq(d[next - base], 0);
			count -= r[next - base] > 0;
		}
	}
	for (; next <= b; next++)
		cr_assert(!(r[next - base] > 0 && d[next - base] == 0));
	cr_assert_eq(member(stream, "longest"), longest);
	cr_assert_eq(member(stream, "runs"), (int64_t)i);
}

static void check_duplicate_list(const json_t *stream, const unsigned *d,
				 int64_t base, size_t slots)
{
	json_t *list = json_object_get(stream, "duplicated"), *one;
	size_t i, expected = 0;

	for (size_t slot = 0; slot < slots; slot++)
		expected += d[slot] > 1;
	cr_assert_eq(json_array_size(list), expected);
	json_array_foreach(list, i, one) {
		int64_t id = json_integer_value(json_array_get(one, 0));

		cr_assert_eq(d[id - base],
			     json_integer_value(json_array_get(one, 1)));
	}
}

static void check_counts(const json_t *stream, const unsigned *r,
			 const unsigned *d, int64_t base, size_t slots)
{
	const json_t *common = json_object_get(stream, "common");
	int64_t a = json_integer_value(json_array_get(common, 0));
	int64_t b = json_integer_value(json_array_get(common, 1));
	int64_t expected = 0, lost = 0, ref_miss = 0, both = 0, copies = 0;
	int64_t excess = 0, deficit = 0, head = 0, tail = 0;

	for (size_t slot = 0; slot < slots; slot++) {
		int64_t id = base + (int64_t)slot;
		bool in = id >= a && id <= b, has_r = r[slot], has_d = d[slot];

		head += has_r && id < a;
		tail += has_r && id > b;
		expected += in && has_r;
		lost += in && has_r && !has_d;
		ref_miss += in && !has_r && has_d;
		both += in && !has_r && !has_d;
		copies += in && has_d ? (int64_t)d[slot] - 1 : 0;
		excess += in && has_d && has_r && d[slot] > r[slot]
			      ? (int64_t)(d[slot] - r[slot]) : 0;
		excess += in && has_d && !has_r ? (int64_t)d[slot] - 1 : 0;
		deficit += in && has_d && r[slot] > d[slot]
			       ? (int64_t)(r[slot] - d[slot]) : 0;
	}
	cr_assert_eq(member(stream, "expected"), expected);
	cr_assert_eq(member(stream, "lost"), lost);
	cr_assert_eq(member(stream, "ref_miss"), ref_miss);
	cr_assert_eq(member(stream, "both_miss"), both);
	cr_assert_eq(member(stream, "copies"), copies);
	cr_assert_eq(member(stream, "excess"), excess);
	cr_assert_eq(member(stream, "deficit"), deficit);
	cr_assert_eq(member(stream, "head_excluded"), head);
	cr_assert_eq(member(stream, "tail_excluded"), tail);
	check_lost_list(stream, r, d, base, a, b);
	check_duplicate_list(stream, d, base, slots);
}

/* The common interval: METRICS 1.1 with the early extents of each file. */
static void check_interval(const json_t *stream, int64_t *ids[2],
			   const size_t n[2], uint64_t early[2])
{
	const json_t *common = json_object_get(stream, "common");
	int64_t a = INT64_MIN, b = INT64_MAX;

	for (int k = 0; k < 2; k++) {
		int64_t low = INT64_MAX, high = INT64_MIN;

		for (size_t i = 0; i < n[k]; i++) {
			low = ids[k][i] < low ? ids[k][i] : low;
			high = ids[k][i] > high ? ids[k][i] : high;
		}
		count_reordered(ids[k], n[k], low, high, 1000, &early[k]);
		low += (int64_t)early[k];
		a = low > a ? low : a;
		b = high < b ? high : b;
	}
	cr_assert_eq(json_integer_value(json_array_get(common, 0)), a);
	cr_assert_eq(json_integer_value(json_array_get(common, 1)), b);
}

static void check_order(const json_t *stream, const int64_t *ids, size_t n)
{
	const json_t *common = json_object_get(stream, "common");
	int64_t a = json_integer_value(json_array_get(common, 0));
	int64_t b = json_integer_value(json_array_get(common, 1));
	uint64_t extent, reordered;

	reordered = count_reordered(ids, n, a, b, SIZE_MAX, &extent);
	cr_assert_eq(member(stream, "reordered"), (int64_t)reordered);
	cr_assert_eq(json_array_size(json_object_get(stream, "reordered_ids")),
		     reordered);
	cr_assert_eq(member(stream, "extent_max"), (int64_t)extent);
}

/* Times as they stand in the file: steps back, equal neighbours. */
static void check_times(const json_t *point, const struct sim_capture *c)
{
	int64_t back = 0, equal = 0, largest = 0;

	for (size_t i = 1; i < c->n; i++) {
		int64_t d = sim_ps(&c->rows[i]) - sim_ps(&c->rows[i - 1]);

		back += d < 0;
		equal += d == 0;
		largest = -d > largest ? -d : largest;
	}
	cr_assert_eq(member(point, "steps_back"), back);
	cr_assert_eq(member(point, "equal"), equal);
	cr_assert_eq(member(point, "step_back_max_ps"), largest);
	cr_assert_eq(member(point, "records"), (int64_t)c->n);
}

static void check_scenario(const char *text, struct numbering numbering)
{
	char dir[] = FOLDER;
	const char *names[2] = {"ref.pcapng", "dut.pcapng"};
	struct sim_capture files[2];
	int64_t *ids[2];
	unsigned *copies[2];
	size_t n[2], strays[2], slots;
	uint64_t early[2];
	json_t *truth, *points, *stream, *sent;
	int64_t base;

	run_text(text, "", dir);
	truth = read_truth(dir);
	points = json_object_get(truth, "points");
	sent = json_array_get(json_object_get(truth, "streams"), 0);
	stream = json_array_get(
	    json_object_get(json_array_get(points, 1), "streams"), 0);
	base = member(sent, "first");
	slots = (size_t)(member(sent, "sent") + member(sent, "skipped"));
	for (int k = 0; k < 2; k++) {
		files[k] = sim_read(dir, names[k]);
		ids[k] = malloc((files[k].n + 1) * sizeof(int64_t));
		n[k] = read_numbers(&files[k], numbering, base, ids[k],
				    &strays[k]);
		copies[k] = count_copies(ids[k], n[k], base, slots);
		check_times(json_array_get(points, (size_t)k), &files[k]);
	}
	cr_assert_eq(strays[0], 0);
	cr_assert_eq(member(stream, "corrupt"), (int64_t)strays[1]);
	check_interval(stream, ids, n, early);
	check_counts(stream, copies[0], copies[1], base, slots);
	check_order(stream, ids[1], n[1]);
	for (int k = 0; k < 2; k++) {
		sim_release(&files[k]);
		free(ids[k]);
		free(copies[k]);
	}
	json_decref(truth);
	remove_folder(dir);
}

#define PKTGEN (struct numbering){46, 4, false}
#define RTP (struct numbering){44, 2, false}

Test(truth, every_kind_of_loss_and_disorder)
{
	check_scenario("[stream]\nrate = 60kpps\npackets = 30000\n"
		       "arrivals = poisson\n[point ref]\nloss = 0.07%\n"
		       "[point dut]\nresolution = us\nhead = 1500\ntail = 70\n"
		       "coalesce = oneshot 100us\ncost = 800ns\n"
		       "noise = exponential 20us\nring = 512\nbuffer = 2000\n"
		       "drain = 90kpps\npause = 200ms for 60ms\nloss = 0.5%\n"
		       "late = 0.3% by 3\nduplicate = 1% after 3us\n"
		       "swap = 0.5% by 5\n", PKTGEN);
}

Test(truth, sixteen_bits_that_wrap_and_are_damaged)
{
	check_scenario("[stream]\nstamp = rtp\nfirst = 65000\nsize = 128\n"
		       "rate = 20kpps\npackets = 200000\n[point ref]\n"
		       "duplicate = 0.1%\n[point dut]\nloss = 1% burst 5\n"
		       "corrupt = 0.1%\nduplicate = 0.2%\nswap = 0.1%\n",
		       RTP);
}

Test(truth, thirty_two_bits_that_wrap)
{
	check_scenario("[stream]\nfirst = 4294957296\nrate = 100kpps\n"
		       "packets = 20000\n[point ref]\n[point dut]\n"
		       "loss = at 9900-10100\nlate = 0.2% by 3\n", PKTGEN);
}

Test(truth, queues_and_skipped_numbers)
{
	check_scenario("[stream]\nrate = 100kpps\npackets = 20000\n"
		       "skip = at 5,777-786\n[point ref]\n"
		       "[point dut]\nqueues = 3 block 20\nloss = 0.1%\n",
		       PKTGEN);
}

/* In the reference's order, what the wire disordered is no fault. */
Test(truth, rank_in_the_reference)
{
	char dir[] = FOLDER;
	json_t *truth, *stream;

	run_text("[stream]\nrate = 100kpps\npackets = 5000\n"
		 "[point ref]\nlate = at 100,200 by 2\n"
		 "[point dut]\nlate = at 100,200,300 by 2\n", "", dir);
	truth = read_truth(dir);
	stream = json_array_get(
	    json_object_get(json_array_get(json_object_get(truth, "points"),
					   1), "streams"), 0);
	cr_assert_eq(member(stream, "reordered"), 1);
	cr_assert_eq(json_integer_value(json_array_get(
			 json_object_get(stream, "reordered_ids"), 0)), 301);
	json_decref(truth);
	remove_folder(dir);
}

/* ---- steps, counters, presets ---- */

Test(truth, a_step_is_located)
{
	char dir[] = FOLDER;
	json_t *truth, *point, *step;
	struct sim_capture dut;
	size_t at;

	run_text("[stream]\nspacing = 100us\npackets = 2000\n[point ref]\n"
		 "[point dut]\nstep = 7ms at 50.05ms\nppm = 10\n", "", dir);
	truth = read_truth(dir);
	point = json_array_get(json_object_get(truth, "points"), 1);
	step = json_array_get(
	    json_object_get(json_object_get(point, "clock"), "steps"), 0);
	dut = sim_read(dir, "dut.pcapng");
	/* packet 501 (ID 502) is the first after 50.05 ms */
	cr_assert_eq(member(step, "first_id"), 502);
	at = 501;
	cr_assert_eq(cd_be32(dut.rows[at].data + 46), 502);
	cr_assert_eq(sim_ps(&dut.rows[at]) - sim_ps(&dut.rows[at - 1]),
		     INT64_C(100001000) + INT64_C(7000000000));
	sim_release(&dut);
	json_decref(truth);
	remove_folder(dir);
}

Test(truth, counters_honest_told_and_absent)
{
	static const char text[] =
	    "[stream]\nrate = 100kpps\npackets = 20000\n[point ref]\n"
	    "statistics = none\n[point dut]\nring = 100\nbuffer = 500\n"
	    "stall = 20ms for 5ms\npause = 100ms for 20ms\n"
	    "drop_counts = yes\n";
	char dir[] = FOLDER, dir2[] = FOLDER;
	struct sim_capture ref, dut;
	uint64_t told = 0;

	run_text(text, "", dir);
	ref = sim_read(dir, "ref.pcapng");
	dut = sim_read(dir, "dut.pcapng");
	cr_assert_not(ref.has_isb);
	cr_assert(dut.has_isb);
	cr_assert_float_eq((double)dut.ifdrop, 400, 1);
	cr_assert_float_eq((double)dut.osdrop, 1500, 1);
	cr_assert_eq(dut.n + dut.ifdrop + dut.osdrop, 20000);
	cr_assert_eq(dut.ifrecv, 20000);
	cr_assert_eq(dut.end - dut.start, UINT64_C(1199990000)); /* ns */
	for (size_t i = 0; i < dut.n; i++)
		if (dut.rows[i].drops > 0) {
			/* told at the packet behind the gap */
			cr_assert_eq(cd_be32(dut.rows[i].data + 46) -
					 cd_be32(dut.rows[i - 1].data + 46) - 1,
				     dut.rows[i].drops);
			told += dut.rows[i].drops;
		}
	cr_assert_eq(told, dut.ifdrop + dut.osdrop);
	sim_release(&ref);
	sim_release(&dut);
	run_text(text, "dut.statistics=90;dut.run_times=no", dir2);
	dut = sim_read(dir2, "dut.pcapng");
	cr_assert_eq(dut.ifdrop, 90);
	cr_assert_eq(dut.osdrop, 0);
	cr_assert_eq(dut.start + dut.end, 0);
	sim_release(&dut);
	remove_folder(dir);
	remove_folder(dir2);
}

/* CRC-32 of all files of a run, inflated, in the order of the points. */
static uint32_t checksum(const char *text, const char *assignments)
{
	char dir[] = FOLDER;
	uLong crc = crc32(0, NULL, 0);
	json_t *truth, *points, *point;
	struct sim_bytes b;
	size_t i;

	run_text(text, assignments, dir);
	truth = read_truth(dir);
	points = json_object_get(truth, "points");
	json_array_foreach(points, i, point) {
		b = slurp(dir, json_string_value(
				   json_object_get(point, "file")));
		crc = crc32(crc, b.p, (uInt)b.n);
		free(b.p);
	}
	b = slurp(dir, "truth.json");
	crc = crc32(crc, b.p, (uInt)b.n);
	free(b.p);
	json_decref(truth);
	remove_folder(dir);
	return (uint32_t)crc;
}

/* The same bytes on every platform: these sums change only when the simulator
 * is changed on purpose. */
Test(presets, golden_checksums)
{
	static const struct {
		const char *name;
		uint32_t crc;
	} golden[] = {{"laptop-1g", 0xb708b7a4},
		      {"hardware-tap", 0xf03db8d0},
		      {"vm-guest", 0xea7a591b},
		      {"sniffer-10g", 0xa03f670c}};

	for (size_t i = 0; i < sizeof(golden) / sizeof(golden[0]); i++) {
		const struct cd_preset *p = cd_preset_find(golden[i].name);

		cr_expect_eq(checksum(p->text, "packets=3000"), golden[i].crc,
			     "%s: %#x", p->name,
			     (unsigned)checksum(p->text, "packets=3000"));
	}
}

Test(presets, a_seed_is_a_run)
{
	const char *text = cd_preset_find("vm-guest")->text;
	uint32_t one = checksum(text, "packets=2000;seed=5");

	cr_assert_eq(checksum(text, "packets=2000;seed=5"), one);
	cr_assert_neq(checksum(text, "packets=2000;seed=6"), one);
}

Test(presets, a_point_does_not_disturb_the_others)
{
	static const char text[] = "[stream]\nrate = 10kpps\npackets = 1000\n"
				   "[point a]\nnoise = gauss 1us\nloss = 1%\n";
	char one[] = FOLDER, two[] = FOLDER, more[512];
	struct sim_bytes a, b;

	snprintf(more, sizeof(more), "%s[point b]\nnoise = gauss 1us\n", text);
	run_text(text, "", one);
	run_text(more, "", two);
	a = slurp(one, "a.pcapng");
	b = slurp(two, "a.pcapng");
	cr_assert_eq(a.n, b.n);
	cr_assert_arr_eq(a.p, b.p, a.n);
	free(a.p);
	free(b.p);
	remove_folder(one);
	remove_folder(two);
}
