/* Without libFuzzer: the files named, one after the other. */
#include <stdio.h>

#include "fuzz.h"

static uint8_t *read_all(FILE *file, size_t *n)
{
	size_t capacity = 4096, got;
	uint8_t *bytes = malloc(capacity);

	*n = 0;
	while (bytes != NULL &&
	       (got = fread(bytes + *n, 1, capacity - *n, file)) > 0) {
		uint8_t *grown;

		*n += got;
		if (*n < capacity)
			continue;
		grown = realloc(bytes, capacity *= 2);
		if (grown == NULL)
			free(bytes);
		bytes = grown;
	}
	return bytes;
}

static int replay(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes = NULL;
	size_t n;

	if (file != NULL) {
		bytes = read_all(file, &n);
		fclose(file);
	}
	if (bytes == NULL) {
		fprintf(stderr, "%s: cannot be read\n", path);
		return -1;
	}
	LLVMFuzzerTestOneInput(bytes, n);
	free(bytes);
	return 0;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (replay(argv[i]) < 0)
			return 1;
	printf("%d inputs\n", argc - 1);
	return argc > 1 ? 0 : 1;
}
