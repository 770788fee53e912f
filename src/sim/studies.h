/* Whole studies that come with the program: the runs of a table. */
#ifndef CAPDIFF_SIM_STUDIES_H
#define CAPDIFF_SIM_STUDIES_H

#include <stdbool.h>
#include <stdint.h>

#define CD_STUDY_MACHINES 4
#define CD_STUDY_SIZES	  3
#define CD_STUDY_RATES	  12

/* A capture point under test. What depends on the frame's length is computed
 * for each, all durations and slots become a tenth in the short form; 0 is
 * none. */
struct cd_machine {
	const char *name;
	const char *text; /* other keys of its section */
	/* The kernel's buffer, and what a packet takes in it besides the
	 * frame; what the reader needs for a packet. */
	uint64_t buffer_bytes;
	uint32_t slot_bytes;
	uint32_t read_ns, read_ps_per_byte;
	/* Mean of the stamps' exponential noise. */
	uint32_t noise_ps, noise_ps_per_byte;
	uint32_t pause_us, pause_at_us, pause_every_us;
	uint32_t ring;
	uint32_t stall_us, stall_at_us, stall_every_us;
};

enum cd_study_rate {
	CD_STUDY_MBPS, /* on the wire, L1 */
	CD_STUDY_KPPS,
	CD_STUDY_LINE  /* as fast as the link; no rates */
};

struct cd_study {
	const char *name;
	const char *about;
	const char *text;  /* a scenario: link, stream, reference if any */
	uint32_t sizes[CD_STUDY_SIZES];
	enum cd_study_rate unit;
	uint32_t rates[CD_STUDY_RATES];
	uint64_t packets; /* of a run, but at least for least_ms */
	uint32_t least_ms;
	uint32_t interval_ms; /* what to look at one by one; 0: the run */
	bool apart; /* a run for each machine, without a reference */
	struct cd_machine machines[CD_STUDY_MACHINES];
};

extern const struct cd_study *const cd_studies[]; /* ends with NULL */

const struct cd_study *cd_study_find(const char *name); /* or NULL */

#endif
