/* zstd (RFC 8878), all frames, checksums too. */
#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "input/decoder.h"
#include "input/framed.h"

/* A window of 128 MiB, as the zstd command takes unasked: a damaged header
 * must not cost us more. */
#define WINDOW_LOG_MAX 27
#define BLOCK_HEADER 3

struct zstd {
	struct cd_framed framed;
	ZSTD_DCtx *context;
};

static int explain(size_t status, struct cd_error *error)
{
	switch (ZSTD_getErrorCode(status)) {
	case ZSTD_error_memory_allocation:
		return cd_error_memory(error);
	case ZSTD_error_frameParameter_windowTooLarge:
		cd_error_hint(error, "zstd -dc --long=31 FILE | "
			      "capdiff REF -");
		return cd_error_set(error, CD_E_COMPRESSION,
				    "is compressed with a zstd window of more "
				    "than 128 MiB");
	case ZSTD_error_dictionary_wrong:
		cd_error_hint(error, "zstd -dc -D DICTIONARY FILE | "
			      "capdiff REF -");
		return cd_error_set(error, CD_E_COMPRESSION,
				    "is compressed with a zstd dictionary");
	default:
		return cd_error_set(error, CD_E_CORRUPT,
				    "the zstd data are damaged (%s)",
				    ZSTD_getErrorName(status));
	}
}

static size_t step_zstd(void *library, const uint8_t *in, size_t *n_in,
			uint8_t *to, size_t *n_to, struct cd_error *error)
{
	ZSTD_inBuffer input = {.src = in, .size = *n_in};
	ZSTD_outBuffer output = {.dst = to, .size = *n_to};
	size_t status = ZSTD_decompressStream(library, &output, &input);

	if (ZSTD_isError(status)) {
		explain(status, error);
		return CD_FRAMED_FAILED;
	}
	*n_in = input.pos;
	*n_to = output.pos;
	return status;
}

static void *open_zstd(struct cd_feed *feed, struct cd_error *error)
{
	struct zstd *z = calloc(1, sizeof(*z));

	if (z == NULL)
		goto no_memory;
	z->context = ZSTD_createDCtx();
	if (z->context == NULL)
		goto no_memory;
	(void)ZSTD_DCtx_setParameter(z->context, ZSTD_d_windowLogMax,
				     WINDOW_LOG_MAX);
	z->framed = (struct cd_framed){
		.feed = feed,
		.name = "zstd",
		.magic = ZSTD_MAGICNUMBER,
		.at_first = ZSTD_initDStream(z->context),
		.ahead = BLOCK_HEADER,
		.codec = z->context,
		.step = step_zstd,
	};
	return z;
no_memory:
	cd_error_memory(error);
	free(z);
	return NULL;
}

static void close_zstd(void *decoder)
{
	struct zstd *z = decoder;

	ZSTD_freeDCtx(z->context);
	free(z);
}

const struct cd_decoder cd_decoder_zstd = {
	.compression = CD_ZSTD,
	.tool = "zstd -dc",
	.magic = {0x28, 0xb5, 0x2f, 0xfd},
	.magic_size = 4,
	.codec_name = "zstd",
	.version = ZSTD_versionString,
	.open = open_zstd,
	.read = cd_framed_read,
	.close = close_zstd,
};
