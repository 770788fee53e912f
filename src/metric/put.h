/* Where a metric's values go: a capture as a whole, or one stream of it. */
#ifndef CAPDIFF_METRIC_PUT_H
#define CAPDIFF_METRIC_PUT_H

#include <stdint.h>

#include "report/report.h"

struct cd_place {
	struct cd_report *report;
	uint32_t point;
	uint32_t stream; /* CD_NO_STREAM: the whole capture */
};

static inline struct cd_value *cd_put_(const struct cd_place *place,
				       struct cd_value *value)
{
	if (place->stream == CD_NO_STREAM)
		return value;
	return cd_value_of_stream(place->report, value, place->stream);
}

static inline struct cd_value *cd_put_count(const struct cd_place *place,
					    const char *name, uint64_t count)
{
	return cd_put_(
	    place, cd_report_count(place->report, place->point, name, count));
}

static inline struct cd_value *cd_put_number(const struct cd_place *place,
					     const char *name, int64_t number)
{
	return cd_put_(
	    place, cd_report_number(place->report, place->point, name, number));
}

static inline struct cd_value *cd_put_span(const struct cd_place *place,
					   const char *name, int64_t ps)
{
	return cd_put_(place,
		       cd_report_span(place->report, place->point, name, ps));
}

static inline struct cd_value *cd_put_real(const struct cd_place *place,
					   const char *name, double real)
{
	return cd_put_(place,
		       cd_report_real(place->report, place->point, name, real));
}

static inline struct cd_value *cd_put_null(const struct cd_place *place,
					   const char *name, const char *reason)
{
	return cd_put_(
	    place, cd_report_null(place->report, place->point, name, reason));
}

/* Add the sample size. */
static inline struct cd_value *cd_put_n(struct cd_value *value, uint64_t n)
{
	value->has_n = true;
	value->n = n;
	return value;
}

/* Add a 95 % interval, in the key's unit. */
static inline struct cd_value *cd_put_interval(struct cd_value *value,
					       double low, double high)
{
	value->has_interval = true;
	value->low = low;
	value->high = high;
	return value;
}

#endif
