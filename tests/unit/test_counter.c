/* A counter that no known format has: found wherever it is, and only there. */
#include <stdio.h>

#include "counter_capture.h"

/* ---- no counter ---------------------------------------------------------- */

enum { CAPTURES = 12000, PACKETS = 90, BYTES = 24 };

/* Payloads of a capture that count nothing: packet i of it. */
typedef void make_payload(struct noise *r, uint8_t *p, uint32_t i,
			  const uint8_t *base);

static void make_random(struct noise *r, uint8_t *p, uint32_t i,
			const uint8_t *base)
{
	(void)i;
	(void)base;
	fill(r, p, BYTES);
}

static void make_constant(struct noise *r, uint8_t *p, uint32_t i,
			  const uint8_t *base)
{
	(void)r;
	(void)i;
	memcpy(p, base, BYTES);
}

/* Few values of each byte. */
static void make_poor(struct noise *r, uint8_t *p, uint32_t i,
		      const uint8_t *base)
{
	(void)i;
	for (size_t k = 0; k < BYTES; k++)
		p[k] = (uint8_t)(base[k] + noise_below(r, 1 + k % 5));
}

/* Some bytes change now and then, the others never. */
static void make_rare(struct noise *r, uint8_t *p, uint32_t i,
		      const uint8_t *base)
{
	if (i == 0)
		memcpy(p, base, BYTES);
	if (noise_below(r, 3) == 0)
		p[noise_below(r, BYTES)] += (uint8_t)noise_below(r, 4);
}

/* To and fro between two contents, as requests and answers. */
static void make_toggle(struct noise *r, uint8_t *p, uint32_t i,
			const uint8_t *base)
{
	for (size_t k = 0; k < BYTES; k++)
		p[k] = i % 2 == 0 ? base[k] : base[BYTES - 1 - k];
	fill(r, p, 4);
}

/* A walk at random, forward and back. */
static void make_walk(struct noise *r, uint8_t *p, uint32_t i,
		      const uint8_t *base)
{
	uint64_t x;

	if (i == 0)
		memcpy(p, base, BYTES);
	memcpy(&x, p + 8, 8);
	store_le(p + 8, x + noise_below(r, 5) - 2, 8);
}

/* A clock that every packet shows, sent at about a constant rate. */
static void make_clock(struct noise *r, uint8_t *p, uint32_t i,
		       const uint8_t *base)
{
	memcpy(p, base, BYTES);
	store_be(p + 8, 1000000 + i * 100 + noise_below(r, 40), 4);
	store_le(p + 16, 77777777 + i * 123456 + noise_below(r, 90000), 8);
}

/* One letter of a text that goes round. */
static void make_text(struct noise *r, uint8_t *p, uint32_t i,
		      const uint8_t *base)
{
	(void)r;
	for (size_t k = 0; k < BYTES; k++)
		p[k] = (uint8_t)('a' + (i * 7 + k + base[0]) % 23);
}

static make_payload *const makers[] = {
	make_random, make_constant, make_poor, make_rare,
	make_toggle, make_walk,	    make_clock, make_text};

#define MAKERS (sizeof(makers) / sizeof(makers[0]))

static void fill_capture(struct capture *c, make_payload *make, struct noise *r,
			 bool sizes_vary, unsigned flows)
{
	uint8_t base[BYTES], p[BYTES];
	struct header h = udp;

	fill(r, base, BYTES);
	memcpy(p, base, BYTES);
	for (uint32_t i = 0; i < PACKETS; i++) {
		uint32_t n = BYTES;

		make(r, p, i, base);
		if (sizes_vary)
			n -= (uint32_t)noise_below(r, 8);
		h.src_port = (uint16_t)(40000 + noise_below(r, flows));
		add(c, &h, p, n, i * 100);
	}
}

/* More than a million packets. */
Test(counter, none_in_payloads_that_count_nothing, .timeout = 300)
{
	struct noise r = noise_seed(42);
	struct capture *c = new_capture();

	for (size_t i = 0; i < CAPTURES; i++) {
		fill_capture(c, makers[i % MAKERS], &r, i / MAKERS % 2 == 1,
			     i / MAKERS % 3 == 2 ? 4 : 1);
		expect(&c, 1, NULL);
		empty(c);
	}
	free_capture(c);
}

/* What counts, but not as sequence numbers do. */
Test(counter, none_in_what_goes_round_or_is_text)
{
	struct capture *c = new_capture();
	uint8_t p[40] = {0x80, 1, 2, 3};

	for (uint32_t i = 0; i < 1000; i++) { /* 8 bits */
		p[20] = (uint8_t)i;
		add(c, &udp, p, 40, i * 100);
	}
	expect_one(c, NULL);
	c = new_capture();
	for (uint32_t i = 0; i < 1000; i++) { /* all of them */
		memset(p, (int)(i & 255), 40);
		add(c, &udp, p, 40, i * 100);
	}
	expect_one(c, NULL);
	for (unsigned f = 0; f < 4; f++) {
		c = new_capture();
		for (uint32_t i = 0; i < 700; i++) {
			char text[60];
			int n = f == 0	 ? snprintf(text, 60, "number %u.", i)
				: f == 1 ? snprintf(text, 60, "%x is it", i)
				: f == 2 ? snprintf(text, 60, "line %03u", i)
					 : snprintf(text, 60, "%05u", i);

			add(c, &udp, (const uint8_t *)text, (uint32_t)n,
			    i * 100);
		}
		expect_one(c, NULL);
	}
}

/* Requests and answers: the identifier, at random, is the answer's too, and the
 * flags behind it differ by 0x8080. There are only 512 steps of 128 to 2^16. */
Test(counter, none_where_anything_is_near)
{
	for (uint64_t seed = 0; seed < 10; seed++) {
		struct noise r = noise_seed(seed);
		struct capture *c = new_capture();
		struct header h = udp;
		uint8_t p[40] = {0};

		for (uint32_t i = 0; i < 400; i++) {
			if (i % 2 == 0)
				fill(&r, p, 2);
			store_be(p + 2, i % 2 == 0 ? 0x0100 : 0x8180, 2);
			h.src = (uint8_t)(1 + i % 2);
			add(c, &h, p, 40, i * 100);
		}
		expect_one(c, NULL);
	}
}

/* Headers, and services whose identifiers some hosts count up. */
Test(counter, none_outside_the_payload)
{
	static const struct header dns = {UDP, 40000, 53, 1, 0};
	struct capture *c = new_capture();
	struct header h = udp;
	uint8_t p[40] = {0};

	for (uint32_t i = 0; i < 300; i++) {
		h.id = (uint16_t)i;
		h.src_port = (uint16_t)(1024 + i);
		add(c, &h, p, 40, i * 100);
	}
	expect_one(c, NULL);
	c = new_capture();
	for (uint32_t i = 0; i < 300; i++) {
		store_be(p, i, 2);
		add(c, &dns, p, 40, i * 100);
	}
	expect_one(c, NULL);
	/* ICMP: identifier and check sum are headers, the data are not */
	for (int data = 0; data < 2; data++) {
		h.protocol = ICMP;
		c = new_capture();
		memset(p, 0, sizeof(p));
		p[0] = 13;
		for (uint32_t i = 0; i < 300; i++) {
			store_be(p + (data ? 12 : 4), i, 2);
			store_be(p + 2, 0xfff0 - i, 2);
			add(c, &h, p, 40, i * 100);
		}
		expect_one(c, data ? "field:at=l4+10,width=4,endian=big,step=1,"
				     "proto=1"
				   : NULL);
	}
}

/* ---- planted ------------------------------------------------------------- */

/* A counter at any place, and what capture points do to its packets. */
struct plan {
	unsigned width, offset; /* of its first byte */
	bool from_end, little, sizes_vary, zeros;
	int64_t step;
	uint64_t first;
	unsigned protocol, flows; /* 0: no IP */
	double loss, late, copies;
};

static struct plan make_plan(struct noise *r)
{
	static const int64_t steps[] = {1, 1, 1, 2, 3, 7, 100, -1, -5, 1000,
					256, 65536};
	static const unsigned protocols[] = {UDP, UDP, TCP, 99, 253, 0};
	struct plan p = {
	    .width = 2 + (unsigned)noise_below(r, 7),
	    .from_end = noise_below(r, 3) == 0,
	    .little = noise_below(r, 2) == 0,
	    .zeros = noise_below(r, 2) == 0,
	    .protocol = protocols[noise_below(r, 6)],
	    .flows = 1,
	    .loss = noise_below(r, 2) == 0 ? 0 : 0.3 * noise_uniform(r),
	    .late = noise_below(r, 2) == 0 ? 0 : 0.05,
	    .copies = noise_below(r, 2) == 0 ? 0 : 0.1,
	};

	do
		p.step = steps[noise_below(r, 12)];
	while ((p.width == 2 && (p.step > 100 || p.step < 0)) ||
	       (p.width == 3 && p.step == 65536));
	p.offset = (unsigned)noise_below(r, 60);
	p.sizes_vary = p.from_end || noise_below(r, 2) == 0;
	p.first = noise_below(r, 2) == 0 ? 0 : noise_bits(r);
	if (p.step < 0 && p.first == 0)
		p.first = 1 << 20;
	if (p.protocol != 0 && noise_below(r, 3) == 0)
		p.flows = 3;
	return p;
}

static void add_other(struct capture *c, const uint8_t *p, uint32_t n,
		      uint64_t us)
{
	uint8_t b[14 + LENGTH_MAX] = {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x88,
				      0xb5};

	memcpy(b + 14, p, n);
	add_frame(c, ETHERNET, b, 14 + n, 14 + n, 0,
		  (struct cd_instant){(int64_t)(1700000000 + us / 1000000),
				      (int64_t)(us % 1000000) * 1000000});
}

/* Packet `seq` of the flow. */
static void add_planned(struct capture *c, const struct plan *plan,
			struct noise *r, unsigned flow, uint64_t seq)
{
	struct header h = {plan->protocol, (uint16_t)(40000 + flow), 5001,
			   (uint8_t)(1 + flow), 0};
	uint8_t p[LENGTH_MAX] = {0};
	uint32_t n = 100;
	uint64_t us = seq * 100 + 10 + noise_below(r, 7);
	struct noise content = noise_seed(seq * 8 + flow);

	if (plan->sizes_vary)
		n += (uint32_t)(noise_bits(&content) >> 33) % 200;
	if (!plan->zeros)
		fill(&content, p, n);
	store(p + (plan->from_end ? n - plan->width - plan->offset
				  : plan->offset),
	      plan->first + flow * 7777 * (uint64_t)plan->step +
		  seq * (uint64_t)plan->step,
	      plan->width, plan->little);
	if (plan->protocol == 0)
		add_other(c, p, n, us);
	else
		add(c, &h, p, n, us);
}

static struct capture *capture_plan(const struct plan *plan, struct noise *r,
				    uint64_t n, bool clean, uint64_t *seqs)
{
	struct capture *c = new_capture();
	double late = clean ? 0 : plan->late, copies = clean ? 0 : plan->copies;

	for (uint64_t i = 0; i < n; i++) {
		uint64_t seq = i / plan->flows;
		unsigned flow = (unsigned)(i % plan->flows);

		if (!clean && noise_uniform(r) < plan->loss)
			continue;
		if (noise_uniform(r) < late) /* from before the last few */
			seq = seq > 3 ? seq - 3 : 0;
		do {
			seqs[c->n] = seq;
			add_planned(c, plan, r, flow, seq);
		} while (noise_uniform(r) < copies);
	}
	return c;
}

/* Do all numbers that it reads count the packets? */
static void check_numbers(const struct capture *c, const uint64_t *seqs,
			  const struct cd_detection *d, const char *what)
{
	unsigned bits = cd_stamp_bits(&d->spec);
	uint64_t first[3] = {0}, from[3] = {0};
	bool any[3] = {false};

	for (size_t i = 0; i < c->n; i++) {
		const struct cd_frame *f = &c->frames[i];
		size_t flow = f->src == NULL ? 0 : f->src[3] - 1u;
		struct cd_stamp s;

		cr_assert_eq(cd_stamp_parse(&d->spec, f, &s), CD_STAMP_YES,
			     "%s", what);
		if (!any[flow]) {
			first[flow] = s.seq;
			from[flow] = seqs[i];
			any[flow] = true;
		}
		cr_assert_eq((s.seq - first[flow] -
			      (seqs[i] - from[flow]) *
				  (uint64_t)d->spec.step) << (64 - bits),
			     0, "%s: packet %zu", what, i);
	}
}

Test(counter, found_wherever_it_is, .timeout = 300)
{
	struct noise r = noise_seed(1);

	for (int k = 0; k < 300; k++) {
		struct plan plan = make_plan(&r);
		uint64_t n = 400 + noise_below(&r, 1500);
		uint64_t *seqs[2] = {malloc(SAMPLE * sizeof(uint64_t)),
				     malloc(SAMPLE * sizeof(uint64_t))};
		struct capture *c[2] = {
			capture_plan(&plan, &r, n, true, seqs[0]),
			capture_plan(&plan, &r, n, false, seqs[1])};
		struct cd_detection d = detect(c, 2, true);
		char what[200];

		snprintf(what, sizeof(what),
			 "%d: %s%u width %u %s step %lld first %llx protocol "
			 "%u flows %u loss %.2f%s", k,
			 plan.from_end ? "end-" : "+", plan.offset, plan.width,
			 plan.little ? "little" : "big", (long long)plan.step,
			 (unsigned long long)plan.first, plan.protocol,
			 plan.flows, plan.loss, plan.zeros ? " zeros" : "");
		cr_assert_not_null(d.spec.format, "%s: %s", what,
				   cd_str_text(&d.tried));
		cr_assert_str_eq(d.spec.format->name, "field");
		for (size_t i = 0; i < 2; i++) {
			cr_assert_float_eq(d.share[i], 1, 1e-9, "%s", what);
			check_numbers(c[i], seqs[i], &d, what);
			free_capture(c[i]);
			free(seqs[i]);
		}
		cr_assert_str_eq(cd_str_text(&d.others), "");
		cd_detection_release(&d);
	}
}

/* Flows that share one counter take turns at random, or in turn. */
Test(counter, one_counter_over_all_flows)
{
	for (unsigned way = 0; way < 3; way++) {
		struct noise r = noise_seed(way);
		struct capture *c = new_capture();
		struct header h = udp;
		uint8_t p[60] = {0};

		for (uint32_t i = 0; i < 1500; i++) {
			unsigned flow = way == 0   ? noise_below(&r, 8) & 7
					: way == 1 ? i % 8
						   : i; /* each packet its own */

			h.src_port = (uint16_t)(20000 + flow);
			store_be(p + 9, 1000 + i, 4);
			if (noise_below(&r, 50) != 0)
				add(c, &h, p, 60, i * 100);
		}
		expect_one(c, "field:at=udp+9,width=4,endian=big,step=1,"
			      "port=5001,flows=one");
	}
}

/* ---- anything ----------------------------------------------------------------- */

/* Frames cut anywhere, of any kind and length, with bytes that count. */
Test(counter, reads_only_what_was_captured)
{
	static const uint32_t links[] = {ETHERNET, RAW, 113, 0};
	static const uint16_t types[] = {0x0800, 0x86dd, 0x88b5, 0x8100};
	struct noise r = noise_seed(6);
	struct capture *c[2] = {new_capture(), new_capture()};

	for (int k = 0; k < 300; k++) {
		uint32_t link = links[noise_below(&r, 4)];
		uint64_t from = noise_below(&r, 20), kept = noise_below(&r, 90);
		uint16_t type = types[noise_below(&r, 4)];
		struct cd_detection d;

		for (uint32_t i = 0; i < 80; i++) {
			uint8_t b[100];
			uint32_t n = (uint32_t)noise_below(&r, 100);
			size_t ip = link == RAW ? 0 : 14;

			for (size_t j = 0; j < 100; j++)
				b[j] = (uint8_t)(j % 3 == 2 ? i : j * j);
			store_be(b + 12, type, 2);
			b[ip] = type == 0x86dd ? 0x60 : 0x45;
			store_be(b + ip + 2, n > ip ? n - ip : 0, 2);
			store_be(b + ip + 6, 0, 2);
			b[ip + 9] = (uint8_t)(noise_below(&r, 2) ? UDP : ICMP);
			add_frame(c[i % 2], link, b,
				  n < from + kept ? n : (uint32_t)(from + kept),
				  n, 0xff, (struct cd_instant){i, 0});
		}
		d = detect(c, 2, true);
		cd_detection_release(&d);
		empty(c[0]);
		empty(c[1]);
	}
	free_capture(c[0]);
	free_capture(c[1]);
}
