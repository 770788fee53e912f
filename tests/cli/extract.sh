#!/bin/sh
# -w, --write-missing and --packets: what is marked, by tshark and by a reader of
# its own, against truth; that nothing else changes; what is refused.
. "${srcdir:-.}/tests/cli/tap.sh"
for name in marked dress recut; do
	eval "path=\${$(echo $name | tr a-z A-Z):-./tests/cli/$name}"
	case $path in /*) ;; *) path=$PWD/$path ;; esac
	eval "$name=\$path"
done
: "${CAPSIM:=./capsim}"
case $CAPSIM in /*) capsim=$CAPSIM ;; *) capsim=$PWD/$CAPSIM ;; esac
case $CAPDIFF in /*) ;; *) CAPDIFF=$PWD/$CAPDIFF ;; esac
t_begin
data=$srcdir/data
lab=$CAPDIFF_SHARED/lab
cd "$t_dir" || exit 1
"$recut" split "$data/hw.pcapng.gz" hw.pcapng || exit 1
"$recut" split "$data/laptop.pcapng.gz" laptop.pcapng || exit 1
command -v tshark >/dev/null && tshark=yes || tshark=

skip() { # NAME
	t_count=$((t_count + 1))
	echo "ok $t_count - $1 # SKIP no tshark"
}

value() { # KEY: a value of the JSON report in out
	sed -n 's/^ *"'"$1"'": {"value": \([^,}]*\).*/\1/p' out
}

# by_tshark COPY NAME: tshark and our own reader (in list) see the same marks
by_tshark() {
	if [ -z "$tshark" ]; then
		skip "$2"
		return
	fi
	tshark -r "$1" -Y 'frame.comment contains "capdiff"' -T fields \
		-E occurrence=l -e frame.comment >seen 2>err
	cut -d' ' -f3- list | cmp -s - seen
	t_ok $? "$2"
}

packets() { # FILE
	capinfos -cM "$1" 2>/dev/null | sed -n 's/^Number of packets: *//p'
}

# The numbers that the comments in list call missing, one a line, sorted.
called_missing() {
	sed -n 's/.* missing [a-z]* this (IDs* \([0-9-]*\).*/\1/p' list |
		awk -F- '{ to = NF > 1 ? $2 : $1
			   for (i = $1; i <= to; i++) print i }' | sort
}

# lacking REF DUT AT WIDTH [MAGIC]: numbers inside both ranges that only REF has
lacking() {
	"$marked" numbers "$1" "$3" "$4" $5 | sort -n >ref_ids
	"$marked" numbers "$2" "$3" "$4" $5 | sort -n >dut_ids
	from=$(sed -n 1p dut_ids)
	to=$(tail -n 1 dut_ids)
	awk -v from="$from" -v to="$to" '$1 >= from && $1 <= to' ref_ids |
		sort -u >inside
	sort -u dut_ids | comm -23 inside -
}

drops() {
	awk '$2 != "-" { n += $2 } END { print n + 0 }' list
}

# ---- the example
t_run -w copy.pcapng --write-missing lost.pcapng hw.pcapng laptop.pcapng
"$marked" check laptop.pcapng copy.pcapng >list 2>err
t_ok $? 'the copy is the capture and comments'
[ $t_status = 1 ] && [ "$(grep -c 'missing before' list)" = 102 ] &&
	[ "$(drops)" = 513 ] && [ "$(grep -c duplicate list)" = 4 ] &&
	[ "$(grep -c 'time stamp' list)" = 100 ]
t_ok $? 'gaps, drop counts, duplicates, the 100 worst time stamps'
lacking hw.pcapng laptop.pcapng 0 4 >truth
called_missing | cmp -s - truth && [ "$(wc -l <truth)" -eq 513 ]
t_ok $? 'the comments name every missing number'
"$marked" numbers lost.pcapng 0 4 | sort | cmp -s - truth
t_ok $? 'exactly these were written'
grep -q 'capdiff: 412 missing before this (IDs 10998-11409)' list
t_ok $? 'a gap in words'
by_tshark copy.pcapng 'tshark lists the marked packets'
"$CAPDIFF" -T json hw.pcapng laptop.pcapng | sed -n '/"values"/,$p' >one
"$CAPDIFF" -T json hw.pcapng laptop=copy.pcapng | sed -n '/"values"/,$p' >two
grep -v 'file\.\|reported\|unreported\|sections' one >a
grep -v 'file\.\|reported\|unreported\|sections' two >b
grep loss.missing a >err && [ "$(grep -c . a)" -gt 100 ] &&
	[ "$(grep '"laptop\.\(loss\.m\|time\|clock\|delta\)' a)" = \
	"$(grep '"laptop\.\(loss\.m\|time\|clock\|delta\)' b)" ]
t_ok $? 'the copy measures the same'
cp copy.pcapng before
t_run -j1 -w copy.pcapng hw.pcapng laptop.pcapng
cmp -s before copy.pcapng
t_ok $? 'and is the same bytes again'
t_run -w again.pcapng hw.pcapng copy.pcapng
"$marked" check copy.pcapng again.pcapng >list 2>err && [ "$(drops)" = 513 ]
t_ok $? 'comments of a former run stay'

# ---- captures with everything in them
"$dress" hw.pcapng dressed.pcapng || exit 1
t_run -w copy.pcapng --write-missing lost.pcap hw.pcapng dressed.pcapng
"$marked" check dressed.pcapng copy.pcapng >list 2>err
t_ok $? 'sections, interfaces, foreign blocks and options survive'
lacking hw.pcapng dressed.pcapng 0 4 >truth
called_missing | cmp -s - truth && [ "$(wc -l <truth)" -gt 300 ] &&
	[ "$(grep -c duplicate list)" = 33 ]
t_ok $? 'gaps across them, duplicates'
"$marked" numbers lost.pcap 0 4 | sort | cmp -s - truth
t_ok $? 'missing packets as pcap'
grep -q 'drop count of the file was 5$' list
t_ok $? 'a drop count of the file is replaced and told'
by_tshark copy.pcapng 'tshark lists the marked packets there'
if [ -n "$tshark" ]; then
	tshark -r copy.pcapng -Y 'frame.comment == "kept"' >seen 2>err
	tshark -r dressed.pcapng -Y 'frame.comment == "kept"' >truth 2>err
	cmp -s seen truth && [ -s seen ]
	t_ok $? 'and those with comments of their own'
	[ "$(packets copy.pcapng)" = "$(packets dressed.pcapng)" ]
	t_ok $? 'capinfos counts as many packets'
else
	skip 'and those with comments of their own'
	skip 'capinfos counts as many packets'
fi
gzip -k dressed.pcapng
t_run -w gz.pcapng.gz hw.pcapng dressed.pcapng.gz
gzip -dc gz.pcapng.gz | cmp -s - copy.pcapng
t_ok $? 'compressed input and output'
t_run -w copy.pcapng dressed.pcapng hw.pcapng
"$marked" check hw.pcapng copy.pcapng >list 2>err && [ ! -s list ]
t_ok $? 'nothing to mark: nothing marked'
t_run --write-missing lost.pcapng laptop.pcapng dressed.pcapng
t_run -T json --write-missing lost2.pcapng dressed.pcapng laptop.pcapng
lacking dressed.pcapng laptop.pcapng 0 4 >truth
"$marked" numbers lost2.pcapng 0 4 | sort | cmp -s - truth
t_ok $? 'missing packets out of several sections'
if [ -n "$tshark" ]; then
	[ "$(packets lost2.pcapng)" = "$(value laptop.loss.missing)" ]
	t_ok $? 'which tshark reads'
else
	skip 'which tshark reads'
fi

# ---- one capture alone, pcap, interfaces, ring sets
t_run -w copy.pcapng laptop.pcapng
"$marked" check laptop.pcapng copy.pcapng >list 2>err && [ "$(drops)" = 513 ]
t_ok $? 'gaps of a capture by itself'
"$recut" split laptop.pcapng laptop.pcap
t_run -w copy.pcapng hw.pcapng laptop.pcap
"$marked" check laptop.pcap copy.pcapng >list 2>err && [ "$(drops)" = 513 ]
t_ok $? 'pcap becomes pcapng, times bit for bit'
t_run -w no.pcapng --write-missing lost.cap hw.pcapng laptop.pcap
"$recut" split hw.pcapng hw.pcap
t_run --write-missing lost2.pcapng hw.pcap laptop.pcap
[ "$("$marked" numbers lost.cap 0 4)" = "$("$marked" numbers lost2.pcapng 0 4)" ]
t_ok $? 'missing packets of pcap and pcapng'
"$recut" ports hw.pcapng laptop.pcapng both.pcapng
t_run -w copy.pcapng 'both.pcapng#0' 'both.pcapng#1'
"$marked" check both.pcapng copy.pcapng >list 2>err && [ "$(drops)" = 513 ]
t_ok $? 'an interface of a file: the others are copied too'
mkdir ring
"$recut" split laptop.pcapng ring/l_00001_20261130185301.pcapng \
	ring/l_00002_20261130185301.pcapng ring/l_00003_20261130185302.pcapng
t_run -w copy.pcapng --write-missing lost.pcapng hw.pcapng 'ring/l_*.pcapng'
cat ring/* >joined.pcapng
"$marked" check joined.pcapng copy.pcapng >list 2>err && [ "$(drops)" = 513 ]
t_ok $? 'a ring set becomes one file'
"$marked" numbers lost.pcapng 0 4 | sort >a
"$marked" numbers lost2.pcapng 0 4 | sort | cmp -s - a
t_ok $? 'and lacks the same packets'

# ---- --packets
# sums ROWS: what the rows of a pair add up to
sums() {
	tr -d '\r' <"$1" | awk -F, 'NR > 1 {
		rows++; missing += $9; copies += $10 > 0 ? $10 - 1 : 0
		if ($13 != "") {
			matched++
			if (matched == 1 || $13 + 0 > most) most = $13 + 0
			if (matched == 1 || $13 + 0 < least) least = $13 + 0
		}
		if ($14 != "" && $14 + 0 > longest) longest = $14 + 0
	} END {
		printf "%d %d %d %d %.3f %.3f %.3f\n", rows, missing, copies,
			matched, least, most, longest
	}'
}

reported() {
	printf '%d %d %d %d %.3f %.3f %.3f\n' "$1" \
		"$(value "$2.loss.missing")" "$(value "$2.duplicate.copies")" \
		"$(value "$2.match.matched")" "$(value "$2.time.error.min_ns")" \
		"$(value "$2.time.error.max_ns")" "$(value "$2.delta.max_ns")"
}

t_run -T json --packets rows.csv hw.pcapng laptop.pcapng
[ "$(sums rows.csv)" = "$(reported 20000 laptop)" ]
t_ok $? '--packets: the rows add up to the report'
[ "$(head -n 1 rows.csv | tr -d '\r')" = "stream,epoch,seq,captures,\
copies_ref,frame_ref,t_ref,delta_ref_ns,\
missing,copies,frame,t,error_ns,delta_ns" ] &&
	[ "$(sed -n 92,93p rows.csv | cut -d, -f1-11 | tr -d '\r')" = \
	'0,0,90,"hw;laptop",1,91,2026-11-30T18:53:01.020900000Z,10000,0,1,90
0,0,91,"hw",1,92,2026-11-30T18:53:01.020910000Z,10000,1,0,' ]
t_ok $? 'rows as they should be'
grep -n ,1,0,,,, rows.csv | cut -d, -f3 | sort >a
lacking hw.pcapng laptop.pcapng 0 4 | cmp -s - a
t_ok $? 'the missing ones are those'
cp rows.csv before
t_run -j1 --packets rows.csv hw.pcapng laptop.pcapng
cmp -s before rows.csv
t_ok $? 'the same bytes with one thread'
cat laptop.pcapng | "$CAPDIFF" -qq --packets piped.csv hw.pcapng laptop=-
cmp -s before piped.csv
t_ok $? 'from a pipe too'
t_run --packets rows.csv.gz laptop.pcapng
[ "$(gzip -dc rows.csv.gz | head -n 1 | tr -d '\r')" = \
	stream,epoch,seq,captures,copies,frame,t,delta_ns ] &&
	[ "$(gzip -dc rows.csv.gz | wc -l)" -eq 19488 ]
t_ok $? 'one capture, compressed'
t_run -T json --packets rows.csv hw.pcapng laptop.pcapng dressed.pcapng
if command -v sqlite3 >/dev/null; then
	sqlite3 :memory: -cmd '.import --csv rows.csv p' '
		select count(*), sum(missing_laptop), sum(missing_dressed),
			sum(copies_dressed > 1), count(distinct seq),
			max(cast(error_ns_laptop as real)) > 100000,
			sum(captures = "hw;laptop;dressed")
		from p' >a 2>err
	both=$(tr -d '\r' <rows.csv | grep -c 'hw;laptop;dressed')
	echo "20000|$(value laptop.loss.missing)|$(value \
		dressed.loss.missing)|33|20000|1|$both" | cmp -s - a
	t_ok $? 'three captures in sqlite3'
else
	t_count=$((t_count + 1))
	echo "ok $t_count - three captures in sqlite3 # SKIP no sqlite3"
fi
t_run -qq --packets hw.pcapng hw.pcapng laptop.pcapng
t_says 2 'one of the inputs' 'rows do not go into an input'
t_run -qq --packets a.csv --packets b.csv hw.pcapng laptop.pcapng
t_says 2 'only one file' 'rows go into one file'

# ---- streams, restarts, repeats, two disordered captures
cat >many.sim <<'EOF'
about = whatever can be told of single packets
seed = 7
epoch = 2026-11-30T18:53:01Z
link = 1Gb/s
[stream a]
stamp = iperf2
packets = 4000
rate = 20kpps
size = 128
skip = 0.1%
restart = 2500
[stream b]
stamp = iperf2
packets = 4000
rate = 15kpps
size = 128:3,1000:1
repeat = 2
source = 10.0.0.9:4000
[point hw]
loss = 0.2%
late = 0.3% by 2
[point one]
byte_order = big
offset = 3ms
loss = 1%
duplicate = 0.5%
late = 0.5% by 2
start = 50ms
[point two]
format = pcap
offset = -2ms
loss = 2% burst 5
stop = 150ms
EOF
"$capsim" -o sim many.sim >out 2>err
for pair in 'hw.pcapng one.pcapng' 'hw.pcapng two.pcap' 'two.pcap one.pcapng'; do
	one=sim/${pair#* }
	name=${pair#* }
	name=${name%.*}
	t_run -T json -w copy.pcapng --packets rows.csv "sim/${pair% *}" "$one"
	"$marked" check "$one" copy.pcapng >list 2>err
	t_ok $? "$pair: nothing else changes"
	tail=$(sed -n 's/.*capdiff: \([0-9]*\) missing after.*/\1/p' list |
		awk '{ n += $1 } END { print n + 0 }')
	[ $(($(drops) + tail)) = "$(value "$name.loss.missing")" ] &&
		[ "$(grep -c 'missing [ab]' list)" = \
		"$(value "$name.loss.runs")" ]
	t_ok $? "$pair: gaps"
	[ "$(grep -c duplicate list)" = "$(value "$name.duplicate.excess")" ] &&
		[ "$(grep -c 'duplicate\|repeated' list)" = \
		"$(value "$name.duplicate.copies")" ]
	t_ok $? "$pair: duplicates, and what the sender repeated"
	[ "$(grep -c 'out of order' list)" = \
		"$(value "$name.order.reordered_file")" ]
	t_ok $? "$pair: order"
	[ "$(sums rows.csv | cut -d' ' -f2,4-6)" = \
		"$(reported 0 "$name" | cut -d' ' -f2,4-6)" ]
	t_ok $? "$pair: rows"
	by_tshark copy.pcapng "$pair: tshark lists the marked packets"
done
grep -q 'missing before this (ID [0-9]*, stream [01])' list
t_ok $? 'streams are told'

# ---- --for
t_run -w copy.pcapng hw.pcapng laptop.pcapng dressed.pcapng
t_says 2 'of which capture' 'several captures: which?'
grep -q 'one of: laptop, dressed' err
t_ok $? 'their labels are listed'
t_run -w copy.pcapng --for lptop hw.pcapng laptop.pcapng dressed.pcapng
t_says 2 "no compared capture is called 'lptop'" 'a label that none has'
t_run -w copy.pcapng --for hw hw.pcapng laptop.pcapng
t_says 2 "no compared capture is called 'hw'" 'the reference is not compared'
t_run --for laptop hw.pcapng laptop.pcapng
t_says 2 'goes with -w' '--for alone'
t_run -w copy.pcapng --for laptop hw.pcapng laptop.pcapng dressed.pcapng
"$marked" check laptop.pcapng copy.pcapng >list 2>err && [ "$(drops)" = 513 ]
t_ok $? '--for LABEL'

# ---- what is refused
rm -f new.pcapng
t_run -w new.pcapng hw.pcapng -
t_says 2 'standard input: -w reads the capture a second time' 'standard input'
mkfifo pipe
t_run -w new.pcapng hw.pcapng laptop=pipe
t_says 2 'pipe: -w reads the capture a second time' 'a pipe'
t_run --write-missing new.pcapng hw=pipe laptop.pcapng
t_says 2 'pipe: --write-missing reads' 'a pipe as the reference'
cp laptop.pcapng input.pcapng
t_run -w input.pcapng hw.pcapng input.pcapng
t_says 2 'one of the inputs' 'the output is an input'
cp laptop.pcapng new.pcapng.part
t_run -w new.pcapng hw.pcapng new.pcapng.part
t_says 2 'one of the inputs' 'or would be, while it is written'
cmp -s laptop.pcapng new.pcapng.part && cmp -s laptop.pcapng input.pcapng
t_ok $? 'inputs are untouched'
rm new.pcapng.part
t_run -w new.pcapng --write-missing ./new.pcapng hw.pcapng laptop.pcapng
t_says 2 'given as output twice' 'an output given twice'
t_run -w n.txt -o n.txt hw.pcapng laptop.pcapng
t_says 2 'given as output twice' 'and as a report'
t_run -w n.txt -o ./n.txt hw.pcapng laptop.pcapng
t_says 2 'given as output twice' 'by another name'
t_run -o n.txt -o "$PWD/n.txt" hw.pcapng laptop.pcapng
t_says 2 'given as output twice' 'two reports of one name'
[ ! -e n.txt ]
t_ok $? 'and nothing is written'
t_run -w new.pcap hw.pcapng laptop.pcapng
t_says 2 'pcap cannot hold comments' 'comments need pcapng'
t_run -w - hw.pcapng laptop.pcapng
t_says 2 'standard output holds the report' 'standard output'
t_run --write-missing new.pcapng laptop.pcapng
t_says 2 'there is one capture' 'missing from nothing'
t_run -w new.pcapng --stamp none hw.pcapng laptop.pcapng
t_says 2 'without sequence numbers' 'no numbers'
grep -q '^  .*--stamp field:' err
t_ok $? 'no numbers: what to do'
grep -q 'Packets in file' out
t_ok $? 'the report is printed all the same'
if script -qec true /dev/null >/dev/null 2>&1; then
	script -qec "'$CAPDIFF' -qq -w /dev/tty hw.pcapng laptop.pcapng" \
		/dev/null >err 2>&1
	grep -q 'not for a terminal' err
	t_ok $? 'a terminal'
else
	t_count=$((t_count + 1))
	echo "ok $t_count - a terminal # SKIP no script(1)"
fi
mkdir full
t_run -w full hw.pcapng laptop.pcapng
t_says 2 'is a folder' 'a folder'
if [ -c /dev/full ]; then
	t_run -w /dev/full hw.pcapng laptop.pcapng
	t_says 2 'cannot write' 'a full disk'
	grep -q 'Packets in file' out
	t_ok $? 'after the report'
fi
(
	ulimit -f 1
	exec "$CAPDIFF" -qq -w limited.pcapng hw.pcapng laptop.pcapng 2>err
)
t_status=$?
t_says 2 'cannot write' 'a limit of the size of files'
[ "$(echo limited*)" = 'limited*' ]
t_ok $? 'leaves nothing behind'

# ---- damaged files; files that change
head -c 700000 laptop.pcapng >cut.pcapng
t_run -w copy.pcapng hw.pcapng cut.pcapng
"$marked" check cut.pcapng copy.pcapng >list 2>err
[ $? = 0 ] && [ $t_status = 2 ] && grep -q 'missing before' list
t_ok $? 'a file cut short: marks up to there'
gzip -c laptop.pcapng | head -c 100000 >cut.pcapng.gz
t_run --allow-truncated -w copy.pcapng hw.pcapng cut.pcapng.gz
"$marked" check cut.pcapng.gz copy.pcapng >list 2>err
[ $? = 0 ] && [ $t_status = 1 ] && grep -q 'missing before' list
t_ok $? 'and inside its compression'
cp laptop.pcapng live.pcapng
t_run -w before.pcapng hw.pcapng live.pcapng
cp before.pcapng copy.pcapng
"$CAPDIFF" -w copy.pcapng hw=pipe live.pcapng >out 2>err </dev/null &
job=$!
{
	head -c 100000 hw.pcapng
	tail -c 36 laptop.pcapng >>live.pcapng
	tail -c +100001 hw.pcapng
} >pipe
wait $job
t_status=$?
t_says 2 'live.pcapng: changed while it was read' 'a file that grows'
cmp -s before.pcapng copy.pcapng && [ ! -e copy.pcapng.part ]
t_ok $? 'leaves what was there'
grep -q 'Packets in file' out
t_ok $? 'the report is printed'
t_run -c 5000 -w copy.pcapng hw.pcapng laptop.pcapng
"$marked" check laptop.pcapng copy.pcapng >list 2>err &&
	tail -n 1 list | awk '{ exit !($1 > 4000 && $1 <= 5000) }'
t_ok $? '-c: all is copied, the packets compared are marked'
t_run -w new.pcapng hw.pcapng ref="$data/README.md"
[ $t_status = 2 ] && [ ! -e new.pcapng ] && [ ! -e new.pcapng.part ]
t_ok $? 'no report, no file'

# Ended by a signal in the middle of a copy. A run that is faster than that is
# run again.
cat hw.pcapng hw.pcapng hw.pcapng hw.pcapng >long.pcapng
mkfifo first
for try in 1 2 3 4 5 6 7 8 9; do
	rm -f new.pcapng.gz
	"$CAPDIFF" -q -w new.pcapng.gz hw=first long.pcapng >out 2>err \
		</dev/null &
	job=$!
	cat hw.pcapng >first
	until [ -e new.pcapng.gz.part ] || [ -e new.pcapng.gz ]; do
		kill -0 $job 2>/dev/null || break
	done
	kill -TERM $job
	wait $job
	t_status=$?
	[ $t_status = 143 ] && break
done
[ $t_status = 143 ] && [ ! -e new.pcapng.gz ] && [ ! -e new.pcapng.gz.part ]
t_ok $? 'a signal ends a run and leaves no half of a copy'

# ---- real captures
of_truth() { # KEY: summed over the streams of truth.json
	tr ',{}' '\n\n\n' <"$dir/truth.json" |
		sed -n 's/^ *"'"$1"'": *//p' | awk '{ n += $1 } END { print n }'
}

check_lab() {
	dut=$dir/dut.pcapng.gz
	[ -e "$dut" ] || dut=$dir/dut.pcap.gz
	t_run -T json -w copy.pcapng --write-missing lost.pcapng \
		--packets rows.csv "$dir/ref.pcap.gz" "$dut"
	"$marked" check "$dut" copy.pcapng >list 2>err
	t_ok $? "$name: the copy is the capture and comments"
	by_tshark copy.pcapng "$name: tshark lists the marked packets"
	missing=$(value dut.loss.missing)
	tail=$(sed -n 's/.*capdiff: \([0-9]*\) missing after.*/\1/p' list |
		awk '{ n += $1 } END { print n + 0 }')
	[ "$(of_truth lost)" -le "$missing" ] &&
		[ $(($(drops) + tail)) -eq "$missing" ] &&
		[ "$(grep -c 'missing before' list)" = "$(of_truth loss_runs)" ] &&
		[ "$(grep -c 'duplicate' list)" = "$(of_truth dut_dup)" ] &&
		[ "$(grep -c 'out of order' list)" = "$(of_truth reordered_file)" ]
	t_ok $? "$name: as many gaps, missing, duplicates, disorder as in truth"
	[ "$(sums rows.csv | cut -d' ' -f2,4-)" = \
		"$(reported 0 dut | cut -d' ' -f2,4-)" ]
	t_ok $? "$name: the rows of all packets add up"
	if [ -n "$tshark" ]; then
		[ "$(packets lost.pcapng)" = "$missing" ] &&
			[ "$(packets copy.pcapng)" = "$(packets "$dut")" ]
		t_ok $? "$name: capinfos counts the missing ones and all"
	else
		skip "$name: capinfos counts the missing ones and all"
	fi
}

check_lab_numbers() {
	lacking "$dir/ref.pcap.gz" "$dut" "$1" 4 $2 >truth
	called_missing | cmp -s - truth &&
		"$marked" numbers lost.pcapng "$1" 4 | sort | cmp -s - truth
	t_ok $? "$name: exactly the missing numbers"
}

for dir in "$lab"/*/; do
	[ -e "$dir/truth.json" ] || continue
	dir=${dir%/}
	name=${dir##*/}
	check_lab
	case $name in
	pktgen* | derived*) check_lab_numbers 4 be9be955 ;;
	iperf2) check_lab_numbers 0 ;;
	esac
	case $name in
	derived_messy)
		t_run -T json -w copy.pcapng "$dut" "$dir/ref.pcap.gz"
		"$marked" check "$dir/ref.pcap.gz" copy.pcapng >list 2>err
		[ "$(value ref.order.reordered_file)" -gt 200 ] &&
			[ "$(grep -c 'out of order' list)" = \
			"$(value ref.order.reordered_file)" ]
		t_ok $? "$name: order is that of the reference"
		;;
	esac
done
t_end
