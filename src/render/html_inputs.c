/* What was read, and how: files, command line, method. */
#include <stdio.h>

#include "render/html.h"
#include "render/inputs.h"
#include "render/phrase.h"
#include "report/text.h"

#define MOST_FILES 100
#define MOST_IFACES 32

static void add_text(struct cd_str *out, const char *name, const char *text)
{
	if (text == NULL || *text == '\0')
		return;
	cd_str_addf(out, "<dt>%s</dt><dd>", name);
	cd_html_text(out, text);
	cd_str_add(out, "</dd>\n");
}

static void take_text(struct cd_str *out, const char *name,
		      struct cd_str *text)
{
	add_text(out, name, cd_str_text(text));
	out->bad = out->bad || text->bad;
	cd_str_release(text);
}

/* ---- captures ------------------------------------------------------------ */

static void add_file(struct cd_str *out, const struct cd_report_capture *c)
{
	struct cd_str text = {0};

	cd_inputs_file(&text, c);
	cd_str_add(&text, ", ");
	cd_text_total(&text, c->packets);
	cd_str_add(&text, " packets");
	cd_inputs_bytes(&text, c);
	take_text(out, c->n_files > 0 ? "Files" : "File", &text);
}

static void add_files(struct cd_str *out, const struct cd_report_capture *c)
{
	for (size_t i = 0; i < c->n_files && i < MOST_FILES; i++) {
		struct cd_str text = {0};
		char name[32];

		snprintf(name, sizeof(name), "File %zu", i + 1);
		cd_inputs_part(&text, &c->files[i]);
		take_text(out, name, &text);
	}
}

static void add_times(struct cd_str *out, const struct cd_report_capture *c)
{
	char iso[CD_ISO_SIZE];

	if (!c->has_times)
		return;
	add_text(out, "First packet",
		 cd_instant_iso(c->first, c->time_digits, iso, sizeof(iso)));
	add_text(out, "Last packet",
		 cd_instant_iso(c->last, c->time_digits, iso, sizeof(iso)));
}

static void add_iface(struct cd_str *out, const struct cd_report_iface *iface)
{
	struct cd_str text = {0};

	cd_inputs_iface(&text, iface);
	if (iface->linktype_name != NULL)
		cd_str_addf(&text, ": %s", iface->linktype_name);
	if (iface->tick_ps > 0) {
		cd_str_add(&text, ", resolution ");
		cd_text_span_short(&text, (double)iface->tick_ps, 4, true);
	}
	cd_inputs_counters(&text, iface);
	take_text(out, "Interface", &text);
}

static void add_capture(struct cd_str *out, const struct cd_report *r,
			uint32_t point)
{
	const struct cd_report_capture *c = &r->captures[point];

	cd_str_add(out, "<h3>");
	cd_html_text(out, cd_phrase_label(r, point));
	if (r->n_captures > 1 && point == r->reference)
		cd_str_add(out, " (reference)");
	cd_str_add(out, "</h3>\n<dl>\n");
	add_file(out, c);
	add_files(out, c);
	add_times(out, c);
	add_text(out, "Hardware", c->hardware);
	add_text(out, "System", c->os);
	add_text(out, "Program", c->application);
	add_text(out, "Comment", c->comment);
	for (size_t i = 0; i < c->n_ifaces && i < MOST_IFACES; i++)
		add_iface(out, &c->ifaces[i]);
	cd_str_add(out, "</dl>\n");
}

void cd_html_captures(struct cd_str *out, const struct cd_report *report)
{
	if (report->n_captures == 0)
		return;
	cd_html_section(out, "inputs", "What was read");
	for (uint32_t i = 0; i < report->n_captures; i++)
		add_capture(out, report, i);
	cd_str_add(out, "</section>\n");
}

/* ---- method -------------------------------------------------------------- */

static const char *const method[] = {
    "Packets are matched by the numbers that the traffic generator wrote into "
    "them, never by their place in the file. Losses are counted inside the "
    "interval of numbers that both captures cover.",
    "The clocks of two captures differ by an offset and a drift. Neither is an "
    "error of the time stamps: both are estimated and taken away. What is left "
    "is the time stamp error; its headline is the range that holds 99.8 % of "
    "the packets.",
    "Deltas are differences of neighbouring time stamps. They are compared "
    "with the deltas of the same packets in the reference.",
    "Percentiles are observed values: the smallest one that at least the given "
    "share of the sample does not exceed (RFC 2330).",
    "Undefined values are n/a with a reason. A limit on one of them is not "
    "kept.",
};

static const char *const bounds[] = {
    "Only the difference of two clocks can be seen. A capture that stamps every "
    "packet equally late looks perfect; a delay that grows steadily looks like "
    "clock drift.",
    "A clock step smaller than the noise of the time stamps, or than the packet "
    "spacing, cannot be told from a change of delay.",
    "The reference may itself lack packets, and its time stamps have an error "
    "of their own.",
    "Bounds on loss assume independent losses; capture losses come in bursts.",
    "Drop counters in files are reported beside the losses and never mixed into "
    "them. A counter of zero proves nothing.",
    "Causes are named with \"looks like\": they are inferred from the pattern.",
};

static void add_list(struct cd_str *out, const char *const *items, size_t n)
{
	cd_str_add(out, "<ul>\n");
	for (size_t i = 0; i < n; i++) {
		cd_str_add(out, "<li>");
		cd_html_text(out, items[i]);
		cd_str_add(out, "</li>\n");
	}
	cd_str_add(out, "</ul>\n");
}

void cd_html_method(struct cd_str *out, const struct cd_report *report)
{
	struct cd_str command = {0};

	cd_html_section(out, "method", "How it was measured");
	if (report->n_command > 0) {
		cd_phrase_command(report, &command);
		cd_str_add(out, "<p>The command, without what changes no "
				"numbers:</p>\n<pre><code>");
		cd_html_text(out, cd_str_text(&command));
		cd_str_add(out, "</code></pre>\n");
		out->bad = out->bad || command.bad;
		cd_str_release(&command);
	}
	add_list(out, method, sizeof(method) / sizeof(method[0]));
	cd_str_add(out, "<h3>Limits of the method</h3>\n");
	add_list(out, bounds, sizeof(bounds) / sizeof(bounds[0]));
	cd_str_add(out, "</section>\n");
}
