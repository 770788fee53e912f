#!/bin/sh
# coverage.sh SOURCE-FOLDER: lines of src/ that the tests have run, by room and
# in all, from the build folder that is current. gcovr or lcov, where there are,
# make coverage/index.html too. GCOV: the gcov of the compiler.
set -eu
: "${GCOV:=gcov}"
source=$(cd "$1" && pwd)

if ! find src -name '*.gcda' | grep -q .; then
	echo "nothing was run: configure --enable-coverage, then make coverage" >&2
	exit 1
fi
if command -v gcovr >/dev/null; then
	mkdir -p coverage
	gcovr -s --gcov-executable "$GCOV" -r "$source" -f "$source/src/" \
		--html-details coverage/index.html . >/dev/null || true
elif command -v lcov >/dev/null && command -v genhtml >/dev/null; then
	mkdir -p coverage
	lcov -q --gcov-tool "$GCOV" -c -d src -o coverage/all.info &&
		genhtml -q -o coverage coverage/all.info || true
fi
find src -name '*.gcda' | sort | while read -r data; do
	$GCOV -n -o "$(dirname "$data")" "$data" 2>/dev/null
done | awk '
	/^File / { file = $2; gsub(/\047/, "", file) }
	/^Lines executed:/ && match(file, /src\/[a-z]+\/[a-z0-9_]+\.c$/) {
		split(substr(file, RSTART), part, "/")
		split($0, number, /[:%]| of /)
		lines[part[2]] += number[4]
		run[part[2]] += number[2] * number[4] / 100
		file = ""
	}
	END {
		for (room in lines) {
			share = 100 * run[room] / lines[room]
			printf "%-8s %6d lines %6.1f %%\n", room, lines[room],
				share | "sort"
			all += lines[room]
			all_run += run[room]
		}
		close("sort")
		if (all == 0)
			exit 1
		printf "%-8s %6d lines %6.1f %%\n", "all", all,
			100 * all_run / all
	}'
