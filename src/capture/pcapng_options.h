/*
 * Options of pcapng blocks (draft-ietf-opsawg-pcapng, section 3.5). An option
 * that does not fit its block ends the list and counts as a fault of the
 * file, except where it could change the meaning of time stamps.
 */
#ifndef CAPDIFF_CAPTURE_PCAPNG_OPTIONS_H
#define CAPDIFF_CAPTURE_PCAPNG_OPTIONS_H

#include "base/bytes.h"
#include "capture/capture.h"
#include "capture/clock.h"

/* All take a cursor over the options alone. Those that return int give 0, or
 * -1 without memory or (interfaces) if the resolution cannot be known. */
int cd_pcapng_section_options(struct cd_capture *capture, struct cd_cursor c,
			      struct cd_error *error);
/* `offset`: of the block, for the error. */
int cd_pcapng_iface_options(struct cd_capture *capture,
			    struct cd_iface *iface, struct cd_cursor c,
			    uint64_t offset, struct cd_error *error);
int cd_pcapng_statistics_options(struct cd_capture *capture,
				 struct cd_iface *iface,
				 struct cd_clock *clock, struct cd_cursor c,
				 struct cd_error *error);
int cd_pcapng_packet_options(struct cd_capture *capture,
			     struct cd_record *record, struct cd_cursor c,
			     struct cd_error *error);

#endif
