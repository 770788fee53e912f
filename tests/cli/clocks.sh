#!/bin/sh
# One stream, told differently: another resolution of the files, a clock that is
# 10^9 s away, the roles swapped, the time trap. What may change, changes; the
# rest stays.
. "${srcdir:-.}/tests/cli/tap.sh"
: "${CAPSIM:=./capsim}"
t_begin
scenarios=$srcdir/tests/scenarios
cd "$t_dir" || exit 1

simulate() { # FOLDER SCENARIO KEY=VALUE...
	folder=$1
	scenario=$2
	shift 2
	"$CAPSIM" -o "$folder" "$scenarios/$scenario" "$@" >/dev/null 2>err ||
		{ cat err; exit 1; }
}

# Write "KEY VALUE" lines of the compared capture (null as null).
values() { # REF DUT
	"$CAPDIFF" -T json "ref=$1" "dut=$2" >json 2>err
	tr -d '\n' <json | sed 's/"values":/\n/; s/"verdicts":/\n/' |
		sed -n 2p | sed 's/"dut\./\n/g' |
		sed -n 's/^\([a-z0-9_.]*\)": *{ *"value": *\([^,}]*\).*/\1 \2/p' |
		sort
}

value() { # FILE KEY
	sed -n "s/^$2 //p" "$1"
}

# Keys that the grep pattern names are left out of a comparison.
same_but() { # FILE FILE PATTERN NAME
	grep -vE "$3" "$1" >a
	grep -vE "$3" "$2" >b
	[ -s a ] && cmp -s a b
	status=$?
	[ $status = 0 ] || diff a b | sed 's/^/# /' | head -20
	t_ok $status "$4"
}

near() { # FILE FILE KEY TOLERANCE NAME
	x=$(value "$1" "$3")
	y=$(value "$2" "$3")
	echo "$x $y $4" | awk '{ d = $1 - $2; exit !(NF == 3 && $1 != "null" &&
		$2 != "null" && d <= $3 && -d <= $3) }'
	t_ok $? "$5: $x and $y"
}

# The same stream in files of 1 us and of 1 ns.
simulate ns messy.sim ref.resolution=ns dut.resolution=ns ref.tick=none dut.noise='exponential 20us'
simulate us messy.sim ref.resolution=us dut.resolution=us ref.tick=none dut.noise='exponential 20us'
values ns/ref.pcapng ns/dut.pcapng >v_ns
values us/ref.pcapng us/dut.pcapng >v_us
values ns/ref.pcapng us/dut.pcapng >v_nu
for key in loss.missing loss.expected loss.ref_miss loss.runs \
	loss.longest_run duplicate.copies order.reordered_file \
	match.matched loss.head_excluded loss.tail_excluded; do
	near v_ns v_us $key 0 "us and ns: $key"
	near v_ns v_nu $key 0 "mixed: $key"
done
near v_ns v_us time.error.span_ns 4000 'us and ns: time stamp error'
near v_ns v_us time.error.p50_ns 2000 'us and ns: median error'
near v_ns v_us delta.p50_ns 1000 'us and ns: median delta'
near v_ns v_us delta.max_ns 1000 'us and ns: longest delta'
near v_ns v_us clock.offset_ns 2000 'us and ns: offset'
near v_ns v_us clock.drift_ppm 1 'us and ns: drift'

# A stream compared with its own coarser version: 1 us is the error floor.
values ns/ref.pcapng us/ref.pcapng >v_floor
near v_floor v_floor loss.missing 0 'coarser copy: nothing missing'
echo "$(value v_floor time.error.span_ns)" |
	awk '{ exit !($1 > 900 && $1 < 1010) }'
t_ok $? "coarser copy: the error is its tick ($(value v_floor \
	time.error.span_ns) ns)"

# Another epoch: 10^9 s earlier.
simulate far messy.sim dut.clock=700000000
simulate close messy.sim dut.clock=1700000000
values far/ref.pcapng far/dut.pcapng >v_far
values close/ref.pcapng close/dut.pcapng >v_close
same_but v_far v_close '^clock\.(offset|theta)' \
	'a clock 10^9 s further away changes the offset only'

# Swapped roles.
simulate pair v21-both.sim
values pair/ref.pcapng pair/dut.pcapng >v_there
values pair/dut.pcapng pair/ref.pcapng >v_back
x=$(value v_there loss.missing) y=$(value v_back loss.ref_miss)
[ -n "$x" ] && [ "$x" = "$y" ] && [ "$x" != 0 ]
t_ok $? "swapped: missing $x is ref_miss $y"
x=$(value v_there loss.ref_miss) y=$(value v_back loss.missing)
[ -n "$x" ] && [ "$x" = "$y" ] && [ "$x" != 0 ]
t_ok $? "swapped: ref_miss $x is missing $y"
x=$(value v_there loss.both_miss) y=$(value v_back loss.both_miss)
[ -n "$x" ] && [ "$x" = "$y" ]
t_ok $? "swapped: both_miss stays $x"

# The time trap: batches of 20 ms at 12.3 us, percentiles of deltas hide it.
for resolution in ns us; do
	simulate trap v09-trap.sim ref.resolution=$resolution
	values trap/ref.pcapng trap/dut.pcapng >v_trap
	"$CAPDIFF" -q trap/ref.pcapng trap/dut.pcapng >out
	grep -q 'NOT ACCURATE' out
	t_ok $? "trap, reference in $resolution: not accurate"
	value v_trap time.error.span_ns |
		awk '{ exit !($1 > 19.7e6 && $1 < 20.1e6) }'
	t_ok $? "trap: S is near 20 ms ($(value v_trap time.error.span_ns))"
	value v_trap delta_error.false_share |
		awk '{ exit !($1 > 0.998 && $1 <= 1) }'
	t_ok $? "trap: I is near 1 ($(value v_trap delta_error.false_share))"
done
# MTIE grows with the window, and no window sees more than the whole span of r.
simulate clock v03-exponential.sim
t_run --clock clock/ref.pcapng clock/dut.pcapng
grep -q '^MTIE in   100 us ' "$t_dir/out" && grep -q '^TDEV ' "$t_dir/out"
t_ok $? '--clock: in the table'
t_run clock/ref.pcapng clock/dut.pcapng
! grep -qE '^(MTIE|TDEV)' "$t_dir/out"
t_ok $? 'not without --clock'
"$CAPDIFF" --clock -T json ref=clock/ref.pcapng dut=clock/dut.pcapng >json 2>err
grep -q '"dut.clock.tdev"' json
t_ok $? '--clock: a series'
tr -d '\n' <json | tr ',' '\n' | sed -n 's/.*"dut.clock.mtie_[0-9a-z]*_ns": *{ *"value": *\([0-9.]*\)$/\1/p' |
	awk 'NR > 1 && $1 < before { bad = 1 } { before = $1 }
		END { exit bad || NR < 3 }'
t_ok $? '--clock: longer windows see no less'
t_end
