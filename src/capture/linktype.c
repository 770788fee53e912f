#include <pcap/pcap.h>
#include <stdio.h>

#include "capture/capture.h"

/* LINKTYPE_ values (in files) whose DLT_ value (in libpcap) differs, on every
 * system or on this one (pcap-common.c of libpcap has the same table, but
 * exports it only through opened files). */
static const struct {
	uint32_t linktype;
	int dlt;
} differing[] = {
	{100, DLT_ATM_RFC1483}, {101, DLT_RAW},	    {102, DLT_SLIP_BSDOS},
	{103, DLT_PPP_BSDOS},	{106, DLT_ATM_CLIP}, {109, DLT_ENC},
	{246, DLT_PFSYNC},	{258, DLT_PKTAP},
};

const char *cd_linktype_name(uint32_t linktype, char *text, size_t size)
{
	int dlt = linktype <= INT32_MAX ? (int)linktype : -1;
	const char *name;

	for (size_t i = 0; i < sizeof(differing) / sizeof(differing[0]); i++)
		if (differing[i].linktype == linktype)
			dlt = differing[i].dlt;
	name = dlt < 0 ? NULL : pcap_datalink_val_to_name(dlt);
	if (name != NULL)
		return name;
	snprintf(text, size, "linktype-%lu", (unsigned long)linktype);
	return text;
}
