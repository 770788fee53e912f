#include <criterion/criterion.h>
#include <pcap/pcap.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "frame/filter.h"

/* UDP 10.0.0.1:9 > 10.0.0.2:9 over IPv4, no payload. */
static const uint8_t udp[28] = {0x45, 0, 0, 28, 0,  0, 0, 0, 64, 17, 0, 0, 10, 0,
				0,    1, 10, 0, 0, 2, 0, 9, 0,	9,  0, 8, 0, 0};

/* The same on a link; returns the length. */
static uint32_t wrap(uint8_t *out, const char *header, size_t n)
{
	memcpy(out, header, n);
	memcpy(out + n, udp, sizeof(udp));
	return (uint32_t)(n + sizeof(udp));
}

static bool match(const char *expression, uint32_t linktype,
		  const uint8_t *data, uint32_t n)
{
	struct cd_error error = {.fault = CD_OK};
	struct cd_filter *filter = cd_filter_new(expression, &error);
	bool result;

	cr_assert_not_null(filter, "%s", error.what);
	result = cd_filter_match(filter, linktype, data, n, n);
	cr_assert_eq(cd_filter_match(filter, linktype, data, n, n), result);
	cd_filter_free(filter);
	return result;
}

Test(filter, each_packet_by_its_own_link_type)
{
	static const struct {
		uint32_t linktype;
		size_t n;
		const char *header;
	} links[] = {
	    {1, 14, "\2\0\0\0\0\1\2\0\0\0\0\2\x08\0"},
	    {101, 0, ""},
	    {12, 0, ""},
	    {228, 0, ""},
	    {113, 16, "\0\4\0\1\0\6\2\0\0\0\0\1\0\0\x08\0"},
	    {108, 4, "\0\0\0\2"},
	};
	struct cd_filter *filter = cd_filter_new("udp port 9", NULL);
	struct cd_filter *other = cd_filter_new("udp port 10", NULL);
	uint8_t data[64];

	for (int round = 0; round < 2; round++)
		for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
			uint32_t n = wrap(data, links[i].header, links[i].n);

			cr_assert(cd_filter_match(filter, links[i].linktype,
						  data, n, n),
				  "link type %u", links[i].linktype);
			cr_assert_not(cd_filter_match(
			    other, links[i].linktype, data, n, n));
		}
	cd_filter_free(filter);
	cd_filter_free(other);
}

Test(filter, original_length_and_bytes)
{
	struct cd_filter *filter = cd_filter_new("greater 1000", NULL);
	uint8_t data[64];
	uint32_t n = wrap(data, "\2\0\0\0\0\1\2\0\0\0\0\2\x08\0", 14);

	cr_assert(cd_filter_match(filter, 1, data, n, 1000));
	cr_assert_not(cd_filter_match(filter, 1, data, n, 999));
	cd_filter_free(filter);
	cr_assert(match("udp[4:2] = 8", 1, data, n));
	cr_assert_not(match("udp[4:2] = 9", 1, data, n));
	cr_assert(match("", 1, data, n));
	/* bytes beyond the capture do not match, and are not read */
	cr_assert_not(match("ether[60] = 0", 1, data, n));
}

Test(filter, link_type_the_expression_does_not_fit)
{
	uint8_t data[64];
	uint32_t n = wrap(data, "", 0);

	/* no Ethernet addresses on raw IP */
	cr_assert_not(match("ether host 2:0:0:0:0:1", 101, data, n));
	/* nothing is known of link type 9999 */
	cr_assert_not(match("udp", 9999, data, n));
}

Test(filter, errors_are_those_of_libpcap)
{
	struct cd_error error = {.fault = CD_OK};
	struct bpf_program program;
	pcap_t *pcap = pcap_open_dead(DLT_EN10MB, 65535);

	cr_assert_null(cd_filter_new("udp prot 9", &error));
	cr_assert_eq(error.fault, CD_E_USAGE);
	cr_assert_neq(pcap_compile(pcap, &program, "udp prot 9", 1, 0), 0);
	cr_assert_not_null(strstr(error.what, pcap_geterr(pcap)));
	cr_assert_not_null(strstr(error.what, "udp prot 9"));
	pcap_close(pcap);
	cr_assert_null(cd_filter_new("udp prot 9", NULL));
	cd_filter_free(NULL);
}

static void *compile_often(void *unused)
{
	uint8_t data[64];
	uint32_t n = wrap(data, "\2\0\0\0\0\1\2\0\0\0\0\2\x08\0", 14);
	uintptr_t hits = 0;

	(void)unused;
	for (int i = 0; i < 200; i++) {
		char text[64];
		struct cd_filter *filter;

		snprintf(text, sizeof(text), "udp port %d or tcp", i % 20);
		filter = cd_filter_new(text, NULL);
		hits += cd_filter_match(filter, 1, data, n, n);
		hits += cd_filter_match(filter, 101, data + 14, n - 14, n - 14);
		cd_filter_free(filter);
	}
	return (void *)hits;
}

Test(filter, compiles_in_several_threads_at_once)
{
	pthread_t threads[4];

	for (size_t i = 0; i < 4; i++)
		cr_assert_eq(
		    pthread_create(&threads[i], NULL, compile_often, NULL), 0);
	for (size_t i = 0; i < 4; i++) {
		void *hits;

		pthread_join(threads[i], &hits);
		cr_assert_eq((uintptr_t)hits, 20);
	}
}
