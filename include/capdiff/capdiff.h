/*
 * libcapdiff: how complete and how accurate are these captures?
 *
 *	struct capdiff_options options;
 *	struct capdiff_capture captures[] = {{.path = "hw.pcapng"},
 *					     {.path = "laptop.pcapng"}};
 *	struct capdiff_error error = {0};
 *	double missing;
 *
 *	capdiff_options_init(&options);
 *	options.captures = captures;
 *	options.n_captures = 2;
 *	struct capdiff_report *report = capdiff_run(&options, &error);
 *	if (capdiff_value(report, "laptop.loss.missing", &missing)) ...
 *	capdiff_report_free(report);
 *
 * The library prints nothing and never exits. One run uses a thread per
 * capture; runs in different threads do not disturb each other.
 */
#ifndef CAPDIFF_H
#define CAPDIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CAPDIFF_MAX_CAPTURES 64

struct capdiff_capture {
	const char *path;  /* "-": standard input */
	const char *label; /* NULL: shortest unique part of the file name */
	bool one_interface; /* file#N: only the packets of `interface` */
	unsigned interface;
	const char *ts_unit; /* "ns", "us": what the fraction of a second in
				this file really counts; NULL: as it says */
	/* A ring set (dumpcap -b, tcpdump -C): its files, in any order; they
	 * are put in order by their names. `path` is then what to call them,
	 * such as "laptop_*.pcapng". NULL: the capture is the file `path`. */
	const char *const *files;
	size_t n_files;
	bool guessed_set; /* from the names alone: the report says so */
};

/* Fill with capdiff_options_init() and change what differs. Strings stay the
 * caller's. */
struct capdiff_options {
	const struct capdiff_capture *captures;
	size_t n_captures;
	size_t reference;	/* index, default 0 */
	const char *stamp;	/* as --stamp, NULL: auto */
	const char *filter;	/* BPF, NULL: every packet */
	uint64_t max_packets;	/* per capture, 0: all */
	unsigned threads;	/* 0: as many as captures and processors */
	const char *profile;	/* NULL: "analysis" */
	const char *estimator;	/* "bqts", "ols", "hull"; NULL: bqts */
	const char *const *limits; /* expressions "KEY<=VALUE" */
	size_t n_limits;
	bool strict;
	bool clocks_synchronised;
	bool allow_truncated;
	bool force_skew;
	bool brief;		/* leave out values that only -v, JSON, CSV
				   and limits show: less work */
	bool clock;		/* MTIE and TDEV of the clock, too */
	bool ignore_addresses;	/* match streams by ports and flow alone */
	bool union_universe;
	double loss_ratio;	/* tolerated share of lost packets, 0 */
	int64_t guard_ps;	/* trimmed at both ends of the interval */
	int64_t ref_accuracy_ps; /* -1: the reference's resolution */
	double link_bps;	/* 0: guess */
	int fcs_bytes;		/* -1: as the files say */
	uint64_t interval_packets; /* a table, a row per N packets; 0: none */
	int64_t interval_ps;	/* or a row per so much time; 0: none */
	int64_t expect;		/* packets the generator sent, -1: unknown */
	/*
	 * Files to write, NULL: none. They appear under their names when they
	 * are complete. The first two read captures a second time, which
	 * therefore have to be files, and are about the capture with the label
	 * `subject` (NULL: the only compared one).
	 */
	const char *write_marked;  /* pcapng: the capture, with comments on the
				      packets that matter */
	const char *write_missing; /* pcapng, or pcap by the suffix: packets of
				      the reference that the capture lacks */
	const char *subject;
	const char *write_packets; /* CSV: a row for every packet */
	const char *const *command; /* words echoed in the report */
	size_t n_command;
	/* called some four times a second from the calling thread */
	void (*progress)(void *context, uint64_t bytes, uint64_t size,
			 uint64_t packets);
	void *progress_context;
};

enum capdiff_fault {
	CAPDIFF_OK,
	CAPDIFF_USAGE,	/* an option is wrong */
	CAPDIFF_INPUT,	/* a file cannot be read or is no capture, or cannot be
			   written */
	CAPDIFF_DATA,	/* the captures cannot be compared */
	CAPDIFF_MEMORY
};

struct capdiff_error {
	enum capdiff_fault fault;
	char file[512];	/* "" if no file is to blame */
	char what[384];
	char hint[384];	/* what to do, may be "" */
};

struct capdiff_report; /* opaque */

void capdiff_options_init(struct capdiff_options *options);

/*
 * Read, match, measure and judge. NULL when there is nothing to report. A
 * report that is not NULL may come with an error too (no common stream, a file
 * damaged half way): then it holds what could still be said, and its status
 * is 2.
 */
struct capdiff_report *capdiff_run(const struct capdiff_options *options,
				   struct capdiff_error *error);
void capdiff_report_free(struct capdiff_report *report);

/* 0: every capture is inside the limits; 1: at least one is not; 2: the job
 * could not be done properly. */
int capdiff_status(const struct capdiff_report *report);

/* The value under a key ("laptop.time.error.span_ns"), in the key's unit.
 * False if there is none or it is undefined. */
bool capdiff_value(const struct capdiff_report *report, const char *key,
		   double *value);

/*
 * The report in a format of -T ("text", "json", "csv"); text of `width`
 * columns in plain ASCII. NULL: unknown format or no memory. Free with
 * free().
 */
char *capdiff_render(const struct capdiff_report *report, const char *format,
		     int width);

/* "0.1.0" */
const char *capdiff_version(void);

#ifdef __cplusplus
}
#endif

#endif
