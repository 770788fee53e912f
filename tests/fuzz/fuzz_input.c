/*
 * The bytes are a compressed file. Inflated in large and in small steps it
 * gives the same bytes, and the same end.
 */
#include "fuzz.h"

#include "input/input.h"

#define MOST ((size_t)4 << 20) /* a few bytes can inflate to petabytes */

struct outcome {
	uint64_t bytes, digest;
	enum cd_fault fault;
};

static void digest(struct outcome *o, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		o->digest = (o->digest ^ p[i]) * 0x100000001b3u;
	o->bytes += n;
}

static struct outcome read_steps(const uint8_t *bytes, size_t n, size_t step)
{
	struct cd_error error = {0};
	struct cd_input *input = cd_input_open_bytes(bytes, n, "x", &error);
	struct outcome o = {0};
	int got = 1;

	MUST(input != NULL);
	while (got == 1 && o.bytes < MOST) {
		size_t there;

		got = cd_input_need(input, step, &error);
		there = (size_t)(input->end - input->cur);
		MUST(cd_input_offset(input) == o.bytes);
		MUST(got != 1 || there >= step);
		if (got == 1)
			there = step;
		digest(&o, input->cur, there);
		input->cur += there;
	}
	MUST((got < 0) == (error.fault != CD_OK));
	o.fault = error.fault;
	cd_input_close(input);
	return o;
}

/* Passing over bytes is reading them. */
static void skip(const uint8_t *bytes, size_t n, const struct outcome *whole)
{
	struct cd_error error = {0};
	struct cd_input *input = cd_input_open_bytes(bytes, n, "x", &error);
	uint64_t half = whole->bytes / 2;

	MUST(input != NULL);
	MUST(cd_input_skip(input, half, &error) == 1);
	MUST(cd_input_offset(input) == half);
	cd_input_close(input);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct outcome large = read_steps(bytes, n, 65536);
	struct outcome small = read_steps(bytes, n, 4096);

	MUST(large.fault == small.fault);
	MUST(large.bytes == small.bytes && large.digest == small.digest);
	if (large.bytes > 0)
		skip(bytes, n, &large);
	return 0;
}
