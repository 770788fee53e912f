/*
 * The report is data: values under stable keys, findings, verdicts, and the
 * description of what was read. Renderers, limits, baselines and sweeps look
 * values up by key; nothing else passes between a metric and what people see.
 */
#ifndef CAPDIFF_REPORT_REPORT_H
#define CAPDIFF_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "base/time.h"

enum cd_value_kind {
	CD_VALUE_COUNT, /* integer */
	CD_VALUE_SPAN,	/* time, integer ps, shown in ns */
	CD_VALUE_REAL,	/* ratio, ppm, rate: double */
	CD_VALUE_TEXT,	/* short text */
	CD_VALUE_NULL	/* undefined: see reason */
};

enum cd_better { CD_BETTER_NONE, CD_BETTER_LOWER, CD_BETTER_HIGHER };

/* What is fixed about a key: one line of cd_key_table[] (keys.c). */
struct cd_key {
	const char *name;  /* "loss.missing", without the capture's label */
	const char *unit;  /* "packets", "ns", "ppm", "1" (ratio), "pps" … */
	const char *label; /* "Missing" */
	enum cd_value_kind kind; /* when defined */
	enum cd_better better;
};
extern const struct cd_key cd_key_table[];
extern const size_t cd_key_count;
/* NULL if there is none. */
const struct cd_key *cd_key_find(const char *name);

#define CD_NO_STREAM UINT32_MAX

struct cd_value {
	const struct cd_key *key;
	uint32_t point;	 /* index of the capture */
	uint32_t stream; /* CD_NO_STREAM: the whole capture */
	enum cd_value_kind kind;
	int64_t integer; /* COUNT, SPAN (ps) */
	double real;	 /* REAL; and low/high below for any kind, in the
			    key's unit */
	char *text;
	bool has_interval;
	double low, high; /* 95 % interval */
	bool has_n;
	uint64_t n;	    /* sample size */
	const char *reason; /* NULL values: static text, "n<50" */
};

enum cd_severity { CD_NOTE, CD_WARNING, CD_ERROR };

struct cd_finding {
	enum cd_severity severity;
	const char *code; /* static, snake_case: "tail_excluded" */
	int point;	  /* -1: no particular capture */
	char *text;	  /* one or more sentences */
};

/* What was read. Strings are owned by the report. */
struct cd_report_iface {
	uint32_t section, id, linktype, snaplen;
	char *linktype_name, *name, *description, *filter, *os, *hardware;
	int64_t tick_ps; /* header resolution */
	uint64_t packets, received, dropped, os_dropped; /* UINT64_MAX: not
							    recorded */
};

/* One file of a ring set. */
struct cd_report_file {
	char *path, *format, *compression; /* format NULL: not read */
	uint64_t first; /* number of its first packet in the set, from 1 */
	uint64_t packets, bytes;
	bool cut_short, damaged;
	uint64_t stop_offset;
};

struct cd_report_capture {
	char *label, *path, *format, *compression;
	char *hardware, *os, *application, *comment;
	bool reference;
	uint64_t packets, bytes;
	bool has_times;
	struct cd_instant first, last;
	int time_digits; /* decimals that its resolution carries */
	struct cd_report_iface *ifaces;
	size_t n_ifaces;
	struct cd_report_file *files; /* of a ring set, in order; else NULL */
	size_t n_files;
	bool cut_short, damaged;
	uint64_t stop_offset;
};

struct cd_report_stream {
	uint32_t id;
	char *what;	   /* "UDP 10.0.0.1:9 > 10.0.0.2:9" */
	uint64_t *packets; /* per capture */
	uint32_t payload_bytes, frame_bytes; /* of the reference, without FCS */
	bool one_size;
};

/* true, false or null */
enum cd_judgement { CD_FALSE = 0, CD_TRUE = 1, CD_INCONCLUSIVE = -1 };

/* Which of the two judgements a reason or paragraph is about. */
enum cd_about { CD_ABOUT_BOTH, CD_ABOUT_COMPLETE, CD_ABOUT_ACCURATE };

/* Of a list in order; those beyond it are about both. */
struct cd_abouts {
	enum cd_about list[16];
	size_t n;
};

struct cd_report_verdict {
	uint32_t point;
	enum cd_judgement complete, accurate;
	const char *reasons[16]; /* "LOSS", "BUNCHING" …, static */
	size_t n_reasons;
	struct cd_abouts reasons_about;
	const char *qualifiers[16]; /* "weak", "short", "inside the common
				       interval" … */
	size_t n_qualifiers;
	char *text; /* for people: a headline, then paragraphs, each after
		       "\n" */
	struct cd_abouts paragraphs_about;
};

struct cd_limit_result {
	char *expression; /* as given */
	char *key;	  /* full key it was applied to */
	bool passed;
	char *value; /* value as text, "n/a (n<50)" */
};

struct cd_report {
	char **command; /* words that change numbers */
	size_t n_command;
	struct cd_report_capture *captures;
	size_t n_captures;
	uint32_t reference;
	/* stamp */
	char *stamp_format, *stamp_title, *stamp_where; /* NULL: no numbers */
	char *stamp_spec; /* the --stamp argument, if the name does not say it */
	double *stamp_hits;				/* per capture */
	bool stamp_detected;
	struct cd_report_stream *streams;
	size_t n_streams;
	struct cd_value *values;
	size_t n_values, values_capacity;
	struct cd_finding *findings;
	size_t n_findings, findings_capacity;
	struct cd_report_verdict *verdicts; /* one per compared capture; with a
					       single capture: one */
	size_t n_verdicts;
	struct cd_limit_result *limits;
	size_t n_limits;
	struct cd_series *series; /* report/series.h */
	size_t n_series, series_capacity;
	struct cd_sweep *sweep; /* report/sweep.h; NULL: one run */
	struct cd_baseline *baseline; /* report/baseline.h, or NULL */
	char *profile;
	bool bad; /* memory ran out while it was filled */
	/* report.c's own */
	char **kept;
	size_t n_kept, kept_capacity;
	uint32_t *index;
	size_t index_size;
	struct cd_value displaced, scratch;
};

struct cd_report *cd_report_new(void);
void cd_report_free(struct cd_report *report);

/*
 * Add a value. The key must be in the table and its kind match (asserted).
 * The pointer returned is good until the next call; use it to add n or an
 * interval. Never NULL (without memory it is a scratch value and report->bad
 * is set). Adding a key again replaces it.
 */
struct cd_value *cd_report_count(struct cd_report *report, uint32_t point,
				 const char *name, uint64_t count);
/* The same for integers below zero (sequence numbers). */
struct cd_value *cd_report_number(struct cd_report *report, uint32_t point,
				  const char *name, int64_t number);
/* CD_TIME_NONE becomes NULL with reason "no time". */
struct cd_value *cd_report_span(struct cd_report *report, uint32_t point,
				const char *name, int64_t ps);
/* Not finite: becomes NULL with reason "not finite". */
struct cd_value *cd_report_real(struct cd_report *report, uint32_t point,
				const char *name, double real);
struct cd_value *cd_report_text(struct cd_report *report, uint32_t point,
				const char *name, const char *text);
struct cd_value *cd_report_null(struct cd_report *report, uint32_t point,
				const char *name, const char *reason);
/* Make the value just added one of a stream; what the addition replaced is
 * there again. */
struct cd_value *cd_value_of_stream(struct cd_report *report,
				    struct cd_value *value, uint32_t stream);

/* NULL if it is not there. */
const struct cd_value *cd_report_find(const struct cd_report *report,
				      uint32_t point, const char *name);
const struct cd_value *cd_report_find_stream(const struct cd_report *report,
					     uint32_t point, uint32_t stream,
					     const char *name);
/* The values of a capture in the order of the table of keys, those of streams
 * after them: the next one (`*at` is 0 at first), NULL at the end. */
const struct cd_value *cd_report_next(const struct cd_report *report,
				      uint32_t point, size_t *at);
/* By "label.name" or "label.stream.N.name". */
const struct cd_value *cd_report_find_key(const struct cd_report *report,
					  const char *full_key);
/* Value as a number in the key's unit (spans: ns). False if null or text. */
bool cd_value_number(const struct cd_value *value, double *out);
void cd_value_full_key(const struct cd_report *report,
		       const struct cd_value *value, struct cd_str *out);

/* NULL if the capture was not judged. */
const struct cd_report_verdict *cd_report_verdict(const struct cd_report *report,
						  uint32_t point);

/* "both", "complete", "accurate"; "note", "warning", "error" */
const char *cd_about_name(enum cd_about about);
const char *cd_severity_name(enum cd_severity severity);
/* Is item `i` of the list about `what`, perhaps among others? */
bool cd_is_about(const struct cd_abouts *abouts, size_t i, enum cd_about what);

/* "stream.N.name" gives N and name; any other name CD_NO_STREAM and itself. */
const char *cd_key_skip_stream(const char *name, uint32_t *stream);

void cd_report_finding(struct cd_report *report, enum cd_severity severity,
		       const char *code, int point, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Findings whose code begins so: those of a step that is done again. */
void cd_report_forget(struct cd_report *report, const char *prefix);
/* A copy that lives as long as the report, for what is static elsewhere
 * (reasons, codes); equal texts share one. "" without memory (then
 * report->bad is set). */
const char *cd_report_keep(struct cd_report *report, const char *text);
bool cd_report_has_finding(const struct cd_report *report, const char *code,
			   int point);

#endif
