#include "render/xml.h"

#include <stdint.h>

#include "report/text.h"

/* XML 1.0 section 2.2; clean text has no controls but line breaks. */
static bool is_allowed(uint32_t code)
{
	return code != 0xfffe && code != 0xffff;
}

void cd_xml_add(struct cd_str *out, const char *clean)
{
	while (*clean != '\0') {
		uint32_t code;
		unsigned n = cd_utf8_next(clean, &code);

		if (n == 0 || !is_allowed(code))
			cd_str_add(out, "\xef\xbf\xbd");
		else if (code == '<')
			cd_str_add(out, "&lt;");
		else if (code == '>')
			cd_str_add(out, "&gt;");
		else if (code == '&')
			cd_str_add(out, "&amp;");
		else if (code == '"')
			cd_str_add(out, "&quot;");
		else if (code == '\'')
			cd_str_add(out, "&#39;");
		else
			cd_str_addn(out, clean, n);
		clean += n == 0 ? 1 : n;
	}
}
