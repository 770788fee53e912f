/*
 * Writing pcap and pcapng files, plain or gzip. Output is byte for byte the
 * same on every platform (gzip: for one version of zlib). Used by capsim, by
 * tests and by annotated copies.
 */
#ifndef CAPDIFF_CAPTURE_WRITER_H
#define CAPDIFF_CAPTURE_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/time.h"

enum cd_writer_format { CD_WRITE_PCAP, CD_WRITE_PCAPNG };

struct cd_writer_options {
	enum cd_writer_format format;
	bool gzip;		      /* deflate level 6, mtime 0 */
	bool big_endian;
	struct cd_resolution resolution; /* pcap: 10^6 or 10^9 */
	uint32_t linktype;
	uint32_t snaplen;      /* 0 in pcap: written as 262144 */
	int fcs_bytes;	       /* of every frame, even; -1: not said */
	const char *hardware;  /* pcapng SHB options; NULL: left out */
	const char *os;
	const char *application;
	uint32_t interfaces;   /* pcapng: how many equal IDBs, 0 means 1 */
	int64_t offset_s;      /* pcapng if_tsoffset, 0: left out */
};

struct cd_writer; /* opaque */

struct cd_writer_packet {
	struct cd_instant time; /* floored to the resolution */
	const uint8_t *data;
	uint32_t caplen, origlen;
	uint32_t iface;
	const char *comment;  /* pcapng opt_comment, cut at 65,535 bytes;
				 NULL: none */
	bool has_drops;	      /* pcapng epb_dropcount */
	uint64_t drops;
};

struct cd_writer_statistics {
	uint32_t iface;
	struct cd_instant time;
	bool has_start, has_end;
	struct cd_instant start, end;
	uint64_t received, dropped, os_dropped; /* UINT64_MAX: left out */
};

/*
 * Writes to `path` (never standard output); the file has the name `path`.part
 * until it is closed without a failure. pcap says FCS bytes in 16-bit words in
 * its link-type word, pcapng as bytes in if_fcslen. NULL on error.
 */
struct cd_writer *cd_writer_open(const char *path,
				 const struct cd_writer_options *options,
				 struct cd_error *error);
/* CD_E_DATA: the format cannot hold the time, or there is no such iface;
 * nothing was written then. */
int cd_writer_packet(struct cd_writer *writer,
		     const struct cd_writer_packet *packet,
		     struct cd_error *error);
/* pcapng only (ignored in pcap). */
int cd_writer_statistics(struct cd_writer *writer,
			 const struct cd_writer_statistics *statistics,
			 struct cd_error *error);
/* Flush, check, free, also after an error. 0 or -1. NULL is fine. */
int cd_writer_close(struct cd_writer *writer, struct cd_error *error);
/* Instead of closing: free, and leave no file behind. NULL is fine. */
void cd_writer_discard(struct cd_writer *writer);

#endif
