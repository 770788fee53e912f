#!/bin/sh
# The published tables: the studies of capsim, in their short form, as people
# see them in `capdiff --sweep`.
. "${srcdir:-.}/tests/cli/tap.sh"
: "${CAPSIM:=./capsim}"
t_begin
cd "$t_dir" || exit 1

study() {
	"$CAPSIM" --study "$1" --short -o "$1" >/dev/null
	t_ok $? "$1: written"
}

# shows WHAT LINE...: the last output has these lines, words by one blank
shows() {
	what=$1
	shift
	tr -s ' ' <out | sed 's/^ //; s/ $//' >plain
	bad=0
	for line in "$@"; do
		grep -qxF -e "$line" plain || {
			echo "# no line: $line"
			bad=1
		}
	done
	t_ok $bad "$what"
}

study set-ups
t_run --sweep --expect 10000 set-ups
shows 'set-ups: packets captured by size and set-up' \
	'size buffer-100MB command-line default vendor' \
	'64 10,000 100 % 6,046 60.4600 % 2,667 26.6700 % 10,000 100 %' \
	'512 10,000 100 % 10,000 100 % 4,992 49.9200 % 10,000 100 %' \
	'1518 10,000 100 % 10,000 100 % 6,537 65.3700 % 10,000 100 %'

study first-drop
t_run --sweep first-drop
shows 'first-drop: the first packets are lost above 30 and 100 Mb/s' \
	'64 default 30 Mb/s (fails 40 Mb/s) less than 10 Mb/s' \
	'64 tuned 100 Mb/s (fails 120 Mb/s) less than 10 Mb/s'

study two-points
t_run --sweep two-points
shows 'two-points: complete far beyond accurate' \
	'100 laptop 250 Mb/s (fails 500 Mb/s) 10 Mb/s (fails 25 Mb/s)' \
	'512 laptop 250 Mb/s (fails 500 Mb/s) 10 Mb/s (fails 25 Mb/s)' \
	'1518 laptop 250 Mb/s (fails 500 Mb/s) 10 Mb/s (fails 25 Mb/s)'
tr '\n' ' ' <out | grep -q 'completeness seems limited by bytes'
t_ok $? 'two-points: bytes decide'

study vm-guest
t_run --sweep -r host vm-guest
shows 'vm-guest: some are complete, none is accurate' \
	'64 guest 6.72 Mb/s (fails 13.44 Mb/s) less than 672 kb/s' \
	'512 guest 42.56 Mb/s (fails 85.12 Mb/s) less than 4.256 Mb/s' \
	'1518 guest 123 Mb/s (fails 246.1 Mb/s) less than 12.3 Mb/s'
tr '\n' ' ' <out | grep -q 'completeness seems limited per packet'
t_ok $? 'vm-guest: packets decide'
t_end
