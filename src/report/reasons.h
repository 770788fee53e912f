/* What the reasons of a verdict mean, for people. */
#ifndef CAPDIFF_REPORT_REASONS_H
#define CAPDIFF_REPORT_REASONS_H

struct cd_reason {
	const char *code;  /* "BUNCHING"; NULL ends the table */
	const char *means; /* a phrase without full stop */
};
extern const struct cd_reason cd_reasons[];
/* NULL if there is no such reason. */
const char *cd_reason_means(const char *code);

#endif
