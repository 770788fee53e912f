/* Scenarios that come with the program. */
#ifndef CAPDIFF_SIM_PRESETS_H
#define CAPDIFF_SIM_PRESETS_H

struct cd_preset {
	const char *name;
	const char *text; /* a scenario file */
};

extern const struct cd_preset cd_presets[]; /* ends with a NULL name */

const struct cd_preset *cd_preset_find(const char *name); /* or NULL */

#endif
