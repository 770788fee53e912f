/* For detection only: which packets of one capture's sample each candidate
 * reads, in flows where what it reads makes sense. */
#ifndef CAPDIFF_STAMP_CLAIMS_H
#define CAPDIFF_STAMP_CLAIMS_H

#include "stamp/detect.h"

#define CD_CANDIDATES_MAX 32

/* What may be chosen: every detectable format, in each of its widths. */
struct cd_candidates {
	struct cd_stamp_spec spec[CD_CANDIDATES_MAX];
	size_t n;
};

struct cd_claims {
	size_t n;	/* packets in the sample */
	uint32_t *mask; /* of each packet: bit i = candidate i reads it */
	size_t claimed[CD_CANDIDATES_MAX]; /* packets with bit i */
	size_t parsed[CD_CANDIDATES_MAX];  /* whether it makes sense or not */
	size_t cut[CD_CANDIDATES_MAX];	   /* number beyond the snaplen */
	size_t cut_headers;
};

/* Without memory -1. Release in either case. */
int cd_claims_collect(struct cd_claims *claims, const struct cd_sample *sample,
		      const struct cd_candidates *candidates);
void cd_claims_release(struct cd_claims *claims);

#endif
