#include "metric/quantity.h"

#include "metric/walk.h"
#include "stat/percentile.h"

const char *cd_percentile_reason(uint32_t p)
{
	uint32_t tail = p < CD_P_ALL / 2 ? p : CD_P_ALL - p;

	if (tail >= 50000)
		return "n<2";
	if (tail >= 5000)
		return "n<20";
	if (tail >= 1000)
		return "n<100";
	return tail >= 100 ? "n<1000" : "n<10000";
}

static struct cd_value *with_n(struct cd_value *value, uint64_t n)
{
	value->has_n = true;
	value->n = n;
	return value;
}

struct cd_value *cd_put_percentile(const struct cd_place *place,
				   const char *name, int64_t ps, uint64_t n,
				   uint32_t p)
{
	if (!cd_percentile_defined(n, p))
		return cd_put_null(place, name, cd_percentile_reason(p));
	return with_n(cd_put_span(place, name, ps), n);
}

struct cd_value *cd_put_extreme(const struct cd_place *place, const char *name,
				int64_t ps, uint64_t n)
{
	if (n == 0)
		return cd_put_null(place, name, "n=0");
	return with_n(cd_put_span(place, name, ps), n);
}

struct cd_value *cd_put_mean(const struct cd_place *place, const char *name,
			     double ps, uint64_t n)
{
	return cd_put_extreme(place, name, n == 0 ? 0 : cd_round_ps(ps), n);
}
