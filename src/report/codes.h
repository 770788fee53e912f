/*
 * Codes of findings that others than people read: a verdict depends on them.
 * Any other code is free text to the program.
 */
#ifndef CAPDIFF_REPORT_CODES_H
#define CAPDIFF_REPORT_CODES_H

/* `complete` cannot be known (METRICS 9.2) */
#define CD_CODE_NO_COMMON "no_common_interval"
#define CD_CODE_NO_NUMBERS "no_numbers"
#define CD_CODE_NUMBERS_CUT "numbers_cut" /* beyond the snapshot length */
#define CD_CODE_WRAP_AMBIGUOUS "wrap_ambiguous"
#define CD_CODE_AMBIGUOUS_NUMBERS "ambiguous_numbers" /* reused at random */
#define CD_CODE_MORE_THAN_SENT "more_than_expected" /* --expect is wrong */
#define CD_CODE_OFFLOAD_MERGE "offload_merge" /* frames merged on receipt */

/* `accurate` cannot be known */
#define CD_CODE_NO_TIME_INFORMATION "time_carries_no_information"
/* neither can be known: the same numbers on other packets */
#define CD_CODE_DIFFERENT_PACKETS "different_packets"

/* certainly not accurate: stamps 1000 times too fast or slow, fractions of a
 * second and more */
#define CD_CODE_TIME_UNIT "time_unit"
/* certainly not accurate: a pace that no clock has, or backwards */
#define CD_CODE_TIME_RATE "time_rate"

/* they name a cause */
#define CD_CODE_SET_HOLE "set_hole" /* a file of a ring set is not there */

/* they add a qualifier */
#define CD_CODE_UNVERIFIABLE "identity_unverifiable"
#define CD_CODE_NOISY_REFERENCE "noisy_reference" /* roles swapped? */

#endif
