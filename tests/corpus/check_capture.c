/*
 * Reads captures twice, with capdiff's reader and (inflated if need be) with
 * libpcap, and prints one line for each, with tabs between:
 *
 *	FILE PACKETS END LIBPCAP
 *
 * END is how our reading ended: end, empty, format, compression, truncated,
 * corrupt. LIBPCAP is "same" (the same records to the end), "stops N: why"
 * (the N records it gave are the same), "refuses: why", or "differs N: what".
 * Exit status 0; anything else (a signal too: each file gets 60 s) is a fault
 * of the program. -v explains the errors on stderr.
 */
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "capture/capture.h"

/* The other reader, whose records must equal ours as far as it gets. */
struct oracle {
	pcap_t *pcap;
	bool stopped;
	uint64_t packets;
	char refused[PCAP_ERRBUF_SIZE];
	char differs[512];
};

static const char *name_fault(enum cd_fault fault)
{
	switch (fault) {
	case CD_OK:
		return "end";
	case CD_E_EMPTY:
		return "empty";
	case CD_E_FORMAT:
		return "format";
	case CD_E_COMPRESSION:
		return "compression";
	case CD_E_TRUNCATED:
		return "truncated";
	case CD_E_CORRUPT:
		return "corrupt";
	default:
		return "trouble";
	}
}

/* All that the input gives, as a plain file without a name. */
static FILE *inflate_file(const char *path)
{
	struct cd_input *input = cd_input_open(path, NULL);
	FILE *plain = tmpfile();

	if (input == NULL || plain == NULL)
		exit(2);
	for (;;) {
		(void)cd_input_need(input, 1, NULL);
		if (input->cur == input->end)
			break;
		if (fwrite(input->cur, 1, (size_t)(input->end - input->cur),
			   plain) == 0)
			exit(2);
		input->cur = input->end;
	}
	cd_input_close(input);
	rewind(plain);
	return plain;
}

static void open_oracle(struct oracle *o, const char *path)
{
	FILE *plain = inflate_file(path);

	o->pcap = pcap_fopen_offline_with_tstamp_precision(
	    plain, PCAP_TSTAMP_PRECISION_NANO, o->refused);
	if (o->pcap == NULL)
		fclose(plain);
}

/*
 * Where libpcap does otherwise by design: it cuts records to the snapshot
 * length of the (first) header; its 32-bit seconds of pcap files are signed;
 * it converts pseudo headers of the other byte order to its own, and the
 * lengths of memory-mapped USB captures.
 */
static bool is_rewritten(const struct oracle *o, const struct cd_record *r)
{
	return r->linktype == 220 ||
	       (pcap_is_swapped(o->pcap) &&
		(r->linktype == 189 || r->linktype == 239 ||
		 r->linktype == 117 || r->linktype == 192));
}

static int64_t expected_seconds(const struct cd_capture *capture,
				const struct cd_record *r)
{
	if (strcmp(capture->format->name, "pcap") == 0)
		return (int32_t)(uint32_t)r->time.s;
	return r->time.s;
}

static int64_t expected_ns(const struct cd_capture *capture,
			   const struct cd_record *r)
{
	if ((r->flags & CD_RECORD_BAD_FRACTION) == 0)
		return r->time.ps / CD_PS_PER_NS;
	if (capture->ifaces[0].resolution.exponent == 6)
		return (int64_t)(int32_t)r->fraction * 1000;
	return (int32_t)r->fraction;
}

static const char *find_difference(const struct oracle *o,
				   const struct cd_capture *capture,
				   const struct cd_record *r,
				   const struct pcap_pkthdr *h,
				   const uint8_t *data)
{
	uint32_t caplen = r->caplen;
	uint32_t snaplen = (uint32_t)pcap_snapshot(o->pcap);

	if (caplen > snaplen)
		caplen = snaplen;
	if (h->caplen != caplen)
		return "caplen";
	if (h->len != r->origlen && !is_rewritten(o, r))
		return "origlen";
	if ((r->flags & CD_RECORD_OUT_OF_RANGE) == 0 &&
	    (h->ts.tv_sec != expected_seconds(capture, r) ||
	     h->ts.tv_usec != expected_ns(capture, r)))
		return "time";
	if (memcmp(data, r->data, caplen) != 0 && !is_rewritten(o, r))
		return "data";
	return NULL;
}

static void compare(struct oracle *o, const struct cd_capture *capture,
		    const struct cd_record *r)
{
	struct pcap_pkthdr *h;
	const uint8_t *data;
	const char *what;

	if (o->pcap == NULL || o->stopped)
		return;
	if (pcap_next_ex(o->pcap, &h, &data) != 1) {
		o->stopped = true;
		return;
	}
	o->packets++;
	what = find_difference(o, capture, r, h, data);
	if (what == NULL)
		return;
	snprintf(o->differs, sizeof(o->differs),
		 "%s: theirs %u %u %lld.%09lld, ours %u %u %lld.%012lld", what,
		 h->caplen, h->len, (long long)h->ts.tv_sec,
		 (long long)h->ts.tv_usec, r->caplen, r->origlen,
		 (long long)r->time.s, (long long)r->time.ps);
	o->stopped = true;
}

/* Records that only the other reader has are a difference too. */
static void finish(struct oracle *o, const struct cd_error *error)
{
	struct pcap_pkthdr *h;
	const uint8_t *data;
	int more;

	if (o->pcap == NULL || o->stopped)
		return;
	more = pcap_next_ex(o->pcap, &h, &data);
	if (more == 1)
		snprintf(o->differs, sizeof(o->differs), "it reads on: %s",
			 error->what);
	o->stopped = more == -1 && error->fault == CD_OK;
}

static void tell(const char *path, const struct oracle *o, uint64_t packets,
		 const struct cd_error *error)
{
	printf("%s\t%llu\t%s\t", path, (unsigned long long)packets,
	       name_fault(error->fault));
	if (o->differs[0] != '\0')
		printf("differs %llu: %s\n", (unsigned long long)o->packets,
		       o->differs);
	else if (o->pcap == NULL)
		printf("refuses: %s\n", o->refused);
	else if (o->stopped)
		printf("stops %llu: %s\n", (unsigned long long)o->packets,
		       pcap_geterr(o->pcap));
	else
		printf("same\n");
	fflush(stdout);
}

static void check(const char *path, bool verbose)
{
	struct cd_error error = {0};
	struct oracle oracle = {0};
	struct cd_input *input = cd_input_open(path, &error);
	struct cd_capture *capture;
	struct cd_record record;

	if (input == NULL) {
		fprintf(stderr, "%s: %s\n", path, error.what);
		exit(2);
	}
	open_oracle(&oracle, path);
	capture = cd_capture_open(input, &error);
	while (capture != NULL &&
	       cd_capture_next(capture, &record, &error) == 1)
		compare(&oracle, capture, &record);
	finish(&oracle, &error);
	tell(path, &oracle, capture == NULL ? 0 : capture->packets, &error);
	if (verbose && error.fault != CD_OK)
		fprintf(stderr, "%s: %s\n", path, error.what);
	if (oracle.pcap != NULL)
		pcap_close(oracle.pcap);
	cd_capture_close(capture);
}

int main(int argc, char **argv)
{
	bool verbose = argc > 1 && strcmp(argv[1], "-v") == 0;

	for (int i = 1 + verbose; i < argc; i++) {
		alarm(60);
		check(argv[i], verbose);
	}
	return 0;
}
