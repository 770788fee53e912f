/* A packet on the wire of a simulation. */
#ifndef CAPDIFF_SIM_PACKET_H
#define CAPDIFF_SIM_PACKET_H

#include <stdint.h>

struct cd_packet {
	int64_t wire_ps; /* its first bit passes the start of the wire */
	int64_t tx_ps;	 /* when the generator says it sent it */
	uint64_t index;	 /* number sent so far in its stream: 0, 1, .. */
	uint32_t stream;
	uint32_t size;	 /* on the wire, with FCS */
};

#define CD_FCS_BYTES 4u
#define CD_L1_OVERHEAD 20u /* preamble 8, gap 12 */

#endif
