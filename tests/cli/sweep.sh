#!/bin/sh
# Sweeps: which captures are a run, the same table from captures and from saved
# reports, broken runs, and the lab's runs against their truth.
. "${srcdir:-.}/tests/cli/tap.sh"
case $CAPDIFF in /*) ;; *) CAPDIFF=$PWD/$CAPDIFF ;; esac
: "${RECUT:=./tests/cli/recut}"
case $RECUT in /*) ;; *) RECUT=$PWD/$RECUT ;; esac
[ -d "$CAPDIFF_SHARED" ] && CAPDIFF_SHARED=$(cd "$CAPDIFF_SHARED" && pwd)
t_begin
data=$srcdir/data
formats='text json csv html md junit tap'
cd "$t_dir" || exit 1

# ---- folders
mkdir -p lab/64/t1 lab/64/t2
for run in t1 t2; do
	cp "$data/hw.pcapng.gz" "$data/laptop.pcapng.gz" lab/64/$run
done
t_run --sweep lab -j 1
[ $t_status = 1 ] && grep -q '^2 runs in lab/64/, capture points: hw' out &&
	grep -q 'LOSSY 2/2' out
t_ok $? 'two trials of one cell'
[ "$(awk 'length > 80' out)" = '' ]
t_ok $? 'no line is longer than 80 columns'
cp out one
t_run --sweep lab -j 2
cmp -s out one
t_ok $? 'two threads give the same'
t_run --sweep lab/64/t2 lab/64/t1
cmp -s out one
t_ok $? 'so do the folders named one by one'

# ---- saved reports
for run in t1 t2; do
	"$CAPDIFF" -qq -o $run.json lab/64/$run/hw.pcapng.gz \
		lab/64/$run/laptop.pcapng.gz
done
for format in $formats; do
	"$CAPDIFF" --sweep lab -T "$format" >direct 2>/dev/null
	"$CAPDIFF" --sweep t2.json t1.json -T "$format" >gathered 2>/dev/null
	cmp -s direct gathered
	t_ok $? "$format: saved reports give what captures give"
	t_run --sweep lab/64/t1 t2.json -T "$format"
	cmp -s out gathered
	t_ok $? "$format: so does a mixture"
done
"$CAPDIFF" -qq --sweep lab -o lab/all.json
for format in $formats; do
	"$CAPDIFF" --sweep lab -T "$format" >direct 2>/dev/null
	"$CAPDIFF" --from lab/all.json -T "$format" >again 2>/dev/null
	cmp -s direct again
	t_ok $? "$format: a saved sweep is shown as it was"
done
t_run --sweep lab/all.json
cmp -s out one
t_ok $? 'a saved sweep is swept again'

# ---- one saved report
for format in $formats; do
	"$CAPDIFF" lab/64/t1/hw.pcapng.gz lab/64/t1/laptop.pcapng.gz \
		-T "$format" >direct 2>/dev/null
	t_run --from t1.json -T "$format"
	cmp -s direct out && [ $t_status = 1 ]
	t_ok $? "$format: a saved report is shown as it was"
done
t_run --from t1.json --limit 'loss.missing<=1' -T json
grep -q '"expression": "loss.missing<=1".*"passed": false' out
t_ok $? 'a saved report is judged by another limit'
judged() { # FILE: verdicts and limits
	sed -n -e '/"verdicts"/,/"findings"/p' -e '/limit[.]/p' "$1"
}
for run in "$data:hw.pcapng.gz:laptop.pcapng.gz" \
	"$CAPDIFF_SHARED/lab/pktgen_64_20000:ref.pcap.gz:dut.pcap.gz" \
	"$CAPDIFF_SHARED/lab/mgen_drop:ref.*:dut.*"; do
	folder=${run%%:*}
	names=${run#*:}
	for judge in --profile=lab --profile=monitoring --loss-ratio=10% \
		--strict; do
		what="${folder##*/} $judge"
		if ! [ -d "$folder" ]; then
			t_ok 0 "$what # SKIP no $folder"
			continue
		fi
		"$CAPDIFF" -T json "$folder"/${names%:*} "$folder"/${names#*:} \
			>saved.json 2>/dev/null
		"$CAPDIFF" -T json $judge "$folder"/${names%:*} \
			"$folder"/${names#*:} >direct 2>/dev/null
		t_run --from saved.json $judge -T json
		judged direct >direct.judged
		judged out >from.judged
		[ -s direct.judged ] && cmp -s direct.judged from.judged
		t_ok $? "$what: judged anew as if it had been so at once"
	done
done
t_run --from t1.json --profile nosuch
t_says 2 'no profile is called' 'an unknown profile is refused'
for option in '-f udp' '--stamp none' '-c 5' '-w x.pcapng' '--packets x.csv'; do
	# shellcheck disable=SC2086
	t_run --from t1.json $option
	t_says 2 'does not go with' "a report without captures: no $option"
done
t_run --sweep lab -w x.pcapng
t_says 2 'does not go with -w' 'no marks in many runs'
t_run --sweep lab --interval 1s
t_says 2 '--sweep does not go with --interval' 'no intervals of many runs'
t_run --from t1.json --limit 'loss.mising<=1'
t_says 2 'no value is called' 'an unknown key is refused'
t_run --from nosuch.json
[ $t_status = 2 ] && grep -q 'nosuch.json: cannot be opened' err
t_ok $? 'a report that is not there'
sed 's,capdiff-report/1,capdiff-report/9,' t1.json >future.json
t_run --from future.json
t_says 2 "future.json: .*'capdiff-report/9'" 'a report of another version'
echo '{"a": 1}' >other.json
t_run --from other.json
t_says 2 'other.json: is no report of capdiff' 'another JSON file'
cp t1.json large.json
dd if=/dev/zero of=large.json bs=1 count=1 seek=67108864 conv=notrunc 2>dd.err
t_run --from large.json
t_says 2 'large.json: is larger than 64 MiB' 'a report that is too large'
grep -q '^  a longer --interval' err
t_ok $? 'what to do then'
head -c 67108865 /dev/zero | "$CAPDIFF" --from /dev/stdin >out 2>err
t_status=$?
t_says 2 'stdin: is larger than 64 MiB' 'and that comes from a pipe'
t_run --from t1.json lab/64/t1/hw.pcapng.gz
t_says 2 'takes no captures' 'a report and captures'

# ---- against an earlier report
t_run --from t1.json --baseline t2.json
[ $t_status = 1 ] && grep -q 'Against t2.json: 0 better, 0 worse, 0 changed' out
t_ok $? 'equal reports differ in nothing'
sed -e 's/"laptop.loss.missing": {"value": [0-9]*/"laptop.loss.missing": {"value": 7/' \
	-e 's/"laptop.clock.drift_ppm": {"value": [-0-9.]*/"laptop.clock.drift_ppm": {"value": 900.5/' \
	-e 's/"complete": false/"complete": true/' t1.json >old.json
t_run "$data/hw.pcapng.gz" "$data/laptop.pcapng.gz" --baseline old.json \
	-o now.json
[ $t_status = 1 ] && grep -q 'worse   laptop.loss.missing: 7, now 513' out &&
	grep -q 'Warning: laptop: complete: no, in old.json it was yes' out
t_ok $? 'what is worse than before, and a verdict'
grep -q '"key": "laptop.loss.missing", "before": 7, "now": 513,.*"change": "worse"' now.json &&
	grep -q '"key": "laptop.complete", "before": true, "now": false' now.json
t_ok $? 'the same in JSON'
for format in text json; do
	t_run "$data/hw.pcapng.gz" "$data/laptop.pcapng.gz" \
		--baseline old.json -T $format -v
	cp out direct
	t_run --from now.json -T $format -v
	cmp -s out direct
	t_ok $? "$format: a saved comparison is shown as it was"
done
t_run "$data/hw.pcapng.gz" other="$data/laptop.pcapng.gz" \
	--baseline t1.json
[ $t_status = 1 ] && grep -q '^Warning: other: no capture in t1.json has' out &&
	! grep -q 'hw: no capture in' out
t_ok $? 'a capture that the baseline lacks is said'
t_run one="$data/hw.pcapng.gz" other="$data/laptop.pcapng.gz" \
	--baseline t1.json
t_says 2 'no capture in it has a label' 'a baseline of other captures'
grep -q '^Against t1.json: no capture has a label of those in it$' out &&
	! grep -q '^Warning.*t1.json' out
t_ok $? 'and in the report'
t_run --from now.json --baseline now.json
grep -q '^Against now.json: 0 better, 0 worse, 0 changed' out &&
	! grep -q 'old.json' out
t_ok $? 'an earlier comparison is forgotten'
t_run "$data/hw.pcapng.gz" other="$data/laptop.pcapng.gz" \
	--baseline nosuch.json
[ $t_status = 2 ] && grep -q 'nosuch.json: cannot be opened' err
t_ok $? 'a baseline that is not there'
t_run "$data/laptop.pcapng.gz" --baseline lab/all.json
t_says 2 'not sweeps' 'a baseline of many runs'
grep -q '^  .*-o run.json' err
t_ok $? 'a baseline of many runs: what to do'

# ---- which captures are a run
mkdir flat
for load in 10M 20M; do
	cp "$data/hw.pcapng.gz" flat/hw_64_$load.pcapng.gz
	cp "$data/laptop.pcapng.gz" flat/laptop_64_$load.pcapng.gz
done
t_run --sweep flat -T json
[ $t_status = 1 ] && grep -q '"run": "64_10M"' out &&
	grep -q '"run": "64_20M"' out && grep -q '"label": "laptop"' out
t_ok $? 'a folder of runs that their names tell apart'
t_run --sweep flat
[ "$(grep -c '^Warning: the name of run' out)" = 4 ]
t_ok $? 'names that say 64 bytes, 10M and 20M are warned about'
cp "$data/laptop.pcapng.gz" flat/vm_64_30M.pcapng.gz
t_run --sweep flat
grep -q 'vm_64_30M.pcapng.gz belongs to no reference' out
t_ok $? 'a capture that belongs to no run'
mkdir capitals
for run in a b; do
	cp "$data/hw.pcapng.gz" capitals/HW_$run.PCAPNG.GZ
	cp "$data/laptop.pcapng.gz" capitals/LAPTOP_$run.PCAPNG.GZ
done
t_run --sweep capitals -T json
grep -q '"run": "a"' out && grep -q '"run": "b"' out
t_ok $? 'suffixes in capitals are no part of the names'
mkdir -p rings/10M
for file in hw laptop; do
	"$RECUT" split "$data/$file.pcapng.gz" \
		rings/$file.pcapng 2>/dev/null || break
done
if command -v editcap >/dev/null && [ -s rings/laptop.pcapng ]; then
	mv rings/hw.pcapng rings/10M/hw.pcapng
	editcap -c 7000 rings/laptop.pcapng rings/10M/laptop.pcapng
	rm rings/laptop.pcapng
	t_run --sweep rings
	[ $t_status = 1 ] && [ "$(ls rings/10M | wc -l)" -ge 4 ] &&
		grep -q 'capture points: hw (reference), laptop[.]' out &&
		grep -q ' 19,487 ' out
	t_ok $? 'the files of a ring set are one capture'
else
	t_ok 0 'the files of a ring set are one capture # SKIP no editcap'
fi
mkdir blind
cp "$data/hw.pcapng.gz" blind/left.pcapng.gz
cp "$data/laptop.pcapng.gz" blind/right.pcapng.gz
t_run --sweep blind
t_says 2 'which capture is the reference.*left, right' 'no reference'
t_run --sweep blind -r left
[ $t_status = 1 ] && grep -q 'left (reference), right' out
t_ok $? 'a reference named by its label'
t_run --sweep blind --expect 30000
[ $t_status -le 1 ] && grep -q 'set-ups: left, right' out
t_ok $? 'captures by themselves'
mkdir empty
t_run --sweep empty
t_says 2 'no captures and no saved reports' 'nothing to sweep'
t_run --sweep
t_says 2 'no run named' 'no run named'
t_run --sweep nosuch
[ $t_status = 2 ] && grep -q 'nosuch: cannot be opened' err &&
	grep -q '^  --sweep takes folders' err
t_ok $? 'a folder that is not there'

# ---- one broken run
cp -r lab bad
chmod -R u+w bad # distcheck has the sources read-only
rm bad/all.json
echo nonsense >bad/64/t2/laptop.pcapng.gz
t_run --sweep bad
[ $t_status = 2 ] && grep -q 'capdiff: run t2: ' err && grep -q 'run t2' out && grep -q 'LOSSY' out
t_ok $? 'a run that fails is said, the other one is reported'

# ---- spread over processors, as in README.md
if parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
	mkdir -p reports
	ls -d lab/64/*/ | parallel --will-cite -j 2 \
		"$CAPDIFF" -qq -o 'reports/{#}.json' '{}hw.*' '{}laptop.*' \
		2>parallel.err
	"$CAPDIFF" --sweep lab -T json >direct
	t_run --sweep reports -T json
	[ "$(ls reports | wc -l)" -eq 2 ] && sed 's,//,/,' out | cmp -s - direct
	t_ok $? 'GNU parallel makes the reports'
else
	t_ok 0 'GNU parallel makes the reports # SKIP no GNU parallel'
fi

# ---- odd folders
mkdir -p odd/a odd/closed
cp "$data/hw.pcapng.gz" "$data/laptop.pcapng.gz" odd/a
"$CAPDIFF" --sweep odd >direct 2>/dev/null
ln -s . odd/round
ln -s .. odd/a/up
ln -s a odd/0
mkfifo odd/a/pipe.pcap odd/a/pipe.json
t_run --sweep odd
[ $t_status = 1 ] && cmp -s out direct
t_ok $? 'links in circles, a second name, pipes'
t_run --sweep odd/a odd odd/0
[ $t_status = 1 ] && grep -q '^1 run' out
t_ok $? 'folders that are named twice'
chmod 0 odd/closed
if [ -r odd/closed ]; then
	t_ok 0 'a folder that cannot be read # SKIP everything can'
else
	t_run --sweep odd -T json
	[ $t_status = 2 ] && grep -q 'odd/closed: cannot be opened' err &&
		grep -q '^  its owner can let it be read' err &&
		grep -q '"laptop.loss.missing"' out
	t_ok $? 'a folder that cannot be read is a run that fails'
fi
chmod 700 odd/closed

# ---- the lab's runs
if [ -d "$CAPDIFF_SHARED/lab" ]; then
	set -- "$CAPDIFF_SHARED"/lab/pktgen_*
	t_run --sweep "$@" -T json
	lost=0
	for run; do
		truth=$(sed -n 's/.*"lost": \([0-9]*\).*/\1/p' "$run/truth.json")
		sed -n "/\"run\": \"${run##*/}\"/,/\"limits\"/p" out |
			grep -q "\"dut.loss.missing\": {\"value\": $truth," ||
			lost=1
	done
	[ $# = 6 ] && [ $lost = 0 ]
	t_ok $? 'losses of six runs are those of their truth'
	t_run --sweep "$@"
	grep -q ' 79,699 dut' out
	t_ok $? 'pktgen_1514_80000 measures 79,699 packets a second'
	tr '\n' ' ' <out | tr -s ' ' | grep -q 'pktgen_64_200000 says 200,000, but its reference measures 110,432 packets a second'
	t_ok $? 'pktgen_64_200000 measures 110,432 and is warned about'
	[ "$(grep -c '^Warning' out)" = 1 ]
	t_ok $? 'the other five are called what they are'
else
	for i in 1 2 3 4; do
		t_ok 0 "the lab's runs # SKIP no $CAPDIFF_SHARED/lab"
	done
fi
t_end
