/* Clean text inside XML and HTML. Inside the room only. */
#ifndef CAPDIFF_RENDER_XML_H
#define CAPDIFF_RENDER_XML_H

#include "base/str.h"

/* Good between tags and between double quotes: < > & " ' are references.
 * Code points that XML does not allow become U+FFFD. */
void cd_xml_add(struct cd_str *out, const char *clean);

#endif
