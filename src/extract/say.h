/* Marks in words: the comments of an annotated copy. */
#ifndef CAPDIFF_EXTRACT_SAY_H
#define CAPDIFF_EXTRACT_SAY_H

#include <stdbool.h>
#include <stddef.h>

#include "align/marks.h"
#include "base/str.h"
#include "capture/capture.h"

/* "capdiff: 412 missing before this (IDs 150000-150411); …" for all n >= 1
 * marks of one packet. `streams`: say which one. */
void cd_marks_say(const struct cd_mark *marks, size_t n, bool streams,
		  const struct cd_record *record, struct cd_str *out);

/* Packets missing before it, by all of the marks. */
uint64_t cd_marks_drops(const struct cd_mark *marks, size_t n);

#endif
