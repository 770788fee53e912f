/* Files that are no captures: what they seem to be, in words. */
#ifndef CAPDIFF_CAPTURE_FOREIGN_H
#define CAPDIFF_CAPTURE_FOREIGN_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* How many first bytes it likes to see. */
#define CD_FOREIGN_BYTES 16

/* CD_E_FORMAT for a file that begins with these `n` >= 1 bytes; returns -1. */
int cd_foreign_explain(const uint8_t *bytes, size_t n, struct cd_error *error);

#endif
