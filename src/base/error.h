/* Errors: one structure, filled once, at the lowest place that knows. */
#ifndef CAPDIFF_BASE_ERROR_H
#define CAPDIFF_BASE_ERROR_H

#include <stdint.h>

enum cd_fault {
	CD_OK = 0,
	CD_E_USAGE,	  /* the command line cannot be understood */
	CD_E_OPEN,	  /* no such file, no permission */
	CD_E_FOLDER,	  /* a folder where a file is wanted */
	CD_E_EMPTY,	  /* no byte, or no packet, in the file */
	CD_E_FORMAT,	  /* not a capture file */
	CD_E_COMPRESSION, /* compressed in a way this build cannot read */
	CD_E_TRUNCATED,	  /* ends inside a record; all before it is good */
	CD_E_CORRUPT,	  /* damaged at `offset`; all before it is good */
	CD_E_READ,	  /* the system refused a read */
	CD_E_WRITE,	  /* the system refused a write */
	CD_E_MEMORY,	  /* no memory */
	CD_E_DATA	  /* the captures cannot be compared */
};

struct cd_error {
	enum cd_fault fault;
	uint64_t offset;  /* byte offset in the (inflated) file */
	uint64_t packets; /* complete packets before it */
	char file[512];	  /* path as the user gave it, may be "" */
	char what[384];	  /* one sentence, no file name, no newline */
	char hint[384];	  /* what to do about it, may be "" */
};

/*
 * Fill `error` unless it holds a fault already (the first, lowest one is the
 * truest). Both return -1, so that `return cd_error_set(...)` reads well.
 * `error` may be NULL.
 */
int cd_error_set(struct cd_error *error, enum cd_fault fault,
		 const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int cd_error_memory(struct cd_error *error);

/* Add what to do, and the file, where they are not known yet. */
void cd_error_hint(struct cd_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void cd_error_file(struct cd_error *error, const char *path);

#endif
