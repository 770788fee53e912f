/* One capture's reading, start to end: what its thread does. */
#ifndef CAPDIFF_ALIGN_JOB_H
#define CAPDIFF_ALIGN_JOB_H

#include <pthread.h>
#include <stdatomic.h>

#include "align/flows.h"
#include "align/gate.h"
#include "align/held.h"
#include "align/ingest.h"
#include "align/pairs.h"
#include "align/steady.h"
#include "align/times.h"
#include "frame/filter.h"

/* What becomes of the packets: chosen once for all captures. */
enum cd_job_mode {
	CD_JOB_STAMPED, /* streams by the stamp */
	CD_JOB_PLAIN,	/* one stream of all packets */
	CD_JOB_COUNT	/* no stamp: counts only */
};

/* Set by the main thread before its choice is CD_GO, read only after it. */
struct cd_job_plan {
	enum cd_job_mode mode;
	struct cd_stamp_spec spec;
};

struct cd_job {
	struct cd_point *point;
	const struct cd_ingest_options *options;
	const struct cd_job_plan *plan;
	struct cd_gate *gate;
	pthread_t thread;
	bool has_place; /* in the gate */

	struct cd_input *input;	    /* NULL once it is the capture's */
	struct cd_capture *capture; /* NULL: not open yet */
	struct cd_filter *filter;   /* NULL: none */
	struct cd_error error;	    /* nothing of this capture can be used */
	bool is_pipe;		    /* reading may block */
	bool ended;		    /* no more packets */
	struct cd_error why;	    /* if not for the end of the file */

	struct cd_held held;
	struct cd_times times;
	struct cd_flows flows;
	struct cd_steady steady;
	uint64_t kept;	 /* packets, held ones too */
	struct cd_pairs pairs;

	/* times of packets that -f left out */
	bool has_other;
	struct cd_instant other_first, other_last;

	/* for a display of the progress */
	uint64_t size; /* of the file, 0: not known */
	_Atomic uint64_t packets, bytes;
};

/* Open the input, reading nothing. 0 or -1 with job->error, as both. */
int cd_job_open(struct cd_job *job);
/* Read the head of the file; the thread does if this was not called. Blocks on
 * a pipe. */
int cd_job_begin(struct cd_job *job);
/* The thread's function; `argument` is the job. */
void *cd_job_run(void *argument);
/* After the thread has ended, or without one. */
void cd_job_release(struct cd_job *job);

#endif
