#!/bin/sh
# run.sh PROGRAM...: libFuzzer on each for FUZZ_SECONDS, from the seeds and
# what earlier runs kept in fuzz/. A fault ends it, its input stays in fuzz/.
set -eu
: "${FUZZ_SECONDS:=10}" "${srcdir:=.}"

sh "$srcdir/tests/fuzz/seeds.sh" fuzz/seeds
for program; do
	name=$(basename "$program")
	leaks=1
	# With threads each input would be looked through for leaks.
	[ "$name" != run ] || leaks=0
	if ! "$program" -help=1 2>&1 | grep -q libFuzzer; then
		echo "make fuzz needs clang:" \
			"configure CC=clang --enable-fuzzing" >&2
		exit 1
	fi
	mkdir -p "fuzz/kept/$name"
	"$program" -max_total_time="$FUZZ_SECONDS" -timeout=20 \
		-max_len=65536 -detect_leaks=$leaks \
		-rss_limit_mb=2560 -artifact_prefix="fuzz/$name-" \
		-print_final_stats=1 "fuzz/kept/$name" "fuzz/seeds/$name" \
		</dev/null 2>&1 | grep -E 'ERROR|SUMMARY|cov:.*REDUCE|DONE|stat::n'
	test -z "$(find fuzz -maxdepth 1 -name "$name-*")"
done
