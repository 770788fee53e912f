#include "base/bytes.h"
#include "frame/frame.h"

static const char *const names[CD_ENCAPS] = {
    "VLAN tag",
    "service VLAN tag",
    "802.1ah tag",
    "MPLS labels",
    "pseudowire",
    "PPPoE header",
    "IP in IP header",
    "GRE header",
    "ERSPAN header",
    "VXLAN header",
    "GENEVE header",
    "GTP header",
    "Arista time stamp header",
    "Gigamon header",
};

const char *cd_encap_name(unsigned encap)
{
	unsigned i = 0;

	while (i + 1 < CD_ENCAPS && (encap >> i & 1) == 0)
		i++;
	return names[i];
}
