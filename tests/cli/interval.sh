#!/bin/sh
# --interval: rows add up to the totals, whatever they are cut by.
. "${srcdir:-.}/tests/cli/tap.sh"
: "${CAPSIM:=./capsim}"
t_begin
cd "$t_dir" || exit 1
ref=$srcdir/data/hw.pcapng.gz
dut=$srcdir/data/laptop.pcapng.gz

# The sum of a column of the CSV in `out` for a capture.
sum() { # LABEL COLUMN
	tr -d '\r' <out | awk -F, -v label="\"$1\"" -v name="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
		NR > 1 && $2 == label { sum += $at; n++ }
		END { printf "%d", sum }'
}

value() { # LABEL KEY; of the report in `json`
	sed -n "s/^ *\"$1\\.$2\": *{ *\"value\": *\\([0-9]*\\).*/\\1/p" json
}

same() { # SUM VALUE NAME
	echo "# $1, $2"
	[ -n "$2" ] && [ "$1" = "$2" ]
	t_ok $? "$3"
}

# Packets, bytes and missing of the rows are those of the report.
adds_up() { # NAME ARGUMENTS...
	name=$1
	shift
	"$CAPDIFF" -T json "$@" >json 2>err
	"$CAPDIFF" -T csv "$@" >out 2>>err
	same "$(sum b packets)" "$(value b file.packets)" "$name: packets"
	same "$(sum b captured_bytes)" "$(value b file.bytes)" "$name: bytes"
	same "$(sum b missing)" "$(value b loss.missing)" "$name: missing"
}

for by in 1 999 10000 1s 7ms 100ms; do
	adds_up "by $by" --interval "$by" "a=$ref" "b=$dut"
	same "$(sum a packets)" "$(value a file.packets)" "by $by: reference"
done
adds_up "one capture" --interval 10ms "b=$dut"
adds_up "filtered" --interval 10ms -f 'udp' "a=$ref" "b=$dut"
adds_up "first packets" --interval 1000 -c 15500 "a=$ref" "b=$dut"

gzip -dc "$dut" >plain.pcapng
"$CAPDIFF" -T csv --interval 5ms "a=$ref" "b=$dut" >file.csv 2>/dev/null
"$CAPDIFF" -T csv --interval 5ms "a=$ref" b=- <plain.pcapng >pipe.csv 2>/dev/null
cmp -s file.csv pipe.csv
t_ok $? 'a pipe gives the same rows as the file'
"$CAPDIFF" -T csv -j 1 --interval 5ms "a=$ref" "b=$dut" >one.csv 2>/dev/null
cmp -s file.csv one.csv
t_ok $? 'and so does one thread'

# What is missing lies where it was lost: 412 in a row from 110 ms on, in the
# interval of the packet after it.
awk -F, '$2 == "\"b\"" && $6 >= 412 { print $3 }' file.csv >where
[ "$(cat where)" = 110000000 ]
t_ok $? 'the long gap is in the row of the packet after it'

# The marked copy tells each gap as a drop of the packet after it: by row, the
# same as the missing.
cp file.csv out
"$CAPDIFF" -w marked.pcapng "a=$ref" "b=$dut" >/dev/null 2>err
for by in 999 5ms; do
	"$CAPDIFF" -T csv --interval "$by" "a=$ref" b=marked.pcapng 2>>err |
		tr -d '\r' | awk -F, '$2 == "\"b\""' >rows
	awk -F, '$6 != $7 { bad = 1 } END { exit bad || NR < 10 }' rows &&
		[ "$(awk -F, '{ n += $7 } END { print n }' rows)" = \
			"$(sum b missing)" ]
	t_ok $? "drops of records by $by"
done

"$CAPDIFF" --stamp none --interval 1000 "b=$dut" >out 2>err
[ "$(grep -c ' - .*pkt/s' out)" = 20 ] && grep -q ' total *19,491 *-' out
t_ok $? 'without numbers: packets and rates, nothing missing or not'
LC_ALL=C "$CAPDIFF" --interval 1000 "a=$ref" "b=$dut" >out 2>err
awk 'length($0) > 80 { bad = 1 } END { exit bad }' out
t_ok $? 'the table takes 80 columns'

# Per 10,000 packets and per second, against what a simulation knows.
"$CAPSIM" -o vm "$srcdir/tests/scenarios/v12-bernoulli.sim" >/dev/null 2>err
set -- vm/ref.pcap* vm/dut.pcap*
"$CAPDIFF" -T json --interval 10000 "a=$1" "b=$2" >json 2>err
"$CAPDIFF" -T csv --interval 10000 "a=$1" "b=$2" >out 2>>err
same "$(sum b missing)" "$(value b loss.missing)" 'random loss: missing'
tr -d '\r' <out | awk -F, '$2 == "\"a\"" && $5 != 10000 { n++ } END { exit n > 1 }'
t_ok $? 'every row but the last has 10,000 packets'

t_run --interval 0 "$ref" "$dut"
t_says 2 "--interval cannot be '0'" 'no interval of nothing'
t_run --interval 5parsec "$ref" "$dut"
t_says 2 "--interval cannot be '5parsec'" 'nor of another unit'
t_run --interval 1ns "$ref" "$dut"
t_says 2 'more than 100000 intervals' 'nor a table without end'
t_end
