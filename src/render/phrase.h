/* Phrases that several formats share. Inside the room only. */
#ifndef CAPDIFF_RENDER_PHRASE_H
#define CAPDIFF_RENDER_PHRASE_H

#include "base/str.h"
#include "report/report.h"

/* "capture" where there is none. */
const char *cd_phrase_label(const struct cd_report *report, int64_t point);
/* "Note", "Warning", "Error" */
const char *cd_phrase_severity(enum cd_severity severity);
/* "alone", "reference" or "compared" */
const char *cd_phrase_role(const struct cd_report *report, uint32_t point);
/* "laptop: NOT COMPLETE but accurate"; not clean. */
void cd_phrase_headline(const struct cd_report *report,
			const struct cd_report_verdict *verdict,
			struct cd_str *out);
/* The rest of a verdict's text, NULL if there is none: paragraphs that end at
 * "\n" or the end. */
const char *cd_phrase_body(const struct cd_report_verdict *verdict);
/* The next paragraph of it, without its end; false: there is none. */
bool cd_phrase_paragraph(const char **body, struct cd_str *out);
/* Those paragraphs of it that are about `what`, the same way. */
void cd_phrase_paragraphs(const struct cd_report_verdict *verdict,
			  enum cd_about what, struct cd_str *out);
/* "laptop: " where that is not clear, then the sentences; not clean. */
void cd_phrase_finding(const struct cd_report *report,
		       const struct cd_finding *finding, struct cd_str *out);
/* Capture that a full key belongs to, -1 if to none. */
int64_t cd_phrase_owner(const struct cd_report *report, const char *full_key);
/* A value with its reason, interval and sample size. */
void cd_phrase_value(const struct cd_value *value, bool utf8,
		     struct cd_str *out);
/* "12 runs in lab/, capture points: hw (reference), laptop. Link 1 Gb/s."; of
 * a report with a sweep, not clean. */
void cd_phrase_sweep(const struct cd_report *report, struct cd_str *out);
/* "Against old.json: 3 better, 1 worse, 4 changed, 180 the same", or that it
 * has none of the captures; of a report with a baseline, not clean. */
void cd_phrase_baseline(const struct cd_report *report, struct cd_str *out);
/* The words as a shell takes them: 'it'\''s'. */
void cd_phrase_command(const struct cd_report *report, struct cd_str *out);

#endif
