#include "run/extract.h"

#include <string.h>

#include "base/str.h"
#include "extract/annotate.h"
#include "extract/packets.h"
#include "extract/pick.h"
#include "metric/marks.h"
#include "metric/packets.h"
#include "run/outputs.h"

/* ---- which capture --------------------------------------------------------
 */

static bool wants_subject(const struct capdiff_options *o)
{
	return o->write_marked != NULL || o->write_missing != NULL;
}

/* Labels of all captures that are compared. */
static void list_labels(const struct cd_extract *extract, struct cd_str *out)
{
	const struct capdiff_options *o = extract->options;

	for (size_t i = 0; i < o->n_captures; i++)
		if (i != o->reference)
			cd_str_addf(out, "%s%s", out->length > 0 ? ", " : "",
				    extract->points[i].label);
}

static int say_which(const struct cd_extract *extract, struct cd_error *error)
{
	const struct capdiff_options *o = extract->options;
	struct cd_str labels = {0};

	list_labels(extract, &labels);
	if (o->n_captures == 1)
		cd_error_set(error, CD_E_USAGE,
			     "there is one capture, so none is called '%s'",
			     o->subject);
	else if (o->subject != NULL)
		cd_error_set(error, CD_E_USAGE,
			     "no compared capture is called '%s'", o->subject);
	else
		cd_error_set(error, CD_E_USAGE,
			     "of which capture shall packets be written?");
	if (labels.length > 0)
		cd_error_hint(error, "--for LABEL says it, one of: %s",
			      cd_str_text(&labels));
	cd_str_release(&labels);
	return -1;
}

static int choose_subject(struct cd_extract *extract, struct cd_error *error)
{
	const struct capdiff_options *o = extract->options;
	size_t n = o->n_captures, found = n;

	if (n == 1 && o->write_missing != NULL) {
		cd_error_set(error, CD_E_USAGE,
			     "missing packets come from a reference, but there "
			     "is one capture");
		cd_error_hint(error, "capdiff REF OTHER --write-missing FILE");
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		if (n > 1 && i == o->reference)
			continue;
		if (o->subject == NULL && n > 2)
			return say_which(extract, error);
		if (o->subject == NULL ||
		    strcmp(o->subject, extract->points[i].label) == 0)
			found = i;
	}
	extract->subject = found;
	return found < n ? 0 : say_which(extract, error);
}

/* ---- before reading -------------------------------------------------------
 */

static int watch(struct cd_watch *watch, const struct cd_point *point,
		 const char *option, struct cd_error *error)
{
	bool set = point->paths != NULL;

	return cd_watch_begin(watch, set ? point->paths : &point->path,
			      set ? point->n_paths : 1, option, error);
}

static int check_names(const struct capdiff_options *o, struct cd_error *error)
{
	if (o->write_marked == NULL || !cd_pick_is_pcap(o->write_marked))
		return 0;
	cd_error_file(error, o->write_marked);
	cd_error_set(error, CD_E_USAGE, "pcap cannot hold comments");
	cd_error_hint(error, "let the name end in .pcapng or .pcapng.gz");
	return -1;
}

int cd_extract_begin(struct cd_extract *extract,
		     const struct capdiff_options *options,
		     const struct cd_point *points, struct cd_error *error)
{
	const struct capdiff_options *o = options;

	*extract = (struct cd_extract){.options = o, .points = points};
	if (cd_outputs_possible(o, error))
		return -1;
	if (!wants_subject(o)) {
		if (o->subject == NULL)
			return 0;
		return cd_error_set(error, CD_E_USAGE,
				    "--for goes with -w or --write-missing");
	}
	if (choose_subject(extract, error) || check_names(o, error))
		return -1;
	if (o->write_marked != NULL &&
	    watch(&extract->subject_files, &points[extract->subject], "-w",
		  error))
		return -1;
	if (o->write_missing != NULL &&
	    watch(&extract->reference_files, &points[o->reference],
		  "--write-missing", error))
		return -1;
	return 0;
}

void cd_extract_release(struct cd_extract *extract)
{
	cd_watch_release(&extract->subject_files);
	cd_watch_release(&extract->reference_files);
}

/* ---- after the analysis ---------------------------------------------------
 */

/* Did the first pass not read to the end? */
static bool stopped(const struct cd_extract *extract,
		    const struct cd_point *point)
{
	bool any = point->stop.fault != CD_OK;

	for (size_t i = 0; i < point->n_members; i++)
		any |= point->members[i].stop != NULL;
	return any || extract->options->max_packets > 0;
}

static int write_marked(const struct cd_extract *extract,
			const struct cd_analysis *analysis,
			const struct cd_pair *pair, struct cd_error *error)
{
	const struct cd_point *point = &extract->points[pair->dut];
	struct cd_marks marks = {0};
	struct cd_annotate what = {
	    .path = extract->options->write_marked,
	    .watch = &extract->subject_files,
	    .may_stop = stopped(extract, point),
	    .ts_unit_ps = point->ts_unit_ps,
	    .marks = &marks,
	    .streams = analysis->report->n_streams > 1,
	};
	int failed;

	if (what.path == NULL)
		return 0;
	failed = cd_marks_of_pair(analysis, pair, &marks);
	if (failed)
		cd_error_memory(error);
	cd_marks_sort(&marks);
	failed = failed || cd_annotate(&what, error);
	cd_marks_release(&marks);
	return failed ? -1 : 0;
}

static int write_missing(const struct cd_extract *extract,
			 const struct cd_analysis *analysis,
			 const struct cd_pair *pair, struct cd_error *error)
{
	const struct cd_point *point = &extract->points[pair->ref];
	struct cd_frame_set frames = {0};
	struct cd_pick what = {
	    .path = extract->options->write_missing,
	    .watch = &extract->reference_files,
	    .may_stop = stopped(extract, point),
	    .ts_unit_ps = point->ts_unit_ps,
	    .frames = &frames,
	};
	int failed;

	if (what.path == NULL)
		return 0;
	failed = cd_missing_of_pair(analysis, pair, &frames);
	if (failed)
		cd_error_memory(error);
	cd_frame_set_sort(&frames);
	failed = failed || cd_pick(&what, error);
	cd_frame_set_release(&frames);
	return failed ? -1 : 0;
}

static const struct cd_pair *find_pair(const struct cd_extract *extract,
				       const struct cd_analysis *analysis)
{
	size_t i = 0;

	while (analysis->pairs[i].dut != extract->subject)
		i++;
	return &analysis->pairs[i];
}

/* Of captures that cannot be compared nothing is written: the analysis has
 * said why. */
static bool is_good(const struct cd_pair *pair)
{
	return pair->alone || !pair->numbered ||
	       (pair->both_have > 0 && !pair->different_packets);
}

static int write_subject(const struct cd_extract *extract,
			 const struct cd_analysis *analysis,
			 struct cd_error *error)
{
	const struct cd_pair *pair = find_pair(extract, analysis);

	if (!pair->numbered) {
		cd_error_set(error, CD_E_DATA,
			     "without sequence numbers no packet can be told "
			     "from others, so nothing was written of them");
		cd_error_hint(error, "where the numbers are: --stamp "
				     "field:at=udp+0,width=4,endian=big");
		return -1;
	}
	if (!is_good(pair))
		return 0;
	if (write_marked(extract, analysis, pair, error) ||
	    write_missing(extract, analysis, pair, error))
		return -1;
	return 0;
}

static int add_packet(void *context, const struct cd_packet_row *row,
		      struct cd_error *error)
{
	return cd_packets_add(context, row, error);
}

static int write_packets(const struct cd_extract *extract,
			 const struct cd_analysis *analysis,
			 struct cd_error *error)
{
	const struct capdiff_options *o = extract->options;
	struct cd_packets *packets;
	int failed;

	for (size_t i = 0; i < analysis->n_pairs; i++)
		if (!is_good(&analysis->pairs[i]))
			return 0;
	packets = cd_packets_open(o->write_packets, extract->points,
				  o->n_captures, o->reference, error);
	if (packets == NULL)
		return -1;
	failed = cd_packets_walk(analysis, add_packet, packets, error);
	failed |= cd_packets_close(packets, !failed, error);
	return failed ? -1 : 0;
}

int cd_extract_run(const struct cd_extract *extract,
		   const struct cd_analysis *analysis, struct cd_error *error)
{
	const struct capdiff_options *o = extract->options;

	if (wants_subject(o) && write_subject(extract, analysis, error))
		return -1;
	if (o->write_packets != NULL && write_packets(extract, analysis, error))
		return -1;
	return 0;
}
