#include "report/reasons.h"

#include <stddef.h>
#include <string.h>

const struct cd_reason cd_reasons[] = {
	/* it failed */
	{ "LOSS", "packets of the reference are missing" },
	{ "RESOLUTION", "the tick of the stamps alone exceeds the limit" },
	{ "BUNCHING", "several packets get one time, or times close together; "
		      "how far apart they were is lost" },
	{ "STALL", "most late packets are late together: the capture stood "
		   "still now and then" },
	{ "JITTER", "stamps scatter by more than the limit, for no reason "
		    "that is seen" },
	{ "STEP", "the clock jumped" },
	{ "WANDER", "after offset and drift the clock still goes to and fro "
		    "by more than the limit: slewing, temperature" },
	{ "UNIT", "stamps are in another unit than the file says" },
	{ "RATE", "time runs at a pace that no clock has" },
	{ "INVALID_TIMES", "too many packets have no usable time" },
	/* it cannot be known */
	{ "NO_REFERENCE", "nothing to compare with" },
	{ "NO_NUMBERS", "no sequence numbers were found" },
	{ "NO_COMMON_INTERVAL", "the captures do not overlap" },
	{ "NUMBERS_CUT", "packets are cut before their number" },
	{ "WRAP_AMBIGUOUS", "a gap so long that the counter may have gone "
			    "round in it" },
	{ "AMBIGUOUS_NUMBERS", "numbers came again; copies and a new start "
			       "look alike" },
	{ "MORE_THAN_SENT", "more packets than were sent" },
	{ "OFFLOAD_MERGE", "frames merged on receipt may hide what is missing" },
	{ "DIFFERENT_PACKETS", "the same numbers on other packets: two runs" },
	{ "NO_TIME_INFORMATION", "the times say nothing" },
	{ "TIME_UNIT", "the unit of the times is not known" },
	{ "REFERENCE_COARSE", "the reference is too coarse to tell" },
	{ "FEW_PACKETS", "fewer than 1,000 packets compared" },
	{ "UNDEFINED", "a value that decides is not defined" },
	{ NULL, NULL },
};

const char *cd_reason_means(const char *code)
{
	for (const struct cd_reason *r = cd_reasons; r->code != NULL; r++)
		if (strcmp(r->code, code) == 0)
			return r->means;
	return NULL;
}
