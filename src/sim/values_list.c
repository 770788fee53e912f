/* Keys that may be given several times: every line adds. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sim/values.h"
#include "sim/words.h"

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

/* 1: a new item may be parsed from `words`; 0: it was "none" and the list of
 * *n items is empty now; -1: error. */
static int begin_item(const char *value, size_t *n, struct cd_words *words,
		      struct cd_error *error)
{
	if (cd_words_split(words, value, error))
		return -1;
	if (cd_words_is(words, 0, "none") && words->n == 1) {
		*n = 0;
		return 0;
	}
	if (*n == CD_LIST_MAX)
		return cd_error_set(error, CD_E_USAGE, "too many lines");
	return 1;
}

#define APPEND(list, item, error)                                             \
	(cd_grow(&(list)->items, &(list)->capacity, (list)->n + 1,            \
		 sizeof(item))                                                \
	     ? cd_error_memory(error)                                         \
	     : ((list)->items[(list)->n++] = (item), 0))

static int parse_noise(const struct cd_key *key, const char *value,
		       struct cd_words *w, struct cd_noise *noise,
		       struct cd_error *error)
{
	int kind = cd_words_find(cd_noise_names, w->word[0]);
	size_t i = 2;

	*noise = (struct cd_noise){.share = CD_SHARE_ONE};
	if (kind < 0 || w->n < 2)
		return refuse(key, value, error);
	noise->kind = (enum cd_noise_kind)kind;
	if (cd_values_span(w->word[1], -CD_LENGTH_MAX_PS, CD_LENGTH_MAX_PS,
			   &noise->scale_ps, error))
		return -1;
	if (noise->kind == CD_NOISE_PARETO) {
		if (w->n < 3)
			return refuse(key, value, error);
		if (cd_units_millionths(w->word[i++], &noise->shape, error))
			return -1;
		if (noise->shape < 1000 || noise->scale_ps == 0)
			return refuse(key, value, error);
	}
	if (i < w->n && cd_units_share(w->word[i++], &noise->share, error))
		return -1;
	return i == w->n ? 0 : refuse(key, value, error);
}

int cd_value_noise(const struct cd_key *key, const char *value, void *section,
		   struct cd_error *error)
{
	struct cd_noises *list = slot(key, section);
	struct cd_noise noise;
	struct cd_words w;
	int status = begin_item(value, &list->n, &w, error);

	if (status <= 0)
		return status;
	if (parse_noise(key, value, &w, &noise, error))
		return -1;
	return APPEND(list, noise, error);
}

static int parse_window(const struct cd_key *key, const char *value,
			struct cd_words *w, struct cd_window *window,
			struct cd_error *error)
{
	*window = (struct cd_window){0};
	if (!cd_words_is(w, 1, "for") ||
	    (w->n != 3 && !(w->n == 5 && cd_words_is(w, 3, "every"))))
		return refuse(key, value, error);
	if (cd_values_span(w->word[0], 0, CD_TIME_MAX_PS, &window->at_ps,
			   error) ||
	    cd_values_span(w->word[2], 0, CD_LENGTH_MAX_PS,
			   &window->length_ps, error) ||
	    (w->n == 5 && cd_values_span(w->word[4], 0, CD_TIME_MAX_PS,
					 &window->every_ps, error)))
		return -1;
	if (window->length_ps == 0 ||
	    (w->n == 5 && window->every_ps <= window->length_ps))
		return refuse(key, value, error);
	return 0;
}

int cd_value_window(const struct cd_key *key, const char *value,
		    void *section, struct cd_error *error)
{
	struct cd_windows *list = slot(key, section);
	struct cd_window window;
	struct cd_words w;
	int status = begin_item(value, &list->n, &w, error);

	if (status <= 0)
		return status;
	if (parse_window(key, value, &w, &window, error))
		return -1;
	return APPEND(list, window, error);
}

/* "SIZE at TIME", and "by PPM" when `by` */
static int parse_step(const struct cd_key *key, const char *value, bool by,
		      void *section, struct cd_error *error)
{
	struct cd_steps *list = slot(key, section);
	struct cd_step step = {0};
	struct cd_words w;
	int status = begin_item(value, &list->n, &w, error);

	if (status <= 0)
		return status;
	if (w.n != (by ? 5u : 3u) || !cd_words_is(&w, 1, "at") ||
	    (by && !cd_words_is(&w, 3, "by")))
		return refuse(key, value, error);
	if (cd_values_span(w.word[0], -CD_OFFSET_MAX_PS, CD_OFFSET_MAX_PS,
			   &step.size_ps, error) ||
	    cd_values_span(w.word[2], 0, CD_TIME_MAX_PS, &step.at_ps,
			   error) ||
	    (by && cd_units_ppm(w.word[4], &step.rate, error)))
		return -1;
	if (by && (step.rate <= 0 || step.rate > CD_PPM_MAX))
		return refuse(key, value, error);
	return APPEND(list, step, error);
}

int cd_value_step(const struct cd_key *key, const char *value, void *section,
		  struct cd_error *error)
{
	return parse_step(key, value, false, section, error);
}

int cd_value_slew(const struct cd_key *key, const char *value, void *section,
		  struct cd_error *error)
{
	return parse_step(key, value, true, section, error);
}

int cd_value_glitch(const struct cd_key *key, const char *value,
		    void *section, struct cd_error *error)
{
	struct cd_glitches *list = slot(key, section);
	struct cd_glitch glitch;
	struct cd_words w;
	int status = begin_item(value, &list->n, &w, error);

	if (status <= 0)
		return status;
	if (w.n != 3 || !cd_words_is(&w, 1, "at"))
		return refuse(key, value, error);
	if (cd_values_span(w.word[0], -CD_LENGTH_MAX_PS, CD_LENGTH_MAX_PS,
			   &glitch.by_ps, error) ||
	    cd_units_count(w.word[2], &glitch.index, error))
		return -1;
	return APPEND(list, glitch, error);
}

int cd_value_restarts(const struct cd_key *key, const char *value,
		      void *section, struct cd_error *error)
{
	struct cd_restarts *list = slot(key, section);
	struct cd_words w;
	int status = begin_item(value, &list->n, &w, error);
	uint64_t at;

	if (status <= 0)
		return status;
	if (w.n != 1)
		return refuse(key, value, error);
	if (cd_units_count(w.word[0], &at, error))
		return -1;
	if (at == 0 || (list->n > 0 && at <= list->items[list->n - 1]))
		return cd_error_set(error, CD_E_USAGE,
				    "restarts must rise");
	return APPEND(list, at, error);
}
