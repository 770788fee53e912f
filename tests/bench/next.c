/* next FILE...: a bare pcap_next_ex loop, the unit of the benchmark. */
#include <pcap/pcap.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	char message[PCAP_ERRBUF_SIZE];
	unsigned long long packets = 0, bytes = 0;

	for (int i = 1; i < argc; i++) {
		struct pcap_pkthdr *header;
		const unsigned char *data;
		pcap_t *pcap = pcap_open_offline_with_tstamp_precision(
		    argv[i], PCAP_TSTAMP_PRECISION_NANO, message);

		if (pcap == NULL) {
			fprintf(stderr, "%s\n", message);
			return 1;
		}
		while (pcap_next_ex(pcap, &header, &data) == 1) {
			packets++;
			bytes += header->caplen;
		}
		pcap_close(pcap);
	}
	printf("%llu packets, %llu bytes\n", packets, bytes);
	return 0;
}
