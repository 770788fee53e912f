#!/bin/sh
# summary.sh BUILD...: sum the .trs files below each build folder to one plain
# line; fail if a test failed or none ran.
find "$@" -name '*.trs' -exec cat {} + | awk '
	/^:test-result: (PASS|XFAIL)/ { passed++ }
	/^:test-result: (FAIL|XPASS|ERROR)/ { failed++ }
	/^:test-result: SKIP/ { skipped++ }
	END {
		printf "%d passed, %d failed, %d skipped\n",
			passed, failed, skipped
		exit failed > 0 || passed == 0
	}'
