/* Frames that the simulator writes: stamps, headers, check sequences, tags;
 * and time stamps that follow the closed forms of METRICS 3.7. */
#include "simfile.h"

#include <math.h>

#include "sim/stamper.h"

#define FOLDER "/tmp/capdiff-sim-XXXXXX"
#define EPOCH 1767225600

/* ---- stamps ---- */

/* Where a format has its number and what else it must hold. Offsets from the
 * UDP payload, or from the end if negative. */
struct layout {
	const char *stamp;
	int at, width;
	bool little;
	uint64_t first;
	/* a constant of the format */
	int magic_at, magic_width;
	uint64_t magic;
	/* seconds since 1970 and microseconds, 32 bits each; 0: none */
	int seconds_at;
};

static const struct layout layouts[] = {
    {"pktgen", 4, 4, false, 1, 0, 4, 0xbe9be955, 8},
    {"iperf2", 0, 4, false, 0, 16, 4, 0x08000000, 4},
    {"iperf2-32", 0, 4, false, 0, 12, 4, 0, 4},
    {"iperf3", 8, 4, false, 1, 0, 2, 0, 0},
    {"iperf3-64", 8, 8, false, 1, 0, 2, 0, 0},
    {"mgen", 8, 4, false, 0, 0, 4, (1024 - 46) << 16 | 0x0208, 12},
    {"sockperf", 0, 8, false, 1, 8, 6, UINT64_C(1) << 32 | (1024 - 46), 0},
    {"ditg", 4, 4, false, 1, 0, 4, 1, 0},
    {"rude", 0, 4, false, 0, 12, 4, 1, 4},
    {"rtp", 2, 2, false, 0, 0, 2, 0x8060, 0},
    {"trex", -12, 4, true, 0xfffffffe, -16, 2, 0xab02, 0},
    {"owamp", 0, 4, false, 0, 4, 4, EPOCH + UINT64_C(2208988800), 0},
    {"pktgen-dpdk", 10, 4, true, 0, 6, 4, 0xfeca0df0, 0},
    {"moonsniff", 0, 4, true, 0, 4, 1, 0x55, 0},
    {"nanoping", 0, 8, true, 1, 8, 1, 4, 0},
    {"field", 0, 4, false, 0, 4, 4, 0, 0},
};

static const uint8_t *place(const struct sim_row *row, int at)
{
	return at < 0 ? row->data + row->caplen + at : row->data + 42 + at;
}

static void check_stamp(const struct layout *l)
{
	char dir[] = FOLDER, text[256];
	struct sim_capture c;
	uint64_t mask = l->width == 8 ? UINT64_MAX
				      : (UINT64_C(1) << l->width * 8) - 1;

	snprintf(text, sizeof(text),
		 "[stream]\nstamp = %s\nrate = 10kpps\npackets = 300\n"
		 "size = 1024\n[point a]\n", l->stamp);
	run_text(text, "", dir);
	c = sim_read(dir, "a.pcapng");
	cr_assert_eq(c.n, 300);
	for (uint64_t i = 0; i < c.n; i++) {
		const uint8_t *p = place(&c.rows[i], l->at);
		uint64_t number = l->little ? cd_le_n(p, (unsigned)l->width)
					    : cd_be_n(p, (unsigned)l->width);

		cr_assert_eq(number, (l->first + i) & mask, "%s: %llu",
			     l->stamp, (unsigned long long)number);
		p = place(&c.rows[i], l->magic_at);
		cr_assert_eq(cd_be_n(p, (unsigned)l->magic_width), l->magic,
			     "%s", l->stamp);
		if (l->seconds_at == 0)
			continue;
		p = place(&c.rows[i], l->seconds_at);
		cr_assert_eq(cd_be32(p), EPOCH, "%s", l->stamp);
		cr_assert_eq(cd_be32(p + 4), i * 100, "%s", l->stamp);
	}
	sim_release(&c);
	remove_folder(dir);
}

Test(stamps, every_layout)
{
	size_t n = sizeof(layouts) / sizeof(layouts[0]), tested = 0;

	for (size_t i = 0; i < n; i++)
		check_stamp(&layouts[i]);
	/* a new stamper needs its line above (none and ping: below) */
	for (const struct cd_stamper *s = cd_stampers; s->name != NULL; s++) {
		bool found = strcmp(s->name, "none") == 0 ||
			     strcmp(s->name, "ping") == 0;

		for (size_t i = 0; i < n; i++)
			found = found || strcmp(layouts[i].stamp, s->name) == 0;
		cr_assert(found, "%s is not tested", s->name);
		tested++;
	}
	cr_assert_eq(tested, n + 2);
}

Test(stamps, a_field_anywhere)
{
	char dir[] = FOLDER;
	struct sim_capture c;

	run_text("[stream]\nstamp = field\nat = end-7\nwidth = 3\n"
		 "endian = little\nstep = -2\nfirst = 100\nrate = 1kpps\n"
		 "packets = 100\nprotocol = 99\nsize = 128\nfill = pattern\n"
		 "[point a]\n", "", dir);
	c = sim_read(dir, "a.pcapng");
	for (uint32_t i = 0; i < c.n; i++) {
		const uint8_t *d = c.rows[i].data;

		cr_assert_eq(cd_le_n(d + 124 - 7, 3), (100 - 2 * i) & 0xffffff);
		cr_assert_eq(d[23], 99);
		cr_assert_eq(d[34], 0); /* the pattern begins behind IP */
		cr_assert_eq(d[35], 1);
	}
	sim_release(&c);
	remove_folder(dir);
}

Test(stamps, repeats_and_restarts)
{
	char dir[] = FOLDER, dir2[] = FOLDER;
	struct sim_capture c;

	run_text("[stream]\nrate = 1kpps\npackets = 10\nrepeat = 3\n"
		 "[point a]\n", "", dir);
	c = sim_read(dir, "a.pcapng");
	for (uint32_t i = 0; i < c.n; i++)
		cr_assert_eq(cd_be32(c.rows[i].data + 46), 1 + i / 3);
	sim_release(&c);
	run_text("[stream]\nrate = 1kpps\npackets = 10\nrestart = 4\n"
		 "restart = 6\n[point a]\n", "", dir2);
	c = sim_read(dir2, "a.pcapng");
	for (uint32_t i = 0; i < c.n; i++)
		cr_assert_eq(cd_be32(c.rows[i].data + 46),
			     1 + i - (i < 4 ? 0 : i < 6 ? 4 : 6));
	sim_release(&c);
	remove_folder(dir);
	remove_folder(dir2);
}

/* ---- headers and check sums ---- */

/* RFC 1071: with its check sum in place, data sums to 0xffff. */
static uint32_t add_up(const uint8_t *p, size_t n, uint32_t sum)
{
	for (size_t i = 0; i < n; i++)
		sum += i % 2 == 0 ? (uint32_t)p[i] << 8 : p[i];
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

static void check_ipv4(const uint8_t *ip, size_t left, uint8_t protocol)
{
	cr_assert_eq(ip[0], 0x45);
	cr_assert_eq(cd_be16(ip + 2), left);
	cr_assert_eq(ip[9], protocol);
	cr_assert_eq(add_up(ip, 20, 0), 0xffff);
}

Test(frames, ping_both_ways)
{
	char dir[] = FOLDER;
	struct sim_capture c;
	unsigned seen[2] = {0, 0};

	run_text("[stream there]\nstamp = ping\nflow = 4711\nrate = 1kpps\n"
		 "packets = 50\nsize = 102\n[stream back]\nstamp = ping\n"
		 "flow = 4711\nreverse = yes\nbegin = 30us\nrate = 1kpps\n"
		 "packets = 50\nsize = 102\n[point a]\n", "", dir);
	c = sim_read(dir, "a.pcapng");
	cr_assert_eq(c.n, 100);
	for (size_t i = 0; i < c.n; i++) {
		const uint8_t *ip = c.rows[i].data + 14;
		bool reply = i % 2 == 1;

		check_ipv4(ip, 84, 1);
		cr_assert_eq(ip[20], reply ? 0 : 8);
		cr_assert_eq(add_up(ip + 20, 64, 0), 0xffff);
		cr_assert_eq(cd_be16(ip + 24), 4711);
		cr_assert_eq(cd_be16(ip + 26), ++seen[reply]);
		cr_assert_eq(cd_be32(ip + 12), reply ? 0x0a000002 : 0x0a000001);
		cr_assert_eq(cd_le64(ip + 28), EPOCH);
		cr_assert_eq(cd_le64(ip + 36),
			     (seen[reply] - 1) * 1000 + (reply ? 30 : 0));
	}
	sim_release(&c);
	remove_folder(dir);
}

Test(frames, ipv6_has_udp_checksums)
{
	char dir[] = FOLDER;
	struct sim_capture c;

	run_text("[stream]\nrate = 1kpps\npackets = 500\nsize = 101\n"
		 "fill = random\nsource = [fd00::1]:4000\n"
		 "destination = fd00::2\n[point a]\n", "", dir);
	c = sim_read(dir, "a.pcapng");
	for (uint32_t i = 0; i < c.n; i++) {
		const uint8_t *ip = c.rows[i].data + 14;

		cr_assert_eq(cd_be16(ip - 2), 0x86dd);
		cr_assert_eq(cd_be16(ip + 4), 101 - 4 - 14 - 40);
		cr_assert_eq(cd_be16(ip + 40), 4000);
		cr_assert_eq(cd_be16(ip + 42), 9);
		cr_assert_eq(add_up(ip + 40, 43, add_up(ip + 8, 32, 17 + 43)),
			     0xffff);
		cr_assert_eq(cd_be32(ip + 52), 1 + i);
	}
	sim_release(&c);
	remove_folder(dir);
}

Test(frames, tags_and_check_sequences)
{
	static const char text[] =
	    "[stream]\nrate = 1kpps\npackets = 200\nsize = 70:7,594:4,1518:1\nvlan = 100\n"
	    "fill = random\n[point keep]\nfcs = present\nformat = pcap\n"
	    "[point strip]\ntag = strip\nsnaplen = 80\n"
	    "[point add]\ntag = 200\nfcs = declared\ngzip = yes\n";
	char dir[] = FOLDER;
	struct sim_capture keep, strip, add;

	run_text(text, "", dir);
	keep = sim_read(dir, "keep.pcap");
	strip = sim_read(dir, "strip.pcapng");
	add = sim_read(dir, "add.pcapng.gz");
	cr_assert_eq(keep.fcslen, 0xff);
	cr_assert_eq(add.fcslen, 4);
	cr_assert_eq(strip.snaplen, 80);
	for (size_t i = 0; i < keep.n; i++) {
		const struct sim_row *k = &keep.rows[i], *s = &strip.rows[i];
		const struct sim_row *a = &add.rows[i];

		/* IEEE 802.3: frame and FCS leave this residue */
		cr_assert_eq(crc32(0, k->data, k->caplen), 0x2144df1c);
		cr_assert_eq(crc32(0, a->data, a->caplen), 0x2144df1c);
		cr_assert_eq(a->origlen, k->origlen + 4);
		cr_assert_eq(s->origlen, k->origlen - 8);
		cr_assert_eq(s->caplen, s->origlen < 80 ? s->origlen : 80);
		cr_assert_eq(cd_be32(k->data + 12), 0x81000064);
		cr_assert_eq(cd_be32(a->data + 12), 0x810000c8);
		cr_assert_eq(cd_be32(a->data + 16), 0x81000064);
		cr_assert_eq(cd_be16(s->data + 12), 0x0800);
		cr_assert_eq(memcmp(s->data, k->data, 12), 0);
		cr_assert_eq(memcmp(s->data + 14, k->data + 18,
				    s->caplen - 14), 0);
		cr_assert_eq(memcmp(a->data + 16, k->data + 12,
				    k->caplen - 16), 0);
	}
	sim_release(&keep);
	sim_release(&strip);
	sim_release(&add);
	remove_folder(dir);
}

Test(frames, resolutions_hold_the_same_time)
{
	static const char text[] =
	    "[stream]\nrate = 3kpps\npackets = 500\n[point ns]\n"
	    "[point us]\nresolution = us\nformat = pcap\nbyte_order = big\n"
	    "[point ps]\nresolution = ps\n[point bin]\nresolution = 2^-32\n"
	    "tsoffset = -86400s\nbyte_order = big\n";
	char dir[] = FOLDER;
	struct sim_capture ns, us, ps, bin;

	run_text(text, "", dir);
	ns = sim_read(dir, "ns.pcapng");
	us = sim_read(dir, "us.pcap");
	ps = sim_read(dir, "ps.pcapng");
	bin = sim_read(dir, "bin.pcapng");
	cr_assert_eq(ps.tsoffset, EPOCH - 86400);
	cr_assert_eq(bin.tsresol, 0x80 | 32);
	for (int64_t i = 0; i < 500; i++) {
		int64_t t = i * INT64_C(1000000000000000) / 3000000;

		cr_assert_eq(sim_ps(&ps.rows[i]), t);
		cr_assert_eq(sim_ps(&ns.rows[i]), t / 1000 * 1000);
		cr_assert_eq(sim_ps(&us.rows[i]), t / 1000000 * 1000000);
		cr_assert(t - sim_ps(&bin.rows[i]) >= 0 &&
			  t - sim_ps(&bin.rows[i]) <= 233);
	}
	sim_release(&ns);
	sim_release(&us);
	sim_release(&ps);
	sim_release(&bin);
	remove_folder(dir);
}

/* ---- arrivals ---- */

Test(wire, carries_one_frame_at_a_time)
{
	char dir[] = FOLDER;
	struct sim_capture c;
	double sum = 0;

	run_text("[stream]\nload = 60%\nsize = imix\narrivals = poisson\n"
		 "packets = 50000\n[point a]\nresolution = ps\n", "", dir);
	c = sim_read(dir, "a.pcapng");
	for (size_t i = 1; i < c.n; i++) {
		int64_t gap = sim_ps(&c.rows[i]) - sim_ps(&c.rows[i - 1]);
		int64_t least = (c.rows[i - 1].origlen + 24) * INT64_C(8000);

		cr_assert_geq(gap, least);
		sum += (double)least;
	}
	/* the link is 60 % busy; sd of the busy time of n frames of an IMIX
	 * with exponential gaps is below sqrt(2 n) mean frames */
	cr_assert_float_eq(sum / (double)sim_ps(&c.rows[c.n - 1]), 0.6,
			   0.6 * 5 * sqrt(2.0 / 50000));
	sim_release(&c);
	remove_folder(dir);
}

Test(wire, bursts_keep_the_mean_rate)
{
	char dir[] = FOLDER;
	struct sim_capture c;

	run_text("[stream]\nrate = 100kpps\narrivals = bursts\nburst = 20\n"
		 "packets = 2000\n[point a]\n", "", dir);
	c = sim_read(dir, "a.pcapng");
	for (int64_t i = 0; i < 2000; i++)
		cr_assert_eq(sim_ps(&c.rows[i]),
			     i / 20 * INT64_C(200000000) + i % 20 * 672000);
	sim_release(&c);
	remove_folder(dir);
}

/* ---- METRICS 3.7, from the files ---- */

struct forms {
	double sd, rms, mean_abs, share, zero; /* ns; I is share */
};

static struct forms measure(const char *keys, const char *spacing,
			    unsigned packets)
{
	char dir[] = FOLDER, text[512];
	struct sim_capture ref, dut;
	double n = 0, sum = 0, squares = 0, eps = 0, eps2 = 0, spans = 0;
	double zero = 0, before = 0;
	struct forms f;

	snprintf(text, sizeof(text),
		 "[stream]\nspacing = %s\npackets = %u\n[point ref]\n"
		 "resolution = ps\n[point dut]\nresolution = ps\n%s", spacing,
		 packets, keys);
	run_text(text, "", dir);
	ref = sim_read(dir, "ref.pcapng");
	dut = sim_read(dir, "dut.pcapng");
	cr_assert_eq(ref.n, dut.n);
	for (size_t i = 0; i < ref.n; i++) {
		double r = (double)(sim_ps(&dut.rows[i]) -
				    sim_ps(&ref.rows[i])) / 1000;

		sum += r;
		squares += r * r;
		n++;
		if (i > 0) {
			double e = r - before;
			int64_t d = sim_ps(&dut.rows[i]) -
				    sim_ps(&dut.rows[i - 1]);
			int64_t t = sim_ps(&ref.rows[i]) -
				    sim_ps(&ref.rows[i - 1]);

			eps += fabs(e);
			eps2 += e * e;
			spans += (double)(d + t) / 1000;
			zero += d == 0;
		}
		before = r;
	}
	f.sd = sqrt(squares / n - sum / n * (sum / n));
	f.rms = sqrt(eps2 / (n - 1));
	f.mean_abs = eps / (n - 1);
	f.share = eps / spans;
	f.zero = zero / (n - 1);
	sim_release(&ref);
	sim_release(&dut);
	remove_folder(dir);
	return f;
}

#define CLOSE(got, want, relative)                                            \
	cr_assert_float_eq(got, want, (relative) * (want) + 1e-9,             \
			   #got ": %.6g, not %.6g", (double)(got),            \
			   (double)(want))

/* M1, and a clock tick of the same length. Delta < P and Delta > P. */
Test(forms, free_running_timer)
{
	static const struct {
		const char *spacing;
		double delta;
	} cases[] = {{"12.3456us", 12345.6}, {"337.7777us", 337777.7}};
	const double period = 125000;

	for (int i = 0; i < 4; i++) {
		double delta = cases[i / 2].delta;
		double part = fmod(delta / period, 1);
		struct forms f = measure(
		    i % 2 ? "tick = 125us\n" : "coalesce = timer 125us\n",
		    cases[i / 2].spacing, 100000);

		CLOSE(f.sd, period / sqrt(12), 1e-3);
		CLOSE(f.rms, period * sqrt(part * (1 - part)), 1e-3);
		CLOSE(f.mean_abs, 2 * period * part * (1 - part), 1e-3);
		CLOSE(f.share, period * part * (1 - part) / delta, 1e-3);
		CLOSE(f.zero, delta < period ? 1 - delta / period : 0, 1e-3);
	}
}

/* M2: N = floor(P / Delta) + 1; exact but for the last, broken batch. */
Test(forms, oneshot_timer)
{
	const double delta = 12345.6, n = 11;
	struct forms f = measure("coalesce = oneshot 125us\n", "12.3456us",
				 11 * 9000);

	CLOSE(f.sd, delta * sqrt((n * n - 1) / 12), 1e-9);
	CLOSE(f.rms, delta * sqrt(n - 1), 2e-4);
	CLOSE(f.mean_abs, 2 * delta * (n - 1) / n, 2e-4);
	CLOSE(f.share, (n - 1) / n, 2e-4);
	CLOSE(f.zero, (n - 1) / n, 2e-4);
	f = measure("coalesce = oneshot 125us\n", "130us", 5000);
	cr_assert_float_eq(f.rms, 0, 0);
	cr_assert_float_eq(f.sd, 0, 1e-3);
}

/* M3: M1 with a cost for each packet of a batch. */
Test(forms, timer_and_cost)
{
	const double delta = 12345.6, period = 1000000, cost = 600;
	struct forms f = measure("coalesce = timer 1ms\ncost = 600ns\n",
				 "12.3456us", 200000);

	CLOSE(f.share, (1 - delta / period) * (1 - cost / delta), 1e-3);
	cr_assert_float_eq(f.zero, 0, 0);
}

/* Independent noise, Delta far above it: within 5 standard errors. */
Test(forms, independent_noise)
{
	struct forms f;

	f = measure("noise = gauss 1us\n", "1ms", 100000);
	CLOSE(f.sd, 1000, 5 / sqrt(200000));
	CLOSE(f.rms, 1000 * sqrt(2), 5 / sqrt(100000));
	CLOSE(f.mean_abs, 2000 / sqrt(M_PI), 0.02);
	f = measure("noise = exponential 1us\n", "1ms", 100000);
	CLOSE(f.sd, 1000, 5 * sqrt(2.0 / 100000));
	CLOSE(f.mean_abs, 1000, 0.02);
	CLOSE(f.share, 1.0 / 2000, 0.02);
	f = measure("noise = uniform 1us\n", "1ms", 100000);
	CLOSE(f.sd, 1000 / sqrt(12), 0.01);
	CLOSE(f.mean_abs, 1000.0 / 3, 0.02);
}

Test(forms, monotonic_clocks)
{
	char dir[] = FOLDER;
	struct sim_capture clamp, bump;

	run_text("[stream]\nspacing = 10us\npackets = 5000\n[point clamp]\n"
		 "noise = exponential 30us\nmonotonic = clamp\n[point bump]\n"
		 "noise = exponential 30us\nmonotonic = bump\n", "", dir);
	clamp = sim_read(dir, "clamp.pcapng");
	bump = sim_read(dir, "bump.pcapng");
	for (size_t i = 1; i < clamp.n; i++) {
		cr_assert_geq(sim_ps(&clamp.rows[i]),
			      sim_ps(&clamp.rows[i - 1]));
		cr_assert_gt(sim_ps(&bump.rows[i]),
			     sim_ps(&bump.rows[i - 1]));
	}
	sim_release(&clamp);
	sim_release(&bump);
	remove_folder(dir);
}
