#!/bin/sh
# What others read: JUnit by its schema, CSV by a database, Markdown and TAP as
# written; limits in all of them.
. "${srcdir:-.}/tests/cli/tap.sh"
t_begin
cd "$t_dir" || exit 1
hw=$srcdir/data/hw.pcapng.gz
laptop=$srcdir/data/laptop.pcapng.gz

t_skip() { # NAME WHY
	t_count=$((t_count + 1))
	echo "ok $t_count - $1 # SKIP $2"
}

# Names that break out of anything that does not expect them.
odd=$(printf '@cmd|<b>"x"&y\047`touch pwned`$(touch pwned)|]]>#z.pcapng.gz')
cp "$laptop" "$odd" || exit 1

check_junit() { # NAME, of the report in out
	if command -v xmllint >/dev/null; then
		xmllint --noout --nonet --schema \
			"$srcdir/tests/schema/junit.xsd" "$t_dir/out" \
			2>"$t_dir/err"
		t_ok $? "$1: JUnit by its schema"
	else
		t_skip "$1: JUnit by its schema" 'xmllint is not installed'
	fi
}

t_run -T junit "$hw" "$laptop"
[ $t_status = 1 ]
t_ok $? 'JUnit goes to standard output'
check_junit 'pair'
t_run -T junit "$hw"
check_junit 'alone'
t_run -T junit --limit 'loss.missing<=0' --limit 'hw.clock.steps<=0' "$hw" \
	"$odd"
check_junit 'hostile name'
grep -q '<testsuites name="capdiff" tests="6" failures="4" errors="0">' \
	"$t_dir/out"
t_ok $? 'JUnit counts verdicts and limits'
head -c 100000 "$srcdir/data/laptop.pcapng.gz" >"$t_dir/cut.pcapng.gz"
t_run -T junit "$hw" "$t_dir/cut.pcapng.gz"
[ $t_status = 2 ] && grep -q '<error type=' "$t_dir/out"
t_ok $? 'a file cut short is an error in JUnit'
check_junit 'cut short'
[ ! -e "$t_dir/pwned" ]
t_ok $? 'no name was run as a command'

# ---- the schema can fail
if command -v xmllint >/dev/null; then
	sed 's/ tests="[0-9]*"//' "$t_dir/out" >"$t_dir/wrong.xml"
	! xmllint --noout --nonet --schema "$srcdir/tests/schema/junit.xsd" \
		"$t_dir/wrong.xml" 2>/dev/null
	t_ok $? 'JUnit without counts is refused'
else
	t_skip 'JUnit without counts is refused' 'xmllint is not installed'
fi

# ---- limits: a null fails, in every format
t_run -T tap --limit 'hw.clock.steps<=0' --limit 'loss.missing<=600' "$hw" \
	"$laptop"
grep -q '^not ok [0-9]* - hw: hw.clock.steps<=0$' "$t_dir/out" &&
	grep -q '^ok [0-9]* - laptop: loss.missing<=600$' "$t_dir/out"
t_ok $? 'TAP: a limit on a null fails, another is kept'
t_run -T md --limit 'hw.clock.steps<=0' --limit 'loss.missing<=600' "$hw" \
	"$laptop"
grep -q '^| hw.clock.steps&lt;=0 .*| BROKEN |$' "$t_dir/out" &&
	grep -q '^| loss.missing&lt;=600 .*| kept |$' "$t_dir/out"
t_ok $? 'Markdown: the same'
printf '# of the lab\nloss.missing <= 0 # none\n\n  clock.steps<=0\n' \
	>"$t_dir/limits"
t_run -T tap --limits "$t_dir/limits" "$hw" "$laptop"
[ "$(grep -c '^\(not \)\{0,1\}ok [0-9]* - laptop: .*<=' "$t_dir/out")" = 2 ]
t_ok $? 'limits from a file'
printf 'loss.missing<=0\nclock.stesp<=0\n' >"$t_dir/limits"
t_run -T tap --limits "$t_dir/limits" "$hw" "$laptop"
t_says 2 'limits:2: .*"clock.stesp"' 'an unknown key names its line'
grep -q 'did you mean "clock.steps"' "$t_dir/err"
t_ok $? 'and the nearest key'

# ---- TAP as another reader takes it
if command -v prove >/dev/null; then
	t_run -T tap "$hw" "$odd"
	cp out odd.tap
	prove -e cat odd.tap >out 2>err
	[ $? = 1 ] && grep -q 'Failed 2/4 subtests' out &&
		! grep -qi 'parse errors' out
	t_ok $? 'TAP: two of four fail, no parse errors'
else
	t_skip 'TAP: two of four fail, no parse errors' 'prove is not installed'
fi

# ---- files by their suffix
for suffix in txt json csv md xml tap html; do
	t_run -qq -o "$t_dir/report.$suffix" "$hw" "$laptop"
	[ $t_status = 1 ] && [ -s "$t_dir/report.$suffix" ]
	t_ok $? "-o report.$suffix"
done
"$CAPDIFF" -T junit "$hw" "$laptop" | cmp -s - "$t_dir/report.xml"
t_ok $? 'the file is what -T prints'
t_run -o "$t_dir/report.htm" "$hw" "$laptop"
t_says 2 'suffix' 'an unknown suffix is refused'
grep -q '\.html' "$t_dir/err" && grep -q '\.tap' "$t_dir/err"
t_ok $? 'and those that are known are named'

# ---- the page
t_run -qq -o "$t_dir/odd.html" "$hw" "$odd"
! grep -qE '<script|<b>|https?:' "$t_dir/odd.html" &&
	grep -q '&lt;b&gt;' "$t_dir/odd.html"
t_ok $? 'HTML: a name is text, and nothing is loaded'
if command -v tidy >/dev/null; then
	tidy -q -e "$t_dir/odd.html" 2>"$t_dir/err"
	t_ok $? 'HTML: no errors, no warnings'
else
	t_skip 'HTML: no errors, no warnings' 'tidy is not installed'
fi
"$CAPDIFF" -qq -o "$t_dir/again.html" "$hw" "$odd"
cmp -s "$t_dir/odd.html" "$t_dir/again.html"
t_ok $? 'HTML: the same captures give the same page'
[ ! -e "$t_dir/pwned" ]
t_ok $? 'HTML: no name was run as a command'

# ---- a saved report gives the same as the captures
"$CAPDIFF" -qq -o saved.json --limit 'loss.missing<=0' "$hw" "$laptop"
for format in text md junit tap csv html; do
	"$CAPDIFF" -T $format --limit 'loss.missing<=0' "$hw" "$laptop" >a
	"$CAPDIFF" -T $format --from saved.json >b
	[ -s a ] && cmp -s a b
	t_ok $? "$format from a saved report"
done

# ---- intervals: the rows of documents add up to their totals
total() { # COLUMN of the first table of intervals in out: rows and total
	awk -F ' *[|] *' -v column="$1" '/[*]: Intervals|: Intervals/ { seen++ }
		seen == 1 && /^[|] [0-9]/ { gsub(",", "", $column); sum += $column }
		seen == 1 && /^[|] total/ { gsub(",", "", $column)
			print (sum == $column && sum > 0) ? "same" : "not"; exit }' out
}
t_run -T md --interval 3000 "$laptop"
[ "$(total 3)" = same ]
t_ok $? 'Markdown: packets of intervals add up'
t_run -qq -o interval.html --interval 10ms "$hw" "$laptop"
grep -q '<h2 id="intervals">' interval.html &&
	[ "$(grep -c '<td class="num">total</td>' interval.html)" = 2 ]
t_ok $? 'HTML: a table of intervals for each capture'
t_run -qq -o many.html --interval 10 "$hw" "$laptop"
grep -q 'the first intervals of many' many.html &&
	[ "$(wc -c <many.html)" -lt 1000000 ]
t_ok $? 'HTML: many intervals still make a small page'

# ---- against an earlier report: what is worse comes first
cp "$hw" x.pcapng.gz
t_run -qq -o good.json "$hw" laptop=x.pcapng.gz
t_run --baseline good.json -T md "$hw" laptop="$laptop"
grep -q '^Against good.json: [0-9]* better, [0-9]* worse' out &&
	grep -q '^| worse | laptop.loss.missing | Missing | 0 | 513 |$' out
t_ok $? 'Markdown: against an earlier report'
t_run --baseline good.json -qq -o worse.html "$hw" laptop="$laptop"
grep -q '<td>worse</td><td>laptop.loss.missing</td>' worse.html
t_ok $? 'HTML: against an earlier report'

# ---- sweeps
mkdir -p lab/a lab/b lab/c
cp "$hw" "$laptop" lab/a
cp "$hw" lab/b && cp "$hw" lab/b/laptop.pcapng.gz
cp "$hw" lab/c && echo 'no capture' >lab/c/laptop.pcapng
t_run --sweep lab -T junit
check_junit 'sweep'
[ $t_status = 2 ] && grep -q '<testsuite name="a laptop"' out &&
	grep -q '<error type=' out
t_ok $? 'JUnit of a sweep: a suite for each capture of each run'
t_run --sweep lab -T csv
cp out x.csv
[ "$(grep -c '^"[abc]",' out)" -ge 4 ] && grep -q '^"c",' out
t_ok $? 'CSV of a sweep: rows of every run'
t_run --sweep lab -T md
grep -q '^| 128 | laptop | less than' out
t_ok $? 'Markdown of a sweep: where it begins to fail'
t_run --sweep lab -qq -o sweep.html
grep -q '<caption>Every run by itself</caption>' sweep.html
t_ok $? 'HTML of a sweep'

# ---- CSV in a database
query() { # SQL, on the table in x.csv
	sqlite3 :memory: '.mode csv' ".import '$t_dir/x.csv' report" \
		'.mode list' "$1" 2>"$t_dir/err"
}
if command -v sqlite3 >/dev/null; then
	"$CAPDIFF" -T csv "$hw" "$odd" >"$t_dir/x.csv"
	[ "$(query 'select count(*) from report')" = 2 ] &&
		[ ! -s "$t_dir/err" ]
	t_ok $? 'CSV loads into a database'
	[ "$(query 'select "loss.missing" from report where role="compared"')" \
		= 513 ]
	t_ok $? 'and its values are found by their keys'
	[ "$(query 'select path from report where role="compared"')" = "'$odd" ]
	t_ok $? 'a name is whole, but no formula'
	[ "$(query 'select coalesce(max("clock.steps"), 0) from report')" = 0 ]
	t_ok $? 'what is undefined is empty'
else
	t_skip 'CSV loads into a database' 'sqlite3 is not installed'
fi
t_end
