/* The JSON report: INTERFACE.md section 9. */
#include "config.h"

#include "render/renderers.h"

#include "render/json_baseline.h"
#include "render/json_out.h"
#include "render/json_series.h"
#include "render/json_sweep.h"
#include "render/number.h"
#include "render/phrase.h"

/* Absent, not null, where the file has no such text. */
static void add_text(struct cd_json *json, const char *name, const char *text)
{
	if (text != NULL)
		cd_json_string(json, name, text);
}

static void add_program(struct cd_json *json, const struct cd_report *r)
{
	cd_json_string(json, "schema", "capdiff-report/1");
	cd_json_open_flat(json, "program", '{');
	cd_json_string(json, "name", "capdiff");
	cd_json_string(json, "version", PACKAGE_VERSION);
	cd_json_close(json, '}');
	cd_json_open_flat(json, "command", '[');
	for (size_t i = 0; i < r->n_command; i++)
		cd_json_string(json, NULL, r->command[i]);
	cd_json_close(json, ']');
}

static void add_iface(struct cd_json *json,
		      const struct cd_report_iface *iface)
{
	cd_json_open_flat(json, NULL, '{');
	cd_json_count(json, "section", iface->section);
	cd_json_count(json, "id", iface->id);
	cd_json_count(json, "linktype", iface->linktype);
	add_text(json, "linktype_name", iface->linktype_name);
	cd_json_count(json, "snaplen", iface->snaplen);
	add_text(json, "name", iface->name);
	add_text(json, "description", iface->description);
	add_text(json, "filter", iface->filter);
	add_text(json, "os", iface->os);
	add_text(json, "hardware", iface->hardware);
	cd_json_span(json, "resolution_ns", iface->tick_ps);
	cd_json_count(json, "packets", iface->packets);
	/* null: not recorded */
	cd_json_count(json, "received", iface->received);
	cd_json_count(json, "dropped", iface->dropped);
	cd_json_count(json, "os_dropped", iface->os_dropped);
	cd_json_close(json, '}');
}

static void add_instant(struct cd_json *json, const char *name,
			const struct cd_report_capture *c,
			struct cd_instant time)
{
	char text[CD_ISO_SIZE];

	if (c->has_times)
		cd_json_string(json, name,
			       cd_instant_iso(time, c->time_digits, text,
					      sizeof(text)));
	else
		cd_json_null(json, name);
}

/* Only ring sets have them. */
static void add_files(struct cd_json *json, const struct cd_report_capture *c)
{
	if (c->n_files == 0)
		return;
	cd_json_open(json, "files", '[');
	for (size_t i = 0; i < c->n_files; i++) {
		const struct cd_report_file *f = &c->files[i];

		cd_json_open_flat(json, NULL, '{');
		cd_json_string(json, "path", f->path);
		add_text(json, "format", f->format);
		add_text(json, "compression", f->compression);
		cd_json_count(json, "first_frame", f->first);
		cd_json_count(json, "packets", f->packets);
		cd_json_count(json, "bytes", f->bytes);
		if (f->cut_short || f->damaged) {
			cd_json_bool(json, "cut_short", f->cut_short);
			cd_json_bool(json, "damaged", f->damaged);
			cd_json_count(json, "stop_offset", f->stop_offset);
		}
		cd_json_close(json, '}');
	}
	cd_json_close(json, ']');
}

static void add_capture(struct cd_json *json, const struct cd_report *r,
			size_t i)
{
	const struct cd_report_capture *c = &r->captures[i];

	cd_json_open(json, NULL, '{');
	cd_json_string(json, "label", cd_phrase_label(r, (int64_t)i));
	cd_json_string(json, "role", cd_phrase_role(r, (uint32_t)i));
	cd_json_string(json, "path", c->path);
	cd_json_string(json, "format", c->format);
	add_text(json, "compression", c->compression);
	cd_json_count(json, "packets", c->packets);
	cd_json_count(json, "bytes", c->bytes);
	add_instant(json, "first", c, c->first);
	add_instant(json, "last", c, c->last);
	add_text(json, "hardware", c->hardware);
	add_text(json, "os", c->os);
	add_text(json, "application", c->application);
	add_text(json, "comment", c->comment);
	cd_json_open(json, "interfaces", '[');
	for (size_t j = 0; j < c->n_ifaces; j++)
		add_iface(json, &c->ifaces[j]);
	cd_json_close(json, ']');
	add_files(json, c);
	cd_json_bool(json, "cut_short", c->cut_short);
	cd_json_bool(json, "damaged", c->damaged);
	if (c->cut_short || c->damaged)
		cd_json_count(json, "stop_offset", c->stop_offset);
	cd_json_close(json, '}');
}

static void add_stamp(struct cd_json *json, const struct cd_report *r)
{
	if (r->stamp_format == NULL) {
		cd_json_null(json, "stamp");
		return;
	}
	cd_json_open(json, "stamp", '{');
	cd_json_string(json, "format", r->stamp_format);
	add_text(json, "title", r->stamp_title);
	add_text(json, "where", r->stamp_where);
	add_text(json, "spec", r->stamp_spec);
	cd_json_open_flat(json, "hits", '{');
	for (size_t i = 0; i < r->n_captures && r->stamp_hits != NULL; i++)
		cd_json_real(json, cd_phrase_label(r, (int64_t)i),
			     r->stamp_hits[i]);
	cd_json_close(json, '}');
	cd_json_bool(json, "detected", r->stamp_detected);
	cd_json_close(json, '}');
}

static void add_streams(struct cd_json *json, const struct cd_report *r)
{
	cd_json_open(json, "streams", '[');
	for (size_t i = 0; i < r->n_streams; i++) {
		const struct cd_report_stream *s = &r->streams[i];

		cd_json_open_flat(json, NULL, '{');
		cd_json_count(json, "id", s->id);
		cd_json_string(json, "what", s->what);
		cd_json_open_flat(json, "packets", '{');
		for (size_t j = 0; j < r->n_captures && s->packets; j++)
			cd_json_count(json, cd_phrase_label(r, (int64_t)j),
				      s->packets[j]);
		cd_json_close(json, '}');
		cd_json_count(json, "payload_bytes", s->payload_bytes);
		cd_json_count(json, "frame_bytes", s->frame_bytes);
		cd_json_bool(json, "one_size", s->one_size);
		cd_json_close(json, '}');
	}
	cd_json_close(json, ']');
}

static void add_number(struct cd_json *json, const struct cd_value *v)
{
	switch (v->kind) {
	case CD_VALUE_TEXT:
		cd_json_string(json, "value", v->text);
		break;
	case CD_VALUE_NULL:
		cd_json_null(json, "value");
		break;
	case CD_VALUE_COUNT:
	case CD_VALUE_SPAN:
	case CD_VALUE_REAL:
		cd_json_name(json, "value");
		cd_number_value(json->out, v);
		break;
	}
}

static void add_value(struct cd_json *json, const struct cd_report *r,
		      const struct cd_value *v)
{
	struct cd_str name = {0};

	cd_value_full_key(r, v, &name);
	cd_json_open_flat(json, cd_str_text(&name), '{');
	add_number(json, v);
	if (v->kind == CD_VALUE_NULL)
		cd_json_string(json, "reason",
			       v->reason != NULL ? v->reason : "undefined");
	cd_json_string(json, "unit", v->key->unit);
	cd_json_string(json, "label", v->key->label);
	if (v->key->better != CD_BETTER_NONE)
		cd_json_string(json, "better",
			       v->key->better == CD_BETTER_LOWER ? "lower"
								 : "higher");
	if (v->has_interval) {
		cd_json_real(json, "low", v->low);
		cd_json_real(json, "high", v->high);
	}
	if (v->has_n)
		cd_json_count(json, "n", v->n);
	cd_json_close(json, '}');
	json->out->bad = json->out->bad || name.bad;
	cd_str_release(&name);
}

/* Captures in their order, keys in that of the table, then the streams'. */
static void add_values(struct cd_json *json, const struct cd_report *r)
{
	cd_json_open(json, "values", '{');
	for (uint32_t p = 0; p < r->n_captures; p++) {
		const struct cd_value *v;

		for (size_t at = 0; (v = cd_report_next(r, p, &at)) != NULL;)
			add_value(json, r, v);
	}
	cd_json_close(json, '}');
}

static void add_words(struct cd_json *json, const char *name,
		      const char *const *words, size_t n)
{
	cd_json_open_flat(json, name, '[');
	for (size_t i = 0; i < n; i++)
		cd_json_string(json, NULL, words[i]);
	cd_json_close(json, ']');
}

static void add_abouts(struct cd_json *json, const char *name,
		       const struct cd_abouts *abouts)
{
	cd_json_open_flat(json, name, '[');
	for (size_t i = 0; i < abouts->n; i++)
		cd_json_string(json, NULL, cd_about_name(abouts->list[i]));
	cd_json_close(json, ']');
}

static void add_verdicts(struct cd_json *json, const struct cd_report *r)
{
	cd_json_open(json, "verdicts", '{');
	for (size_t i = 0; i < r->n_verdicts; i++) {
		const struct cd_report_verdict *v = &r->verdicts[i];

		cd_json_open(json, cd_phrase_label(r, v->point), '{');
		cd_json_judgement(json, "complete", v->complete);
		cd_json_judgement(json, "accurate", v->accurate);
		add_words(json, "reasons", v->reasons, v->n_reasons);
		add_words(json, "qualifiers", v->qualifiers, v->n_qualifiers);
		cd_json_string(json, "text", v->text);
		add_abouts(json, "reasons_about", &v->reasons_about);
		add_abouts(json, "paragraphs_about", &v->paragraphs_about);
		cd_json_close(json, '}');
	}
	cd_json_close(json, '}');
}

static void add_findings(struct cd_json *json, const struct cd_report *r)
{
	cd_json_open(json, "findings", '[');
	for (size_t i = 0; i < r->n_findings; i++) {
		const struct cd_finding *f = &r->findings[i];

		cd_json_open_flat(json, NULL, '{');
		cd_json_string(json, "severity", cd_severity_name(f->severity));
		cd_json_string(json, "code", f->code);
		cd_json_string(json, "capture",
			       f->point < 0 ? NULL
					    : cd_phrase_label(r, f->point));
		cd_json_string(json, "text", f->text);
		cd_json_close(json, '}');
	}
	cd_json_close(json, ']');
}

static void add_limits(struct cd_json *json, const struct cd_report *r)
{
	cd_json_open(json, "limits", '{');
	cd_json_string(json, "profile", r->profile);
	cd_json_open(json, "results", '[');
	for (size_t i = 0; i < r->n_limits; i++) {
		const struct cd_limit_result *l = &r->limits[i];

		cd_json_open_flat(json, NULL, '{');
		cd_json_string(json, "expression", l->expression);
		cd_json_string(json, "key", l->key);
		cd_json_bool(json, "passed", l->passed);
		cd_json_string(json, "value", l->value);
		cd_json_close(json, '}');
	}
	cd_json_close(json, ']');
	cd_json_close(json, '}');
}

void cd_json_add_report(struct cd_json *json, const struct cd_report *report,
			int status)
{
	add_program(json, report);
	cd_json_count(json, "status", (uint64_t)status);
	cd_json_open(json, "captures", '[');
	for (size_t i = 0; i < report->n_captures; i++)
		add_capture(json, report, i);
	cd_json_close(json, ']');
	add_stamp(json, report);
	add_streams(json, report);
	add_values(json, report);
	add_verdicts(json, report);
	add_findings(json, report);
	cd_json_add_series(json, report);
	add_limits(json, report);
}

static int render_json(const struct cd_report *report,
		       const struct cd_render_options *options,
		       struct cd_str *out)
{
	struct cd_json json = {.out = out, .fresh = true};

	cd_json_open(&json, NULL, '{');
	cd_json_add_report(&json, report, options->status);
	cd_json_add_baseline(&json, report);
	if (report->sweep != NULL)
		cd_json_add_sweep(&json, report);
	cd_json_close(&json, '}');
	cd_str_add(out, "\n");
	return out->bad ? -1 : 0;
}

const struct cd_renderer cd_render_json = {
    .name = "json",
    .suffix = ".json",
    .render = render_json,
};
