/* Runs of like packets, taken together, against the same captures read packet
 * by packet, as they are with a limit of packets (-c). */
#include "ingesting.h"

#define PACKETS 30000

/* ---- captures with all that ends a run --------------------------------------- */

struct state {
	uint64_t random, number;
	uint32_t seq;
	int64_t ps, step_ps;
	uint8_t tos;
	uint32_t payload, caplen, iface, n_ifaces;
	uint16_t port, vlan;
};

static struct frame make_frame(struct state *s, uint32_t seq)
{
	struct frame f;
	uint8_t *p = begin_udp(&f, s->port, 9, s->payload);

	be(p, 0xbe9be955, 4);
	be(p + 4, seq, 4);
	be(p + 8, next_random(&s->random), 8);
	f.bytes[15] = s->tos;
	be(f.bytes + 18, next_random(&s->random), 2); /* identification */
	be(f.bytes + 24, next_random(&s->random), 2); /* checksums */
	be(f.bytes + 40, next_random(&s->random), 2);
	if (s->vlan != 0) {
		memmove(f.bytes + 16, f.bytes + 12, f.n - 12);
		be(f.bytes + 12, 0x81000000u | s->vlan, 4);
		f.n += 4;
	}
	return f;
}

static void add(struct list *l, const struct state *s, struct frame f)
{
	struct packet *p;

	add_at(l, f, s->ps);
	p = &l->packets[l->n - 1];
	p->caplen = s->caplen < f.n ? s->caplen : 0;
	p->iface = s->iface;
}

/* One thing that a run must not go over, or that changes what runs are of. */
static void disturb(struct list *l, struct state *s)
{
	static const uint8_t header_bytes[] = {14, 20, 16, 13, 23, 33, 37};
	struct frame f;

	switch (next_random(&s->random) % 20) {
	case 0:
	case 1:
		s->seq += (uint32_t)(next_random(&s->random) % 3) + 1;
		break;
	case 2:
		add(l, s, make_frame(s, s->seq - 1)); /* a copy */
		break;
	case 3:
		add(l, s, make_frame(s, s->seq + 1)); /* swapped */
		add(l, s, make_frame(s, s->seq));
		s->seq += 2;
		break;
	case 4:
		s->ps -= s->step_ps * 3 / 2;
		break;
	case 5:
		s->ps += 150 * CD_PS_PER_MS;
		break;
	case 6:
		s->step_ps = s->step_ps == 0 ? 7 * CD_PS_PER_US : 0;
		break;
	case 7:
		s->tos ^= 4;
		break;
	case 8:
		s->payload ^= 4;
		break;
	case 9:
		s->port ^= 1;
		break;
	case 10:
		s->caplen = s->caplen == 55 ? 2000 : 55;
		break;
	case 11:
		s->iface = (s->iface + 1) % s->n_ifaces;
		break;
	case 12: /* other traffic */
		add(l, s, ping_frame(1, 2, 3));
		f = make_frame(s, s->seq);
		f.bytes[42] ^= 1;
		add(l, s, f);
		break;
	case 13: /* lengths that disagree */
		f = make_frame(s, s->seq++);
		f.bytes[39] ^= 1;
		add(l, s, f);
		break;
	case 17: /* header length, fragment, length 0, ethertype, protocol */
		f = make_frame(s, s->seq++);
		f.bytes[header_bytes[next_random(&s->random) % 7]] ^= 2;
		add(l, s, f);
		break;
	case 14:
		add(l, s, make_frame(s, s->seq + 100000)); /* a stray */
		break;
	case 15:
		s->vlan ^= 5;
		break;
	case 16:
		if (next_random(&s->random) % 16 == 0)
			s->seq = 0; /* begins again */
		break;
	default:
		break;
	}
}

static struct list make_list(uint64_t seed, uint32_t n_ifaces)
{
	struct list l = {0};
	struct state s = {
	    .random = seed,
	    .step_ps = 7 * CD_PS_PER_US,
	    .payload = 18,
	    .caplen = 2000,
	    .port = 1000,
	    .n_ifaces = n_ifaces,
	};

	while (l.n < PACKETS) {
		uint64_t n = next_random(&s.random) % 150;

		for (uint64_t i = 0; i < n; i++, s.ps += s.step_ps)
			add(&l, &s, make_frame(&s, s.seq++));
		disturb(&l, &s);
		if (next_random(&s.random) % 3 == 0) {
			s.payload = 18;
			s.caplen = 2000;
			s.vlan = 0;
		}
	}
	return l;
}

/* ---- comparing ------------------------------------------------------------------ */

static void compare_blocks(const struct cd_block *a, const struct cd_block *b)
{
	cr_assert_eq(a->n, b->n);
	cr_assert_arr_eq(a->seq, b->seq, a->n * sizeof(*a->seq));
	cr_assert_arr_eq(a->time_ps, b->time_ps, a->n * sizeof(*a->time_ps));
	cr_assert_arr_eq(a->number, b->number, a->n * sizeof(*a->number));
	cr_assert_arr_eq(a->length, b->length, a->n * sizeof(*a->length));
	cr_assert_arr_eq(a->iface, b->iface, a->n * sizeof(*a->iface));
	cr_assert_eq(a->stray == NULL, b->stray == NULL);
	if (a->stray != NULL)
		cr_assert_arr_eq(a->stray, b->stray, a->n);
}

static void compare_tracks(const struct cd_track *a, const struct cd_track *b)
{
	unsigned all = CD_COLUMN_TIME | CD_COLUMN_NUMBER | CD_COLUMN_LENGTH |
		       CD_COLUMN_IFACE;
	struct cd_track_reader *p = cd_track_reader_new(a, CD_ORDER_FILE, all);
	struct cd_track_reader *q = cd_track_reader_new(b, CD_ORDER_FILE, all);
	const struct cd_identity *i, *k;
	struct cd_block x, y;
	size_t n, m;

	while (cd_track_reader_next(p, &x) == 1) {
		cr_assert_eq(cd_track_reader_next(q, &y), 1);
		compare_blocks(&x, &y);
	}
	cr_assert_eq(cd_track_reader_next(q, &y), 0);
	cd_track_reader_free(p);
	cd_track_reader_free(q);
	cr_assert_eq(cd_track_bytes(a), cd_track_bytes(b));
	i = cd_track_identities(a, &n);
	k = cd_track_identities(b, &m);
	cr_assert_eq(n, m);
	for (; n > 0; n--, i++, k++) {
		cr_assert_eq(i->seq, k->seq);
		cr_assert_eq(i->tx, k->tx);
		cr_assert_arr_eq(i->digest, k->digest, sizeof(i->digest));
	}
}

static void compare_streams(const struct cd_stream *a,
			    const struct cd_stream *b)
{
	cr_assert_arr_eq(&a->key, &b->key, sizeof(a->key));
	cr_assert_eq(a->packets, b->packets);
	cr_assert_eq(a->deltas, b->deltas);
	cr_assert_eq(a->equal, b->equal);
	cr_assert_eq(a->steps_back, b->steps_back);
	cr_assert_eq(a->step_back_max_ps, b->step_back_max_ps);
	cr_assert_eq(a->one_size, b->one_size);
	cr_assert_eq(a->encapsulated, b->encapsulated);
	cr_assert_eq(a->fcs, b->fcs);
	cr_assert_eq(a->padded, b->padded);
	cr_assert_eq(a->strays, b->strays);
	cr_assert_eq(a->first_ps, b->first_ps);
	cr_assert_eq(a->last_ps, b->last_ps);
	cr_assert_eq(a->n_epochs, b->n_epochs);
	for (size_t i = 0; i < a->n_epochs; i++)
		compare_tracks(a->epochs[i], b->epochs[i]);
}

static void compare_points(const struct cd_point *a, const struct cd_point *b)
{
	cr_assert_eq(a->packets, b->packets);
	cr_assert_eq(a->bytes, b->bytes);
	cr_assert_eq(a->wire_bytes, b->wire_bytes);
	cr_assert_eq(a->first_ps, b->first_ps);
	cr_assert_eq(a->last_ps, b->last_ps);
	cr_assert_eq(a->unparsed, b->unparsed);
	cr_assert_eq(a->bad_headers, b->bad_headers);
	cr_assert_eq(a->fcs_frames, b->fcs_frames);
	cr_assert_eq(a->zero_time, b->zero_time);
	cr_assert_eq(a->n_ifaces, b->n_ifaces);
	for (size_t i = 0; i < a->n_ifaces; i++)
		cr_assert_eq(a->ifaces[i].packets, b->ifaces[i].packets);
	cr_assert_eq(a->n_streams, b->n_streams);
	for (size_t i = 0; i < a->n_streams; i++)
		compare_streams(&a->streams[i], &b->streams[i]);
}

static struct reading *read_path(char *path, const char *stamp, uint64_t most)
{
	struct reading *r = new_reading(1, &path);

	r->options.max_packets = most;
	if (stamp != NULL) {
		r->options.stamp = CD_STAMP_GIVEN;
		cr_assert_eq(cd_stamp_spec_parse(stamp, &r->options.spec,
						 NULL), 0);
	}
	must_read(r);
	return r;
}

static void check(const struct list *l,
		  const struct cd_writer_options *options, const char *stamp)
{
	char *path = temporary_path();
	struct reading *by_run, *by_packet;

	write_list(l, path, options);
	by_run = read_path(path, stamp, 0);
	by_packet = read_path(path, stamp, UINT64_MAX);
	cr_assert_eq(by_run->points[0].packets, l->n);
	compare_points(&by_run->points[0], &by_packet->points[0]);
	end_reading(by_run);
	end_reading(by_packet);
	drop(path);
}

/* ---- the tests ------------------------------------------------------------------ */

Test(steady, pcap_as_packet_by_packet)
{
	for (uint64_t seed = 1; seed <= 6; seed++) {
		struct cd_writer_options o = pcap_ns;
		struct list l = make_list(seed, 1);

		if (seed % 2 == 0)
			o.resolution.exponent = 6;
		check(&l, &o, NULL);
		o.big_endian = true;
		check(&l, &o, NULL);
		free(l.packets);
	}
}

Test(steady, pcapng_as_packet_by_packet)
{
	for (uint64_t seed = 11; seed <= 14; seed++) {
		struct list l = make_list(seed, 3);
		struct cd_writer_options o = {
		    .format = CD_WRITE_PCAPNG,
		    .resolution = {seed % 2 == 0 ? 10 : 2, 9},
		    .linktype = 1,
		    .fcs_bytes = -1,
		    .interfaces = 3,
		};

		check(&l, &o, NULL);
		free(l.packets);
	}
}

/* --ts-unit: the fraction of a second counts something else. */
Test(steady, another_unit_as_packet_by_packet)
{
	struct list l = make_list(31, 1);
	struct cd_writer_options o = pcap_ns;
	char *path = temporary_path();
	struct reading *r[2];

	o.resolution.exponent = 6;
	write_list(&l, path, &o);
	for (unsigned i = 0; i < 2; i++) {
		r[i] = new_reading(1, &path);
		r[i]->options.max_packets = i == 0 ? 0 : UINT64_MAX;
		r[i]->points[0].ts_unit_ps = CD_PS_PER_NS;
		must_read(r[i]);
	}
	cr_assert_lt(r[0]->points[0].last_ps % CD_PS_PER_S, CD_PS_PER_MS);
	compare_points(&r[0]->points[0], &r[1]->points[0]);
	end_reading(r[0]);
	end_reading(r[1]);
	drop(path);
	free(l.packets);
}

/* Fields anywhere: little endian, narrow, the identification of the IP header,
 * a part of what decides about the frame. */
Test(steady, any_field_as_packet_by_packet)
{
	static const char *const stamps[] = {
	    "field:at=udp+4",
	    "field:at=udp+6,width=2",
	    "field:at=udp+7,width=1",
	    "field:at=udp+4,width=4,endian=little",
	    "field:at=l3+4,width=2",
	    "field:at=l4+0,width=2",
	    "field:at=end-14,width=4",
	    "field:at=udp+4,step=2",
	    "rtp",
	    "sockperf",
	};
	struct list l = make_list(21, 1);

	for (size_t i = 0; i < sizeof(stamps) / sizeof(stamps[0]); i++)
		check(&l, &pcap_ns, stamps[i]);
	free(l.packets);
}

static void put_rtp(uint8_t *p, uint32_t seq, uint64_t random)
{
	be(p, 0x8060, 2);
	be(p + 2, seq, 2);
	be(p + 4, seq * 160, 4);
	be(p + 8, 0xabcdef, 4);
	if (random % 50 == 0)
		p[0] = 0x40; /* another version */
	if (random % 40 == 0)
		p[1] = 200; /* a sender report of RTCP */
}

static void put_sockperf(uint8_t *p, uint32_t seq, uint64_t random)
{
	be(p, seq, 8);
	be(p + 8, random % 50 == 0 ? 4 : 1, 2);
	be(p + 10, 18, 4);
}

Test(steady, stamps_with_conditions)
{
	static const struct {
		const char *stamp;
		void (*put)(uint8_t *, uint32_t, uint64_t);
	} cases[] = {{"rtp", put_rtp}, {"sockperf", put_sockperf}};

	for (size_t c = 0; c < 2; c++) {
		uint64_t random = 5;
		struct list l = {0};

		for (uint32_t seq = 0; seq < PACKETS; seq++) {
			struct frame f;
			uint8_t *p = begin_udp(&f, 5004, 5004, 18);

			cases[c].put(p, seq, next_random(&random));
			add_at(&l, f, seq * 20 * CD_PS_PER_US);
		}
		check(&l, &pcap_ns, cases[c].stamp);
		free(l.packets);
	}
}
