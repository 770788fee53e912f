#include "align/times.h"

#include <stdlib.h>
#include <string.h>

#define DAY 86400

void cd_times_init(struct cd_times *times, struct cd_point *point,
		   const struct cd_capture *capture)
{
	*times = (struct cd_times){
	    .point = point,
	    .capture = capture,
	    .is_pcap = strcmp(capture->format->name, "pcap") == 0,
	};
	point->first_ps = INT64_MAX;
	point->last_ps = INT64_MIN;
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

void cd_times_base(struct cd_times *times, int64_t *seconds, size_t n)
{
	size_t kept = 0, i = 0;
	int64_t median;

	for (size_t k = 0; k < n; k++)
		if (seconds[k] != 0)
			seconds[kept++] = seconds[k];
	if (n == 0)
		return;
	if (kept == 0)
		seconds[kept++] = 0;
	qsort(seconds, kept, sizeof(*seconds), by_value);
	median = seconds[kept / 2];
	/* neither side of the comparison can overflow */
	while (seconds[i] < median && (uint64_t)median - (uint64_t)seconds[i] >
					  DAY)
		i++;
	times->point->base = (struct cd_instant){.s = seconds[i]};
	times->base_s = seconds[i];
	times->has_base = true;
	times->is_plain = times->point->ts_unit_ps == 0;
}

/*
 * --ts-unit for a format that gives whole ticks: its ticks counted in another
 * unit. Decimal resolutions down to 1 ps are exact; of others only the file
 * knows the ticks, and they stay.
 */
static bool recount(const struct cd_times *times,
		    const struct cd_record *record, struct cd_instant *out)
{
	const struct cd_iface *iface = &times->capture->ifaces[record->iface];
	int64_t tick = cd_resolution_ps(iface->resolution);
	__int128 ps = ((__int128)record->time.s - iface->offset_s) *
			  CD_PS_PER_S +
		      record->time.ps;

	if (iface->resolution.base != 10 || iface->resolution.exponent > 12)
		return true;
	ps = ps / tick * times->point->ts_unit_ps;
	out->s = (int64_t)(ps / CD_PS_PER_S) + iface->offset_s;
	out->ps = (int64_t)(ps % CD_PS_PER_S);
	return true;
}

bool cd_times_instant(const struct cd_times *times,
		      const struct cd_record *record, struct cd_instant *out)
{
	int64_t unit = times->point->ts_unit_ps;

	*out = record->time;
	if (record->flags & (CD_RECORD_NO_TIME | CD_RECORD_OUT_OF_RANGE))
		return false;
	if (unit != 0 && times->is_pcap) {
		out->ps = record->fraction * unit;
		return out->ps < CD_PS_PER_S;
	}
	if (record->flags & CD_RECORD_BAD_FRACTION)
		return false;
	return unit == 0 || recount(times, record, out);
}

static void count_fault(struct cd_point *point, const struct cd_record *record)
{
	if (record->flags & CD_RECORD_NO_TIME)
		point->no_time++;
	else if (record->flags & CD_RECORD_OUT_OF_RANGE)
		point->out_of_range++;
	else
		point->bad_fraction++;
}

int64_t cd_times_slow(struct cd_times *times, const struct cd_record *record)
{
	struct cd_point *point = times->point;
	struct cd_instant t;
	int64_t s;

	if (!cd_times_instant(times, record, &t)) {
		count_fault(point, record);
		return CD_TIME_NONE;
	}
	if (!times->has_base)
		cd_times_base(times, &(int64_t){t.s}, 1);
	if (t.s == 0 && t.ps == 0 && point->base.s > DAY) {
		point->zero_time++;
		return CD_TIME_NONE;
	}
	s = (int64_t)((uint64_t)t.s - (uint64_t)point->base.s);
	if (!cd_times_near(s)) {
		point->out_of_range++;
		return CD_TIME_NONE;
	}
	return s * CD_PS_PER_S + (t.ps - point->base.ps);
}

static int64_t gcd(int64_t a, int64_t b)
{
	while (b != 0) {
		int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* 10^12 = 2^12 * 5^12: finer ticks are no whole ps. */
static bool is_whole(struct cd_resolution r)
{
	return r.exponent <= 12;
}

int64_t cd_times_unit(const struct cd_times *times)
{
	const struct cd_capture *capture = times->capture;
	int64_t unit = times->point->ts_unit_ps;

	if (unit != 0)
		return times->is_pcap ? unit : 1;
	for (size_t i = 0; i < capture->n_ifaces; i++) {
		struct cd_resolution r = capture->ifaces[i].resolution;

		if (!is_whole(r))
			return 1;
		unit = gcd(cd_resolution_ps(r), unit);
	}
	return unit == 0 ? 1 : unit;
}
