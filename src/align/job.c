#include "align/job.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/bytes.h"

#define PROGRESS_EVERY 1024
#define ASK_EVERY 64 /* packets between two questions whether to go on */

/* ---- opening ------------------------------------------------------------------ */

static void leave_place(void *context)
{
	struct cd_job *job = context;

	if (job->has_place)
		cd_gate_leave(job->gate);
}

static void take_place(void *context)
{
	struct cd_job *job = context;

	if (job->has_place)
		cd_gate_enter(job->gate);
}

int cd_job_begin(struct cd_job *job)
{
	const struct cd_point *point = job->point;

	job->capture = point->paths == NULL
			   ? cd_capture_open(job->input, &job->error)
			   : cd_set_open(point->paths, point->n_paths,
					 &job->error);
	job->input = NULL; /* the capture's */
	if (job->capture == NULL) {
		cd_error_file(&job->error, job->point->path);
		return -1;
	}
	cd_times_init(&job->times, job->point, job->capture);
	return 0;
}

static int open_input(struct cd_job *job)
{
	const struct cd_input_wait wait = {
	    .before = leave_place, .after = take_place, .context = job};

	job->input = cd_input_open(job->point->path, &job->error);
	if (job->input == NULL) {
		cd_error_file(&job->error, job->point->path);
		return -1;
	}
	job->point->regular = cd_input_regular(job->input);
	job->size = cd_input_size(job->input);
	job->is_pipe = !job->point->regular && job->size == 0;
	cd_input_set_wait(job->input, &wait);
	return 0;
}

/* The files of a ring set are opened when it is their turn: there may be more
 * than a process may hold open. None is a pipe. */
static void size_set(struct cd_job *job)
{
	const struct cd_point *point = job->point;
	struct stat status;

	job->point->regular = true;
	for (size_t i = 0; i < point->n_paths; i++)
		if (stat(point->paths[i], &status) == 0)
			job->size += (uint64_t)status.st_size;
}

int cd_job_open(struct cd_job *job)
{
	if (job->point->paths != NULL)
		size_set(job);
	else if (open_input(job) < 0)
		return -1;
	if (job->options->filter != NULL) {
		job->filter = cd_filter_new(job->options->filter, &job->error);
		if (job->filter == NULL)
			return -1;
	}
	return 0;
}

void cd_job_release(struct cd_job *job)
{
	cd_flows_release(&job->flows);
	cd_held_release(&job->held);
	cd_filter_free(job->filter);
	if (job->capture != NULL)
		cd_capture_close(job->capture);
	else
		cd_input_close(job->input);
}

/* ---- packets of this capture point ------------------------------------------------- */

/* A packet that -f left out still says that the capture was running. */
static void note_other(struct cd_job *job, const struct cd_record *record)
{
	struct cd_instant t;
	struct cd_span span;

	job->point->filtered++;
	if (!cd_times_instant(&job->times, record, &t) ||
	    (t.s == 0 && t.ps == 0) ||
	    (job->times.has_base &&
	     !cd_instant_diff(t, job->point->base, &span)))
		return;
	if (!job->has_other) {
		job->other_first = job->other_last = t;
		job->has_other = true;
	} else if (cd_instant_compare(t, job->other_first) < 0) {
		job->other_first = t;
	} else if (cd_instant_compare(t, job->other_last) > 0) {
		job->other_last = t;
	}
}

static bool is_wanted(struct cd_job *job, const struct cd_record *record)
{
	const struct cd_point *point = job->point;

	if (point->has_iface && record->iface != point->only_iface)
		return false;
	if (job->filter == NULL ||
	    cd_filter_match(job->filter, record->linktype, record->data,
			    record->caplen, record->origlen))
		return true;
	note_other(job, record);
	return false;
}

static int no_packet(struct cd_job *job)
{
	const struct cd_point *point = job->point;
	size_t n = job->capture->n_ifaces;

	if (point->has_iface && point->only_iface >= n)
		cd_error_set(&job->error, CD_E_USAGE,
			     "has no interface %u: it has %zu, the first is 0",
			     (unsigned)point->only_iface, n);
	else if (point->filtered > 0)
		cd_error_set(&job->error, CD_E_EMPTY,
			     "holds no packet that passes the filter");
	else if (point->has_iface)
		cd_error_set(&job->error, CD_E_EMPTY,
			     "holds no packet of interface %u",
			     (unsigned)point->only_iface);
	else
		cd_error_set(&job->error, CD_E_EMPTY, "holds no packet");
	cd_error_file(&job->error, point->path);
	return -1;
}

static void show_progress(struct cd_job *job)
{
	atomic_store_explicit(&job->packets, job->kept, memory_order_relaxed);
	atomic_store_explicit(&job->bytes, cd_set_consumed(job->capture),
			      memory_order_relaxed);
}

/* A ring set goes on behind a file that stops; its first one counts. */
static int find_stop(struct cd_job *job, int got)
{
	size_t n;
	const struct cd_member *members = cd_set_members(job->capture, &n);

	for (size_t i = 0; i < n && got == 0; i++)
		if (members[i].stop != NULL) {
			job->why = *members[i].stop;
			got = -1;
		}
	return got;
}

/* The end, or what stops the reading. 0, or -1: there was no packet. */
static int end_packets(struct cd_job *job, int got)
{
	struct cd_error *why = &job->why;

	job->ended = true;
	show_progress(job);
	got = find_stop(job, got);
	if (got < 0)
		cd_error_file(why, job->point->path);
	if (got < 0 && job->kept == 0) {
		job->error = *why;
		return -1;
	}
	if (got < 0)
		job->point->stop = *why;
	return job->kept == 0 ? no_packet(job) : 0;
}

/* The next packet of this point. 1, 0 at the end, -1: there was none. */
static int next_packet(struct cd_job *job, struct cd_record *record)
{
	uint64_t most = job->options->max_packets;
	int got;

	if (CD_UNLIKELY(most != 0 && job->kept >= most))
		return end_packets(job, 0);
	do
		got = cd_capture_next(job->capture, record, &job->why);
	while (got > 0 && CD_UNLIKELY(job->filter != NULL ||
				      job->point->has_iface) &&
	       !is_wanted(job, record));
	if (CD_UNLIKELY(got <= 0))
		return end_packets(job, got);
	if (CD_UNLIKELY(++job->kept % PROGRESS_EVERY == 0))
		show_progress(job);
	return 1;
}

/* ---- one packet ------------------------------------------------------------------------ */

static int fail_memory(struct cd_job *job)
{
	cd_error_memory(&job->error);
	cd_error_file(&job->error, job->point->path);
	return -1;
}

static void count_status(struct cd_point *point, enum cd_frame_status status,
			 const struct cd_frame *frame)
{
	point->fcs_frames += (frame->flags & CD_FRAME_FCS) != 0;
	switch (status) {
	case CD_FRAME_OK:
		break;
	case CD_FRAME_NOT_IP:
		point->not_ip++;
		break;
	case CD_FRAME_CUT:
		point->cut_headers++;
		break;
	case CD_FRAME_BAD:
		point->bad_headers++;
		break;
	case CD_FRAME_LINK:
		point->link_unknown++;
		break;
	}
}

/* Later fragments have no header above IP to tell the stream by. 1: a packet
 * of the stream flows.last, 0: another one, -1. */
static int add_stamped(struct cd_job *job, struct cd_packet *packet)
{
	enum cd_stamp_found found = CD_STAMP_NO;
	struct cd_stamp stamp;
	int failed = 0;

	if (CD_LIKELY(!(packet->frame->flags & CD_FRAME_LATER_FRAGMENT)))
		found = cd_stamp_parse(&job->flows.spec, packet->frame, &stamp);
	if (CD_LIKELY(found == CD_STAMP_YES))
		return cd_flows_add(&job->flows, packet, &stamp) < 0 ? -1 : 1;
	if (found == CD_STAMP_CUT)
		failed = cd_flows_add_cut(&job->flows, packet);
	else if (found == CD_STAMP_CONTROL)
		failed = cd_flows_add_control(&job->flows, packet);
	else
		job->point->unparsed++;
	cd_times_widen(&job->times, packet->row.time_ps);
	return failed;
}

static int add_unstamped(struct cd_job *job, struct cd_packet *packet)
{
	packet->row.seq = (int64_t)job->point->packets;
	if (job->plan->mode == CD_JOB_PLAIN)
		return cd_flows_add_plain(&job->flows, packet);
	cd_times_widen(&job->times, packet->row.time_ps);
	job->point->unparsed++;
	return 0;
}

static int add_to_interval(struct cd_job *job, const struct cd_record *record,
			   const struct cd_track_row *row)
{
	struct cd_interval_packet packet = {
	    .time_ps = row->time_ps,
	    .frame = record->number,
	    .caplen = record->caplen,
	    .length = row->length,
	};

	if (record->flags & CD_RECORD_HAS_DROPS)
		packet.drops = record->drops;
	return cd_intervals_add(&job->point->intervals, &packet);
}

/* As add_stamped(); fills `frame`. */
static int add_packet(struct cd_job *job, const struct cd_record *record,
		      struct cd_frame *frame)
{
	struct cd_point *point = job->point;
	struct cd_packet packet;
	enum cd_frame_status status;
	int added;

	point->bytes += record->caplen;
	point->wire_bytes += record->origlen;
	if (CD_UNLIKELY(record->flags & CD_RECORD_HAS_DROPS)) {
		point->has_drops = true;
		point->drops_in_records += record->drops;
	}
	status = cd_frame_parse(record->linktype, record->data, record->caplen,
				record->origlen, record->fcs_bytes, frame);
	if (CD_UNLIKELY(status != CD_FRAME_OK || frame->flags & CD_FRAME_FCS))
		count_status(point, status, frame);
	packet.row.time_ps = cd_times_span(&job->times, record);
	cd_pairs_note(&job->pairs, point, packet.row.time_ps);
	packet.row.number = record->number;
	packet.row.length = frame->frame_bytes;
	packet.row.iface = record->iface;
	packet.frame = frame;
	if (CD_UNLIKELY(cd_intervals_wanted(&point->intervals)) &&
	    add_to_interval(job, record, &packet.row))
		return fail_memory(job);
	if (CD_LIKELY(job->plan->mode == CD_JOB_STAMPED))
		added = add_stamped(job, &packet);
	else
		added = add_unstamped(job, &packet);
	point->packets++;
	return added < 0 ? fail_memory(job) : added;
}

/* ---- the sample ------------------------------------------------------------------------- */

/* Seconds of a stamp whose fraction is wrong are as good as any. */
static int choose_base(struct cd_job *job)
{
	const struct cd_held *held = &job->held;
	int64_t *seconds = malloc((held->n + 1) * sizeof(*seconds));
	size_t n = 0;

	if (seconds == NULL)
		return fail_memory(job);
	for (size_t i = 0; i < held->n; i++) {
		const struct cd_record *r = &held->records[i];
		struct cd_instant t;

		cd_times_instant(&job->times, r, &t);
		if (!(r->flags & (CD_RECORD_NO_TIME | CD_RECORD_OUT_OF_RANGE)))
			seconds[n++] = t.s;
	}
	cd_times_base(&job->times, seconds, n);
	free(seconds);
	return 0;
}

static int take_sample(struct cd_job *job)
{
	struct cd_record record;

	if (job->capture == NULL && cd_job_begin(job) < 0)
		return -1;
	while (!job->ended && !cd_held_is_enough(&job->held)) {
		int got = next_packet(job, &record);

		if (got < 0)
			return -1;
		if (got > 0 && cd_held_add(&job->held, &record) < 0)
			return fail_memory(job);
	}
	if (cd_held_sample(&job->held) < 0)
		return fail_memory(job);
	return choose_base(job);
}

/* What a pipe brings is kept while the stamp is not chosen, as its writer may
 * have to go on here before it fills another capture's pipe. 0, or -1 without
 * memory, which only the caller may say: the main thread looks at job->error
 * until it has chosen. */
static int hold_more(struct cd_job *job)
{
	struct cd_record record;

	while (!job->ended && cd_gate_choice(job->gate) == CD_UNDECIDED)
		for (int i = 0; i < ASK_EVERY && !job->ended; i++) {
			int got = next_packet(job, &record);

			if (got > 0 && cd_held_add(&job->held, &record) < 0)
				return -1;
		}
	return 0;
}

/* ---- all of it ---------------------------------------------------------------------------- */

/* The packets after this one, as long as they are like one before. */
static int add_steady(struct cd_job *job, const struct cd_record *record,
		      const struct cd_frame *frame)
{
	struct cd_point *point = job->point;
	struct cd_stream before;
	uint64_t n = 0;
	ptrdiff_t got;

	if (!cd_steady_begin(&job->steady, &job->flows, record, frame))
		return 0;
	before = job->steady.flow->stream;
	job->steady.flow->stream.step_back_max_ps = 0;
	while ((got = cd_steady_add(&job->steady, job->capture)) > 0)
		n += (uint64_t)got;
	cd_steady_end(&job->steady, n);
	cd_pairs_note_run(&job->pairs, point, job->steady.flow, &before, n);
	job->kept += n;
	point->packets += n;
	point->bytes += n * record->caplen;
	point->wire_bytes += n * record->origlen;
	return got < 0 ? fail_memory(job) : 0;
}

/* About PROGRESS_EVERY packets of a capture of which all are wanted. */
static int read_some(struct cd_job *job)
{
	uint64_t end = job->kept + PROGRESS_EVERY;
	struct cd_record record;
	struct cd_frame frame;

	while (job->kept < end) {
		int got = cd_capture_next(job->capture, &record, &job->why);

		if (CD_UNLIKELY(got <= 0))
			return end_packets(job, got);
		job->kept++;
		got = add_packet(job, &record, &frame);
		if (CD_LIKELY(got > 0))
			got = add_steady(job, &record, &frame);
		if (CD_UNLIKELY(got < 0))
			return -1;
	}
	show_progress(job);
	return 0;
}

static int read_wanted(struct cd_job *job)
{
	struct cd_record record;
	struct cd_frame frame;
	int got = next_packet(job, &record);

	return got > 0 ? add_packet(job, &record, &frame) : got;
}

static int read_packets(struct cd_job *job)
{
	bool all = job->filter == NULL && !job->point->has_iface &&
		   job->options->max_packets == 0 &&
		   !cd_intervals_wanted(&job->point->intervals);
	struct cd_frame frame;
	int failed = 0;

	for (size_t i = 0; i < job->held.n; i++)
		if (add_packet(job, &job->held.records[i], &frame) < 0)
			return -1;
	cd_held_release(&job->held);
	while (!job->ended && failed >= 0)
		failed = all ? read_some(job) : read_wanted(job);
	return failed < 0 ? -1 : 0;
}

static void finish_times(struct cd_job *job)
{
	struct cd_point *point = job->point;
	struct cd_span span;

	for (size_t i = 0; i < point->n_streams; i++) {
		const struct cd_stream *s = &point->streams[i];

		if (s->packets > s->invalid_times) {
			cd_times_widen(&job->times, s->first_ps);
			cd_times_widen(&job->times, s->last_ps);
		}
	}
	if (job->has_other && job->times.has_base) {
		if (cd_instant_diff(job->other_first, point->base, &span))
			cd_times_widen(&job->times, span.ps);
		if (cd_instant_diff(job->other_last, point->base, &span))
			cd_times_widen(&job->times, span.ps);
	}
	point->has_times = point->first_ps <= point->last_ps;
	if (!point->has_times)
		point->first_ps = point->last_ps = 0;
}

static int64_t finest_tick(const struct cd_job *job)
{
	const struct cd_point *point = job->point;
	int64_t finest = INT64_MAX;

	if (point->ts_unit_ps != 0)
		return point->ts_unit_ps;
	for (size_t i = 0; i < point->n_ifaces; i++) {
		int64_t tick = cd_resolution_ps(point->ifaces[i].resolution);

		if ((!point->has_iface || i == point->only_iface) &&
		    tick < finest)
			finest = tick;
	}
	return finest;
}

/* What the capture knows of its file becomes the point's. */
static void take_over(struct cd_job *job)
{
	struct cd_point *point = job->point;
	struct cd_capture *c = job->capture;

	point->format = c->format->name;
	point->members = cd_set_take_members(c, &point->n_members);
	point->compression = point->members != NULL
				 ? point->members[0].compression
				 : cd_input_compression(c->input);
	point->ifaces = c->ifaces;
	point->n_ifaces = c->n_ifaces;
	point->hardware = c->hardware;
	point->os = c->os;
	point->application = c->application;
	point->comment = c->comment;
	point->comments = c->comments;
	point->thiszone = c->thiszone;
	c->ifaces = NULL;
	c->n_ifaces = c->ifaces_capacity = 0;
	c->hardware = c->os = c->application = c->comment = NULL;
	point->unit_ps = finest_tick(job);
}

static int process(struct cd_job *job)
{
	job->point->numbered = job->plan->mode == CD_JOB_STAMPED;
	job->pairs.before_ps = INT64_MAX;
	job->point->intervals = (struct cd_intervals){
	    .every = job->options->interval_packets,
	    .span_ps = job->options->interval_ps,
	    .fcs_bytes = job->options->fcs_bytes,
	};
	cd_flows_init(&job->flows, &job->plan->spec, &job->times);
	if (read_packets(job) < 0)
		return -1;
	if (cd_flows_finish(&job->flows, job->point) < 0)
		return fail_memory(job);
	finish_times(job);
	take_over(job);
	return 0;
}

static void with_place(struct cd_job *job, int (*work)(struct cd_job *))
{
	cd_gate_enter(job->gate);
	job->has_place = true;
	work(job);
	job->has_place = false;
	cd_gate_leave(job->gate);
}

void *cd_job_run(void *argument)
{
	struct cd_job *job = argument;
	bool lost = false;

	with_place(job, take_sample);
	cd_gate_sampled(job->gate);
	if (job->error.fault == CD_OK && job->is_pipe)
		lost = hold_more(job) < 0;
	if (cd_gate_await_choice(job->gate) == CD_GO) {
		if (lost)
			fail_memory(job);
		else
			with_place(job, process);
	}
	cd_gate_ended(job->gate);
	return NULL;
}
