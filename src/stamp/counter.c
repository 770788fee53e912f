#include "stamp/counter.h"

#include <stdlib.h>

#include "stamp/choice.h"
#include "stamp/clocks.h"
#include "stamp/confine.h"
#include "stamp/formats.h"

enum { PACKETS_MIN = 17, LISTED_MAX = 3 };

/* What one kind of packets has. */
struct finding {
	struct cd_stamp_spec spec; /* format NULL: nothing */
	size_t hits;
	double share[CD_SAMPLES_MAX];
	struct cd_str candidates; /* if it cannot be told which is meant */
};

/* ---- one kind of packets
 * ---------------------------------------------------------- */

static int try_spot(struct cd_reader *reader, const struct cd_bodies *bodies,
		    const struct cd_ground *ground, const struct cd_spot *spot,
		    struct cd_readings *readings)
{
	for (int little = 0; little < 2; little++) {
		struct cd_reading reading;
		int counts = cd_reader_try(reader, spot, little == 1, &reading);

		if (counts < 0)
			return -1;
		if (counts == 0)
			continue;
		if (cd_reading_is_clock(&reading, bodies, ground))
			cd_reading_release(&reading);
		else
			cd_readings_add(readings, &reading);
	}
	return 0;
}

static int search(const struct cd_bodies *bodies,
		  const struct cd_ground *ground, struct cd_readings *readings)
{
	struct cd_reader *reader = cd_reader_new(bodies, ground);
	int result = reader == NULL ? -1 : 0;

	for (unsigned way = 0; way < 4 && result == 0; way++) {
		bool from_end = way & 1, shared = way >> 1;
		struct cd_spot spots[CD_SPOTS_MAX];
		size_t n = 0;

		if ((from_end && !bodies->sizes_vary) ||
		    (shared && !bodies->flows_vary))
			continue;
		result = cd_sieve(bodies, from_end, shared, spots, &n);
		for (size_t i = 0; i < n && result == 0; i++)
			result = try_spot(reader, bodies, ground, &spots[i],
					  readings);
	}
	cd_reader_free(reader);
	return result;
}

static void list_candidates(const struct cd_readings *readings,
			    const struct cd_bodies *bodies,
			    const struct cd_ground *ground, struct cd_str *out)
{
	for (size_t i = 0; i < readings->n && i < LISTED_MAX; i++) {
		const struct cd_reading *r = &readings->all[i];
		struct cd_stamp_spec spec;

		cd_confine(r, bodies, ground, &spec);
		cd_str_add(out, i == 0 ? "" : " or ");
		cd_stamp_field.spell(&spec, out);
	}
	if (readings->n > LISTED_MAX)
		cd_str_addf(out, " or %zu more", readings->n - LISTED_MAX);
}

/* A sample too poor to judge by itself carries the choice wherever it can be
 * read. */
static void note_shares(const struct cd_reading *r,
			const struct cd_ground *ground, double *share)
{
	for (size_t i = 0; i < ground->n; i++) {
		size_t n = ground->samples[i].n;
		size_t hits = r->claimed[i] == 0 ? r->read[i] : r->claimed[i];

		share[i] = n == 0 ? 0 : (double)hits / (double)n;
	}
}

static void take(const struct cd_reading *r, const struct cd_bodies *bodies,
		 const struct cd_ground *ground, struct finding *finding)
{
	struct cd_stamp_spec spec;

	if (!cd_confine(r, bodies, ground, &spec))
		return;
	finding->spec = spec;
	finding->hits = r->hits;
	note_shares(r, ground, finding->share);
}

static int find_in_kind(const struct cd_ground *ground, struct cd_kind kind,
			struct finding *finding)
{
	struct cd_readings readings = {.whole = true};
	struct cd_bodies bodies;
	int result = cd_bodies_init(&bodies, ground, kind);

	for (size_t i = 0; i < ground->n; i++)
		readings.whole &= ground->samples[i].whole;
	if (result == 0)
		result = search(&bodies, ground, &readings);
	if (result == 0) {
		bool doubt = cd_readings_choose(&readings, bodies.n);

		if (readings.n > 0)
			take(&readings.all[0], &bodies, ground, finding);
		if (doubt)
			list_candidates(&readings, &bodies, ground,
					&finding->candidates);
		if (finding->candidates.bad)
			result = -1;
	}
	cd_readings_release(&readings);
	cd_bodies_release(&bodies);
	return result;
}

/* ---- all kinds
 * ------------------------------------------------------------------- */

static void say_other(const struct finding *finding, size_t n,
		      struct cd_str *out)
{
	double share = 0;

	for (size_t i = 0; i < n; i++)
		share = finding->share[i] > share ? finding->share[i] : share;
	cd_str_add(out, out->length == 0 ? "" : ", ");
	cd_stamp_field.spell(&finding->spec, out);
	cd_str_addf(out, " (%.0f %%)", share * 100);
}

static void conclude(const struct finding *findings, size_t n_findings,
		     size_t n_captures, struct cd_detection *out)
{
	size_t best = 0;

	for (size_t k = 1; k < n_findings; k++)
		if (findings[k].hits > findings[best].hits)
			best = k;
	if (n_findings == 0 || findings[best].spec.format == NULL)
		return;
	if (findings[best].candidates.length > 0) {
		out->ambiguous = true;
		cd_str_release(&out->tried);
		cd_str_add(&out->tried,
			   cd_str_text(&findings[best].candidates));
		return;
	}
	out->spec = findings[best].spec;
	for (size_t i = 0; i < n_captures; i++)
		out->share[i] = findings[best].share[i];
	for (size_t k = 0; k < n_findings; k++)
		if (k != best && findings[k].spec.format != NULL)
			say_other(&findings[k], n_captures, &out->others);
}

int cd_counter_find(const struct cd_sample *samples, size_t n_captures,
		    struct cd_detection *out)
{
	struct finding *findings = calloc(CD_KINDS_MAX, sizeof(*findings));
	struct cd_kind kinds[CD_KINDS_MAX];
	struct cd_ground ground;
	int result = cd_ground_init(&ground, samples, n_captures);
	size_t n = 0, n_kinds = 0;

	if (findings == NULL)
		result = -1;
	if (result == 0)
		n_kinds = cd_kinds_list(&ground, PACKETS_MIN, kinds);
	while (n < n_kinds && result == 0) {
		result = find_in_kind(&ground, kinds[n], &findings[n]);
		n++;
	}
	if (result == 0)
		conclude(findings, n, n_captures, out);
	while (n > 0)
		cd_str_release(&findings[--n].candidates);
	free(findings);
	cd_ground_release(&ground);
	return result;
}
