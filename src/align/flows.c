#include "align/flows.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "align/flows_private.h"
#include "align/track_private.h"
#include "align/unwrap_private.h"
#include "base/array.h"
#include "base/bytes.h"
#include "base/time.h"

void cd_flows_init(struct cd_flows *flows, const struct cd_stamp_spec *spec,
		   const struct cd_times *times)
{
	*flows = (struct cd_flows){.spec = *spec, .times = times};
	if (spec->format == NULL)
		return;
	flows->place = cd_number_place(spec);
	flows->bits = cd_stamp_bits(spec);
	flows->step = spec->step < 0 ? 0 - (uint64_t)spec->step
				     : (uint64_t)spec->step;
}

static void free_flow(struct cd_flow *flow)
{
	for (size_t i = 0; i < flow->stream.n_epochs; i++)
		cd_track_free(flow->stream.epochs[i]);
	free(flow->stream.epochs);
	cd_unwrap_free(flow->unwrap);
	free(flow->pending);
	free(flow);
}

void cd_flows_release(struct cd_flows *flows)
{
	for (size_t i = 0; i < flows->n; i++)
		free_flow(flows->flows[i]);
	free(flows->flows);
	free(flows->table);
	*flows = (struct cd_flows){0};
}

/* ---- from unwrapping to tracks ----------------------------------------------- */

static int begin_epoch(struct cd_flow *flow, int64_t unit_ps)
{
	struct cd_stream *stream = &flow->stream;

	if (cd_grow(&stream->epochs, &flow->epochs_capacity,
		    stream->n_epochs + 1, sizeof(struct cd_track *)) < 0)
		return -1;
	flow->track = cd_track_new(unit_ps);
	if (flow->track == NULL)
		return -1;
	stream->epochs[stream->n_epochs++] = flow->track;
	return 0;
}

/* The identity taken of this packet, now that its number is known. */
static int settle_identity(struct cd_flow *flow, struct cd_track *track,
			   enum cd_unwrapped verdict, int64_t seq)
{
	struct cd_identity *identity =
	    &flow->pending[flow->pending_at].identity;

	flow->pending_at++;
	if (--flow->n_pending == 0)
		flow->pending_at = 0;
	if (verdict == CD_UNWRAP_STRAY)
		return 0;
	identity->seq = seq;
	return cd_track_add_identity(track, identity);
}

static int put_row(void *context, enum cd_unwrapped verdict, int64_t seq,
		   const struct cd_unwrap_in *in)
{
	struct cd_flow *flow = context;
	struct cd_track_row row = {
	    .seq = seq,
	    .time_ps = in->time_ps,
	    .number = in->number,
	    .length = in->length,
	    .iface = in->iface,
	};
	enum cd_row_kind kind = CD_ROW_KEPT;
	struct cd_track *track = flow->track;

	if (CD_UNLIKELY(verdict >= CD_UNWRAP_STRAY)) {
		if (verdict == CD_UNWRAP_RESTART) {
			if (begin_epoch(flow, cd_track_unit(track)) < 0)
				return -1;
			track = flow->track;
		}
		if (verdict == CD_UNWRAP_BEFORE)
			track =
			    flow->stream.epochs[flow->stream.n_epochs - 2];
		if (verdict == CD_UNWRAP_STRAY) {
			kind = CD_ROW_STRAY;
			flow->stream.strays++;
		}
	}
	if (CD_UNLIKELY(flow->n_pending > 0) &&
	    flow->pending[flow->pending_at].number == in->number &&
	    settle_identity(flow, track, verdict, seq) < 0)
		return -1;
	return cd_track_add(track, &row, kind);
}

static int add_pending(struct cd_flow *flow, uint64_t number,
		       const struct cd_identity *identity)
{
	if (cd_grow(&flow->pending, &flow->pending_capacity,
		    flow->pending_at + flow->n_pending + 1,
		    sizeof(*flow->pending)) < 0)
		return -1;
	flow->pending[flow->pending_at + flow->n_pending++] =
	    (struct cd_pending_identity){.number = number,
					 .identity = *identity};
	return 0;
}

/* ---- finding the stream --------------------------------------------------------- */

static struct cd_stream_key make_key(const struct cd_frame *frame,
				     uint32_t flow)
{
	struct cd_stream_key key = {.flow = flow};

	if (frame == NULL || frame->src == NULL)
		return key;
	memcpy(key.src, frame->src, frame->address_bytes);
	memcpy(key.dst, frame->dst, frame->address_bytes);
	key.address_bytes = frame->address_bytes;
	key.protocol = frame->ip_protocol;
	key.src_port = frame->src_port;
	key.dst_port = frame->dst_port;
	return key;
}

static uint32_t ports_of(const struct cd_frame *frame)
{
	return (uint32_t)frame->src_port << 16 | frame->dst_port;
}

/* As comparing make_key() with the flow's, faster, for IPv4; others are looked
 * up. */
static bool is_of(const struct cd_flow *flow, const struct cd_frame *frame,
		  uint32_t id)
{
	const struct cd_stream_key *key = &flow->stream.key;

	if (CD_UNLIKELY(frame->address_bytes != 4))
		return false;
	return ((cd_le32(frame->src) ^ flow->src) |
		(cd_le32(frame->dst) ^ flow->dst) |
		(ports_of(frame) ^ flow->ports) | (id ^ key->flow) |
		(uint32_t)(frame->ip_protocol ^ key->protocol) |
		(uint32_t)(4 ^ key->address_bytes)) == 0;
}

static size_t slot_of(const struct cd_flows *flows,
		      const struct cd_stream_key *key)
{
	size_t mask = flows->table_size - 1;
	size_t i = (size_t)XXH3_64bits(key, sizeof(*key)) & mask;

	while (flows->table[i] != 0 &&
	       memcmp(&flows->flows[flows->table[i] - 1]->stream.key, key,
		      sizeof(*key)) != 0)
		i = (i + 1) & mask;
	return i;
}

static int grow_table(struct cd_flows *flows)
{
	size_t n = flows->table_size == 0 ? 16 : 2 * flows->table_size;
	uint32_t *table;

	if (flows->n > UINT32_MAX - 1)
		return -1;
	table = calloc(n, sizeof(*table));
	if (table == NULL)
		return -1;
	free(flows->table);
	flows->table = table;
	flows->table_size = n;
	for (size_t i = 0; i < flows->n; i++)
		table[slot_of(flows, &flows->flows[i]->stream.key)] =
		    (uint32_t)i + 1;
	return 0;
}

static struct cd_flow *new_flow(struct cd_flows *flows,
				const struct cd_stream_key *key)
{
	struct cd_flow *flow = calloc(1, sizeof(*flow));

	if (flow == NULL)
		return NULL;
	flow->stream.key = *key;
	flow->stream.first_ps = INT64_MAX;
	flow->stream.last_ps = INT64_MIN;
	flow->stream.one_size = true;
	flow->src = cd_le32(key->src);
	flow->dst = cd_le32(key->dst);
	flow->ports = (uint32_t)key->src_port << 16 | key->dst_port;
	flow->before_ps = INT64_MAX;
	flow->anonymous = true;
	if (flows->spec.format != NULL) {
		flow->unwrap = cd_unwrap_new(flows->bits, flows->spec.step,
					     put_row, flow);
		if (flow->unwrap == NULL)
			goto fail;
	}
	if (cd_grow(&flows->flows, &flows->capacity, flows->n + 1,
		    sizeof(struct cd_flow *)) < 0)
		goto fail;
	flows->flows[flows->n++] = flow;
	return flow;
fail:
	free_flow(flow);
	return NULL;
}

static struct cd_flow *find_flow(struct cd_flows *flows,
				 const struct cd_stream_key *key)
{
	struct cd_flow *flow;
	size_t slot;

	if (2 * (flows->n + 1) > flows->table_size && grow_table(flows) < 0)
		return NULL;
	slot = slot_of(flows, key);
	if (flows->table[slot] != 0)
		return flows->flows[flows->table[slot] - 1];
	flow = new_flow(flows, key);
	if (flow != NULL)
		flows->table[slot] = (uint32_t)flows->n;
	return flow;
}

static struct cd_flow *__attribute__((noinline))
flow_of(struct cd_flows *flows, const struct cd_frame *frame, uint32_t id)
{
	struct cd_stream_key key;

	/* one counter over all flows: no key is like a packet's, but there is
	 * only one */
	if (flows->spec.shared && flows->last != NULL)
		return flows->last;
	key = make_key(flows->spec.shared ? NULL : frame, id);
	flows->last = find_flow(flows, &key);
	return flows->last;
}

/* ---- adding packets ------------------------------------------------------------------ */

void flow_note_time_slowly(struct cd_flow *flow, int64_t time_ps,
			   int64_t before)
{
	struct cd_stream *stream = &flow->stream;
	int64_t back;

	if (time_ps == CD_TIME_NONE) {
		flow->before_ps = INT64_MAX;
		flow->no_delta++;
		stream->invalid_times++;
		return;
	}
	if (time_ps < stream->first_ps)
		stream->first_ps = time_ps;
	if (time_ps > stream->last_ps)
		stream->last_ps = time_ps;
	if (before == INT64_MAX) {
		flow->no_delta++;
		return;
	}
	stream->steps_back++;
	if (__builtin_sub_overflow(before, time_ps, &back))
		back = INT64_MAX;
	if (back > stream->step_back_max_ps)
		stream->step_back_max_ps = back;
}

static inline void note_packet(struct cd_flow *flow,
			       const struct cd_packet *packet)
{
	flow->stream.packets++;
	if (CD_UNLIKELY(!shape_is(&flow->shape, packet->frame)))
		cd_shape_note(&flow->shape, &flow->stream, packet->frame);
	flow_note_time(flow, packet->row.time_ps);
}

static int begin_flow(const struct cd_flows *flows, struct cd_flow *flow)
{
	flow->anonymous = false;
	return begin_epoch(flow, cd_times_unit(flows->times));
}

/* Is this one of the sample whose identity is kept? The same numbers in every
 * capture, whatever the verdict on them. */
static bool is_sampled(const struct cd_flows *flows, uint64_t raw)
{
	if (CD_LIKELY(flows->step == 1))
		return raw % CD_IDENTITY_EVERY == 0;
	return raw / flows->step % CD_IDENTITY_EVERY == 0;
}

static int sample_identity(const struct cd_flows *flows, struct cd_flow *flow,
			   const struct cd_packet *packet,
			   const struct cd_stamp *stamp)
{
	struct cd_identity identity;

	cd_identity_take(&flows->place, packet->frame, stamp, &identity);
	return add_pending(flow, packet->row.number, &identity);
}

/* The long way, from the second step of cd_flows_add() on. */
static int __attribute__((noinline))
push(const struct cd_flows *flows, struct cd_flow *flow,
     const struct cd_packet *packet, const struct cd_stamp *stamp)
{
	struct cd_unwrap_in in = {
	    .raw = stamp->seq,
	    .time_ps = packet->row.time_ps,
	    .number = packet->row.number,
	    .length = packet->row.length,
	    .iface = packet->row.iface,
	    .has_tx = (stamp->flags & CD_STAMP_HAS_TX) != 0,
	    .tx = stamp->tx,
	};

	if (is_sampled(flows, stamp->seq) &&
	    sample_identity(flows, flow, packet, stamp) < 0)
		return -1;
	return cd_unwrap_push(flow->unwrap, &in);
}

int cd_flows_add(struct cd_flows *flows, struct cd_packet *packet,
		 const struct cd_stamp *stamp)
{
	struct cd_flow *flow = flows->last;

	if (CD_UNLIKELY(flow == NULL ||
			!is_of(flow, packet->frame, stamp->flow))) {
		flow = flow_of(flows, packet->frame, stamp->flow);
		if (flow == NULL)
			return -1;
	}
	if (CD_UNLIKELY(flow->track == NULL) && begin_flow(flows, flow) < 0)
		return -1;
	note_packet(flow, packet);
	if (CD_UNLIKELY(is_sampled(flows, stamp->seq) || flow->n_pending > 0 ||
			!unwrap_try_next(flow->unwrap, stamp->seq,
					 packet->row.time_ps)))
		return push(flows, flow, packet, stamp);
	packet->row.seq = (int64_t)flow->unwrap->max;
	return track_add(flow->track, &packet->row, CD_ROW_KEPT);
}

/* The flow id of such packets is not known: they are kept apart until the end,
 * and then go to the first stream of the same addresses and ports. */
int cd_flows_add_cut(struct cd_flows *flows, const struct cd_packet *packet)
{
	struct cd_flow *flow = flow_of(flows, packet->frame, 0);

	if (flow == NULL)
		return -1;
	flow->stream.cut++;
	return 0;
}

int cd_flows_add_control(struct cd_flows *flows, const struct cd_packet *packet)
{
	struct cd_flow *flow = flow_of(flows, packet->frame, 0);

	if (flow == NULL)
		return -1;
	flow->stream.control++;
	return 0;
}

int cd_flows_add_plain(struct cd_flows *flows, const struct cd_packet *packet)
{
	struct cd_stream_key key = {0};
	struct cd_flow *flow = flows->last;

	if (CD_UNLIKELY(flow == NULL)) {
		flow = flows->last = find_flow(flows, &key);
		if (flow == NULL || begin_flow(flows, flow) < 0)
			return -1;
	}
	note_packet(flow, packet);
	return track_add(flow->track, &packet->row, CD_ROW_KEPT);
}

/* ---- the end ---------------------------------------------------------------------------- */

/* A stream by its addresses and ports alone (`ends.flow` is 0). */
struct owner {
	struct cd_stream_key ends;
	size_t index;
};

static int by_ends(const void *a, const void *b)
{
	const struct owner *x = a, *y = b;
	int order = memcmp(&x->ends, &y->ends, sizeof(x->ends));

	if (order != 0)
		return order;
	return (x->index > y->index) - (x->index < y->index);
}

/* All streams with packets, sorted; the caller frees. */
static struct owner *list_owners(const struct cd_flows *flows, size_t *n)
{
	struct owner *owners = malloc((flows->n + 1) * sizeof(*owners));

	*n = 0;
	if (owners == NULL)
		return NULL;
	for (size_t i = 0; i < flows->n; i++) {
		if (flows->flows[i]->anonymous)
			continue;
		owners[*n].ends = flows->flows[i]->stream.key;
		owners[*n].ends.flow = 0;
		owners[(*n)++].index = i;
	}
	qsort(owners, *n, sizeof(*owners), by_ends);
	return owners;
}

static const struct owner *find_owner(const struct owner *owners, size_t n,
				      const struct cd_stream_key *ends)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (memcmp(&owners[mid].ends, ends, sizeof(*ends)) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (low < n && memcmp(&owners[low].ends, ends, sizeof(*ends)) == 0)
		return &owners[low];
	return NULL;
}

/* Give what has no known flow id to the first stream of the same ends. What
 * was cut and has none stays a stream, without a packet: how many there were
 * has to be said. */
static int settle_anonymous(struct cd_flows *flows, struct cd_point *point)
{
	size_t n;
	struct owner *owners = list_owners(flows, &n);

	if (owners == NULL)
		return -1;
	for (size_t i = 0; i < flows->n; i++) {
		struct cd_flow *flow = flows->flows[i];
		const struct owner *owner;

		if (!flow->anonymous)
			continue;
		owner = find_owner(owners, n, &flow->stream.key);
		if (owner != NULL) {
			struct cd_flow *to = flows->flows[owner->index];

			to->stream.cut += flow->stream.cut;
			to->stream.control += flow->stream.control;
		} else if (flow->stream.cut > 0) {
			flow->anonymous = false;
		} else {
			point->unparsed += flow->stream.control;
		}
	}
	free(owners);
	return 0;
}

static int finish_flow(const struct cd_flows *flows, struct cd_flow *flow)
{
	struct cd_stream *stream = &flow->stream;

	if (flow->unwrap != NULL) {
		if (cd_unwrap_flush(flow->unwrap) < 0)
			return -1;
		stream->wrap_ambiguous = cd_unwrap_ambiguous(flow->unwrap);
		stream->doubtful = cd_unwrap_doubtful(flow->unwrap);
	}
	if (stream->n_epochs == 0 && begin_flow(flows, flow) < 0)
		return -1;
	for (size_t i = 0; i < stream->n_epochs; i++)
		if (cd_track_finish(stream->epochs[i]) < 0)
			return -1;
	cd_shape_finish(&flow->shape, stream);
	stream->deltas = stream->packets - flow->no_delta;
	if (stream->first_ps > stream->last_ps)
		stream->first_ps = stream->last_ps = 0;
	return 0;
}

int cd_flows_finish(struct cd_flows *flows, struct cd_point *point)
{
	if (settle_anonymous(flows, point) < 0)
		return -1;
	point->streams = calloc(flows->n + 1, sizeof(*point->streams));
	if (point->streams == NULL)
		return -1;
	for (size_t i = 0; i < flows->n; i++) {
		struct cd_flow *flow = flows->flows[i];

		if (flow->anonymous)
			continue;
		if (finish_flow(flows, flow) < 0)
			return -1;
		point->streams[point->n_streams++] = flow->stream;
		flow->stream.epochs = NULL;
		flow->stream.n_epochs = 0;
	}
	return 0;
}
