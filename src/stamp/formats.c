#include <inttypes.h>

#include "stamp/formats.h"

/* In this order they are listed and tried. */
const struct cd_stamp_format *const cd_stamp_formats[] = {
    &cd_stamp_pktgen,	&cd_stamp_iperf2,
    &cd_stamp_iperf3,	&cd_stamp_mgen,
    &cd_stamp_sockperf, &cd_stamp_ditg,
    &cd_stamp_rtp,	&cd_stamp_ping,
    &cd_stamp_field,	NULL,
};

/* Whichever width iperf3 counts in, the lower 32 bits do until it is known. */
unsigned cd_stamp_bits(const struct cd_stamp_spec *spec)
{
	if (spec->format->bits != 0)
		return spec->format->bits;
	return spec->width == 0 ? 32 : spec->width * 8u;
}

void cd_stamp_title(const struct cd_stamp_spec *spec, struct cd_str *out)
{
	cd_str_add(out, spec->format->title);
	if (spec->format != &cd_stamp_field)
		return;
	cd_str_add(out, " at ");
	spec->format->where(spec, out);
	cd_str_addf(out, ", %u byte%s %s endian, step %" PRId64, spec->width,
		    spec->width == 1 ? "" : "s",
		    spec->little ? "little" : "big", spec->step);
	if (spec->shared)
		cd_str_add(out, ", one counter over all flows");
}

static bool is_service_port(uint16_t port)
{
	switch (port) {
	case 53: /* DNS */
	case 67: /* DHCP */
	case 68:
	case 123: /* NTP */
	case 137: /* NetBIOS */
	case 138:
	case 161: /* SNMP */
	case 162:
	case 546: /* DHCPv6 */
	case 547:
	case 1900: /* SSDP */
	case 5353: /* mDNS */
	case 5355: /* LLMNR */
		return true;
	default:
		return false;
	}
}

bool cd_stamp_is_service(const struct cd_frame *frame)
{
	return is_service_port(frame->src_port) ||
	       is_service_port(frame->dst_port);
}
