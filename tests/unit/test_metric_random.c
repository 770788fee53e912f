/* Counts of random captures against their definitions. */
#include "random_order.h"

/* One capture as the definitions see it; numbers 0 .. NUMBERS - 1. */
struct plain {
	const struct scene_packet *rows[ROWS]; /* first copies, file order */
	size_t n;
	const struct scene_packet *first[NUMBERS];
	size_t place[NUMBERS]; /* in rows */
	uint64_t copies[NUMBERS];
	bool any;
	int64_t from, to;
};

static void look(const struct scene_capture *c, uint32_t stream, uint32_t epoch,
		 struct plain *p)
{
	memset(p, 0, sizeof(*p));
	for (size_t i = 0; i < c->n; i++) {
		const struct scene_packet *row = &c->packets[i];

		if (row->stray || row->foreign || row->stream != stream ||
		    row->epoch != epoch)
			continue;
		p->copies[row->seq]++;
		if (p->first[row->seq] != NULL)
			continue;
		p->first[row->seq] = row;
		p->place[row->seq] = p->n;
		p->rows[p->n++] = row;
		p->from = !p->any || row->seq < p->from ? row->seq : p->from;
		p->to = !p->any || row->seq > p->to ? row->seq : p->to;
		p->any = true;
	}
}

static uint64_t head_extent(const struct plain *p)
{
	int64_t s[ROWS];
	uint64_t most = 0;

	for (size_t i = 0; i < p->n && i < 1000; i++) {
		uint64_t e;

		s[i] = p->rows[i]->seq;
		e = extent_of(s, i);
		most = e > most ? e : most;
	}
	return most;
}

/* Packets of the reference's line: all numbers in order, except that those
 * which came late in the reference stand where they came, behind the largest
 * number before them. rank[seq] */
static void rank_numbers(const struct plain *r, int64_t *rank)
{
	bool late[NUMBERS] = {false};
	int64_t greatest = -1, next = 0;

	for (size_t i = 0; i < r->n; i++) {
		late[r->rows[i]->seq] = r->rows[i]->seq < greatest;
		if (r->rows[i]->seq > greatest)
			greatest = r->rows[i]->seq;
	}
	for (int64_t seq = 0; seq < NUMBERS; seq++) {
		if (late[seq])
			continue;
		rank[seq] = next++;
		if (r->first[seq] == NULL)
			continue;
		for (size_t i = r->place[seq] + 1;
		     i < r->n && late[r->rows[i]->seq]; i++)
			rank[r->rows[i]->seq] = next++;
	}
}

struct answer {
	int64_t expected, missing, ref_miss, both_miss, both_have;
	int64_t head, tail, head_surplus, tail_surplus;
	int64_t runs, longest, singles, outage;
	int64_t copies, excess, deficit, replicated;
	int64_t reordered_file, reordered_time, extent, moves;
	int64_t matched, union_packets;
	bool common;
};

static int64_t time_of(const struct scene_packet *p)
{
	return p == NULL ? CD_TIME_NONE : p->time_ps;
}

/* Outage of the run of lost numbers first..last. */
static int64_t outage_of(const struct plain *r, int64_t a, int64_t b,
			 int64_t first, int64_t last)
{
	int64_t before = CD_TIME_NONE, after = CD_TIME_NONE;

	for (int64_t s = a; s < first; s++)
		if (time_of(r->first[s]) != CD_TIME_NONE)
			before = r->first[s]->time_ps;
	for (int64_t s = b; s > last; s--)
		if (time_of(r->first[s]) != CD_TIME_NONE)
			after = r->first[s]->time_ps;
	for (int64_t s = first; s <= last; s++) {
		int64_t t = time_of(r->first[s]);

		if (before == CD_TIME_NONE)
			before = time_of(r->first[first]);
		if (t != CD_TIME_NONE && last == b)
			after = t;
	}
	return before == CD_TIME_NONE || after == CD_TIME_NONE ? CD_TIME_NONE
							       : after - before;
}

static void count_runs(const struct plain *r, const struct plain *d, int64_t a,
		       int64_t b, struct answer *x)
{
	int64_t length = 0, first = 0, last = 0;

	for (int64_t s = a; s <= b + 1; s++) {
		bool lost = s <= b && r->first[s] && !d->first[s];

		if (lost && length++ == 0)
			first = s;
		if (lost)
			last = s;
		/* what neither has neither ends it nor counts */
		if (s <= b && d->first[s] == NULL)
			continue;
		if (length > 0) {
			int64_t outage = outage_of(r, a, b, first, last);

			x->runs++;
			x->singles += length == 1;
			x->longest = length > x->longest ? length : x->longest;
			if (outage != CD_TIME_NONE && outage > x->outage)
				x->outage = outage;
		}
		length = 0;
	}
}

static void count_order(const struct plain *r, const struct plain *d, int64_t a,
			int64_t b, struct answer *x)
{
	int64_t rank[NUMBERS], s[ROWS], t[ROWS], st[ROWS];
	size_t n = 0, m = 0;

	rank_numbers(r, rank);
	for (size_t i = 0; i < d->n; i++) {
		const struct scene_packet *p = d->rows[i];

		if (p->seq < a || p->seq > b)
			continue;
		s[n++] = rank[p->seq];
		if (p->time_ps == CD_TIME_NONE)
			continue;
		/* insertion sort, stable */
		size_t k = m++;

		for (; k > 0 && t[k - 1] > p->time_ps; k--) {
			t[k] = t[k - 1];
			st[k] = st[k - 1];
		}
		t[k] = p->time_ps;
		st[k] = rank[p->seq];
	}
	for (size_t i = 0; i < n; i++) {
		int64_t e = (int64_t)extent_of(s, i);

		x->reordered_file += e > 0;
		x->extent = e > x->extent ? e : x->extent;
	}
	for (size_t i = 0; i < m; i++)
		x->reordered_time += extent_of(st, i) > 0;
	x->moves += (int64_t)(n - longest_rising(s, n));
}

static void count_copies(const struct plain *r, const struct plain *d,
			 int64_t s, struct answer *x)
{
	int64_t cr = (int64_t)r->copies[s], cd = (int64_t)d->copies[s];

	if (cd == 0)
		return;
	x->copies += cd - 1;
	x->replicated += cd > 1;
	x->excess += cd > (cr > 0 ? cr : 1) ? cd - (cr > 0 ? cr : 1) : 0;
	x->deficit += cr > cd ? cr - cd : 0;
}

static void add_answer(const struct plain *r, const struct plain *d,
		       struct answer *x)
{
	int64_t er = (int64_t)head_extent(r), ed = (int64_t)head_extent(d);
	int64_t a = r->from + er > d->from + ed ? r->from + er : d->from + ed;
	int64_t b = r->to < d->to ? r->to : d->to;

	if (!r->any || !d->any) {
		x->head += (int64_t)r->n;
		x->head_surplus += (int64_t)d->n;
		return;
	}
	for (int64_t s = 0; s < NUMBERS; s++) {
		bool in_r = r->first[s] != NULL, in_d = d->first[s] != NULL;

		if (s > b) {
			x->tail += in_r;
			x->tail_surplus += in_d;
		} else if (s < a) {
			x->head += in_r;
			x->head_surplus += in_d;
		} else {
			x->expected += in_r;
			x->missing += in_r && !in_d;
			x->ref_miss += in_d && !in_r;
			x->both_miss += !in_d && !in_r;
			x->both_have += in_d && in_r;
			x->matched += in_d && in_r &&
				      time_of(r->first[s]) != CD_TIME_NONE &&
				      time_of(d->first[s]) != CD_TIME_NONE;
			count_copies(r, d, s, x);
		}
	}
	if (a > b)
		return;
	x->common = true;
	count_runs(r, d, a, b, x);
	count_order(r, d, a, b, x);
}

struct recipe {
	unsigned loss, burst, copy, late, invalid, stray, back;
};

/* What was on the wire: numbers in some order, some of them twice. */
struct wire {
	struct scene_packet packets[ROWS];
	size_t n;
};

static void swap_some(struct wire *w, size_t from, uint64_t *state,
		      unsigned per_mille)
{
	for (size_t i = from + 1; i < w->n; i++) {
		size_t back = 1 + next_random(state) % 7;

		if (!chance(state, per_mille) || i < from + back)
			continue;
		struct scene_packet p = w->packets[i];

		memmove(&w->packets[i - back + 1], &w->packets[i - back],
			back * sizeof(p));
		w->packets[i - back] = p;
	}
}

static void make_wire(struct wire *w, uint32_t streams, uint64_t *state,
		      unsigned swaps)
{
	w->n = 0;
	for (uint32_t i = 0; i < 300; i++)
		for (uint32_t k = 0; k < streams; k++) {
			struct scene_packet p = {
			    .stream = k, .seq = 20 + i, .length = 96};

			if (!chance(state, 900) && i > 5)
				continue; /* never sent */
			w->packets[w->n++] = p;
			if (chance(state, 20))
				w->packets[w->n++] = p;
		}
	swap_some(w, 0, state, swaps);
	for (size_t i = 0; i < w->n; i++)
		w->packets[i].time_ps = (int64_t)i * 10 * US;
}

static void capture_wire(struct scene_capture *c, const struct wire *wire,
			 const struct recipe *r, uint64_t *state)
{
	struct wire w = *wire;
	size_t from = next_random(state) % 40;
	size_t to = w.n - next_random(state) % 40;
	size_t lost = 0;

	swap_some(&w, 0, state, r->late);
	for (size_t i = from; i < to; i++) {
		struct scene_packet p = w.packets[i];

		if (chance(state, r->burst))
			lost = 1 + next_random(state) % 30;
		if (lost > 0 || chance(state, r->loss)) {
			lost -= lost > 0;
			continue;
		}
		p.time_ps = (int64_t)i * 10 * US +
			    (int64_t)(next_random(state) % 5000000);
		if (chance(state, r->back))
			p.time_ps -= 40 * US;
		if (chance(state, r->back) && chance(state, 100))
			p.time_ps += 900 * US;
		if (chance(state, r->invalid))
			p.time_ps = CD_TIME_NONE;
		p.stray = chance(state, r->stray);
		scene_add(c, p);
		if (chance(state, r->copy))
			scene_add(c, p);
	}
}

static void expect_answer(const struct scene *s, const struct answer *x,
			  uint64_t seed)
{
	const struct {
		const char *name;
		int64_t value;
	} lines[] = {
	    {"loss.expected", x->expected},
	    {"loss.missing", x->missing},
	    {"loss.ref_miss", x->ref_miss},
	    {"loss.both_miss", x->both_miss},
	    {"loss.all_miss", x->both_miss},
	    {"loss.union_expected", x->expected + x->ref_miss},
	    {"loss.head_excluded", x->head},
	    {"loss.tail_excluded", x->tail},
	    {"loss.head_surplus", x->head_surplus},
	    {"loss.tail_surplus", x->tail_surplus},
	    {"loss.runs", x->runs},
	    {"loss.single_runs", x->singles},
	    {"loss.longest_run", x->longest},
	    {"loss.longest_outage_ns", x->outage},
	    {"match.matched", x->both_have},
	    {"duplicate.copies", x->copies},
	    {"duplicate.excess", x->excess},
	    {"duplicate.deficit", x->deficit},
	    {"duplicate.replicated", x->replicated},
	    {"order.reordered_file", x->reordered_file},
	    {"order.reordered_time", x->reordered_time},
	    {"order.extent_max", x->extent},
	    {"order.moves", x->moves},
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		cr_expect_eq(count(s, lines[i].name), lines[i].value,
			     "seed %llu: %s is %lld, not %lld",
			     (unsigned long long)seed, lines[i].name,
			     (long long)count(s, lines[i].name),
			     (long long)lines[i].value);
}

static const struct recipe recipes[] = {
    {0, 0, 0, 0, 0, 0, 0},	{20, 0, 0, 0, 0, 0, 0},
    {5, 8, 10, 0, 0, 0, 0},	{10, 2, 30, 30, 0, 0, 0},
    {10, 2, 30, 30, 20, 5, 20}, {300, 0, 0, 10, 0, 0, 200},
};

static void make_random(struct scene *s, uint64_t seed, uint32_t streams)
{
	static struct wire wire;
	uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;

	make_wire(&wire, streams, &state, seed % 3 == 0 ? 15 : 0);
	for (size_t k = 0; k < s->n; k++)
		capture_wire(&s->captures[k], &wire,
			     &recipes[(seed + k * (seed / 6)) % 6], &state);
}

Test(random, against_the_definitions)
{
	static struct plain r, d;

	for (uint64_t seed = 0; seed < 240; seed++) {
		uint32_t streams = 1 + (uint32_t)(seed % 3);
		struct answer x = {0};
		struct scene s;

		scene_init(&s, 2);
		make_random(&s, seed, streams);
		analyse(&s, 0);
		cr_expect_eq(s.result, 0, "seed %llu: %s",
			     (unsigned long long)seed, s.error.what);
		for (uint32_t k = 0; k < streams; k++) {
			look(&s.captures[0], k, 0, &r);
			look(&s.captures[1], k, 0, &d);
			add_answer(&r, &d, &x);
		}
		expect_answer(&s, &x, seed);
		scene_free(&s);
	}
}

/* Changing roles mirrors the counts. */
Test(random, roles_swapped)
{
	static const char *const mirrored[][2] = {
	    {"loss.missing", "loss.ref_miss"},
	    {"loss.both_miss", "loss.both_miss"},
	    {"loss.head_excluded", "loss.head_surplus"},
	    {"loss.tail_excluded", "loss.tail_surplus"},
	    {"loss.union_expected", "loss.union_expected"},
	    {"match.matched", "match.matched"},
	};

	for (uint64_t seed = 0; seed < 60; seed++) {
		struct cd_report *there;
		struct scene s;

		scene_init(&s, 2);
		make_random(&s, seed, 1 + (uint32_t)(seed % 3));
		analyse(&s, 0);
		there = s.report;
		s.report = NULL;
		analyse(&s, 1);
		for (size_t i = 0; i < sizeof(mirrored) / sizeof(mirrored[0]);
		     i++)
			for (int way = 0; way < 2; way++)
				cr_expect_eq(
				    scene_count(there, 1, mirrored[i][way]),
				    scene_count(s.report, 0, mirrored[i][!way]),
				    "seed %llu: %s", (unsigned long long)seed,
				    mirrored[i][way]);
		cd_report_free(there);
		scene_free(&s);
	}
}

/* Three captures: what no capture has, counted from the definition. */
Test(random, missing_everywhere)
{
	static struct plain p[3];

	for (uint64_t seed = 0; seed < 30; seed++) {
		struct scene s;
		int64_t a, b, all = 0;

		scene_init(&s, 3);
		make_random(&s, seed, 1);
		analyse(&s, 0);
		for (size_t k = 0; k < 3; k++)
			look(&s.captures[k], 0, 0, &p[k]);
		a = count(&s, "loss.common_first");
		b = count(&s, "loss.common_last");
		for (int64_t seq = a; seq <= b; seq++)
			all += !p[0].first[seq] && !p[1].first[seq] &&
			       !p[2].first[seq];
		cr_expect_eq(count(&s, "loss.all_miss"), all);
		cr_expect_leq(all, count(&s, "loss.both_miss"));
		scene_free(&s);
	}
}
