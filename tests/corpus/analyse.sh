#!/bin/sh
# What capdiff answers about every capture of the corpus alone, and about some
# with a copy of itself, with its neighbour, with a capture of the lab. Packets of the report
# against those of two independent readers (INDEX.tsv).
: "${srcdir:=.}" "${top_builddir:=.}" "${CAPDIFF:=./capdiff}"
shared=$(cd "${CAPDIFF_SHARED:-$srcdir/../shared}" 2>/dev/null && pwd)
corpus=$shared/corpus
lab=$shared/lab/rtp/dut.pcapng.gz
checker=$top_builddir/tests/corpus/check_report
export CAPDIFF
if ! test -f "$corpus/INDEX.tsv"; then
	echo "1..0 # SKIP no corpus beside the sources"
	exit 0
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
tail -n +2 "$corpus/INDEX.tsv" >"$dir/index"
cut -f1 "$dir/index" >"$dir/files"
cd "$corpus" || exit 1

# Version 2.3 has its lengths the other way round, as libpcap knows.
cat >"$dir/known" <<'END'
pcapplusplus_fuzz/Tests/Fuzzers/RegressionTests/regression_samples/clusterfuzz-testcase-minimized-FuzzTarget-5766899836387328
END

# report NUMBER NAME: failures are in $dir/bad
report() {
	if test -s "$dir/bad"; then
		sed 's/^/# /' "$dir/bad"
		echo "not ok $1 - $2"
	else
		echo "ok $1 - $2"
	fi
}

# Run what $dir/runs says, half and half, and complain of every trouble.
run() {
	: >"$dir/bad"
	for half in 0 1; do
		awk "NR % 2 == $half" "$dir/runs" | "$checker" "$@" \
			>"$dir/got$half" 2>>"$dir/bad" &
	done
	wait
	cat "$dir/got0" "$dir/got1" >"$dir/got"
	awk -F '\t' '$4 != "" { print $1 ": " $4 }' "$dir/got" >>"$dir/bad"
	test "$(wc -l <"$dir/got")" = "$(wc -l <"$dir/runs")" ||
		echo "runs without an answer" >>"$dir/bad"
}

echo 1..6
cp "$dir/files" "$dir/runs"
run
report 1 "each alone: a report, or why not"

# Without a report there are no packets, or the format is foreign.
awk -F '\t' '
	FILENAME == ARGV[1] { known[$0]; next }
	FILENAME == ARGV[2] { packets[$1] = $3; status[$1] = $2; next }
	$6 != $7 || $1 in known { next }
	packets[$1] == "-" && ($6 == 0 || $4 ~ /erf|snoop|xz|zstd|lz4/) { next }
	packets[$1] != $6 { print $1 ": " packets[$1] " packets, not " $6 }
	status[$1] == 0 { print $1 ": complete, without a reference" }
	' "$dir/known" "$dir/got" "$dir/index" >"$dir/bad"
report 2 "packets of the reports as two other readers count them"

awk 'NR % 3 == 1' "$dir/files" >"$dir/runs"
run -t
report 3 "some alone: text of 80 columns"

cp -R "$corpus" "$dir/copy" && chmod -R u+w "$dir/copy"
awk -v copy="$dir/copy/" 'NR % 2 { print "a=" $0 "\tb=" copy $0 }' \
	"$dir/files" >"$dir/runs"
run
report 4 "some with a copy of themselves"

awk 'NR % 2 == 0 { print "a=" before "\tb=" $0 } { before = $0 }' \
	"$dir/files" >"$dir/runs"
run
report 5 "some with their neighbour"

awk -v lab="$lab" 'NR % 8 == 1 { print "a=" lab "\tb=" $0 }' \
	"$dir/files" >"$dir/runs"
run
awk -F '\t' '$2 == 0 { print $1 ": passes" }' "$dir/got" >>"$dir/bad"
report 6 "some with a capture of the lab, which never passes"
