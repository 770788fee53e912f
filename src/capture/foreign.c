#include "capture/foreign.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"

static const char convert[] = "editcap -F pcapng FILE OUT.pcapng converts it";
static const char packets[] = "the packets themselves are needed, as pcap or "
			      "pcapng, not an export of them";
static const char unpack[] = "unpack it first";

/* First bytes that tell what a file is. */
static const struct foreign {
	const char *magic;
	uint8_t magic_size;
	const char *what;
	const char *hint;
} foreigners[] = {
	{"snoop\0\0\0", 8, "a snoop capture, which capdiff does not read",
	 convert},
	{"RTSS", 4, "a Network Monitor 1 capture, which capdiff does not read",
	 convert},
	{"GMBU", 4, "a Network Monitor 2 capture, which capdiff does not read",
	 convert},
	{"TRSNIFF data", 12, "a Sniffer capture, which capdiff does not read",
	 convert},
	{"XCP\0", 4, "a NetXRay capture, which capdiff does not read",
	 convert},
	{"btsnoop\0", 8, "a btsnoop capture, which capdiff does not read",
	 convert},
	{"\177ver", 4, "an EyeSDN or Peek capture, which capdiff does not "
	 "read", convert},
	{"ts\0", 3, "a Peek capture, which capdiff does not read", convert},
	{"\177ELF", 4, "a program (ELF)", ""},
	{"MZ", 2, "a Windows program", ""},
	{"PK\3\4", 4, "a ZIP archive", unpack},
	{"7z\274\257\47\34", 6, "a 7z archive", unpack},
	{"Rar!", 4, "a RAR archive", unpack},
	{"\37\235", 2, "a compress (.Z) file", "zcat FILE | capdiff REF -"},
	{"LZIP", 4, "an lzip file", "lzip -dc FILE | capdiff REF -"},
	{"%PDF", 4, "a PDF document", ""},
	{"\211PNG", 4, "a PNG picture", ""},
	{"SQLite format 3", 15, "an SQLite database", ""},
	{"<?xml", 5, "an XML document", packets},
	{"<pdml", 5, "a PDML document", packets},
	{"<!DOCTYPE", 9, "an HTML page", packets},
	{"<html", 5, "an HTML page", packets},
};

static const struct foreign *find_foreigner(const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < sizeof(foreigners) / sizeof(foreigners[0]); i++)
		if (n >= foreigners[i].magic_size &&
		    memcmp(bytes, foreigners[i].magic,
			   foreigners[i].magic_size) == 0)
			return &foreigners[i];
	return NULL;
}

static bool is_text(const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (bytes[i] > 0x7e ||
		    (bytes[i] < 0x20 && bytes[i] != '\t' && bytes[i] != '\n' &&
		     bytes[i] != '\r'))
			return false;
	return true;
}

/* The first line of `bytes` between quotes. */
static void quote(const uint8_t *bytes, size_t n, char *text)
{
	size_t i;

	for (i = 0; i < n && bytes[i] >= 0x20; i++)
		text[i] = (char)bytes[i];
	text[i] = '\0';
}

static void dump(const uint8_t *bytes, size_t n, char *text)
{
	size_t shown = n < 8 ? n : 8;

	for (size_t i = 0; i < shown; i++)
		snprintf(text + 3 * i, 4, "%02x ", bytes[i]);
	text[3 * shown - 1] = '\0';
}

int cd_foreign_explain(const uint8_t *bytes, size_t n, struct cd_error *error)
{
	char text[3 * CD_FOREIGN_BYTES + 1];
	const struct foreign *f;

	if (n > CD_FOREIGN_BYTES)
		n = CD_FOREIGN_BYTES;
	f = find_foreigner(bytes, n);
	if (f != NULL) {
		cd_error_set(error, CD_E_FORMAT, "is %s", f->what);
		cd_error_hint(error, "%s", f->hint);
	} else if (is_text(bytes, n)) {
		quote(bytes, n, text);
		cd_error_set(error, CD_E_FORMAT,
			     "is no capture but text that begins \"%s\"",
			     text);
		cd_error_hint(error, "%s", packets);
	} else {
		dump(bytes, n, text);
		cd_error_set(error, CD_E_FORMAT,
			     "is neither pcap nor pcapng: it begins with the "
			     "bytes %s", text);
		cd_error_hint(error, "if Wireshark reads it, %s", convert);
	}
	return -1;
}
