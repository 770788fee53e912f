#include "cli/limits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "verdict/verdict.h"

/* The expression in a line, cut at # and without blanks around it. */
static char *trim_line(char *line)
{
	size_t n;

	line[strcspn(line, "#\r\n")] = '\0';
	line += strspn(line, " \t");
	n = strlen(line);
	while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\t'))
		line[--n] = '\0';
	return line;
}

static int add_limit(struct cd_options *o, const char *text,
		     struct cd_error *error)
{
	char *copy = cd_strdup(text);

	if (copy == NULL ||
	    cd_grow(&o->limit_texts, &o->limit_texts_capacity,
		    o->n_limit_texts + 1, sizeof(*o->limit_texts))) {
		free(copy);
		return cd_error_memory(error);
	}
	o->limit_texts[o->n_limit_texts++] = copy;
	if (cd_grow(&o->limits, &o->limits_capacity, o->n_limits + 1,
		    sizeof(*o->limits)))
		return cd_error_memory(error);
	o->limits[o->n_limits++] = copy;
	return 0;
}

static int take_line(struct cd_options *o, const char *path, unsigned number,
		     char *line, struct cd_error *error)
{
	char *text = trim_line(line);
	char place[sizeof(error->file)];

	if (*text == '\0')
		return 0;
	if (cd_limit_check(text, error)) {
		snprintf(place, sizeof(place), "%s:%u", path, number);
		cd_error_file(error, place);
		return -1;
	}
	return add_limit(o, text, error);
}

int cd_limits_read(struct cd_options *o, const char *path,
		   struct cd_error *error)
{
	char line[1024];
	unsigned number = 0;
	int status = 0;
	FILE *file = fopen(path, "r");

	if (file == NULL) {
		cd_error_file(error, path);
		return cd_error_set(error, CD_E_OPEN, "%s", strerror(errno));
	}
	while (status == 0 && fgets(line, sizeof(line), file) != NULL)
		status = take_line(o, path, ++number, line, error);
	if (status == 0 && ferror(file)) {
		cd_error_file(error, path);
		status = cd_error_set(error, CD_E_READ, "cannot be read");
	}
	fclose(file);
	return status;
}
