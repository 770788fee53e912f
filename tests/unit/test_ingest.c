#include "build.h"

#include "ingesting.h"

/* ---- rows of a pair ----------------------------------------------------------- */

/* Two captures of 20,000 packets, the second with losses, copies and swaps. */
static void make_pair(char **paths)
{
	struct list a = {0}, b = {0};
	uint64_t state = 1;

	for (uint32_t seq = 0; seq < 20000; seq++) {
		uint64_t x = next_random(&state);

		add_pktgen(&a, seq);
		if (x % 100 == 0)
			continue;
		add_pktgen(&b, seq);
		if (x % 100 == 1)
			add_pktgen(&b, seq);
		if (x % 100 == 2 && b.n > 1) {
			struct packet swap = b.packets[b.n - 1];

			b.packets[b.n - 1] = b.packets[b.n - 2];
			b.packets[b.n - 2] = swap;
		}
	}
	paths[0] = save_list(&a);
	paths[1] = save_list(&b);
}

/* Everything that may not depend on the number of threads. */
static uint64_t fingerprint(const struct reading *r)
{
	uint64_t sum = 0;

	for (size_t k = 0; k < r->n; k++) {
		const struct cd_point *p = &r->points[k];
		struct cd_track_reader *reader = cd_track_reader_new(
		    track_of(r, k), CD_ORDER_FILE,
		    CD_COLUMN_TIME | CD_COLUMN_NUMBER | CD_COLUMN_LENGTH);
		struct cd_block b;

		sum = sum * 31 + p->packets + p->n_streams +
		      (uint64_t)p->last_ps;
		while (cd_track_reader_next(reader, &b) == 1)
			for (size_t i = 0; i < b.n; i++)
				sum = sum * 31 + (uint64_t)b.seq[i] +
				      (uint64_t)b.time_ps[i] + b.number[i] +
				      b.length[i];
		cd_track_reader_free(reader);
	}
	return sum;
}

Test(ingest, a_pair_whatever_the_threads)
{
	char *paths[2];
	uint64_t first = 0;

	make_pair(paths);
	for (unsigned threads = 1; threads <= 3; threads++) {
		struct reading *r = new_reading(2, paths);

		r->options.threads = threads;
		must_read(r);
		cr_assert_str_eq(r->result.spec.format->name, "pktgen");
		cr_assert_eq(r->points[0].packets, 20000);
		cr_assert(r->points[0].numbered);
		cr_assert(r->points[0].regular);
		cr_assert_eq(r->points[0].n_streams, 1);
		cr_assert_eq(cd_track_unique(track_of(r, 0)), 20000);
		cr_assert_lt(cd_track_unique(track_of(r, 1)), 19900);
		cr_assert_gt(r->points[1].streams[0].steps_back, 100);
		cr_assert_gt(r->result.bytes, 0);
		if (threads == 1)
			first = fingerprint(r);
		cr_assert_eq(fingerprint(r), first);
		end_reading(r);
	}
	drop(paths[0]);
	drop(paths[1]);
}

Test(ingest, what_is_counted)
{
	struct list l = {0};
	struct frame f;
	struct reading *r;
	const struct cd_point *p;
	const struct cd_stream *s;

	for (uint32_t seq = 0; seq < 1000; seq++)
		add_pktgen(&l, seq);
	add_at(&l, l.packets[0].frame, CD_PS_PER_S);  /* a copy */
	begin_udp(&f, 53, 1000, 30);
	add_at(&l, f, CD_PS_PER_S);		      /* other traffic */
	f.bytes[12] = 8;
	f.bytes[13] = 6;
	add_at(&l, f, CD_PS_PER_S / 2);		      /* ARP */
	r = read_list(&l);
	p = &r->points[0];
	cr_assert_eq(p->packets, 1003);
	cr_assert_eq(p->unparsed, 2);
	cr_assert_eq(p->not_ip, 1);
	cr_assert_eq(p->bytes, 1001 * 60 + 2 * 72);
	cr_assert_eq(p->wire_bytes, p->bytes);
	cr_assert_str_eq(p->format, "pcap");
	cr_assert_eq(p->compression, CD_PLAIN);
	cr_assert_eq(p->n_ifaces, 1);
	cr_assert_eq(p->unit_ps, 1000);
	cr_assert(p->has_times);
	cr_assert_eq(p->base.s, EPOCH_S);
	cr_assert_eq(p->first_ps, 0);
	cr_assert_eq(p->last_ps, CD_PS_PER_S);
	cr_assert_eq(p->stop.fault, CD_OK);
	s = &p->streams[0];
	cr_assert_eq(s->packets, 1001);
	cr_assert_eq(s->payload_bytes, 18);
	cr_assert_eq(s->frame_bytes, 60);
	cr_assert(s->one_size);
	cr_assert_eq(s->deltas, 1000);
	cr_assert_eq(s->equal, 0);
	cr_assert_eq(s->steps_back, 0);
	cr_assert_eq(s->first_ps, 0);
	cr_assert_eq(s->last_ps, CD_PS_PER_S);
	cr_assert_eq(cd_track_rows(track_of(r, 0)), 1001);
	cr_assert_eq(cd_track_unique(track_of(r, 0)), 1000);
	end_reading(r);
}

/* ---- times ------------------------------------------------------------------------ */

/* The times of the only stream, in file order. */
static void times_of(const struct reading *r, int64_t *out, size_t n)
{
	struct cd_track_reader *reader = cd_track_reader_new(
	    track_of(r, 0), CD_ORDER_FILE, CD_COLUMN_TIME);
	struct cd_block b;
	size_t k = 0;

	while (cd_track_reader_next(reader, &b) == 1)
		for (size_t i = 0; i < b.n; i++, k++) {
			cr_assert_lt(k, n);
			out[k] = b.time_ps[i];
		}
	cr_assert_eq(k, n);
	cd_track_reader_free(reader);
}

static void put_frame(struct build *b, uint32_t s, uint32_t fraction,
		      uint32_t seq)
{
	struct frame f = pktgen_frame(9, seq, seq);

	put_head(b, s, fraction, f.n, f.n);
	put_bytes(b, f.bytes, f.n);
}

static struct reading *read_build(struct build *b, int64_t ts_unit_ps)
{
	char *path = save(b->bytes, b->n);
	struct reading *r = new_reading(1, &path);

	r->points[0].ts_unit_ps = ts_unit_ps;
	must_read(r);
	discard(path);
	free(b->bytes);
	return r;
}

Test(ingest, invalid_times_count_for_loss_only)
{
	struct build b = {0};
	struct reading *r;
	int64_t t[20];

	put_pcap(&b, PCAP_US, 0, 1);
	for (uint32_t i = 0; i < 20; i++)
		put_frame(&b, i == 0   ? 4000000000u /* wild */
			      : i == 5 ? 0	     /* no clock yet */
				       : 1000000 + i,
			  i == 5   ? 0
			  : i == 7 ? 1000000 /* a whole second */
				   : i,
			  i);
	r = read_build(&b, 0);
	cr_assert_eq(r->points[0].base.s, 1000001);
	cr_assert_eq(r->points[0].zero_time, 1);
	cr_assert_eq(r->points[0].bad_fraction, 1);
	cr_assert_eq(r->points[0].out_of_range, 1);
	cr_assert_eq(r->points[0].no_time, 0);
	cr_assert_eq(r->points[0].streams[0].invalid_times, 3);
	/* no pair of neighbours with those */
	cr_assert_eq(r->points[0].streams[0].deltas, 14);
	cr_assert_eq(cd_track_unique(track_of(r, 0)), 20);
	times_of(r, t, 20);
	for (int64_t i = 0; i < 20; i++)
		cr_assert_eq(t[i], i == 0 || i == 5 || i == 7
				       ? CD_TIME_NONE
				       : (i - 1) * CD_PS_PER_S +
					     i * CD_PS_PER_US);
	end_reading(r);
}

/* Twenty days before and 86 days after: any two of them differ by a span. */
Test(ingest, times_far_from_the_others_are_out_of_range)
{
	static const int32_t days[] = {-21, -20, 86, 87, -15000, 20000};
	const uint32_t base = 1700000000;
	const size_t n = 20;
	struct build b = {0};
	struct reading *r;
	int64_t t[20];

	put_pcap(&b, PCAP_NS, 0, 1);
	for (uint32_t i = 0; i < n; i++)
		put_frame(&b,
			  i < 14 ? base + i
				 : base + (uint32_t)(days[i - 14] * 86400),
			  0, i);
	r = read_build(&b, 0);
	cr_assert_eq(r->points[0].base.s, base);
	cr_assert_eq(r->points[0].out_of_range, 4);
	times_of(r, t, n);
	for (size_t i = 14; i < n; i++)
		cr_assert_eq(t[i], i == 15 || i == 16
				       ? days[i - 14] * INT64_C(86400) *
					     CD_PS_PER_S
				       : CD_TIME_NONE);
	cr_assert_eq(r->points[0].first_ps, t[15]);
	cr_assert_eq(r->points[0].last_ps, t[16]);
	end_reading(r);
}

Test(ingest, nanoseconds_under_the_microsecond_magic)
{
	struct build b = {0};
	struct reading *r;
	int64_t t[20];

	for (int unit = 0; unit <= 1; unit++) {
		b = (struct build){0};
		put_pcap(&b, PCAP_US, 0, 1);
		for (uint32_t i = 0; i < 20; i++)
			put_frame(&b, 1000000, 1234567 + 40000000 * i, i);
		r = read_build(&b, unit ? CD_PS_PER_NS : 0);
		cr_assert_eq(r->points[0].bad_fraction, unit ? 0 : 20);
		cr_assert_eq(r->points[0].has_times, unit);
		cr_assert_eq(r->points[0].unit_ps,
			     unit ? CD_PS_PER_NS : CD_PS_PER_US);
		times_of(r, t, 20);
		for (int64_t i = 0; i < 20; i++)
			cr_assert_eq(t[i], unit ? (1234567 + 40000000 * i) *
						      CD_PS_PER_NS
						: CD_TIME_NONE);
		end_reading(r);
	}
}

Test(ingest, a_unit_for_pcapng)
{
	struct build b = {0};
	struct reading *r;
	int64_t t[20];

	put_section(&b);
	put_iface(&b, 1, 0, 6);
	for (uint32_t i = 0; i < 20; i++) {
		struct frame f = pktgen_frame(9, i, i);
		uint64_t ticks = UINT64_C(1000000) * 1000000000 + 7 * i;
		size_t at = begin_block(&b, 6);

		put(&b, 0, 4);
		put(&b, ticks >> 32, 4);
		put(&b, ticks, 4);
		put(&b, f.n, 4);
		put(&b, f.n, 4);
		put_bytes(&b, f.bytes, f.n);
		put_padding(&b, at);
		end_block(&b, at);
	}
	r = read_build(&b, CD_PS_PER_NS);
	cr_assert_eq(r->points[0].base.s, 1000000);
	times_of(r, t, 20);
	for (int64_t i = 0; i < 20; i++)
		cr_assert_eq(t[i], 7 * i * CD_PS_PER_NS);
	end_reading(r);
}

Test(ingest, packets_without_a_time)
{
	struct build b = {0};
	struct reading *r;

	put_section(&b);
	put_iface(&b, 1, 0, 9);
	for (uint32_t i = 0; i < 20; i++) {
		struct frame f = pktgen_frame(9, i, i);
		size_t at = begin_block(&b, 3);

		put(&b, f.n, 4);
		put_bytes(&b, f.bytes, f.n);
		put_padding(&b, at);
		end_block(&b, at);
	}
	r = read_build(&b, 0);
	cr_assert_eq(r->points[0].no_time, 20);
	cr_assert_not(r->points[0].has_times);
	cr_assert_eq(r->points[0].first_ps, 0);
	cr_assert_eq(r->points[0].streams[0].invalid_times, 20);
	cr_assert_eq(r->points[0].streams[0].last_ps, 0);
	cr_assert_eq(cd_track_unique(track_of(r, 0)), 20);
	end_reading(r);
}

Test(ingest, every_time_zero)
{
	struct build b = {0};
	struct reading *r;

	put_pcap(&b, PCAP_US, 0, 1);
	for (uint32_t i = 0; i < 20; i++)
		put_frame(&b, 0, 0, i);
	r = read_build(&b, 0);
	cr_assert_eq(r->points[0].zero_time, 0);
	cr_assert(r->points[0].has_times);
	cr_assert_eq(r->points[0].streams[0].equal, 19);
	end_reading(r);
}

/* ---- what is left out ---------------------------------------------------------------- */

Test(ingest, a_filter)
{
	struct list l = {0};
	char *path;
	struct reading *r;

	for (uint32_t i = 0; i < 6000; i++) {
		add_pktgen(&l, i);
		if (i % 3 == 0)
			l.packets[l.n - 1].frame =
			    pktgen_frame(7, i / 3, i);
	}
	path = save_list(&l);
	r = new_reading(1, &path);
	r->options.filter = "udp src port 7";
	must_read(r);
	cr_assert_eq(r->points[0].packets, 2000);
	cr_assert_eq(r->points[0].filtered, 4000);
	cr_assert_eq(r->points[0].n_streams, 1);
	cr_assert_eq(cd_track_unique(track_of(r, 0)), 2000);
	/* the packets left out say how long the capture ran */
	cr_assert_eq(r->points[0].last_ps, 5999 * 10 * CD_PS_PER_US);
	cr_assert_eq(r->points[0].streams[0].last_ps,
		     5997 * 10 * CD_PS_PER_US);
	end_reading(r);

	r = new_reading(1, &path);
	r->options.filter = "udp port 77";
	cr_assert_eq(read_all(r), -1);
	cr_assert_eq(r->error.fault, CD_E_EMPTY);
	cr_assert_str_eq(r->error.file, path);
	end_reading(r);

	r = new_reading(1, &path);
	r->options.filter = "udp prot";
	cr_assert_eq(read_all(r), -1);
	cr_assert_eq(r->error.fault, CD_E_USAGE);
	end_reading(r);
	drop(path);
}

Test(ingest, one_interface)
{
	struct cd_writer_options options = pcap_ns;
	struct list l = {0};
	char *path = temporary_path(), *paths[] = {path, path};
	struct reading *r;

	options.format = CD_WRITE_PCAPNG;
	options.interfaces = 3;
	for (uint32_t i = 0; i < 5000; i++) {
		add_pktgen(&l, i);
		l.packets[l.n - 1].iface = i % 5 == 0;
	}
	write_list(&l, path, &options);
	free(l.packets);
	r = new_reading(2, paths);
	r->points[0].has_iface = r->points[1].has_iface = true;
	r->points[1].only_iface = 1;
	must_read(r);
	cr_assert_eq(r->points[0].packets, 4000);
	cr_assert_eq(r->points[1].packets, 1000);
	cr_assert_eq(r->points[0].n_ifaces, 3);
	cr_assert_str_eq(r->points[0].format, "pcapng");
	end_reading(r);
	for (uint32_t i = 2; i < 4; i++) {
		r = new_reading(1, paths);
		r->points[0].has_iface = true;
		r->points[0].only_iface = i;
		cr_assert_eq(read_all(r), -1);
		cr_assert_eq(r->error.fault,
			     i == 2 ? CD_E_EMPTY : CD_E_USAGE);
		end_reading(r);
	}
	drop(path);
}

Test(ingest, only_so_many_packets)
{
	const uint64_t most[] = {1, 100, 4096, 5000, 6000, 7000};
	struct list l = {0};
	char *path;

	for (uint32_t i = 0; i < 6000; i++)
		add_pktgen(&l, i);
	path = save_list(&l);
	for (size_t i = 0; i < 6; i++) {
		struct reading *r = new_reading(1, &path);

		r->options.max_packets = most[i];
		must_read(r);
		cr_assert_eq(r->points[0].packets,
			     most[i] < 6000 ? most[i] : 6000);
		end_reading(r);
	}
	drop(path);
}

/* ---- without numbers -------------------------------------------------------------------- */

static struct list unnumbered(void)
{
	struct list l = {0};
	uint64_t state = 3;

	for (int64_t i = 0; i < 6000; i++) {
		struct frame f;
		uint8_t *p = begin_udp(&f, 5, 6, 40);

		for (unsigned k = 0; k < 5; k++)
			be(p + 8 * k, next_random(&state), 8);
		add_at(&l, f, i * CD_PS_PER_MS);
	}
	return l;
}

Test(ingest, without_numbers)
{
	struct list l = unnumbered();
	char *path = save_list(&l), *paths[] = {path, path};

	for (int mode = 0; mode < 3; mode++) {
		struct reading *r = new_reading(mode < 2 ? 1 : 2, paths);
		struct cd_copy const *copies;
		size_t n;

		r->options.stamp = mode == 1 ? CD_STAMP_NONE : CD_STAMP_AUTO;
		r->options.allow_unnumbered = mode == 0;
		must_read(r);
		cr_assert_null(r->result.spec.format);
		cr_assert_eq(r->points[0].packets, 6000);
		cr_assert_not(r->points[0].numbered);
		cr_assert_eq(r->points[0].n_streams, mode < 2 ? 1 : 0);
		if (mode == 2)
			cr_assert_eq(r->points[1].unparsed, 6000);
		if (mode < 2) {
			int64_t first, last;

			cr_assert(cd_track_range(track_of(r, 0), &first,
						 &last));
			cr_assert_eq(first, 0);
			cr_assert_eq(last, 5999);
			copies = cd_track_copies(track_of(r, 0), &n);
			cr_assert_eq(n, 0);
			(void)copies;
		}
		end_reading(r);
	}
	drop(path);
}

/* ---- files that cannot be used, or not wholly -------------------------------------------- */

static struct cd_error error_of(const void *bytes, size_t n)
{
	char *path = save(bytes, n);
	struct reading *r = new_reading(1, &path);
	struct cd_error error;

	cr_assert_eq(read_all(r), -1);
	cr_assert_eq(r->points[0].n_streams, 0);
	error = r->error;
	cr_assert_str_eq(error.file, path);
	end_reading(r);
	discard(path);
	return error;
}

Test(ingest, faulty_files)
{
	struct build b = {0};
	struct reading *r;
	char *missing = strdup("no_such_file");

	cr_assert_eq(error_of("", 0).fault, CD_E_EMPTY);
	cr_assert_eq(error_of("hello, world, this is text\n", 27).fault,
		     CD_E_FORMAT);
	put_pcap(&b, PCAP_NS, 0, 1);
	cr_assert_eq(error_of(b.bytes, b.n).fault, CD_E_EMPTY);
	cr_assert_eq(error_of(b.bytes, 20).fault, CD_E_TRUNCATED);
	put_frame(&b, 1, 2, 3);
	cr_assert_eq(error_of(b.bytes, b.n - 1).fault, CD_E_TRUNCATED);
	for (uint32_t i = 0; i < 20; i++)
		put_frame(&b, 1, 2 + i, 4 + i);
	b.n--;
	r = read_build(&b, 0);
	cr_assert_eq(r->points[0].packets, 20);
	cr_assert_eq(r->points[0].stop.fault, CD_E_TRUNCATED);
	cr_assert_eq(r->points[0].stop.packets, 20);
	cr_assert_neq(r->points[0].stop.file[0], '\0');
	end_reading(r);

	r = new_reading(1, &missing);
	cr_assert_eq(read_all(r), -1);
	cr_assert_eq(r->error.fault, CD_E_OPEN);
	end_reading(r);
	free(missing);
}

Test(ingest, the_first_faulty_capture_is_named)
{
	char *paths[4];
	struct list l = {0};

	for (uint32_t i = 0; i < 6000; i++)
		add_pktgen(&l, i);
	paths[0] = save_list(&l);
	paths[1] = save("text, not packets", 17);
	paths[2] = save("", 0);
	paths[3] = save("more text", 9);
	for (unsigned threads = 1; threads < 5; threads++) {
		struct reading *r = new_reading(4, paths);

		r->options.threads = threads;
		cr_assert_eq(read_all(r), -1);
		cr_assert_eq(r->error.fault, CD_E_FORMAT);
		cr_assert_str_eq(r->error.file, paths[1]);
		cr_assert_null(r->points[0].ifaces);
		end_reading(r);
	}
	for (int i = 1; i < 4; i++)
		discard(paths[i]);
	drop(paths[0]);
}

/* ---- progress ------------------------------------------------------------------------------ */

static void keep_state(void *context, const struct cd_progress_state *state)
{
	*(struct cd_progress_state *)context = *state;
}

Test(ingest, progress_ends_complete)
{
	struct cd_progress_state state = {0};
	struct list l = {0};
	char *path;
	struct reading *r;

	for (uint32_t i = 0; i < 6000; i++)
		add_pktgen(&l, i);
	path = save_list(&l);
	r = new_reading(1, &path);
	r->options.progress = keep_state;
	r->options.progress_context = &state;
	must_read(r);
	cr_assert_eq(state.packets, 6000);
	cr_assert_eq(state.size, 24 + 6000 * 76);
	cr_assert_eq(state.bytes, state.size);
	end_reading(r);
	drop(path);
}
