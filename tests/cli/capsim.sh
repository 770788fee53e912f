#!/bin/sh
# capsim as people use it: presets, scenario files, mistakes, the manual.
: "${srcdir:=.}" "${CAPSIM:=./capsim}"
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
n=0

# ok STATUS WHAT: one test, passed if STATUS is 0
ok() {
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
	fi
}

# fails WHAT MESSAGE ARGUMENTS...: status 2 and MESSAGE in what it says
fails() {
	what=$1 message=$2
	shift 2
	"$CAPSIM" "$@" >"$dir/out" 2>"$dir/err"
	[ $? -eq 2 ] && [ ! -s "$dir/out" ] && grep -qF -- "$message" "$dir/err"
	ok $? "$what"
}

bad=0
for preset in $("$CAPSIM" --list | sed 's/ .*//'); do
	"$CAPSIM" --print "$preset" >"$dir/$preset.sim" &&
		"$CAPSIM" -n 500 -o "$dir/one" "$preset" >/dev/null &&
		"$CAPSIM" -o "$dir/two" -n 500 "$dir/$preset.sim" >/dev/null &&
		diff -r "$dir/one" "$dir/two" || bad=1
	rm -rf "$dir/one" "$dir/two"
done
ok $bad "presets run, and print as files that do the same"

bad=0
for file in "$srcdir"/tests/scenarios/*.sim; do
	"$CAPSIM" -n 2000 -o "$dir/run" "$file" >"$dir/out" 2>&1 || {
		sed "s|^|# $file: |" "$dir/out"
		bad=1
	}
	grep -q "^about = " "$file" || bad=1
done
ok $bad "every scenario runs and says what it is about"

"$CAPSIM" -o "$dir/stdin" -n 100 - <"$dir/laptop-1g.sim" >/dev/null
ok $? "a scenario from standard input"

"$CAPSIM" laptop-1g rate=5kpps -n 300 laptop.gzip=yes -o "$dir/mixed" |
	grep -qF "$dir/mixed/laptop.pcapng.gz: 300 packets" &&
	gzip -t "$dir/mixed/laptop.pcapng.gz"
ok $? "options and assignments in any order"

"$CAPSIM" -o "$dir/s1" -s 7 -n 300 vm-guest >/dev/null &&
	"$CAPSIM" -o "$dir/s2" -n 300 vm-guest seed=7 >/dev/null &&
	diff -r "$dir/s1" "$dir/s2"
ok $? "-s is the seed"

ls "$dir"/*/*.part >/dev/null 2>&1
[ $? -ne 0 ]
ok $? "no partial files are left"

# Ended by a signal while the second file waits for a reader of its pipe.
mkdir "$dir/ended"
mkfifo "$dir/ended/laptop.pcapng"
"$CAPSIM" -o "$dir/ended" -n 300 laptop-1g >/dev/null 2>&1 &
job=$!
tries=0
until [ -e "$dir/ended/hw.pcapng.part" ] || [ $tries -ge 1000 ]; do
	sleep 0.05
	tries=$((tries + 1))
done
kill -TERM $job
wait $job
[ $? -eq 143 ] && [ $tries -lt 1000 ] && [ -p "$dir/ended/laptop.pcapng" ] &&
	[ "$(ls "$dir/ended")" = laptop.pcapng ]
ok $? "a signal ends a run and leaves nothing of it"

if [ -e /dev/full ]; then
	"$CAPSIM" --list 2>"$dir/err" >/dev/full
	[ $? -eq 2 ] && grep -q "cannot be written" "$dir/err"
	ok $? "what is printed has to arrive"
else
	n=$((n + 1))
	echo "ok $n - what is printed has to arrive # SKIP no /dev/full"
fi

fails "no scenario" "which scenario?" -o "$dir/x"
fails "no folder" "(-o DIR)" laptop-1g
fails "no such preset" "no-such: cannot open" -o "$dir/x" no-such
fails "an unknown option" "no option is called --frobnicate" --frobnicate
fails "an option near a real one" "did you mean --output" --ouput x laptop-1g
fails "an option without its value" "-o needs a value" laptop-1g -o
fails "a letter" "no option is called -x" -x
fails "a preset near a real one" "nearest is laptop-1g" -p laptop-2g
fails "a file that is no preset" "nearest preset is vm-guest" -o "$dir/x" vm-gest
fails "an owner" "nearest is 'laptop'" -o "$dir/x" laptop-1g lptop.loss=1%
fails "an unknown key" "unknown key 'rat' in [stream]" -o "$dir/x" laptop-1g rat=5
fails "an unknown point" "no stream or point is called 'desktop'" \
	-o "$dir/x" laptop-1g desktop.ppm=5
fails "no folder's name" "(-o DIR)" -o "" laptop-1g
fails "no such study" "no study is called 'no-such'" -o "$dir/x" --study no-such
fails "a study near a real one" "nearest is two-points" -o "$dir/x" \
	--study two-pints
fails "the short form of no study" "--short is a form of a study" \
	-o "$dir/x" --short laptop-1g
fails "a bad seed of a study" "seed: 'fast' is not a number" -o "$dir/x" \
	-s fast --study two-points
fails "a study and a scenario" "a study has its own" -o "$dir/x" \
	--study vm-guest laptop-1g
fails "a bad value" "ppm: 'fast' is not a number of ppm" \
	-o "$dir/x" laptop-1g laptop.ppm=fast
printf 'link = 1Gb/s\n[stream]\nrate = 5\n' >"$dir/bad.sim"
fails "an error in a file" "bad.sim: line 3: rate: '5' is not" \
	-o "$dir/x" "$dir/bad.sim"
fails "a folder that cannot be" "cannot make this folder" \
	-o "$dir/bad.sim/folder" laptop-1g
[ ! -e "$dir/x" ]
ok $? "nothing is written after a mistake"

printf 'link = 1Gb/s\n[stream]\npackets = 10\nrate = 1kpps\n[point a]\n' \
	>"$dir/few.sim"
"$CAPSIM" -o "$dir/no/such/folder/" "$dir/few.sim" >/dev/null &&
	[ -s "$dir/no/such/folder/truth.json" ]
ok $? "folders are made, those above them too"

# The example captures come from their scenario.
data=$srcdir/data
bad=0
"$CAPSIM" -o "$dir/data" "$data/example.sim" >/dev/null || bad=1
cmp "$dir/data/truth.json" "$data/truth.json" || bad=1
for file in hw laptop; do
	gzip -dc "$data/$file.pcapng.gz" >"$dir/shipped" || bad=1
	gzip -dc "$dir/data/$file.pcapng.gz" | cmp - "$dir/shipped" || bad=1
done
ok $bad "the example captures can be made again"

# What the program lists, the manual explains.
bad=0
man="$srcdir/src/sim/capsim.1"
for key in $("$CAPSIM" --keys | sed -n 's/^  \([a-z_0-9-]*\)  *.*/\1/p'); do
	grep -q "^\.It Cm $key\( \|\$\)" "$man" || {
		echo "# $key is not in the manual"
		bad=1
	}
done
for preset in $("$CAPSIM" --list | sed 's/ .*//'); do
	grep -q "^\.It Cm $preset\$" "$man" || bad=1
done
for study in $("$CAPSIM" --studies | sed 's/ .*//'); do
	grep -q "^\.It Cm $study\$" "$man" || bad=1
done
ok $bad "the manual has every key, stamp, preset and study"

if command -v mandoc >/dev/null; then
	mandoc -Tlint -W warning "$man"
	ok $? "the manual is clean mdoc"
else
	n=$((n + 1))
	echo "ok $n - the manual is clean mdoc # SKIP no mandoc"
fi

echo "1..$n"
