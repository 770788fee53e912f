/*
 * Files that have not got their own name yet: if a signal ends the program,
 * none of them stays. The list is the one state that belongs to no object:
 * nothing can be handed to a handler of signals.
 */
#ifndef CAPDIFF_BASE_PARTIAL_H
#define CAPDIFF_BASE_PARTIAL_H

struct cd_partial; /* opaque; one per file */

/* From now on until cd_partial_end(), `path` is removed if the program is
 * ended: begin when no file has that name, then create one with O_EXCL (or
 * both with signals blocked). NULL without memory. Any thread. */
struct cd_partial *cd_partial_begin(const char *path);
/* The file has its own name, or is gone. NULL is fine. */
void cd_partial_end(struct cd_partial *partial);

/* For a program's main(): SIGHUP, SIGINT and SIGTERM remove the files and then
 * end the program as they did; where they are ignored they still are. */
void cd_partial_watch(void);

#endif
