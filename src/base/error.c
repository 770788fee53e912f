#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int cd_error_set(struct cd_error *error, enum cd_fault fault,
		 const char *format, ...)
{
	va_list args;

	if (error == NULL || error->fault != CD_OK)
		return -1;
	error->fault = fault;
	va_start(args, format);
	vsnprintf(error->what, sizeof(error->what), format, args);
	va_end(args);
	return -1;
}

int cd_error_memory(struct cd_error *error)
{
	return cd_error_set(error, CD_E_MEMORY, "out of memory");
}

void cd_error_hint(struct cd_error *error, const char *format, ...)
{
	va_list args;

	if (error == NULL || error->hint[0] != '\0')
		return;
	va_start(args, format);
	vsnprintf(error->hint, sizeof(error->hint), format, args);
	va_end(args);
}

void cd_error_file(struct cd_error *error, const char *path)
{
	if (error == NULL || error->file[0] != '\0')
		return;
	snprintf(error->file, sizeof(error->file), "%s", path);
}
