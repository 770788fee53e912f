/* Every key of a scenario. capsim --keys prints these tables. */
#include <stddef.h>

#include "sim/scenario.h"
#include "sim/values.h"

#define LONGEST (UINT64_C(1) << 32)

static const char *const arrivals[] = {"constant", "poisson", "bursts", NULL};
static const char *const fills[] = {"zero", "pattern", "random", NULL};
static const char *const endians[] = {"big", "little", NULL};
static const char *const formats[] = {"pcapng", "pcap", NULL};
static const char *const file_endians[] = {"little", "big", NULL};
static const char *const fcs[] = {"absent", "present", "declared", NULL};
static const char *const edges[] = {"start", "end", NULL};
static const char *const stamps[] = {"software", "hardware", NULL};
static const char *const monotonic[] = {"no", "clamp", "bump", NULL};

#define NOISE "uniform|gauss|exponential DURATION [SHARE] or "                \
	      "pareto DURATION EXPONENT [SHARE]"
#define PICK "SHARE [burst N] or at N[-N],..."
#define WINDOW "TIME for DURATION [every DURATION]"

#define KEY(type, member, name, values, about, parse)                         \
	{name, values, about, parse, offsetof(type, member), false, NULL, 0}
#define COUNT(type, member, name, about, limit)                               \
	{name, "NUMBER", about, cd_value_count, offsetof(type, member),       \
	 false, NULL, limit}
#define WORD(type, member, name, values, about, parse, words)                 \
	{name, values, about, parse, offsetof(type, member), false, words, 0}
#define LIST(type, member, name, values, about, parse)                        \
	{name, values, about, parse, offsetof(type, member), true, NULL, 0}
#define END                                                                   \
	{NULL, NULL, NULL, NULL, 0, false, NULL, 0}

#define T struct cd_scenario
const struct cd_key cd_global_keys[] = {
    KEY(T, about, "about", "TEXT", "what the scenario shows", cd_value_text),
    COUNT(T, seed, "seed", "seed of all random numbers", 0),
    KEY(T, epoch_s, "epoch", "YYYY-MM-DDTHH:MM:SSZ or SECONDS",
	"when it starts", cd_value_epoch),
    KEY(T, link_bps, "link", "RATE", "bit rate of the link, 1Gb/s",
	cd_value_bits),
    END};
#undef T

#define T struct cd_stream_spec
const struct cd_key cd_stream_keys[] = {
    KEY(T, stamp, "stamp", "NAME", "what numbers the packets",
	cd_value_stamp),
    COUNT(T, packets, "packets", "how many are sent", LONGEST),
    KEY(T, first, "first", "NUMBER", "first number", cd_value_number),
    KEY(T, step, "step", "NUMBER", "from one number to the next",
	cd_value_step_size),
    COUNT(T, repeat, "repeat", "packets sent with each number", 15),
    LIST(T, restarts, "restart", "PACKET",
	 "the numbers begin again at this packet", cd_value_restarts),
    KEY(T, skip, "skip", PICK, "numbers that are never sent", cd_value_pick),
    KEY(T, flow, "flow", "NUMBER", "the stamp's flow id, SSRC, ICMP id",
	cd_value_flow),
    KEY(T, at, "at", "frame|l3|l4|udp+N or end-N",
	"field stamp: where it is", cd_value_place),
    COUNT(T, width, "width", "field stamp: bytes, 1 to 8", 8),
    WORD(T, little, "endian", "big|little", "field stamp: byte order",
	 cd_value_either, endians),
    KEY(T, rate_mpps, "rate", "PACKETS", "packets a second, 100kpps",
	cd_value_pace),
    KEY(T, spacing_ps, "spacing", "DURATION", "instead: time between them",
	cd_value_pace),
    KEY(T, load, "load", "SHARE", "instead: share of the link, at L1",
	cd_value_pace),
    WORD(T, arrivals, "arrivals", "constant|poisson|bursts",
	 "how they follow each other", cd_value_word, arrivals),
    COUNT(T, burst, "burst", "packets back to back, with bursts", 1000000),
    LIST(T, jitter, "jitter", NOISE, "how late the generator sends",
	 cd_value_noise),
    KEY(T, begin_ps, "begin", "DURATION", "when the first is sent",
	cd_value_time),
    KEY(T, sizes, "size", "BYTES or imix or BYTES:WEIGHT,...",
	"frame length on the wire, with FCS", cd_value_sizes),
    KEY(T, source, "source", "ADDRESS[:PORT]", "IPv4 or IPv6",
	cd_value_endpoint),
    KEY(T, destination, "destination", "ADDRESS[:PORT]", "IPv4 or IPv6",
	cd_value_endpoint),
    COUNT(T, protocol, "protocol", "IP protocol instead of the stamp's own",
	  255),
    COUNT(T, vlan, "vlan", "VLAN tag, 0 for none", 4094),
    COUNT(T, ttl, "ttl", "time to live or hop limit", 255),
    WORD(T, fill, "fill", "zero|pattern|random", "rest of the payload",
	 cd_value_word, fills),
    KEY(T, reverse, "reverse", "yes|no",
	"sent from destination to source", cd_value_yes),
    KEY(T, ip_id, "ip_id", "yes|no", "IPv4 ID counts, else it is 0",
	cd_value_yes),
    LIST(T, tx_early, "tx_early", NOISE,
	 "how much before the wire the transmit time was taken",
	 cd_value_noise),
    KEY(T, tx_offset_ps, "tx_offset", "DURATION",
	"offset of the generator's clock", cd_value_offset),
    KEY(T, tx_ppm, "tx_ppm", "PPM", "drift of the generator's clock",
	cd_value_ppm),
    END};
#undef T

#define T struct cd_point_spec
const struct cd_key cd_point_keys[] = {
    /* the file */
    WORD(T, pcap, "format", "pcapng|pcap", "file format", cd_value_either,
	 formats),
    KEY(T, gzip, "gzip", "yes|no", "compressed", cd_value_yes),
    WORD(T, big_endian, "byte_order", "little|big", "of the file",
	 cd_value_either, file_endians),
    KEY(T, resolution, "resolution", "us|ns|ps or 10^-N or 2^-N",
	"unit of the time stamps", cd_value_resolution),
    COUNT(T, snaplen, "snaplen", "bytes kept of a frame, 0 for all", 262144),
    WORD(T, fcs, "fcs", "absent|present|declared",
	 "frame check sequences, and whether the file says so",
	 cd_value_word, fcs),
    KEY(T, tagging, "tag", "keep|strip|NUMBER",
	"VLAN tags: as sent, taken off, one added", cd_value_tagging),
    KEY(T, tsoffset_s, "tsoffset", "DURATION",
	"if_tsoffset of pcapng, whole seconds; set where ps need it", cd_value_seconds),
    KEY(T, hardware, "hardware", "TEXT", "pcapng section option",
	cd_value_text),
    KEY(T, os, "os", "TEXT", "pcapng section option", cd_value_text),
    KEY(T, application, "application", "TEXT", "pcapng section option",
	cd_value_text),
    KEY(T, counting, "statistics", "none|honest|NUMBER",
	"interface statistics: drops counted, or made up",
	cd_value_counting),
    KEY(T, run_times, "run_times", "yes|no",
	"statistics hold the start and end of the capture", cd_value_yes),
    KEY(T, drop_counts, "drop_counts", "yes|no",
	"packets after drops hold epb_dropcount", cd_value_yes),
    /* what comes by */
    KEY(T, delay_ps, "delay", "DURATION", "how far down the wire",
	cd_value_length),
    WORD(T, edge_end, "edge", "start|end", "of the frame that is stamped",
	 cd_value_either, edges),
    KEY(T, start_ps, "start", "TIME", "captures from here",
	cd_value_time),
    KEY(T, stop_ps, "stop", "TIME", "captures until here", cd_value_time),
    COUNT(T, head, "head", "first packets of each stream not captured",
	  LONGEST),
    COUNT(T, tail, "tail", "last packets of each stream not captured",
	  LONGEST),
    KEY(T, ignore, "ignore", "STREAM", "not captured", cd_value_text),
    KEY(T, loss, "loss", PICK, "never reach this point", cd_value_pick),
    KEY(T, late, "late", PICK " [by N]", "arrive after N later packets",
	cd_value_pick_by),
    /* interface card to kernel */
    WORD(T, hardware_stamps, "stamps", "software|hardware",
	 "time taken by the kernel or by the card", cd_value_either, stamps),
    KEY(T, coalescing, "coalesce",
	"none or timer DURATION [phase DURATION] or oneshot DURATION",
	"interrupt moderation", cd_value_coalesce),
    COUNT(T, frames, "frames", "rx-frames: interrupt after so many",
	  1000000),
    KEY(T, cost_ps, "cost", "DURATION", "kernel time for each packet",
	cd_value_length),
    COUNT(T, ring, "ring", "slots of the card's ring, 0 for no limit",
	  10000000),
    LIST(T, stalls, "stall", WINDOW, "the kernel does not look",
	 cd_value_window),
    /* kernel to file */
    COUNT(T, buffer, "buffer", "packets in the capture buffer, 0: no limit",
	  10000000),
    KEY(T, drain_mpps, "drain", "PACKETS", "a second that can be written",
	cd_value_rate),
    LIST(T, pauses, "pause", WINDOW, "the program does not write",
	 cd_value_window),
    /* the clock */
    KEY(T, epoch_s, "clock", "YYYY-MM-DDTHH:MM:SSZ or SECONDS",
	"what it shows at time 0, instead of the epoch", cd_value_reading),
    KEY(T, offset_ps, "offset", "DURATION", "at time 0", cd_value_offset),
    KEY(T, ppm, "ppm", "PPM", "drift", cd_value_ppm),
    LIST(T, steps, "step", "DURATION at TIME", "a jump of the clock",
	 cd_value_step),
    LIST(T, slews, "slew", "DURATION at TIME by PPM",
	 "a correction spread out", cd_value_slew),
    KEY(T, wander_ps, "wander", "none or DURATION every DURATION",
	"amplitude and period of a sine", cd_value_wander),
    KEY(T, tick_num_ps, "tick", "none or DURATION or FREQUENCY",
	"the clock's own, 15.625ms or 1024Hz", cd_value_tick),
    KEY(T, through_double, "through_double", "yes|no",
	"stamps went through a double of seconds", cd_value_yes),
    LIST(T, noise, "noise", NOISE, "how late the stamp is taken",
	 cd_value_noise),
    LIST(T, glitches, "glitch", "DURATION at PACKET",
	 "one stamp that is off", cd_value_glitch),
    WORD(T, monotonic, "monotonic", "no|clamp|bump",
	 "stamps never go back: equal, or a unit later", cd_value_word,
	 monotonic),
    /* writer faults */
    KEY(T, corrupt, "corrupt", PICK, "numbers damaged", cd_value_pick),
    KEY(T, duplicate, "duplicate", PICK " [after DURATION]",
	"written twice", cd_value_pick_after),
    KEY(T, swap, "swap", PICK " [by N]",
	"written after N later ones, stamps and all", cd_value_pick_by),
    KEY(T, queues, "queues", "NUMBER [block NUMBER]",
	"receive queues in turn, written in blocks", cd_value_queues),
    END};
