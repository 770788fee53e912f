#include "verdict/verdict.h"

#include "report/sweep.h"

static int worst_run(const struct cd_sweep *sweep)
{
	int worst = sweep->n_runs == 0 ? 2 : 0;

	for (size_t i = 0; i < sweep->n_runs; i++)
		if (sweep->runs[i].status > worst)
			worst = sweep->runs[i].status;
	return worst;
}

int cd_exit_status(const struct cd_report *report)
{
	if (report->sweep != NULL)
		return worst_run(report->sweep);
	if (report->n_verdicts == 0)
		return 1;
	for (size_t i = 0; i < report->n_verdicts; i++)
		if (report->verdicts[i].complete != CD_TRUE ||
		    report->verdicts[i].accurate != CD_TRUE)
			return 1;
	for (size_t i = 0; i < report->n_limits; i++)
		if (!report->limits[i].passed)
			return 1;
	return 0;
}
