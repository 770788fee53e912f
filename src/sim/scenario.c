#include "sim/scenario.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/nearest.h"
#include "sim/stamper.h"
#include "sim/values.h"
#include "sim/words.h"

#define NAME_MAX_BYTES 63
#define SECTIONS_MAX 64
#define KEYS_MAX 64

/* Where an assignment goes: a table and what it fills. */
struct target {
	const struct cd_key *keys;
	void *section;
	const char *what; /* "[stream]" */
};

static const struct cd_stream_spec stream_defaults = {
    .packets = 100000,
    .step = 1,
    .repeat = 1,
    .place = CD_PLACE_UDP,
    .width = 4,
    .burst = 32,
    .sizes = {.bytes = {64}, .weight = {1}, .n = 1},
    .source = {.address = {10, 0, 0, 1}},
    .destination = {.address = {10, 0, 0, 2}},
    .ttl = 64,
    .ip_id = true,
};

static const struct cd_point_spec point_defaults = {
    .resolution = {10, 9},
    .snaplen = 262144,
    .counting = CD_COUNTS_HONEST,
    .run_times = true,
    .stop_ps = CD_FOREVER,
    .queues = 1,
    .queue_block = 64,
    .tick_den = 1,
};

static bool is_name(const char *name)
{
	size_t n = strlen(name);

	if (n == 0 || n > NAME_MAX_BYTES)
		return false;
	for (; *name != '\0'; name++)
		if (!isalnum((unsigned char)*name) && *name != '-' &&
		    *name != '_')
			return false;
	return true;
}

static struct cd_stream_spec *find_stream(struct cd_scenario *s,
					  const char *name)
{
	for (size_t i = 0; i < s->n_streams; i++)
		if (strcmp(s->streams[i].name, name) == 0)
			return &s->streams[i];
	return NULL;
}

static struct cd_point_spec *find_point(struct cd_scenario *s,
					const char *name)
{
	for (size_t i = 0; i < s->n_points; i++)
		if (strcmp(s->points[i].name, name) == 0)
			return &s->points[i];
	return NULL;
}

static int check_name(struct cd_scenario *s, const char *name, size_t others,
		      struct cd_error *error)
{
	if (!is_name(name) || strcmp(name, "point") == 0)
		return cd_error_set(error, CD_E_USAGE,
				    "'%s' cannot be a name: use letters, "
				    "digits, - and _", name);
	if (find_stream(s, name) != NULL || find_point(s, name) != NULL)
		return cd_error_set(error, CD_E_USAGE,
				    "there are two sections called '%s'",
				    name);
	if (others == SECTIONS_MAX)
		return cd_error_set(error, CD_E_USAGE,
				    "more than %d sections of a kind",
				    SECTIONS_MAX);
	return 0;
}

static int add_stream(struct cd_scenario *s, const char *name,
		      struct target *target, struct cd_error *error)
{
	struct cd_stream_spec *stream;

	if (check_name(s, name, s->n_streams, error))
		return -1;
	if (cd_grow(&s->streams, &s->streams_capacity, s->n_streams + 1,
		    sizeof(*s->streams)))
		return cd_error_memory(error);
	stream = &s->streams[s->n_streams];
	*stream = stream_defaults;
	stream->stamp = cd_stamper_find("pktgen");
	stream->name = cd_strdup(name);
	if (stream->name == NULL)
		return cd_error_memory(error);
	s->n_streams++;
	*target = (struct target){cd_stream_keys, stream, "[stream]"};
	return 0;
}

static int add_point(struct cd_scenario *s, const char *name,
		     struct target *target, struct cd_error *error)
{
	struct cd_point_spec *point;

	if (check_name(s, name, s->n_points, error))
		return -1;
	if (cd_grow(&s->points, &s->points_capacity, s->n_points + 1,
		    sizeof(*s->points)))
		return cd_error_memory(error);
	point = &s->points[s->n_points];
	*point = point_defaults;
	point->name = cd_strdup(name);
	if (point->name == NULL)
		return cd_error_memory(error);
	s->n_points++;
	*target = (struct target){cd_point_keys, point, "[point]"};
	return 0;
}

/* The key, or NULL with an error that names the nearest one. */
static const struct cd_key *find_key(const struct target *target,
				     const char *name, struct cd_error *error)
{
	const char *names[KEYS_MAX];
	size_t n = 0;

	for (const struct cd_key *k = target->keys; k->name != NULL; k++) {
		if (strcmp(k->name, name) == 0)
			return k;
		if (n < KEYS_MAX)
			names[n++] = k->name;
	}
	cd_error_set(error, CD_E_USAGE, "unknown key '%s' in %s", name,
		     target->what);
	cd_error_hint(error, "nearest is '%s'; capsim --keys lists all",
		      cd_nearest(name, names, n));
	return NULL;
}

/* Put `key: ` before what a value parser said. */
static int blame_key(const char *key, struct cd_error *error)
{
	char what[sizeof(error->what)];

	if (error == NULL || error->fault != CD_E_USAGE)
		return -1;
	memcpy(what, error->what, sizeof(what));
	error->fault = CD_OK;
	return cd_error_set(error, CD_E_USAGE, "%s: %s", key, what);
}

static int assign(const struct target *target, const char *name,
		  const char *value, bool replace, struct cd_error *error)
{
	const struct cd_key *key = find_key(target, name, error);

	if (key == NULL)
		return -1;
	if (replace && key->list)
		key->parse(key, "none", target->section, NULL);
	if (key->parse(key, value, target->section, error))
		return blame_key(name, error);
	return 0;
}

/* Cut white space off both ends. */
static char *trim(char *text)
{
	size_t n;

	text += strspn(text, " \t\r");
	n = strlen(text);
	while (n > 0 && strchr(" \t\r", text[n - 1]) != NULL)
		text[--n] = '\0';
	return text;
}

/* "[stream]", "[stream NAME]" or "[point NAME]" */
static int begin_section(struct cd_scenario *s, const char *line,
			 struct target *target, struct cd_error *error)
{
	char inner[128];
	struct cd_words w;
	size_t n = strlen(line);

	if (n < 3 || n >= sizeof(inner) || line[n - 1] != ']')
		return cd_error_set(error, CD_E_USAGE,
				    "'%s' is no section", line);
	memcpy(inner, line + 1, n - 2);
	inner[n - 2] = '\0';
	if (cd_words_split(&w, inner, error))
		return -1;
	if (cd_words_is(&w, 0, "stream") && w.n <= 2)
		return add_stream(s, w.n == 2 ? w.word[1] : "stream", target,
				  error);
	if (cd_words_is(&w, 0, "point") && w.n == 2)
		return add_point(s, w.word[1], target, error);
	return cd_error_set(error, CD_E_USAGE,
			    "sections are [stream], [stream NAME] and "
			    "[point NAME], not %s", line);
}

static int parse_line(struct cd_scenario *s, char *line,
		      struct target *target, struct cd_error *error)
{
	char *hash = strchr(line, '#');
	char *equals;

	if (hash != NULL)
		*hash = '\0';
	line = trim(line);
	if (*line == '\0')
		return 0;
	if (*line == '[')
		return begin_section(s, line, target, error);
	equals = strchr(line, '=');
	if (equals == NULL)
		return cd_error_set(error, CD_E_USAGE,
				    "neither a section nor key = value: '%s'",
				    line);
	*equals = '\0';
	return assign(target, trim(line), trim(equals + 1), false, error);
}

static int blame_line(unsigned line, const char *file, struct cd_error *error)
{
	char what[sizeof(error->what)];

	if (error == NULL || error->fault != CD_E_USAGE)
		return -1;
	memcpy(what, error->what, sizeof(what));
	error->fault = CD_OK;
	cd_error_file(error, file);
	return cd_error_set(error, CD_E_USAGE, "line %u: %s", line, what);
}

int cd_scenario_parse(struct cd_scenario *s, const char *name,
		      const char *text, const char *file,
		      struct cd_error *error)
{
	struct target target = {cd_global_keys, s, "the first lines"};
	char *copy = cd_strdup(text), *line = copy;
	unsigned number = 1;
	int status = 0;

	*s = (struct cd_scenario){.seed = 1, .epoch_s = 1767225600,
				  .link_bps = 1000000000};
	s->name = cd_strdup(name);
	if (copy == NULL || s->name == NULL)
		status = cd_error_memory(error);
	while (status == 0 && line != NULL) {
		char *end = strchr(line, '\n');

		if (end != NULL)
			*end++ = '\0';
		if (parse_line(s, line, &target, error))
			status = blame_line(number, file, error);
		line = end;
		number++;
	}
	free(copy);
	return status;
}

static int set_streams(struct cd_scenario *s, const char *key,
		       const char *value, struct cd_error *error)
{
	for (size_t i = 0; i < s->n_streams; i++) {
		struct target t = {cd_stream_keys, &s->streams[i], "[stream]"};

		if (assign(&t, key, value, true, error))
			return -1;
	}
	return 0;
}

static int set_points(struct cd_scenario *s, const char *key,
		      const char *value, struct cd_error *error)
{
	for (size_t i = 0; i < s->n_points; i++) {
		struct target t = {cd_point_keys, &s->points[i], "[point]"};

		if (assign(&t, key, value, true, error))
			return -1;
	}
	return 0;
}

static int no_owner(const struct cd_scenario *s, const char *owner,
		    struct cd_error *error)
{
	const char *names[64] = {"stream", "point"};
	size_t n = 2;

	for (size_t i = 0; i < s->n_streams && n < 64; i++)
		if (s->streams[i].name != NULL)
			names[n++] = s->streams[i].name;
	for (size_t i = 0; i < s->n_points && n < 64; i++)
		names[n++] = s->points[i].name;
	cd_error_hint(error, "nearest is '%s'", cd_nearest(owner, names, n));
	return cd_error_set(error, CD_E_USAGE,
			    "no stream or point is called '%s'", owner);
}

static int set_named(struct cd_scenario *s, const char *owner,
		     const char *key, const char *value,
		     struct cd_error *error)
{
	struct target t = {cd_stream_keys, find_stream(s, owner), "[stream]"};

	if (t.section == NULL)
		t = (struct target){cd_point_keys, find_point(s, owner),
				    "[point]"};
	if (t.section != NULL)
		return assign(&t, key, value, true, error);
	if (strcmp(owner, "stream") == 0)
		return set_streams(s, key, value, error);
	if (strcmp(owner, "point") == 0)
		return set_points(s, key, value, error);
	return no_owner(s, owner, error);
}

static int set_anywhere(struct cd_scenario *s, const char *key,
			const char *value, struct cd_error *error)
{
	struct target t = {cd_global_keys, s, "the first lines"};

	for (const struct cd_key *k = cd_global_keys; k->name != NULL; k++)
		if (strcmp(k->name, key) == 0)
			return assign(&t, key, value, true, error);
	return set_streams(s, key, value, error);
}

int cd_scenario_set(struct cd_scenario *s, const char *assignment,
		    struct cd_error *error)
{
	char *copy = cd_strdup(assignment);
	char *equals, *dot;
	int status;

	if (copy == NULL)
		return cd_error_memory(error);
	equals = strchr(copy, '=');
	if (equals == NULL) {
		free(copy);
		return cd_error_set(error, CD_E_USAGE,
				    "'%s' is no key=value", assignment);
	}
	*equals++ = '\0';
	dot = strchr(copy, '.');
	if (dot != NULL) {
		*dot++ = '\0';
		status = set_named(s, trim(copy), trim(dot), trim(equals),
				   error);
	} else {
		status = set_anywhere(s, trim(copy), trim(equals), error);
	}
	free(copy);
	return status;
}

static void release_stream(struct cd_stream_spec *stream)
{
	free(stream->name);
	free(stream->restarts.items);
	cd_pick_release(&stream->skip);
	free(stream->jitter.items);
	free(stream->tx_early.items);
}

static void release_point(struct cd_point_spec *point)
{
	struct cd_pick *const picks[] = {&point->loss, &point->late,
					 &point->corrupt, &point->duplicate,
					 &point->swap};

	for (size_t i = 0; i < sizeof(picks) / sizeof(picks[0]); i++)
		cd_pick_release(picks[i]);
	free(point->name);
	free(point->hardware);
	free(point->os);
	free(point->application);
	free(point->ignore);
	free(point->stalls.items);
	free(point->pauses.items);
	free(point->steps.items);
	free(point->slews.items);
	free(point->noise.items);
	free(point->glitches.items);
}

void cd_scenario_release(struct cd_scenario *s)
{
	for (size_t i = 0; i < s->n_streams; i++)
		release_stream(&s->streams[i]);
	for (size_t i = 0; i < s->n_points; i++)
		release_point(&s->points[i]);
	free(s->streams);
	free(s->points);
	free(s->name);
	free(s->about);
	*s = (struct cd_scenario){0};
}
