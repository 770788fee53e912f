#include <criterion/criterion.h>

#include "cli/units.h"

Test(units, durations)
{
	int64_t ps = -1;

	cr_assert(cd_parse_duration("5us", &ps));
	cr_assert_eq(ps, 5000000);
	cr_assert(cd_parse_duration("1.5 ms", &ps));
	cr_assert_eq(ps, 1500000000);
	cr_assert(cd_parse_duration("0", &ps));
	cr_assert_eq(ps, 0);
	cr_assert(cd_parse_duration("2min", &ps));
	cr_assert_eq(ps, 120000000000000);
	cr_assert_not(cd_parse_duration("5", &ps));
	cr_assert_not(cd_parse_duration("-5us", &ps));
	cr_assert_not(cd_parse_duration("nan", &ps));
	cr_assert_not(cd_parse_duration("0x10us", &ps));
	cr_assert_not(cd_parse_duration("1e30s", &ps));
	cr_assert_not(cd_parse_duration("5usx", &ps));
	cr_assert_not(cd_parse_duration("", &ps));
}

Test(units, rates)
{
	double bps = 0;

	cr_assert(cd_parse_rate("1G", &bps));
	cr_assert_eq(bps, 1e9);
	cr_assert(cd_parse_rate("2.5Gb/s", &bps));
	cr_assert_eq(bps, 2.5e9);
	cr_assert_not(cd_parse_rate("0", &bps));
	cr_assert_not(cd_parse_rate("fast", &bps));
}

Test(units, ratios)
{
	double x = 0;

	cr_assert(cd_parse_ratio("0.1%", &x));
	cr_assert_float_eq(x, 0.001, 1e-15);
	cr_assert(cd_parse_ratio("5ppm", &x));
	cr_assert_float_eq(x, 5e-6, 1e-18);
	cr_assert_not(cd_parse_ratio("101%", &x));
	cr_assert_not(cd_parse_ratio("-1", &x));
}

Test(units, counts)
{
	uint64_t n = 0;

	cr_assert(cd_parse_count("1,000,000", &n));
	cr_assert_eq(n, 1000000);
	cr_assert(cd_parse_count("18446744073709551615", &n));
	cr_assert_eq(n, UINT64_MAX);
	cr_assert_not(cd_parse_count("18446744073709551616", &n));
	cr_assert_not(cd_parse_count("1e6", &n));
	cr_assert_not(cd_parse_count("-1", &n));
	cr_assert_not(cd_parse_count("1,", &n));
}
