/* The bytes are a capture file, read record by record and again in bursts. */
#include "fuzz.h"

#include "capture/capture.h"

static struct cd_capture *open_bytes(const uint8_t *bytes, size_t n,
				     struct cd_error *error)
{
	struct cd_input *input = cd_input_open_bytes(bytes, n, "x", error);
	struct cd_capture *capture = cd_capture_open(input, error);

	MUST((capture == NULL) == (error->fault != CD_OK));
	MUST(capture != NULL || error->what[0] != '\0');
	return capture;
}

static void check_record(const struct cd_capture *c, const struct cd_record *r)
{
	volatile uint8_t sum = 0;

	MUST(r->iface < c->n_ifaces);
	MUST(r->time.ps >= 0 && r->time.ps < CD_PS_PER_S);
	MUST(r->caplen <= CD_RECORD_MAX && r->direction <= 2);
	MUST(r->number == c->packets);
	for (uint32_t i = 0; i < r->caplen; i++)
		sum = (uint8_t)(sum + r->data[i]);
}

/* The same records, one by one. */
static void check_burst(struct cd_capture *by_one, const struct cd_burst *b,
			const int64_t *time_ps, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const uint8_t *data = b->data + i * b->stride;
		struct cd_record r;

		MUST(cd_capture_next(by_one, &r, NULL) == 1);
		MUST(r.flags == 0 && r.direction == 0);
		MUST(r.caplen == b->caplen && r.origlen == b->origlen);
		MUST(r.iface == b->iface);
		MUST(memcmp(r.data, data, r.caplen) == 0);
		MUST(time_ps[i] ==
		     (r.time.s - b->base_s) * CD_PS_PER_S + r.time.ps);
	}
}

static void take_burst(struct cd_capture *by_run, struct cd_capture *by_one,
		       const struct cd_record *like)
{
	struct cd_burst b = {.caplen = like->caplen,
			     .origlen = like->origlen,
			     .iface = like->iface,
			     .base_s = like->time.s};
	int64_t time_ps[40];
	size_t n = 0;

	if (like->caplen > 0)
		n = cd_capture_burst(by_run, &b, time_ps, 40);
	MUST(n <= 40);
	check_burst(by_one, &b, time_ps, n);
	cd_capture_take(by_run, &b, n);
}

static void read_twice(struct cd_capture *by_run, struct cd_capture *by_one)
{
	struct cd_error error = {0}, same = {0};
	struct cd_record r, like;
	int got;

	while ((got = cd_capture_next(by_run, &like, &error)) == 1) {
		check_record(by_run, &like);
		MUST(cd_capture_next(by_one, &r, &same) == 1);
		MUST(r.number == like.number && r.caplen == like.caplen);
		take_burst(by_run, by_one, &like);
		MUST(by_run->packets == by_one->packets);
		MUST(by_run->bytes == by_one->bytes);
	}
	MUST(cd_capture_next(by_one, &r, &same) == got);
	MUST((got < 0) == (error.fault != CD_OK));
	MUST(error.fault == same.fault && error.offset == same.offset);
	MUST(got == 0 || error.what[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct cd_error error = {0}, same = {0};
	struct cd_capture *by_run = open_bytes(bytes, n, &error);
	struct cd_capture *by_one = open_bytes(bytes, n, &same);

	MUST(error.fault == same.fault);
	if (by_run != NULL)
		read_twice(by_run, by_one);
	cd_capture_close(by_run);
	cd_capture_close(by_one);
	return 0;
}
