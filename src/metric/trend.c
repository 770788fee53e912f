#include "metric/trend.h"

#include <math.h>
#include <stdlib.h>

#include "metric/walk.h"

/* W(x) = floor + slope (x - x0) for from <= x < to. */
struct cd_trend_piece {
	double from, to;
	double x0, floor, slope;
};

/* The piece between two blocks; a NULL one is infinitely far away. */
static struct cd_trend_piece piece_between(const struct cd_clock_block *a,
					   const struct cd_clock_block *b)
{
	struct cd_trend_piece piece = {.from = -INFINITY, .to = INFINITY};

	if (b != NULL) {
		piece.to = b->x_mid_ps;
		piece.floor = b->floor_ps;
	}
	if (a != NULL) {
		piece.from = a->x_mid_ps;
		piece.x0 = a->x_mid_ps;
		piece.floor = a->floor_ps;
	}
	if (a != NULL && b != NULL)
		piece.slope =
		    (b->floor_ps - a->floor_ps) / (b->x_mid_ps - a->x_mid_ps);
	return piece;
}

/* Blocks from..to-1 are those of one lane; one whose middle does not come
 * after the one before (the wire reordered) is left out. */
static size_t add_lane(struct cd_trend_piece *pieces,
		       const struct cd_clock_block *blocks, size_t n)
{
	const struct cd_clock_block *previous = NULL;
	size_t count = 0;

	for (size_t b = 0; b < n; b++) {
		if (previous != NULL &&
		    !(blocks[b].x_mid_ps > previous->x_mid_ps))
			continue;
		pieces[count++] = piece_between(previous, &blocks[b]);
		previous = &blocks[b];
	}
	pieces[count++] = piece_between(previous, NULL);
	return count;
}

int cd_trend_init(struct cd_trend *trend, const struct cd_pair *pair)
{
	const struct cd_clock *clock = &pair->clock;
	size_t most = clock->n_blocks + pair->n_lanes + 1;
	size_t b = 0, n = 0;

	*trend = (struct cd_trend){
	    .pieces = malloc(most * sizeof(*trend->pieces)),
	    .first_of_lane =
		malloc((pair->n_lanes + 1) * sizeof(*trend->first_of_lane)),
	};
	if (trend->pieces == NULL || trend->first_of_lane == NULL)
		return -1;
	for (size_t lane = 0; lane < pair->n_lanes; lane++) {
		size_t from = b;

		while (b < clock->n_blocks && clock->blocks[b].lane == lane)
			b++;
		trend->first_of_lane[lane] = n;
		n +=
		    add_lane(trend->pieces + n, clock->blocks + from, b - from);
	}
	trend->first_of_lane[pair->n_lanes] = n;
	return 0;
}

void cd_trend_release(struct cd_trend *trend)
{
	free(trend->pieces);
	free(trend->first_of_lane);
	*trend = (struct cd_trend){0};
}

/* The piece that holds x, from where the last one was. */
static const struct cd_trend_piece *find(struct cd_trend *trend, size_t lane,
					 double x)
{
	size_t first = trend->first_of_lane[lane];
	size_t end = trend->first_of_lane[lane + 1];

	if (trend->at < first || trend->at >= end)
		trend->at = first;
	while (x >= trend->pieces[trend->at].to)
		trend->at++;
	while (x < trend->pieces[trend->at].from)
		trend->at--;
	return &trend->pieces[trend->at];
}

void cd_trend_subtract(struct cd_trend *trend, size_t lane, const int64_t *x,
		       const int64_t *r, int64_t *f, size_t n)
{
	size_t i = 0;

	while (i < n) {
		const struct cd_trend_piece p =
		    *find(trend, lane, (double)x[i]);

		for (; i < n; i++) {
			double at = (double)x[i];

			if (!(at >= p.from && at < p.to))
				break;
			f[i] =
			    r[i] - cd_round_ps(p.floor + p.slope * (at - p.x0));
		}
	}
}
