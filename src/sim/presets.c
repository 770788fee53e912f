#include "sim/presets.h"

#include <stddef.h>
#include <string.h>

/* The reference of every preset: an appliance with 8 ns stamps. */
#define HARDWARE                                                              \
	"[point hw]\n"                                                        \
	"hardware = capture appliance, 8 ns\n"                                \
	"stamps = hardware\n"                                                 \
	"resolution = ns\n"                                                   \
	"tick = 8ns\n"                                                        \
	"\n"

static const char laptop_1g[] =
    "# A laptop beside a hardware appliance: complete up to rates far above\n"
    "# those at which its time stamps mean anything.\n"
    "# Try rate=1kpps, rate=10kpps, rate=400kpps.\n"
    "about = laptop with interrupt moderation on a 1 Gb/s tap\n"
    "link = 1Gb/s\n"
    "\n"
    "[stream]\n"
    "stamp = pktgen\n"
    "packets = 200k\n"
    "rate = 100kpps\n"
    "size = 64\n"
    "\n"
    HARDWARE
    "[point laptop]\n"
    "hardware = laptop\n"
    "application = Dumpcap\n"
    "resolution = us\n"
    "offset = 1.3ms\n"
    "ppm = 12\n"
    "coalesce = oneshot 125us\n"
    "cost = 600ns\n"
    "noise = exponential 3us\n"
    "monotonic = clamp\n"
    "ring = 256\n"
    "buffer = 4096\n"
    "drain = 180kpps\n";

static const char hardware_tap[] =
    "# Two appliances on the same tap: nothing is missing, and the time\n"
    "# stamps differ by their ticks and the drift of two good clocks.\n"
    "about = two hardware appliances on a 1 Gb/s tap\n"
    "link = 1Gb/s\n"
    "\n"
    "[stream]\n"
    "stamp = pktgen\n"
    "packets = 200k\n"
    "load = 50%\n"
    "size = imix\n"
    "\n"
    HARDWARE
    "[point tap]\n"
    "hardware = portable tap, 8 ns\n"
    "stamps = hardware\n"
    "resolution = ns\n"
    "tick = 8ns\n"
    "delay = 12ns\n"
    "offset = -0.4ms\n"
    "ppm = -1.7\n"
    "noise = uniform 8ns\n"
    "fcs = declared\n";

static const char vm_guest[] =
    "# A guest on a busy host: it is not run for 20 ms every 2 s, and a\n"
    "# time service corrects its poor clock now and then.\n"
    "about = virtual machine with stalls and a stepped clock\n"
    "link = 1Gb/s\n"
    "\n"
    "[stream]\n"
    "stamp = iperf2\n"
    "packets = 200k\n"
    "rate = 20kpps\n"
    "size = 512\n"
    "arrivals = poisson\n"
    "\n"
    HARDWARE
    "[point vm]\n"
    "hardware = virtual machine\n"
    "resolution = us\n"
    "offset = 12ms\n"
    "ppm = 47.3\n"
    "step = -2ms at 4s\n"
    "slew = 0.5ms at 7s by 500\n"
    "coalesce = timer 250us\n"
    "cost = 1us\n"
    "noise = exponential 20us\n"
    "noise = pareto 200us 2 1%\n"
    "monotonic = clamp\n"
    "stall = 1.1s for 20ms every 2s\n"
    "ring = 256\n"
    "statistics = 0\n";

static const char sniffer_10g[] =
    "# A server that sniffs 10 Gb/s: the kernel takes 64 packets at a time,\n"
    "# and the disk does not keep up with bursts.\n"
    "about = software sniffer on a 10 Gb/s link\n"
    "link = 10Gb/s\n"
    "\n"
    "[stream]\n"
    "stamp = pktgen\n"
    "packets = 500k\n"
    "load = 40%\n"
    "size = imix\n"
    "arrivals = bursts\n"
    "burst = 200\n"
    "\n"
    "[point hw]\n"
    "hardware = capture appliance, 1 ns\n"
    "stamps = hardware\n"
    "resolution = ns\n"
    "\n"
    "[point sniffer]\n"
    "hardware = server\n"
    "application = tcpdump\n"
    "resolution = ns\n"
    "offset = 35us\n"
    "ppm = -8.5\n"
    "coalesce = oneshot 50us\n"
    "frames = 64\n"
    "cost = 120ns\n"
    "noise = exponential 200ns\n"
    "monotonic = clamp\n"
    "ring = 4096\n"
    "buffer = 30000\n"
    "drain = 1.2Mpps\n"
    "pause = 60ms for 15ms every 100ms\n";

const struct cd_preset cd_presets[] = {{"laptop-1g", laptop_1g},
				       {"hardware-tap", hardware_tap},
				       {"vm-guest", vm_guest},
				       {"sniffer-10g", sniffer_10g},
				       {NULL, NULL}};

const struct cd_preset *cd_preset_find(const char *name)
{
	for (const struct cd_preset *p = cd_presets; p->name != NULL; p++)
		if (strcmp(p->name, name) == 0)
			return p;
	return NULL;
}
