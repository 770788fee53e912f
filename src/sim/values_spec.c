/* Keys that set several members of a stream or point. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "sim/stamper.h"
#include "sim/values.h"
#include "sim/words.h"

static int refuse(const struct cd_key *key, const char *value,
		  struct cd_error *error)
{
	return cd_error_set(error, CD_E_USAGE, "'%s' is not %s", value,
			    key->values);
}

int cd_value_stamp(const struct cd_key *key, const char *value, void *section,
		   struct cd_error *error)
{
	struct cd_stream_spec *stream = section;
	const struct cd_stamper *stamp = cd_stamper_find(value);

	(void)key;
	if (stamp == NULL) {
		cd_error_set(error, CD_E_USAGE, "no stamp called '%s'", value);
		cd_error_hint(error, "capsim --keys lists the stamps");
		return -1;
	}
	stream->stamp = stamp;
	return 0;
}

int cd_value_number(const struct cd_key *key, const char *value,
		    void *section, struct cd_error *error)
{
	struct cd_stream_spec *stream = section;

	(void)key;
	stream->has_first = true;
	return cd_units_count(value, &stream->first, error);
}

int cd_value_step_size(const struct cd_key *key, const char *value,
		       void *section, struct cd_error *error)
{
	struct cd_stream_spec *stream = section;
	char *end;

	stream->step = strtol(value, &end, 10);
	if (end == value || *end != '\0' || stream->step == 0 ||
	    stream->step > 1000000 || stream->step < -1000000)
		return refuse(key, value, error);
	return 0;
}

/* One of three; the last one given counts. */
int cd_value_pace(const struct cd_key *key, const char *value, void *section,
		  struct cd_error *error)
{
	struct cd_stream_spec *stream = section;
	uint64_t given;
	int status;

	stream->rate_mpps = stream->load = 0;
	stream->spacing_ps = 0;
	if (key->offset == offsetof(struct cd_stream_spec, rate_mpps))
		status = cd_units_rate(value, &stream->rate_mpps, error);
	else if (key->offset == offsetof(struct cd_stream_spec, load))
		status = cd_units_share(value, &stream->load, error);
	else
		status = cd_values_span(value, 0, CD_TIME_MAX_PS,
					&stream->spacing_ps, error);
	if (status != 0)
		return -1;
	given = stream->rate_mpps + stream->load;
	if (given == 0 && stream->spacing_ps == 0)
		return cd_error_set(error, CD_E_USAGE, "must be above 0");
	return 0;
}

int cd_value_flow(const struct cd_key *key, const char *value, void *section,
		  struct cd_error *error)
{
	struct cd_stream_spec *stream = section;
	uint64_t n;

	if (cd_units_count(value, &n, error))
		return -1;
	if (n > UINT32_MAX)
		return refuse(key, value, error);
	stream->flow = (uint32_t)n;
	stream->has_flow = true;
	return 0;
}

/* "udp+8", "end-4", "frame+0", "l4" */
int cd_value_place(const struct cd_key *key, const char *value, void *section,
		   struct cd_error *error)
{
	static const char *const names[] = {"frame", "l3", "l4", "udp", "end",
					    NULL};
	struct cd_stream_spec *stream = section;
	size_t n = strcspn(value, "+-");
	char name[8], *end;
	long at = 0;
	int place;

	if (n >= sizeof(name))
		return refuse(key, value, error);
	memcpy(name, value, n);
	name[n] = '\0';
	place = cd_words_find(names, name);
	if (value[n] != '\0') {
		at = strtol(value + n, &end, 10);
		if (*end != '\0' || end == value + n + 1)
			return refuse(key, value, error);
	}
	if (place < 0 || at > 65535 || at < -65535 ||
	    (place == CD_PLACE_END) != (at < 0))
		return refuse(key, value, error);
	stream->place = place;
	stream->at = (int32_t)at;
	return 0;
}

int cd_value_coalesce(const struct cd_key *key, const char *value,
		      void *section, struct cd_error *error)
{
	static const char *const names[] = {"none", "timer", "oneshot", NULL};
	struct cd_point_spec *point = section;
	struct cd_words w;
	int kind;

	if (cd_words_split(&w, value, error))
		return -1;
	kind = cd_words_find(names, w.word[0]);
	point->period_ps = point->phase_ps = 0;
	if (kind == CD_COALESCE_NONE && w.n == 1) {
		point->coalescing = kind;
		return 0;
	}
	if (kind <= 0 ||
	    !(w.n == 2 || (w.n == 4 && kind == CD_COALESCE_TIMER &&
			   cd_words_is(&w, 2, "phase"))))
		return refuse(key, value, error);
	if (cd_values_span(w.word[1], 0, CD_LENGTH_MAX_PS, &point->period_ps,
			   error) ||
	    (w.n == 4 && cd_values_span(w.word[3], 0, CD_LENGTH_MAX_PS,
					&point->phase_ps, error)))
		return -1;
	if (point->period_ps == 0)
		return refuse(key, value, error);
	point->coalescing = kind;
	return 0;
}

int cd_value_wander(const struct cd_key *key, const char *value,
		    void *section, struct cd_error *error)
{
	struct cd_point_spec *point = section;
	struct cd_words w;

	if (cd_words_split(&w, value, error))
		return -1;
	point->wander_ps = point->wander_period_ps = 0;
	if (w.n == 1 && cd_words_is(&w, 0, "none"))
		return 0;
	if (w.n != 3 || !cd_words_is(&w, 1, "every"))
		return refuse(key, value, error);
	if (cd_values_span(w.word[0], 0, CD_LENGTH_MAX_PS, &point->wander_ps,
			   error) ||
	    cd_values_span(w.word[2], 0, CD_TIME_MAX_PS,
			   &point->wander_period_ps, error))
		return -1;
	if (point->wander_period_ps == 0)
		return refuse(key, value, error);
	return 0;
}

/* "15.625ms" or "3579545Hz" */
int cd_value_tick(const struct cd_key *key, const char *value, void *section,
		  struct cd_error *error)
{
	struct cd_point_spec *point = section;
	size_t n = strlen(value);
	char *end;

	point->tick_den = 1;
	point->tick_num_ps = 0;
	if (strcmp(value, "none") == 0)
		return 0;
	if (n > 2 && strcmp(value + n - 2, "Hz") == 0) {
		point->tick_num_ps = CD_PS_PER_S;
		point->tick_den = strtol(value, &end, 10);
		if (end != value + n - 2 || point->tick_den <= 0 ||
		    point->tick_den > INT64_C(100000000000))
			return refuse(key, value, error);
		return 0;
	}
	if (cd_values_span(value, 0, CD_LENGTH_MAX_PS, &point->tick_num_ps,
			   error))
		return -1;
	return point->tick_num_ps > 0 ? 0 : refuse(key, value, error);
}

int cd_value_reading(const struct cd_key *key, const char *value,
		     void *section, struct cd_error *error)
{
	struct cd_point_spec *point = section;

	(void)key;
	point->has_epoch = true;
	return cd_units_epoch(value, &point->epoch_s, error);
}

int cd_value_tagging(const struct cd_key *key, const char *value,
		     void *section, struct cd_error *error)
{
	static const char *const names[] = {"keep", "strip", NULL};
	struct cd_point_spec *point = section;
	int kind = cd_words_find(names, value);

	if (kind < 0) {
		if (cd_units_count(value, &point->tag, error))
			return -1;
		if (point->tag < 1 || point->tag > 4094)
			return refuse(key, value, error);
		kind = CD_TAG_ADD;
	}
	point->tagging = kind;
	return 0;
}

int cd_value_queues(const struct cd_key *key, const char *value,
		    void *section, struct cd_error *error)
{
	struct cd_point_spec *point = section;
	struct cd_words w;

	if (cd_words_split(&w, value, error))
		return -1;
	point->queues = 1;
	point->queue_block = 64;
	if (w.n != 1 && !(w.n == 3 && cd_words_is(&w, 1, "block")))
		return refuse(key, value, error);
	if (cd_units_count(w.word[0], &point->queues, error) ||
	    (w.n == 3 &&
	     cd_units_count(w.word[2], &point->queue_block, error)))
		return -1;
	if (point->queues < 1 || point->queues > 64 ||
	    point->queue_block < 1 || point->queue_block > 65536)
		return refuse(key, value, error);
	return 0;
}

int cd_value_counting(const struct cd_key *key, const char *value,
		      void *section, struct cd_error *error)
{
	static const char *const names[] = {"none", "honest", NULL};
	struct cd_point_spec *point = section;
	int kind = cd_words_find(names, value);

	if (kind < 0) {
		if (cd_units_count(value, &point->drops_said, error))
			return refuse(key, value, error);
		kind = CD_COUNTS_SAID;
	}
	point->counting = kind;
	return 0;
}
