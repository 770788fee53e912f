/* lz4 frames, as many as there are, checksums too. */
#include <lz4.h>
#include <lz4frame.h>
#include <stdlib.h>
#include <string.h>

#include "input/decoder.h"
#include "input/framed.h"

#define MAGIC 0x184d2204u
#define SMALLEST_HEADER 7
#define BLOCK_HEADER 4

struct lz4 {
	struct cd_framed framed;
	LZ4F_dctx *context;
};

static int explain(size_t status, struct cd_error *error)
{
	const char *name = LZ4F_getErrorName(status);

	if (strncmp(name, "ERROR_", 6) == 0)
		name += 6;
	if (strcmp(name, "allocation_failed") == 0)
		return cd_error_memory(error);
	return cd_error_set(error, CD_E_CORRUPT,
			    "the lz4 data are damaged (%s)", name);
}

static size_t step_lz4(void *library, const uint8_t *in, size_t *n_in,
		       uint8_t *to, size_t *n_to, struct cd_error *error)
{
	size_t status = LZ4F_decompress(library, to, n_to, in, n_in, NULL);

	if (!LZ4F_isError(status))
		return status;
	explain(status, error);
	return CD_FRAMED_FAILED;
}

static void *open_lz4(struct cd_feed *feed, struct cd_error *error)
{
	struct lz4 *l = calloc(1, sizeof(*l));

	if (l == NULL || LZ4F_isError(LZ4F_createDecompressionContext(
			     &l->context, LZ4F_VERSION))) {
		cd_error_memory(error);
		free(l);
		return NULL;
	}
	l->framed = (struct cd_framed){
		.feed = feed,
		.name = "lz4",
		.magic = MAGIC,
		.at_first = SMALLEST_HEADER,
		.ahead = BLOCK_HEADER,
		.codec = l->context,
		.step = step_lz4,
	};
	return l;
}

static void close_lz4(void *decoder)
{
	struct lz4 *l = decoder;

	LZ4F_freeDecompressionContext(l->context);
	free(l);
}

const struct cd_decoder cd_decoder_lz4 = {
	.compression = CD_LZ4,
	.tool = "lz4 -dc",
	.magic = {0x04, 0x22, 0x4d, 0x18},
	.magic_size = 4,
	.codec_name = "lz4",
	.version = LZ4_versionString,
	.open = open_lz4,
	.read = cd_framed_read,
	.close = close_lz4,
};
