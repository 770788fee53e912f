/*
 * Unwrapping of sequence fields with look-ahead: wrap, loss, late packets,
 * duplicates, restarts of the generator and corrupt numbers told apart
 * (METRICS 0.3, after RFC 4737 section 6).
 */
#ifndef CAPDIFF_ALIGN_UNWRAP_H
#define CAPDIFF_ALIGN_UNWRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cd_unwrapped {
	CD_UNWRAP_NEXT,	   /* accepted: new largest number */
	CD_UNWRAP_LATE,	   /* accepted: late or a copy */
	CD_UNWRAP_STRAY,   /* a number that fits nothing around it */
	CD_UNWRAP_RESTART, /* first packet of a new epoch */
	CD_UNWRAP_BEFORE   /* accepted: comes late, of the epoch before */
};

/* A pending packet: the caller's row travels with it. */
struct cd_unwrap_in {
	uint64_t raw;	   /* field value, `bits` wide, step already divided out
			      by cd_unwrap_push() */
	int64_t time_ps;   /* CD_TIME_NONE if invalid */
	uint64_t number;
	uint32_t length, iface;
	bool has_tx;
	int64_t tx;	   /* transmit time: only later or earlier counts */
};

/* Called once per pushed packet, in order. 0 or -1 (stops everything). */
typedef int cd_unwrap_out(void *context, enum cd_unwrapped verdict,
			  int64_t seq, const struct cd_unwrap_in *in);

struct cd_unwrap; /* opaque */
/* bits 1..64; step != 0 (may be negative). */
struct cd_unwrap *cd_unwrap_new(unsigned bits, int64_t step,
				cd_unwrap_out *out, void *context);
void cd_unwrap_free(struct cd_unwrap *unwrap);
int cd_unwrap_push(struct cd_unwrap *unwrap, const struct cd_unwrap_in *in);
/* End of file: decides everything pending. */
int cd_unwrap_flush(struct cd_unwrap *unwrap);
/* A gap too long to count the cycles of the field (METRICS 0.3). */
bool cd_unwrap_ambiguous(const struct cd_unwrap *unwrap);
/* Packets taken for copies that may as well have been sent again, by a
 * generator that began again. */
uint64_t cd_unwrap_doubtful(const struct cd_unwrap *unwrap);

#endif
