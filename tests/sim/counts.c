#include "counts.h"

struct count {
	const char *truth, *value;
	int head, tail; /* times the packets promoted at either end */
};

static bool same_count(const struct trial *t, const char *value, double got,
		       double expected)
{
	if (got == expected)
		return true;
	note("%s: %s is %.17g, %.17g in truth", t->what, value, got, expected);
	return false;
}

/* Truth knows no evidence: what is promoted to loss is there excluded. */
static bool stream_counts(const struct trial *t)
{
	static const struct count counts[] = {
	    {"expected", "loss.expected", -1, -1},
	    {"lost", "loss.missing", -1, -1},
	    {"ref_miss", "loss.ref_miss", 0, 0},
	    {"both_miss", "loss.both_miss", 0, 0},
	    {"head_excluded", "loss.head_excluded", 1, 0},
	    {"tail_excluded", "loss.tail_excluded", 0, 1},
	    {"copies", "duplicate.copies", 0, 0},
	    {"excess", "duplicate.excess", 0, 0},
	    {"deficit", "duplicate.deficit", 0, 0},
	    {"reordered", "order.reordered_file", 0, 0},
	    {"extent_max", "order.extent_max", 0, 0},
	};
	double head = trial_value(t, "loss.head_lost");
	double tail = trial_value(t, "loss.tail_lost");
	bool good = true;

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		good &= same_count(t, counts[i].value,
				   trial_value(t, counts[i].value) +
				       counts[i].head * head +
				       counts[i].tail * tail,
				   truth_stream(t, counts[i].truth));
	good &= same_count(t, "loss.runs",
			   trial_value(t, "loss.runs") - (head > 0) - (tail > 0),
			   truth_stream(t, "runs"));
	if (head + tail == 0)
		good &= same_count(t, "loss.longest_run",
				   trial_value(t, "loss.longest_run"),
				   truth_stream(t, "longest"));
	return good;
}

/* What the report counts inside streams, and the truth in the whole file. */
static bool file_counts(const struct trial *t)
{
	const json_t *drops = json_object_get(trial_point(t, 1), "drops");
	const json_t *reported = json_object_get(drops, "reported");
	bool good;

	good = same_count(t, "time.steps_back",
			  trial_value(t, "time.steps_back"),
			  truth_point(t, "steps_back"));
	good &= same_count(t, "time.equal", trial_value(t, "time.equal"),
			   truth_point(t, "equal"));
	if (json_is_integer(reported))
		good &= same_count(t, "loss.reported_by_file",
				   trial_value(t, "loss.reported_by_file"),
				   (double)json_integer_value(reported));
	return good;
}

void check_counts(const struct trial *t)
{
	const json_t *streams = json_object_get(t->truth, "streams");
	bool good = stream_counts(t);

	good &= same_count(t, "file.packets", trial_value(t, "file.packets"),
			   truth_point(t, "records"));
	if (json_array_size(streams) == 1)
		good &= file_counts(t);
	ok(good, "%s: all counts are those of the truth (%.0f missing)",
	   t->what, trial_value(t, "loss.missing"));
}
