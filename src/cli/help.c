#include "cli/help.h"

#include "config.h"

#include <jansson.h>
#include <pcap/pcap.h>
#include <xxhash.h>

#include "cli/gnuplot.h"
#include "input/input.h"

void cd_print_first_words(FILE *out)
{
	fputs("capdiff says whether captures of one numbered stream are "
	      "complete, and whether\ntheir time stamps are accurate.\n\n"
	      "  capdiff hw.pcapng laptop.pcapng    compare with a reference\n"
	      "  capdiff laptop.pcapng              one capture by itself\n\n"
	      "capdiff -h lists the options.\n",
	      out);
}

void cd_print_help(FILE *out)
{
	fputs(
"Usage: capdiff [options] REFERENCE [OTHER...]\n"
"A capture is FILE, LABEL=FILE, FILE#N (interface N), - (standard input) or\n"
"'NAME_*.pcapng': the files of one ring set (dumpcap -b, tcpdump -C) together.\n"
"\n"
"What is compared\n"
"  -r FILE               the reference (default: the first capture)\n"
"      --set LABEL=GLOB  a ring set with a label, behind the other captures\n"
"  -f EXPR               only packets that match a pcap-filter(7) expression\n"
"      --stamp SPEC      auto, pktgen, iperf2, iperf3, mgen, sockperf, ditg, rtp,\n"
"                        ping, none, field:at=udp+8,width=4,endian=big,step=1\n"
"      --sweep           a table of many runs: folders, saved .json reports\n"
"      --from FILE  show a saved .json report again, --baseline FILE  compare\n"
"  -c N                  stop after N packets of each capture\n"
"      --expect N        the generator sent N packets\n"
"      --ignore-addresses  match streams by ports and flow alone (NAT)\n"
"      --guard TIME      leave out TIME at both ends of the common interval\n"
"      --ts-unit LABEL=UNIT  the fraction of a second counts ns or us\n"
"      --fcs 0|4         bytes of FCS in the files\n"
"      --link-rate RATE  of the wire (1G), for deltas no wire can carry\n"
"How it is judged (exit status 0 inside the limits, 1 not, 2 no proper answer)\n"
"      --profile NAME    monitoring, analysis (default), lab\n"
"      --limit 'KEY<=X'  any value of the JSON report: 'loss.missing<=0',\n"
"                        'laptop.time.error.span_ns<=5us'; --limits FILE\n"
"      --loss-ratio X    tolerated loss   --strict  also judge the latest stamp\n"
"      --ref-accuracy T  of the reference's time stamps (default: resolution)\n"
"      --estimator NAME  bqts, ols, hull  --clocks-synchronised  offset matters\n"
"      --universe WHICH  loss relative to reference (default) or union\n"
"      --allow-truncated a file that is cut short is still good\n"
"      --force-skew      estimate drift from fewer than 50 packets\n"
"What is written\n"
"  -T FORMAT  text, json, csv, html, md, junit, tap: what goes to stdout\n"
"  -o FILE    .html, .txt, .json, .csv, .md, .xml (JUnit) or .tap, repeatable\n"
"      --charts DIR      gnuplot scripts, and pictures if gnuplot is there\n"
"  -w FILE  the capture as pcapng, its gaps and worst stamps marked for Wireshark\n"
"      --write-missing FILE  the reference's packets that it lacks; --for LABEL\n"
"      --packets FILE    CSV, a row for every packet with its error\n"
"      --interval N|TIME  a table with a row per N packets or per TIME\n"
"      --clock  MTIE, TDEV   -v everything  -q verdicts only   -qq nothing\n"
"  -j N  threads  --color auto|always|never  -V version  -h this help\n"
"\n"
"Percentiles are observed values of rank ceil(p*n) (RFC 2330), also p50.\n"
"\n"
"  capdiff hw.pcapng laptop.pcapng\n"
"  capdiff -o run.html hw.pcapng.gz vm=eth0.pcap tap2.pcapng\n"
"  capdiff --profile lab -q hw.pcapng laptop.pcapng || echo 'not usable'\n",
	    out);
}

void cd_print_version(FILE *out)
{
	struct cd_str gnuplot = {0};

	fprintf(out, "capdiff %s\n%s", PACKAGE_VERSION, pcap_lib_version());
	for (int i = CD_GZIP; i <= CD_BZIP2; i++) {
		const char *version;
		const char *library =
		    cd_compression_library((enum cd_compression)i, &version);

		if (library != NULL)
			fprintf(out, ", %s %s", library, version);
	}
	fprintf(out, ", jansson %s, xxhash %d.%d.%d\n%s\n", JANSSON_VERSION,
		XXH_VERSION_MAJOR, XXH_VERSION_MINOR, XXH_VERSION_RELEASE,
		cd_gnuplot_version(&gnuplot) ? cd_str_text(&gnuplot)
					     : "no gnuplot in PATH");
	cd_str_release(&gnuplot);
}
