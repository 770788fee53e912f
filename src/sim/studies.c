#include "sim/studies.h"

#include <stddef.h>
#include <string.h>

#define STREAM(LINK)                                                          \
	"link = " LINK "\n"                                                   \
	"[stream]\n"                                                          \
	"stamp = pktgen\n"                                                    \
	"spacing = 1ms\n"

#define APPLIANCE                                                             \
	"[point hw]\n"                                                        \
	"hardware = capture appliance, 8 ns\n"                                \
	"stamps = hardware\n"                                                 \
	"tick = 8ns\n"                                                        \
	"snaplen = 64\n"

#define SOFTWARE                                                              \
	"resolution = us\n"                                                   \
	"monotonic = clamp\n"                                                 \
	"snaplen = 64\n"

/* Four ways of capturing with one host: the same reader with a larger buffer,
 * a reader that does less, and one with a driver of its own. */
static const struct cd_study set_ups = {
    .name = "set-ups",
    .about = "100,000 packets at line rate, four buffers and readers",
    .text = STREAM("1Gb/s"),
    .sizes = {64, 512, 1518},
    .unit = CD_STUDY_LINE,
    .packets = 100000,
    .apart = true,
    .machines = {{.name = "default",
		  .text = SOFTWARE "application = Dumpcap\n",
		  .buffer_bytes = 2000000,
		  .slot_bytes = 100,
		  .read_ns = 4000,
		  .read_ps_per_byte = 10000},
		 {.name = "buffer-100MB",
		  .text = SOFTWARE "application = Dumpcap\n",
		  .buffer_bytes = 100000000,
		  .slot_bytes = 100,
		  .read_ns = 4000,
		  .read_ps_per_byte = 10000},
		 {.name = "command-line",
		  .text = SOFTWARE "application = tcpdump\n",
		  .buffer_bytes = 2000000,
		  .slot_bytes = 100,
		  .read_ns = 1200,
		  .read_ps_per_byte = 3000},
		 {.name = "vendor",
		  .text = SOFTWARE "application = vendor\n",
		  .buffer_bytes = 32000000,
		  .slot_bytes = 16,
		  .read_ns = 450,
		  .read_ps_per_byte = 500}}};

/* A reader that needs as long for every packet, and the same one faster. */
static const struct cd_study first_drop = {
    .name = "first-drop",
    .about = "rising rate until two set-ups drop their first packet",
    .text = STREAM("1Gb/s") APPLIANCE,
    .sizes = {64},
    .unit = CD_STUDY_MBPS,
    .rates = {10, 20, 30, 40, 50, 60, 80, 100, 120, 150},
    .packets = 20000,
    .machines = {{.name = "default",
		  .text = SOFTWARE "application = Dumpcap\noffset = 3ms\n",
		  .buffer_bytes = 2000000,
		  .slot_bytes = 960,
		  .read_ns = 22700,
		  .noise_ps = 3000000},
		 {.name = "tuned",
		  .text = SOFTWARE "application = Dumpcap\noffset = 3ms\n",
		  .buffer_bytes = 4000000,
		  .slot_bytes = 960,
		  .read_ns = 7700,
		  .noise_ps = 3000000}}};

/* The laptop's disk makes its reader wait, so that bytes decide what is lost,
 * in gaps of up to 20 ms; its stamps are late by what copying a frame takes. */
static const struct cd_study two_points = {
    .name = "two-points",
    .about = "appliance and laptop, IP protocol 99, 10 to 1000 Mb/s",
    .text = "link = 1Gb/s\n"
	    "[stream]\n"
	    "stamp = field\n"
	    "at = l4+0\n"
	    "width = 4\n"
	    "protocol = 99\n"
	    "fill = pattern\n"
	    "spacing = 1ms\n" APPLIANCE,
    .sizes = {100, 512, 1518},
    .unit = CD_STUDY_MBPS,
    .rates = {10, 25, 50, 100, 250, 500, 1000},
    .packets = 20000,
    .least_ms = 60,
    .machines = {{.name = "laptop",
		  .text = SOFTWARE "hardware = laptop\n"
				   "application = Dumpcap\n"
				   "offset = 1.3ms\n"
				   "ppm = 12\n"
				   "coalesce = oneshot 60us\n",
		  .buffer_bytes = 1500000,
		  .slot_bytes = 20,
		  .read_ns = 80,
		  .read_ps_per_byte = 4000,
		  .noise_ps_per_byte = 7500,
		  .pause_us = 32000,
		  .pause_at_us = 10000,
		  .pause_every_us = 500000}}};

/* The guest is not run for a while and its ring overflows: packets decide, not
 * bytes, and no rate is slow enough for its stamps. */
static const struct cd_study vm_guest = {
    .name = "vm-guest",
    .about = "virtual machine against its host, losses per 10,000 packets",
    .text = STREAM("1Gb/s") "[point host]\n"
			    "hardware = host\n"
			    "noise = exponential 100ns\n"
			    "monotonic = clamp\n"
			    "snaplen = 64\n",
    .sizes = {64, 512, 1518},
    .unit = CD_STUDY_KPPS,
    .rates = {1, 2, 5, 10, 20, 50},
    .packets = 10000,
    .machines = {{.name = "guest",
		  .text = SOFTWARE "hardware = virtual machine\n"
				   "offset = 12ms\n"
				   "ppm = 47.3\n",
		  .noise_ps = 2000000,
		  .ring = 256,
		  .stall_us = 20000,
		  .stall_at_us = 100000,
		  .stall_every_us = 200000}}};

/* No reference could be written down in a file of this size: the numbers say
 * what was sent. */
static const struct cd_study line_10g = {
    .name = "line-10g",
    .about = "14.88 million packets a second at one server, second by second",
    .text = STREAM("10Gb/s"),
    .sizes = {64},
    .unit = CD_STUDY_LINE,
    .packets = 1,
    .least_ms = 3000,
    .interval_ms = 1000,
    .apart = true,
    .machines = {{.name = "sniffer",
		  .text = "hardware = server\n"
			  "application = tcpdump\n"
			  "resolution = ns\n"
			  "gzip = yes\n"
			  "monotonic = clamp\n"
			  "snaplen = 64\n"
			  "coalesce = oneshot 50us\n"
			  "frames = 64\n"
			  "cost = 60ns\n",
		  .buffer_bytes = 64000000,
		  .slot_bytes = 64,
		  .read_ns = 800,
		  .noise_ps = 200000,
		  .pause_us = 200000,
		  .pause_at_us = 1500000,
		  .pause_every_us = 1000000,
		  .ring = 4096}}};

const struct cd_study *const cd_studies[] = {
    &set_ups, &first_drop, &two_points, &vm_guest, &line_10g, NULL};

const struct cd_study *cd_study_find(const char *name)
{
	for (const struct cd_study *const *s = cd_studies; *s != NULL; s++)
		if (strcmp((*s)->name, name) == 0)
			return *s;
	return NULL;
}
