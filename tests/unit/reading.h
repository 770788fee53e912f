/* Reading what was built, with the assertions every test needs. */
#ifndef CAPDIFF_TESTS_UNIT_READING_H
#define CAPDIFF_TESTS_UNIT_READING_H

#include "build.h"
#include "capture/capture.h"

/* `error` may be NULL; the file is gone as soon as it is open. */
static inline struct cd_capture *open_bytes(const uint8_t *bytes, size_t n,
					    struct cd_error *error)
{
	char *path = save(bytes, n);
	struct cd_input *input = cd_input_open(path, error);

	cr_assert_not_null(input);
	discard(path);
	return cd_capture_open(input, error);
}

/* What was built must open; the bytes are freed. */
static inline struct cd_capture *open_build(struct build *b)
{
	struct cd_error error = {0};
	struct cd_capture *capture = open_bytes(b->bytes, b->n, &error);

	cr_assert_not_null(capture, "%s", error.what);
	free(b->bytes);
	*b = (struct build){0};
	return capture;
}

/* What was built must be refused; the bytes are freed. */
static inline struct cd_error refuse_build(struct build *b)
{
	struct cd_error error = {0};

	cr_assert_null(open_bytes(b->bytes, b->n, &error));
	cr_assert_eq(strncmp(error.file, "capture_", 8), 0);
	free(b->bytes);
	*b = (struct build){0};
	return error;
}

/* The next packet must be there and hold put_packet(seed). */
static inline struct cd_record next_record(struct cd_capture *capture,
					   unsigned seed)
{
	struct cd_error error = {0};
	struct cd_record r;

	cr_assert_eq(cd_capture_next(capture, &r, &error), 1, "%s",
		     error.what);
	for (size_t i = 0; i < r.caplen; i++)
		cr_assert_eq(r.data[i], (uint8_t)(seed + i));
	return r;
}

/* The end, or an error, must be next; closes. */
static inline struct cd_error expect_end(struct cd_capture *capture,
					 enum cd_fault fault)
{
	struct cd_error error = {0};
	struct cd_record r;

	cr_assert_eq(cd_capture_next(capture, &r, &error),
		     fault == CD_OK ? 0 : -1);
	cr_assert_eq(error.fault, fault, "%s", error.what);
	if (fault != CD_OK) {
		cr_assert_eq(error.packets, capture->packets);
		cr_assert_neq(error.what[0], '\0');
		cr_assert_eq(strncmp(error.file, "capture_", 8), 0);
	}
	cd_capture_close(capture);
	return error;
}

#endif
