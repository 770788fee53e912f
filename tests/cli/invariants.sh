#!/bin/sh
# What must not change a number: threads, compression, container, pipes.
. "${srcdir:-.}/tests/cli/tap.sh"
t_begin
data=$srcdir/data
cd "$t_dir" || exit 1
mkdir a
gzip -dc "$data/hw.pcapng.gz" >a/hw.pcapng
gzip -dc "$data/laptop.pcapng.gz" >a/laptop.pcapng
cp "$data/hw.pcapng.gz" "$data/laptop.pcapng.gz" a

values() { # FILE: the values of a JSON report, without file names
	sed -n '/"values"/,/"verdicts"/p' "$1"
}

cd a || exit 1
t_run -j1 -T json hw.pcapng laptop.pcapng
cp "$t_dir/out" "$t_dir/one"
for j in 2 3 8; do
	t_run "-j$j" -T json hw.pcapng laptop.pcapng
	cmp -s "$t_dir/one" "$t_dir/out"
	t_ok $? "-j$j is byte-identical to -j1"
done
t_run -T json hw.pcapng.gz laptop.pcapng.gz
values "$t_dir/one" >"$t_dir/v1"
values "$t_dir/out" >"$t_dir/v2"
[ -s "$t_dir/v1" ] && cmp -s "$t_dir/v1" "$t_dir/v2"
t_ok $? 'gzip changes no value'

"$CAPDIFF" -T json hw.pcapng laptop=- <laptop.pcapng >"$t_dir/out" \
	2>"$t_dir/err"
values "$t_dir/out" >"$t_dir/v2"
cmp -s "$t_dir/v1" "$t_dir/v2"
t_ok $? 'standard input changes no value'

# Two FIFOs, one writer: one after the other, in either order.
for order in 'hw laptop' 'laptop hw'; do
	set -- $order
	rm -f f_hw f_laptop
	mkfifo f_hw f_laptop
	(
		cat "$1.pcapng" >"f_$1"
		cat "$2.pcapng" >"f_$2"
	) &
	writer=$!
	timeout 60 "$CAPDIFF" -j1 -T json hw=f_hw laptop=f_laptop \
		>"$t_dir/out" 2>"$t_dir/err"
	kill "$writer" 2>/dev/null
	wait
	values "$t_dir/out" >"$t_dir/v2"
	cmp -s "$t_dir/v1" "$t_dir/v2"
	t_ok $? "two FIFOs of one writer, $1 first"
done

# The reference named by -r, wherever it stands.
t_run -T json -r hw.pcapng laptop.pcapng
values "$t_dir/out" >"$t_dir/v2"
cmp -s "$t_dir/v1" "$t_dir/v2"
t_ok $? '-r adds the reference'
t_run -T json -r hw.pcapng laptop.pcapng hw.pcapng
values "$t_dir/out" >"$t_dir/v2"
cmp -s "$t_dir/v1" "$t_dir/v2"
t_ok $? '-r moves the reference to the front'

# Swapped roles mirror the counts.
t_run -T csv hw.pcapng laptop.pcapng
field() { # FILE ROW-LABEL KEY
	tr -d '"' <"$1" | awk -F, -v key="$3" -v label="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == key) c = i }
		NR > 1 { for (i = 1; i <= NF; i++)
			if ($i == label) { print $c; exit } }'
}
missing=$(field "$t_dir/out" laptop loss.missing)
t_run -T csv laptop.pcapng hw.pcapng
miss2=$(field "$t_dir/out" hw loss.ref_miss)
[ -n "$missing" ] && [ "$missing" = "$miss2" ]
t_ok $? "swapped: missing ($missing) is ref_miss ($miss2)"
t_end
