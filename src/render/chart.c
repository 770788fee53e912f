#include "render/chart.h"

#include <string.h>
#include <xxhash.h>

#include "render/chart_put.h"
#include "render/plots.h"

const struct cd_chart cd_charts[] = {
    {"sweep", true, "runs with a rate", cd_plot_sweep, cd_chart_sweep},
    {"delta", false, "times between packets", cd_plot_delta, cd_chart_delta},
    {"error", false, "time stamp errors", cd_plot_error, cd_chart_error},
    {"offset", false, "offsets between two clocks", cd_plot_offset,
     cd_chart_offset},
    {"loss", false, "missing packets or duplicates", cd_plot_loss,
     cd_chart_loss},
    {0},
};

#define MARK "# capdiff chart "
#define DIGITS 16

/* Of everything but the digits of the mark, which are at `mark`. */
static void add_digest(const char *script, size_t n, size_t mark,
		       char digest[DIGITS])
{
	static const char hex[] = "0123456789abcdef";
	XXH64_hash_t hash = XXH64(script + mark + DIGITS, n - mark - DIGITS,
				  XXH64(script, mark, 0));

	for (int i = 0; i < DIGITS; i++)
		digest[i] = hex[hash >> (60 - 4 * i) & 15];
}

/* Where the digits of the mark are; 0: there is none. */
static size_t find_mark(const char *script, size_t n)
{
	const size_t length = sizeof(MARK) - 1;

	for (size_t i = 0; i + length + DIGITS <= n; i++)
		if ((i == 0 || script[i - 1] == '\n') &&
		    memcmp(script + i, MARK, length) == 0)
			return i + length;
	return 0;
}

bool cd_chart_untouched(const char *script, size_t n)
{
	size_t mark = find_mark(script, n);
	char digest[DIGITS];

	if (mark == 0)
		return false;
	add_digest(script, n, mark, digest);
	return memcmp(script + mark, digest, DIGITS) == 0;
}

static void put_head(const struct cd_chart *chart, struct cd_str *out)
{
	cd_str_addf(out,
		    "# Draw it again: gnuplot %s.gp\n"
		    "# As PNG, in a terminal: gnuplot -e \"term='pngcairo'\" "
		    "%s.gp, \"term='dumb'\"\n" MARK,
		    chart->name, chart->name);
	cd_str_pad(out, '0', DIGITS);
	cd_str_add(out, " (edited scripts are not overwritten)\n"
			"if (!exists(\"term\")) term = 'svg'\n\n");
	cd_plot_text(out, "name", chart->name);
}

static bool is_ascii(const struct cd_str *text)
{
	for (size_t i = 0; i < text->length; i++)
		if ((unsigned char)text->text[i] >= 0x80)
			return false;
	return true;
}

static void put_look(const char *const *lines, struct cd_str *out)
{
	cd_str_add(out, "\n");
	for (; *lines != NULL; lines++)
		cd_str_add(out, *lines);
}

bool cd_chart_script(const struct cd_chart *chart,
		     const struct cd_report *report, struct cd_str *out)
{
	struct cd_str script = {0};
	bool drawn;
	size_t mark;

	put_head(chart, &script);
	drawn = chart->put(report, &script);
	cd_plot_count(&script, "wide", !is_ascii(&script));
	put_look(cd_plot_common, &script);
	put_look(chart->look, &script);
	out->bad = out->bad || script.bad;
	if (drawn && !script.bad) {
		mark = find_mark(script.text, script.length);
		add_digest(script.text, script.length, mark,
			   script.text + mark);
		cd_str_addn(out, script.text, script.length);
	}
	cd_str_release(&script);
	return drawn;
}
