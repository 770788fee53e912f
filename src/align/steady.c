#include "align/steady.h"

#include <string.h>

#include "align/flows_private.h"
#include "align/track_private.h"
#include "align/unwrap_private.h"
#include "base/bytes.h"

#define FEW_WORDS 6	/* as many as pktgen over UDP needs */
#define WORTH 4		/* packets: less does not pay for learning */
#define PATIENCE_MAX 63

/* ---- what packets have in common ------------------------------------------------- */

/* The bytes that the stamp wants the same, and the number, which must not be
 * among those. */
static bool pin_stamp(struct cd_steady *s, const struct cd_stamp_spec *spec,
		      const struct cd_frame *frame, uint8_t *fixed)
{
	size_t payload = (size_t)(frame->payload - frame->data);
	struct cd_stamp_pin pin;
	int64_t at;

	if (spec->format->pin == NULL || !spec->format->pin(spec, frame, &pin))
		return false;
	at = (int64_t)payload + pin.at;
	if (at < 0 || at + pin.width > CD_BURST_READABLE ||
	    at + pin.width > frame->caplen)
		return false;
	for (size_t i = 0; i < 64 && pin.fixed >> i != 0; i++) {
		if ((pin.fixed >> i & 1) == 0)
			continue;
		if (payload + i >= CD_BURST_READABLE ||
		    payload + i >= frame->caplen)
			return false;
		fixed[payload + i] = 0xff;
	}
	for (unsigned i = 0; i < pin.width; i++)
		if (fixed[(size_t)at + i] != 0)
			return false;
	s->number_end = (size_t)at + pin.width;
	s->number_shift = 64 - 8u * pin.width;
	s->little = pin.little;
	return true;
}

static bool learn(struct cd_steady *s, const struct cd_flows *flows,
		  const struct cd_record *record, const struct cd_frame *frame)
{
	uint8_t fixed[CD_BURST_READABLE];
	struct cd_flow *flow = flows->last;

	if (flows->spec.step != 1 || frame->flags != 0 ||
	    !shape_is(&flow->shape, frame) || !flows->times->is_plain ||
	    !cd_frame_fixed(frame, record->linktype, fixed, sizeof(fixed)) ||
	    !pin_stamp(s, &flows->spec, frame, fixed))
		return false;
	s->flow = flow;
	s->burst = (struct cd_burst){
	    .caplen = record->caplen,
	    .origlen = record->origlen,
	    .iface = record->iface,
	    .base_s = flows->times->base_s,
	};
	s->frame_bytes = frame->frame_bytes;
	s->number_mask = flow->unwrap->field.mask;
	memset(s->bytes, 0, sizeof(s->bytes));
	memcpy(s->bytes, record->data,
	       record->caplen < sizeof(s->bytes) ? record->caplen
						 : sizeof(s->bytes));
	memcpy(s->fixed, fixed, sizeof(s->fixed));
	return true;
}

bool cd_steady_begin(struct cd_steady *steady, const struct cd_flows *flows,
		     const struct cd_record *record,
		     const struct cd_frame *frame)
{
	struct cd_steady *s = steady;

	if (s->waits > 0) {
		s->waits--;
		return false;
	}
	if (s->known && s->flow == flows->last &&
	    s->burst.caplen == record->caplen &&
	    s->burst.origlen == record->origlen &&
	    s->burst.iface == record->iface)
		return true;
	s->known = learn(s, flows, record, frame);
	if (!s->known)
		cd_steady_end(s, 0);
	return s->known;
}

void cd_steady_end(struct cd_steady *steady, size_t n)
{
	struct cd_steady *s = steady;

	if (n >= WORTH) {
		s->patience = 0;
		return;
	}
	s->known = false;
	s->patience = 2 * s->patience + 1;
	if (s->patience > PATIENCE_MAX)
		s->patience = PATIENCE_MAX;
	s->waits = s->patience;
}

/* ---- comparing ------------------------------------------------------------------- */

/* Two words at a time. */
typedef uint64_t pair __attribute__((vector_size(16)));

static inline pair load_pair(const void *p)
{
	pair v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline pair differ(const struct cd_steady *s, const uint8_t *data,
			  size_t i)
{
	return (load_pair(data + 8 * i) ^ load_pair(s->bytes + i)) &
	       load_pair(s->fixed + i);
}

/* How many of `most` packets are alike and have the numbers from `next` on;
 * compares up to FEW_WORDS words, or all. */
static inline __attribute__((always_inline)) size_t
count_alike(const struct cd_steady *s, uint64_t next, size_t most, bool all,
	    bool little)
{
	const uint8_t *data = s->burst.data;
	size_t n;

	for (n = 0; n < most; n++, data += s->burst.stride) {
		const uint8_t *end = data + s->number_end;
		uint64_t raw = little ? cd_le64(end - 8) >> s->number_shift
				      : cd_be64(end - 8) << s->number_shift >>
						s->number_shift;
		pair odd = differ(s, data, 0) | differ(s, data, 2) |
			   differ(s, data, 4);

		if (all)
			odd |= differ(s, data, 6) | differ(s, data, 8);
		if ((odd[0] | odd[1] |
		     ((raw & s->number_mask) ^ (next + n))) != 0)
			break;
	}
	return n;
}

static size_t count_run(const struct cd_steady *s, uint64_t next, size_t most)
{
	if (s->little)
		return count_alike(s, next, most, true, true);
	for (size_t i = FEW_WORDS; i < CD_STEADY_WORDS; i++)
		if (s->fixed[i] != 0)
			return count_alike(s, next, most, true, false);
	return count_alike(s, next, most, false, false);
}

_Static_assert(FEW_WORDS == 6 && CD_STEADY_WORDS == 10, "all are compared");

/* ---- adding ----------------------------------------------------------------------- */

/* True if the times rise, or stay, from the flow's last one on. */
static bool note_times(struct cd_flow *flow, const int64_t *time, size_t n)
{
	int64_t before = flow->before_ps;
	uint64_t equal = 0;
	bool falls = false;

	for (size_t i = 0; i < n; i++) {
		falls |= time[i] < before;
		equal += time[i] == before;
		before = time[i];
	}
	if (falls) {
		for (size_t i = 0; i < n; i++)
			flow_note_time(flow, time[i]);
		return false;
	}
	flow->before_ps = before;
	flow->stream.equal += equal;
	if (before > flow->stream.last_ps)
		flow->stream.last_ps = before;
	return true;
}

static void note_pace(struct cd_pace *pace, const int64_t *time, size_t n,
		      bool rises, uint64_t max)
{
	uint64_t first = (uint64_t)time[0] - (uint64_t)pace->bucket;
	uint64_t last = (uint64_t)time[n - 1] - (uint64_t)pace->bucket;

	if (rises && pace->started && first < CD_PACE_BUCKET &&
	    last < CD_PACE_BUCKET) {
		pace->in_bucket += n;
		pace->last_ps = time[n - 1];
		return;
	}
	for (size_t i = 0; i < n; i++)
		cd_pace_note(pace, time[i], (int64_t)(max + 1 + i));
}

/* The columns beside the times, which are there. */
static void stage(struct cd_track *track, size_t n, uint64_t seq,
		  uint64_t number, const struct cd_steady *s)
{
	struct track_columns *c = &track->staged;
	size_t at = track->n_staged;

	for (size_t i = 0; i < n; i++) {
		c->seq[at + i] = seq + i;
		c->number[at + i] = number + i;
		c->length[at + i] = s->frame_bytes;
		c->iface[at + i] = s->burst.iface;
	}
	track->n_staged = at + n;
	track->last_seq = (int64_t)(seq + n - 1);
	track->last_time = c->time[at + n - 1];
}

/* Packets up to the next whose identity is kept. */
static size_t before_sample(uint64_t raw)
{
	return (size_t)(-raw % CD_IDENTITY_EVERY);
}

static bool goes_on(const struct cd_flow *flow)
{
	const struct cd_unwrap *u = flow->unwrap;

	return u->started && u->n == 0 && flow->n_pending == 0 &&
	       flow->track->last_seq == (int64_t)u->max;
}

ptrdiff_t cd_steady_add(struct cd_steady *steady, struct cd_capture *capture)
{
	struct cd_flow *flow = steady->flow;
	struct cd_unwrap *u = flow->unwrap;
	struct cd_track *track = flow->track;
	size_t most, n;
	int64_t *time;
	bool rises;

	if (!goes_on(flow) || before_sample(u->next_raw) == 0)
		return 0;
	if (track->n_staged == track->staged_capacity &&
	    track_make_room(track) < 0)
		return -1;
	time = (int64_t *)track->staged.time + track->n_staged;
	most = before_sample(u->next_raw);
	if (most > track->staged_capacity - track->n_staged)
		most = track->staged_capacity - track->n_staged;
	most = cd_capture_burst(capture, &steady->burst, time, most);
	n = count_run(steady, u->next_raw, most);
	if (n == 0)
		return 0;
	rises = note_times(flow, time, n);
	note_pace(&u->pace, time, n, rises, u->max);
	stage(track, n, u->max + 1, capture->packets + 1, steady);
	flow->stream.packets += n;
	u->max += n;
	u->next_raw = (u->next_raw + n) & u->field.mask;
	u->max_raw = (u->next_raw - 1) & u->field.mask;
	cd_capture_take(capture, &steady->burst, n);
	return (ptrdiff_t)n;
}
