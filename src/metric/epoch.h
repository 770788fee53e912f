/*
 * Which restart of the generator is which in two captures (METRICS 0.3): never
 * by ordinal alone, since one capture may have begun after the restart.
 */
#ifndef CAPDIFF_METRIC_EPOCH_H
#define CAPDIFF_METRIC_EPOCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "align/point.h"

#define CD_NO_EPOCH SIZE_MAX

/*
 * link[i] = index of the epoch of `dut` that is epoch i of `ref`, or
 * CD_NO_EPOCH; no epoch of `dut` twice. One each belong together. Otherwise a
 * clock offset is assumed from every pair of a longest epoch with the other's
 * whose packets do not contradict (send times, contents), and that under which
 * the epochs overlap longest is taken; of nearly equal ones that with the
 * smaller offset between the clocks, and *ambiguous is set.
 * `base_ps`: the base of dut's times minus that of ref's, saturated.
 * 0 or -1 (no memory).
 */
int cd_epochs_match(const struct cd_stream *ref, const struct cd_stream *dut,
		    int64_t base_ps, size_t *link, bool *ambiguous);

#endif
