/* What the name of a run says about size and rate, against what it was. */
#include "sweep/parts.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "report/text.h"

#define AGREES 0.01 /* METRICS 9.1 */
#define PLAIN_PPS 10000 /* numbers without a unit from here on are rates */

/* A letter alone ("100M") may mean bits or packets a second. */
enum claim_kind { CLAIM_NONE, CLAIM_SIZE, CLAIM_PPS, CLAIM_BPS, CLAIM_RATE };

struct claim {
	enum claim_kind kind;
	double number;
};

struct unit {
	const char *name;
	enum claim_kind kind;
	double factor;
	bool exact_case;
};

static const struct unit units[] = {
    {"B", CLAIM_SIZE, 1, true},	    {"byte", CLAIM_SIZE, 1, false},
    {"bytes", CLAIM_SIZE, 1, false},   {"pps", CLAIM_PPS, 1, false},
    {"kpps", CLAIM_PPS, 1e3, false},   {"Mpps", CLAIM_PPS, 1e6, false},
    {"K", CLAIM_RATE, 1e3, false},	    {"M", CLAIM_RATE, 1e6, true},
    {"G", CLAIM_RATE, 1e9, true},	    {"kb", CLAIM_BPS, 1e3, true},
    {"Mb", CLAIM_BPS, 1e6, true},	    {"Gb", CLAIM_BPS, 1e9, true},
    {"kbps", CLAIM_BPS, 1e3, false},   {"Mbps", CLAIM_BPS, 1e6, false},
    {"Gbps", CLAIM_BPS, 1e9, false},   {"kbit", CLAIM_BPS, 1e3, false},
    {"Mbit", CLAIM_BPS, 1e6, false},   {"Gbit", CLAIM_BPS, 1e9, false},
    {"bps", CLAIM_BPS, 1, false},
};

/* Frame sizes that people test with, with FCS and without. */
static bool is_usual_size(double n)
{
	static const int sizes[] = {60,	  64,	124,  128,  252,  256,	508,
				    512,  1020, 1024, 1276, 1280, 1500, 1514,
				    1518, 9000, 9014, 9018};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (n == sizes[i])
			return true;
	return false;
}

/* Eight digits and more that may be a date. */
static bool is_date(const char *digits, size_t n)
{
	return n >= 8 && n <= 14 && strncmp(digits, "20", 2) == 0;
}

static struct claim read_unit(double number, const char *unit, size_t n)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		const struct unit *u = &units[i];

		if (strlen(u->name) == n &&
		    (u->exact_case ? strncmp(unit, u->name, n)
				   : strncasecmp(unit, u->name, n)) == 0)
			return (struct claim){u->kind, number * u->factor};
	}
	return (struct claim){CLAIM_NONE, 0};
}

/* The claim of a word such as "64B", "100M" or "200000". */
static struct claim read_word(const char *word, size_t n)
{
	size_t digits = 0;
	double number;

	while (digits < n &&
	       (isdigit((unsigned char)word[digits]) ||
		(word[digits] == '.' && digits > 0)))
		digits++;
	if (digits == 0)
		return (struct claim){CLAIM_NONE, 0};
	number = strtod(word, NULL);
	if (digits < n)
		return read_unit(number, word + digits, n - digits);
	if (is_usual_size(number))
		return (struct claim){CLAIM_SIZE, number};
	if (number >= PLAIN_PPS && !is_date(word, n))
		return (struct claim){CLAIM_PPS, number};
	return (struct claim){CLAIM_NONE, 0};
}

static bool is_near(double claimed, double measured)
{
	return measured > 0 && fabs(claimed - measured) <= AGREES * measured;
}

static double payload_bytes(const struct cd_report *r)
{
	return r->n_streams > 0 ? r->streams[0].payload_bytes : 0;
}

/* With and without FCS, as IP packet, as payload. */
static bool size_agrees(const struct cd_sweep_run *run, double bytes)
{
	return run->size == 0 || bytes == run->size ||
	       bytes == run->size - 4.0 || bytes == run->size - 18.0 ||
	       bytes == payload_bytes(run->report);
}

/* On the wire, with and without FCS, or as payload. */
static bool rate_agrees(const struct cd_sweep_run *run, double bps)
{
	return run->l1_bps <= 0 || is_near(bps, run->l1_bps) ||
	       is_near(bps, run->l2_bps) ||
	       is_near(bps, run->l2_bps - 32 * run->pps) ||
	       is_near(bps, 8 * payload_bytes(run->report) * run->pps);
}

static void check_claim(struct cd_report *report,
			const struct cd_sweep_run *run,
			const struct claim *claim)
{
	struct cd_str said = {0}, is = {0};
	const char *unit = NULL;

	if (claim->kind == CLAIM_SIZE && !size_agrees(run, claim->number))
		unit = "bytes";
	else if (claim->kind == CLAIM_PPS && run->pps > 0 &&
		 !is_near(claim->number, run->pps))
		unit = "packets a second";
	else if ((claim->kind == CLAIM_BPS || claim->kind == CLAIM_RATE) &&
		 !rate_agrees(run, claim->number) &&
		 !(claim->kind == CLAIM_RATE &&
		   is_near(claim->number, run->pps)))
		unit = "bit/s on the wire";
	if (unit == NULL)
		return;
	cd_text_count(&said, (int64_t)llround(claim->number));
	cd_text_count(&is, claim->kind == CLAIM_SIZE ? (int64_t)run->size
			   : claim->kind == CLAIM_PPS
			       ? (int64_t)llround(run->pps)
			       : (int64_t)llround(run->l1_bps));
	cd_report_finding(report, CD_WARNING, "sweep_name", -1,
			  "the name of run %s says %s, but its reference "
			  "measures %s %s; the measured value is used.",
			  run->name, cd_str_text(&said), cd_str_text(&is),
			  unit);
	report->bad = report->bad || said.bad || is.bad;
	cd_str_release(&said);
	cd_str_release(&is);
}

void cd_sweep_check_name(struct cd_report *report,
			 const struct cd_sweep_run *run)
{
	const char *p = run->name;

	while (run->report != NULL && *p != '\0') {
		size_t n = strcspn(p, "/_- ,+=");
		struct claim claim = read_word(p, n);

		check_claim(report, run, &claim);
		p += n + (p[n] != '\0');
	}
}
