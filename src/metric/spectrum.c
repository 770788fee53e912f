#include "metric/spectrum.h"

#include "stat/moments.h"

int cd_spectrum_init(struct cd_spectrum *spectrum, bool only_moments)
{
	static const uint32_t p[CD_SPECTRUM_P] = {100,	 1000,	5000,  50000,
						  95000, 99000, 99900, 99990};

	*spectrum = (struct cd_spectrum){.select = cd_select_new(),
					 .only_moments = only_moments};
	if (spectrum->select == NULL)
		return -1;
	if (only_moments) {
		cd_select_only_moments(spectrum->select);
		return 0;
	}
	for (size_t i = 0; i < CD_SPECTRUM_P; i++)
		spectrum->handle[i] = cd_select_want(spectrum->select, p[i]);
	return 0;
}

void cd_spectrum_release(struct cd_spectrum *spectrum)
{
	cd_select_free(spectrum->select);
	spectrum->select = NULL;
}

int cd_spectrum_end_pass(struct cd_spectrum *spectrum)
{
	int more;

	if (spectrum->done)
		return 0;
	more = cd_select_end_pass(spectrum->select);
	spectrum->done = more == 0;
	return more;
}

void cd_spectrum_fill(const struct cd_spectrum *spectrum,
		      struct cd_distribution *out)
{
	const struct cd_moments *m = cd_select_moments(spectrum->select);
	int64_t *to[CD_SPECTRUM_P] = {&out->p0_1,  &out->p1,	&out->p5,
				      &out->p50,   &out->p95,	&out->p99,
				      &out->p99_9, &out->p99_99};

	*out = (struct cd_distribution){.n = m->n};
	if (m->n == 0)
		return;
	out->min = m->min;
	out->max = m->max;
	out->mean = cd_moments_mean(m);
	out->rms = cd_moments_deviation(m);
	out->rms_zero = cd_moments_rms(m);
	for (size_t i = 0; i < CD_SPECTRUM_P && !spectrum->only_moments; i++)
		*to[i] =
		    cd_select_result(spectrum->select, spectrum->handle[i]);
}
