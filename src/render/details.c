/* What -v adds: files, interfaces, streams and every value. */
#include <string.h>

#include "render/inputs.h"
#include "render/phrase.h"
#include "render/text.h"
#include "report/text.h"

#define NAME_COLUMNS 14
#define KEY_COLUMNS 36

static void put_text(struct cd_screen *screen, const char *name,
		     const char *text)
{
	if (text != NULL && *text != '\0')
		cd_put_entry(screen, name, text, NAME_COLUMNS);
}

static void put_str(struct cd_screen *screen, const char *name,
		    struct cd_str *text)
{
	put_text(screen, name, cd_str_text(text));
	screen->out->bad = screen->out->bad || text->bad;
	cd_str_release(text);
}

static void put_iface(struct cd_screen *screen,
		      const struct cd_report_iface *iface)
{
	struct cd_str text = {0};

	cd_inputs_iface(&text, iface);
	cd_str_addf(&text, ": %s", iface->linktype_name != NULL
				       ? iface->linktype_name
				       : "unknown link type");
	if (iface->tick_ps > 0) {
		cd_str_add(&text, ", resolution ");
		cd_text_span_short(&text, (double)iface->tick_ps, 4,
				   screen->utf8);
	}
	if (iface->snaplen > 0) {
		cd_str_add(&text, ", at most ");
		cd_text_count(&text, iface->snaplen);
		cd_str_add(&text, " bytes a packet");
	}
	cd_inputs_counters(&text, iface);
	put_str(screen, "  Interface", &text);
}

static void put_times(struct cd_screen *screen,
		      const struct cd_report_capture *c)
{
	char first[CD_ISO_SIZE], last[CD_ISO_SIZE];
	struct cd_str text = {0};

	if (!c->has_times)
		return;
	cd_str_addf(&text, "%s to %s",
		    cd_instant_iso(c->first, c->time_digits, first,
				   sizeof(first)),
		    cd_instant_iso(c->last, c->time_digits, last,
				   sizeof(last)));
	put_str(screen, "  Time", &text);
}

/* The files of a ring set, numbered as in "file 2, frame 47". */
static void put_files(struct cd_screen *screen,
		      const struct cd_report_capture *c)
{
	for (size_t i = 0; i < c->n_files; i++) {
		const struct cd_report_file *f = &c->files[i];
		struct cd_str text = {0}, name = {0};

		cd_str_addf(&name, "  File %zu", i + 1);
		cd_inputs_part(&text, f);
		cd_put_entry(screen, cd_str_text(&name), cd_str_text(&text),
			     NAME_COLUMNS);
		screen->out->bad = screen->out->bad || text.bad || name.bad;
		cd_str_release(&text);
		cd_str_release(&name);
	}
}

static void put_file(struct cd_screen *screen,
		     const struct cd_report_capture *c)
{
	struct cd_str text = {0};

	cd_inputs_file(&text, c);
	cd_inputs_bytes(&text, c);
	put_str(screen, c->n_files > 0 ? "  Files" : "  File", &text);
	put_files(screen, c);
}

/* ---- values -------------------------------------------------------------- */

static void put_value(struct cd_screen *screen, const struct cd_value *v)
{
	struct cd_str text = {0}, name = {0};

	cd_phrase_value(v, screen->utf8, &text);
	cd_str_add(&name, "  ");
	if (v->stream != CD_NO_STREAM)
		cd_str_addf(&name, "stream.%lu.", (unsigned long)v->stream);
	cd_str_add(&name, v->key->name);
	if (cd_columns(cd_str_text(&name)) >= KEY_COLUMNS) {
		cd_str_addf(screen->out, "%s\n", cd_str_text(&name));
		cd_put_entry(screen, "", cd_str_text(&text), KEY_COLUMNS);
	} else {
		cd_put_entry(screen, cd_str_text(&name), cd_str_text(&text),
			     KEY_COLUMNS);
	}
	screen->out->bad = screen->out->bad || text.bad || name.bad;
	cd_str_release(&text);
	cd_str_release(&name);
}

static void put_values(struct cd_screen *screen, const struct cd_view *view,
		       uint32_t point)
{
	const struct cd_report *r = view->report;
	const struct cd_value *v;

	for (size_t at = 0; (v = cd_report_next(r, point, &at)) != NULL;)
		put_value(screen, v);
}

static void put_capture(struct cd_screen *screen, const struct cd_view *view,
			uint32_t point)
{
	const struct cd_report_capture *c = &view->report->captures[point];
	struct cd_str head = {0};

	cd_put_gap(screen);
	cd_clean(&head, c->label != NULL ? c->label : "capture", screen->utf8);
	if (!view->single && point == view->report->reference)
		cd_str_add(&head, " (reference)");
	cd_put_wrapped(screen, cd_str_text(&head), 0, 2);
	screen->out->bad = screen->out->bad || head.bad;
	cd_str_release(&head);
	put_file(screen, c);
	put_times(screen, c);
	put_text(screen, "  Hardware", c->hardware);
	put_text(screen, "  System", c->os);
	put_text(screen, "  Program", c->application);
	put_text(screen, "  Comment", c->comment);
	for (size_t i = 0; i < c->n_ifaces; i++)
		put_iface(screen, &c->ifaces[i]);
	put_values(screen, view, point);
}

static void put_streams(struct cd_screen *screen, const struct cd_report *r)
{
	if (r->n_streams < 2)
		return;
	cd_put_gap(screen);
	cd_str_add(screen->out, "Streams, and their packets in each capture\n");
	for (size_t i = 0; i < r->n_streams; i++) {
		const struct cd_report_stream *s = &r->streams[i];
		struct cd_str text = {0}, name = {0};

		cd_str_addf(&name, "  %lu", (unsigned long)s->id);
		cd_str_add(&text, s->what != NULL ? s->what : "");
		for (size_t j = 0; j < r->n_captures && s->packets; j++) {
			cd_str_add(&text, j == 0 ? ": " : ", ");
			cd_text_total(&text, s->packets[j]);
		}
		cd_put_entry(screen, cd_str_text(&name), cd_str_text(&text),
			     NAME_COLUMNS);
		screen->out->bad =
		    screen->out->bad || text.bad || name.bad;
		cd_str_release(&text);
		cd_str_release(&name);
	}
}

void cd_put_details(struct cd_screen *screen, const struct cd_view *view)
{
	const struct cd_report *r = view->report;

	put_streams(screen, r);
	for (uint32_t i = 0; i < r->n_captures; i++)
		put_capture(screen, view, i);
}
