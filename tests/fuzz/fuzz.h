/*
 * Fuzzing: each program of this folder is this function, which gets bytes and
 * must come back. With clang and --enable-fuzzing libFuzzer calls it, else
 * replay.c does, with the bytes of the files named on its command line.
 */
#ifndef CAPDIFF_TESTS_FUZZ_FUZZ_H
#define CAPDIFF_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* As assert(), but always there: what must hold for any input. */
#define MUST(holds) ((holds) ? (void)0 : abort())

/* Memory that ends with its last byte, as the sanitizers see it. */
static inline uint8_t *exact_copy(const uint8_t *bytes, size_t n)
{
	uint8_t *copy = malloc(n > 0 ? n : 1);

	MUST(copy != NULL);
	if (n > 0)
		memcpy(copy, bytes, n);
	return copy;
}

/* The bytes as a text, without the zeros among them. */
static inline char *make_text(const uint8_t *bytes, size_t n)
{
	char *text = malloc(n + 1);
	size_t length = 0;

	MUST(text != NULL);
	for (size_t i = 0; i < n; i++)
		if (bytes[i] != 0)
			text[length++] = (char)bytes[i];
	text[length] = '\0';
	return text;
}

#endif
