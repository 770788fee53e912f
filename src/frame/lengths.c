/* Which bytes of the record are the IP packet, padding, frame check sequence.
 */
#include "frame/peel.h"

#define ETHERNET_MIN 60u /* shortest frame without FCS, IEEE 802.3 */

/*
 * Nobody said whether the FCS is in the record. Four bytes behind a packet
 * that needs no padding can be nothing else; behind a padded one they make the
 * frame longer than padding would, and are not zero as padding is. Frames with
 * tags, labels or other headers put in are padded to 60 bytes or to 60 without
 * those.
 */
static bool fcs_follows(const struct cd_frame *frame, uint32_t wire,
			uint32_t end)
{
	uint32_t inserted = (uint32_t)(frame->l3 - frame->data) - 14;
	uint32_t without;

	if (wire < end || wire - end < 4)
		return false;
	without = wire - 4;
	if (without == end && end >= ETHERNET_MIN + inserted)
		return true;
	if (without != ETHERNET_MIN && without != ETHERNET_MIN + inserted &&
	    (without != end || end < ETHERNET_MIN))
		return false;
	return frame->caplen >= wire && cd_be32(frame->data + without) != 0;
}

void cd_peel_settle(struct cd_frame *frame, uint32_t linktype,
		    uint8_t fcs_bytes, uint32_t wire, uint32_t end)
{
	uint32_t fcs = 0;

	/* what the record says of its length is wrong if more was captured */
	if (wire < end && frame->caplen > wire)
		wire = frame->caplen;
	if (fcs_bytes != 0xff) {
		/* some writers declare an FCS that is not in the record */
		if (wire >= end && wire - end >= fcs_bytes)
			fcs = fcs_bytes;
	} else if (linktype == CD_LINK_ETHERNET &&
		   fcs_follows(frame, wire, end)) {
		fcs = 4;
	}
	frame->frame_bytes = wire - fcs;
	if (fcs != 0 && frame->caplen > frame->frame_bytes)
		frame->flags |= CD_FRAME_FCS;
	/* cut by a tool that forgot the original length: the header knows it */
	if (frame->frame_bytes < end)
		frame->frame_bytes = end;
	frame->padding_bytes = frame->frame_bytes - end;
}

void cd_peel_no_ip(struct cd_peel *peel, uint32_t origlen)
{
	struct cd_frame *frame = peel->frame;
	uint32_t fcs = peel->fcs_bytes == 0xff ? 0 : peel->fcs_bytes;

	frame->frame_bytes = origlen == 0 ? frame->caplen : origlen;
	if (fcs == 0 || frame->frame_bytes < fcs)
		return;
	frame->frame_bytes -= fcs;
	if (frame->caplen > frame->frame_bytes)
		frame->flags |= CD_FRAME_FCS;
}

bool cd_peel_enter_ip(struct cd_peel *peel, uint32_t bytes)
{
	uint32_t offset = cd_peel_offset(peel), end;

	end = bytes > UINT32_MAX - offset ? UINT32_MAX : offset + bytes;
	peel->frame->ip_bytes = bytes;
	if (!peel->in_ip) {
		cd_peel_settle(peel->frame, peel->linktype, peel->fcs_bytes,
			       peel->wire_end, end);
	} else if (end > peel->wire_end && !peel->shortened) {
		/* the rest is in other fragments, or in no length field */
		if ((peel->frame->flags &
		     (CD_FRAME_FRAGMENT | CD_FRAME_LENGTH_0)) == 0)
			return false;
		end = peel->wire_end;
	}
	peel->in_ip = true;
	peel->wire_end = end;
	if (cd_peel_left(peel) > bytes)
		peel->end = peel->at + bytes;
	return true;
}

void cd_peel_enter_ip_unsized(struct cd_peel *peel)
{
	struct cd_frame *frame = peel->frame;

	frame->flags |= CD_FRAME_LENGTH_0;
	if (!peel->in_ip) {
		if (peel->wire_end < frame->caplen)
			peel->wire_end = frame->caplen;
		cd_peel_no_ip(peel, peel->wire_end);
		/* an FCS that leaves room for the packet */
		if (frame->frame_bytes > cd_peel_offset(peel) + 40)
			peel->wire_end = frame->frame_bytes;
		if (frame->caplen > peel->wire_end)
			peel->end = frame->data + peel->wire_end;
	}
	peel->in_ip = true;
	frame->ip_bytes = cd_peel_wire_left(peel);
}
