/*
 * Blocks of pcapng files under construction (draft-ietf-opsawg-pcapng), in
 * either byte order.
 */
#ifndef CAPDIFF_CAPTURE_BLOCK_H
#define CAPDIFF_CAPTURE_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum {
	CD_BLOCK_IDB = 1,
	CD_BLOCK_PB = 2, /* obsolete */
	CD_BLOCK_SPB = 3,
	CD_BLOCK_ISB = 5,
	CD_BLOCK_EPB = 6
};
#define CD_BLOCK_SHB 0x0a0d0d0au

enum {
	CD_OPT_END = 0,
	CD_OPT_COMMENT = 1,
	CD_SHB_HARDWARE = 2,
	CD_SHB_OS = 3,
	CD_SHB_APPLICATION = 4,
	CD_IDB_TSRESOL = 9,
	CD_IDB_FCSLEN = 13,
	CD_IDB_TSOFFSET = 14,
	CD_EPB_FLAGS = 2,
	CD_EPB_DROPCOUNT = 4
};
#define CD_OPTION_MAX 65535u

struct cd_block_out {
	bool big;
	uint8_t *bytes;
	size_t used, capacity;
	size_t options; /* where they began, 0: none has */
};

/* Begin a block that gets at most `room` bytes of packet data, texts and
 * options copied, and 256 of anything else. 0 or -1 (no memory). */
int cd_block_begin(struct cd_block_out *b, uint32_t type, size_t room,
		   struct cd_error *error);
/* Lengths, and an end of options if there were any and `b` has none yet: the
 * block is then bytes[0..used). */
void cd_block_end(struct cd_block_out *b);
void cd_block_release(struct cd_block_out *b);

/* All these trust cd_block_begin() to have made room. */
void cd_block_put16(struct cd_block_out *b, uint16_t v);
void cd_block_put32(struct cd_block_out *b, uint32_t v);
void cd_block_put64(struct cd_block_out *b, uint64_t v);
/* High word first whatever the byte order: times. */
void cd_block_put_ticks(struct cd_block_out *b, uint64_t v);
/* As they are, nothing behind them. */
void cd_block_put_bytes(struct cd_block_out *b, const void *bytes, size_t n);
/* Zeros up to the next multiple of 4. */
void cd_block_pad(struct cd_block_out *b);

/* The options begin here. */
static inline void cd_block_options(struct cd_block_out *b)
{
	b->options = b->used;
}

/* Head of an option of `n` bytes; its value is put behind it, then padded. */
void cd_block_option(struct cd_block_out *b, uint16_t code, uint16_t n);
void cd_block_option_u8(struct cd_block_out *b, uint16_t code, uint8_t v);
void cd_block_option_u32(struct cd_block_out *b, uint16_t code, uint32_t v);
void cd_block_option_u64(struct cd_block_out *b, uint16_t code, uint64_t v);
/* Cut at 65,535 bytes; NULL: nothing. */
void cd_block_option_text(struct cd_block_out *b, uint16_t code,
			  const char *text);
/* Room that the text takes. */
size_t cd_block_text_room(const char *text);

/* A section header whose length is not said; NULL: left out. */
struct cd_block_section {
	const char *hardware, *os, *application;
};
int cd_block_section(struct cd_block_out *b, const struct cd_block_section *o,
		     struct cd_error *error);

struct cd_block_interface {
	uint16_t linktype;
	uint32_t snaplen;
	uint8_t tsresol;
	int fcs_bytes;	  /* -1: not said */
	int64_t offset_s; /* 0: left out */
};
int cd_block_interface(struct cd_block_out *b,
		       const struct cd_block_interface *o,
		       struct cd_error *error);

#endif
