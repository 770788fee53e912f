/* What was read, in words, for the formats that list it: parts of a line,
 * not clean. Inside the room only. */
#ifndef CAPDIFF_RENDER_INPUTS_H
#define CAPDIFF_RENDER_INPUTS_H

#include "base/str.h"
#include "report/report.h"

/* "a.pcapng.gz, pcapng, gzip" */
void cd_inputs_file(struct cd_str *out,
		    const struct cd_report_capture *capture);
/* ", 24,800 bytes captured, cut short at byte 412" */
void cd_inputs_bytes(struct cd_str *out,
		     const struct cd_report_capture *capture);
/* "a_00001.pcapng, packets 12": a file of a ring set. */
void cd_inputs_part(struct cd_str *out, const struct cd_report_file *file);
/* "0 of section 1 eth0 (left)" */
void cd_inputs_iface(struct cd_str *out, const struct cd_report_iface *iface);
/* Its filter, and what it counted. */
void cd_inputs_counters(struct cd_str *out,
			const struct cd_report_iface *iface);

#endif
