/*
 * Sentences about missing packets. Causes are what it looks like, never what
 * it is.
 */
#include "verdict/facts.h"

#include <math.h>
#include <string.h>

#include "report/codes.h"
#include "report/text.h"

static int64_t count(const struct cd_case *c, const char *name)
{
	return cd_fact_count(c->report, c->point, name);
}

static double span(const struct cd_case *c, const char *name)
{
	return cd_fact_span(c->report, c->point, name);
}

static void say_label(struct cd_str *out, const struct cd_report *report,
		      uint32_t point)
{
	const char *label = report->captures[point].label;

	cd_text_name(out, label == NULL ? "the capture" : label);
}

static void say_at(const struct cd_case *c, struct cd_str *out)
{
	double at = span(c, "loss.longest_at_ns");

	if (isnan(at))
		return;
	cd_str_add(out, " at ");
	cd_text_span(out, at, false);
}

/* METRICS 1.4: overflows lose long runs, an overload single packets evenly. */
static void say_cause(const struct cd_case *c, struct cd_str *out)
{
	int64_t runs = count(c, "loss.runs");
	int64_t singles = count(c, "loss.single_runs");
	double spacing = span(c, "loss.run_spacing_p50_ns");
	bool even = span(c, "loss.run_spacing_spread") <= 0.25;
	double mean = cd_fact_real(c->report, c->point, "loss.mean_run");

	if (count(c, "loss.longest_run") >= 8 &&
	    cd_report_has_finding(c->report, CD_CODE_SET_HOLE, (int)c->point)) {
		cd_str_add(out, ", which looks like what the ring set lacks");
	} else if (runs >= 5 && mean >= 8 && even) {
		cd_str_add(out, ", one about every ");
		cd_say_span(out, spacing);
		cd_str_add(out, ", which looks like a capture buffer that "
				"overflows again and again");
	} else if (count(c, "loss.longest_run") >= 8) {
		cd_str_add(out, ", which looks like a capture buffer that "
				"overflowed");
	} else if (runs >= 20 && singles >= runs - runs / 10 && even) {
		cd_str_add(out, ", one about every ");
		cd_say_span(out, spacing);
		cd_str_add(out, ", which looks like a capture that is a "
				"little too slow for the rate");
	}
}

/* "; 412 of them in one gap at 1.500 s", " in 91 gaps ..." */
static void say_pattern(const struct cd_case *c, struct cd_str *out)
{
	int64_t runs = count(c, "loss.runs");
	int64_t longest = count(c, "loss.longest_run");
	int64_t missing = count(c, "loss.missing");

	if (runs <= 0 || longest <= 0)
		return;
	if (runs == 1 && longest == missing) {
		cd_str_add(out, missing > 1 ? ", all of them in one gap" : "");
		say_at(c, out);
	} else if (longest >= 8 && longest >= missing - longest) {
		cd_str_add(out, "; ");
		cd_text_count(out, longest);
		cd_str_add(out, " of them in one gap");
		say_at(c, out);
	} else if (longest == 1) {
		cd_str_add(out, ", never two in a row");
	} else {
		cd_str_add(out, " in ");
		cd_say_count(out, runs, "gap");
		cd_str_add(out, ", the longest of ");
		cd_text_count(out, longest);
		say_at(c, out);
	}
	say_cause(c, out);
}

static bool is_plain_pcap(const struct cd_report_capture *capture)
{
	return capture->format != NULL && strcmp(capture->format, "pcap") == 0;
}

/* Counters of the file beside what is missing; they never decide. */
static void say_counters(const struct cd_case *c, struct cd_str *out)
{
	const struct cd_report_capture *capture = &c->report->captures[c->point];
	int64_t reported = count(c, "loss.reported_by_file");

	if (reported < 0) {
		if (capture->cut_short && !is_plain_pcap(capture))
			cd_str_add(out, " (The file's drop counters would "
					"stand at its end, which is missing.)");
		else if (is_plain_pcap(capture))
			cd_str_add(out,
				   " (A pcap file has no drop counters.)");
		else
			cd_str_add(out, " (The file has no drop counters.)");
	} else if (reported == 0) {
		cd_str_add(out, " The file's own counters admit none.");
	} else if (reported == c->missing) {
		cd_str_add(out, " The file's own counters admit as many.");
	} else {
		cd_str_add(out, reported < c->missing
				    ? " The file's own counters admit "
				    : " The file's own counters say even ");
		cd_text_count(out, reported);
		cd_str_add(out, ".");
	}
}

/* Packets that the end or the beginning of the capture lacks although it was
 * running (METRICS 1.1, tail rule). */
static void say_ends(const struct cd_case *c, struct cd_str *out)
{
	int64_t head = count(c, "loss.head_lost");
	int64_t tail = count(c, "loss.tail_lost");

	if (head > 0) {
		cd_str_add(out, " ");
		cd_text_count(out, head);
		cd_str_add(out, " of them came before the first one stored, "
				"though the capture was running.");
	}
	if (tail > 0) {
		cd_str_add(out, " ");
		cd_text_count(out, tail);
		cd_str_add(out, " of them came after the last one stored, "
				"though the capture was still running.");
	}
}

/* Of the packets that were sent, as --expect has it, those that the reference
 * lacks too are no fault of this capture alone. */
static void say_shared(const struct cd_case *c, struct cd_str *out)
{
	int64_t inside = count(c, "loss.missing");
	int64_t lacks = cd_fact_count(c->report, c->report->reference,
				      "loss.whole_missing");

	if (c->single || inside < 0 || inside >= c->missing || lacks <= 0)
		return;
	cd_str_add(out, " The reference itself lacks ");
	cd_text_count(out, lacks);
	cd_str_add(out, " of the ");
	cd_text_count(out, c->expected);
	cd_str_add(out, ".");
}

static void say_missing(const struct cd_case *c, struct cd_str *out)
{
	cd_str_add(out, "\n");
	cd_text_count(out, c->missing);
	cd_str_add(out, " of ");
	cd_say_count(out, c->expected, "packet");
	cd_str_add(out, c->missing == 1 ? " is missing" : " are missing");
	if (c->complete == CD_TRUE) {
		cd_str_add(out, ", within the tolerance of ");
		cd_text_ratio(out, c->options->loss_ratio);
	}
	say_pattern(c, out);
	cd_str_add(out, ".");
	say_shared(c, out);
	say_ends(c, out);
	say_counters(c, out);
}

static void say_cut(const struct cd_case *c, struct cd_str *out)
{
	int64_t cut = count(c, "loss.cut");

	if (cut <= 0)
		cut = count(c, "stream.cut");
	cd_str_add(out, "\nThe number was cut off ");
	if (cut > 0) {
		cd_str_add(out, "in ");
		cd_say_count(out, cut, "packet");
		cd_str_add(out, " ");
	}
	cd_str_add(out, "by the snapshot length, so which packets are missing "
			"cannot be known. Capture again with a larger one.");
}

static void say_offload(const struct cd_case *c, struct cd_str *out)
{
	cd_str_add(out, "\n");
	cd_say_count(out, c->missing, "packet");
	cd_str_add(out, c->missing == 1 ? " seems" : " seem");
	cd_str_add(out, " to be missing, but some frames are larger than any "
			"that was sent, which looks like receive offload that "
			"merged packets. Switch it off (ethtool -K INTERFACE "
			"gro off lro off) to judge completeness.");
}

/* Numbers of a capture without reference say what is absent, not why. */
static void say_single(const struct cd_case *c, struct cd_str *out)
{
	int64_t gaps = c->missing >= 0 ? c->missing : count(c, "stream.gaps");

	if (gaps < 0)
		return;
	cd_str_add(out, "\n");
	if (gaps == 0) {
		cd_str_add(out, "No number is absent between the first and the "
				"last. Packets before and after cannot be "
				"known without a reference, or --expect with "
				"the number sent.");
		return;
	}
	cd_say_count(out, gaps, "number");
	cd_str_add(out, gaps == 1 ? " is" : " are");
	cd_str_add(out, " absent between the first and the last");
	say_pattern(c, out);
	cd_str_add(out, ". Without a reference it cannot be known whether "
			"they were lost here or never came.");
	say_counters(c, out);
}

static void say_why_null(const struct cd_case *c, struct cd_str *out)
{
	const char *why = c->complete_reason;

	if (strcmp(why, "NO_REFERENCE") == 0)
		say_single(c, out);
	else if (strcmp(why, "NUMBERS_CUT") == 0)
		say_cut(c, out);
	else if (strcmp(why, "OFFLOAD_MERGE") == 0)
		say_offload(c, out);
	else if (strcmp(why, "NO_COMMON_INTERVAL") == 0)
		cd_str_add(out, "\nThe captures have no numbers in common: "
				"were they made at different times?");
	else if (strcmp(why, "NO_NUMBERS") == 0)
		cd_str_add(out, "\nThe packets carry no numbers, so missing "
				"ones cannot be told. --expect with the "
				"number sent would compare counts.");
	else if (strcmp(why, "MORE_THAN_SENT") == 0)
		cd_str_add(out, "\nMore packets were captured than were sent, "
				"as --expect has it: the number sent is not "
				"known.");
	else if (strcmp(why, "WRAP_AMBIGUOUS") == 0)
		cd_str_add(out, "\nA gap is so long that the numbers may have "
				"wrapped around in it, so missing packets "
				"cannot be counted.");
	else if (strcmp(why, "AMBIGUOUS_NUMBERS") == 0)
		cd_str_add(out, "\nNumbers repeat in a way that does not tell "
				"which packet is which, so missing ones "
				"cannot be known.");
}

static void say_excluded(const struct cd_case *c, struct cd_str *out)
{
	int64_t head = count(c, "loss.head_excluded");
	int64_t tail = count(c, "loss.tail_excluded");

	if (!c->outside_common)
		return;
	cd_str_add(out, "\nOnly the time that both captures cover is judged: "
			"of the reference's packets ");
	if (head > 0) {
		cd_text_count(out, head);
		cd_str_add(out, " came before it");
	}
	if (tail > 0) {
		cd_str_add(out, head > 0 ? " and " : "");
		cd_text_count(out, tail);
		cd_str_add(out, head > 0 ? " after it" : " came after it");
	}
	cd_str_add(out, ".");
}

static void say_reference(const struct cd_case *c, struct cd_str *out)
{
	int64_t lacks = count(c, "loss.ref_miss");
	int64_t nowhere = count(c, "loss.all_miss");

	if (nowhere < 0)
		nowhere = count(c, "loss.both_miss");
	if (lacks > 0) {
		cd_str_add(out, "\nThe reference lacks ");
		cd_say_count(out, lacks, "packet");
		cd_str_add(out, " that ");
		say_label(out, c->report, c->point);
		cd_str_add(out, " has: it is not complete itself.");
	}
	if (nowhere > 0) {
		cd_str_add(out, "\n");
		cd_say_count(out, nowhere, "more packet");
		cd_str_add(out, nowhere == 1 ? " is" : " are");
		cd_str_add(out, " missing in every capture and probably "
				"never sent.");
	}
}

void cd_say_loss(const struct cd_case *c, struct cd_str *out)
{
	if (c->complete == CD_INCONCLUSIVE)
		say_why_null(c, out);
	else if (c->missing > 0)
		say_missing(c, out);
	if (c->single || c->complete_reason == NULL ||
	    strcmp(c->complete_reason, "DIFFERENT_PACKETS") != 0) {
		say_excluded(c, out);
		if (!c->single)
			say_reference(c, out);
	}
}
