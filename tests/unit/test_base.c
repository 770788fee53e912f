#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/str.h"
#include "base/time.h"

static struct cd_instant ticks(uint64_t n, uint8_t base, uint8_t exponent,
			       int64_t offset)
{
	struct cd_instant t;

	cr_assert(cd_instant_from_ticks(
	    n, (struct cd_resolution){base, exponent}, offset, &t));
	return t;
}

Test(time, decimal_ticks_are_exact)
{
	struct cd_instant t = ticks(1700000000123456789u, 10, 9, 0);

	cr_assert_eq(t.s, 1700000000);
	cr_assert_eq(t.ps, 123456789000);
	t = ticks(1500001, 10, 6, -2);
	cr_assert_eq(t.s, -1);
	cr_assert_eq(t.ps, 500001000000);
}

Test(time, binary_ticks_round_to_nearest)
{
	/* 2^-32 s = 232.83 ps; 3 ticks = 698.49 ps, 7 ticks = 1629.8 */
	cr_assert_eq(ticks(3, 2, 32, 0).ps, 698);
	cr_assert_eq(ticks(7, 2, 32, 0).ps, 1630);
	/* one tick below the next second rounds up into it at 2^-63 s */
	struct cd_instant t = ticks(UINT64_C(0x7fffffffffffffff), 2, 63, 0);
	cr_assert_eq(t.s, 1);
	cr_assert_eq(t.ps, 0);
}

Test(time, ticks_finer_than_64_bits_a_second)
{
	/* 2^64 - 1 ticks of 10^-20 s: 0.18446744073709551615 s */
	cr_assert_eq(ticks(UINT64_MAX, 10, 20, 0).ps, 184467440737);
	cr_assert_eq(ticks(UINT64_MAX, 2, 64, 0).s, 1);
	cr_assert_eq(ticks(UINT64_MAX, 2, 127, 0).ps, 0);
	cr_assert_eq(ticks(UINT64_MAX, 10, 127, 7).s, 7);
}

Test(time, seconds_that_overflow_are_said)
{
	struct cd_instant t;

	cr_assert_not(cd_instant_from_ticks(
	    UINT64_MAX, (struct cd_resolution){10, 0}, 1, &t));
	cr_assert_eq(t.s, INT64_MAX);
}

Test(time, differences)
{
	struct cd_instant a = {100, 1}, b = {99, CD_PS_PER_S - 1};
	struct cd_span d;

	cr_assert(cd_instant_diff(a, b, &d));
	cr_assert_eq(d.ps, 2);
	cr_assert(cd_instant_diff(b, a, &d));
	cr_assert_eq(d.ps, -2);
	cr_assert_not(cd_instant_diff((struct cd_instant){INT64_MAX, 0}, b, &d));
	cr_assert_eq(d.ps, CD_TIME_NONE);
	cr_assert_eq(cd_instant_compare(a, cd_instant_add(
		b, (struct cd_span){2})), 0);
}

Test(time, iso)
{
	char text[CD_ISO_SIZE];

	cr_assert_str_eq(cd_instant_iso((struct cd_instant){0, 0}, 0, text,
					sizeof(text)),
			 "1970-01-01T00:00:00Z");
	cr_assert_str_eq(
	    cd_instant_iso((struct cd_instant){951782399, 123456789999}, 9,
			   text, sizeof(text)),
	    "2000-02-28T23:59:59.123456789Z");
	cr_assert_str_eq(cd_instant_iso((struct cd_instant){951868799, 1}, 12,
					text, sizeof(text)),
			 "2000-02-29T23:59:59.000000000001Z");
	cr_assert_str_eq(cd_instant_iso((struct cd_instant){-1, 0}, 0, text,
					sizeof(text)),
			 "1969-12-31T23:59:59Z");
}

Test(bytes, cursor_failure_is_sticky)
{
	const uint8_t bytes[] = {1, 2, 3, 4, 5};
	struct cd_cursor c = cd_cursor(bytes, sizeof(bytes), false);

	cr_assert_eq(cd_cursor_u32(&c), 0x01020304);
	cr_assert_eq(cd_cursor_u16(&c), 0);
	cr_assert(c.bad);
	cr_assert_eq(cd_cursor_u8(&c), 0);
	c = cd_cursor(bytes, sizeof(bytes), true);
	cr_assert_eq(cd_cursor_u16(&c), 0x0201);
}

Test(bytes, odd_widths)
{
	const uint8_t b[] = {0x01, 0x02, 0x03};

	cr_assert_eq(cd_be_n(b, 3), 0x010203);
	cr_assert_eq(cd_le_n(b, 3), 0x030201);
}

Test(error, the_first_fault_stays)
{
	struct cd_error e = {0};

	cr_assert_eq(cd_error_set(&e, CD_E_READ, "first %d", 1), -1);
	cd_error_set(&e, CD_E_EMPTY, "second");
	cr_assert_str_eq(e.what, "first 1");
	cr_assert_eq(e.fault, CD_E_READ);
}

Test(array, refuses_to_overflow)
{
	size_t capacity = 0;
	int *items = NULL;

	cr_assert_eq(cd_grow(&items, &capacity, 3, sizeof(*items)), 0);
	cr_assert_geq(capacity, 3);
	cr_assert_eq(cd_grow(&items, &capacity, SIZE_MAX / 2, sizeof(*items)),
		     -1);
	free(items);
}

Test(str, grows)
{
	struct cd_str s = {0};

	cr_assert_str_eq(cd_str_text(&s), "");
	for (int i = 0; i < 100; i++)
		cd_str_addf(&s, "%d,", i);
	cd_str_pad(&s, '-', 3);
	cr_assert_eq(strlen(cd_str_text(&s)), 10 * 2 + 90 * 3 + 3);
	cd_str_release(&s);
}

Test(str, adds_nothing)
{
	struct cd_str s = {0};

	cd_str_addn(&s, NULL, 0);
	cr_assert_str_eq(cd_str_text(&s), "");
	cd_str_add(&s, "a");
	cd_str_addn(&s, NULL, 0);
	cr_assert_str_eq(cd_str_text(&s), "a");
	cd_str_release(&s);
}

Test(nearest, finds_typing_errors)
{
	const char *const names[] = {"stamp", "strict", "limit", "limits"};

	cr_assert_str_eq(cd_nearest("stmap", names, 4), "stamp");
	cr_assert_str_eq(cd_nearest("limit", names, 4), "limit");
	cr_assert_str_eq(cd_nearest("limitss", names, 4), "limits");
	cr_assert_str_eq(cd_nearest("", names, 4), "stamp");
}
