#include "frame/filter.h"

#include <pcap/pcap.h>
#include <stdlib.h>

#include "base/array.h"

/* libpcap's own MAXIMUM_SNAPLEN */
#define FILTER_SNAPLEN 262144

struct program {
	uint32_t linktype;
	bool usable;
	struct bpf_program bpf;
};

struct cd_filter {
	char *expression;
	struct program *programs; /* one per link type met */
	size_t n, capacity;
};

/* In files LINKTYPE_, in memory DLT_: equal but for these (pcap-common.c). */
static int dlt_of(uint32_t linktype)
{
	switch (linktype) {
	case 100:
		return DLT_ATM_RFC1483;
	case 101:
		return DLT_RAW;
	case 102:
		return DLT_SLIP_BSDOS;
	case 103:
		return DLT_PPP_BSDOS;
	case 104:
		return DLT_C_HDLC;
	case 106:
		return DLT_ATM_CLIP;
	case 107:
		return DLT_FRELAY;
	case 108:
		return DLT_LOOP;
	case 109:
		return DLT_ENC;
	case 12:
	case 14:
		return DLT_RAW;
	default:
		return (int)linktype;
	}
}

/* 0, or -1 with the reason. pcap_compile() is safe in threads since libpcap
 * 1.8; configure asks for 1.9. */
static int compile(const char *expression, uint32_t linktype,
		   struct bpf_program *bpf, struct cd_error *error)
{
	pcap_t *pcap = pcap_open_dead(dlt_of(linktype), FILTER_SNAPLEN);
	int result = 0;

	if (pcap == NULL)
		return cd_error_memory(error);
	if (pcap_compile(pcap, bpf, expression, 1, PCAP_NETMASK_UNKNOWN) != 0) {
		result = cd_error_set(error, CD_E_USAGE, "filter \"%s\": %s",
				      expression, pcap_geterr(pcap));
		cd_error_hint(error, "see pcap-filter(7) for the syntax");
	}
	pcap_close(pcap);
	return result;
}

/* NULL without memory. */
static struct program *add_program(struct cd_filter *filter, uint32_t linktype,
				   struct cd_error *error)
{
	struct program *program;

	if (cd_grow(&filter->programs, &filter->capacity, filter->n + 1,
		    sizeof(*filter->programs)) != 0) {
		cd_error_memory(error);
		return NULL;
	}
	program = &filter->programs[filter->n++];
	*program = (struct program){.linktype = linktype};
	program->usable =
	    compile(filter->expression, linktype, &program->bpf, error) == 0;
	return program;
}

struct cd_filter *cd_filter_new(const char *expression, struct cd_error *error)
{
	struct cd_filter *filter = calloc(1, sizeof(*filter));
	struct program *program;

	if (filter == NULL)
		goto no_memory;
	filter->expression = cd_strdup(expression);
	if (filter->expression == NULL)
		goto no_memory;
	program = add_program(filter, DLT_EN10MB, error);
	if (program != NULL && program->usable)
		return filter;
	cd_filter_free(filter);
	return NULL;

no_memory:
	cd_error_memory(error);
	cd_filter_free(filter);
	return NULL;
}

void cd_filter_free(struct cd_filter *filter)
{
	if (filter == NULL)
		return;
	for (size_t i = 0; i < filter->n; i++)
		if (filter->programs[i].usable)
			pcap_freecode(&filter->programs[i].bpf);
	free(filter->programs);
	free(filter->expression);
	free(filter);
}

bool cd_filter_match(struct cd_filter *filter, uint32_t linktype,
		     const uint8_t *data, uint32_t caplen, uint32_t origlen)
{
	struct pcap_pkthdr header = {.caplen = caplen, .len = origlen};
	struct program *program = NULL;

	for (size_t i = 0; i < filter->n && program == NULL; i++)
		if (filter->programs[i].linktype == linktype)
			program = &filter->programs[i];
	if (program == NULL)
		program = add_program(filter, linktype, NULL);
	return program != NULL && program->usable &&
	       pcap_offline_filter(&program->bpf, &header, data) != 0;
}
