#include "capture/capture.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "capture/foreign.h"
#include "capture/reader.h"

const struct cd_capture_format *const cd_capture_formats[] = {
	&cd_capture_pcap,
	&cd_capture_pcapng,
	NULL,
};

static const struct cd_capture_format *find_format(const uint8_t *bytes,
						   size_t n)
{
	for (size_t i = 0; cd_capture_formats[i] != NULL; i++)
		if (n >= 4 && cd_capture_formats[i]->probe(bytes, n))
			return cd_capture_formats[i];
	return NULL;
}

/* The format by the first bytes. 0 or -1. */
static int recognise(struct cd_capture *capture, struct cd_error *error)
{
	struct cd_input *input = capture->input;
	/* What is wrong behind them comes up again when it matters. */
	int got = cd_input_need(input, CD_FOREIGN_BYTES, NULL);
	size_t n = (size_t)(input->end - input->cur);

	capture->format = find_format(input->cur, n);
	if (capture->format != NULL)
		return 0;
	if (got < 0)
		return cd_input_need(input, CD_FOREIGN_BYTES, error);
	if (n == 0)
		return cd_error_set(error, CD_E_EMPTY, "is empty");
	return cd_foreign_explain(input->cur, n, error);
}

struct cd_capture *cd_capture_open(struct cd_input *input,
				   struct cd_error *error)
{
	struct cd_capture *capture = calloc(1, sizeof(*capture));

	if (capture == NULL) {
		cd_error_memory(error);
		cd_input_close(input);
		return NULL;
	}
	capture->input = input;
	if (recognise(capture, error) == 0 &&
	    capture->format->open(capture, error) == 0)
		return capture;
	cd_error_file(error, cd_input_path(input));
	cd_capture_close(capture);
	return NULL;
}

void cd_capture_close(struct cd_capture *capture)
{
	if (capture == NULL)
		return;
	if (capture->format != NULL)
		capture->format->close(capture);
	for (size_t i = 0; i < capture->n_ifaces; i++) {
		struct cd_iface *iface = &capture->ifaces[i];

		free(iface->name);
		free(iface->description);
		free(iface->filter);
		free(iface->os);
		free(iface->hardware);
	}
	free(capture->ifaces);
	free(capture->hardware);
	free(capture->os);
	free(capture->application);
	free(capture->comment);
	cd_input_close(capture->input);
	free(capture);
}

struct cd_iface *cd_capture_add_iface(struct cd_capture *capture,
				      struct cd_error *error)
{
	struct cd_iface *iface;

	if (capture->n_ifaces >= UINT32_MAX ||
	    cd_grow(&capture->ifaces, &capture->ifaces_capacity,
		    capture->n_ifaces + 1, sizeof(*iface)) < 0) {
		cd_error_memory(error);
		return NULL;
	}
	iface = &capture->ifaces[capture->n_ifaces++];
	*iface = (struct cd_iface){
		.resolution = {10, 6},
		.fcs_bytes = CD_FCS_UNKNOWN,
		.received = CD_COUNT_NONE,
		.dropped = CD_COUNT_NONE,
		.os_dropped = CD_COUNT_NONE,
		.accepted = CD_COUNT_NONE,
		.delivered = CD_COUNT_NONE,
	};
	return iface;
}

/* Link types whose records exceed 256 KiB by nature (libpcap,
 * pcap-common.c): DBus messages, USB transfers, EBHSCR. */
static uint32_t natural_limit(uint32_t linktype)
{
	switch (linktype) {
	case 231: /* DBUS */
	case 186: /* USB_FREEBSD */
	case 189: /* USB_LINUX */
	case 220: /* USB_LINUX_MMAPPED */
	case 249: /* USBPCAP */
	case 266: /* USB_DARWIN */
		return CD_RECORD_MAX;
	case 279: /* EBHSCR */
		return 8u << 20;
	default:
		return 256u << 10;
	}
}

uint32_t cd_record_limit(uint32_t linktype, uint32_t snaplen)
{
	uint32_t limit = natural_limit(linktype);

	if (snaplen > CD_RECORD_MAX)
		return limit;
	return snaplen > limit ? snaplen : limit;
}

int cd_capture_damaged(const struct cd_capture *capture, uint64_t offset,
		       struct cd_error *error, const char *format, ...)
{
	char found[256];
	va_list args;

	if (error == NULL || error->fault != CD_OK)
		return -1;
	va_start(args, format);
	vsnprintf(found, sizeof(found), format, args);
	va_end(args);
	error->offset = offset;
	error->packets = capture->packets;
	cd_error_file(error, cd_input_path(capture->input));
	cd_error_hint(error, "%scopy the file again, or have pcapfix repair it",
		      capture->packets > 0
			  ? "the packets before it are analysed; "
			  : "");
	return cd_error_set(error, CD_E_CORRUPT,
			    "damaged at byte %llu, after packet %llu: %s",
			    (unsigned long long)offset,
			    (unsigned long long)capture->packets, found);
}

/* The input cannot know how many packets came before its error. */
static void tell_packets(struct cd_error *error)
{
	size_t used = strlen(error->what);

	snprintf(error->what + used, sizeof(error->what) - used,
		 " after packet %llu, at byte %llu when inflated",
		 (unsigned long long)error->packets,
		 (unsigned long long)error->offset);
}

int cd_capture_short(const struct cd_capture *capture, int got,
		     const char *thing, uint64_t offset, uint64_t size,
		     struct cd_error *error)
{
	if (error == NULL)
		return -1;
	error->packets = capture->packets;
	if (got == 0 || error->fault == CD_E_TRUNCATED)
		cd_error_hint(error, "%s",
			      capture->packets > 0
				  ? "what is there is analysed; "
				    "--allow-truncated accepts such files"
				  : "copy the file again: no packet in it is "
				    "complete");
	if (got < 0) {
		if (error->fault == CD_E_TRUNCATED ||
		    error->fault == CD_E_CORRUPT)
			tell_packets(error);
		return -1;
	}
	error->offset = offset;
	cd_error_file(error, cd_input_path(capture->input));
	return cd_error_set(
	    error, CD_E_TRUNCATED,
	    "cut short after packet %llu: of the %llu bytes of %s at byte "
	    "%llu only %llu are there",
	    (unsigned long long)capture->packets, (unsigned long long)size,
	    thing, (unsigned long long)offset,
	    (unsigned long long)(capture->input->base - offset));
}
