#include "metric/words.h"

#include <stdio.h>

#include "report/text.h"

struct cd_words cd_count_words(uint64_t n, const char *noun)
{
	struct cd_words words;
	struct cd_str count = {0};

	cd_text_count(&count, n > INT64_MAX ? INT64_MAX : (int64_t)n);
	snprintf(words.text, sizeof(words.text), "%s %s%s", cd_str_text(&count),
		 noun, n == 1 ? "" : "s");
	cd_str_release(&count);
	return words;
}
