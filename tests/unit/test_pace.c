/* The pace of a stream against the one its packets were given. */
#include <criterion/criterion.h>

#include "align/pace.h"

Test(pace, packets_in_100_ms)
{
	struct cd_pace pace = {0};

	for (int64_t i = 0; i < 10000; i++)
		cd_pace_note(&pace, i * 20 * CD_PS_PER_US, i);
	cr_assert_geq(cd_pace_100ms(&pace), 4990);
	cr_assert_leq(cd_pace_100ms(&pace), 5010);
	cr_assert(cd_pace_exceeds(&pace, CD_PS_PER_S, 9999, 49000));
	cr_assert_not(cd_pace_exceeds(&pace, CD_PS_PER_S, 9999, 51000));
	cr_assert_eq(cd_pace_guess(&pace, CD_PS_PER_S, 9999).by_all, 50000);
	cr_assert_eq(cd_pace_gap(&pace, 9999 * 20 * CD_PS_PER_US + 5), 5);
	cr_assert_eq(cd_pace_gap(&pace, CD_TIME_NONE), 0);
	cr_assert_eq(cd_pace_gap(&pace, 0), 0);
}

/* Busy once: an eighth less with every 100 ms. */
Test(pace, packets_in_100_ms_of_late)
{
	static const uint64_t left[] = {5000, 4375, 3829};
	struct cd_pace pace = {0};

	for (int64_t i = 0; i < 5000; i++)
		cd_pace_note(&pace, i * 20 * CD_PS_PER_US, i);
	for (int64_t i = 0; i < 3; i++) {
		cd_pace_note(&pace, (i + 1) * CD_PACE_BUCKET, 5000 + i);
		cr_assert_eq(cd_pace_100ms(&pace), left[i]);
	}
}

/* A second of 50,000 and ten of 5,000. */
Test(pace, numbers_of_all_and_of_late)
{
	struct cd_pace pace = {0};
	struct cd_pace_guess guess;

	for (int64_t i = 0; i <= 100000; i++)
		cd_pace_note(&pace,
			     (i < 50000 ? i : 50000 + (i - 50000) * 10) * 20 *
				 CD_PS_PER_US,
			     i);
	guess = cd_pace_guess(&pace, 11 * CD_PS_PER_S, 100000);
	cr_assert_eq(guess.by_all, 100000);
	cr_assert_eq(guess.by_recent, 55000);
}
