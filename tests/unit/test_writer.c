#include <criterion/criterion.h>
#include <limits.h>
#include <pcap/pcap.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "base/bytes.h"
#include "base/partial.h"
#include "capture/writer.h"

static char dir[] = "/tmp/capdiff-writer-XXXXXX";
static char path[PATH_MAX];

static void make_folder(void)
{
	cr_assert_not_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/a", dir);
}

static void remove_folder(void)
{
	unlink(path);
	rmdir(dir);
}

TestSuite(writer, .init = make_folder, .fini = remove_folder);

static struct cd_writer_options nanoseconds(enum cd_writer_format format)
{
	return (struct cd_writer_options){
	    .format = format,
	    .resolution = {10, 9},
	    .linktype = 1,
	    .snaplen = 96,
	    .fcs_bytes = -1,
	};
}

static struct cd_writer *open_writer(const struct cd_writer_options *options)
{
	struct cd_error error = {0};
	struct cd_writer *w = cd_writer_open(path, options, &error);

	cr_assert_not_null(w, "%s", error.what);
	return w;
}

static void add(struct cd_writer *w, const struct cd_writer_packet *packet)
{
	struct cd_error error = {0};

	cr_assert_eq(cd_writer_packet(w, packet, &error), 0, "%s", error.what);
}

static void close_writer(struct cd_writer *w)
{
	struct cd_error error = {0};

	cr_assert_eq(cd_writer_close(w, &error), 0, "%s", error.what);
}

/* The whole (inflated) file; gzread() passes plain files through. */
static size_t slurp(uint8_t *bytes, size_t size)
{
	gzFile file = gzopen(path, "rb");
	int n;

	cr_assert_not_null(file);
	n = gzread(file, bytes, (unsigned)size);
	cr_assert_geq(n, 0);
	gzclose(file);
	return (size_t)n;
}

static struct cd_writer_packet nth_packet(unsigned i, const uint8_t *data)
{
	return (struct cd_writer_packet){
	    .time = {1700000000 + i / 7, (int64_t)i * 123456789 % 1000 * 1000
			 + (int64_t)i * 999},
	    .data = data,
	    .caplen = 60 + i % 37,
	    .origlen = 60 + i % 1400,
	};
}

static void fill(uint8_t *data, size_t n, unsigned seed)
{
	for (size_t i = 0; i < n; i++)
		data[i] = (uint8_t)(seed * 31 + i * 7);
}

/* 20,000 packets: many buffers, and every one as libpcap reads it. */
static void check_against_libpcap(struct cd_writer_options options)
{
	enum { PACKETS = 20000 };
	char message[PCAP_ERRBUF_SIZE];
	struct cd_writer *w = open_writer(&options);
	const u_char *bytes;
	struct pcap_pkthdr *header;
	uint8_t data[128];
	pcap_t *pcap;

	for (unsigned i = 0; i < PACKETS; i++) {
		struct cd_writer_packet p = nth_packet(i, data);

		fill(data, sizeof(data), i);
		add(w, &p);
	}
	close_writer(w);
	pcap = pcap_open_offline_with_tstamp_precision(
	    path, PCAP_TSTAMP_PRECISION_NANO, message);
	cr_assert_not_null(pcap, "%s", message);
	cr_assert_eq(pcap_datalink(pcap), DLT_EN10MB);
	cr_assert_eq(pcap_snapshot(pcap), 96);
	for (unsigned i = 0; i < PACKETS; i++) {
		struct cd_writer_packet p = nth_packet(i, data);
		int64_t ns = p.time.ps / 1000;

		if (options.resolution.exponent == 6)
			ns -= ns % 1000;
		fill(data, sizeof(data), i);
		cr_assert_eq(pcap_next_ex(pcap, &header, &bytes), 1);
		cr_assert_eq(header->caplen, p.caplen);
		cr_assert_eq(header->len, p.origlen);
		cr_assert_eq(header->ts.tv_sec, p.time.s);
		cr_assert_eq(header->ts.tv_usec, ns);
		cr_assert_eq(memcmp(bytes, data, p.caplen), 0);
	}
	cr_assert_eq(pcap_next_ex(pcap, &header, &bytes), PCAP_ERROR_BREAK);
	pcap_close(pcap);
}

Test(writer, libpcap_reads_every_variant)
{
	for (int variant = 0; variant < 8; variant++) {
		struct cd_writer_options o = nanoseconds(
		    variant & 1 ? CD_WRITE_PCAPNG : CD_WRITE_PCAP);

		o.big_endian = (variant & 2) != 0;
		if (variant & 4)
			o.resolution.exponent = 6;
		check_against_libpcap(o);
	}
}

Test(writer, gzip_holds_the_same_bytes)
{
	static uint8_t plain[1 << 16], inflated[1 << 16];
	struct cd_writer_options o = nanoseconds(CD_WRITE_PCAPNG);
	uint8_t data[128], head[10];
	size_t sizes[2];
	FILE *file;

	for (int gzip = 0; gzip < 2; gzip++) {
		struct cd_writer *w;

		o.gzip = gzip == 1;
		w = open_writer(&o);
		for (unsigned i = 0; i < 100; i++) {
			struct cd_writer_packet p = nth_packet(i, data);

			fill(data, sizeof(data), i);
			add(w, &p);
		}
		close_writer(w);
		sizes[gzip] = slurp(gzip ? inflated : plain, sizeof(plain));
	}
	cr_assert_eq(sizes[0], sizes[1]);
	cr_assert_eq(memcmp(plain, inflated, sizes[0]), 0);
	file = fopen(path, "rb");
	cr_assert_eq(fread(head, 1, sizeof(head), file), sizeof(head));
	fclose(file);
	/* RFC 1952: no name, no time, extra flags 0, system unknown */
	cr_assert_arr_eq(head, ((uint8_t[]){0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0,
					    255}), 10);
}

Test(writer, pcap_bytes)
{
	uint8_t bytes[128];
	struct cd_writer_options o = nanoseconds(CD_WRITE_PCAP);
	struct cd_writer *w;

	o.resolution.exponent = 6;
	o.fcs_bytes = 4;
	o.snaplen = 0;
	w = open_writer(&o);
	add(w, &(struct cd_writer_packet){.time = {1, 1999999},
					  .data = (const uint8_t *)"abc",
					  .caplen = 3, .origlen = 60});
	close_writer(w);
	cr_assert_eq(slurp(bytes, sizeof(bytes)), 24 + 16 + 3);
	cr_assert_eq(cd_le32(bytes), 0xa1b2c3d4);
	cr_assert_eq(cd_le32(bytes + 16), 262144);
	cr_assert_eq(cd_le32(bytes + 20), 0x24000001); /* two 16-bit words */
	cr_assert_eq(cd_le32(bytes + 24), 1);
	cr_assert_eq(cd_le32(bytes + 28), 1); /* 1.999999 us floored */
	cr_assert_eq(cd_le32(bytes + 32), 3);
	cr_assert_eq(cd_le32(bytes + 36), 60);
	cr_assert_eq(memcmp(bytes + 40, "abc", 3), 0);
}

/* Walk the options from `at` to `end`; NULL if `code` is not there. */
static const uint8_t *find_option(const uint8_t *at, const uint8_t *end,
				  unsigned code, unsigned length)
{
	while (at + 4 <= end && cd_be16(at) != 0) {
		unsigned n = cd_be16(at + 2);

		if (cd_be16(at) == code) {
			cr_assert_eq(n, length);
			return at + 4;
		}
		at += 4 + (n + 3) / 4 * 4;
	}
	return NULL;
}

/* Check both lengths of the block at `*at`, step past it, return it. */
static const uint8_t *next_block(const uint8_t **at, uint32_t type,
				 const uint8_t **end)
{
	const uint8_t *block = *at;
	uint32_t total = cd_be32(block + 4);

	cr_assert_eq(cd_be32(block), type);
	cr_assert_eq(total % 4, 0);
	cr_assert_eq(cd_be32(block + total - 4), total);
	*at = block + total;
	*end = block + total - 4;
	return block;
}

static struct cd_writer *open_rich(void)
{
	struct cd_writer_options o = nanoseconds(CD_WRITE_PCAPNG);

	o.big_endian = true;
	o.hardware = "box";
	o.os = "none";
	o.application = "tests";
	o.interfaces = 2;
	o.resolution = (struct cd_resolution){2, 32};
	o.fcs_bytes = 4;
	o.offset_s = -100;
	return open_writer(&o);
}

static void check_headers(const uint8_t **at)
{
	const uint8_t *block, *end;

	block = next_block(at, 0x0a0d0d0a, &end);
	cr_assert_eq(cd_be32(block + 8), 0x1a2b3c4d);
	cr_assert_eq(cd_be64(block + 16), UINT64_MAX);
	cr_assert_eq(memcmp(find_option(block + 24, end, 2, 3), "box", 3), 0);
	cr_assert_eq(memcmp(find_option(block + 24, end, 3, 4), "none", 4), 0);
	cr_assert_eq(memcmp(find_option(block + 24, end, 4, 5), "tests", 5),
		     0);
	for (int i = 0; i < 2; i++) {
		block = next_block(at, 1, &end);
		cr_assert_eq(cd_be16(block + 8), 1);
		cr_assert_eq(cd_be32(block + 12), 96);
		cr_assert_eq(*find_option(block + 16, end, 9, 1), 0x80 | 32);
		cr_assert_eq(*find_option(block + 16, end, 13, 1), 4);
		cr_assert_eq((int64_t)cd_be64(find_option(block + 16, end, 14,
							  8)), -100);
	}
}

Test(writer, pcapng_blocks_and_options)
{
	static uint8_t bytes[4096];
	struct cd_writer *w = open_rich();
	const uint8_t *at = bytes, *block, *end;
	size_t n;

	add(w, &(struct cd_writer_packet){
	    .time = {5, CD_PS_PER_S / 4 + 232}, .data = (const uint8_t *)"abcde",
	    .caplen = 5, .origlen = 99, .iface = 1, .comment = "why",
	    .has_drops = true, .drops = 77});
	cr_assert_eq(cd_writer_statistics(w, &(struct cd_writer_statistics){
	    .iface = 1, .time = {6, 0}, .has_end = true, .end = {7, 0},
	    .received = 12, .dropped = UINT64_MAX, .os_dropped = 3}, NULL), 0);
	close_writer(w);
	n = slurp(bytes, sizeof(bytes));
	check_headers(&at);
	block = next_block(&at, 6, &end);
	cr_assert_eq(cd_be32(block + 8), 1);
	cr_assert_eq(cd_be64(block + 12), UINT64_C(105) << 32 | 0x40000000);
	cr_assert_eq(cd_be32(block + 20), 5);
	cr_assert_eq(cd_be32(block + 24), 99);
	cr_assert_eq(memcmp(block + 28, "abcde\0\0\0", 8), 0);
	cr_assert_eq(memcmp(find_option(block + 36, end, 1, 3), "why", 3), 0);
	cr_assert_eq(cd_be64(find_option(block + 36, end, 4, 8)), 77);
	block = next_block(&at, 5, &end);
	cr_assert_eq(cd_be32(block + 8), 1);
	cr_assert_eq(cd_be64(block + 12), UINT64_C(106) << 32);
	cr_assert_null(find_option(block + 20, end, 2, 8));
	cr_assert_eq(cd_be64(find_option(block + 20, end, 3, 8)),
		     UINT64_C(107) << 32);
	cr_assert_eq(cd_be64(find_option(block + 20, end, 4, 8)), 12);
	cr_assert_null(find_option(block + 20, end, 5, 8));
	cr_assert_eq(cd_be64(find_option(block + 20, end, 7, 8)), 3);
	cr_assert_eq(at, bytes + n);
}

Test(writer, packets_larger_than_the_buffer)
{
	enum { BIG = 700001 };
	struct cd_writer_options o = nanoseconds(CD_WRITE_PCAPNG);
	uint8_t *data = malloc(BIG), *bytes = malloc(BIG + 1000);
	struct cd_writer *w = open_writer(&o);
	size_t n;

	fill(data, BIG, 3);
	add(w, &(struct cd_writer_packet){.data = data, .caplen = BIG,
					  .origlen = BIG});
	close_writer(w);
	n = slurp(bytes, BIG + 1000);
	cr_assert_eq(n % 4, 0);
	cr_assert_eq(memcmp(bytes + n - 4 - 3 - BIG, data, BIG), 0);
	free(data);
	free(bytes);
}

Test(writer, times_and_interfaces_that_do_not_fit)
{
	struct cd_writer_options o = nanoseconds(CD_WRITE_PCAP);
	struct cd_writer_packet p = {.time = {INT64_C(1) << 32, 0}};
	struct cd_error error = {0};
	struct cd_writer *w = open_writer(&o);

	cr_assert_eq(cd_writer_packet(w, &p, &error), -1);
	cr_assert_eq(error.fault, CD_E_DATA);
	p.time.s--;
	add(w, &p);
	close_writer(w);
	o.format = CD_WRITE_PCAPNG;
	w = open_writer(&o);
	p.time.s = 18446744073; /* 2^64 ns = 18446744073.709551616 s */
	p.time.ps = 709551615999;
	add(w, &p);
	p.time.ps++;
	cr_assert_eq(cd_writer_packet(w, &p, NULL), -1);
	p.time = (struct cd_instant){0};
	p.iface = 1;
	cr_assert_eq(cd_writer_packet(w, &p, NULL), -1);
	close_writer(w);
}

Test(writer, refuses_what_cannot_be_written)
{
	struct cd_writer_options o = nanoseconds(CD_WRITE_PCAP);
	struct cd_error error = {0};

	o.resolution = (struct cd_resolution){10, 7};
	cr_assert_null(cd_writer_open(path, &o, &error));
	cr_assert_eq(error.fault, CD_E_USAGE);
	o = nanoseconds(CD_WRITE_PCAP);
	error = (struct cd_error){0};
	cr_assert_null(cd_writer_open(dir, &o, &error));
	cr_assert_eq(error.fault, CD_E_FOLDER);
	error = (struct cd_error){0};
	cr_assert_null(cd_writer_open("/no/such/folder/x", &o, &error));
	cr_assert_eq(error.fault, CD_E_WRITE);
	cr_assert_str_eq(error.file, "/no/such/folder/x");
	cr_assert_eq(cd_writer_close(NULL, &error), 0);
}

Test(writer, a_full_disk_is_an_error)
{
	struct cd_writer_options o = nanoseconds(CD_WRITE_PCAP);
	struct cd_error error = {0};
	struct stat st;
	struct cd_writer *w;

	if (stat("/dev/full", &st) != 0)
		cr_skip_test("no /dev/full");
	w = cd_writer_open("/dev/full", &o, &error);
	cr_assert_not_null(w);
	cr_assert_eq(cd_writer_close(w, &error), -1);
	cr_assert_eq(error.fault, CD_E_WRITE);
}

Test(writer, the_name_appears_with_the_last_byte)
{
	struct cd_writer_options o = nanoseconds(CD_WRITE_PCAP);
	struct cd_writer *w = open_writer(&o);
	char part[PATH_MAX + 8];
	struct stat st;

	snprintf(part, sizeof(part), "%s.part", path);
	cr_assert_neq(stat(path, &st), 0);
	cr_assert_eq(stat(part, &st), 0);
	close_writer(w);
	cr_assert_eq(stat(path, &st), 0);
	cr_assert_eq(st.st_size, 24);
	cr_assert_neq(stat(part, &st), 0);
}

Test(writer, a_discarded_file_was_never_there)
{
	struct cd_writer_options o = nanoseconds(CD_WRITE_PCAP);
	struct cd_writer *w = open_writer(&o);
	char part[PATH_MAX + 8];
	struct stat st;

	snprintf(part, sizeof(part), "%s.part", path);
	cr_assert_eq(stat(part, &st), 0);
	cd_writer_discard(w);
	cr_assert_neq(stat(path, &st), 0);
	cr_assert_neq(stat(part, &st), 0);
	cd_writer_discard(NULL);
}

/* ---- ended by a signal ----------------------------------------------------
 */

/* A program of its own, with three files begun and one of them complete. How
 * it ended. */
static int end_by(int number, void (*before)(int))
{
	struct cd_writer_options o = nanoseconds(CD_WRITE_PCAP);
	struct cd_error error = {0};
	pid_t child = fork();
	int status;

	cr_assert_geq(child, 0);
	if (child == 0) {
		static const char *const names[] = {"a", "b", "c"};
		struct cd_writer *w[3];

		signal(number, before);
		cd_partial_watch();
		if (chdir(dir) != 0)
			_exit(99);
		for (int i = 0; i < 3; i++) {
			w[i] = cd_writer_open(names[i], &o, &error);
			if (w[i] == NULL)
				_exit(99);
		}
		if (cd_writer_close(w[0], &error))
			_exit(99);
		raise(number);
		_exit(77);
	}
	cr_assert_eq(waitpid(child, &status, 0), child);
	return status;
}

/* Is it there? Not afterwards. */
static bool take(const char *name)
{
	char file[PATH_MAX];

	snprintf(file, sizeof(file), "%s/%s", dir, name);
	return unlink(file) == 0;
}

Test(writer, a_signal_leaves_no_partial_file)
{
	static const int signals[] = {SIGHUP, SIGINT, SIGTERM};

	for (int i = 0; i < 3; i++) {
		int status = end_by(signals[i], SIG_DFL);

		cr_assert(WIFSIGNALED(status));
		cr_assert_eq(WTERMSIG(status), signals[i]);
		cr_assert(take("a"));
		cr_assert_not(take("a.part"));
		cr_assert_not(take("b.part"));
		cr_assert_not(take("c.part"));
	}
}

Test(writer, a_signal_that_is_ignored_ends_nothing)
{
	int status = end_by(SIGHUP, SIG_IGN);

	cr_assert(WIFEXITED(status));
	cr_assert_eq(WEXITSTATUS(status), 77);
	cr_assert(take("a"));
	cr_assert_not(take("a.part"));
	cr_assert(take("b.part"));
	cr_assert(take("c.part"));
}

/* What a run that was killed left behind is in nobody's way; what the name of
 * the partial file points to is not written. */
Test(writer, an_earlier_partial_file)
{
	struct cd_writer_options o = nanoseconds(CD_WRITE_PCAP);
	char part[PATH_MAX + 8], other[PATH_MAX + 8];
	struct stat st;

	snprintf(part, sizeof(part), "%s.part", path);
	snprintf(other, sizeof(other), "%s.other", path);
	fclose(fopen(other, "w"));
	cr_assert_eq(symlink(other, part), 0);
	close_writer(open_writer(&o));
	cr_assert_eq(stat(path, &st), 0);
	cr_assert_eq(st.st_size, 24);
	cr_assert_eq(stat(other, &st), 0);
	cr_assert_eq(st.st_size, 0);
	unlink(other);
}
