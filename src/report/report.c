#include "report/report.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "report/baseline.h"
#include "report/series.h"
#include "report/sweep.h"

struct cd_report *cd_report_new(void)
{
	return calloc(1, sizeof(struct cd_report));
}

static void release_iface(struct cd_report_iface *iface)
{
	free(iface->linktype_name);
	free(iface->name);
	free(iface->description);
	free(iface->filter);
	free(iface->os);
	free(iface->hardware);
}

static void release_capture(struct cd_report_capture *capture)
{
	free(capture->label);
	free(capture->path);
	free(capture->format);
	free(capture->compression);
	free(capture->hardware);
	free(capture->os);
	free(capture->application);
	free(capture->comment);
	for (size_t i = 0; i < capture->n_ifaces; i++)
		release_iface(&capture->ifaces[i]);
	free(capture->ifaces);
	for (size_t i = 0; i < capture->n_files; i++) {
		free(capture->files[i].path);
		free(capture->files[i].format);
		free(capture->files[i].compression);
	}
	free(capture->files);
}

static void release_results(struct cd_report *report)
{
	for (size_t i = 0; i < report->n_values; i++)
		free(report->values[i].text);
	for (size_t i = 0; i < report->n_findings; i++)
		free(report->findings[i].text);
	for (size_t i = 0; i < report->n_verdicts; i++)
		free(report->verdicts[i].text);
	for (size_t i = 0; i < report->n_limits; i++) {
		free(report->limits[i].expression);
		free(report->limits[i].key);
		free(report->limits[i].value);
	}
	free(report->values);
	free(report->findings);
	free(report->verdicts);
	free(report->limits);
	cd_series_release(report->series, report->n_series);
	cd_sweep_free(report->sweep);
	cd_baseline_free(report->baseline);
	free(report->index);
	free(report->displaced.text);
	free(report->scratch.text);
}

void cd_report_free(struct cd_report *report)
{
	if (report == NULL)
		return;
	for (size_t i = 0; i < report->n_command; i++)
		free(report->command[i]);
	free(report->command);
	for (size_t i = 0; i < report->n_captures; i++)
		release_capture(&report->captures[i]);
	free(report->captures);
	free(report->stamp_format);
	free(report->stamp_title);
	free(report->stamp_where);
	free(report->stamp_spec);
	free(report->stamp_hits);
	for (size_t i = 0; i < report->n_streams; i++) {
		free(report->streams[i].what);
		free(report->streams[i].packets);
	}
	free(report->streams);
	release_results(report);
	for (size_t i = 0; i < report->n_kept; i++)
		free(report->kept[i]);
	free(report->kept);
	free(report->profile);
	free(report);
}

/* ---- values by (key, capture, stream) ------------------------------------
 *
 * `index` is an open hash table of positions + 1 in `values`, twice as large
 * as the values at least, so that neither filling nor looking up is quadratic
 * with many streams.
 */

static size_t hash_slot(const struct cd_report *report,
			const struct cd_key *key, uint32_t point,
			uint32_t stream)
{
	uint64_t h = (uint64_t)(key - cd_key_table);

	h = (h << 32 | point) * UINT64_C(0x9e3779b97f4a7c15);
	h = (h ^ stream ^ h >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	return (size_t)(h >> 32) & (report->index_size - 1);
}

/* The slot that holds the value, or the free one where it belongs. */
static size_t find_slot(const struct cd_report *report,
			const struct cd_key *key, uint32_t point,
			uint32_t stream)
{
	size_t slot = hash_slot(report, key, point, stream);

	while (report->index[slot] != 0) {
		const struct cd_value *v =
		    &report->values[report->index[slot] - 1];

		if (v->key == key && v->point == point && v->stream == stream)
			break;
		slot = (slot + 1) & (report->index_size - 1);
	}
	return slot;
}

static int grow_index(struct cd_report *report)
{
	size_t size = report->index_size == 0 ? 256 : report->index_size * 2;
	uint32_t *index;

	if (report->n_values + 1 <= report->index_size / 2)
		return 0;
	index = calloc(size, sizeof(*index));
	if (index == NULL)
		return -1;
	free(report->index);
	report->index = index;
	report->index_size = size;
	for (size_t i = 0; i < report->n_values; i++) {
		const struct cd_value *v = &report->values[i];

		index[find_slot(report, v->key, v->point, v->stream)] =
		    (uint32_t)i + 1;
	}
	return 0;
}

static void forget_displaced(struct cd_report *report)
{
	free(report->displaced.text);
	report->displaced = (struct cd_value){0};
}

static struct cd_value *use_scratch(struct cd_report *report,
				    const struct cd_value *value)
{
	report->bad = true;
	free(report->scratch.text);
	report->scratch = *value;
	return &report->scratch;
}

/* Takes over value->text. What it replaces is kept until the next addition,
 * because cd_value_of_stream() may ask for it back. */
static struct cd_value *put_value(struct cd_report *report,
				  const struct cd_value *value)
{
	size_t slot;

	forget_displaced(report);
	if (grow_index(report) ||
	    cd_grow(&report->values, &report->values_capacity,
		    report->n_values + 1, sizeof(*report->values)))
		return use_scratch(report, value);
	slot = find_slot(report, value->key, value->point, value->stream);
	if (report->index[slot] == 0) {
		report->index[slot] = (uint32_t)++report->n_values;
	} else {
		report->displaced = report->values[report->index[slot] - 1];
	}
	report->values[report->index[slot] - 1] = *value;
	return &report->values[report->index[slot] - 1];
}

static struct cd_value start_value(uint32_t point, const char *name)
{
	struct cd_value value = {
	    .key = cd_key_find(name),
	    .point = point,
	    .stream = CD_NO_STREAM,
	};

	assert(value.key != NULL);
	return value;
}

struct cd_value *cd_report_count(struct cd_report *report, uint32_t point,
				 const char *name, uint64_t count)
{
	struct cd_value value = start_value(point, name);

	assert(value.key->kind == CD_VALUE_COUNT);
	value.kind = CD_VALUE_COUNT;
	value.integer = count > INT64_MAX ? INT64_MAX : (int64_t)count;
	return put_value(report, &value);
}

struct cd_value *cd_report_number(struct cd_report *report, uint32_t point,
				  const char *name, int64_t number)
{
	struct cd_value value = start_value(point, name);

	assert(value.key->kind == CD_VALUE_COUNT);
	value.kind = CD_VALUE_COUNT;
	value.integer = number;
	return put_value(report, &value);
}

struct cd_value *cd_report_span(struct cd_report *report, uint32_t point,
				const char *name, int64_t ps)
{
	struct cd_value value = start_value(point, name);

	assert(value.key->kind == CD_VALUE_SPAN);
	if (ps == CD_TIME_NONE)
		return cd_report_null(report, point, name, "no time");
	value.kind = CD_VALUE_SPAN;
	value.integer = ps;
	return put_value(report, &value);
}

struct cd_value *cd_report_real(struct cd_report *report, uint32_t point,
				const char *name, double real)
{
	struct cd_value value = start_value(point, name);

	assert(value.key->kind == CD_VALUE_REAL);
	if (!isfinite(real))
		return cd_report_null(report, point, name, "not finite");
	value.kind = CD_VALUE_REAL;
	value.real = real;
	return put_value(report, &value);
}

struct cd_value *cd_report_text(struct cd_report *report, uint32_t point,
				const char *name, const char *text)
{
	struct cd_value value = start_value(point, name);

	assert(value.key->kind == CD_VALUE_TEXT);
	value.kind = CD_VALUE_TEXT;
	value.text = cd_strdup(text);
	if (value.text == NULL) {
		value.kind = CD_VALUE_NULL;
		value.reason = "no memory";
		return use_scratch(report, &value);
	}
	return put_value(report, &value);
}

struct cd_value *cd_report_null(struct cd_report *report, uint32_t point,
				const char *name, const char *reason)
{
	struct cd_value value = start_value(point, name);

	value.kind = CD_VALUE_NULL;
	value.reason = reason;
	return put_value(report, &value);
}

struct cd_value *cd_value_of_stream(struct cd_report *report,
				    struct cd_value *value, uint32_t stream)
{
	struct cd_value moved = *value;
	size_t slot;

	if (value == &report->scratch)
		return value;
	slot = find_slot(report, value->key, value->point, value->stream);
	if (report->displaced.key != NULL) {
		*value = report->displaced;
		report->displaced = (struct cd_value){0};
	} else {
		/* the last one added: nothing was hashed past it */
		assert(value == &report->values[report->n_values - 1]);
		report->index[slot] = 0;
		report->n_values--;
	}
	moved.stream = stream;
	return put_value(report, &moved);
}

const struct cd_value *cd_report_find_stream(const struct cd_report *report,
					     uint32_t point, uint32_t stream,
					     const char *name)
{
	const struct cd_key *key = cd_key_find(name);
	size_t slot;

	if (key == NULL || report->index == NULL)
		return NULL;
	slot = find_slot(report, key, point, stream);
	return report->index[slot] == 0
		   ? NULL
		   : &report->values[report->index[slot] - 1];
}

const struct cd_value *cd_report_find(const struct cd_report *report,
				      uint32_t point, const char *name)
{
	return cd_report_find_stream(report, point, CD_NO_STREAM, name);
}

/* "stream.N.name" gives N and name, anything else CD_NO_STREAM and itself. */
static uint32_t split_stream(const char *name, const char **rest)
{
	char *end;
	unsigned long id;

	*rest = name;
	if (strncmp(name, "stream.", 7) != 0 || name[7] < '0' || name[7] > '9')
		return CD_NO_STREAM;
	id = strtoul(name + 7, &end, 10);
	if (*end != '.' || id >= CD_NO_STREAM)
		return CD_NO_STREAM;
	*rest = end + 1;
	return (uint32_t)id;
}

const struct cd_value *cd_report_next(const struct cd_report *report,
				      uint32_t point, size_t *at)
{
	while (*at < cd_key_count) {
		const char *name = cd_key_table[(*at)++].name;
		const struct cd_value *v = cd_report_find(report, point, name);

		if (v != NULL)
			return v;
	}
	while (*at - cd_key_count < report->n_values) {
		const struct cd_value *v =
		    &report->values[(*at)++ - cd_key_count];

		if (v->point == point && v->stream != CD_NO_STREAM)
			return v;
	}
	return NULL;
}

const struct cd_value *cd_report_find_key(const struct cd_report *report,
					  const char *full_key)
{
	for (uint32_t i = 0; i < report->n_captures; i++) {
		const char *label = report->captures[i].label;
		size_t n = label == NULL ? 0 : strlen(label);
		const struct cd_value *value;
		const char *name;
		uint32_t stream;

		if (n == 0 || strncmp(full_key, label, n) != 0 ||
		    full_key[n] != '.')
			continue;
		stream = split_stream(full_key + n + 1, &name);
		value = cd_report_find_stream(report, i, stream, name);
		if (value != NULL)
			return value;
	}
	return NULL;
}

bool cd_value_number(const struct cd_value *value, double *out)
{
	if (value == NULL)
		return false;
	switch (value->kind) {
	case CD_VALUE_COUNT:
		*out = (double)value->integer;
		return true;
	case CD_VALUE_SPAN:
		*out = (double)value->integer / (double)CD_PS_PER_NS;
		return true;
	case CD_VALUE_REAL:
		*out = value->real;
		return true;
	case CD_VALUE_TEXT:
	case CD_VALUE_NULL:
		break;
	}
	return false;
}

void cd_value_full_key(const struct cd_report *report,
		       const struct cd_value *value, struct cd_str *out)
{
	if (value->point < report->n_captures &&
	    report->captures[value->point].label != NULL)
		cd_str_addf(out, "%s.", report->captures[value->point].label);
	if (value->stream != CD_NO_STREAM)
		cd_str_addf(out, "stream.%lu.", (unsigned long)value->stream);
	cd_str_add(out, value->key->name);
}

/* ---- findings ------------------------------------------------------------ */

void cd_report_finding(struct cd_report *report, enum cd_severity severity,
		       const char *code, int point, const char *format, ...)
{
	struct cd_finding *finding;
	va_list args;
	char *text = NULL;
	int n;

	va_start(args, format);
	n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (n >= 0)
		text = malloc((size_t)n + 1);
	if (text == NULL || cd_grow(&report->findings,
				    &report->findings_capacity,
				    report->n_findings + 1,
				    sizeof(*report->findings))) {
		free(text);
		report->bad = true;
		return;
	}
	va_start(args, format);
	vsnprintf(text, (size_t)n + 1, format, args);
	va_end(args);
	finding = &report->findings[report->n_findings++];
	*finding = (struct cd_finding){severity, code, point, text};
}

void cd_report_forget(struct cd_report *report, const char *prefix)
{
	size_t n = 0;

	for (size_t i = 0; i < report->n_findings; i++) {
		if (strncmp(report->findings[i].code, prefix,
			    strlen(prefix)) == 0)
			free(report->findings[i].text);
		else
			report->findings[n++] = report->findings[i];
	}
	report->n_findings = n;
}

bool cd_report_has_finding(const struct cd_report *report, const char *code,
			   int point)
{
	for (size_t i = 0; i < report->n_findings; i++)
		if (report->findings[i].point == point &&
		    strcmp(report->findings[i].code, code) == 0)
			return true;
	return false;
}

const char *cd_report_keep(struct cd_report *report, const char *text)
{
	char *copy;

	for (size_t i = 0; i < report->n_kept; i++)
		if (strcmp(report->kept[i], text) == 0)
			return report->kept[i];
	copy = cd_strdup(text);
	if (copy == NULL ||
	    cd_grow(&report->kept, &report->kept_capacity, report->n_kept + 1,
		    sizeof(*report->kept))) {
		free(copy);
		report->bad = true;
		return "";
	}
	report->kept[report->n_kept++] = copy;
	return copy;
}

const char *cd_about_name(enum cd_about about)
{
	static const char *const names[] = {
	    [CD_ABOUT_BOTH] = "both",
	    [CD_ABOUT_COMPLETE] = "complete",
	    [CD_ABOUT_ACCURATE] = "accurate",
	};

	return names[about];
}

const char *cd_severity_name(enum cd_severity severity)
{
	static const char *const names[] = {
	    [CD_NOTE] = "note",
	    [CD_WARNING] = "warning",
	    [CD_ERROR] = "error",
	};

	return names[severity];
}

bool cd_is_about(const struct cd_abouts *abouts, size_t i, enum cd_about what)
{
	return i >= abouts->n || abouts->list[i] == CD_ABOUT_BOTH ||
	       abouts->list[i] == what;
}

const struct cd_report_verdict *cd_report_verdict(const struct cd_report *report,
						  uint32_t point)
{
	for (size_t i = 0; i < report->n_verdicts; i++)
		if (report->verdicts[i].point == point)
			return &report->verdicts[i];
	return NULL;
}
