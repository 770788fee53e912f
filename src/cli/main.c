/*
 * capdiff: are these captures complete, and are their time stamps accurate?
 *
 * A map of the house, in the order a packet walks through it:
 *
 *   cli/     argv, messages, files written, exit status (you are here)
 *   run/     options to report: one run, many, a saved one; the library
 *   input/   bytes of files and pipes, inflated
 *   capture/ pcap and pcapng: records, interfaces, counters; the writer
 *   frame/   link, IP and L4 headers; BPF filters
 *   stamp/   stream, sequence number, transmit time; detection
 *   align/   tracks: what is kept of each packet; matched rows
 *   stat/    mathematics that knows only numbers
 *   metric/  matched rows to values: loss, order, clock, errors, bursts
 *   report/  the model: keys, values, findings
 *   extract/ packets to look at: copies with marks, missing ones, rows of CSV
 *   verdict/ complete? accurate? limits, and the sentences
 *   sweep/   many runs: sizes, rates, and where a capture point ends
 *   render/  report to text, HTML, CSV, JSON and back; charts
 *   base/    time, bytes, strings, errors, unfinished files
 *   sim/     capsim, which writes captures whose truth is known
 *
 * HACKING.md says which room may include which, and where a new thing goes.
 */
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/partial.h"
#include "cli/charts.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "render/render.h"
#include "report/sweep.h"
#include "run/run.h"
#include "run/saved.h"
#include "run/sweep.h"

#define STATUS_FAILED 2

/* Names of files and words of options are data: no control character of theirs
 * reaches the terminal. */
static void put_clean(const char *text, size_t n)
{
	for (size_t i = 0; i < n && text[i] != '\0'; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c < ' ' || c == 127)
			fprintf(stderr, "\\x%02x", c);
		else
			fputc(c, stderr);
	}
}

static void put_message(const char *file, const char *what, size_t length,
			const char *hint)
{
	fputs("capdiff: ", stderr);
	if (file[0] != '\0') {
		put_clean(file, SIZE_MAX);
		fputs(": ", stderr);
	}
	put_clean(what, length);
	fputc('\n', stderr);
	if (hint[0] == '\0')
		return;
	fputs("  ", stderr);
	put_clean(hint, SIZE_MAX);
	fputc('\n', stderr);
}

static void say_error(const struct cd_error *error)
{
	if (error->fault != CD_OK)
		put_message(error->file, error->what, SIZE_MAX, error->hint);
}

/* Errors of single files, also on stderr, so that they are seen when the report
 * goes elsewhere: "what; what to do". Not the one that stopped the run, which
 * is said at the end. */
static void say_findings(const struct cd_report *report,
			 const struct cd_error *last)
{
	for (size_t i = 0; i < report->n_findings; i++) {
		const struct cd_finding *f = &report->findings[i];
		const char *hint = strstr(f->text, "; ");

		if (f->severity != CD_ERROR ||
		    (f->point < 0 && report->sweep == NULL) ||
		    (last->fault != CD_OK &&
		     strncmp(f->text, last->what, strlen(last->what)) == 0))
			continue;
		put_message(f->point < 0 ? ""
					 : report->captures[f->point].path,
			    f->text,
			    hint == NULL ? SIZE_MAX : (size_t)(hint - f->text),
			    hint == NULL ? "" : hint + 2);
	}
}

static bool use_color(const char *when)
{
	const char *term = getenv("TERM");

	if (strcmp(when, "auto") != 0)
		return strcmp(when, "always") == 0;
	return isatty(STDOUT_FILENO) && getenv("NO_COLOR") == NULL &&
	       term != NULL && strcmp(term, "dumb") != 0;
}

/* Only the character set of the locale is asked for: numbers stay in C. */
static bool use_utf8(void)
{
	return setlocale(LC_CTYPE, "") != NULL &&
	       strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static int print_report(const struct cd_report *report,
			const struct cd_render_options *render,
			const char *format, struct cd_error *error)
{
	struct cd_str out = {0};
	int status = -1;

	if (cd_renderer_find(format)->render(report, render, &out) || out.bad)
		cd_error_memory(error);
	else if (fwrite(out.text, 1, out.length, stdout) != out.length ||
		 fflush(stdout))
		cd_error_set(error, CD_E_WRITE,
			     "standard output cannot be written");
	else
		status = 0;
	cd_str_release(&out);
	return status;
}

static int write_outputs(const struct cd_options *o,
			 const struct cd_report *report, int exit_status,
			 const struct cd_charts *charts, struct cd_error *error)
{
	struct cd_render_options render = {
	    .width = 80,
	    .status = exit_status,
	    .pictures = charts->pictures,
	    .n_pictures = charts->n_pictures,
	};

	for (size_t i = 0; i < o->n_outputs; i++) {
		const char *path = o->outputs[i];
		struct cd_str out = {0};
		int status;

		if (cd_renderer_for_path(path)->render(report, &render,
						       &out) ||
		    out.bad)
			status = cd_error_memory(error);
		else
			status = cd_output_write(path, out.text, out.length,
						 error);
		cd_str_release(&out);
		if (status)
			return -1;
	}
	return 0;
}

static void say_note(const char *file, const char *what, const char *hint)
{
	put_message(file, what, SIZE_MAX, hint);
}

static int write_charts(const struct cd_options *o,
			const struct cd_charts *charts, struct cd_error *error)
{
	if (o->charts == NULL)
		return 0;
	if (cd_charts_write(charts, o, error))
		return -1;
	if (o->quiet == 0)
		cd_charts_notes(charts, o->charts, say_note);
	return 0;
}

static int show(const struct cd_options *o, struct capdiff_report *report,
		const struct cd_error *stopped, struct cd_error *error)
{
	struct cd_charts charts = {0};
	int status = capdiff_status(report), drawn = 0;
	struct cd_render_options render = {
	    .width = 80,
	    .utf8 = use_utf8(),
	    .color = use_color(o->color),
	    .verbosity = o->quiet > 0 ? -1 : o->verbose,
	    .status = status,
	};

	say_findings(report->model, stopped);
	if (cd_charts_wanted(o))
		drawn = cd_charts_draw(&charts, report->model, error);
	render.pictures = charts.pictures;
	render.n_pictures = charts.n_pictures;
	/* what cannot be shown can be written all the same */
	if (o->quiet < 2 &&
	    print_report(report->model, &render, o->format, error))
		status = STATUS_FAILED;
	if (write_outputs(o, report->model, status, &charts, error) ||
	    drawn != 0 || write_charts(o, &charts, error))
		status = STATUS_FAILED;
	cd_charts_release(&charts);
	return status;
}

/* Will nobody see more than the text on one screen? */
static bool is_brief(const struct cd_options *o)
{
	return strcmp(o->format, "text") == 0 && o->verbose == 0 &&
	       o->baseline == NULL && o->n_outputs == 0 && o->charts == NULL && o->n_limits == 0;
}

static struct capdiff_report *make_report(const struct cd_options *o,
					  struct cd_error *error)
{
	struct cd_sweep_options sweep = {&o->run, o->sources, o->n_sources,
					 o->reference};

	if (o->from != NULL)
		return cd_saved_open(o->from, &o->run, error);
	return o->sweep ? cd_sweep_run(&sweep, error) : cd_run(&o->run, error);
}

static int run(struct cd_options *o)
{
	struct cd_error error = {0}, write_error = {0}, baseline_error = {0};
	struct cd_progress_line line;
	struct capdiff_report *report;
	int status = STATUS_FAILED;

	if (cd_outputs_check(o, &error) || cd_charts_check(o, &error)) {
		say_error(&error);
		return STATUS_FAILED;
	}
	cd_progress_init(&line, isatty(STDERR_FILENO) && o->quiet == 0);
	o->run.progress = cd_progress_draw;
	o->run.progress_context = &line;
	o->run.brief = is_brief(o);
	report = make_report(o, &error);
	cd_progress_erase(&line);
	if (report != NULL && o->baseline != NULL &&
	    cd_saved_baseline(report->model, o->baseline, &baseline_error))
		report->failed = true;
	if (report != NULL)
		status = show(o, report, &error, &write_error);
	say_error(&error);
	say_error(&baseline_error);
	say_error(&write_error);
	capdiff_report_free(report);
	return status;
}

/* A standard stream that is closed must not become the next file opened: the
 * report would go into an output, or a capture be taken for standard input.
 * Opened the wrong way round, it fails as a closed one does. */
static bool fill_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY
							 : O_RDONLY) != fd)
			return false;
	return true;
}

int main(int argc, char **argv)
{
	struct cd_options options;
	struct cd_error error = {0};
	int status = STATUS_FAILED;

	if (!fill_standard_streams())
		return STATUS_FAILED;
	/* a file above the limit of its size is a write that fails */
	signal(SIGXFSZ, SIG_IGN);
	cd_partial_watch();
	if (cd_options_parse(&options, argc, argv, &error)) {
		say_error(&error);
	} else {
		switch (options.action) {
		case CD_RUN:
			status = run(&options);
			break;
		case CD_SHOW_HELP:
			cd_print_help(stdout);
			status = 0;
			break;
		case CD_SHOW_VERSION:
			cd_print_version(stdout);
			status = 0;
			break;
		case CD_SHOW_NOTHING:
			cd_print_first_words(stderr);
			break;
		}
	}
	cd_options_release(&options);
	return status;
}
