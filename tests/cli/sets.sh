#!/bin/sh
# Ring sets, named as dumpcap 4.0.17 and tcpdump 4.99.3 name them, against the
# same capture in one file; and two ports in one file.
. "${srcdir:-.}/tests/cli/tap.sh"
: "${RECUT:=./tests/cli/recut}"
case $RECUT in /*) ;; *) RECUT=$PWD/$RECUT ;; esac
case $CAPDIFF in /*) ;; *) CAPDIFF=$PWD/$CAPDIFF ;; esac
t_begin
data=$srcdir/data
cd "$t_dir" || exit 1
"$RECUT" split "$data/hw.pcapng.gz" hw.pcapng || exit 1
"$RECUT" split "$data/laptop.pcapng.gz" whole.pcapng || exit 1
"$RECUT" split whole.pcapng whole.pcap || exit 1

values() { # FILE: the values of a JSON report, without file names
	sed -n '/"values"/,/"verdicts"/p' "$1"
}

# same NAME CAPTURE...: these captures give the values of the one in $one
one=$t_dir/one
same() {
	name=$1
	shift
	t_run -T json hw.pcapng "$@"
	values "$t_dir/out" >"$t_dir/set"
	[ $t_status = 1 ] && [ -s "$one" ] && cmp -s "$one" "$t_dir/set"
	t_ok $? "$name"
}

# newest_first FILE...: modification times against the order of the names
newest_first() {
	second=59
	for file; do
		touch -t "202611301200.$second" "$file"
		second=$((second - 1))
	done
}

# ---- dumpcap -b
t_run -T json hw.pcapng laptop=whole.pcapng
values "$t_dir/out" >"$one"
mkdir d
"$RECUT" split whole.pcapng d/laptop_00001_20261130185301.pcapng \
	d/laptop_00002_20261130185301.pcapng \
	d/laptop_00003_20261130185302.pcapng \
	d/laptop_00004_20261130185302.pcapng
newest_first d/*
same 'a quoted pattern' laptop='d/laptop_*.pcapng'
same 'no label: what the names share' 'd/*'
same '--set' --set laptop='d/l*'
same 'named one by one' d/laptop_*.pcapng
grep -q '"set_guessed".*4 files, laptop_00001_.* to laptop_00004_' out
t_ok $? 'a note says that they were taken together'
grep -q '"path": "d/laptop_\*.pcapng"' out &&
	grep -q '"path": "d/laptop_00003_.*"first_frame": 9746, "packets": 4873' out
t_ok $? 'the files are listed'
cp out first
t_run -j1 -T json hw.pcapng d/laptop_*.pcapng
cmp -s first out
t_ok $? '-j1 gives the same bytes'
t_run hw.pcapng 'd/*'
grep -A3 'true 10.00' out | tr -d '\n' | grep -q 'file 4, *frame 853'
t_ok $? 'a place is a file and a frame in it'
t_run -v hw.pcapng 'd/*'
grep -q 'File 4 *d/laptop_00004_20261130185302.pcapng, packets 4,873' out
t_ok $? '-v lists the files'
gzip d/laptop_00002_* d/laptop_00004_*
same 'some of them packed' laptop='d/laptop_*'
same 'some of them packed, one by one' laptop='d/laptop_*'

mkdir e
"$RECUT" split whole.pcapng e/laptop_20261130185301_99998.pcapng \
	e/laptop_20261130185301_99999.pcapng \
	e/laptop_20261130185302_00000.pcapng \
	e/laptop_20261130185302_00001.pcapng
newest_first e/*
same 'time before number, and 99999 before 00000' laptop='e/*'
t_run -T json hw.pcapng 'e/*'
grep -q 'the numbers of the ring set began again' out
t_ok $? 'a note says that the numbers began again'

# ---- tcpdump -C, -W, -G
t_run -T json hw.pcapng laptop=whole.pcap
values "$t_dir/out" >"$one"
mkdir f g h
"$RECUT" split whole.pcap f/laptop.pcap f/laptop.pcap1 f/laptop.pcap2 \
	f/laptop.pcap3 f/laptop.pcap4 f/laptop.pcap5 f/laptop.pcap6 \
	f/laptop.pcap7 f/laptop.pcap8 f/laptop.pcap9 f/laptop.pcap10
newest_first f/*
same 'tcpdump -C' 'f/laptop.pcap*'
same 'tcpdump -C, one by one' f/laptop.pcap*
"$RECUT" split whole.pcap g/laptop.pcap3 g/laptop.pcap4 g/laptop.pcap0 \
	g/laptop.pcap1 g/laptop.pcap2
newest_first g/*
same 'tcpdump -C -W, wrapped' laptop='g/laptop.pcap*'
t_run -T json hw.pcapng g/laptop.pcap*
grep -q 'laptop.pcap3 is its oldest file, laptop.pcap2' out
t_ok $? 'a note says where the ring begins'
"$RECUT" split whole.pcap h/laptop-30.11.2026-23:59.pcap \
	h/laptop-01.12.2026-00:00.pcap h/laptop-01.12.2026-00:01.pcap
printf '\324\303\262\241\002\0\004\0\0\0\0\0\0\0\0\0\0\0\004\0\001\0\0\0' \
	>h/laptop-29.11.2026-23:58.pcap
newest_first h/*
same 'tcpdump -G with times in any order' laptop='h/*'

# ---- holes
mkdir i
"$RECUT" split hw.pcapng i/dut_00001_20261130185301.pcapng \
	i/dut_00002_20261130185301.pcapng i/dut_00003_20261130185301.pcapng \
	i/dut_00004_20261130185301.pcapng i/dut_00005_20261130185301.pcapng
rm i/dut_00001_*
t_run -T json hw.pcapng 'i/dut_*'
[ $t_status != 2 ] && ! grep -q set_hole out &&
	grep -q '"dut.loss.missing": {"value": 0,' out
t_ok $? 'a hole at the start is none'
rm i/dut_00003_*
t_run hw.pcapng 'i/dut_*'
t_says 2 'dut_\*: 1 file of the ring set is missing between dut_00002.*dut_00004' \
	'a hole in the middle'
grep -q '^Missing  *0  *4,000 ' out && grep -q 'what the ring set lacks' out
t_ok $? 'what is there is analysed, and the cause is named'
"$RECUT" split hw.pcapng i/t.pcap3 i/t.pcap4 i/t.pcap0 i/t.pcap1
t_run hw.pcapng 'i/t.pcap*'
[ $t_status != 2 ] && ! grep -q 'missing between' out err
t_ok $? 'tcpdump -W: what comes after the newest file is no hole'
rm i/t.pcap0
t_run hw.pcapng 'i/t.pcap*'
t_says 2 '1 file .* missing between t.pcap4 and t.pcap1' \
	'tcpdump -W: a hole where the numbers begin again'

# ---- one file is bad
mkdir j
"$RECUT" split hw.pcapng j/dut.pcap0 j/dut.pcap1 j/dut.pcap2
size=$(wc -c <j/dut.pcap1)
head -c $((size - 3)) j/dut.pcap1 >cut && mv cut j/dut.pcap1
: >j/dut.pcap3
t_run hw.pcapng 'j/dut.pcap*'
t_says 2 'j/dut.pcap1: cut short after packet 6666' 'one file cut short'
grep -q 'j/dut.pcap3: is empty' err && grep -q '^Missing  *0  *1 ' out
t_ok $? 'an empty file is said; all others are read'
t_run --allow-truncated hw.pcapng 'j/dut.pcap*'
[ $t_status = 1 ]
t_ok $? 'cut files are accepted when asked'
printf 'this is a letter, not a capture\n' >j/dut.pcap3
t_run hw.pcapng 'j/dut.pcap*'
t_says 2 'j/dut.pcap3: is no capture' 'one file is no capture'
rm j/dut.pcap3
mkfifo j/dut.pcap3
t_run hw.pcapng 'j/dut.pcap*'
t_says 2 'j/dut.pcap3: is no file' 'a set cannot be read from pipes'

# ---- sets that are none
t_run hw.pcapng 'whole.*'
t_says 2 'whole\.\*: whole.pcap.* and whole.pcap.* are not of one' \
	'names that are not of one set'
t_run hw.pcapng 'no*thing'
t_says 2 'no\*thing: no file matches' 'a pattern that matches nothing'
t_run hw.pcapng 'whol?.pcapng'
[ $t_status = 1 ] && grep -q 'whole' out
t_ok $? 'a pattern that matches one file'
for bad in x x= =x x=-; do
	t_run hw.pcapng --set "$bad"
	t_says 2 "set cannot be '$bad'" "--set $bad"
done
mkdir k
"$RECUT" split hw.pcapng k/r_00001_20261130185301.pcap \
	k/r_00002_20261130185301.pcap
cp k/r_00001_20261130185301.pcap k/r_00001_20261130195301.pcap
t_run hw.pcapng 'k/r_*'
t_says 2 'the same number' 'two runs of dumpcap with the same numbers'
mv k/r_00001_20261130195301.pcap k/r_00003_20261130185200.pcap
mv k/r_00001_20261130185301.pcap k/r_00004_20261130185201.pcap
t_run hw.pcapng 'k/r_0000[24]*'
t_says 2 'r_00004_.* begins before r_00002_.* two runs' \
	'two runs of dumpcap with other numbers'

# ---- captures that stay apart
cp hw.pcapng a_1.pcapng
cp whole.pcapng a_2.pcapng
t_run -T json a_1.pcapng a_2.pcapng
[ $t_status = 1 ] && ! grep -q set_guessed out
t_ok $? 'a pair with numbers is a pair'
t_run x=d/laptop_00001* y=d/laptop_00003*
[ $t_status = 2 ] && ! grep -q 'ring set' err
t_ok $? 'labels keep files apart'
t_run d/laptop_00001* 'd/laptop_*'
t_says 2 'the same capture is given twice' 'a file in a set and by itself'
cp hw.pcapng 'l_*.pcapng'
t_run -q 'l_*.pcapng' whole.pcapng
[ $t_status = 1 ]
t_ok $? 'a file that really is called so'
cp i/dut_00002_20261130185301.pcapng i/dut_00003_20261130185301.json
t_run hw.pcapng 'i/dut_*.json' -o i/dut_00003_20261130185301.json
t_says 2 'the output is one of the inputs' 'an output that is a file of a set'
t_run -r 'd/laptop_*' hw.pcapng -q
[ $t_status != 2 ] && grep -q '^hw:' out
t_ok $? 'a set as reference'

# ---- many files, few of them open
mkdir m
i=0
names=
while [ $i -lt 200 ]; do
	names="$names m/$(printf 'laptop_%05d_20261130185301.pcapng' $i)"
	i=$((i + 1))
done
# shellcheck disable=SC2086
"$RECUT" split whole.pcapng $names
t_run -T json hw.pcapng laptop=whole.pcapng
values "$t_dir/out" >"$one"
(
	ulimit -n 30
	"$CAPDIFF" -T json hw.pcapng m/* >"$t_dir/out" 2>"$t_dir/err"
)
values out >set
cmp -s "$one" set
t_ok $? '200 files with 30 descriptors'

# ---- two ports in one file
"$RECUT" ports hw.pcapng whole.pcapng tap.pcapng
t_run -T json tap_0=hw.pcapng tap_1=whole.pcapng
values out >"$one"
t_run -T json tap.pcapng#0 tap.pcapng#1
values out >set
# the file's own figures are of its ports together, as are frame numbers
for file in "$one" set; do
	grep -v '_frame"' "$file" >kept && mv kept "$file"
done
[ $t_status = 1 ] && [ -s "$one" ] && diff "$one" set >difference
t_ok $? 'two ports of one file are a pair'
t_run tap.pcapng#0 tap.pcapng#2
t_says 2 'tap.pcapng: has no interface 2' 'a port that is not there'
t_run tap.pcapng#1 tap.pcapng#1
t_says 2 'the same capture is given twice' 'the same port twice'
t_run tap.pcapng tap.pcapng#1
t_says 2 'the same capture is given twice' 'a file and one of its ports'
t_end
