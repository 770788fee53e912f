#include "capture/pcapng_private.h"

/* Enhanced packets, little endian, without options, in the second of the last
 * one. */
size_t pcapng_burst(const struct cd_capture *capture, struct cd_burst *burst,
		    int64_t *time_ps, size_t most)
{
	const struct pcapng *p = capture->state;
	const struct port *port = &p->ports[burst->iface];
	const uint8_t *b = capture->input->cur;
	uint64_t lengths = (uint64_t)burst->origlen << 32 | burst->caplen;
	size_t n, stride = PACKET_HEAD + 4 + pad4(burst->caplen);
	uint64_t type = (uint64_t)stride << 32 | ENHANCED_PACKET;
	int64_t second_ps;

	if (!p->little || burst->iface < p->first ||
	    burst->caplen > port->limit ||
	    !is_burst_time(port->clock.second, burst->base_s))
		return 0;
	second_ps = (port->clock.second - burst->base_s) * CD_PS_PER_S;
	burst->data = b + PACKET_HEAD;
	burst->stride = stride;
	most = count_readable((size_t)(capture->input->end - b), PACKET_HEAD,
			      stride, most);
	for (n = 0; n < most; n++, b += stride) {
		uint64_t ticks = (uint64_t)cd_le32(b + 12) << 32 |
				 cd_le32(b + 16);
		uint64_t rest = ticks - port->clock.first;

		if (CD_UNLIKELY(cd_le64(b) != type ||
				cd_le64(b + 20) != lengths ||
				cd_le32(b + stride - 4) != stride ||
				cd_le32(b + 8) != burst->iface - p->first ||
				rest >= port->clock.per_second))
			break;
		prefetch(b);
		time_ps[n] = second_ps + (int64_t)rest * port->clock.tick_ps;
	}
	return n;
}
