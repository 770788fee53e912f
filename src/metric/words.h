/* Counts in the sentences of findings. */
#ifndef CAPDIFF_METRIC_WORDS_H
#define CAPDIFF_METRIC_WORDS_H

#include <stdint.h>

struct cd_words {
	char text[64];
};

/* "1,495 packets", "1 packet". */
struct cd_words cd_count_words(uint64_t n, const char *noun);

#endif
