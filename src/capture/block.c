#include "capture/block.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define BYTE_ORDER_MAGIC 0x1a2b3c4du
/* Bytes of a block beside packet data and texts, more than any needs. */
#define BLOCK_ROOM 256u

static void store32(const struct cd_block_out *b, uint8_t *p, uint32_t v)
{
	uint32_t le = b->big ? __builtin_bswap32(v) : v;

	p[0] = (uint8_t)le;
	p[1] = (uint8_t)(le >> 8);
	p[2] = (uint8_t)(le >> 16);
	p[3] = (uint8_t)(le >> 24);
}

void cd_block_put16(struct cd_block_out *b, uint16_t v)
{
	uint8_t *p = b->bytes + b->used;

	p[b->big ? 0 : 1] = (uint8_t)(v >> 8);
	p[b->big ? 1 : 0] = (uint8_t)v;
	b->used += 2;
}

void cd_block_put32(struct cd_block_out *b, uint32_t v)
{
	store32(b, b->bytes + b->used, v);
	b->used += 4;
}

void cd_block_put64(struct cd_block_out *b, uint64_t v)
{
	cd_block_put32(b, (uint32_t)(b->big ? v >> 32 : v));
	cd_block_put32(b, (uint32_t)(b->big ? v : v >> 32));
}

void cd_block_put_ticks(struct cd_block_out *b, uint64_t v)
{
	cd_block_put32(b, (uint32_t)(v >> 32));
	cd_block_put32(b, (uint32_t)v);
}

void cd_block_put_bytes(struct cd_block_out *b, const void *bytes, size_t n)
{
	if (n > 0)
		memcpy(b->bytes + b->used, bytes, n);
	b->used += n;
}

void cd_block_pad(struct cd_block_out *b)
{
	while (b->used % 4 != 0)
		b->bytes[b->used++] = 0;
}

void cd_block_option(struct cd_block_out *b, uint16_t code, uint16_t n)
{
	cd_block_put16(b, code);
	cd_block_put16(b, n);
}

void cd_block_option_u8(struct cd_block_out *b, uint16_t code, uint8_t v)
{
	cd_block_option(b, code, 1);
	cd_block_put_bytes(b, &v, 1);
	cd_block_pad(b);
}

void cd_block_option_u32(struct cd_block_out *b, uint16_t code, uint32_t v)
{
	cd_block_option(b, code, 4);
	cd_block_put32(b, v);
}

void cd_block_option_u64(struct cd_block_out *b, uint16_t code, uint64_t v)
{
	cd_block_option(b, code, 8);
	cd_block_put64(b, v);
}

size_t cd_block_text_room(const char *text)
{
	size_t n = text == NULL ? 0 : strlen(text);

	return n > CD_OPTION_MAX ? CD_OPTION_MAX : n;
}

void cd_block_option_text(struct cd_block_out *b, uint16_t code,
			  const char *text)
{
	size_t n = cd_block_text_room(text);

	if (text == NULL)
		return;
	cd_block_option(b, code, (uint16_t)n);
	cd_block_put_bytes(b, text, n);
	cd_block_pad(b);
}

int cd_block_begin(struct cd_block_out *b, uint32_t type, size_t room,
		   struct cd_error *error)
{
	if (cd_grow(&b->bytes, &b->capacity, room + BLOCK_ROOM, 1))
		return cd_error_memory(error);
	b->used = b->options = 0;
	cd_block_put32(b, type);
	cd_block_put32(b, 0);
	return 0;
}

void cd_block_end(struct cd_block_out *b)
{
	uint32_t total;

	if (b->options != 0 && b->used > b->options)
		cd_block_option(b, CD_OPT_END, 0);
	total = (uint32_t)b->used + 4;
	cd_block_put32(b, total);
	store32(b, b->bytes + 4, total);
}

void cd_block_release(struct cd_block_out *b)
{
	free(b->bytes);
	b->bytes = NULL;
	b->used = b->capacity = 0;
}

int cd_block_section(struct cd_block_out *b, const struct cd_block_section *o,
		     struct cd_error *error)
{
	if (cd_block_begin(b, CD_BLOCK_SHB,
			   cd_block_text_room(o->hardware) +
			       cd_block_text_room(o->os) +
			       cd_block_text_room(o->application),
			   error))
		return -1;
	cd_block_put32(b, BYTE_ORDER_MAGIC);
	cd_block_put16(b, 1);
	cd_block_put16(b, 0);
	cd_block_put64(b, UINT64_MAX); /* section length not said */
	cd_block_options(b);
	cd_block_option_text(b, CD_SHB_HARDWARE, o->hardware);
	cd_block_option_text(b, CD_SHB_OS, o->os);
	cd_block_option_text(b, CD_SHB_APPLICATION, o->application);
	cd_block_end(b);
	return 0;
}

int cd_block_interface(struct cd_block_out *b,
		       const struct cd_block_interface *o,
		       struct cd_error *error)
{
	if (cd_block_begin(b, CD_BLOCK_IDB, 0, error))
		return -1;
	cd_block_put16(b, o->linktype);
	cd_block_put16(b, 0);
	cd_block_put32(b, o->snaplen);
	cd_block_options(b);
	cd_block_option_u8(b, CD_IDB_TSRESOL, o->tsresol);
	if (o->fcs_bytes >= 0)
		cd_block_option_u8(b, CD_IDB_FCSLEN, (uint8_t)o->fcs_bytes);
	if (o->offset_s != 0)
		cd_block_option_u64(b, CD_IDB_TSOFFSET, (uint64_t)o->offset_s);
	cd_block_end(b);
	return 0;
}
