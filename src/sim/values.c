#include "sim/values.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sim/words.h"

#define BURST_MAX 1000000
#define DISPLACED_MAX 4096

static void *slot(const struct cd_key *key, void *section)
{
	return (char *)section + key->offset;
}

static int refuse(const struct cd_key *key, const char *value,
		  struct cd_error *error)
{
	return cd_error_set(error, CD_E_USAGE, "'%s' is not %s", value,
			    key->values);
}

int cd_values_span(const char *text, int64_t least, int64_t most, int64_t *ps,
		   struct cd_error *error)
{
	if (cd_units_span(text, ps, error))
		return -1;
	if (*ps < least && least == 0)
		return cd_error_set(error, CD_E_USAGE, "'%s' is negative",
				    text);
	if (*ps < least || *ps > most)
		return cd_error_set(error, CD_E_USAGE,
				    "'%s' is more than %lld s", text,
				    (long long)(most / CD_PS_PER_S));
	return 0;
}

int cd_value_offset(const struct cd_key *key, const char *value,
		    void *section, struct cd_error *error)
{
	return cd_values_span(value, -CD_OFFSET_MAX_PS, CD_OFFSET_MAX_PS,
			      slot(key, section), error);
}

int cd_value_length(const struct cd_key *key, const char *value,
		    void *section, struct cd_error *error)
{
	return cd_values_span(value, 0, CD_LENGTH_MAX_PS, slot(key, section),
			      error);
}

int cd_value_time(const struct cd_key *key, const char *value, void *section,
		  struct cd_error *error)
{
	return cd_values_span(value, 0, CD_TIME_MAX_PS, slot(key, section),
			      error);
}

int cd_value_count(const struct cd_key *key, const char *value, void *section,
		   struct cd_error *error)
{
	uint64_t *n = slot(key, section);

	if (cd_units_count(value, n, error))
		return -1;
	if (key->limit != 0 && *n > key->limit)
		return cd_error_set(error, CD_E_USAGE,
				    "%s is more than %llu", value,
				    (unsigned long long)key->limit);
	return 0;
}

int cd_value_seconds(const struct cd_key *key, const char *value,
		     void *section, struct cd_error *error)
{
	int64_t ps;

	if (cd_units_span(value, &ps, error))
		return -1;
	if (ps % CD_PS_PER_S != 0)
		return refuse(key, value, error);
	*(int64_t *)slot(key, section) = ps / CD_PS_PER_S;
	return 0;
}

static int refuse_zero(uint64_t n, struct cd_error *error)
{
	return n != 0 ? 0 : cd_error_set(error, CD_E_USAGE,
					 "must not be 0");
}

int cd_value_rate(const struct cd_key *key, const char *value, void *section,
		  struct cd_error *error)
{
	uint64_t *mpps = slot(key, section);

	return cd_units_rate(value, mpps, error) ? -1
						 : refuse_zero(*mpps, error);
}

int cd_value_bits(const struct cd_key *key, const char *value, void *section,
		  struct cd_error *error)
{
	uint64_t *bps = slot(key, section);

	return cd_units_bits(value, bps, error) ? -1 : refuse_zero(*bps, error);
}

int cd_value_ppm(const struct cd_key *key, const char *value, void *section,
		 struct cd_error *error)
{
	int64_t *ppm = slot(key, section);

	if (cd_units_ppm(value, ppm, error))
		return -1;
	return *ppm < -CD_PPM_MAX || *ppm > CD_PPM_MAX
		   ? refuse(key, value, error) : 0;
}

int cd_value_yes(const struct cd_key *key, const char *value, void *section,
		 struct cd_error *error)
{
	static const char *const words[] = {"no", "yes", NULL};
	int i = cd_words_find(words, value);

	if (i < 0)
		return refuse(key, value, error);
	*(bool *)slot(key, section) = i == 1;
	return 0;
}

int cd_value_word(const struct cd_key *key, const char *value, void *section,
		  struct cd_error *error)
{
	int i = cd_words_find(key->choices, value);

	if (i < 0)
		return refuse(key, value, error);
	*(int *)slot(key, section) = i;
	return 0;
}

int cd_value_either(const struct cd_key *key, const char *value,
		    void *section, struct cd_error *error)
{
	int i = cd_words_find(key->choices, value);

	if (i < 0)
		return refuse(key, value, error);
	*(bool *)slot(key, section) = i == 1;
	return 0;
}

int cd_value_text(const struct cd_key *key, const char *value, void *section,
		  struct cd_error *error)
{
	char **text = slot(key, section);
	char *copy = cd_strdup(value);

	if (copy == NULL)
		return cd_error_memory(error);
	free(*text);
	*text = copy;
	return 0;
}

int cd_value_resolution(const struct cd_key *key, const char *value,
			void *section, struct cd_error *error)
{
	return cd_units_resolution(value, slot(key, section), error);
}

int cd_value_epoch(const struct cd_key *key, const char *value, void *section,
		   struct cd_error *error)
{
	return cd_units_epoch(value, slot(key, section), error);
}

void cd_pick_release(struct cd_pick *pick)
{
	free(pick->ranges);
	*pick = (struct cd_pick){0};
}

/* "100" or "100-199", after what is there already. */
static int add_range(struct cd_pick *pick, char *text, struct cd_error *error)
{
	char *dash = strchr(text, '-');
	struct cd_range range;

	if (dash != NULL)
		*dash = '\0';
	if (cd_units_count(text, &range.first, error) ||
	    cd_units_count(dash == NULL ? text : dash + 1, &range.last, error))
		return -1;
	if (range.last < range.first ||
	    (pick->n_ranges > 0 &&
	     range.first <= pick->ranges[pick->n_ranges - 1].last))
		return cd_error_set(error, CD_E_USAGE,
				    "packet positions must rise");
	if (cd_grow(&pick->ranges, &pick->capacity, pick->n_ranges + 1,
		    sizeof(*pick->ranges)))
		return cd_error_memory(error);
	pick->ranges[pick->n_ranges++] = range;
	return 0;
}

static int add_ranges(struct cd_pick *pick, char *list,
		      struct cd_error *error)
{
	while (list != NULL) {
		char *comma = strchr(list, ',');

		if (comma != NULL)
			*comma++ = '\0';
		if (add_range(pick, list, error))
			return -1;
		list = comma;
	}
	return 0;
}

static int parse_burst(const char *value, uint64_t *burst,
		       struct cd_error *error)
{
	if (cd_units_count(value, burst, error))
		return -1;
	if (*burst == 0 || *burst > BURST_MAX)
		return cd_error_set(error, CD_E_USAGE,
				    "runs of %s packets on average", value);
	return 0;
}

/* SHARE or "at LIST", then pairs of words; `extra` is the one allowed beside
 * "burst". */
static int parse_pick(const struct cd_key *key, const char *value,
		      const char *extra, struct cd_pick *pick,
		      struct cd_error *error)
{
	struct cd_words w;
	size_t i = 1;
	int status = 0;

	if (cd_words_split(&w, value, error))
		return -1;
	if (cd_words_is(&w, 0, "none") && w.n == 1)
		return 0;
	if (cd_words_is(&w, 0, "at") && w.n > 1)
		status = add_ranges(pick, w.word[i++], error);
	else
		status = cd_units_share(w.word[0], &pick->share, error);
	for (; status == 0 && i + 1 < w.n; i += 2) {
		if (cd_words_is(&w, i, "burst") && pick->n_ranges == 0)
			status = parse_burst(w.word[i + 1], &pick->burst,
					     error);
		else if (strcmp(w.word[i], extra) != 0)
			return refuse(key, value, error);
		else if (strcmp(extra, "by") == 0)
			status = cd_units_count(w.word[i + 1], &pick->by,
						error);
		else
			status = cd_values_span(w.word[i + 1], 0,
						CD_LENGTH_MAX_PS,
						&pick->after_ps, error);
	}
	if (status == 0 && i != w.n)
		return refuse(key, value, error);
	return status;
}

int cd_value_pick(const struct cd_key *key, const char *value, void *section,
		  struct cd_error *error)
{
	struct cd_pick *pick = slot(key, section);

	cd_pick_release(pick);
	return parse_pick(key, value, "", pick, error);
}

int cd_value_pick_by(const struct cd_key *key, const char *value,
		     void *section, struct cd_error *error)
{
	struct cd_pick *pick = slot(key, section);

	cd_pick_release(pick);
	pick->by = 1;
	if (parse_pick(key, value, "by", pick, error))
		return -1;
	if (pick->by == 0 || pick->by > DISPLACED_MAX)
		return cd_error_set(error, CD_E_USAGE,
				    "displaced by 1 to %d packets",
				    DISPLACED_MAX);
	return 0;
}

int cd_value_pick_after(const struct cd_key *key, const char *value,
			void *section, struct cd_error *error)
{
	struct cd_pick *pick = slot(key, section);

	cd_pick_release(pick);
	pick->after_ps = CD_PS_PER_US;
	return parse_pick(key, value, "after", pick, error);
}

int cd_value_sizes(const struct cd_key *key, const char *value, void *section,
		   struct cd_error *error)
{
	/* the simple IMIX of 40, 576 and 1500-byte IP packets, 7:4:1 */
	const char *text = strcmp(value, "imix") == 0 ? "64:7,594:4,1518:1"
						      : value;
	struct cd_sizes *sizes = slot(key, section);
	const char *p = text;

	sizes->n = 0;
	do {
		char *end;
		unsigned long bytes = strtoul(p, &end, 10), weight = 1;

		if (end != p && *end == ':') {
			p = end + 1;
			weight = strtoul(p, &end, 10);
		}
		if (end == p || (*end != '\0' && *end != ',') ||
		    sizes->n == CD_SIZES_MAX || bytes < 64 || bytes > 65535 ||
		    weight < 1 || weight > 1000000)
			return refuse(key, value, error);
		sizes->bytes[sizes->n] = (uint32_t)bytes;
		sizes->weight[sizes->n++] = (uint32_t)weight;
		p = end + 1;
	} while (p[-1] == ',');
	return 0;
}

/* ":40000" at the end, after the last colon of "10.0.0.1:40000" or the
 * bracket of "[fd00::1]:40000". */
static int split_port(char *text, struct cd_endpoint *e,
		      struct cd_error *error)
{
	char *colon = strrchr(text, ':');
	uint64_t port;

	e->has_port = colon != NULL &&
		      (colon == strchr(text, ':') || colon[-1] == ']');
	if (!e->has_port)
		return 0;
	*colon = '\0';
	if (cd_units_count(colon + 1, &port, error) || port > UINT16_MAX)
		return cd_error_set(error, CD_E_USAGE, "no such port: %s",
				    colon + 1);
	e->port = (uint16_t)port;
	return 0;
}

int cd_value_endpoint(const struct cd_key *key, const char *value,
		      void *section, struct cd_error *error)
{
	struct cd_endpoint *out = slot(key, section);
	struct cd_endpoint e = {.has_port = false};
	char text[128], *address = text;
	size_t n = strlen(value);

	if (n == 0 || n >= sizeof(text))
		return refuse(key, value, error);
	memcpy(text, value, n + 1);
	if (split_port(text, &e, error))
		return -1;
	n = strlen(text);
	if (text[0] == '[' && text[n - 1] == ']') {
		text[n - 1] = '\0';
		address++;
	}
	if (inet_pton(AF_INET6, address, e.address) == 1)
		e.v6 = true;
	else if (inet_pton(AF_INET, address, e.address) != 1)
		return refuse(key, value, error);
	*out = e;
	return 0;
}
