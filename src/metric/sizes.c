#include "metric/sizes.h"

#include <stdlib.h>
#include <string.h>

#include "metric/walk.h"
#include "stat/blocks.h"
#include "stat/histogram.h"
#include "stat/line.h"

#define LEAST_ROWS 100 /* for a first percentile */
#define P 10

bool cd_sizes_differ(const struct cd_pair *pair)
{
	uint32_t length = 0;

	for (size_t i = 0; i < pair->n_lanes; i++) {
		const struct cd_lane *lane = &pair->lanes[i];

		if (lane->matched == 0)
			continue;
		if (!lane->ref_stream->one_size ||
		    (length != 0 && length != lane->ref_stream->frame_bytes))
			return true;
		length = lane->ref_stream->frame_bytes;
	}
	return false;
}

/* ---- the pass -------------------------------------------------------------
 */

#define HELD 64

/* Residuals of one length; some wait to be added together. */
struct pool {
	struct cd_histogram histogram;
	size_t n;
	int64_t held[HELD];
};

struct pass {
	struct cd_sizes *sizes;
	const struct cd_pair *pair;
	struct pool of[CD_SIZES_MAX];
};

static void flush(struct pool *pool)
{
	cd_histogram_add(&pool->histogram, pool->held, pool->n);
	pool->n = 0;
}

static uint32_t clip(uint32_t length)
{
	return length < CD_SIZES_LENGTHS ? length : CD_SIZES_LENGTHS - 1;
}

/* The class of a length, a new one if there is room; CD_SIZES_NONE. */
static int find_class(struct pass *pass, uint32_t length, uint8_t *found)
{
	struct cd_sizes *sizes = pass->sizes;

	*found = sizes->class_of[clip(length)];
	if (*found != CD_SIZES_NONE || sizes->n == CD_SIZES_MAX)
		return 0;
	if (cd_histogram_init(&pass->of[sizes->n].histogram, P) < 0)
		return -1;
	*found = (uint8_t)sizes->n;
	sizes->classes[sizes->n++].length = clip(length);
	sizes->class_of[clip(length)] = *found;
	return 0;
}

static int add_block(struct pass *pass, const struct cd_walk_block *block)
{
	const struct cd_clock *clock = &pass->pair->clock;
	const double *theta = pass->pair->lanes[block->lane].theta_ps;

	for (size_t i = 0; i < block->n; i++) {
		size_t segment = cd_clock_segment(clock, block->x_ps[i]);
		int64_t r = cd_round_ps(
		    cd_residual(block->x_ps[i], block->d_ps[i], clock->y) -
		    theta[segment]);
		uint8_t class;

		if (find_class(pass, block->length[i], &class) < 0)
			return -1;
		if (class == CD_SIZES_NONE)
			continue;
		pass->of[class].held[pass->of[class].n++] = r;
		if (pass->of[class].n == HELD)
			flush(&pass->of[class]);
	}
	return 0;
}

static int walk_rows(struct pass *pass)
{
	struct cd_walk walk;
	struct cd_walk_block block;
	int got;

	if (cd_walk_init(&walk, pass->pair, 0, pass->pair->n_lanes) < 0)
		return -1;
	walk.lengths = true;
	while ((got = cd_walk_next(&walk, &block)) == 1)
		if (add_block(pass, &block) < 0) {
			got = -1;
			break;
		}
	cd_walk_release(&walk);
	return got;
}

/* ---- floors and their slope -----------------------------------------------
 */

static void note_floor(struct cd_sizes *sizes, struct cd_size_class *class,
		       const struct cd_histogram *of)
{
	class->rows = of->moments.n;
	if (class->rows < LEAST_ROWS)
		return;
	class->floor_ps = cd_histogram_percentile(of, 1000);
	if (sizes->longest == 0 || class->length < sizes->shortest)
		sizes->shortest = class->length;
	if (class->length > sizes->longest)
		sizes->longest = class->length;
}

static int fit_slope(struct cd_sizes *sizes)
{
	struct cd_line_point points[CD_SIZES_MAX] = {{0}};
	struct cd_line_scratch scratch = {0};
	struct cd_slope slope = {0};
	size_t n = 0;
	int got;

	for (size_t i = 0; i < sizes->n; i++)
		if (sizes->classes[i].rows >= LEAST_ROWS)
			points[n++] = (struct cd_line_point){
			    .x = sizes->classes[i].length,
			    .d = sizes->classes[i].floor_ps,
			};
	got = cd_line_slope(&scratch, points, n, &slope);
	sizes->has_slope = got == 1;
	sizes->per_byte_ps = slope.y;
	if (got >= 0 && n > 0 &&
	    cd_line_offset(&scratch, points, n, slope.y, &sizes->at_zero_ps) <
		0)
		got = -1;
	cd_line_scratch_release(&scratch);
	return got < 0 ? -1 : 0;
}

int cd_sizes_measure(struct cd_sizes *sizes, const struct cd_pair *pair)
{
	struct pass *pass = calloc(1, sizeof(*pass));
	int result = -1;

	*sizes = (struct cd_sizes){.class_of = malloc(CD_SIZES_LENGTHS)};
	if (pass == NULL || sizes->class_of == NULL)
		goto out;
	memset(sizes->class_of, CD_SIZES_NONE, CD_SIZES_LENGTHS);
	pass->sizes = sizes;
	pass->pair = pair;
	if (walk_rows(pass) < 0)
		goto out;
	for (size_t i = 0; i < sizes->n; i++) {
		flush(&pass->of[i]);
		note_floor(sizes, &sizes->classes[i], &pass->of[i].histogram);
	}
	result = fit_slope(sizes);
out:
	for (size_t i = 0; pass != NULL && i < sizes->n; i++)
		cd_histogram_release(&pass->of[i].histogram);
	free(pass);
	return result;
}

void cd_sizes_release(struct cd_sizes *sizes)
{
	free(sizes->class_of);
	*sizes = (struct cd_sizes){0};
}

int64_t cd_sizes_floor_ps(const struct cd_sizes *sizes, uint32_t length)
{
	uint8_t class = sizes->class_of[clip(length)];

	if (class != CD_SIZES_NONE && sizes->classes[class].rows >= LEAST_ROWS)
		return sizes->classes[class].floor_ps;
	return cd_round_ps(sizes->at_zero_ps +
			   sizes->per_byte_ps * (double)length);
}
