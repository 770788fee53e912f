/*
 * A line with a --stamp argument, then a capture: the argument is parsed and
 * its format tried on every packet, as are all formats and the search for one
 * of them, or for a counter.
 */
#include "fuzz.h"

#include "capture/capture.h"
#include "stamp/detect.h"

#define PACKETS_MAX 400

struct packets {
	struct cd_frame frames[PACKETS_MAX];
	enum cd_frame_status status[PACKETS_MAX];
	struct cd_instant times[PACKETS_MAX];
	uint8_t *data[PACKETS_MAX];
	size_t n;
};

static void read_packets(struct packets *p, const uint8_t *bytes, size_t n)
{
	struct cd_input *input = cd_input_open_bytes(bytes, n, "x", NULL);
	struct cd_capture *capture = cd_capture_open(input, NULL);
	struct cd_record r;

	while (capture != NULL && p->n < PACKETS_MAX &&
	       cd_capture_next(capture, &r, NULL) == 1) {
		size_t i = p->n++;

		p->data[i] = exact_copy(r.data, r.caplen);
		p->times[i] = r.time;
		p->status[i] = cd_frame_parse(r.linktype, p->data[i], r.caplen,
					      r.origlen, r.fcs_bytes,
					      &p->frames[i]);
	}
	cd_capture_close(capture);
}

static void check_stamp(const struct cd_stamp_spec *spec,
			enum cd_stamp_found found, const struct cd_stamp *stamp)
{
	unsigned bits = cd_stamp_bits(spec);

	MUST(found == CD_STAMP_YES || found == CD_STAMP_NO ||
	     found == CD_STAMP_CUT || found == CD_STAMP_CONTROL);
	if (found != CD_STAMP_YES)
		return;
	MUST(bits <= 64);
	MUST(bits == 0 || bits == 64 || stamp->seq >> bits == 0);
	MUST(!spec->has_flow || stamp->flow == spec->flow);
}

/* Where the number is pinned to, parse() finds it. */
static void check_pin(const struct cd_stamp_spec *spec,
		      const struct cd_frame *frame,
		      const struct cd_stamp *stamp)
{
	struct cd_stamp_pin pin;
	ptrdiff_t at;
	uint64_t seq = 0;

	if (spec->format->pin == NULL || frame->payload == NULL ||
	    !spec->format->pin(spec, frame, &pin))
		return;
	at = frame->payload - frame->data + pin.at;
	MUST(pin.width >= 1 && pin.width <= 8 && at >= 0);
	MUST((size_t)at + pin.width <= frame->caplen);
	for (unsigned i = 0; i < pin.width; i++) {
		unsigned byte = pin.little ? pin.width - 1 - i : i;

		seq = seq << 8 | frame->data[(size_t)at + byte];
	}
	MUST(seq == stamp->seq);
}

static void parse_all(const struct cd_stamp_spec *spec,
		      const struct packets *p)
{
	for (size_t i = 0; i < p->n; i++) {
		struct cd_stamp stamp = {0};
		enum cd_stamp_found found =
		    cd_stamp_parse(spec, &p->frames[i], &stamp);

		check_stamp(spec, found, &stamp);
		if (found == CD_STAMP_YES)
			check_pin(spec, &p->frames[i], &stamp);
		if (i > 0 && spec->format->fits != NULL &&
		    found == CD_STAMP_YES &&
		    cd_stamp_parse(spec, &p->frames[i - 1], &stamp) ==
			CD_STAMP_YES)
			spec->format->fits(&p->frames[i - 1], &p->frames[i]);
	}
}

/* What is printed to be pasted reads the same packets. */
static void spell(const struct cd_stamp_spec *spec, const struct packets *p)
{
	struct cd_str text = {0};
	struct cd_stamp_spec again;

	cd_stamp_title(spec, &text);
	cd_str_release(&text);
	if (spec->format->spell == NULL)
		return;
	spec->format->spell(spec, &text);
	MUST(cd_stamp_spec_parse(cd_str_text(&text), &again, NULL) == 0);
	cd_str_release(&text);
	for (size_t i = 0; i < p->n; i++) {
		struct cd_stamp a = {0}, b = {0};
		enum cd_stamp_found found =
		    cd_stamp_parse(spec, &p->frames[i], &a);

		MUST(cd_stamp_parse(&again, &p->frames[i], &b) == found);
		MUST(found != CD_STAMP_YES || a.seq == b.seq);
	}
}

static void detect(const struct packets *p)
{
	size_t half = p->n / 2;
	struct cd_sample samples[2] = {
	    {p->frames, p->status, half, p->times, true},
	    {p->frames + half, p->status + half, p->n - half, p->times + half,
	     false}};
	struct cd_detection d;

	MUST(cd_stamp_detect(samples, 2, &d, NULL) == 0);
	MUST(!d.ambiguous || d.spec.format == NULL);
	if (d.spec.format != NULL) {
		for (size_t i = 0; i < 2; i++)
			MUST(d.share[i] >= 0 && d.share[i] <= 1);
		parse_all(&d.spec, p);
		spell(&d.spec, p);
	}
	cd_detection_release(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static struct packets p;
	const uint8_t *end = n > 0 ? memchr(bytes, '\n', n) : NULL;
	struct cd_stamp_spec spec;
	char *text;

	if (end == NULL)
		return 0;
	memset(&p, 0, sizeof(p));
	text = make_text(bytes, (size_t)(end - bytes));
	end++;
	read_packets(&p, end, n - (size_t)(end - bytes));
	if (cd_stamp_spec_parse(text, &spec, NULL) == 0) {
		parse_all(&spec, &p);
		spell(&spec, &p);
	}
	for (size_t i = 0; cd_stamp_formats[i] != NULL; i++)
		if (cd_stamp_spec_parse(cd_stamp_formats[i]->name, &spec,
					NULL) == 0)
			parse_all(&spec, &p);
	detect(&p);
	for (size_t i = 0; i < p.n; i++)
		free(p.data[i]);
	free(text);
	return 0;
}
