/* Which stream of one capture is which of another. */
#ifndef CAPDIFF_METRIC_STREAMS_H
#define CAPDIFF_METRIC_STREAMS_H

#include "base/error.h"
#include "metric/metric.h"

/* Streams that get values of their own. */
#define CD_STREAMS_SHOWN 64

/*
 * Give every stream an id, the same in all captures that have its key: those
 * of the reference first, in order of appearance. A capture that shares no key
 * with the reference (with --ignore-addresses: every stream of another key) is
 * matched without addresses where that is not ambiguous (finding
 * "addresses_differ"). Fills report->streams, analysis->streams and
 * analysis->shown. 0 or -1 (no memory).
 */
int cd_streams_match(struct cd_analysis *analysis, struct cd_error *error);

#endif
