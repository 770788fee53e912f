/* Samples of captures in memory, for the tests of detection. */
#ifndef CAPDIFF_TESTS_DETECT_CAPTURE_H
#define CAPDIFF_TESTS_DETECT_CAPTURE_H

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "frame/frame.h"
#include "stamp/detect.h"

enum { UDP = 17, ICMP = 1, SAMPLE = 4096 };

struct capture {
	struct cd_frame frames[SAMPLE];
	enum cd_frame_status status[SAMPLE];
	struct cd_instant times[SAMPLE];
	uint8_t *bytes[SAMPLE];
	size_t n;
};

static inline void free_capture(struct capture *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->bytes[i]);
	free(c);
}

static inline void add_frame(struct capture *c, uint32_t linktype,
		      const uint8_t *bytes, uint32_t caplen, uint32_t origlen,
		      uint8_t fcs_bytes, struct cd_instant time)
{
	uint8_t *copy = malloc(caplen + (caplen == 0));

	cr_assert_not_null(copy);
	cr_assert_lt(c->n, SAMPLE);
	memcpy(copy, bytes, caplen);
	c->bytes[c->n] = copy;
	c->times[c->n] = time;
	c->status[c->n] = cd_frame_parse(linktype, copy, caplen, origlen,
					 fcs_bytes, &c->frames[c->n]);
	c->n++;
}

static inline struct capture *new_capture(void)
{
	struct capture *c = calloc(1, sizeof(*c));

	cr_assert_not_null(c);
	return c;
}

static inline struct cd_detection detect(struct capture *const *captures, size_t n,
				  bool with_times)
{
	struct cd_sample samples[CD_SAMPLES_MAX];
	struct cd_detection d;

	for (size_t i = 0; i < n; i++)
		samples[i] = (struct cd_sample){
			.frames = captures[i]->frames,
			.status = captures[i]->status,
			.n = captures[i]->n,
			.times = with_times ? captures[i]->times : NULL,
			.whole = captures[i]->n < SAMPLE,
		};
	cr_assert_eq(cd_stamp_detect(samples, n, &d, NULL), 0);
	return d;
}

#endif
