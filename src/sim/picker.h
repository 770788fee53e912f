/* Who is hit: the running side of a struct cd_pick. */
#ifndef CAPDIFF_SIM_PICKER_H
#define CAPDIFF_SIM_PICKER_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/random.h"
#include "sim/scenario.h"

struct cd_picker {
	const struct cd_pick *pick;
	struct cd_random random;
	bool active;   /* picks anything at all */
	bool in_run;   /* Gilbert's bad state */
	uint64_t begin, end; /* chances of a run, or of a single hit */
};

struct cd_picker cd_picker_init(const struct cd_pick *pick, uint64_t seed,
				const char *owner, const char *purpose);
/* Asked once for every packet, in order. */
bool cd_picker_hit(struct cd_picker *picker, uint64_t index);

#endif
