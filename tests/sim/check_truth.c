/*
 * Every preset of capsim, several seeds: what the report says against what
 * really happened. Counts come from truth.json; time stamp errors and batches
 * from two more capture points beside the preset's own, one without any fault
 * and one with the card alone.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "stamps.h"
#include "trial.h"

#define FAULTLESS "[point true]\nstatistics = none\nresolution = ps\n"

struct preset {
	const char *name;
	const char *card;      /* the twin: the card alone; NULL: no batches */
	double cost_ps;	       /* between the packets of a batch */
	double tick_ns, ref_tick_ns; /* NAN: packets on a lattice hide it */
	unsigned steps;
	size_t at;	       /* of the number in the frame */
};

static const struct preset presets[] = {
    {"laptop-1g",
     FAULTLESS "[point card]\nstatistics = none\nresolution = ps\n"
	       "coalesce = oneshot 125us\ncost = 600ns\nring = 256\n",
     600e3, 1000, NAN, 0, 46},
    {"hardware-tap", FAULTLESS, 0, 8, NAN, 0, 46},
    {"vm-guest",
     FAULTLESS "[point card]\nstatistics = none\nresolution = ps\n"
	       "coalesce = timer 250us\ncost = 1us\nring = 256\n"
	       "stall = 1.1s for 20ms every 2s\n",
     1e6, 1000, 8, 1, 42},
    {"sniffer-10g",
     FAULTLESS "[point card]\nstatistics = none\nresolution = ps\n"
	       "coalesce = oneshot 50us\nframes = 64\ncost = 120ns\n"
	       "ring = 4096\n",
     120e3, 1, 1, 0, 46},
};

/* Of the seeds of one preset. */
struct tally {
	unsigned runs, inside;
};

/* ---- time stamp errors ----------------------------------------------------
 */

static double part(const json_t *object, const char *name)
{
	return json_number_value(json_object_get(object, name));
}

/* How far the compared point's clock is ahead at a time, without its noise. */
static double ahead_ps(const json_t *clock, int64_t at_ps)
{
	double t = (double)at_ps, ahead = part(clock, "offset_ps") +
					  t * part(clock, "ppm") * 1e-6;
	const json_t *each;
	size_t i;

	json_array_foreach(json_object_get(clock, "steps"), i, each)
		if (t >= part(each, "at_ps"))
			ahead += part(each, "size_ps");
	json_array_foreach(json_object_get(clock, "slews"), i, each) {
		double since = t - part(each, "at_ps");
		double size = part(each, "size_ps");
		double done = since * part(each, "rate_ppm") * 1e-6;

		if (since > 0)
			ahead += copysign(fmin(done, fabs(size)), size);
	}
	return ahead;
}

/* Of first copies: how late each is stamped. */
static size_t errors_of(const struct trial *t, const struct stamps *real,
			const struct stamps *dut, int64_t *errors)
{
	const json_t *clock = json_object_get(trial_point(t, 1), "clock");
	size_t n = 0, k = 0;

	/* the faultless point has every packet, in order of numbers */
	for (size_t i = 0; i < dut->n; i++) {
		k = dut->seq[i] - real->seq[0];
		if (k < real->n)
			errors[n++] =
			    dut->ps[i] - real->ps[k] -
			    llround(ahead_ps(clock, real->ps[k]));
	}
	return n;
}

static bool read_point(const struct trial *t, unsigned k, size_t at,
		       struct stamps *s)
{
	char path[1200];

	trial_path(t, k, path, sizeof(path));
	return stamps_read(s, path, at);
}

/* S within 5 %. Where both clocks tick, the reference's tick is in it. */
static void check_span(const struct trial *t, const struct preset *preset)
{
	struct stamps real, dut;
	int64_t *errors = NULL;
	double span = NAN, got = trial_value(t, "time.error.span_ns");

	if (read_point(t, 2, preset->at, &real) &&
	    read_point(t, 1, preset->at, &dut) &&
	    (errors = malloc(dut.n * sizeof(*errors))) != NULL) {
		size_t n = errors_of(t, &real, &dut, errors);

		span = (double)(rank_value(errors, n, 0.999) -
				rank_value(errors, n, 0.001)) /
		       1e3;
	}
	ok(fabs(got - span) <= 0.05 * span, "%s: S is %.1f ns, %.1f in truth",
	   t->what, got, span);
	free(errors);
	stamps_release(&real);
	stamps_release(&dut);
}

/* ---- batches --------------------------------------------------------------
 */

/* The number of the batch of every packet, by where the card alone has it:
 * packets of one batch are `cost_ps` apart. NULL without memory. */
static uint32_t *number_batches(const struct stamps *card, double cost_ps)
{
	uint32_t *batch = calloc(card->n, sizeof(*batch));

	for (size_t i = 1; batch != NULL && i < card->n; i++)
		batch[i] = batch[i - 1] +
			   ((double)(card->ps[i] - card->ps[i - 1]) > cost_ps);
	return batch;
}

/* What numbers the card's packets hold: it may have lost some. */
static size_t find_packet(const struct stamps *card, uint32_t seq)
{
	size_t low = 0, high = card->n;

	while (low + 1 < high) {
		size_t mid = low + (high - low) / 2;

		if (card->seq[mid] <= seq)
			low = mid;
		else
			high = mid;
	}
	return low;
}

/* Times from the first stamp of a batch to that of the next, as the compared
 * capture has them, and how many batches it has. */
static size_t list_onsets(const struct stamps *card, const struct stamps *dut,
			  double cost_ps, int64_t *onsets)
{
	uint32_t *batch = number_batches(card, cost_ps), now = 0;
	int64_t begin = 0;
	size_t n = 0;

	for (size_t i = 0; batch != NULL && i < dut->n; i++) {
		uint32_t of = batch[find_packet(card, dut->seq[i])];

		if (i > 0 && of == now)
			continue;
		if (i > 0)
			onsets[n++] = dut->ps[i] - begin;
		begin = dut->ps[i];
		now = of;
	}
	free(batch);
	return n;
}

/*
 * The median within 2 %. Where the batches have two periods (full ones, and
 * those that the timer ends) the median lies between them and hangs on a few:
 * there anything from p45 to p55 is the truth.
 */
static void check_period(const struct trial *t, const struct preset *preset)
{
	double got = trial_value(t, "burst.period_ns"), low = NAN, high = NAN;
	struct stamps card, dut;
	int64_t *onsets;
	size_t n = 0;

	if (preset->cost_ps == 0) {
		undefined(t, "burst.period_ns", "no coalescing");
		return;
	}
	if (read_point(t, 3, preset->at, &card) &&
	    read_point(t, 1, preset->at, &dut) &&
	    (onsets = malloc(dut.n * sizeof(*onsets))) != NULL) {
		n = list_onsets(&card, &dut, preset->cost_ps, onsets);
		low = 1e-3 * (double)rank_value(onsets, n, 0.45);
		high = 1e-3 * (double)rank_value(onsets, n, 0.55);
		free(onsets);
	}
	stamps_release(&card);
	stamps_release(&dut);
	ok(got >= 0.98 * low && got <= 1.02 * high,
	   "%s: batches every %.0f ns, %.0f to %.0f in truth", t->what, got,
	   low, high);
	near(t, "burst.clusters", (double)n + 1, 0.08 * (double)n);
}

/* ---- clock ----------------------------------------------------------------
 */

static bool drift_inside(const struct trial *t)
{
	double truth = truth_point(t, "drift_ppm");
	double low = trial_low(t, "clock.drift_ppm");
	double high = trial_high(t, "clock.drift_ppm");
	bool inside = low <= truth && truth <= high;

	note("%s: drift %.5f ppm, 95 %% %.5f to %.5f, %.5f in truth%s", t->what,
	     trial_value(t, "clock.drift_ppm"), low, high, truth,
	     inside ? "" : ": outside");
	return inside;
}

/* How many stamps in the file move on between two numbers: those of a clock
 * that stands still (behind a step back, behind a late stamp) are on neither
 * side of a step. */
static unsigned moves_between(const struct trial *t, size_t at, double a,
			      double b)
{
	double low = fmin(a, b), high = fmax(a, b);
	unsigned moves = 0;
	struct stamps dut;

	if (!read_point(t, 1, at, &dut))
		return UINT_MAX;
	for (size_t i = 1; i < dut.n; i++)
		moves += dut.seq[i] > low && dut.seq[i] <= high &&
			 dut.ps[i] != dut.ps[i - 1];
	stamps_release(&dut);
	return moves;
}

static void check_steps(const struct trial *t, const struct preset *preset)
{
	const json_t *clock = json_object_get(trial_point(t, 1), "clock");
	const json_t *step =
	    json_array_get(json_object_get(clock, "steps"), 0);
	double low = trial_low(t, "clock.step_max_ns");
	double high = trial_high(t, "clock.step_max_ns");
	double size = part(step, "size_ps") / 1e3;
	double first = part(step, "first_id");
	double seq = trial_value(t, "clock.step_max_seq");

	same(t, "clock.steps", preset->steps);
	if (preset->steps == 0)
		return;
	ok(low <= size && size <= high && high - low < fabs(size) / 4,
	   "%s: step of %.0f ns (%.0f to %.0f), %.0f in truth", t->what,
	   trial_value(t, "clock.step_max_ns"), low, high, size);
	/* within a batch of the card or two */
	ok(fabs(seq - first) <= 10 ||
	       moves_between(t, preset->at, seq, first) <= 1,
	   "%s: step before packet %.0f, %.0f in truth", t->what, seq, first);
}

static void check_ticks(const struct trial *t, const struct preset *preset)
{
	double ref = trial_of_ref(t, "time.tick_ns");

	same(t, "time.tick_ns", preset->tick_ns);
	ok(isnan(preset->ref_tick_ns) ? isnan(ref) : ref == preset->ref_tick_ns,
	   "%s: tick of the reference is %g ns, %g", t->what, ref,
	   preset->ref_tick_ns);
}

/* ---- all ------------------------------------------------------------------
 */

static void check_run(const struct preset *preset, unsigned seed,
		      struct tally *tally)
{
	struct trial_plan plan = {.scenario = preset->name,
				  .more = preset->card,
				  .seed = seed};
	struct trial t;

	if (trial_run(&t, &plan)) {
		tally->runs++;
		tally->inside += drift_inside(&t);
		check_counts(&t);
		check_span(&t, preset);
		check_period(&t, preset);
		check_ticks(&t, preset);
		check_steps(&t, preset);
	}
	trial_release(&t);
}

int main(void)
{
	unsigned seeds = is_long() ? 20 : 3;

	for (size_t i = 0; i < sizeof(presets) / sizeof(*presets); i++) {
		struct tally tally = {0, 0};

		for (unsigned seed = 1; seed <= seeds; seed++)
			check_run(&presets[i], seed, &tally);
		ok((seeds - tally.inside) * 10 <= seeds,
		   "%s: drift inside its 95 %% interval with %u of %u seeds",
		   presets[i].name, tally.inside, seeds);
	}
	return done();
}
