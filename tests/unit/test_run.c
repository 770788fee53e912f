#include <criterion/criterion.h>
#include <stdlib.h>

#include "run/label.h"

static void check2(const char *a, const char *b, const char *la,
		   const char *lb)
{
	const char *paths[] = {a, b};
	char *labels[2];

	cr_assert_eq(cd_labels(paths, NULL, 2, labels), 0);
	cr_expect_str_eq(labels[0], la);
	cr_expect_str_eq(labels[1], lb);
	free(labels[0]);
	free(labels[1]);
}

Test(label, shortest_unique_part)
{
	check2("hw.pcapng", "laptop.pcapng", "hw", "laptop");
	check2("lab/ref.pcap.gz", "lab/dut.pcapng.gz", "ref", "dut");
	check2("hw_10M_1518.pcap", "laptop_10M_1518.pcap", "hw", "laptop");
	check2("run7-hw.pcap", "run7-laptop.pcap", "hw", "laptop");
	check2("a/x.pcap", "b/x.pcap", "a", "b");
	check2("lab1/a/x.pcap", "lab1/b/x.pcap", "a", "b");
	check2("/d/tap.PCAP", "/d/tap.pcapng.zst", "tap_1", "tap_2");
	check2("-", "x.pcap", "stdin", "x");
}

Test(label, only_at_joints)
{
	/* "laptop1" and "laptop2" share letters, not a part */
	check2("laptop1.pcap", "laptop2.pcap", "laptop1", "laptop2");
	check2("a.b.pcap", "c.b.pcap", "a", "c");
	check2("x.pcap", "x-2.pcap", "x", "x-2");
}

Test(label, nothing_that_breaks_a_key)
{
	check2("we ird.x=1.pcap", "b\n.pcap", "we_ird_x_1", "b_");
}

Test(label, one_capture)
{
	const char *paths[] = {"dir/my.capture.pcapng.gz"};
	char *labels[1];

	cr_assert_eq(cd_labels(paths, NULL, 1, labels), 0);
	cr_expect_str_eq(labels[0], "my_capture");
	free(labels[0]);
}

Test(label, given_ones_stay)
{
	const char *paths[] = {"b.pcap", "a.pcap"};
	const char *given[] = {NULL, "b"};
	char *labels[2];

	cr_assert_eq(cd_labels(paths, given, 2, labels), 0);
	cr_expect_str_eq(labels[0], "b_1");
	cr_expect_str_eq(labels[1], "b");
	free(labels[0]);
	free(labels[1]);
}

Test(label, given_ones_do_not_disturb_the_others)
{
	const char *paths[] = {"x/ref.pcap", "x/dut.pcap", "y/dut.pcap"};
	const char *given[] = {NULL, NULL, "clock"};
	char *labels[3];

	cr_assert_eq(cd_labels(paths, given, 3, labels), 0);
	cr_expect_str_eq(labels[0], "ref");
	cr_expect_str_eq(labels[1], "dut");
	cr_expect_str_eq(labels[2], "clock");
	for (int i = 0; i < 3; i++)
		free(labels[i]);
}

static void check_captures(const struct capdiff_capture *captures, size_t n,
			   const char *const *wanted)
{
	char *labels[4];

	cr_assert_eq(cd_capture_labels(captures, n, labels), 0);
	for (size_t i = 0; i < n; i++) {
		cr_expect_str_eq(labels[i], wanted[i]);
		free(labels[i]);
	}
}

Test(label, ports_and_sets)
{
	static const char *const files[] = {
	    "d/laptop_00001_20261130185301.pcapng",
	    "d/laptop_00002_20261130185302.pcapng"};
	struct capdiff_capture captures[] = {
	    {.path = "x/tap.pcapng", .one_interface = true, .interface = 0},
	    {.path = "x/tap.pcapng", .one_interface = true, .interface = 1},
	    {.path = "d/*", .files = files, .n_files = 2},
	    {.path = "given.pcap", .label = "vm"},
	};

	check_captures(captures, 4,
		       (const char *[]){"tap_0", "tap_1", "laptop", "vm"});
	captures[1].path = "x/top.pcapng";
	captures[2].one_interface = true;
	captures[2].interface = 7;
	check_captures(captures, 3,
		       (const char *[]){"tap_0", "top_1", "laptop_7"});
	captures[0].path = "x#0.pcap";
	captures[0].one_interface = false;
	check_captures(captures, 1, (const char *[]){"x_0"});
}
