#include "cli/charts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "cli/gnuplot.h"
#include "cli/output.h"

/* Longer than any script of ours: what is longer was not written by us. */
#define LONGEST_SCRIPT ((size_t)64 << 20)

bool cd_charts_wanted(const struct cd_options *o)
{
	if (o->charts != NULL || strcmp(o->format, "html") == 0)
		return true;
	for (size_t i = 0; i < o->n_outputs; i++)
		if (strcmp(cd_renderer_for_path(o->outputs[i])->name, "html") ==
		    0)
			return true;
	return false;
}

/* ---- what is in the folder ----------------------------------------------- */

/* The whole file. False if there is none, or none that can be read. */
static bool read_file(const char *path, struct cd_str *out)
{
	char buffer[8192];
	struct stat st;
	FILE *file;
	size_t n;
	bool good;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	file = fopen(path, "rb");
	if (file == NULL)
		return false;
	while (out->length < LONGEST_SCRIPT &&
	       (n = fread(buffer, 1, sizeof(buffer), file)) > 0)
		cd_str_addn(out, buffer, n);
	good = feof(file) && !ferror(file) && !out->bad;
	fclose(file);
	return good;
}

static int check_script(const char *path, struct cd_error *error)
{
	struct cd_str script = {0};
	struct stat st;
	bool ours;

	if (lstat(path, &st))
		return 0;
	ours = read_file(path, &script) &&
	       cd_chart_untouched(cd_str_text(&script), script.length);
	cd_str_release(&script);
	if (ours)
		return 0;
	cd_error_file(error, path);
	cd_error_set(error, CD_E_WRITE,
		     "was edited, or is no chart of capdiff: not overwritten");
	cd_error_hint(error, "rename or remove it, or choose another folder");
	return -1;
}

static int check_chart(const struct cd_options *o, const char *name,
		       struct cd_error *error)
{
	char *script = cd_strf("%s/%s.gp", o->charts, name);
	char *picture = cd_strf("%s/%s.svg", o->charts, name);
	int status = -1;

	if (script == NULL || picture == NULL)
		cd_error_memory(error);
	else if (cd_output_check(o, script, o->n_outputs, error) == 0 &&
		 cd_output_check(o, picture, o->n_outputs, error) == 0)
		status = check_script(script, error);
	free(script);
	free(picture);
	return status;
}

int cd_charts_check(const struct cd_options *o, struct cd_error *error)
{
	struct stat st;

	if (o->charts == NULL)
		return 0;
	if (stat(o->charts, &st) == 0 && !S_ISDIR(st.st_mode)) {
		cd_error_file(error, o->charts);
		cd_error_set(error, CD_E_WRITE, "is not a folder");
		cd_error_hint(error, "--charts takes the folder to write to");
		return -1;
	}
	for (size_t i = 0; cd_charts[i].name != NULL; i++)
		if (check_chart(o, cd_charts[i].name, error))
			return -1;
	return 0;
}

/* ---- drawing ------------------------------------------------------------- */

static int allocate(struct cd_charts *c, struct cd_error *error)
{
	while (cd_charts[c->n].name != NULL)
		c->n++;
	c->drawn = calloc(c->n, sizeof(*c->drawn));
	c->pictures = calloc(c->n, sizeof(*c->pictures));
	return c->drawn == NULL || c->pictures == NULL ? cd_error_memory(error)
						       : 0;
}

static void draw(struct cd_charts *c, struct cd_drawn *d, const char *gnuplot)
{
	if (gnuplot == NULL || c->trouble.fault != CD_OK ||
	    cd_gnuplot_draw(gnuplot, &d->script, &d->svg, &c->trouble))
		return;
	c->pictures[c->n_pictures++] =
	    (struct cd_picture){d->chart->name, d->svg.text, d->svg.length};
}

int cd_charts_draw(struct cd_charts *c, const struct cd_report *report,
		   struct cd_error *error)
{
	char *gnuplot;
	int status = 0;

	*c = (struct cd_charts){0};
	if (allocate(c, error))
		return -1;
	gnuplot = cd_gnuplot_find();
	c->no_gnuplot = gnuplot == NULL;
	c->of_sweep = report->sweep != NULL;
	for (size_t i = 0; i < c->n && status == 0; i++) {
		struct cd_drawn *d = &c->drawn[i];

		d->chart = &cd_charts[i];
		if (cd_chart_script(d->chart, report, &d->script))
			draw(c, d, gnuplot);
		if (d->script.bad || c->trouble.fault == CD_E_MEMORY)
			status = cd_error_memory(error);
	}
	free(gnuplot);
	return status;
}

void cd_charts_release(struct cd_charts *c)
{
	for (size_t i = 0; c->drawn != NULL && i < c->n; i++) {
		cd_str_release(&c->drawn[i].script);
		cd_str_release(&c->drawn[i].svg);
	}
	free(c->drawn);
	free(c->pictures);
}

/* ---- writing ------------------------------------------------------------- */

static int make_folder(const char *path, struct cd_error *error)
{
	if (mkdir(path, 0777) == 0 || errno == EEXIST)
		return 0;
	cd_error_file(error, path);
	cd_error_set(error, CD_E_WRITE, "the folder cannot be made: %s",
		     strerror(errno));
	cd_error_hint(error, "the folder that it is in must be there");
	return -1;
}

/* A picture without its script, or of another one, would tell of another
 * run. */
static int write_chart(const struct cd_drawn *d, const char *script,
		       const char *picture, struct cd_error *error)
{
	struct cd_str earlier = {0};
	bool was, same;

	if (check_script(script, error))
		return -1;
	was = read_file(script, &earlier);
	same = was && earlier.length == d->script.length &&
	       memcmp(cd_str_text(&earlier), cd_str_text(&d->script),
		      earlier.length) == 0;
	cd_str_release(&earlier);
	if (was && !same)
		unlink(picture);
	if (was && d->script.length == 0)
		unlink(script);
	if (d->script.length > 0 &&
	    cd_output_write(script, d->script.text, d->script.length, error))
		return -1;
	if (d->svg.length > 0)
		return cd_output_write(picture, d->svg.text, d->svg.length,
				       error);
	return 0;
}

int cd_charts_write(const struct cd_charts *c, const struct cd_options *o,
		    struct cd_error *error)
{
	int status = make_folder(o->charts, error);

	for (size_t i = 0; i < c->n && status == 0; i++) {
		const char *name = c->drawn[i].chart->name;
		char *script = cd_strf("%s/%s.gp", o->charts, name);
		char *picture = cd_strf("%s/%s.svg", o->charts, name);

		if (script == NULL || picture == NULL)
			status = cd_error_memory(error);
		else
			status =
			    write_chart(&c->drawn[i], script, picture, error);
		free(script);
		free(picture);
	}
	if (status == 0 && c->trouble.fault != CD_OK) {
		*error = c->trouble;
		status = -1;
	}
	return status;
}

void cd_charts_notes(const struct cd_charts *c, const char *folder,
		     void (*say)(const char *file, const char *what,
				 const char *hint))
{
	char what[160];

	for (size_t i = 0; i < c->n; i++) {
		const struct cd_chart *chart = c->drawn[i].chart;

		if (c->drawn[i].script.length > 0 ||
		    chart->of_sweep != c->of_sweep)
			continue;
		snprintf(what, sizeof(what), "no chart '%s': there are no %s",
			 chart->name, chart->empty);
		say(folder, what, "");
	}
	if (c->no_gnuplot)
		say("", "gnuplot was not found: scripts written, no pictures",
		    "install gnuplot, or copy the scripts to where it is");
}
