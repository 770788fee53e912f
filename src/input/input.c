#include "input/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "input/decoder.h"
#include "input/source.h"

#define BUFFER_SIZE ((size_t)256 << 10)

/* Compressed twice happens by accident; a file that inflates to itself, again
 * and again, exists on purpose. */
#define LAYERS_MAX 3

#define SKIPPABLE_HEADER 8 /* at least CD_MAGIC_MAX */

struct layer {
	const struct cd_decoder *decoder;
	void *state;
	struct cd_feed feed;
};

struct cd_input_state {
	struct cd_source source;
	char *path;
	uint8_t *buffer; /* the window moves over it */
	size_t capacity;
	struct layer layers[LAYERS_MAX]; /* the innermost compression last */
	size_t n_layers;
	enum cd_compression compression;
	bool begun;		 /* the first bytes were looked at */
	struct cd_error stopped; /* why nothing follows the window */
};

/* All but the source. */
static struct cd_input *new_input(const char *path, struct cd_error *error)
{
	struct cd_input *input = calloc(1, sizeof(*input));
	struct cd_input_state *s = calloc(1, sizeof(*s));

	if (input == NULL || s == NULL)
		goto fail;
	s->path = cd_strdup(path);
	s->buffer = malloc(BUFFER_SIZE);
	if (s->path == NULL || s->buffer == NULL)
		goto fail;
	s->capacity = BUFFER_SIZE;
	s->source.fd = -1;
	input->state = s;
	input->cur = input->end = s->buffer;
	return input;
fail:
	cd_error_memory(error);
	cd_error_file(error, path);
	if (s != NULL) {
		free(s->buffer);
		free(s->path);
	}
	free(s);
	free(input);
	return NULL;
}

struct cd_input *cd_input_open(const char *path, struct cd_error *error)
{
	struct cd_input *input = new_input(path, error);

	if (input == NULL ||
	    cd_source_open(&input->state->source, path, error) == 0)
		return input;
	cd_input_close(input);
	return NULL;
}

struct cd_input *cd_input_open_bytes(const uint8_t *bytes, size_t n,
				     const char *name, struct cd_error *error)
{
	struct cd_input *input = new_input(name, error);

	if (input != NULL)
		cd_source_bytes(&input->state->source, bytes, n);
	return input;
}

void cd_input_close(struct cd_input *input)
{
	struct cd_input_state *s;

	if (input == NULL)
		return;
	s = input->state;
	while (s->n_layers > 0) {
		struct layer *layer = &s->layers[--s->n_layers];

		if (layer->state != NULL)
			layer->decoder->close(layer->state);
		free(layer->feed.buffer);
	}
	cd_source_close(&s->source);
	free(s->buffer);
	free(s->path);
	free(s);
	free(input);
}

void cd_input_set_wait(struct cd_input *input,
		       const struct cd_input_wait *wait)
{
	static const struct cd_input_wait none;

	input->state->source.wait = wait == NULL ? none : *wait;
}

const char *cd_input_path(const struct cd_input *input)
{
	return input->state->path;
}

enum cd_compression cd_input_compression(const struct cd_input *input)
{
	return input->state->compression;
}

const char *cd_compression_name(enum cd_compression compression)
{
	static const char *const names[] = {
		[CD_PLAIN] = "none", [CD_GZIP] = "gzip",
		[CD_ZSTD] = "zstd",  [CD_LZ4] = "lz4",
		[CD_XZ] = "xz",	     [CD_BZIP2] = "bzip2",
	};

	return names[compression];
}

const char *cd_compression_library(enum cd_compression compression,
				   const char **version)
{
	for (size_t i = 0; cd_decoders[i] != NULL; i++) {
		const struct cd_decoder *d = cd_decoders[i];

		if (d->compression != compression || d->open == NULL)
			continue;
		*version = d->version();
		return d->codec_name;
	}
	return NULL;
}

bool cd_input_regular(const struct cd_input *input)
{
	return input->state->source.regular;
}

uint64_t cd_input_consumed(const struct cd_input *input)
{
	return atomic_load_explicit(&input->state->source.consumed,
				    memory_order_relaxed);
}

uint64_t cd_input_size(const struct cd_input *input)
{
	return input->state->source.size;
}

static ptrdiff_t pull_source(void *below, uint8_t *to, size_t size,
			     struct cd_error *error)
{
	return cd_source_read(below, to, size, error);
}

static ptrdiff_t pull_layer(void *below, uint8_t *to, size_t size,
			    struct cd_error *error)
{
	struct layer *layer = below;

	return layer->decoder->read(layer->state, to, size, error);
}

static ptrdiff_t pull(struct cd_input_state *s, uint8_t *to, size_t size,
		      struct cd_error *error)
{
	if (s->n_layers == 0)
		return cd_source_read(&s->source, to, size, error);
	return pull_layer(&s->layers[s->n_layers - 1], to, size, error);
}

static size_t window(const struct cd_input *input)
{
	return (size_t)(input->end - input->cur);
}

/* Nothing will follow: for good. */
static int stop(struct cd_input *input)
{
	struct cd_input_state *s = input->state;

	s->stopped.offset = input->base;
	cd_error_file(&s->stopped, s->path);
	return -1;
}

/* Room for at least one more byte of the `n` wanted: the window goes to the
 * front of the buffer, which doubles if it is full, so that no length field
 * alone ever makes us ask for much memory. */
static int make_room(struct cd_input *input, size_t n)
{
	struct cd_input_state *s = input->state;
	size_t left = window(input);

	memmove(s->buffer, input->cur, left);
	input->cur = s->buffer;
	input->end = s->buffer + left;
	if (left < s->capacity)
		return 0;
	if (cd_grow(&s->buffer, &s->capacity,
		    n < 2 * left ? n : 2 * left, 1) < 0) {
		cd_error_memory(&s->stopped);
		return stop(input);
	}
	input->cur = s->buffer;
	input->end = s->buffer + left;
	return 0;
}

/* One read into the window: 1 bytes came, 0 the end, -1 stopped. */
static int fill(struct cd_input *input, size_t n)
{
	struct cd_input_state *s = input->state;
	ptrdiff_t got;

	if (s->stopped.fault != CD_OK)
		return -1;
	if (input->at_end)
		return 0;
	if (make_room(input, n) < 0)
		return -1;
	got = pull(s, s->buffer + window(input),
		   s->capacity - window(input), &s->stopped);
	if (got < 0)
		return stop(input);
	input->end += got;
	input->base += (uint64_t)got;
	input->at_end = got == 0;
	return got > 0;
}

static const struct cd_decoder *find_decoder(const struct cd_input *input)
{
	for (size_t i = 0; cd_decoders[i] != NULL; i++) {
		const struct cd_decoder *d = cd_decoders[i];

		if (window(input) >= d->magic_size &&
		    memcmp(input->cur, d->magic, d->magic_size) == 0)
			return d;
	}
	return NULL;
}

/* How to call the file in a command. */
static const char *name_file(const struct cd_input_state *s)
{
	static const char plain[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	    "_./+,:@%=-";

	if (s->path[0] == '-' || s->path[strspn(s->path, plain)] != '\0' ||
	    strlen(s->path) > sizeof(s->stopped.hint) / 2)
		return "FILE";
	return s->path;
}

/* `decoder` would be on top, but cannot be: inflate outside of us. */
static int refuse(struct cd_input *input, const struct cd_decoder *decoder)
{
	struct cd_input_state *s = input->state;
	char command[sizeof(s->stopped.hint)];
	size_t used = 0;

	if (decoder->open == NULL)
		cd_error_set(&s->stopped, CD_E_COMPRESSION,
			     "is compressed with %s, which this build cannot "
			     "read", cd_compression_name(decoder->compression));
	else
		cd_error_set(&s->stopped, CD_E_COMPRESSION,
			     "is compressed more than %d times over",
			     LAYERS_MAX);
	for (size_t i = 0; i <= s->n_layers; i++) {
		const struct cd_decoder *d =
		    i < s->n_layers ? s->layers[i].decoder : decoder;

		used += (size_t)snprintf(command + used, sizeof(command) - used,
					 "%s%s%s | ", d->tool,
					 i == 0 ? " " : "",
					 i == 0 ? name_file(s) : "");
	}
	cd_error_hint(&s->stopped, "%scapdiff REF -", command);
	input->base = 0;
	input->cur = input->end;
	return stop(input);
}

/* Put `decoder` on top: the window becomes its first bytes. */
static int push_layer(struct cd_input *input, const struct cd_decoder *decoder)
{
	struct cd_input_state *s = input->state;
	struct layer *layer;
	struct cd_feed *feed;

	if (s->n_layers == 0)
		s->compression = decoder->compression;
	if (decoder->open == NULL || s->n_layers == LAYERS_MAX)
		return refuse(input, decoder);
	layer = &s->layers[s->n_layers];
	feed = &layer->feed;
	layer->decoder = decoder;
	feed->below = s->n_layers == 0 ? (void *)&s->source : layer - 1;
	feed->pull = s->n_layers == 0 ? pull_source : pull_layer;
	feed->capacity = BUFFER_SIZE;
	feed->buffer = malloc(feed->capacity);
	if (feed->buffer == NULL) {
		cd_error_memory(&s->stopped);
		return stop(input);
	}
	memcpy(feed->buffer, input->cur, window(input));
	feed->cur = feed->buffer;
	feed->end = feed->buffer + window(input);
	feed->at_end = input->at_end;
	input->cur = input->end = s->buffer;
	input->base = 0;
	input->at_end = false;
	s->n_layers++;
	layer->state = decoder->open(feed, &s->stopped);
	return layer->state == NULL ? stop(input) : 0;
}

/* As cd_input_more(), the error in `stopped`. */
static int look(struct cd_input *input, size_t n)
{
	while (window(input) < n) {
		int got = fill(input, n);

		if (got <= 0)
			return got;
	}
	return 1;
}

/* Past the frame that begins the window. 0, or -1: stopped. */
static int skip_frame(struct cd_input *input)
{
	struct cd_input_state *s = input->state;
	uint64_t size = UINT64_MAX;

	if (window(input) >= SKIPPABLE_HEADER)
		size = SKIPPABLE_HEADER + (uint64_t)cd_le32(input->cur + 4);
	if (cd_input_skip(input, size, &s->stopped) == 0)
		cd_error_set(&s->stopped, CD_E_TRUNCATED,
			     "the compressed data are cut short");
	input->base = window(input);
	return s->stopped.fault == CD_OK ? 0 : stop(input);
}

/* Past frames that zstd and lz4 skip, to one that tells which it is. 0, or -1:
 * stopped. */
static int pass_skippable(struct cd_input *input)
{
	for (;;) {
		if (look(input, SKIPPABLE_HEADER) < 0)
			return -1;
		if (window(input) < 4 || !cd_is_skippable(input->cur))
			return 0;
		if (skip_frame(input) < 0)
			return -1;
	}
}

/* Look at the first bytes for compressions. 0, or -1: stopped. */
static int begin(struct cd_input *input)
{
	const struct cd_decoder *decoder;

	input->state->begun = true;
	do {
		if (pass_skippable(input) < 0)
			return -1;
		decoder = find_decoder(input);
		if (decoder != NULL && push_layer(input, decoder) < 0)
			return -1;
	} while (decoder != NULL);
	return 0;
}

int cd_input_more(struct cd_input *input, size_t n, struct cd_error *error)
{
	int got;

	if (!input->state->begun)
		(void)begin(input);
	got = look(input, n);
	if (got < 0 && error != NULL && error->fault == CD_OK)
		*error = input->state->stopped;
	return got;
}

int cd_input_skip(struct cd_input *input, uint64_t n, struct cd_error *error)
{
	while (n > window(input)) {
		int got;

		n -= window(input);
		input->cur = input->end;
		got = cd_input_more(input, 1, error);
		if (got <= 0)
			return got;
	}
	input->cur += n;
	return 1;
}
