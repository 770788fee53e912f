/* Steps of the compared clock: found, and put between two packets. */
#ifndef CAPDIFF_METRIC_JUMP_H
#define CAPDIFF_METRIC_JUMP_H

#include "metric/fit.h"

/*
 * After cd_fit_line() over whole lanes: sets steps, n_steps, n_segments and
 * block_noise_ps of the pair's clock (METRICS 4.5). `least_ps`: smaller jumps
 * are not looked for: the median spacing of the reference, two ticks. A step
 * that several lanes show is one. 0, or -1 without memory.
 */
int cd_jumps_find(struct cd_fit *fit, double median_delta_ps, double tick_ps);

#endif
