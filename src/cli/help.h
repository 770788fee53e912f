/* Texts of -h, -V and of a call without arguments. */
#ifndef CAPDIFF_CLI_HELP_H
#define CAPDIFF_CLI_HELP_H

#include <stdio.h>

void cd_print_help(FILE *out);
void cd_print_version(FILE *out);
void cd_print_first_words(FILE *out);

#endif
