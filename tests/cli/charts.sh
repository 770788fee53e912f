#!/bin/sh
# --charts: scripts and pictures in a folder.
. "${srcdir:-.}/tests/cli/tap.sh"
t_begin
data=$srcdir/data
hw=$data/hw.pcapng.gz
laptop=$data/laptop.pcapng.gz
cd "$t_dir" || exit 1

# ---- without gnuplot -----------------------------------------------------

mkdir bin
PATH_WITH=$PATH
PATH=$t_dir/bin
"$CAPDIFF" "$hw" "$laptop" --charts none >out 2>err
t_status=$?
PATH=$PATH_WITH
[ $t_status = 1 ]
t_ok $? 'no gnuplot in PATH: the exit status is that of the verdict'
t_says 1 'gnuplot was not found: scripts written, no pictures' \
	'no gnuplot in PATH: said'
[ -d none ] && ! ls none/*.svg >/dev/null 2>&1
t_ok $? 'no gnuplot in PATH: no pictures'

PATH=$t_dir/bin
"$CAPDIFF" "$hw" "$laptop" --charts none -q >out 2>err
PATH=$PATH_WITH
[ ! -s err ]
t_ok $? 'no gnuplot in PATH: not said with -q'

# ---- folders -------------------------------------------------------------

t_run "$hw" "$laptop" --charts no/such
t_says 2 'no/such: the folder cannot be made: ' 'the folder above is not there'
: >file
t_run "$hw" "$laptop" --charts file
t_says 2 'file: is not a folder' 'a file for a folder'
[ ! -s out ]
t_ok $? 'a file for a folder: said before the run'

mkdir mixed
gzip -dc "$laptop" >mixed/delta.svg
t_run "$hw" mixed/delta.svg --charts mixed
t_says 2 'mixed/delta.svg: the output is one of the inputs' \
	'a picture that is an input'
gzip -dc "$laptop" | cmp - mixed/delta.svg >out 2>&1
t_ok $? 'a picture that is an input: as it was'

# ---- scripts that somebody edited ----------------------------------------

mkdir mine
echo 'plot x' >mine/error.gp
t_run "$hw" "$laptop" --charts mine
t_says 2 'mine/error.gp: was edited, or is no chart of capdiff' \
	'a script that is not ours'
grep -q '^  rename or remove it' err && [ "$(cat mine/error.gp)" = 'plot x' ]
t_ok $? 'a script that is not ours: what to do, and still there'
[ "$(ls mine)" = error.gp ]
t_ok $? 'a script that is not ours: nothing else is written'
[ -x "$(command -v gnuplot)" ] || {
	t_end
	exit 0
}

# ---- with gnuplot --------------------------------------------------------

t_run "$hw" "$laptop" --charts one
[ $t_status = 1 ] && [ ! -s err ]
t_ok $? 'a pair: nothing to say'
[ "$(ls one)" = "$(printf '%s\n' delta.gp delta.svg error.gp error.svg \
	loss.gp loss.svg offset.gp offset.svg)" ]
t_ok $? 'a pair: four scripts and their pictures'
t_run "$hw" "$laptop" --charts two -j 1 -T json
cmp one/delta.gp two/delta.gp && diff -r one two >out 2>&1
t_ok $? 'the same bytes again'
! grep -q -e --charts out
t_ok $? 'the report does not say where charts went'

for name in delta error loss offset; do
	head -1 one/$name.gp | grep -q "gnuplot $name.gp\$" &&
		[ "$(grep -c '^if (!exists("term")) term = .svg.$' \
			one/$name.gp)" = 1 ]
	t_ok $? "$name.gp: how to draw it, and with what"
	! awk '/<< EOD/ { n = 0 } /^$/ { n = 0 } { n++ } n > 2001 { exit 1 }' \
		one/$name.gp
	[ $? = 1 ]
	t_ok $? "$name.gp: no more than 2,000 points in a row"
	rm -rf alone && mkdir alone && cp one/$name.gp alone
	(cd alone && gnuplot $name.gp) >out 2>err
	[ ! -s out ] && [ ! -s err ] && cmp one/$name.svg alone/$name.svg &&
		[ "$(ls alone | wc -l)" -eq 2 ]
	t_ok $? "$name.gp: alone in a folder it draws the same"
	(cd alone && gnuplot -e "term='dumb'" $name.gp) >out 2>err
	[ -s out ] && [ ! -s err ] && ! tr -d '\f' <out | grep -q '.\{80\}' &&
		[ "$(ls alone | wc -l)" -eq 2 ]
	t_ok $? "$name.gp: in a terminal of 80 columns"
	if gnuplot -e 'set term pngcairo' >/dev/null 2>&1; then
		(cd alone && gnuplot -e "term='pngcairo'" $name.gp) >out 2>err
		[ ! -s err ] && [ -s alone/$name.png ]
		t_ok $? "$name.gp: as PNG"
	fi
done

# ---- the same folder again -----------------------------------------------

t_run "$hw" "$laptop" --charts two
[ $t_status = 1 ] && diff -r one two >out 2>&1
t_ok $? 'scripts of an earlier run are replaced'
PATH=$t_dir/bin
"$CAPDIFF" "$hw" "$laptop" --charts two >out 2>err
PATH=$PATH_WITH
diff -r one two >out 2>&1
t_ok $? 'without gnuplot a picture of the same script stays'
"$CAPSIM" -n 2000 -o clean hardware-tap >/dev/null || exit 1
t_run clean/hw.pcapng clean/tap.pcapng --charts two
[ ! -e two/loss.gp ] && [ ! -e two/loss.svg ]
t_ok $? 'what there is none of any more goes away'
t_says 0 "two: no chart 'loss': there are no missing packets or duplicates" \
	'what there is none of: said'
t_run "$hw" "$laptop" --charts two
echo '# mine' >>two/delta.gp
t_run "$hw" "$laptop" --charts two
t_says 2 'two/delta.gp: was edited' 'an edited script is not overwritten'
tail -1 two/delta.gp | grep -q '^# mine$' && diff one/error.gp two/error.gp
t_ok $? 'an edited script is not overwritten: nothing is'

# ---- a sweep --------------------------------------------------------------

mkdir runs
for run in 64:10 64:400 1518:10 1518:400; do
	size=${run%:*} load=${run#*:}
	"$CAPSIM" -n 2000 -o "runs/$size-$load" laptop-1g "size=$size" \
		"rate=$((load * 125000 / (size + 20)))pps" >/dev/null || exit 1
done
t_run --sweep runs --charts sweep
[ "$(ls sweep | tr '\n' ' ')" = 'sweep.gp sweep.svg ' ] && [ ! -s err ]
t_ok $? 'a sweep: one chart, and nothing to say about the others'
grep -q "^load\[1\] = '10'\$" sweep/sweep.gp &&
	grep -q "^load\[2\] = '400'\$" sweep/sweep.gp &&
	grep -q "^columns = 2\$" sweep/sweep.gp
t_ok $? 'a sweep: runs at the same load are in one column'
gnuplot -e "term='dumb'" sweep/sweep.gp >out 2>err
grep -q '100%.*100%' out && grep -q 'Mb/s' out && [ ! -s err ]
t_ok $? 'a sweep: in a terminal'

# ---- gnuplot that fails --------------------------------------------------

printf '#!/bin/sh\necho "oops" >&2\nexit 1\n' >bin/gnuplot
chmod +x bin/gnuplot
PATH=$t_dir/bin:$PATH_WITH
t_run "$hw" "$laptop" --charts failed
PATH=$PATH_WITH
t_says 2 'gnuplot failed: oops' 'gnuplot fails'
[ -s out ] && [ -s failed/delta.gp ] && [ ! -e failed/delta.svg ]
t_ok $? 'gnuplot fails: report and scripts are there'

printf '#!/bin/sh\nexec yes\n' >bin/gnuplot
PATH=$t_dir/bin:$PATH_WITH
t_run "$hw" "$laptop" --charts endless
PATH=$PATH_WITH
t_says 2 'gnuplot failed' 'gnuplot that writes without end is stopped'
[ -s out ] && [ ! -e endless/delta.svg ]
t_ok $? 'and no picture is left of it'

# ---- names that want to be commands --------------------------------------

# a label is the shortest part of a file name that is unique, made harmless;
# reports read back may hold any, which tests/unit/chart draws
for name in '`touch pwned`' "';!touch pwned;'" "'.system('touch pwned').'" \
	'"`touch pwned`"' '@name <script> & %s {(40 x}' "it''s" \
	"$(printf 'a\nEOD\n!touch pwned')" "$(printf '\377\033[31m')"
do
	cp "$laptop" "$name.gz"
	rm -rf named && mkdir named
	t_run "$hw" "./$name.gz" --charts named
	cd named || exit 1
	t_count_svg=0
	for script in *.gp; do
		rm "${script%.gp}.svg" &&
			gnuplot "$script" >>../out 2>>../err &&
			grep -q '</svg>' "${script%.gp}.svg" &&
			t_count_svg=$((t_count_svg + 1))
	done
	cd ..
	[ $t_status = 1 ] && [ $t_count_svg = 4 ] && [ ! -s err ] &&
		[ ! -e pwned ] && [ ! -e named/pwned ]
	t_ok $? "a hostile name: $(printf %s "$name" | tr '\n\377\033' ' ..')"
	! grep -l '<script' named/*.svg >out
	t_ok $? 'a hostile name: no element of its own'
done
t_end
