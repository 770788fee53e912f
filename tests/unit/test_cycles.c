/* 16-bit numbers in captures that began cycles apart. */
#include "ingesting.h"

#include "align/rows.h"

#define CYCLE 65536

/* Every `every`-th of the numbers from..to, 0.1 ms apart, the clock `offset`
 * ahead; `fill`: what the payload holds besides the number. */
static char *save_ping(uint32_t from, uint32_t to, int64_t offset_ps,
		       bool telling)
{
	struct list l = {0};

	for (uint32_t i = from; i < to; i++)
		add_at(&l, ping_frame(7, (uint16_t)i, telling ? i : 42),
		       (int64_t)i * 100 * CD_PS_PER_US + offset_ps);
	return save_list(&l);
}

static void check(uint32_t from, uint32_t to, uint32_t begun, uint32_t ended,
		  int64_t offset_ps, bool telling)
{
	char *paths[2] = {save_ping(from, to, 0, telling),
			  save_ping(begun, ended, offset_ps, telling)};
	struct reading *r = new_reading(2, paths);
	struct cd_copy const *copies;
	int64_t a[2], b[2];
	size_t n;

	r->options.stamp = CD_STAMP_GIVEN;
	cr_assert_eq(cd_stamp_spec_parse("ping", &r->options.spec, NULL), 0);
	must_read(r);
	for (size_t k = 0; k < 2; k++) {
		cr_assert(cd_track_range(track_of(r, k), &a[k], &b[k]));
		copies = cd_track_copies(track_of(r, k), &n);
		cr_assert_eq(n, 0);
		(void)copies;
	}
	cr_expect_eq(a[1] - a[0], (int64_t)begun - from,
		     "%lld, not %lld", (long long)(a[1] - a[0]),
		     (long long)begun - from);
	cr_expect_eq(b[1] - b[0], (int64_t)ended - to);
	end_reading(r);
	drop(paths[0]);
	drop(paths[1]);
}

Test(cycles, agree_from_the_start)
{
	check(5, 150000, 5, 150000, 0, false);
	check(5, 150000, 900, 149000, 0, false);
	/* a clock that is an hour off is no reason */
	check(5, 150000, 900, 149000, 3600 * CD_PS_PER_S, false);
	check(5, 50000, 100, 50000, 3600 * CD_PS_PER_S, false);
}

Test(cycles, identities_tell)
{
	check(5, 300000, 140000, 300000, 0, true);
	check(5, 300000, 140000, 290000, 3600 * CD_PS_PER_S, true);
	check(140000, 300000, 5, 290000, -50 * CD_PS_PER_S, true);
	check(65500, 300000, 65600, 300000, 0, true);
}

Test(cycles, times_tell)
{
	check(5, 300000, 140000, 300000, CD_PS_PER_S, false);
	check(140000, 300000, 5, 300000, -CD_PS_PER_S, false);
	check(5, 300000, 5, 140000, CD_PS_PER_S, false);
	check(65500, 300000, 65600, 300000, 0, false);
	check(65000, 300000, 65600, 300000, 0, false);
}

Test(cycles, shifted_tracks_read_right)
{
	struct cd_track *track = cd_track_new(1000);
	const int64_t seqs[] = {10, 11, 9, 12, 11, 5000};
	const struct cd_late *late;
	const struct cd_copy *copies;
	struct cd_track_reader *reader;
	struct cd_block b;
	size_t n;
	int64_t first, last;

	for (size_t i = 0; i < 6; i++)
		cr_assert_eq(cd_track_add(track,
					  &(struct cd_track_row){
					      .seq = seqs[i], .number = i + 1},
					  CD_ROW_KEPT), 0);
	cr_assert_eq(cd_track_add(track, &(struct cd_track_row){.seq = 1},
				  CD_ROW_STRAY), 0);
	cd_track_add_identity(track, &(struct cd_identity){.seq = 64});
	cr_assert_eq(cd_track_finish(track), 0);
	cd_track_shift(track, -CYCLE);
	cr_assert(cd_track_range(track, &first, &last));
	cr_assert_eq(first, 9 - CYCLE);
	cr_assert_eq(last, 5000 - CYCLE);
	late = cd_track_late(track, &n);
	cr_assert_eq(n, 1);
	cr_assert_eq(late[0].seq, 9 - CYCLE);
	copies = cd_track_copies(track, &n);
	cr_assert_eq(n, 1);
	cr_assert_eq(copies[0].seq, 11 - CYCLE);
	cr_assert_eq(cd_track_identities(track, &n)[0].seq, 64 - CYCLE);
	reader = cd_track_reader_new(track, CD_ORDER_FILE, 0);
	cr_assert_eq(cd_track_reader_next(reader, &b), 1);
	cr_assert_eq(b.n, 7);
	for (size_t i = 0; i < 6; i++)
		cr_assert_eq(b.seq[i], seqs[i] - CYCLE);
	cd_track_reader_free(reader);
	reader = cd_track_reader_new(track, CD_ORDER_SEQ, 0);
	cd_track_reader_seek(reader, 13 - CYCLE);
	cr_assert_eq(cd_track_reader_next(reader, &b), 1);
	cr_assert_eq(b.seq[0], 5000 - CYCLE);
	cd_track_reader_free(reader);
	cd_track_free(track);
}
