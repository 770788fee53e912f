#include "render/cells.h"

#include <math.h>
#include <string.h>

/* -1 (not known) counts as nothing. */
static int64_t sum_counts(int64_t a, int64_t b)
{
	a = a < 0 ? 0 : a;
	b = b < 0 ? 0 : b;
	return a > INT64_MAX - b ? INT64_MAX : a + b;
}

static bool is_reference(const struct cd_view *view, uint32_t point)
{
	return !view->single && point == view->report->reference;
}

/* ---- the file ------------------------------------------------------------ */

static void cell_made_with(const struct cd_view *view, uint32_t point,
			   struct cd_str *out)
{
	cd_view_add_program(&view->report->captures[point], out);
}

static void cell_resolution(const struct cd_view *view, uint32_t point,
			    struct cd_str *out)
{
	double tick = span_of(view, point, "time.tick_ns");
	double stored = span_of(view, point, "time.resolution_ns");

	if (!isnan(tick)) {
		cd_text_span_short(out, tick, 4, view->utf8);
	} else if (!isnan(stored)) {
		cd_text_span_short(out, stored, 4, view->utf8);
		cd_str_add(out, " in the file");
	}
}

static void remark_resolution(const struct cd_view *view, uint32_t point,
			      struct cd_str *out)
{
	double tick = span_of(view, point, "time.tick_ns");
	double stored = span_of(view, point, "time.resolution_ns");

	if (!(stored < tick))
		return;
	cd_str_add(out, "the file could hold ");
	cd_text_span_short(out, stored, 4, view->utf8);
}

static void cell_packets(const struct cd_view *view, uint32_t point,
			 struct cd_str *out)
{
	int64_t n = cd_view_count(view, point, "file.packets");

	if (n < 0)
		n = (int64_t)view->report->captures[point].packets;
	cd_text_count(out, n);
}

static void remark_packets(const struct cd_view *view, uint32_t point,
			   struct cd_str *out)
{
	const struct cd_report_capture *c = &view->report->captures[point];

	if (c->cut_short || c->damaged)
		cd_str_add(out, c->damaged ? "damaged" : "cut short");
}

/* ---- loss ---------------------------------------------------------------- */

static void cell_missing(const struct cd_view *view, uint32_t point,
			 struct cd_str *out)
{
	int64_t lacks = cd_view_reference_lacks(view);

	if (!is_reference(view, point))
		add_key(view, point, "loss.missing", out);
	else if (lacks >= 0)
		cd_text_count(out, lacks);
}

static void remark_missing(const struct cd_view *view, uint32_t point,
			   struct cd_str *out)
{
	int64_t runs = cd_view_count(view, point, "loss.runs");
	int64_t longest = cd_view_count(view, point, "loss.longest_run");
	double outage = span_of(view, point, "loss.longest_outage_ns");

	if (runs <= 0 || longest <= 0)
		return;
	cd_text_count(out, runs);
	cd_str_add(out, runs == 1 ? " gap" : " gaps, longest ");
	if (runs > 1)
		cd_text_count(out, longest);
	if (!isnan(outage)) {
		cd_str_add(out, " (");
		cd_text_span(out, outage, view->utf8);
		cd_str_add(out, ")");
	}
}

/* Where nothing is lost there was no outage. */
static void cell_outage(const struct cd_view *view, uint32_t point,
			struct cd_str *out)
{
	if (cd_view_count(view, point, "loss.longest_run") != 0)
		add_key(view, point, "loss.longest_outage_ns", out);
}

static void cell_absent(const struct cd_view *view, uint32_t point,
			struct cd_str *out)
{
	if (cd_view_value(view, point, "loss.missing") != NULL)
		add_key(view, point, "loss.missing", out);
	else
		add_key(view, point, "stream.gaps", out);
}

/* Shown only where it is more than nothing. */
static void add_if_any(const struct cd_view *view, uint32_t point,
		       const char *name, struct cd_str *out)
{
	if (cd_view_count(view, point, name) > 0)
		add_key(view, point, name, out);
}

static void cell_nowhere(const struct cd_view *view, uint32_t point,
			 struct cd_str *out)
{
	add_if_any(view, point,
		   cd_view_value(view, point, "loss.all_miss") != NULL
		       ? "loss.all_miss"
		       : "loss.both_miss",
		   out);
}

static void remark_nowhere(const struct cd_view *view, uint32_t point,
			   struct cd_str *out)
{
	(void)view, (void)point;
	cd_str_add(out, "probably never sent");
}

static void cell_not_judged(const struct cd_view *view, uint32_t point,
			    struct cd_str *out)
{
	int64_t head = cd_view_count(view, point, "loss.head_excluded");
	int64_t tail = cd_view_count(view, point, "loss.tail_excluded");

	if (cd_view_count(view, point, "loss.expected") >= 0 &&
	    (head > 0 || tail > 0))
		cd_text_count(out, sum_counts(head, tail));
}

static void remark_not_judged(const struct cd_view *view, uint32_t point,
			      struct cd_str *out)
{
	int64_t head = cd_view_count(view, point, "loss.head_excluded");
	int64_t tail = cd_view_count(view, point, "loss.tail_excluded");

	if (head > 0) {
		cd_text_count(out, head);
		cd_str_add(out, " before");
	}
	if (tail > 0) {
		cd_str_add(out, head > 0 ? ", " : "");
		cd_text_count(out, tail);
		cd_str_add(out, " after");
	}
	cd_str_add(out, " the common time");
}

static void cell_unnumbered(const struct cd_view *view, uint32_t point,
			    struct cd_str *out)
{
	int64_t cut = cd_view_count(view, point, "stream.cut");

	if (cut > 0)
		cd_text_count(out, cut);
}

static void cell_captured(const struct cd_view *view, uint32_t point,
			  struct cd_str *out)
{
	int64_t expected = cd_view_count(view, point, "loss.expected");
	int64_t missing = cd_view_count(view, point, "loss.missing");

	if (is_reference(view, point)) {
		missing = cd_view_reference_lacks(view);
		for (uint32_t i = 0; i < view->report->n_captures; i++)
			if (cd_view_count(view, i, "loss.ref_miss") == missing)
				expected = cd_view_count(view, i,
							 "loss.expected");
		if (expected >= 0 && missing >= 0)
			expected = sum_counts(expected, missing);
	}
	if (expected >= 0 && missing >= 0)
		cd_text_percent_captured(
		    out, missing > expected ? 0 : (uint64_t)(expected - missing),
		    (uint64_t)expected);
	else if (cd_report_find(view->report, point, "loss.missing") != NULL)
		cd_str_add(out, "n/a");
}

static void remark_duplicates(const struct cd_view *view, uint32_t point,
			      struct cd_str *out)
{
	int64_t copies = cd_view_count(view, point, "duplicate.copies");
	int64_t excess = cd_view_count(view, point, "duplicate.excess");
	double delay = span_of(view, point, "duplicate.delay_p50_ns");

	if (copies <= 0)
		return;
	if (excess >= 0 && excess < copies) {
		cd_text_count(out, excess);
		cd_str_add(out, " beyond the reference's");
	} else if (!isnan(delay)) {
		cd_text_span(out, delay, view->utf8);
		cd_str_add(out, " after the first");
	}
}

static void remark_order(const struct cd_view *view, uint32_t point,
			 struct cd_str *out)
{
	int64_t in_file = cd_view_count(view, point, "order.reordered_file");
	int64_t by_time = cd_view_count(view, point, "order.reordered_time");
	int64_t extent = cd_view_count(view, point, "order.extent_max");

	if (by_time >= 0 && in_file >= 0 && by_time != in_file) {
		cd_text_count(out, by_time);
		cd_str_add(out, " if sorted by time");
	} else if (in_file > 0 && extent > 0) {
		cd_str_add(out, "by up to ");
		cd_text_count(out, extent);
	}
}

/* ---- deltas -------------------------------------------------------------- */

/* Between neighbours by number; in a capture without numbers, in file. */
static void add_delta(const struct cd_view *view, uint32_t point,
		      const char *name, const char *raw, struct cd_str *out)
{
	bool numbered = cd_report_find(view->report, point, name) != NULL;

	add_key(view, point, numbered ? name : raw, out);
}

static void cell_median_delta(const struct cd_view *view, uint32_t point,
			      struct cd_str *out)
{
	add_delta(view, point, "delta.p50_ns", "delta.raw_p50_ns", out);
}

static void cell_longest_delta(const struct cd_view *view, uint32_t point,
			       struct cd_str *out)
{
	add_delta(view, point, "delta.max_ns", "delta.raw_max_ns", out);
}

/* A gap is no delta; the reference's deltas then are of other packets, too. */
static void remark_longest_delta(const struct cd_view *view, uint32_t point,
				 struct cd_str *out)
{
	if (cd_view_count(view, point, "loss.missing") > 0 &&
	    !isnan(span_of(view, point, "delta.max_ns")))
		cd_str_add(out, "between consecutive IDs");
}

static void remark_worst_delta(const struct cd_view *view, uint32_t point,
			       struct cd_str *out)
{
	double true_ps = span_of(view, point, "delta.worst_true_ns");

	if (isnan(true_ps))
		return;
	cd_str_add(out, "true ");
	cd_text_span(out, true_ps, view->utf8);
	if (cd_view_value(view, point, "delta.worst_seq") != NULL) {
		cd_str_add(out, ", ID ");
		add_key(view, point, "delta.worst_seq", out);
	}
	cd_view_add_frame(view, point, "delta.worst_frame", out);
}

static void cell_zero_or_less(const struct cd_view *view, uint32_t point,
			      struct cd_str *out)
{
	int64_t zero = cd_view_count(view, point, "delta.zero");
	int64_t negative = cd_view_count(view, point, "delta.negative");

	if (zero >= 0)
		cd_text_count(out, sum_counts(zero, negative));
	else
		add_key(view, point, "delta.zero_ratio", out);
}

static void remark_zero_or_less(const struct cd_view *view, uint32_t point,
				struct cd_str *out)
{
	int64_t negative = cd_view_count(view, point, "delta.negative");
	int64_t deltas = cd_view_count(view, point, "delta.raw_count");
	double ratio = real_of(view, point, "delta.zero_ratio");

	if (ratio > 0) {
		cd_text_ratio(out, ratio);
		cd_str_add(out, " of ");
		if (deltas > 0) {
			cd_text_count(out, deltas);
			cd_str_add(out, " are zero");
		} else {
			cd_str_add(out, "all are zero");
		}
	}
	if (negative > 0) {
		cd_str_add(out, ratio > 0 ? ", " : "");
		cd_text_count(out, negative);
		cd_str_add(out, " below zero");
	}
}

/* Undefined everywhere it says nothing. */
static void cell_impossible(const struct cd_view *view, uint32_t point,
			    struct cd_str *out)
{
	bool any = view->all;

	for (uint32_t i = 0; i < view->report->n_captures; i++)
		any = any || cd_view_value(view, i,
					   "delta.impossible_ratio") != NULL;
	if (any)
		add_key(view, point, "delta.impossible_ratio", out);
}

static void remark_wire(const struct cd_view *view, uint32_t point,
			struct cd_str *out)
{
	double link = real_of(view, point, "physics.link_bps");

	if (!(link > 0) || !(real_of(view, point, "delta.impossible_ratio") > 0))
		return;
	cd_str_add(out, "on a ");
	cd_text_rate(out, link, "bit/s");
	cd_str_add(out, " wire");
}

static void remark_invented(const struct cd_view *view, uint32_t point,
			    struct cd_str *out)
{
	(void)view, (void)point;
	cd_str_add(out, "of all gap time");
}

/* ---- the table ----------------------------------------------------------- */

const struct cd_row cd_rows[] = {
    {"Captured with", NULL, CD_ROW_ALWAYS, cell_made_with, NULL},
    {"Time stamp resolution", NULL, CD_ROW_ALWAYS, cell_resolution,
     remark_resolution},
    {"Packets in file", NULL, CD_ROW_ALWAYS, cell_packets, remark_packets},
    {"Numbers cut off", NULL, CD_ROW_ALWAYS, cell_unnumbered, NULL},
    {"Numbers absent", NULL, CD_ROW_SINGLE, cell_absent, remark_missing},
    {"Expected", "loss.expected", CD_ROW_BARE, NULL, NULL},
    {"Missing", "loss.missing", CD_ROW_COMPARED, cell_missing,
     remark_missing},
    {"  gaps", "loss.runs", CD_ROW_BARE, NULL, NULL},
    {"  longest gap", "loss.longest_run", CD_ROW_BARE, NULL, NULL},
    {"  longest outage", "loss.longest_outage_ns", CD_ROW_BARE, cell_outage,
     NULL},
    {"Missing everywhere", NULL, CD_ROW_COMPARED, cell_nowhere,
     remark_nowhere},
    {"Not judged", NULL, CD_ROW_COMPARED, cell_not_judged, remark_not_judged},
    {"Duplicates", "duplicate.copies", CD_ROW_ALWAYS, NULL, remark_duplicates},
    {"Out of order", "order.reordered_file", CD_ROW_ALWAYS, NULL,
     remark_order},
    {"Captured", NULL, CD_ROW_COMPARED, cell_captured, NULL},
    {"", NULL, CD_ROW_ALWAYS, NULL, NULL},
    {"Delta     median", "delta.p50_ns", CD_ROW_ALWAYS, cell_median_delta,
     NULL},
    {"          longest", "delta.max_ns", CD_ROW_ALWAYS, cell_longest_delta,
     remark_longest_delta},
    {"          most wrong", "delta.worst_shown_ns", CD_ROW_COMPARED, NULL,
     remark_worst_delta},
    {"          zero or less", NULL, CD_ROW_ALWAYS, cell_zero_or_less,
     remark_zero_or_less},
    {"          impossible", "delta.impossible_ratio", CD_ROW_ALWAYS,
     cell_impossible, remark_wire},
    {"          usable from", "delta.usable_ns", CD_ROW_ALWAYS, NULL, NULL},
    {"Bursts every", "burst.period_ns", CD_ROW_ALWAYS, NULL, cd_remark_bursts},
    {"Invented gap time", "delta_error.false_share", CD_ROW_COMPARED, NULL,
     remark_invented},
    {"", NULL, CD_ROW_ALWAYS, NULL, NULL},
    {"Clock     offset", "clock.offset_ns", CD_ROW_COMPARED, cd_cell_offset,
     cd_remark_offset},
    {"          drift", "clock.drift_ppm", CD_ROW_COMPARED, cd_cell_drift,
     cd_remark_drift},
    {"          wander", "clock.wander_ns", CD_ROW_COMPARED, NULL, NULL},
    {"          steps", "clock.steps", CD_ROW_COMPARED, NULL, cd_remark_steps},
    {"Time stamp error 99.8 %", "time.error.span_ns", CD_ROW_COMPARED, NULL,
     cd_remark_limit},
    {"  limit", "limit.lim_ns", CD_ROW_BARE, cd_cell_limit, NULL},
    {"  largest", "time.error.max_ns", CD_ROW_COMPARED, NULL,
     cd_remark_largest},
    {"  late events", "time.late_events", CD_ROW_COMPARED, NULL,
     cd_remark_late},
    {"MTIE in   100 us", NULL, CD_ROW_COMPARED, cd_cell_mtie_100us, NULL},
    {"          1 ms", NULL, CD_ROW_COMPARED, cd_cell_mtie_1ms, NULL},
    {"          10 ms", NULL, CD_ROW_COMPARED, cd_cell_mtie_10ms, NULL},
    {"          100 ms", NULL, CD_ROW_COMPARED, cd_cell_mtie_100ms, NULL},
    {"          1 s", NULL, CD_ROW_COMPARED, cd_cell_mtie_1s, NULL},
    {"          10 s", NULL, CD_ROW_COMPARED, cd_cell_mtie_10s, NULL},
    {"          100 s", NULL, CD_ROW_COMPARED, cd_cell_mtie_100s, NULL},
    {"TDEV", NULL, CD_ROW_COMPARED, cd_cell_tdev, cd_remark_tdev},
    {"Error against cadence", "cadence.span_ns", CD_ROW_SINGLE, NULL, NULL},
    {"Error against sender", "sender.span_ns", CD_ROW_SINGLE, NULL, NULL},
};

const size_t cd_row_count = sizeof(cd_rows) / sizeof(cd_rows[0]);

bool cd_row_applies(const struct cd_view *view, const struct cd_row *row,
		    uint32_t point)
{
	if (view->single || cd_view_compared(view, point))
		return true;
	return row->place == CD_ROW_ALWAYS &&
	       (row->cell != NULL || row->key == NULL ||
		cd_view_value(view, point, row->key) != NULL);
}

bool cd_row_cell(const struct cd_view *view, const struct cd_row *row,
		 uint32_t point, struct cd_str *out)
{
	size_t before = out->length;

	if (cd_row_applies(view, row, point)) {
		if (row->cell != NULL)
			row->cell(view, point, out);
		else if (row->key != NULL)
			add_key(view, point, row->key, out);
	}
	if (out->length > before)
		return true;
	cd_str_add(out, "-");
	return false;
}
