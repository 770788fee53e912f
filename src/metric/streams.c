#include "metric/streams.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define NO_ID UINT32_MAX

/* Known streams: the key and who had it first. */
struct table {
	const struct cd_stream_key **keys; /* by id */
	size_t n, capacity;
	uint32_t *slots; /* id + 1, open addressing */
	size_t size;	 /* power of two */
};

static size_t hash_key(const struct cd_stream_key *key)
{
	const unsigned char *bytes = (const unsigned char *)key;
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < sizeof(*key); i++)
		h = (h ^ bytes[i]) * UINT64_C(0x100000001b3);
	return (size_t)(h ^ h >> 32);
}

/* The slot that holds the key, or the free one where it belongs. */
static size_t find_slot(const struct table *table,
			const struct cd_stream_key *key)
{
	size_t slot = hash_key(key) & (table->size - 1);

	while (table->slots[slot] != 0 &&
	       memcmp(table->keys[table->slots[slot] - 1], key, sizeof(*key)) !=
		   0)
		slot = (slot + 1) & (table->size - 1);
	return slot;
}

static int grow_slots(struct table *table)
{
	size_t size = table->size == 0 ? 64 : table->size * 2;
	uint32_t *slots;

	if (table->n + 1 <= table->size / 2)
		return 0;
	slots = calloc(size, sizeof(*slots));
	if (slots == NULL)
		return -1;
	free(table->slots);
	table->slots = slots;
	table->size = size;
	for (size_t id = 0; id < table->n; id++)
		slots[find_slot(table, table->keys[id])] = (uint32_t)id + 1;
	return 0;
}

static uint32_t look_up(const struct table *table,
			const struct cd_stream_key *key)
{
	if (table->n == 0)
		return NO_ID;
	/* an empty slot holds 0 */
	return table->slots[find_slot(table, key)] - 1;
}

static int add_key(struct table *table, const struct cd_stream_key *key,
		   uint32_t *id)
{
	*id = look_up(table, key);
	if (*id != NO_ID)
		return 0;
	if (grow_slots(table) || cd_grow(&table->keys, &table->capacity,
					 table->n + 1, sizeof(*table->keys)))
		return -1;
	*id = (uint32_t)table->n;
	table->slots[find_slot(table, key)] = *id + 1;
	table->keys[table->n++] = key;
	return 0;
}

static void table_release(struct table *table)
{
	free(table->slots);
	free(table->keys);
}

/* ---- the same stream under other addresses ------------------------------ */

/* From strict to loose; a NAT changes addresses, often also the source port. */
enum likeness { NO_ADDRESSES, NO_SOURCE_PORT, FLOW_ONLY, N_LIKENESSES };

static bool is_reverse(const struct cd_stream_key *a,
		       const struct cd_stream_key *b)
{
	return a->address_bytes != 0 && a->address_bytes == b->address_bytes &&
	       memcmp(a->src, b->dst, sizeof(a->src)) == 0 &&
	       memcmp(a->dst, b->src, sizeof(a->dst)) == 0 &&
	       memcmp(a->src, a->dst, sizeof(a->src)) != 0;
}

static bool is_alike(const struct cd_stream_key *a,
		     const struct cd_stream_key *b, enum likeness how)
{
	if (a->protocol != b->protocol || a->flow != b->flow ||
	    is_reverse(a, b))
		return false;
	if (how == FLOW_ONLY)
		return a->flow != 0;
	return a->dst_port == b->dst_port &&
	       (how == NO_SOURCE_PORT || a->src_port == b->src_port);
}

/* The only stream of `point` like the key, or NULL. */
static const struct cd_stream *only_alike(const struct cd_point *point,
					  const struct cd_stream_key *key,
					  enum likeness how)
{
	const struct cd_stream *found = NULL;

	for (size_t i = 0; i < point->n_streams; i++) {
		if (!is_alike(&point->streams[i].key, key, how))
			continue;
		if (found != NULL)
			return NULL;
		found = &point->streams[i];
	}
	return found;
}

/* One stream each: the same one if nothing speaks against it. */
static bool are_only_ones(const struct cd_point *a, const struct cd_point *b)
{
	const struct cd_stream_key *ka = &a->streams[0].key;
	const struct cd_stream_key *kb = &b->streams[0].key;

	return a->n_streams == 1 && b->n_streams == 1 &&
	       ka->protocol == kb->protocol && !is_reverse(ka, kb);
}

/* More streams than this are not compared pair by pair. */
#define ALIKE_MAX 1024

/* The reference's stream that stream `i` of `point` must be, or NULL. */
static const struct cd_stream *
alike_in_ref(const struct cd_point *ref, const struct cd_point *point, size_t i)
{
	const struct cd_stream *stream = &point->streams[i];

	if (are_only_ones(ref, point))
		return &ref->streams[0];
	if (ref->n_streams > ALIKE_MAX || point->n_streams > ALIKE_MAX)
		return NULL;
	for (int how = NO_ADDRESSES; how < N_LIKENESSES; how++) {
		const struct cd_stream *found =
		    only_alike(ref, &stream->key, (enum likeness)how);

		if (found != NULL && only_alike(point, &found->key,
						(enum likeness)how) == stream)
			return found;
	}
	return NULL;
}

static bool shares_key(const struct table *table, size_t n_ref,
		       const struct cd_point *point)
{
	for (size_t i = 0; i < point->n_streams; i++)
		if (look_up(table, &point->streams[i].key) < n_ref)
			return true;
	return false;
}

static void say_addresses(struct cd_analysis *analysis, uint32_t k,
			  const struct cd_stream *here,
			  const struct cd_stream *ref)
{
	struct cd_str a = {0}, b = {0};

	cd_stream_describe(&here->key, &a);
	cd_stream_describe(&ref->key, &b);
	if (!cd_report_has_finding(analysis->report, "addresses_differ",
				   (int)k))
		cd_report_finding(
		    analysis->report, CD_WARNING, "addresses_differ", (int)k,
		    "addresses differ (NAT?): %s here was matched with %s of "
		    "the reference",
		    cd_str_text(&a), cd_str_text(&b));
	cd_str_release(&a);
	cd_str_release(&b);
}

/* ---- ids ---------------------------------------------------------------- */

/* ids[i] of the streams of capture k. */
static int identify(struct cd_analysis *analysis, struct table *table,
		    uint32_t k, uint32_t *ids)
{
	const struct cd_point *ref = &analysis->points[analysis->reference];
	const struct cd_point *point = &analysis->points[k];
	bool foreign = point != ref && ref->n_streams > 0 &&
		       !shares_key(table, ref->n_streams, point);
	bool ignore = point != ref && analysis->options->ignore_addresses;

	for (size_t i = 0; i < point->n_streams; i++) {
		bool known = look_up(table, &point->streams[i].key) <
			     ref->n_streams;
		const struct cd_stream *like =
		    foreign || (ignore && !known) ? alike_in_ref(ref, point, i)
						  : NULL;

		if (like != NULL) {
			ids[i] = look_up(table, &like->key);
			say_addresses(analysis, k, &point->streams[i], like);
		} else if (add_key(table, &point->streams[i].key, &ids[i])) {
			return -1;
		}
	}
	return 0;
}

static void link_streams(struct cd_analysis *analysis, uint32_t k,
			 const uint32_t *ids)
{
	const struct cd_point *point = &analysis->points[k];
	const struct cd_stream **row =
	    &analysis->streams[k * analysis->report->n_streams];

	for (size_t i = 0; i < point->n_streams; i++)
		if (row[ids[i]] == NULL)
			row[ids[i]] = &point->streams[i];
}

static int describe_stream(struct cd_analysis *analysis, uint32_t id,
			   const struct cd_stream_key *key)
{
	struct cd_report_stream *out = &analysis->report->streams[id];
	size_t n = analysis->report->n_streams;
	const struct cd_stream *model =
	    analysis->streams[analysis->reference * n + id];
	struct cd_str what = {0};

	out->id = id;
	cd_stream_describe(key, &what);
	out->what = what.bad ? NULL : cd_strdup(cd_str_text(&what));
	cd_str_release(&what);
	out->packets = calloc(analysis->n_points, sizeof(*out->packets));
	if (out->what == NULL || out->packets == NULL)
		return -1;
	for (size_t k = 0; k < analysis->n_points; k++) {
		const struct cd_stream *s = analysis->streams[k * n + id];

		out->packets[k] = s == NULL ? 0 : s->packets;
		if (model == NULL)
			model = s;
	}
	out->payload_bytes = model->payload_bytes;
	out->frame_bytes = model->frame_bytes;
	out->one_size = model->one_size;
	return 0;
}

/* ---- the largest -------------------------------------------------------- */

struct size {
	uint64_t packets;
	uint32_t id;
};

static int larger_first(const void *a, const void *b)
{
	const struct size *x = a, *y = b;

	if (x->packets != y->packets)
		return x->packets > y->packets ? -1 : 1;
	return x->id < y->id ? -1 : 1;
}

static int choose_shown(struct cd_analysis *analysis)
{
	size_t n = analysis->report->n_streams;
	struct size *sizes = calloc(n + 1, sizeof(*sizes));

	if (sizes == NULL)
		return -1;
	for (uint32_t id = 0; id < n; id++) {
		sizes[id].id = id;
		for (size_t k = 0; k < analysis->n_points; k++)
			sizes[id].packets +=
			    analysis->report->streams[id].packets[k];
	}
	qsort(sizes, n, sizeof(*sizes), larger_first);
	for (size_t i = 0; n > 1 && i < n && i < CD_STREAMS_SHOWN; i++)
		analysis->shown[sizes[i].id] = true;
	free(sizes);
	return 0;
}

/* ---- all ---------------------------------------------------------------- */

/* Streams, the rows of `ids` begin at the sum of n_streams before them. */
static int identify_all(struct cd_analysis *analysis, struct table *table,
			uint32_t *ids)
{
	uint32_t *at = ids;

	/* the reference first, so that its ids are 0, 1, ... */
	for (size_t i = 0; i < analysis->points[analysis->reference].n_streams;
	     i++) {
		uint32_t id;

		if (add_key(
			table,
			&analysis->points[analysis->reference].streams[i].key,
			&id))
			return -1;
	}
	for (uint32_t k = 0; k < analysis->n_points; k++) {
		if (identify(analysis, table, k, at))
			return -1;
		at += analysis->points[k].n_streams;
	}
	return 0;
}

static int allocate(struct cd_analysis *analysis, size_t n)
{
	analysis->report->streams =
	    calloc(n + 1, sizeof(*analysis->report->streams));
	analysis->streams = calloc(n * analysis->n_points + 1,
				   sizeof(const struct cd_stream *));
	analysis->shown = calloc(n + 1, sizeof(*analysis->shown));
	if (analysis->report->streams == NULL || analysis->streams == NULL ||
	    analysis->shown == NULL)
		return -1;
	analysis->report->n_streams = n;
	return 0;
}

static int fill(struct cd_analysis *analysis, const struct table *table,
		const uint32_t *ids)
{
	const uint32_t *at = ids;

	if (allocate(analysis, table->n))
		return -1;
	for (uint32_t k = 0; k < analysis->n_points; k++) {
		link_streams(analysis, k, at);
		at += analysis->points[k].n_streams;
	}
	for (uint32_t id = 0; id < table->n; id++)
		if (describe_stream(analysis, id, table->keys[id]))
			return -1;
	return choose_shown(analysis);
}

int cd_streams_match(struct cd_analysis *analysis, struct cd_error *error)
{
	struct table table = {0};
	size_t n = 0;
	uint32_t *ids;
	int result = -1;

	for (size_t k = 0; k < analysis->n_points; k++)
		n += analysis->points[k].n_streams;
	ids = calloc(n + 1, sizeof(*ids));
	if (ids != NULL && identify_all(analysis, &table, ids) == 0)
		result = fill(analysis, &table, ids);
	free(ids);
	table_release(&table);
	return result == 0 ? 0 : cd_error_memory(error);
}
