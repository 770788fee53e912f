/*
 * The link: given, or guessed from frames of the reference that follow each
 * other as closely as only one standard rate lets them (METRICS 3.5).
 */
#include "metric/physics.h"

#include <math.h>

#include "metric/numbers.h"
#include "metric/put.h"
#include "base/time.h"

#define PREAMBLE 8
#define GAP 12

/* Octets that may be left of the gap of 12 after clocks were adjusted. */
static double least_gap(double link_bps)
{
	if (link_bps == 1e9)
		return 8;
	return link_bps == 10e9 ? 5 : GAP;
}

static double octets_ps(double octets, double link_bps)
{
	return octets * 8 / link_bps * (double)CD_PS_PER_S;
}

int64_t cd_physics_threshold_ps(double link_bps, uint32_t bytes,
				int64_t tick_ps)
{
	double octets = (double)bytes + PREAMBLE + least_gap(link_bps);
	double least = octets_ps(octets, link_bps) * (1 - 2e-4);

	return (int64_t)ceil(least - (double)tick_ps);
}

/* Deltas of neighbours as close as one link lets them be, and closer. */
struct pile {
	uint64_t deltas, at, below;
};

static struct pile count_pile(const struct cd_sample_times *times,
			      const struct cd_metric_options *options,
			      double link_bps, int64_t tick_ps)
{
	struct pile pile = {0};

	for (size_t i = 1; i < times->n; i++) {
		uint32_t shorter = times->length[i] < times->length[i - 1]
				       ? times->length[i]
				       : times->length[i - 1];
		uint32_t bytes = cd_wire_bytes(options, shorter);
		double most =
		    octets_ps((double)bytes + PREAMBLE + GAP + 4, link_bps);
		int64_t delta = cd_wrap_minus(times->ps[i], times->ps[i - 1]);

		if (!cd_follows(times->seq[i - 1], times->seq[i]))
			continue;
		pile.deltas++;
		if (delta < cd_physics_threshold_ps(link_bps, bytes, tick_ps))
			pile.below++;
		else if ((double)delta < most + (double)tick_ps)
			pile.at++;
	}
	return pile;
}

/* A tick of a quarter of the shortest delta would blur it. */
static bool is_fine(const struct cd_sample_times *times,
		    const struct cd_metric_options *options, double link_bps,
		    int64_t tick_ps)
{
	uint32_t bytes = cd_wire_bytes(options, times->length[0]);

	return (double)tick_ps < octets_ps(bytes, link_bps) / 4;
}

static bool is_clear(const struct pile *pile)
{
	return pile->at >= 20 && pile->below <= pile->at / 1000;
}

double cd_physics_back_to_back(const struct cd_sample_times *times,
			       const struct cd_metric_options *options,
			       double link_bps, int64_t tick_ps)
{
	struct pile pile;

	if (link_bps <= 0 || times->n == 0 ||
	    !is_fine(times, options, link_bps, tick_ps))
		return 0;
	pile = count_pile(times, options, link_bps, tick_ps);
	return is_clear(&pile) ? (double)pile.at / (double)pile.deltas : 0;
}

/* One delta in a hundred at the limit, and hardly any beyond it. 0: no rate
 * fits. */
static double guess(const struct cd_sample_times *times,
		    const struct cd_metric_options *options, int64_t tick_ps)
{
	static const double rates[] = {10e6, 100e6, 1e9,  2.5e9, 5e9,
				       10e9, 25e9,  40e9, 50e9,	 100e9};

	for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++) {
		struct pile pile;

		if (!is_fine(times, options, rates[i], tick_ps))
			return 0;
		pile = count_pile(times, options, rates[i], tick_ps);
		if (is_clear(&pile) && pile.at >= pile.deltas / 100)
			return rates[i];
	}
	return 0;
}

static void put_link(struct cd_analysis *analysis)
{
	struct cd_place place = {analysis->report, analysis->reference,
				 CD_NO_STREAM};

	if (analysis->link_bps > 0)
		cd_put_real(&place, "physics.link_bps", analysis->link_bps);
	else
		cd_put_null(&place, "physics.link_bps", "not known");
	if (analysis->link_guessed)
		cd_report_finding(analysis->report, CD_NOTE, "link_guessed",
				  (int)analysis->reference,
				  "a link of %g Gb/s, by frames that follow "
				  "each other at its pace (--link-rate)",
				  analysis->link_bps / 1e9);
}

static int run(struct cd_analysis *analysis, struct cd_error *error)
{
	const struct cd_point *ref = &analysis->points[analysis->reference];
	struct cd_sample_times times = {0};

	analysis->link_bps = analysis->options->link_bps;
	if (analysis->link_bps <= 0) {
		if (cd_sample_take(&times, ref) < 0) {
			cd_sample_release(&times);
			return cd_error_memory(error);
		}
		if (times.n > 0)
			analysis->link_bps =
			    guess(&times, analysis->options,
				  analysis->pairs[0].ref_tick_ps);
		analysis->link_guessed = analysis->link_bps > 0;
		cd_sample_release(&times);
	}
	put_link(analysis);
	return 0;
}

const struct cd_metric cd_metric_physics = {"physics", run};
