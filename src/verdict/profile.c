#include <string.h>

#include "base/time.h"
#include "verdict/verdict.h"

/* METRICS 9.2; the first is the default. */
const struct cd_profile cd_profiles[] = {
	{"analysis", 0.1, 100 * CD_PS_PER_US},
	{"monitoring", 0.5, 1 * CD_PS_PER_MS},
	{"lab", 0.1, 10 * CD_PS_PER_US},
};

const size_t cd_profile_count = sizeof(cd_profiles) / sizeof(cd_profiles[0]);

const struct cd_profile *cd_profile_find(const char *name)
{
	if (name == NULL)
		return &cd_profiles[0];
	for (size_t i = 0; i < cd_profile_count; i++)
		if (strcmp(cd_profiles[i].name, name) == 0)
			return &cd_profiles[i];
	return NULL;
}
