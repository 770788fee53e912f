/* What a pair has to say of single packets of its compared capture. */
#ifndef CAPDIFF_METRIC_MARKS_H
#define CAPDIFF_METRIC_MARKS_H

#include "align/marks.h"
#include "metric/metric.h"

/* Most packets marked for their time stamp. */
#define CD_WORST_STAMPS 100

/*
 * Add to `marks` of the compared capture of `pair`, after all metrics:
 * - the first packet after every gap; where none comes, the last before it;
 * - every copy inside the common interval, those that the reference has as
 *   well as such;
 * - what came there after one that is behind it in the reference;
 * - the CD_WORST_STAMPS largest time stamp errors above the limit Lim, and the
 *   most wrong delta where it is off by more than that.
 * 0 or -1 (no memory).
 */
int cd_marks_of_pair(const struct cd_analysis *analysis,
		     const struct cd_pair *pair, struct cd_marks *marks);

/* The frames of the reference whose packets are missing. 0 or -1. */
int cd_missing_of_pair(const struct cd_analysis *analysis,
		       const struct cd_pair *pair, struct cd_frame_set *set);

#endif
