/* Reading: streams, epochs, identities, frames of all kinds. */
#include "ingesting.h"

#include "base/str.h"

/* ---- streams ------------------------------------------------------------------ */

Test(ingest_streams, many_and_interleaved)
{
	enum { FLOWS = 3000 };
	struct list l = {0};
	struct reading *r;

	for (uint32_t seq = 0; seq < 12; seq++)
		for (uint16_t k = 0; k < FLOWS; k++)
			if (seq > 0 || k % 3 == 0)
				add_at(&l, pktgen_frame(k, seq, 1),
				       (int64_t)l.n * 1000);
	r = read_list(&l);
	cr_assert_eq(r->points[0].n_streams, FLOWS);
	for (int i = 0; i < FLOWS; i++) {
		/* those with packet 0 appeared first */
		int later = i - FLOWS / 3;
		int port = later < 0 ? 3 * i : later / 2 * 3 + later % 2 + 1;
		const struct cd_stream *s = &r->points[0].streams[i];

		cr_assert_eq(s->key.src_port, port);
		cr_assert_eq(s->packets, port % 3 == 0 ? 12 : 11);
		cr_assert_eq(s->n_epochs, 1);
		cr_assert_eq(cd_point_stream(&r->points[0], &s->key), s);
	}
	end_reading(r);
}

static struct frame sockperf_frame(uint64_t seq, uint16_t flags)
{
	struct frame f;
	uint8_t *p = begin_udp(&f, 11111, 11112, 30);

	be(p, seq, 8);
	be(p + 8, flags, 2);
	be(p + 10, 30, 4);
	return f;
}

Test(ingest_streams, control_packets_belong_to_the_stream)
{
	struct list l = {0};
	struct reading *r;
	const struct cd_stream *s;

	for (uint64_t seq = 1; seq <= 50; seq++)
		add_at(&l, sockperf_frame(seq, 1 | 4), 1000 * (int64_t)seq);
	for (uint64_t seq = 1; seq <= 900; seq++)
		add_at(&l, sockperf_frame(seq, 1),
		       CD_PS_PER_S + 1000 * (int64_t)seq);
	r = read_list(&l);
	cr_assert_str_eq(r->result.spec.format->name, "sockperf");
	cr_assert_eq(r->points[0].n_streams, 1);
	s = &r->points[0].streams[0];
	cr_assert_eq(s->key.flow, 1);
	cr_assert_eq(s->control, 50);
	cr_assert_eq(s->packets, 900);
	cr_assert_eq(r->points[0].unparsed, 0);
	end_reading(r);
}

Test(ingest_streams, numbers_that_were_cut_off)
{
	for (int all = 0; all <= 1; all++) {
		struct list l = {0};
		struct reading *r;
		const struct cd_stream *s;
		char *path;

		for (uint32_t seq = 0; seq < 1000; seq++) {
			add_pktgen(&l, seq);
			if (all || seq % 10 == 3)
				l.packets[l.n - 1].caplen = 48;
		}
		path = save_list(&l);
		r = new_reading(1, &path);
		r->options.stamp = CD_STAMP_GIVEN;
		cr_assert_eq(cd_stamp_spec_parse("pktgen", &r->options.spec,
						 NULL), 0);
		must_read(r);
		drop(path);
		cr_assert_eq(r->points[0].n_streams, 1);
		s = &r->points[0].streams[0];
		cr_assert_eq(s->cut, all ? 1000 : 100);
		cr_assert_eq(s->packets, all ? 0 : 900);
		cr_assert_eq(s->n_epochs, 1);
		cr_assert_eq(cd_track_rows(s->epochs[0]), all ? 0 : 900);
		cr_assert_eq(s->key.src_port, 9);
		end_reading(r);
	}
}

Test(ingest_streams, fragments)
{
	struct list l = {0};
	struct reading *r;
	const struct cd_stream *s;

	for (uint32_t seq = 0; seq < 200; seq++) {
		struct frame f = pktgen_frame(9, seq, 1);

		f.bytes[20] = 0x20; /* more fragments */
		f.bytes[39] = 100;  /* of a longer datagram */
		add_at(&l, f, (int64_t)l.n * 1000);
		be(f.bytes + 20, 5, 2); /* the last one, at byte 40 */
		add_at(&l, f, (int64_t)l.n * 1000);
	}
	r = read_list(&l);
	cr_assert_eq(r->points[0].n_streams, 1);
	s = &r->points[0].streams[0];
	cr_assert_eq(s->packets, 200);
	cr_assert_eq(s->fragments, 200);
	cr_assert_eq(r->points[0].unparsed, 200);
	end_reading(r);
}

Test(ingest_streams, a_restart_begins_an_epoch)
{
	struct list l = {0};
	struct reading *r;
	const struct cd_stream *s;
	const uint32_t n[] = {3000, 5000};

	for (int epoch = 0; epoch < 2; epoch++)
		for (uint32_t seq = 0; seq < n[epoch]; seq++)
			add_at(&l, pktgen_frame(9, seq, l.n),
			       (int64_t)l.n * CD_PS_PER_MS);
	be(l.packets[4000].frame.bytes + 46, 0x7fff1234, 4); /* corrupt */
	r = read_list(&l);
	s = &r->points[0].streams[0];
	cr_assert_eq(s->packets, 8000);
	cr_assert_eq(s->n_epochs, 2);
	cr_assert_eq(s->strays, 1);
	cr_assert_eq(cd_track_unique(s->epochs[0]), 3000);
	cr_assert_eq(cd_track_unique(s->epochs[1]), 4999);
	cr_assert_eq(cd_track_strays(s->epochs[1]), 1);
	end_reading(r);
}

Test(ingest_streams, sizes)
{
	struct list l = {0};
	struct reading *r;
	const struct cd_stream *s;

	for (uint32_t seq = 0; seq < 100; seq++) {
		struct frame f;
		uint8_t *p = begin_udp(&f, 9, 9, seq == 50 ? 200 : 100);

		be(p, 0xbe9be955, 4);
		be(p + 4, seq, 4);
		if (seq == 60)
			be(f.bytes + 16, 0, 2); /* segmentation offload */
		add_at(&l, f, seq);
	}
	r = read_list(&l);
	s = &r->points[0].streams[0];
	cr_assert_eq(s->packets, 100);
	cr_assert_not(s->one_size);
	cr_assert_eq(s->payload_bytes, 100);
	cr_assert_eq(s->frame_bytes, 142);
	cr_assert_eq(s->frame_bytes_max, 242);
	cr_assert_eq(s->offload, 1);
	end_reading(r);
}

Test(ingest_streams, steps_back_and_equal_times)
{
	struct list l = {0};
	struct reading *r;
	const struct cd_stream *s;

	for (uint32_t seq = 0; seq < 100; seq++)
		add_at(&l, pktgen_frame(9, seq, 1),
		       seq % 10 == 9 ? (int64_t)seq * 1000000 - 5000000
				     : (int64_t)(seq / 2) * 2000000);
	r = read_list(&l);
	s = &r->points[0].streams[0];
	cr_assert_eq(s->deltas, 99);
	cr_assert_eq(s->equal, 40);
	cr_assert_eq(s->steps_back, 10);
	cr_assert_eq(s->step_back_max_ps, 4000000);
	end_reading(r);
}

/* METRICS 2.2: of a capture all records count, of a stream its own. */
Test(ingest_streams, steps_back_between_streams)
{
	struct list l = {0};
	struct reading *r;
	const struct cd_point *p;

	for (uint32_t seq = 0; seq < 1000; seq++) {
		int64_t at = (int64_t)seq * 1000000;

		/* a few in a row of either, so that runs are counted, too */
		add_at(&l, pktgen_frame(seq < 500 ? 9 : 10, seq, 1), at);
		if (seq % 100 == 99)
			add_at(&l, pktgen_frame(11, seq, 1), at);
		if (seq % 250 == 249)
			add_at(&l, pktgen_frame(12, seq, 1),
			       at - (int64_t)seq * 1000);
	}
	r = read_list(&l);
	p = &r->points[0];
	cr_assert_eq(p->deltas, 1013);
	cr_assert_eq(p->equal, 10);
	cr_assert_eq(p->steps_back, 4);
	cr_assert_eq(p->step_back_max_ps, 999000);
	for (size_t i = 0; i < p->n_streams; i++) {
		cr_assert_eq(p->streams[i].steps_back, 0);
		cr_assert_eq(p->streams[i].equal, 0);
	}
	end_reading(r);
}

/* ---- identities ---------------------------------------------------------------- */

/* pktgen with an answering ttl and checksum of its own at each point, and the
 * rest of the payload `fill`. */
static struct frame identity_frame(uint32_t seq, uint32_t us, uint8_t ttl,
				   uint8_t fill)
{
	struct frame f;
	uint8_t *p = begin_udp(&f, 9, 9, 100);

	be(p, 0xbe9be955, 4);
	be(p + 4, seq, 4);
	be(p + 8, us == 0 ? 0 : EPOCH_S, 4);
	be(p + 12, us, 4);
	memset(p + 16, fill, 84);
	f.bytes[22] = ttl;
	return f;
}

Test(ingest_streams, identities_of_every_64th)
{
	struct list a = {0}, b = {0};
	char *paths[2];
	struct reading *r;
	const struct cd_identity *x, *y;
	size_t n, m;

	for (uint32_t seq = 30; seq < 6430; seq++) {
		add_at(&a, identity_frame(seq, seq, 64, 7), seq * 1000);
		add_at(&b, identity_frame(seq, seq, 63, 7), seq * 1000);
		if (seq >= 3000)
			b.packets[b.n - 1].caplen = 42 + 50;
	}
	paths[0] = save_list(&a);
	paths[1] = save_list(&b);
	r = new_reading(2, paths);
	must_read(r);
	x = cd_track_identities(track_of(r, 0), &n);
	y = cd_track_identities(track_of(r, 1), &m);
	cr_assert_eq(n, 100);
	cr_assert_eq(m, 100);
	for (size_t i = 0; i < n; i++) {
		cr_assert_eq(x[i].seq, 64 * (int64_t)(i + 1));
		cr_assert_eq(y[i].seq, x[i].seq);
		cr_assert(x[i].has_tx && y[i].has_tx);
		cr_assert_eq(x[i].tx, EPOCH_S * INT64_C(1000000) + x[i].seq);
		cr_assert_eq(y[i].tx, x[i].tx);
		cr_assert_eq(x[i].bytes, 100);
		cr_assert_eq(y[i].digest[0], x[i].digest[0]);
		cr_assert(x[i].full);
		cr_assert_eq(y[i].full, x[i].seq < 3000);
		cr_assert_eq(y[i].digest[1],
			     x[i].seq < 3000 ? x[i].digest[1] : 0);
		cr_assert_eq(y[i].digest[2] == x[i].digest[2],
			     x[i].seq < 3000);
		if (i > 0)
			cr_assert_neq(x[i].digest[0], x[i - 1].digest[0]);
	}
	end_reading(r);
	drop(paths[0]);
	drop(paths[1]);
}

Test(ingest_streams, the_number_is_not_part_of_the_digest)
{
	struct list l = {0};
	struct reading *r;
	const struct cd_identity *x;
	size_t n;

	for (uint32_t seq = 0; seq < 640; seq++)
		add_at(&l, identity_frame(seq, 0, 64, seq < 320 ? 1 : 2),
		       seq * 1000);
	r = read_list(&l);
	x = cd_track_identities(track_of(r, 0), &n);
	cr_assert_eq(n, 10);
	for (size_t i = 1; i < n; i++) {
		cr_assert_not(x[i].has_tx);
		cr_assert_eq(x[i].digest[0], x[0].digest[0]);
		cr_assert_eq(x[i].digest[1] == x[0].digest[1], i < 5);
		cr_assert_eq(x[i].digest[2] == x[0].digest[2], i < 5);
	}
	end_reading(r);
}

/* Any place of the number, any step. */
Test(ingest_streams, fields)
{
	static const struct {
		const char *spec;
		unsigned at;	/* in the frame */
		unsigned width;
		int step;
	} cases[] = {
	    {"field:at=udp+10,width=3", 52, 3, 1},
	    {"field:at=l4+20,width=2,step=-1", 54, 2, -1},
	    {"field:at=l3+40,width=4,step=1000", 54, 4, 1000},
	    {"field:at=frame+60,width=8", 60, 8, 1},
	    {"field:at=end-4,width=4,step=2", 88, 4, 2},
	};

	for (size_t c = 0; c < 5; c++) {
		struct list l = {0};
		struct reading *r;
		const struct cd_identity *x;
		char *path;
		size_t n;
		int64_t first, last;

		for (int64_t seq = 1000; seq < 2000; seq++) {
			struct frame f;

			begin_udp(&f, 5, 6, 50);
			be(f.bytes + cases[c].at,
			   (uint64_t)((cases[c].step < 0 ? 3000 - seq : seq) *
				      abs(cases[c].step)),
			   cases[c].width);
			add_at(&l, f, seq * 1000);
		}
		path = save_list(&l);
		r = new_reading(1, &path);
		r->options.stamp = CD_STAMP_GIVEN;
		cr_assert_eq(cd_stamp_spec_parse(cases[c].spec,
						 &r->options.spec, NULL), 0);
		must_read(r);
		drop(path);
		cr_assert(cd_track_range(track_of(r, 0), &first, &last));
		cr_assert_eq(first, cases[c].step < 0 ? -2000 : 1000);
		cr_assert_eq(last, first + 999);
		cr_assert_eq(cd_track_unique(track_of(r, 0)), 1000);
		x = cd_track_identities(track_of(r, 0), &n);
		cr_assert_geq(n, 15);
		for (size_t i = 0; i < n; i++) {
			cr_assert_eq(x[i].seq % 64, 0);
			cr_assert_eq(x[i].digest[2], x[0].digest[2],
				     "case %zu", c);
		}
		end_reading(r);
	}
}

/* One counter over flows that take turns, among other traffic. */
Test(ingest_streams, one_counter_over_all_flows)
{
	struct list l = {0};
	struct reading *r;
	char *path;
	int64_t first, last;

	for (uint32_t seq = 1000; seq < 2000; seq++) {
		struct frame f;

		begin_udp(&f, (uint16_t)(5 + seq * seq % 7), 6, 50);
		be(f.bytes + 52, seq, 4);
		add_at(&l, f, seq * 1000);
		if (seq % 10 != 0)
			continue;
		begin_udp(&f, 70, 80, 50);
		add_at(&l, f, seq * 1000 + 1);
	}
	path = save_list(&l);
	r = new_reading(1, &path);
	r->options.stamp = CD_STAMP_GIVEN;
	cr_assert_eq(cd_stamp_spec_parse("field:at=udp+10,port=6,flows=one",
					 &r->options.spec, NULL), 0);
	must_read(r);
	drop(path);
	cr_assert_eq(r->points[0].n_streams, 1);
	cr_assert_eq(r->points[0].unparsed, 100);
	cr_assert(cd_track_range(track_of(r, 0), &first, &last));
	cr_assert_eq(first, 1000);
	cr_assert_eq(last, 1999);
	cr_assert_eq(cd_track_unique(track_of(r, 0)), 1000);
	end_reading(r);
}

/* ---- in words --------------------------------------------------------------------- */

static void check_words(const struct cd_stream_key *key, const char *words)
{
	struct cd_str out = {0};

	cd_stream_describe(key, &out);
	cr_assert_str_eq(cd_str_text(&out), words);
	cd_str_release(&out);
}

Test(point, streams_in_words)
{
	struct cd_stream_key key = {.src = {10, 0, 0, 1}, .dst = {10, 0, 0, 2},
				    .src_port = 9, .dst_port = 5001,
				    .address_bytes = 4, .protocol = 17};
	struct cd_stream_key six = {.src = {0x20, 1, 0xd, 0xb8, [15] = 1},
				    .dst = {[15] = 1}, .src_port = 40000,
				    .dst_port = 9, .address_bytes = 16,
				    .protocol = 17};

	check_words(&(struct cd_stream_key){0}, "all packets");
	check_words(&key, "UDP 10.0.0.1:9 > 10.0.0.2:5001");
	key.flow = 3;
	check_words(&key, "UDP 10.0.0.1:9 > 10.0.0.2:5001, flow 3");
	key.protocol = 99;
	check_words(&key, "IP protocol 99 10.0.0.1 > 10.0.0.2, flow 3");
	key.protocol = 1;
	key.flow = 17553;
	key.src_port = 0;
	key.dst_port = 8 << 8;
	check_words(&key, "ICMP 10.0.0.1 > 10.0.0.2 echo request, id 17553");
	check_words(&six, "UDP [2001:db8::1]:40000 > [::1]:9");
	six.src[4] = six.src[8] = six.src[12] = 1;
	check_words(&six,
		    "UDP [2001:db8:100:0:100:0:100:1]:40000 > [::1]:9");
	six.protocol = 58;
	six.dst_port = 129 << 8;
	memset(six.dst, 0, 16);
	check_words(&six,
		    "ICMPv6 2001:db8:100:0:100:0:100:1 > :: echo reply, id 0");
	six.dst[0] = 0xfe;
	six.dst[1] = 0x80;
	check_words(&six, "ICMPv6 2001:db8:100:0:100:0:100:1 > fe80:: echo "
			  "reply, id 0");
}

/* ---- what is around the packets ----------------------------------------------- */

static void insert_tag(struct frame *f)
{
	memmove(f->bytes + 16, f->bytes + 12, f->n - 12);
	be(f->bytes + 12, 0x81000064, 4);
	f->n += 4;
}

static void append(struct frame *f, uint8_t byte, uint32_t n)
{
	memset(f->bytes + f->n, byte, n);
	f->n += n;
}

Test(ingest_streams, frames_unlike_the_first_are_counted)
{
	for (uint32_t first = 0; first < 4; first++) {
		struct list l = {0};
		struct reading *r;
		const struct cd_stream *s;

		for (uint32_t seq = 0; seq < 400; seq++) {
			struct frame f = pktgen_frame(9, seq, 1);

			if ((seq + first) % 4 == 1)
				insert_tag(&f);
			else if ((seq + first) % 4 == 2)
				append(&f, 0, 6); /* padding */
			else if ((seq + first) % 4 == 3)
				append(&f, 0x5a, 4); /* FCS */
			add_at(&l, f, (int64_t)seq * 1000);
		}
		r = read_list(&l);
		cr_assert_eq(r->points[0].n_streams, 1);
		s = &r->points[0].streams[0];
		cr_assert_eq(s->packets, 400);
		cr_assert_eq(s->encaps_any, CD_ENCAP_VLAN);
		cr_assert_eq(s->encaps_all, 0);
		cr_assert_eq(s->encapsulated, 100);
		cr_assert_eq(s->padded, 100);
		cr_assert_eq(s->fcs, 100);
		cr_assert(s->one_size);
		cr_assert_eq(s->frame_bytes_max, 66);
		end_reading(r);
	}
}

Test(ingest_streams, frames_like_the_first_are_counted_too)
{
	struct list l = {0};
	struct reading *r;
	const struct cd_stream *s;

	for (uint32_t seq = 0; seq < 400; seq++) {
		struct frame f = pktgen_frame(9, seq, 1);

		insert_tag(&f);
		append(&f, 0x77, 9); /* a trailer */
		add_at(&l, f, (int64_t)seq * 1000);
	}
	r = read_list(&l);
	s = &r->points[0].streams[0];
	cr_assert_eq(s->encaps_any, CD_ENCAP_VLAN);
	cr_assert_eq(s->encaps_all, CD_ENCAP_VLAN);
	cr_assert_eq(s->encapsulated, 400);
	cr_assert_eq(s->padded, 400);
	cr_assert_eq(s->fcs, 0);
	cr_assert_eq(s->frame_bytes, 73);
	end_reading(r);
}
