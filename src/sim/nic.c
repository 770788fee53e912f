#include "sim/nic.h"

#include <stdlib.h>

#include "base/array.h"

void cd_nic_init(struct cd_nic *nic, const struct cd_point_spec *point)
{
	*nic = (struct cd_nic){.point = point, .idle_ps = INT64_MIN};
}

void cd_nic_release(struct cd_nic *nic)
{
	free(nic->fifo);
	nic->fifo = NULL;
}

/* The end of the window that `t_ps` lies in, else `t_ps`. */
static int64_t leave_window(const struct cd_window *w, int64_t t_ps)
{
	int64_t start = w->at_ps;

	if (t_ps < start)
		return t_ps;
	if (w->every_ps > 0)
		start += (t_ps - start) / w->every_ps * w->every_ps;
	return t_ps < start + w->length_ps ? start + w->length_ps : t_ps;
}

int64_t cd_windows_after(const struct cd_windows *windows, int64_t t_ps)
{
	int64_t before;

	do {
		before = t_ps;
		for (size_t i = 0; i < windows->n; i++)
			t_ps = leave_window(&windows->items[i], t_ps);
	} while (t_ps != before);
	return t_ps;
}

/* The interrupt of a frame that arrives at an empty ring. */
static int64_t first_interrupt(const struct cd_point_spec *point, int64_t t)
{
	int64_t since;

	switch (point->coalescing) {
	case CD_COALESCE_TIMER:
		since = t - point->phase_ps;
		since += point->period_ps - 1;
		if (since < 0)
			return point->phase_ps;
		return point->phase_ps +
		       since / point->period_ps * point->period_ps;
	case CD_COALESCE_ONESHOT:
		return t + point->period_ps;
	default:
		return t;
	}
}

/* When the kernel would begin with what waits. */
static int64_t service_time(const struct cd_nic *nic)
{
	int64_t t = nic->interrupt_ps;

	if (t < nic->idle_ps)
		t = nic->idle_ps;
	return cd_windows_after(&nic->point->stalls, t);
}

bool cd_nic_take(struct cd_nic *nic, int64_t before_ps,
		 struct cd_arrival *taken)
{
	if (nic->batch_left == 0) {
		int64_t t;

		if (nic->waiting == 0)
			return false;
		t = service_time(nic);
		if (t >= before_ps)
			return false;
		nic->batch_ps = t;
		nic->batch_left = nic->waiting;
		nic->batch_taken = 0;
		nic->idle_ps = t + (int64_t)nic->waiting * nic->point->cost_ps;
	}
	*taken = nic->fifo[nic->first];
	taken->service_ps = nic->batch_ps +
			    (int64_t)nic->batch_taken * nic->point->cost_ps;
	nic->first = (nic->first + 1) & (nic->capacity - 1);
	nic->waiting--;
	nic->batch_left--;
	nic->batch_taken++;
	return true;
}

/* Slots of taken frames that the kernel has not finished yet. */
static uint64_t unfinished(const struct cd_nic *nic, int64_t t)
{
	int64_t cost = nic->point->cost_ps;

	if (t >= nic->idle_ps)
		return 0;
	return (uint64_t)((nic->idle_ps - t + cost - 1) / cost);
}

static int make_room(struct cd_nic *nic, struct cd_error *error)
{
	size_t wanted = nic->capacity == 0 ? 64 : nic->capacity * 2;
	struct cd_arrival *grown;

	if (nic->waiting < nic->capacity)
		return 0;
	grown = calloc(wanted, sizeof(*grown));
	if (grown == NULL)
		return cd_error_memory(error);
	for (size_t i = 0; i < nic->waiting; i++)
		grown[i] = nic->fifo[(nic->first + i) & (nic->capacity - 1)];
	free(nic->fifo);
	nic->fifo = grown;
	nic->capacity = wanted;
	nic->first = 0;
	return 0;
}

int cd_nic_arrive(struct cd_nic *nic, const struct cd_packet *packet,
		  int64_t t, struct cd_error *error)
{
	const struct cd_point_spec *point = nic->point;
	size_t at;

	if (point->ring > 0 &&
	    nic->waiting + unfinished(nic, t) >= point->ring) {
		nic->dropped++;
		return 0;
	}
	if (make_room(nic, error))
		return -1;
	at = (nic->first + nic->waiting) & (nic->capacity - 1);
	nic->fifo[at] = (struct cd_arrival){.packet = *packet,
					    .arrival_ps = t,
					    .drops = nic->dropped};
	if (nic->waiting++ == 0)
		nic->interrupt_ps = first_interrupt(point, t);
	if (nic->waiting == point->frames && nic->interrupt_ps > t)
		nic->interrupt_ps = t;
	return 1;
}
