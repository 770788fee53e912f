/*
 * Thousands of damaged captures: whatever they hold, reading them ends, stays
 * inside the bytes, and does not depend on how the bytes arrive.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <zlib.h>

#include "reading.h"

/* splitmix64 */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static size_t below(uint64_t *state, size_t n)
{
	return n == 0 ? 0 : (size_t)(next_random(state) % n);
}

/* ---- what is mutated ---- */

static struct build build_pcap(uint32_t magic, bool big)
{
	struct build b = {.big = big};

	put_pcap(&b, magic, 65535, 1);
	for (unsigned i = 0; i < 12; i++) {
		put_head(&b, 1700000000 + i, 1000 + i, 10 + i, 60);
		if (magic == PCAP_MODIFIED)
			put_fill(&b, 0, 8);
		put_packet(&b, i, 10 + i);
	}
	return b;
}

static void put_zoo(struct build *b)
{
	size_t at = begin_section(b);

	put_text_option(b, 2, "hardware");
	put_text_option(b, 4, "application");
	put_end_of_options(b);
	end_block(b, at);
	put_iface(b, 1, 128, 9);
	at = begin_iface(b, 101, 0);
	put_text_option(b, 2, "eth1");
	put_int_option(b, 9, 0x80 | 20, 1);
	put_int_option(b, 14, 1000, 8);
	end_block(b, at);
	for (unsigned i = 0; i < 4; i++)
		put_epb(b, i % 2, 1700000000000000000 + i, 10 + i, 60);
	at = begin_epb(b, 0, 1700000001000000000, 7, 7);
	put_text_option(b, 1, "comment");
	put_int_option(b, 2, 0x21, 4);
	put_int_option(b, 4, 12, 8);
	put_end_of_options(b);
	end_block(b, at);
	at = begin_block(b, 3);
	put(b, 6, 4);
	put_packet(b, 3, 6);
	end_block(b, at);
	at = begin_block(b, 2);
	put(b, 1, 2);
	put(b, 9, 2);
	put(b, 0, 8);
	put(b, 5, 4);
	put(b, 5, 4);
	put_packet(b, 1, 5);
	end_block(b, at);
	at = begin_block(b, 0xbad);
	put(b, 32473, 4);
	end_block(b, at);
	at = begin_block(b, 5);
	put(b, 1, 4);
	put(b, 0, 8);
	put_int_option(b, 2, 1, 8);
	put_int_option(b, 4, 100, 8);
	put_end_of_options(b);
	end_block(b, at);
}

static struct build build_pcapng(bool big)
{
	struct build b = {.big = big};

	put_zoo(&b);
	b.big = !big;
	put_zoo(&b);
	return b;
}

static struct build build_gzip(struct build plain)
{
	struct build b = {0};
	uint8_t out[8192];
	z_stream z = {0};

	for (int member = 0; member < 2; member++) {
		size_t half = plain.n / 2;

		cr_assert_eq(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8,
					  Z_DEFAULT_STRATEGY), Z_OK);
		z.next_in = plain.bytes + (member ? half : 0);
		z.avail_in = (uInt)(member ? plain.n - half : half);
		z.next_out = out;
		z.avail_out = sizeof(out);
		cr_assert_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
		put_bytes(&b, out, sizeof(out) - z.avail_out);
		deflateEnd(&z);
	}
	free(plain.bytes);
	return b;
}

static struct build build_base(size_t kind)
{
	switch (kind) {
	case 0:
		return build_pcap(PCAP_US, false);
	case 1:
		return build_pcap(PCAP_NS, true);
	case 2:
		return build_pcap(PCAP_MODIFIED, false);
	case 3:
		return build_pcapng(false);
	case 4:
		return build_pcapng(true);
	default:
		return build_gzip(build_pcapng(false));
	}
}

#define BASES 6

/* One change: a bit, an interesting word, bytes removed, doubled or cut. */
static void mutate(struct build *b, uint64_t *random)
{
	static const uint32_t words[] = {0, 1, 4, 12, 28, 32, 0x7fffffff,
					 0x80000000, 0xffffffff, 0xfffffffc,
					 0x0a0d0d0a, 0x1a2b3c4d, 0x8000000};
	size_t at = below(random, b->n);
	size_t n = below(random, 20);

	if (n > b->n - at)
		n = b->n - at;
	switch (below(random, 6)) {
	case 0:
		b->bytes[at] ^= (uint8_t)(1u << below(random, 8));
		break;
	case 1:
		b->bytes[at] = (uint8_t)next_random(random);
		break;
	case 2:
		at &= ~(size_t)3;
		b->big = below(random, 2);
		if (at + 4 <= b->n)
			set32(b, at, words[below(random, 13)]);
		break;
	case 3:
		memmove(b->bytes + at, b->bytes + at + n, b->n - at - n);
		b->n -= n;
		break;
	case 4:
		put_fill(b, 0, n);
		memmove(b->bytes + at + n, b->bytes + at, b->n - at - n);
		break;
	default:
		b->n = at;
	}
}

/* ---- what reading gives ---- */

struct outcome { /* no padding: compared as bytes */
	uint64_t packets, bytes, digest, faults, comments, n_ifaces;
	uint64_t fault, offset;
};

static void digest_value(uint64_t *digest, uint64_t value)
{
	*digest = (*digest ^ value) * 0x100000001b3u;
}

static void digest_record(uint64_t *digest, const struct cd_record *r)
{
	digest_value(digest, r->number);
	digest_value(digest, (uint64_t)r->time.s);
	digest_value(digest, (uint64_t)r->time.ps);
	digest_value(digest, (uint64_t)r->caplen << 32 | r->origlen);
	digest_value(digest, (uint64_t)r->iface << 32 | r->linktype);
	digest_value(digest, r->flags | (uint64_t)r->fcs_bytes << 8 |
				 (uint64_t)r->direction << 16);
	digest_value(digest, r->drops);
	digest_value(digest, r->fraction);
	for (size_t i = 0; i < r->caplen; i++)
		digest_value(digest, r->data[i]);
}

static void check_record(const struct cd_capture *c, const struct cd_record *r)
{
	cr_assert_lt(r->iface, c->n_ifaces);
	cr_assert(r->time.ps >= 0 && r->time.ps < CD_PS_PER_S);
	cr_assert_leq(r->caplen, CD_RECORD_MAX);
	cr_assert_leq(r->direction, 2);
	cr_assert_eq(r->number, c->packets);
}

static struct outcome read_path(const char *path)
{
	struct cd_error error = {0};
	struct cd_input *input = cd_input_open(path, &error);
	struct cd_capture *c = cd_capture_open(input, &error);
	struct outcome o = {0};
	struct cd_record r;
	int got = -1;

	while (c != NULL && (got = cd_capture_next(c, &r, &error)) == 1) {
		check_record(c, &r);
		digest_record(&o.digest, &r);
	}
	cr_assert_eq(got == -1, error.fault != CD_OK);
	cr_assert_eq(got == -1, error.what[0] != '\0');
	o.fault = error.fault;
	o.offset = error.offset;
	if (c != NULL) {
		o.packets = c->packets;
		o.bytes = c->bytes;
		o.faults = c->faults;
		o.comments = c->comments;
		o.n_ifaces = c->n_ifaces;
	}
	cd_capture_close(c);
	return o;
}

static struct outcome read_file(const struct build *b)
{
	char *path = save(b->bytes, b->n);
	struct outcome o = read_path(path);

	discard(path);
	return o;
}

Test(mutate, reading_ends_and_stays_inside, .timeout = 120)
{
	uint64_t random = 1;
	unsigned faults[CD_E_DATA + 1] = {0};

	for (size_t i = 0; i < 6000; i++) {
		struct build b = build_base(i % BASES);
		size_t changes = 1 + below(&random, 3);
		struct outcome o;

		while (changes-- > 0 && b.n > 0)
			mutate(&b, &random);
		o = read_file(&b);
		cr_assert_leq(o.packets, 60);
		cr_assert(o.fault == CD_OK || o.fault == CD_E_EMPTY ||
			  o.fault == CD_E_FORMAT || o.fault == CD_E_TRUNCATED ||
			  o.fault == CD_E_CORRUPT, "fault %d", (int)o.fault);
		faults[o.fault]++;
		free(b.bytes);
	}
	/* The mutations do reach all of these. */
	cr_assert_gt(faults[CD_OK], 100);
	cr_assert_gt(faults[CD_E_FORMAT], 10);
	cr_assert_gt(faults[CD_E_TRUNCATED], 100);
	cr_assert_gt(faults[CD_E_CORRUPT], 100);
}

/* ---- the same bytes, in crumbs ---- */

struct crumbs {
	const char *path;
	const struct build *b;
	uint64_t random;
};

static void *write_crumbs(void *argument)
{
	struct crumbs *c = argument;
	int fd = open(c->path, O_WRONLY);
	size_t at = 0;

	while (at < c->b->n) {
		size_t n = 1 + below(&c->random, 40);
		ssize_t done;

		if (n > c->b->n - at)
			n = c->b->n - at;
		done = write(fd, c->b->bytes + at, n);
		if (done < 0)
			break; /* the reader has seen enough */
		at += (size_t)done;
		sched_yield();
	}
	close(fd);
	return NULL;
}

static struct outcome read_crumbs(const struct build *b, uint64_t seed)
{
	char *path = save("", 0);
	struct crumbs c = {path, b, seed};
	struct outcome o;
	pthread_t thread;

	unlink(path);
	cr_assert_eq(mkfifo(path, 0600), 0);
	cr_assert_eq(pthread_create(&thread, NULL, write_crumbs, &c), 0);
	o = read_path(path);
	pthread_join(thread, NULL);
	discard(path);
	return o;
}

Test(mutate, how_the_bytes_arrive_changes_nothing, .timeout = 120)
{
	uint64_t random = 2;

	signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; i < 300; i++) {
		struct build b = build_base(i % BASES);
		struct outcome whole, crumbs;

		if (i >= BASES)
			mutate(&b, &random);
		if (b.n > 0) {
			whole = read_file(&b);
			crumbs = read_crumbs(&b, i);
			cr_assert_eq(memcmp(&whole, &crumbs, sizeof(whole)), 0,
				     "round %zu", i);
		}
		free(b.bytes);
	}
}
