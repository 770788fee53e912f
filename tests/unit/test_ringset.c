#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/ringset.h"

#define MOST 32

/* Words separated by blanks. */
static size_t split(char *text, const char **words)
{
	size_t n = 0;

	for (char *word = strtok(text, " "); word != NULL;
	     word = strtok(NULL, " ")) {
		cr_assert_lt(n, MOST);
		words[n++] = word;
	}
	return n;
}

static const char *order_of(const struct cd_ringset *set, char *text,
			    size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < set->n; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s",
					 i == 0 ? "" : " ",
					 set->files[i].path);
	return text;
}

/* A set of these files; the time of a file is the number behind its colon, if
 * it has one: "b:5 a:3 c". */
static struct cd_ringset arrange(char *text)
{
	const char *words[MOST];
	int times[MOST];
	size_t n = split(text, words);
	struct cd_ringset set;
	struct cd_error error = {0};

	for (size_t i = 0; i < n; i++) {
		char *colon = strchr(words[i], ':');

		times[i] = colon == NULL ? -1 : atoi(colon + 1);
		if (colon != NULL)
			*colon = '\0';
	}
	cr_assert_eq(cd_ringset_init(&set, words, n, &error), 0, "%s",
		     error.what);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++) {
			if (set.files[i].path != words[k] || times[k] < 0)
				continue;
			set.files[i].has_time = true;
			set.files[i].time.s = times[k];
		}
	cd_ringset_arrange(&set);
	return set;
}

static void check_order(const char *given, enum cd_ring_kind kind,
			const char *wanted)
{
	char text[1000], got[1000];
	struct cd_ringset set;

	snprintf(text, sizeof(text), "%s", given);
	set = arrange(text);
	cr_expect_eq(set.kind, kind, "%s: kind %d", given, (int)set.kind);
	cr_expect_str_eq(order_of(&set, got, sizeof(got)), wanted);
	cd_ringset_release(&set);
}

/* Names as dumpcap 4.0.17 and tcpdump 4.99.3 wrote them. */
Test(ringset, dumpcap)
{
	check_order("d/r_00010_20261130224214.pcapng "
		    "d/r_00009_20261130224213.pcapng.gz "
		    "d/r_00008_20261130224213.pcapng",
		    CD_RING_DUMPCAP,
		    "d/r_00008_20261130224213.pcapng "
		    "d/r_00009_20261130224213.pcapng.gz "
		    "d/r_00010_20261130224214.pcapng");
	/* nametimenum:2; the clock went back an hour, the numbers count */
	check_order("r_20261025020000_00003 r_20261025025959_00002 "
		    "r_20261025015959_00001",
		    CD_RING_DUMPCAP,
		    "r_20261025015959_00001 r_20261025025959_00002 "
		    "r_20261025020000_00003");
}

Test(ringset, dumpcap_begins_again_at_100000)
{
	char text[] = "w_00001_20261130224647.pcapng "
		      "w_99999_20261130224646.pcapng "
		      "w_99998_20261130224646.pcapng "
		      "w_00000_20261130224647.pcapng";
	char got[300];
	struct cd_ringset set = arrange(text);

	cr_expect_str_eq(order_of(&set, got, sizeof(got)),
			 "w_99998_20261130224646.pcapng "
			 "w_99999_20261130224646.pcapng "
			 "w_00000_20261130224647.pcapng "
			 "w_00001_20261130224647.pcapng");
	cr_expect(set.wrapped);
	for (size_t i = 1; i < set.n; i++)
		cr_expect_eq(cd_ringset_missing(&set, i), 0);
	cd_ringset_release(&set);
}

Test(ringset, tcpdump)
{
	check_order("p.pcap10 p.pcap2 p.pcap p.pcap1 p.pcap9",
		    CD_RING_TCPDUMP, "p.pcap p.pcap1 p.pcap2 p.pcap9 p.pcap10");
	check_order("p.pcap01 p.pcap10 p.pcap00.gz", CD_RING_TCPDUMP,
		    "p.pcap00.gz p.pcap01 p.pcap10");
	/* a name that ends in a digit itself */
	check_order("d/run21 d/run2 d/run22", CD_RING_NUMBER,
		    "d/run2 d/run21 d/run22");
	check_order("t-20261130224211.pcap:2 t-20261130224210.pcap:1",
		    CD_RING_TIMES,
		    "t-20261130224210.pcap t-20261130224211.pcap");
	check_order("g-224210.pcap1 g-224212.pcap g-224210.pcap "
		    "g-224210.pcap2",
		    CD_RING_TIMES,
		    "g-224210.pcap g-224210.pcap1 g-224210.pcap2 "
		    "g-224212.pcap");
}

Test(ringset, tcpdump_wraps)
{
	char text[] = "r.pcap0:50 r.pcap1:60 r.pcap2 r.pcap3:30 r.pcap4:40";
	char got[100];
	struct cd_ringset set = arrange(text);

	/* file 2 has just been begun and holds no packet */
	cr_expect_str_eq(order_of(&set, got, sizeof(got)),
			 "r.pcap3 r.pcap4 r.pcap0 r.pcap1 r.pcap2");
	cr_expect(set.wrapped);
	cr_expect_eq(set.backwards, 0);
	for (size_t i = 1; i < set.n; i++)
		cr_expect_eq(cd_ringset_missing(&set, i), 0);
	cd_ringset_release(&set);
}

Test(ringset, a_clock_that_goes_back_is_no_wrap)
{
	/* later than the first one still */
	check_order("r.pcap0:50 r.pcap1:60 r.pcap2:55 r.pcap3:65",
		    CD_RING_TCPDUMP, "r.pcap0 r.pcap1 r.pcap2 r.pcap3");
	/* twice */
	check_order("r.pcap0:50 r.pcap1:40 r.pcap2:60 r.pcap3:30",
		    CD_RING_TCPDUMP, "r.pcap0 r.pcap1 r.pcap2 r.pcap3");
	/* -C without -W: the numbers never begin again */
	check_order("r.pcap:50 r.pcap1:60 r.pcap2:10 r.pcap3:20",
		    CD_RING_TCPDUMP, "r.pcap r.pcap1 r.pcap2 r.pcap3");
}

Test(ringset, where_the_clock_goes_back)
{
	char text[] = "r.pcap0:50 r.pcap1:60 r.pcap2:55 r.pcap3:65";
	struct cd_ringset set = arrange(text);

	cr_expect_eq(set.backwards, 2);
	cr_expect_not(set.two_runs);
	cr_expect_not(set.wrapped);
	cd_ringset_release(&set);
}

Test(ringset, two_runs_of_dumpcap)
{
	char text[] = "r_00001_20261130200000.pcap:500 "
		      "r_00002_20261130200100.pcap:560 "
		      "r_00003_20261130190000.pcap:100 "
		      "r_00004_20261130190100.pcap:160";
	struct cd_ringset set = arrange(text);

	cr_expect(set.two_runs);
	cr_expect_eq(set.backwards, 2);
	cd_ringset_release(&set);
}

Test(ringset, times_in_any_format)
{
	char text[] = "c_30-11-2026_2359.pcap:1 c_01-12-2026_0000.pcap:2 "
		      "c_01-12-2026_0001.pcap c_02-12-2026_0001.pcap:3";
	char got[200];
	struct cd_ringset set = arrange(text);

	cr_expect_eq(set.kind, CD_RING_TIMES);
	cr_expect(set.by_time);
	cr_expect_str_eq(order_of(&set, got, sizeof(got)),
			 "c_30-11-2026_2359.pcap c_01-12-2026_0000.pcap "
			 "c_01-12-2026_0001.pcap c_02-12-2026_0001.pcap");
	cd_ringset_release(&set);
}

static void check_missing(const char *given, size_t at, uint64_t missing)
{
	char text[1000];
	struct cd_ringset set;

	snprintf(text, sizeof(text), "%s", given);
	set = arrange(text);
	for (size_t i = 1; i < set.n; i++)
		cr_expect_eq(cd_ringset_missing(&set, i),
			     i == at ? missing : 0, "%s: %zu", given, i);
	cd_ringset_release(&set);
}

Test(ringset, holes)
{
	/* at the start: none that anybody would miss */
	check_missing("r_00007_20261130224213.pcap "
		      "r_00008_20261130224213.pcap", 0, 0);
	check_missing("r_00007_20261130224213.pcap "
		      "r_00010_20261130224213.pcap "
		      "r_00011_20261130224213.pcap", 1, 2);
	check_missing("r_99999_20261130224213.pcap "
		      "r_00001_20261130224214.pcap", 1, 1);
	check_missing("p.pcap p.pcap1 p.pcap3", 2, 1);
	check_missing("p.pcap2 p.pcap3", 0, 0);
	/* wrapped: 2 was the oldest, or is between 1 and 3, or is 0 */
	check_missing("p.pcap0:8 p.pcap1:9 p.pcap3:5 p.pcap4:6", 0, 0);
	check_missing("p.pcap0:9 p.pcap1:3 p.pcap3:5 p.pcap4:6", 1, 1);
	check_missing("p.pcap1:9 p.pcap2:3 p.pcap3:5 p.pcap4:6", 3, 1);
	/* times: nobody knows */
	check_missing("t-224210.pcap:1 t-224310.pcap:2", 0, 0);
	check_missing("t-20261130.pcap:1 t-20261202.pcap:2", 0, 0);
	/* any number */
	check_missing("part1-x.pcap part2-x.pcap part5-x.pcap", 2, 2);
}

static void check_refused(const char *given, const char *why)
{
	char text[1000];
	const char *words[MOST];
	struct cd_ringset set;
	struct cd_error error = {0};
	size_t n;

	snprintf(text, sizeof(text), "%s", given);
	n = split(text, words);
	cr_expect_eq(cd_ringset_init(&set, words, n, &error), -1, "%s", given);
	cr_expect_eq(error.fault, CD_E_USAGE);
	cr_expect(strstr(error.what, why) != NULL, "%s", error.what);
	cr_expect_neq(error.hint[0], '\0');
	cd_ringset_release(&set);
}

Test(ringset, what_is_no_set)
{
	check_refused("hw.pcap laptop.pcap", "not of one ring set");
	check_refused("a/r.pcap1 b/r.pcap2", "not of one ring set");
	check_refused("r_00001_20261130224213.pcap "
		      "r_00002_20261130224213.pcapng",
		      "not of one ring set");
	check_refused("tap1_00001_20261130224213.pcap "
		      "tap2_00001_20261130224213.pcap",
		      "not of one ring set");
	check_refused("r_00001_20261130224213.pcap "
		      "r_00001_20261130234213.pcap",
		      "same number");
	check_refused("r.pcap0 r.pcap1 r.pcap1.gz", "same number");
	check_refused("r.pcap r.pcap0 r.pcap1", "same number");
}

Test(ringset, one_file_is_a_set)
{
	check_order("hw.pcap", CD_RING_TCPDUMP, "hw.pcap");
}

/* ---- files named one by one ------------------------------------------------ */

/* "0 0 2" for three words of which the first two are one set. */
static void check_group(const char *given, const char *wanted)
{
	char text[1000], got[200] = "";
	const char *words[MOST];
	size_t group[MOST], n, used = 0;

	snprintf(text, sizeof(text), "%s", given);
	n = split(text, words);
	cr_assert_eq(cd_ringset_group(words, n, group), 0);
	for (size_t i = 0; i < n; i++)
		used += (size_t)snprintf(got + used, sizeof(got) - used,
					 "%s%zu", i == 0 ? "" : " ", group[i]);
	cr_expect_str_eq(got, wanted, "%s", given);
}

Test(ringset, groups_beyond_doubt)
{
	check_group("hw.pcapng l_00001_20261130224213.pcapng "
		    "l_00002_20261130224214.pcapng",
		    "0 1 1");
	check_group("l_00009_20261130224213.pcap l_00010_20261130224213.pcap "
		    "h_00001_20261130224213.pcap h_00002_20261130224213.pcap",
		    "0 0 2 2");
	check_group("x_99999_20261130224213.pcap x_00000_20261130224214.pcap",
		    "0 0");
	check_group("x_20261130224213_00001.pcap.gz "
		    "x_20261130224214_00002.pcap",
		    "0 0");
	/* a hole does not part them: somebody has to report it */
	check_group("x_00001_20261130224213.pcap x_00007_20261130224214.pcap",
		    "0 0");
	check_group("t.pcap0 t.pcap1 t.pcap2", "0 0 0");
	check_group("t.pcap2 hw.pcap t.pcap t.pcap1", "0 1 0 0");
	check_group("t.pcap00 t.pcap01.gz t.pcap03", "0 0 0");
}

Test(ringset, captures_of_their_own)
{
	check_group("hw.pcap laptop.pcap", "0 1");
	check_group("a_1.pcap b_1.pcap", "0 1");
	check_group("x_1.pcap x_2.pcap x_3.pcap x_4.pcap", "0 1 2 3");
	check_group("tap1 tap2 tap3", "0 1 2");
	check_group("x.pcap1 x.pcap2", "0 1");
	check_group("x.pcap100 x.pcap200 x.pcap300", "0 1 2");
	check_group("x-20261130224213.pcap x-20261130224214.pcap", "0 1");
	/* two machines, each with its first file */
	check_group("c_00001_20261130224213.pcap c_00001_20261130224215.pcap",
		    "0 1");
	/* numbers against times: two runs, two machines */
	check_group("c_00002_20261130224213.pcap c_00001_20261130224215.pcap",
		    "0 1");
	check_group("r_00006_20261130190000.pcap r_00007_20261130190100.pcap "
		    "r_00001_20261130200000.pcap",
		    "0 1 2");
	/* not the same folder, suffix, or style */
	check_group("a/c_00001_20261130224213.pcap "
		    "b/c_00002_20261130224213.pcap",
		    "0 1");
	check_group("c_00001_20261130224213.pcap "
		    "c_00002_20261130224213.pcapng",
		    "0 1");
	check_group("c_00001_20261330224213.pcap c_00002_20261330224214.pcap",
		    "0 1"); /* month 13 */
	check_group("", "");
}

static void check_name(const char *given, const char *wanted)
{
	char text[1000], *name;
	const char *words[MOST];
	size_t n;

	snprintf(text, sizeof(text), "%s", given);
	n = split(text, words);
	name = cd_ringset_name(words, n);
	cr_assert_not_null(name);
	cr_expect_str_eq(name, wanted);
	free(name);
}

Test(ringset, names)
{
	check_name("d/tap2_00001_20261130224213.pcapng "
		   "d/tap2_00002_20261130224214.pcapng.gz",
		   "d/tap2");
	check_name("l_20261130224213_00001.pcap l_20261130224213_00002.pcap",
		   "l");
	check_name("d/t.pcap d/t.pcap1 d/t.pcap2", "d/t.pcap");
	check_name("d/l-30.11.2026-23:59.pcap d/l-01.12.2026-00:00.pcap",
		   "d/l");
	check_name("d/x-1-a.pcap d/x-2-a.pcap", "d/x");
	check_name("d/1.pcap d/2.pcap", "d/1.pcap");
}

static void check_pattern(const char *given, const char *wanted)
{
	char text[1000], *pattern;
	const char *words[MOST];
	size_t n;

	snprintf(text, sizeof(text), "%s", given);
	n = split(text, words);
	pattern = cd_ringset_pattern(words, n);
	cr_assert_not_null(pattern);
	cr_expect_str_eq(pattern, wanted);
	free(pattern);
}

Test(ringset, patterns)
{
	check_pattern("d/l_00001_20261130224213.pcapng "
		      "d/l_00002_20261130224214.pcapng",
		      "d/l_*.pcapng");
	check_pattern("l_00001_20261130224213.pcapng.gz "
		      "l_00002_20261130224214.pcapng",
		      "l_*.pcapng");
	check_pattern("l_00001_20261130224213.pcapng.gz "
		      "l_00002_20261130224214.pcapng.gz",
		      "l_*.pcapng.gz");
	check_pattern("d/t.pcap d/t.pcap1 d/t.pcap2", "d/t.pcap*");
	check_pattern("d/t.pcap1.gz d/t.pcap2.gz", "d/t.pcap*.gz");
}
