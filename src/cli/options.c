#include "cli/options.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/captures.h"
#include "cli/limits.h"
#include "cli/modes.h"
#include "base/nearest.h"
#include "cli/units.h"
#include "render/render.h"
#include "verdict/verdict.h"

enum {
	OPT_STAMP = 256,
	OPT_PROFILE,
	OPT_LIMIT,
	OPT_LIMITS,
	OPT_REF_ACCURACY,
	OPT_LOSS_RATIO,
	OPT_GUARD,
	OPT_STRICT,
	OPT_CLOCK,
	OPT_ESTIMATOR,
	OPT_SYNCHRONISED,
	OPT_TS_UNIT,
	OPT_ALLOW_TRUNCATED,
	OPT_LINK_RATE,
	OPT_FCS,
	OPT_EXPECT,
	OPT_COLOR,
	OPT_FORCE_SKEW,
	OPT_UNIVERSE,
	OPT_IGNORE_ADDRESSES,
	OPT_SET,
	OPT_CHARTS,
	OPT_INTERVAL,
	OPT_WRITE_MISSING,
	OPT_FOR,
	OPT_PACKETS,
	OPT_SWEEP,
	OPT_FROM,
	OPT_BASELINE
};

static const char short_options[] = ":r:f:c:T:o:w:j:qvVh";

static const struct option long_options[] = {
    {"reference", required_argument, NULL, 'r'},
    {"filter", required_argument, NULL, 'f'},
    {"count", required_argument, NULL, 'c'},
    {"format", required_argument, NULL, 'T'},
    {"output", required_argument, NULL, 'o'},
    {"jobs", required_argument, NULL, 'j'},
    {"quiet", no_argument, NULL, 'q'},
    {"verbose", no_argument, NULL, 'v'},
    {"version", no_argument, NULL, 'V'},
    {"help", no_argument, NULL, 'h'},
    {"stamp", required_argument, NULL, OPT_STAMP},
    {"profile", required_argument, NULL, OPT_PROFILE},
    {"limit", required_argument, NULL, OPT_LIMIT},
    {"limits", required_argument, NULL, OPT_LIMITS},
    {"ref-accuracy", required_argument, NULL, OPT_REF_ACCURACY},
    {"loss-ratio", required_argument, NULL, OPT_LOSS_RATIO},
    {"guard", required_argument, NULL, OPT_GUARD},
    {"strict", no_argument, NULL, OPT_STRICT},
    {"clock", no_argument, NULL, OPT_CLOCK},
    {"estimator", required_argument, NULL, OPT_ESTIMATOR},
    {"clocks-synchronised", no_argument, NULL, OPT_SYNCHRONISED},
    {"ts-unit", required_argument, NULL, OPT_TS_UNIT},
    {"allow-truncated", no_argument, NULL, OPT_ALLOW_TRUNCATED},
    {"link-rate", required_argument, NULL, OPT_LINK_RATE},
    {"fcs", required_argument, NULL, OPT_FCS},
    {"expect", required_argument, NULL, OPT_EXPECT},
    {"color", required_argument, NULL, OPT_COLOR},
    {"force-skew", no_argument, NULL, OPT_FORCE_SKEW},
    {"universe", required_argument, NULL, OPT_UNIVERSE},
    {"ignore-addresses", no_argument, NULL, OPT_IGNORE_ADDRESSES},
    {"set", required_argument, NULL, OPT_SET},
    {"sweep", no_argument, NULL, OPT_SWEEP},
    {"from", required_argument, NULL, OPT_FROM},
    {"baseline", required_argument, NULL, OPT_BASELINE},
    {"interval", required_argument, NULL, OPT_INTERVAL},
    {"charts", required_argument, NULL, OPT_CHARTS},
    {"write-marked", required_argument, NULL, 'w'},
    {"write-missing", required_argument, NULL, OPT_WRITE_MISSING},
    {"for", required_argument, NULL, OPT_FOR},
    {"packets", required_argument, NULL, OPT_PACKETS},
    {NULL, 0, NULL, 0}};

/* Everything between the options' arguments and the run. */
struct parse {
	struct cd_options *o;
	struct cd_error *error;
	const char *reference;
	const char *ts_units[CAPDIFF_MAX_CAPTURES];
	size_t n_ts_units;
	const char *sets[CAPDIFF_MAX_CAPTURES];
	size_t n_sets;
};

static int bad_value(struct parse *p, const char *option, const char *value,
		     const char *hint)
{
	cd_error_set(p->error, CD_E_USAGE, "%s cannot be '%s'", option, value);
	cd_error_hint(p->error, "%s", hint);
	return -1;
}

static int push(struct parse *p, const char ***list, size_t *n,
		size_t *capacity, const char *text)
{
	if (cd_grow(list, capacity, *n + 1, sizeof(**list)))
		return cd_error_memory(p->error);
	(*list)[(*n)++] = text;
	return 0;
}

static int take_format(struct parse *p, const char *arg)
{
	struct cd_str names = {0};

	if (cd_renderer_find(arg) == NULL) {
		for (size_t i = 0; cd_renderers[i] != NULL; i++)
			cd_str_addf(&names, "%s%s", i > 0 ? ", " : "",
				    cd_renderers[i]->name);
		cd_error_set(p->error, CD_E_USAGE,
			     "no output format is called '%s'", arg);
		cd_error_hint(p->error, "there are %s", cd_str_text(&names));
		cd_str_release(&names);
		return -1;
	}
	p->o->format = arg;
	return 0;
}

static int bad_suffix(struct parse *p, const char *path)
{
	struct cd_str names = {0};

	for (size_t i = 0; cd_renderers[i] != NULL; i++)
		cd_str_addf(&names, "%s%s",
			    i == 0			     ? ""
			    : cd_renderers[i + 1] == NULL ? " or "
							     : ", ",
			    cd_renderers[i]->suffix);
	cd_error_file(p->error, path);
	cd_error_set(p->error, CD_E_USAGE,
		     "the suffix does not say which format to write");
	cd_error_hint(p->error, "use %s", cd_str_text(&names));
	cd_str_release(&names);
	return -1;
}

static int take_output(struct parse *p, const char *arg)
{
	struct cd_options *o = p->o;

	if (cd_renderer_for_path(arg) == NULL)
		return bad_suffix(p, arg);
	return push(p, &o->outputs, &o->n_outputs, &o->outputs_capacity, arg);
}

static int take_count(struct parse *p, const char *option, const char *arg,
		      uint64_t most, uint64_t *out)
{
	uint64_t n;

	if (!cd_parse_count(arg, &n) || n > most)
		return bad_value(p, option, arg, "a whole number is wanted");
	*out = n;
	return 0;
}

static int take_jobs(struct parse *p, const char *arg)
{
	uint64_t n;

	if (take_count(p, "-j", arg, 4096, &n))
		return -1;
	if (n == 0)
		return bad_value(p, "-j", arg, "1 or more threads");
	p->o->run.threads = (unsigned)n;
	return 0;
}

static int take_packets(struct parse *p, const char *arg)
{
	if (take_count(p, "-c", arg, UINT64_MAX, &p->o->run.max_packets))
		return -1;
	if (p->o->run.max_packets == 0)
		return bad_value(p, "-c", arg, "1 packet or more");
	return 0;
}

static int take_expect(struct parse *p, const char *arg)
{
	uint64_t n;

	if (take_count(p, "--expect", arg, INT64_MAX, &n))
		return -1;
	if (n == 0)
		return bad_value(p, "--expect", arg, "1 packet or more");
	p->o->run.expect = (int64_t)n;
	return 0;
}

static int take_fcs(struct parse *p, const char *arg)
{
	if (strcmp(arg, "0") != 0 && strcmp(arg, "4") != 0)
		return bad_value(p, "--fcs", arg,
				 "0 (not in the file) or 4 bytes");
	p->o->run.fcs_bytes = arg[0] - '0';
	return 0;
}

static int take_duration(struct parse *p, const char *option, const char *arg,
			 int64_t *ps)
{
	if (cd_parse_duration(arg, ps))
		return 0;
	return bad_value(p, option, arg, "a time such as 5us or 20ms");
}

/* So many packets, or so much time. */
static int take_interval(struct parse *p, const char *arg)
{
	struct capdiff_options *run = &p->o->run;

	run->interval_packets = 0;
	run->interval_ps = 0;
	if ((cd_parse_count(arg, &run->interval_packets) &&
	     run->interval_packets > 0) ||
	    (cd_parse_duration(arg, &run->interval_ps) && run->interval_ps > 0))
		return 0;
	return bad_value(p, "--interval", arg,
			 "packets such as 10000, or a time such as 1s");
}

static int take_color(struct parse *p, const char *arg)
{
	if (strcmp(arg, "auto") != 0 && strcmp(arg, "always") != 0 &&
	    strcmp(arg, "never") != 0)
		return bad_value(p, "--color", arg, "auto, always or never");
	p->o->color = arg;
	return 0;
}

static int take_universe(struct parse *p, const char *arg)
{
	if (strcmp(arg, "reference") != 0 && strcmp(arg, "union") != 0)
		return bad_value(p, "--universe", arg, "reference or union");
	p->o->run.union_universe = arg[0] == 'u';
	return 0;
}

static int take_ts_unit(struct parse *p, const char *arg)
{
	if (p->n_ts_units == CAPDIFF_MAX_CAPTURES ||
	    strchr(arg, '=') == NULL)
		return bad_value(p, "--ts-unit", arg,
				 "LABEL=ns or LABEL=us is wanted");
	p->ts_units[p->n_ts_units++] = arg;
	return 0;
}

static int take_set(struct parse *p, const char *arg)
{
	const char *equals = strchr(arg, '=');

	if (equals == NULL || equals == arg || equals[1] == '\0' ||
	    strcmp(equals, "=-") == 0)
		return bad_value(p, "--set", arg,
				 "LABEL=GLOB is wanted, such as "
				 "--set laptop='laptop_*.pcapng'");
	if (p->n_sets == CAPDIFF_MAX_CAPTURES)
		return bad_value(p, "--set", arg, "there are too many");
	p->sets[p->n_sets++] = arg;
	return 0;
}

static int take_ratio(struct parse *p, const char *arg)
{
	if (cd_parse_ratio(arg, &p->o->run.loss_ratio))
		return 0;
	return bad_value(p, "--loss-ratio", arg, "such as 0.001 or 0.1%");
}

static int take_limit(struct parse *p, const char *arg)
{
	struct cd_options *o = p->o;

	if (cd_limit_check(arg, p->error))
		return -1;
	return push(p, &o->limits, &o->n_limits, &o->limits_capacity, arg);
}

static int take_rate(struct parse *p, const char *arg)
{
	if (cd_parse_rate(arg, &p->o->run.link_bps))
		return 0;
	return bad_value(p, "--link-rate", arg, "such as 1G or 100M");
}

/* Options that only fill in the run's options. 1: not one of them. */
static int take_analysis(struct parse *p, int opt, const char *arg)
{
	struct capdiff_options *run = &p->o->run;

	switch (opt) {
	case OPT_PROFILE:
		run->profile = arg;
		return 0;
	case OPT_ESTIMATOR:
		run->estimator = arg;
		return 0;
	case OPT_STRICT:
		run->strict = true;
		return 0;
	case OPT_CLOCK:
		run->clock = true;
		return 0;
	case OPT_SYNCHRONISED:
		run->clocks_synchronised = true;
		return 0;
	case OPT_ALLOW_TRUNCATED:
		run->allow_truncated = true;
		return 0;
	case OPT_IGNORE_ADDRESSES:
		run->ignore_addresses = true;
		return 0;
	case OPT_FORCE_SKEW:
		run->force_skew = true;
		return 0;
	case OPT_REF_ACCURACY:
		return take_duration(p, "--ref-accuracy", arg,
				     &run->ref_accuracy_ps);
	case OPT_GUARD:
		return take_duration(p, "--guard", arg, &run->guard_ps);
	case OPT_LOSS_RATIO:
		return take_ratio(p, arg);
	case OPT_LINK_RATE:
		return take_rate(p, arg);
	case OPT_FCS:
		return take_fcs(p, arg);
	case OPT_INTERVAL:
		return take_interval(p, arg);
	case OPT_EXPECT:
		return take_expect(p, arg);
	case OPT_UNIVERSE:
		return take_universe(p, arg);
	case OPT_TS_UNIT:
		return take_ts_unit(p, arg);
	default:
		return 1;
	}
}

/* Files of packets. 1: not one of these options. */
static int take_extract(struct parse *p, int opt, const char *arg)
{
	struct capdiff_options *run = &p->o->run;
	const char **where;

	switch (opt) {
	case 'w':
		where = &run->write_marked;
		break;
	case OPT_WRITE_MISSING:
		where = &run->write_missing;
		break;
	case OPT_PACKETS:
		where = &run->write_packets;
		break;
	case OPT_FOR:
		where = &run->subject;
		break;
	default:
		return 1;
	}
	if (*where != NULL)
		return cd_error_set(p->error, CD_E_USAGE,
				    "only one file or label of this kind: '%s' "
				    "and '%s'", *where, arg);
	*where = arg;
	return 0;
}

static int take_option(struct parse *p, int opt, const char *arg)
{
	struct cd_options *o = p->o;
	int status;

	switch (opt) {
	case 'r':
		p->reference = arg;
		return 0;
	case 'f':
		o->run.filter = arg;
		return 0;
	case 'c':
		return take_packets(p, arg);
	case 'T':
		return take_format(p, arg);
	case 'o':
		return take_output(p, arg);
	case 'j':
		return take_jobs(p, arg);
	case 'q':
		o->quiet++;
		return 0;
	case 'v':
		o->verbose++;
		return 0;
	case 'V':
		o->action = CD_SHOW_VERSION;
		return 0;
	case 'h':
		o->action = CD_SHOW_HELP;
		return 0;
	case OPT_STAMP:
		o->run.stamp = arg;
		return 0;
	case OPT_LIMIT:
		return take_limit(p, arg);
	case OPT_LIMITS:
		return cd_limits_read(o, arg, p->error);
	case OPT_COLOR:
		return take_color(p, arg);
	case OPT_SET:
		return take_set(p, arg);
	case OPT_CHARTS:
		o->charts = arg;
		return 0;
	case OPT_SWEEP:
		o->sweep = true;
		return 0;
	case OPT_FROM:
		o->from = arg;
		return 0;
	case OPT_BASELINE:
		o->baseline = arg;
		return 0;
	default:
		status = take_extract(p, opt, arg);
		return status <= 0 ? status : take_analysis(p, opt, arg);
	}
}

/* getopt_long said '?' or ':': say what is wrong, and what is near it. */
static int say_bad_option(struct parse *p, int opt, char **argv)
{
	const char *names[sizeof(long_options) / sizeof(long_options[0])];
	const char *word = argv[optind - 1];
	size_t n = 0;

	for (; long_options[n].name != NULL; n++)
		names[n] = long_options[n].name;
	if (opt == ':') {
		cd_error_set(p->error, CD_E_USAGE, "%s needs a value", word);
	} else if (optopt != 0 && strncmp(word, "--", 2) != 0) {
		cd_error_set(p->error, CD_E_USAGE, "no option is called -%c",
			     optopt);
		cd_error_hint(p->error, "capdiff -h lists them");
	} else if (optopt != 0) {
		cd_error_set(p->error, CD_E_USAGE, "%s takes no value", word);
	} else {
		char name[64];

		snprintf(name, sizeof(name), "%.*s",
			 (int)strcspn(word + 2, "="), word + 2);
		cd_error_set(p->error, CD_E_USAGE, "no option is called --%s",
			     name);
		cd_error_hint(p->error, "did you mean --%s?",
			      cd_nearest(name, names, n));
	}
	return -1;
}

/* Does this option change a number? Then it is echoed in the report. */
static bool changes_numbers(int opt)
{
	return opt != 'T' && opt != 'o' && opt != 'j' && opt != 'q' &&
	       opt != 'v' && opt != 'V' && opt != 'h' && opt != OPT_COLOR &&
	       opt != OPT_CHARTS && opt != 'w' && opt != OPT_WRITE_MISSING &&
	       opt != OPT_FOR && opt != OPT_PACKETS && opt != OPT_FROM && opt != OPT_BASELINE;
}

static int echo_word(struct parse *p, const char *word)
{
	return push(p, &p->o->command, &p->o->n_command,
		    &p->o->command_capacity, word);
}

/* Echo the option in its long spelling. */
static int echo_option(struct parse *p, int opt, const char *arg)
{
	struct cd_options *o = p->o;
	size_t i = 0;
	char *word;

	while (long_options[i].val != opt)
		i++;
	word = arg == NULL ? cd_strf("--%s", long_options[i].name)
			   : cd_strf("--%s=%s", long_options[i].name, arg);
	if (word == NULL ||
	    cd_grow(&o->limit_texts, &o->limit_texts_capacity,
		    o->n_limit_texts + 1, sizeof(*o->limit_texts))) {
		free(word);
		return cd_error_memory(p->error);
	}
	o->limit_texts[o->n_limit_texts++] = word;
	return echo_word(p, word);
}

static int parse_options(struct parse *p, int argc, char **argv)
{
	int opt;

	opterr = 0;
	optind = 1;
	while ((opt = getopt_long(argc, argv, short_options, long_options,
				  NULL)) != -1) {
		if (opt == '?' || opt == ':')
			return say_bad_option(p, opt, argv);
		if (take_option(p, opt, optarg))
			return -1;
		if (changes_numbers(opt) && echo_option(p, opt, optarg))
			return -1;
	}
	return 0;
}

int cd_options_parse(struct cd_options *options, int argc, char **argv,
		     struct cd_error *error)
{
	struct parse p = {.o = options, .error = error};
	struct cd_named named;

	*options = (struct cd_options){.format = "text", .color = "auto"};
	capdiff_options_init(&options->run);
	if (argc <= 1) {
		options->action = CD_SHOW_NOTHING;
		return 0;
	}
	if (echo_word(&p, "capdiff") || parse_options(&p, argc, argv))
		return -1;
	if (options->action != CD_RUN)
		return 0;
	named = (struct cd_named){argv + optind, (size_t)(argc - optind),
				  p.sets, p.n_sets, p.reference};
	if (cd_modes_check(options, error) ||
	    cd_words_take(options, &named, error))
		return -1;
	if (options->run.n_captures > 0 &&
	    cd_captures_units(options, p.ts_units, p.n_ts_units, error))
		return -1;
	for (size_t i = 0; options->run.n_captures > 0 && i < named.n_words;
	     i++)
		if (echo_word(&p, named.words[i]))
			return -1;
	options->run.captures = options->captures;
	options->run.limits = options->limits;
	options->run.n_limits = options->n_limits;
	options->run.command = options->command;
	options->run.n_command = options->n_command;
	return 0;
}

void cd_options_release(struct cd_options *options)
{
	for (size_t i = 0; i < options->n_owned; i++)
		free(options->owned[i]);
	free(options->owned);
	for (size_t i = 0; i < options->n_limit_texts; i++)
		free(options->limit_texts[i]);
	free(options->limit_texts);
	free(options->limits);
	free(options->command);
	free(options->outputs);
}
