#include <stdlib.h>
#include <string.h>

#include "render/facts.h"
#include "render/text.h"
#include "report/text.h"

#define INDENT 10

void cd_put_entry(struct cd_screen *screen, const char *name,
		  const char *text, size_t indent)
{
	struct cd_str clean = {0};
	bool blank;

	cd_clean_sentence(&clean, text, screen->utf8);
	blank = cd_str_text(&clean)[strspn(cd_str_text(&clean), " ")] == '\0';
	cd_put_cell(screen, name, blank ? cd_columns(name) : indent);
	cd_put_wrapped(screen, cd_str_text(&clean), indent, indent);
	screen->out->bad = screen->out->bad || clean.bad;
	cd_str_release(&clean);
}

/* Takes over the text; nothing is no fact. */
static void add_fact(struct cd_facts *facts, const char *name,
		     struct cd_str *text)
{
	facts->bad = facts->bad || text->bad;
	if (text->length == 0 || facts->n == CD_MOST_FACTS) {
		cd_str_release(text);
		return;
	}
	facts->fact[facts->n++] =
	    (struct cd_fact){.name = name, .text = text->text};
}

/* ", 124 B (128 on wire)" or ", 64-1518 B on wire": with FCS, as the wire
 * counts. */
static void add_sizes(const struct cd_view *view, struct cd_str *out)
{
	const struct cd_report *r = view->report;
	const struct cd_report_stream *s = &r->streams[0];
	int64_t least = cd_view_count(view, r->reference,
				      "rate.frame_bytes_min");
	int64_t most = cd_view_count(view, r->reference,
				     "rate.frame_bytes_max");
	int64_t wire = cd_view_count(view, r->reference,
				     "rate.frame_bytes_p50");

	if (r->n_streams == 1 && s->one_size && s->frame_bytes > 0) {
		cd_str_addf(out, ", %lu B", (unsigned long)s->frame_bytes);
		if (wire > 0)
			cd_str_addf(out, " (%lld on wire)", (long long)wire);
	} else if (least > 0 && most > least) {
		cd_str_addf(out, ", %lld-%lld B on wire", (long long)least,
			    (long long)most);
	} else if (wire > 0) {
		cd_str_addf(out, ", %lld B on wire", (long long)wire);
	}
}

/* Rates say what they count (METRICS 9.1). */
static void add_rate(struct cd_facts *facts, const struct cd_view *view)
{
	uint32_t ref = view->report->reference;
	const struct cd_value *pps = cd_view_value(view, ref, "rate.pps");
	const struct cd_value *l1 = cd_view_value(view, ref, "rate.l1_bps");
	const struct cd_value *share =
	    cd_view_value(view, ref, "rate.utilisation");
	const struct cd_value *link =
	    cd_view_value(view, ref, "physics.link_bps");
	struct cd_str text = {0};

	if (pps != NULL)
		cd_text_value(&text, pps, view->utf8);
	if (l1 != NULL) {
		cd_str_add(&text, pps != NULL ? ", " : "");
		cd_text_value(&text, l1, view->utf8);
		cd_str_add(&text, " on the wire (L1)");
	}
	if (share != NULL && link != NULL) {
		cd_str_add(&text, ", ");
		cd_text_value(&text, share, view->utf8);
		cd_str_add(&text, " of ");
		cd_text_value(&text, link, view->utf8);
	}
	add_fact(facts, "Rate", &text);
}

static void add_stream(struct cd_facts *facts, const struct cd_view *view)
{
	const struct cd_report *r = view->report;
	struct cd_str text = {0};

	if (r->n_streams == 0)
		return;
	if (r->n_streams > 1)
		cd_str_addf(&text, "%zu streams, the first ", r->n_streams);
	if (r->streams[0].what != NULL)
		cd_text_name(&text, r->streams[0].what);
	add_sizes(view, &text);
	add_fact(facts, r->n_streams == 1 ? "Stream" : "Streams", &text);
}

static bool all_hit(const struct cd_report *r)
{
	for (size_t i = 0; i < r->n_captures; i++)
		if (r->stamp_hits[i] < 1)
			return false;
	return true;
}

static void add_hits(const struct cd_report *r, struct cd_str *out)
{
	cd_str_add(out, ", found in ");
	if (all_hit(r)) {
		cd_str_add(out, "100 % of ");
		if (r->n_captures == 1)
			cd_str_add(out, "the file");
		else if (r->n_captures == 2)
			cd_str_add(out, "both files");
		else
			cd_str_addf(out, "all %zu files", r->n_captures);
		return;
	}
	for (size_t i = 0; i < r->n_captures; i++) {
		cd_str_add(out, i > 0 ? ", " : "");
		cd_text_ratio(out, r->stamp_hits[i]);
		if (r->n_captures == 1 || r->captures[i].label == NULL)
			continue;
		cd_str_add(out, " of ");
		cd_text_name(out, r->captures[i].label);
	}
}

static void add_matched(struct cd_facts *facts, const struct cd_view *view)
{
	const struct cd_report *r = view->report;
	struct cd_str text = {0};

	if (r->stamp_title == NULL && r->stamp_format == NULL) {
		cd_str_add(&text, "no sequence numbers");
	} else {
		cd_text_name(&text, r->stamp_title != NULL ? r->stamp_title
							   : r->stamp_format);
		if (r->stamp_where != NULL && r->stamp_spec == NULL &&
		    !r->stamp_detected) {
			cd_str_add(&text, " at ");
			cd_text_name(&text, r->stamp_where);
		}
		if (r->stamp_hits != NULL && r->n_captures > 0)
			add_hits(r, &text);
		if (r->stamp_spec != NULL && r->stamp_detected) {
			cd_str_add(&text, " (--stamp ");
			cd_text_name(&text, r->stamp_spec);
			cd_str_add(&text, ")");
		}
	}
	add_fact(facts, view->single ? "Numbers" : "Matched", &text);
}

/* Adds nothing if an end is not known. */
static void add_ids(const struct cd_value *first,
		    const struct cd_value *last, const char *before,
		    const char *after, struct cd_str *out)
{
	if (first == NULL || last == NULL)
		return;
	cd_str_addf(out, "%sIDs ", before);
	cd_text_value(out, first, false);
	cd_str_add(out, first->integer < 0 || last->integer < 0 ? " to "
								 : "-");
	cd_text_value(out, last, false);
	cd_str_add(out, after);
}

/* "98,432 packets of IDs 1,495-99,999 (the reference lacks 73)" */
static void add_expected(const struct cd_view *view, uint32_t point,
			 const struct cd_value *n, struct cd_str *out)
{
	const struct cd_value *first = NULL, *last = NULL;
	int64_t lacks = cd_view_count(view, point, "loss.ref_miss");
	bool all, whole;

	if (view->report->n_streams <= 1) {
		first = cd_view_value(view, point, "loss.common_first");
		last = cd_view_value(view, point, "loss.common_last");
	}
	whole = first == NULL || last == NULL ||
		(uint64_t)last->integer - (uint64_t)first->integer + 1 ==
		    (uint64_t)n->integer;
	all = cd_view_count(view, point, "loss.head_excluded") <= 0 &&
	      cd_view_count(view, point, "loss.tail_excluded") <= 0;
	if (whole)
		add_ids(first, last, "", ": ", out);
	cd_text_value(out, n, false);
	cd_str_add(out, n->integer == 1 ? " packet" : " packets");
	if (!whole)
		add_ids(first, last, " of ", "", out);
	if (!whole && lacks > 0) {
		cd_str_add(out, " (the reference lacks ");
		cd_text_count(out, lacks);
		cd_str_add(out, ")");
	}
	if (all)
		cd_str_add(out, ", all inside both captures");
}

/* Of a pair: what the reference has inside both captures, and what was left
 * out of the comparison. */
static void add_expected_fact(struct cd_facts *facts, const struct cd_view *view)
{
	uint32_t point = view->report->reference == 0 ? 1 : 0;
	const struct cd_value *n =
	    cd_report_find(view->report, point, "loss.expected");
	struct cd_str text = {0};

	if (n == NULL)
		return;
	if (n->kind != CD_VALUE_NULL && !cd_view_compared(view, point))
		cd_str_add(&text, "not compared: same numbers but different "
				  "packets");
	else if (n->kind != CD_VALUE_NULL)
		add_expected(view, point, n, &text);
	else
		cd_view_add_reason(n->reason, &text);
	add_fact(facts, "Expected", &text);
}

static void add_numbers(struct cd_facts *facts, const struct cd_view *view)
{
	const struct cd_value *n =
	    cd_view_value(view, 0, "stream.packets");
	struct cd_str text = {0};

	if (view->report->stamp_format == NULL || n == NULL)
		return;
	if (view->report->n_streams <= 1)
		add_ids(cd_view_value(view, 0, "stream.first_seq"),
			cd_view_value(view, 0, "stream.last_seq"), "", ": ",
			&text);
	cd_text_value(&text, n, false);
	cd_str_add(&text, n->integer == 1 ? " packet with a number"
					  : " packets with numbers");
	add_fact(facts, "Range", &text);
}

void cd_facts_take(struct cd_facts *facts, const struct cd_view *view)
{
	*facts = (struct cd_facts){0};
	add_stream(facts, view);
	add_rate(facts, view);
	add_matched(facts, view);
	if (view->single)
		add_numbers(facts, view);
	else if (view->report->n_captures == 2)
		add_expected_fact(facts, view);
}

void cd_facts_release(struct cd_facts *facts)
{
	for (size_t i = 0; i < facts->n; i++)
		free(facts->fact[i].text);
}

void cd_put_heading(struct cd_screen *screen, const struct cd_view *view)
{
	struct cd_facts facts;

	cd_facts_take(&facts, view);
	for (size_t i = 0; i < facts.n; i++)
		cd_put_entry(screen, facts.fact[i].name, facts.fact[i].text,
			     INDENT);
	screen->out->bad = screen->out->bad || facts.bad;
	cd_facts_release(&facts);
}
