/* Simulated capture points, whose truth file says what really happened. */
#include <jansson.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pair_files.h"

/* ---- running capsim -------------------------------------------------------
 */

struct sim {
	char folder[300];
	json_t *truth;
	struct pair_files pair;
	bool unordered; /* leave the order out */
};

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	cr_assert_not_null(file);
	cr_assert_geq(fputs(text, file), 0);
	cr_assert_eq(fclose(file), 0);
}

static void sim_run(struct sim *sim, const char *scenario)
{
	const char *top = getenv("top_builddir"), *capsim = getenv("CAPSIM");
	char path[400], command[2000];

	*sim = (struct sim){.truth = NULL};
	snprintf(sim->folder, sizeof(sim->folder), "%s/metric_sim.XXXXXX",
		 top == NULL ? "." : top);
	cr_assert_not_null(mkdtemp(sim->folder));
	snprintf(path, sizeof(path), "%s/scenario", sim->folder);
	write_text(path, scenario);
	snprintf(command, sizeof(command), "'%s' -o '%s' '%s' > /dev/null",
		 capsim == NULL ? "./capsim" : capsim, sim->folder, path);
	cr_assert_eq(system(command), 0, "%s", command);
	unlink(path);
	snprintf(path, sizeof(path), "%s/truth.json", sim->folder);
	sim->truth = json_load_file(path, 0, NULL);
	cr_assert_not_null(sim->truth);
	unlink(path);
	snprintf(sim->pair.paths[0], sizeof(sim->pair.paths[0]),
		 "%s/ref.pcapng", sim->folder);
	snprintf(sim->pair.paths[1], sizeof(sim->pair.paths[1]),
		 "%s/dut.pcapng", sim->folder);
}

static void sim_release(struct sim *sim)
{
	json_decref(sim->truth);
	pair_release(&sim->pair);
	for (size_t k = 0; k < 2; k++)
		unlink(sim->pair.paths[k]);
	rmdir(sim->folder);
}

/* ---- truth ----------------------------------------------------------------
 */

static json_t *point_of(const struct sim *sim, size_t k)
{
	return json_array_get(json_object_get(sim->truth, "points"), k);
}

static int64_t number(const json_t *object, const char *name)
{
	json_t *value = json_object_get(object, name);

	cr_assert(json_is_integer(value), "truth has no %s", name);
	return json_integer_value(value);
}

static json_t *stream_of(const struct sim *sim, size_t k, size_t stream)
{
	return json_array_get(json_object_get(point_of(sim, k), "streams"),
			      stream);
}

/* Truth knows no evidence: what is promoted to loss is there excluded. */
static void check_stream(const struct sim *sim, size_t i, int line)
{
	static const struct {
		const char *truth, *value;
		int head, tail; /* times the packets promoted at either end */
	} lines[] = {
	    {"expected", "loss.expected", -1, -1},
	    {"lost", "loss.missing", -1, -1},
	    {"both_miss", "loss.both_miss", 0, 0},
	    {"head_excluded", "loss.head_excluded", 1, 0},
	    {"tail_excluded", "loss.tail_excluded", 0, 1},
	    {"runs", "loss.runs", 0, 0},
	    {"copies", "duplicate.copies", 0, 0},
	    {"excess", "duplicate.excess", 0, 0},
	    {"deficit", "duplicate.deficit", 0, 0},
	    {"reordered", "order.reordered_file", 0, 0},
	    {"extent_max", "order.extent_max", 0, 0},
	};
	size_t n = sizeof(lines) / sizeof(lines[0]) - (sim->unordered ? 2 : 0);
	json_t *truth = stream_of(sim, 1, i);
	uint32_t stream = pair_stream(
	    &sim->pair, (uint64_t)number(stream_of(sim, 0, i), "records"),
	    (uint64_t)number(truth, "records"));
	int64_t head = pair_value(&sim->pair, stream, "loss.head_lost");
	int64_t tail = pair_value(&sim->pair, stream, "loss.tail_lost");

	for (size_t k = 0; k < n; k++) {
		int64_t got = pair_value(&sim->pair, stream, lines[k].value) +
			      lines[k].head * head + lines[k].tail * tail;

		if (strcmp(lines[k].value, "loss.runs") == 0)
			got -= (head > 0) + (tail > 0);
		cr_expect_eq(got, number(truth, lines[k].truth),
			     "line %d: %s is %lld, not %lld", line,
			     lines[k].value, (long long)got,
			     (long long)number(truth, lines[k].truth));
	}
}

static void check(struct sim *sim, int line)
{
	size_t n = json_array_size(json_object_get(sim->truth, "streams"));

	pair_analyse(&sim->pair, 0);
	cr_assert_eq(sim->pair.result, 0, "line %d: %s", line,
		     sim->pair.error.what);
	cr_expect_eq(sim->pair.report->n_streams, n, "line %d", line);
	for (size_t i = 0; i < n; i++)
		check_stream(sim, i, line);
}

#define CHECK(scenario)                                                        \
	do {                                                                   \
		struct sim sim;                                                \
                                                                               \
		sim_run(&sim, scenario);                                       \
		check(&sim, __LINE__);                                         \
		sim_release(&sim);                                             \
	} while (0)

/* All but the order: truth's runs over the restarts. */
#define CHECK_UNORDERED(scenario)                                              \
	do {                                                                   \
		struct sim sim;                                                \
                                                                               \
		sim_run(&sim, scenario);                                       \
		sim.unordered = true;                                          \
		check(&sim, __LINE__);                                         \
		sim_release(&sim);                                             \
	} while (0)

/* ---- scenarios ------------------------------------------------------------
 */

#define STREAM "seed = 7\n[stream]\npackets = 20000\n"
#define FAST STREAM "rate = 100kpps\n"

/* METRICS 10, V12: independent losses, and bursts by Gilbert's model. */
Test(sim, losses)
{
	CHECK(FAST "[point ref]\n[point dut]\nloss = 1%\n");
	CHECK(FAST "[point ref]\n[point dut]\nloss = 3% burst 20\n");
	CHECK(FAST
	      "stamp = iperf2\nsize = 128\n[point ref]\nstamps = hardware\n"
	      "[point dut]\nloss = at 5,100-199,19000\n");
}

/* V13, V14: a stall that overflows the ring, a program that is too slow. */
Test(sim, overflows)
{
	CHECK(FAST "[point ref]\n[point dut]\nring = 300\n"
		   "stall = 50ms for 20ms\n");
	CHECK(FAST "[point ref]\n[point dut]\nbuffer = 2000\n"
		   "drain = 80kpps\n");
}

/* V15: head and tail, with the capture's own times as evidence or without. */
Test(sim, cut_ends)
{
	CHECK(FAST "[point ref]\n[point dut]\nhead = 300\ntail = 500\n"
		   "run_times = no\n");
	CHECK(FAST "[point ref]\n[point dut]\nhead = 3000\ntail = 5000\n");
	CHECK(FAST "[point ref]\nhead = 10\ntail = 20\nrun_times = no\n"
		   "[point dut]\nloss = 1%\n");
}

/* V21: the reference loses packets too, the sender leaves some out. */
Test(sim, both_lose)
{
	CHECK(FAST "skip = 0.5%\n[point ref]\nloss = 1%\n"
		   "[point dut]\nloss = 2%\n");
}

Test(sim, copies_and_order)
{
	CHECK(FAST "[point ref]\n[point dut]\nduplicate = 1%\n"
		   "swap = 0.5% by 3\n");
	CHECK(FAST "[point ref]\nduplicate = 0.5%\nlate = 1% by 4\n"
		   "[point dut]\nlate = 1% by 2\nduplicate = 0.5%\n");
	CHECK(FAST "repeat = 3\n[point ref]\n[point dut]\nloss = 0.5%\n");
	CHECK(FAST "[point ref]\n[point dut]\nqueues = 2 block 64\n");
}

/* V17: 16-bit numbers go round, corrupt ones appear. */
Test(sim, narrow_numbers)
{
	CHECK("[stream]\nstamp = rtp\npackets = 200000\nrate = 100kpps\n"
	      "[point ref]\n[point dut]\nloss = 1%\nswap = 0.1%\n");
	CHECK("[stream]\nstamp = ping\nfirst = 65000\npackets = 150000\n"
	      "rate = 50kpps\n[point ref]\n[point dut]\nstart = 2s\n"
	      "loss = 1%\nrun_times = no\n");
	CHECK(FAST "[point ref]\n[point dut]\ncorrupt = 0.1%\n");
}

Test(sim, several_streams)
{
	CHECK("[stream a]\nrate = 50kpps\npackets = 20000\n"
	      "source = 10.0.0.1:1000\n"
	      "[stream b]\nrate = 20kpps\npackets = 8000\nsize = imix\n"
	      "source = 10.0.0.1:1001\n"
	      "[point ref]\n[point dut]\nloss = 1%\nduplicate = 0.2%\n");
}

/* The generator begins again, in both captures or before one of them, after
 * more packets than can be late. */
Test(sim, restarts)
{
	CHECK(STREAM "rate = 20kpps\nrestart = 9000\n[point ref]\n"
		     "[point dut]\nloss = 1%\n");
	CHECK(STREAM "rate = 20kpps\nrestart = 5000\nrestart = 12000\n"
		     "[point ref]\n[point dut]\nloss = 1%\noffset = 3s\n");
	CHECK(STREAM "rate = 20kpps\nrestart = 5000\n[point ref]\n"
		     "run_times = no\n[point dut]\nloss = 1%\nhead = 6000\n"
		     "run_times = no\n");
}

/* After fewer packets than 100 ms: the transmit times tell, else the time that
 * the second run takes. */
Test(sim, early_restarts)
{
	CHECK(FAST "restart = 9000\n[point ref]\n[point dut]\nloss = 1%\n");
	CHECK(FAST "restart = 70\nrestart = 500\n[point ref]\n"
		   "[point dut]\nloss = at 300-310,9000\n");
	CHECK(FAST "restart = 9000\nstamp = sockperf\nsize = 100\n"
		   "[point ref]\n[point dut]\nloss = 1%\n");
	CHECK(FAST "restart = 1500\nstamp = sockperf\nsize = 100\n"
		   "[point ref]\n[point dut]\nloss = 1% burst 20\n");
}

/* What is early or late when it begins again: only where the capture begins may
 * the neighbours of a late packet have come before. */
Test(sim, restarts_in_disorder)
{
	CHECK(STREAM "rate = 20kpps\nrestart = 9000\nrestart = 14000\n"
		     "[point ref]\n[point dut]\nloss = 1%\nswap = 1% by 3\n");
	CHECK_UNORDERED(STREAM "rate = 20kpps\nrestart = 9000\n[point ref]\n"
			       "[point dut]\nloss = 1%\nswap = 1% by 8\n"
			       "duplicate = 0.5%\n");
	for (unsigned i = 0; i < 3; i++) {
		static const char *const blocks[] = {"8", "64", "200"};
		static const char *const stamps[] = {"pktgen", "sockperf",
						     "mgen"};

		for (unsigned k = 0; k < 3; k++) {
			char text[512];

			snprintf(text, sizeof(text),
				 STREAM "stamp = %s\nsize = 100\nrate = "
					"20kpps\nrestart = 9000\n[point "
					"ref]\n[point dut]\nloss = 0.3%%\n"
					"queues = 2 block %s\n",
				 stamps[k], blocks[i]);
			CHECK_UNORDERED(text);
		}
	}
}

/* The tail of one stream is lost while the other shows that the capture runs:
 * all but the last 10 ms (g) of it count. */
Test(sim, tail_lost_while_others_go_on)
{
	struct sim sim;
	uint32_t a;

	sim_run(&sim, "[stream a]\nrate = 10kpps\npackets = 10000\n"
		      "source = 10.0.0.1:1000\n"
		      "[stream b]\nrate = 10kpps\npackets = 20000\n"
		      "source = 10.0.0.1:1001\n"
		      "[point ref]\nrun_times = no\n"
		      "[point dut]\nrun_times = no\noffset = 5s\nppm = 50\n"
		      "loss = at 9000-9999\n");
	pair_analyse(&sim.pair, 0);
	cr_assert_eq(sim.pair.result, 0, "%s", sim.pair.error.what);
	a = sim.pair.report->streams[0].packets[0] == 10000 ? 0 : 1;
	cr_expect_eq(pair_value(&sim.pair, a, "loss.tail_lost"), 1000);
	cr_expect_eq(pair_value(&sim.pair, a, "loss.missing"), 1000);
	cr_expect_eq(pair_value(&sim.pair, a, "loss.tail_excluded"), 0);
	/* positions are per stream: b lost as many, inside C */
	cr_expect_eq(pair_value(&sim.pair, !a, "loss.missing"), 1000);
	sim_release(&sim);
}

/* V26: two trials with the same numbers. */
Test(sim, two_trials)
{
	struct sim one, two;

	sim_run(&one, FAST "[point ref]\n[point dut]\n");
	sim_run(&two, "epoch = 2026-01-02T00:00:00Z\n" FAST
		      "[point ref]\n[point dut]\n");
	memcpy(one.pair.paths[1], two.pair.paths[1], sizeof(one.pair.paths[1]));
	pair_analyse(&one.pair, 0);
	cr_expect_eq(one.pair.result, -1);
	cr_expect_eq(one.pair.error.fault, CD_E_DATA);
	snprintf(one.pair.paths[1], sizeof(one.pair.paths[1]), "%s/dut.pcapng",
		 one.folder);
	sim_release(&one);
	sim_release(&two);
}
