/*
 * count FILTER SENT RECEIVED
 *
 * What a capture lacks of another, by the bytes of the packets alone: nothing
 * of capdiff is used. FILTER picks the packets of the stream in both files.
 * Prints shell assignments:
 *   sent_records, received_records   all packets of the files
 *   sent, received                   different packets of the stream
 *   copies                           in RECEIVED, beyond the first
 *   missing                          in SENT and not in RECEIVED
 *   extra                            in RECEIVED and not in SENT
 */
#include <pcap/pcap.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ETHERNET_BYTES 14

/* 64 bits of each half: no collision among the packets of a file. */
struct print {
	uint64_t a, b;
};

struct capture {
	struct print *prints;
	size_t n, capacity;
	unsigned long long records;
	unsigned long long distinct;
};

static struct print fingerprint(const unsigned char *bytes, size_t n)
{
	struct print p = {14695981039346656037u, 88172645463325252u ^ n};

	for (size_t i = ETHERNET_BYTES; i < n; i++) {
		p.a = (p.a ^ bytes[i]) * 1099511628211u;
		p.b = (p.b + bytes[i]) * 6364136223846793005u;
		p.b ^= p.b >> 29;
	}
	return p;
}

static int compare(const void *x, const void *y)
{
	const struct print *p = x, *q = y;

	if (p->a != q->a)
		return p->a < q->a ? -1 : 1;
	return (p->b > q->b) - (p->b < q->b);
}

static int add(struct capture *c, struct print p)
{
	if (c->n == c->capacity) {
		size_t capacity = c->capacity == 0 ? 4096 : c->capacity * 2;
		struct print *more = realloc(c->prints,
					     capacity * sizeof(*more));

		if (more == NULL)
			return -1;
		c->prints = more;
		c->capacity = capacity;
	}
	c->prints[c->n++] = p;
	return 0;
}

static int load(const char *path, const char *filter, struct capture *c)
{
	char message[PCAP_ERRBUF_SIZE] = "";
	pcap_t *pcap = pcap_open_offline(path, message);
	struct bpf_program program;
	struct pcap_pkthdr *header;
	const unsigned char *data;
	int status;

	if (pcap == NULL ||
	    pcap_compile(pcap, &program, filter, 1, PCAP_NETMASK_UNKNOWN)) {
		fprintf(stderr, "%s: %s\n", path,
			pcap == NULL ? message : pcap_geterr(pcap));
		return -1;
	}
	while ((status = pcap_next_ex(pcap, &header, &data)) == 1) {
		c->records++;
		if (pcap_offline_filter(&program, header, data) != 0 &&
		    add(c, fingerprint(data, header->caplen)) != 0)
			break;
	}
	pcap_freecode(&program);
	pcap_close(pcap);
	if (c->n != 0)
		qsort(c->prints, c->n, sizeof(*c->prints), compare);
	return status == PCAP_ERROR_BREAK ? 0 : -1;
}

static size_t next_other(const struct capture *c, size_t i)
{
	size_t j = i + 1;

	while (j < c->n && compare(&c->prints[i], &c->prints[j]) == 0)
		j++;
	return j;
}

static unsigned long long count_distinct(const struct capture *c)
{
	unsigned long long n = 0;

	for (size_t i = 0; i < c->n; i = next_other(c, i))
		n++;
	return n;
}

static unsigned long long count_common(const struct capture *x,
				       const struct capture *y)
{
	unsigned long long n = 0;
	size_t i = 0, j = 0;

	while (i < x->n && j < y->n) {
		int order = compare(&x->prints[i], &y->prints[j]);

		n += order == 0;
		if (order <= 0)
			i = next_other(x, i);
		if (order >= 0)
			j = next_other(y, j);
	}
	return n;
}

int main(int argc, char **argv)
{
	struct capture sent = {0}, received = {0};
	unsigned long long common;
	int status = 2;

	if (argc != 4) {
		fputs("usage: count FILTER SENT RECEIVED\n", stderr);
		return 2;
	}
	if (load(argv[2], argv[1], &sent) == 0 &&
	    load(argv[3], argv[1], &received) == 0) {
		sent.distinct = count_distinct(&sent);
		received.distinct = count_distinct(&received);
		common = count_common(&sent, &received);
		printf("sent_records=%llu received_records=%llu sent=%llu "
		       "received=%llu copies=%llu missing=%llu extra=%llu\n",
		       sent.records, received.records, sent.distinct,
		       received.distinct, received.n - received.distinct,
		       sent.distinct - common, received.distinct - common);
		status = 0;
	}
	free(sent.prints);
	free(received.prints);
	return status;
}
