/* capsim: what several capture points would have recorded of one stream, and
 * the truth beside it. The only file of the room that prints and exits. */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/nearest.h"
#include "base/partial.h"
#include "base/str.h"
#include "sim/point.h"
#include "sim/presets.h"
#include "sim/run.h"
#include "sim/scenario.h"
#include "sim/stamper.h"
#include "sim/study.h"
#include "sim/units.h"

#define SCENARIO_MAX_BYTES (1u << 20)

static const char usage[] =
    "usage: capsim [-n PACKETS] [-s SEED] -o DIR SCENARIO [KEY=VALUE...]\n"
    "       capsim --study NAME [--short] [-s SEED] -o DIR\n"
    "       capsim --list | --print PRESET | --keys | --help | --version\n"
    "\n"
    "Write what the capture points of SCENARIO (a file, - or a preset) record\n"
    "of its streams, and the truth about it, into the folder DIR.\n"
    "\n"
    "  -n, --packets N   packets of every stream\n"
    "  -s, --seed N      seed of all random numbers\n"
    "  -o, --output DIR  folder for the captures and truth.json\n"
    "  -l, --list        presets\n"
    "  -p, --print NAME  a preset, as a file to begin with\n"
    "  -k, --keys        every key, and the stamps\n"
    "      --study NAME  all runs of a study, for capdiff --sweep DIR\n"
    "      --short       its short form: a tenth of packets and buffers\n"
    "      --studies     the studies\n"
    "\n"
    "KEY=VALUE changes one key: rate=20kpps, laptop.drain=100kpps,\n"
    "stream.size=imix, point.gzip=yes.\n"
    "\n"
    "  capsim -o run laptop-1g\n"
    "  capsim -o run -n 10k laptop-1g rate=250kpps laptop.coalesce=none\n"
    "  capsim -o lab --study two-points\n";

/* Options without a letter. */
enum { STUDY = 256, STUDIES, SHORT };

static const struct option long_options[] = {
    {"packets", required_argument, NULL, 'n'},
    {"seed", required_argument, NULL, 's'},
    {"output", required_argument, NULL, 'o'},
    {"list", no_argument, NULL, 'l'},
    {"print", required_argument, NULL, 'p'},
    {"keys", no_argument, NULL, 'k'},
    {"study", required_argument, NULL, STUDY},
    {"studies", no_argument, NULL, STUDIES},
    {"short", no_argument, NULL, SHORT},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0}};

struct arguments {
	const char *output, *seed, *packets;
	const char *study;
	bool short_form;
	const char *scenario;
	char **assignments; /* into argv's strings */
	size_t n, capacity;
};

static int print_error(const struct cd_error *error)
{
	fprintf(stderr, "capsim: %s%s%s\n", error->file,
		error->file[0] != '\0' ? ": " : "", error->what);
	if (error->hint[0] != '\0')
		fprintf(stderr, "        %s\n", error->hint);
	return 2;
}

static void print_table(const char *title, const struct cd_key *keys)
{
	printf("%s\n", title);
	for (; keys->name != NULL; keys++)
		printf("  %-15s %s\n                  %s\n", keys->name,
		       keys->about, keys->values);
	putchar('\n');
}

static void print_keys(void)
{
	print_table("Before the first section:", cd_global_keys);
	print_table("[stream] or [stream NAME]:", cd_stream_keys);
	print_table("[point NAME]; the first is the reference:",
		    cd_point_keys);
	puts("Stamps:");
	for (const struct cd_stamper *s = cd_stampers; s->name != NULL; s++)
		printf("  %-15s %s\n", s->name, s->about);
}

static void print_presets(void)
{
	for (const struct cd_preset *p = cd_presets; p->name != NULL; p++) {
		const char *about = strstr(p->text, "about = ") + 8;

		printf("%-14s %.*s\n", p->name, (int)strcspn(about, "\n"),
		       about);
	}
}

static void print_studies(void)
{
	for (const struct cd_study *const *s = cd_studies; *s != NULL; s++)
		printf("%-14s %s\n", (*s)->name, (*s)->about);
}

static const char *nearest_study(const char *name)
{
	const char *names[64];
	size_t n = 0;

	for (; cd_studies[n] != NULL && n < 64; n++)
		names[n] = cd_studies[n]->name;
	return cd_nearest(name, names, n);
}

static const char *nearest_preset(const char *name)
{
	const char *names[64];
	size_t n = 0;

	for (; cd_presets[n].name != NULL && n < 64; n++)
		names[n] = cd_presets[n].name;
	return cd_nearest(name, names, n);
}

static int read_all(FILE *file, struct cd_str *text, struct cd_error *error)
{
	char buffer[4096];
	size_t n;

	while ((n = fread(buffer, 1, sizeof(buffer), file)) > 0 &&
	       text->length <= SCENARIO_MAX_BYTES)
		cd_str_addn(text, buffer, n);
	if (ferror(file))
		return cd_error_set(error, CD_E_READ, "cannot read: %s",
				    strerror(errno));
	if (text->length > SCENARIO_MAX_BYTES ||
	    memchr(cd_str_text(text), '\0', text->length) != NULL)
		return cd_error_set(error, CD_E_FORMAT,
				    "not a scenario file");
	return text->bad ? cd_error_memory(error) : 0;
}

/* A file wins over a preset of the same name. */
static int load(const char *name, struct cd_str *text, struct cd_error *error)
{
	const struct cd_preset *preset = cd_preset_find(name);
	FILE *file;
	int status;

	if (strcmp(name, "-") == 0)
		return read_all(stdin, text, error);
	file = fopen(name, "r");
	if (file == NULL && errno == ENOENT && preset != NULL) {
		cd_str_add(text, preset->text);
		return text->bad ? cd_error_memory(error) : 0;
	}
	if (file == NULL) {
		cd_error_hint(error, "the nearest preset is %s; capsim --list "
				     "shows all", nearest_preset(name));
		return cd_error_set(error, CD_E_OPEN, "cannot open: %s",
				    strerror(errno));
	}
	status = read_all(file, text, error);
	fclose(file);
	return status;
}

static int set_option(struct cd_scenario *scenario, const char *key,
		      const char *value, struct cd_error *error)
{
	char *assignment;
	int status;

	if (value == NULL)
		return 0;
	assignment = cd_strf("%s=%s", key, value);
	if (assignment == NULL)
		return cd_error_memory(error);
	status = cd_scenario_set(scenario, assignment, error);
	free(assignment);
	return status;
}

/* "runs/laptop.sim" is called laptop. */
static char *scenario_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash == NULL ? path : slash + 1;
	char *copy = cd_strdup(name);
	char *dot = copy == NULL ? NULL : strrchr(copy, '.');

	if (dot != NULL && dot != copy)
		*dot = '\0';
	return copy;
}

static int prepare(const struct arguments *a, struct cd_scenario *scenario,
		   struct cd_error *error)
{
	struct cd_str text = {0};
	char *name = scenario_name(a->scenario);
	int status = name == NULL ? cd_error_memory(error)
				  : load(a->scenario, &text, error);

	if (status != 0)
		cd_error_file(error, a->scenario);
	else
		status = cd_scenario_parse(scenario, name, cd_str_text(&text),
					   a->scenario, error);
	if (status == 0)
		status = set_option(scenario, "seed", a->seed, error);
	if (status == 0)
		status = set_option(scenario, "packets", a->packets, error);
	for (size_t i = 0; status == 0 && i < a->n; i++)
		status = cd_scenario_set(scenario, a->assignments[i], error);
	if (status == 0)
		status = cd_scenario_check(scenario, error);
	cd_str_release(&text);
	free(name);
	return status;
}

/* What was printed is printed: 0, else 2. */
static int finish_output(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return 0;
	fputs("capsim: standard output cannot be written\n", stderr);
	return 2;
}

static int print_files(const struct cd_scenario *scenario,
		       const struct cd_truth *truth, const char *dir)
{
	for (size_t i = 0; i < scenario->n_points; i++) {
		char *file = cd_point_file_name(&scenario->points[i]);

		printf("%s/%s: %" PRIu64 " packets\n", dir,
		       file == NULL ? "?" : file, truth->points[i].records);
		free(file);
	}
	printf("%s/truth.json\n", dir);
	return finish_output();
}

static int simulate(const struct arguments *a)
{
	struct cd_error error = {0};
	struct cd_scenario scenario = {0};
	struct cd_truth truth = {0};
	int status = 0;

	if (prepare(a, &scenario, &error) ||
	    cd_sim_run(&scenario, a->output, &truth, &error))
		status = print_error(&error);
	else
		status = print_files(&scenario, &truth, a->output);
	cd_truth_release(&truth);
	cd_scenario_release(&scenario);
	return status;
}

static int usage_error(const char *what)
{
	fprintf(stderr, "capsim: %s\n        capsim --help\n", what);
	return 2;
}

/* getopt_long said '?' or ':': what is wrong, and what is near it. */
static int say_bad_option(int c, const char *word)
{
	const char *names[sizeof(long_options) / sizeof(long_options[0])];
	size_t n = 0;

	for (; long_options[n].name != NULL; n++)
		names[n] = long_options[n].name;
	if (c == ':')
		fprintf(stderr, "capsim: %s needs a value\n", word);
	else if (optopt != 0 && strncmp(word, "--", 2) != 0)
		fprintf(stderr, "capsim: no option is called -%c\n", optopt);
	else if (optopt != 0)
		fprintf(stderr, "capsim: %s takes no value\n", word);
	else
		fprintf(stderr,
			"capsim: no option is called %s\n"
			"        did you mean --%s?\n",
			word, cd_nearest(word + 2, names, n));
	fputs("        capsim --help\n", stderr);
	return 2;
}

static int simulate_study(const struct arguments *a)
{
	struct cd_study_options options = {.dir = a->output,
					   .short_form = a->short_form,
					   .seed = 1};
	const struct cd_study *study = cd_study_find(a->study);
	struct cd_error error = {0};

	if (study == NULL) {
		fprintf(stderr,
			"capsim: no study is called '%s'\n"
			"        nearest is %s; capsim --studies shows all\n",
			a->study, nearest_study(a->study));
		return 2;
	}
	if (a->scenario != NULL || a->packets != NULL)
		return usage_error("a study has its own scenarios and packets");
	if (a->seed != NULL &&
	    cd_units_count(a->seed, &options.seed, &error)) {
		cd_error_file(&error, "seed");
		return print_error(&error);
	}
	if (cd_study_write(study, &options, &error))
		return print_error(&error);
	printf("%s: %zu runs\n%s/study.json\n", a->output,
	       cd_study_runs(study), a->output);
	return finish_output();
}

static int print_preset(const char *name)
{
	const struct cd_preset *preset = cd_preset_find(name);

	if (preset == NULL) {
		fprintf(stderr,
			"capsim: no preset is called '%s'\n"
			"        nearest is %s; capsim --list shows all\n",
			name, nearest_preset(name));
		return 2;
	}
	fputs(preset->text, stdout);
	return 0;
}

/* Options that print and end the program: their status, or -1. */
static int answer(int option)
{
	switch (option) {
	case 'l':
		print_presets();
		return 0;
	case 'p':
		return print_preset(optarg);
	case STUDIES:
		print_studies();
		return 0;
	case 'k':
		print_keys();
		return 0;
	case 'h':
		fputs(usage, stdout);
		return 0;
	case 'V':
		printf("capsim (capdiff) %s\n", PACKAGE_VERSION);
		return 0;
	default:
		return -1;
	}
}

/* As answer(), when it is also seen that it arrives. */
static int answer_fully(int option)
{
	int status = answer(option);

	return status == 0 ? finish_output() : status;
}

static int add_positional(struct arguments *a, char *text)
{
	if (a->scenario == NULL) {
		a->scenario = text;
		return 0;
	}
	if (cd_grow(&a->assignments, &a->capacity, a->n + 1,
		    sizeof(*a->assignments)))
		return usage_error("out of memory");
	a->assignments[a->n++] = text;
	return 0;
}

/* Options and words may be mixed on every system. -1: go on. */
static int parse_arguments(int argc, char **argv, struct arguments *a)
{
	while (optind < argc) {
		int c = getopt_long(argc, argv, "+:n:s:o:lp:khV",
				    long_options,
				    NULL);
		int status = c == -1 ? -1
			     : c == '?' || c == ':'
				 ? say_bad_option(c, argv[optind - 1])
				 : answer_fully(c);

		if (status >= 0)
			return status;
		if (c == 'n')
			a->packets = optarg;
		else if (c == 's')
			a->seed = optarg;
		else if (c == 'o')
			a->output = optarg;
		else if (c == STUDY)
			a->study = optarg;
		else if (c == SHORT)
			a->short_form = true;
		else if (optind < argc && add_positional(a, argv[optind++]))
			return 2;
	}
	return -1;
}

int main(int argc, char **argv)
{
	struct arguments a = {0};
	int status;

	cd_partial_watch();
	opterr = 0;
	status = parse_arguments(argc, argv, &a);
	if (status < 0 && a.scenario == NULL && a.study == NULL)
		status = usage_error("which scenario?");
	if (status < 0 && a.short_form && a.study == NULL)
		status = usage_error("--short is a form of a study (--study)");
	if (status < 0 && (a.output == NULL || a.output[0] == '\0'))
		status = usage_error("which folder to write to (-o DIR)?");
	if (status < 0)
		status = a.study != NULL ? simulate_study(&a) : simulate(&a);
	free(a.assignments);
	return status;
}
