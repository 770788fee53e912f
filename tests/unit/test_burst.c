/* Bursts of records against the same records one by one. */
#include "build.h"

#include "ingesting.h"

#define PACKETS 4000

/* Two lengths in runs, times that run through seconds and zero. */
static char *write_runs(const struct cd_writer_options *options)
{
	char *path = temporary_path();
	struct cd_writer *w = cd_writer_open(path, options, NULL);
	uint32_t n_ifaces = options->interfaces > 0 ? options->interfaces : 1;
	static const uint8_t data[200];

	cr_assert_not_null(w);
	for (uint32_t i = 0; i < PACKETS; i++) {
		uint32_t bytes = i / 97 % 2 == 0 ? 60 : 103;
		struct cd_writer_packet p = {
		    .time = {EPOCH_S + i / 700, i % 700 * CD_PS_PER_MS},
		    .data = data,
		    .caplen = bytes,
		    .origlen = bytes + i / 500 % 2,
		    .iface = i / 1111 % n_ifaces,
		    .has_drops = i % 1000 == 1,
		};

		if (i == 2222)
			p.time.s = 0;
		cr_assert_eq(cd_writer_packet(w, &p, NULL), 0);
	}
	cr_assert_eq(cd_writer_close(w, NULL), 0);
	return path;
}

static struct cd_capture *open_path(const char *path)
{
	struct cd_input *input = cd_input_open(path, NULL);
	struct cd_capture *capture;

	cr_assert_not_null(input);
	capture = cd_capture_open(input, NULL);
	cr_assert_not_null(capture);
	return capture;
}

static void compare_burst(struct cd_capture *by_one, const struct cd_burst *b,
			  const int64_t *time_ps, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const uint8_t *data = b->data + i * b->stride;
		struct cd_record r;

		cr_assert_eq(cd_capture_next(by_one, &r, NULL), 1);
		cr_assert_eq(r.flags, 0);
		cr_assert_eq(r.caplen, b->caplen);
		cr_assert_eq(r.origlen, b->origlen);
		cr_assert_eq(r.iface, b->iface);
		cr_assert_arr_eq(r.data, data, r.caplen);
		cr_assert_eq(time_ps[i],
			     (r.time.s - b->base_s) * CD_PS_PER_S + r.time.ps);
	}
}

/* Returns how many records bursts brought. */
static size_t compare(const char *path, int64_t base_s)
{
	struct cd_capture *by_run = open_path(path), *by_one = open_path(path);
	struct cd_record r, like;
	size_t all = 0;

	while (cd_capture_next(by_run, &like, NULL) == 1) {
		struct cd_burst b = {.caplen = like.caplen,
				     .origlen = like.origlen,
				     .iface = like.iface,
				     .base_s = base_s};
		int64_t time_ps[50];
		size_t n;

		cr_assert_eq(cd_capture_next(by_one, &r, NULL), 1);
		cr_assert_eq(r.number, like.number);
		n = cd_capture_burst(by_run, &b, time_ps, 50);
		cr_assert_leq(n, 50);
		compare_burst(by_one, &b, time_ps, n);
		cd_capture_take(by_run, &b, n);
		all += n;
		cr_assert_eq(by_run->packets, by_one->packets);
		cr_assert_eq(by_run->bytes, by_one->bytes);
		cr_assert_eq(by_run->ifaces[like.iface].packets,
			     by_one->ifaces[like.iface].packets);
	}
	cr_assert_eq(by_run->packets, PACKETS);
	cd_capture_close(by_run);
	cd_capture_close(by_one);
	return all;
}

Test(burst, pcap)
{
	struct cd_writer_options o = pcap_ns;
	char *path = write_runs(&o);

	cr_assert_gt(compare(path, EPOCH_S + 3), PACKETS * 9 / 10);
	/* all but the time 0 are too far from there */
	cr_assert_eq(compare(path, 3), 0);
	drop(path);
	o.big_endian = true;
	path = write_runs(&o);
	cr_assert_eq(compare(path, EPOCH_S), 0);
	drop(path);
}

Test(burst, pcapng)
{
	struct cd_writer_options o = {
	    .format = CD_WRITE_PCAPNG,
	    .resolution = {10, 9},
	    .linktype = 1,
	    .fcs_bytes = -1,
	    .interfaces = 1,
	};
	char *path;

	o.interfaces = 2;
	path = write_runs(&o);
	cr_assert_gt(compare(path, EPOCH_S + 3), PACKETS * 9 / 10);
	cr_assert_eq(compare(path, 3), 0);
	drop(path);
}
