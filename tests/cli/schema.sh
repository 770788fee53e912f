#!/bin/sh
# The JSON report by its schema, with a validator that others wrote.
. "${srcdir:-.}/tests/cli/tap.sh"
: "${CAPSIM:=./capsim}"
schema=$srcdir/src/report/capdiff-report.schema.json
python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null || {
	echo '1..0 # SKIP python3-jsonschema is not installed'
	exit 0
}
t_begin
cd "$t_dir" || exit 1
hw=$srcdir/data/hw.pcapng.gz
laptop=$srcdir/data/laptop.pcapng.gz

report() { # NAME STATUS, arguments: the JSON report of a run
	name=$1 wanted=$2
	shift 2
	t_run -T json "$@"
	if [ "$t_status" = "$wanted" ] && [ -s out ]; then
		cp out "$name.json"
	else
		echo "# status $t_status, wanted $wanted"
		t_ok 1 "$name: a report"
	fi
}

numbered() { # TAP lines without numbers get some
	while IFS= read -r line; do
		case $line in
		'ok - '* | 'not ok - '*)
			t_count=$((t_count + 1))
			echo "${line%% - *} $t_count - ${line#* - }" ;;
		*) echo "$line" ;;
		esac
	done
}

report pair 1 "$hw" "$laptop"
report alone 1 "$laptop"
report without-numbers 1 --stamp none "$laptop"
report pair-without-numbers 1 --stamp none "$hw" "$laptop"
cp "$laptop" again.pcapng.gz
report three 1 "$hw" "$laptop" again.pcapng.gz
report limits 1 --limit 'loss.missing<=0' --limit 'hw.clock.steps<=0' \
	--profile lab --expect 20000 "$hw" "$laptop"

# runs: a good one, a bad one, one that cannot be read
mkdir -p lab/a lab/b lab/c
cp "$hw" "$laptop" lab/a
cp "$hw" lab/b && cp "$hw" lab/b/laptop.pcapng.gz
cp "$hw" lab/c && echo 'no capture' >lab/c/laptop.pcapng
report sweep 2 --sweep lab
report saved 1 --from pair.json
cmp -s pair.json saved.json
t_ok $? 'a saved report is written again as it was'

# what is no proper answer
gzip -dc "$laptop" >whole.pcapng
head -c 100000 whole.pcapng >cut.pcapng
report cut-short 2 "$hw" cut.pcapng
{ head -c 100000 whole.pcapng; echo 'not a block at all, but a text'; } \
	>damaged.pcapng
report damaged 2 "$hw" damaged.pcapng
head -c 28 whole.pcapng >none.pcapng
t_run -T json "$hw" none.pcapng
[ ! -s out ] || cp out nothing.json
"$CAPSIM" -o other - >/dev/null <<EOM
[stream]
rate = 10kpps
packets = 500
first = 900000
size = 200
stamp = iperf2
[point ref]
[point dut]
EOM
report nothing-in-common 2 "$hw" other/dut.pcapng

# a ring set, and a name that is not easily written
mkdir ring
cp "$srcdir/data/hw.pcapng.gz" ring/x_00001_20261130185301.pcapng.gz
cp "$srcdir/data/hw.pcapng.gz" ring/x_00003_20261130185303.pcapng.gz
t_run -T json 'ring/x_*.pcapng.gz'
[ ! -s out ] || cp out ring-set.json
odd=$(printf 'a"b\\c\001\303\244\377.pcapng.gz')
if cp "$laptop" "$odd" 2>/dev/null; then
	report odd-name 1 "$hw" "$odd"
fi

for pair in "$CAPDIFF_SHARED"/lab/*/; do
	[ -d "$pair" ] || continue
	set -- "$pair"ref.* "$pair"dut.*
	t_run -T json "$1" "$2"
	cp out "lab-$(basename "$pair").json"
done

python3 "$srcdir/tests/schema/check.py" "$schema" ./*.json >checked 2>err
t_ok $? 'the checker ran'
numbered <checked
python3 "$srcdir/tests/schema/check.py" "$schema" --broken pair.json \
	>checked 2>err
t_ok $? 'the checker ran on broken reports'
numbered <checked
[ "$(grep -c '^ok - found' checked)" -ge 20 ]
t_ok $? 'mistakes are found'
t_end
