/* Charts inside the page, as data: drawn SVGs have ids that would clash if they
 * stood in the page itself. */
#include <string.h>

#include "render/html.h"
#include "render/phrase.h"

static const struct {
	const char *name, *title;
	const char *reading; /* how to read it */
} titles[] = {
    {"sweep", "Frame size and rate",
     "Every cell is one run: the share of packets that was captured."},
    {"delta", "Times between packets",
     "One bar where the packets really are means good time stamps; islands "
     "mean that packets were stamped in batches."},
    {"error", "Time stamp error",
     "The share of packets whose time stamp is wrong by more than what the "
     "x axis says. The further to the left a curve falls, the better."},
    {"offset", "Clock against the reference",
     "The offset of the clock over time. A slope is drift, a jump is a step, "
     "the width of the band is the time stamp error."},
    {"loss", "Where packets are missing",
     "When packets are missing, and how many in a row. One spike is a buffer "
     "that overflowed, a carpet is a constant overload, a comb is a timer."},
};

static size_t find_title(const char *name)
{
	size_t i = 0;

	while (i < sizeof(titles) / sizeof(titles[0]) &&
	       strcmp(titles[i].name, name) != 0)
		i++;
	return i;
}

static void add_title(struct cd_str *out, const char *name)
{
	size_t i = find_title(name);

	cd_html_text(out, i < sizeof(titles) / sizeof(titles[0])
			      ? titles[i].title
			      : name);
}

/* RFC 4648 section 4 */
static void add_base64(struct cd_str *out, const char *bytes, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz"
				     "0123456789+/";
	const unsigned char *p = (const unsigned char *)bytes;

	for (size_t i = 0; i < n; i += 3) {
		size_t have = n - i < 3 ? n - i : 3;
		uint32_t bits = (uint32_t)p[i] << 16;
		char four[4];

		if (have > 1)
			bits |= (uint32_t)p[i + 1] << 8;
		if (have > 2)
			bits |= p[i + 2];
		for (size_t j = 0; j < 4; j++)
			four[j] = j <= have ? digits[bits >> (18 - 6 * j) & 63]
					    : '=';
		cd_str_addn(out, four, 4);
	}
}

/* Whoever cannot see the chart is told what it shows: the verdict. */
static void add_alternative(struct cd_str *out, const struct cd_report *r,
			    const char *name)
{
	cd_str_add(out, "Chart: ");
	add_title(out, name);
	cd_str_add(out, ".");
	for (size_t i = 0; i < r->n_verdicts; i++) {
		struct cd_str head = {0};

		cd_str_add(out, " ");
		cd_phrase_headline(r, &r->verdicts[i], &head);
		cd_html_take(out, &head);
		cd_str_add(out, ".");
	}
}

static void add_figure(struct cd_str *out, const struct cd_report *r,
		       const struct cd_picture *picture)
{
	size_t i = find_title(picture->name);

	cd_str_add(out, "<figure>\n<h3>");
	add_title(out, picture->name);
	cd_str_add(out, "</h3>\n<img alt=\"");
	add_alternative(out, r, picture->name);
	cd_str_add(out, "\" src=\"data:image/svg+xml;base64,");
	add_base64(out, picture->svg, picture->length);
	cd_str_add(out, "\">\n");
	if (i < sizeof(titles) / sizeof(titles[0]))
		cd_str_addf(out, "<figcaption>%s</figcaption>\n",
			    titles[i].reading);
	cd_str_add(out, "</figure>\n");
}

void cd_html_pictures(struct cd_str *out, const struct cd_report *report,
		      const struct cd_render_options *options, size_t room)
{
	size_t first = out->length;

	cd_html_section(out, "charts", "Charts");
	if (options->n_pictures == 0)
		cd_str_add(out, "<p>There are no charts in this page: either "
				"gnuplot was not found when it was written, "
				"or there was nothing to draw.</p>\n");
	for (size_t i = 0; i < options->n_pictures; i++) {
		const struct cd_picture *picture = &options->pictures[i];
		struct cd_str figure = {0};

		add_figure(&figure, report, picture);
		if (out->length - first + figure.length + 400 <= room) {
			cd_str_addn(out, cd_str_text(&figure), figure.length);
		} else {
			cd_str_add(out, "<p>Left out, as it would make this "
					"page too large: ");
			add_title(out, picture->name);
			cd_str_add(out, ". <code>--charts</code> draws it."
					"</p>\n");
		}
		out->bad = out->bad || figure.bad;
		cd_str_release(&figure);
	}
	cd_str_add(out, "</section>\n");
}
