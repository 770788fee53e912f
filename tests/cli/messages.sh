#!/bin/sh
# The messages for people and their exit statuses.
. "${srcdir:-.}/tests/cli/tap.sh"
t_begin
data=$srcdir/data
hw=$data/hw.pcapng.gz
laptop=$data/laptop.pcapng.gz
cd "$t_dir" || exit 1
gzip -dc "$hw" >hw.pcapng
gzip -dc "$laptop" >laptop.pcapng

t_run
t_says 2 'capdiff hw.pcapng laptop.pcapng' 'no arguments: what it is'
t_run -h
[ $t_status = 0 ] && [ "$(wc -l <out)" -le 50 ] && ! grep -q '.\{81\}' out
t_ok $? 'help fits a screen and 80 columns'
t_run -V
[ $t_status = 0 ] && grep -q libpcap out
t_ok $? 'version with libraries'

# 1-4: files that cannot be read
t_run hw.pcapng nosuch.pcapng
t_says 2 'nosuch.pcapng: no such file' 'no such file'
cp "$laptop" packed.pcapng.gz
t_run hw.pcapng packed.pcapng
t_says 2 'packed.pcapng.gz' 'no such file: the .gz beside it is offered'
mkdir folder
t_run hw.pcapng folder
t_says 2 'folder: is a folder' 'a folder'
grep -q 'capdiff --sweep FOLDER' err
t_ok $? 'a folder: the sweep is offered'
: >empty.pcap
t_run hw.pcapng empty.pcap
t_says 2 'empty.pcap: .*empty' 'an empty file'
head -c 24 /dev/zero | LC_ALL=C tr '\0' 'x' >text.pcap
t_run hw.pcapng text.pcap
t_says 2 'text.pcap: is no capture' 'not a capture file'
printf '\324\303\262\241\002\0\004\0\0\0\0\0\0\0\0\0\0\0\004\0\001\0\0\0' \
	>header.pcap
t_run hw.pcapng header.pcap
t_says 2 'header.pcap: .*(no packet|header only|only a header)' 'header only'
chmod 000 header.pcap
if [ "$(id -u)" != 0 ]; then
	t_run hw.pcapng header.pcap
	t_says 2 'header.pcap: .*(ermission|not be)' 'no permission'
fi

# 5, 6: cut short and damaged
size=$(wc -c <laptop.pcapng)
head -c $((size - 300)) laptop.pcapng >cut.pcapng
t_run hw.pcapng cut.pcapng
t_says 2 'cut.pcapng: cut short after packet [0-9]+:.* byte [0-9]+' \
	'cut short: where'
grep -q '^  .*--allow-truncated' err
t_ok $? 'cut short: what to do'
grep -q 'Missing' out
t_ok $? 'cut short: the rest is analysed'
t_run --allow-truncated hw.pcapng cut.pcapng
[ $t_status != 2 ]
t_ok $? 'cut short: accepted when asked'
head -c 100000 laptop.pcapng >damaged.pcapng
head -c 5000 /dev/zero >>damaged.pcapng
t_run --allow-truncated hw.pcapng damaged.pcapng
t_says 2 'damaged.pcapng: ' 'damaged: never accepted'
head -c 60000 "$laptop" >cut.pcapng.gz
t_run hw.pcapng cut.pcapng.gz
t_says 2 'cut.pcapng.gz: ' 'compressed file cut short'

# 10: the same thing twice
t_run hw.pcapng hw.pcapng
t_says 2 'the same capture is given twice' 'the same capture twice'
ln hw.pcapng link.pcapng
t_run hw.pcapng link.pcapng
t_says 2 'the same capture is given twice' 'the same capture by another name'
t_run - -
t_says 2 'standard input is given twice' 'standard input twice'

# 13: names that do not exist
t_run --stmap pktgen hw.pcapng laptop.pcapng
t_says 2 'did you mean --stamp' 'unknown option: the nearest'
t_run --stamp pktgn hw.pcapng laptop.pcapng
t_says 2 'pktgen' 'unknown stamp: the nearest'
t_run --limit 'loss.mising<=0' hw.pcapng laptop.pcapng
t_says 2 'loss.missing' 'unknown limit key: the nearest'
printf '# fine\nloss.missing<=0\nlos.ratio<1%%\n' >limits
t_run --limits limits hw.pcapng laptop.pcapng
t_says 2 'limits:3: ' 'unknown limit key in a file: its line'
t_run --profile labs hw.pcapng laptop.pcapng
t_says 2 'lab' 'unknown profile'
t_run -T jsn hw.pcapng laptop.pcapng
t_says 2 'json' 'unknown format'
t_run -f 'udp prt 5' hw.pcapng laptop.pcapng
t_says 2 'capdiff: ' 'a filter that does not compile'
t_run -c 0 hw.pcapng laptop.pcapng
t_says 2 '-c cannot be' 'no packets at all'
t_run -c
t_says 2 '-c needs a value' 'a value is wanted'
t_run -r nosuch hw.pcapng laptop.pcapng
t_says 2 'nosuch' 'a reference that is not there'
t_run -r laptop -T csv hw.pcapng laptop.pcapng
grep -q '"laptop",reference' out
t_ok $? 'a reference named by the label it has by default'

# 14: compression that is not built in
printf '\3757zXZ\0\0\4' >x.pcap.xz
t_run hw.pcapng x.pcap.xz
t_says 2 'xz -dc' 'a compression that is not built in'

# 15: outputs
cp hw.pcapng in.json
t_run in.json laptop.pcapng -o in.json
t_says 2 'the output is one of the inputs' 'an output that is an input'
cmp -s hw.pcapng in.json
t_ok $? 'the input is as it was'
t_run hw.pcapng laptop.pcapng -o new.json -o ./new.json
t_says 2 './new.json: is given as output twice' 'an output given twice'
[ ! -e new.json ]
t_ok $? 'nothing is written then'
mkdir -p there
t_run -qq hw.pcapng laptop.pcapng -o new.json -o there/new.json
[ $t_status = 1 ] && cmp -s new.json there/new.json
t_ok $? 'outputs of one name in two folders'
for words in '--from new.json' '--sweep new.json' \
	'--baseline new.json hw.pcapng laptop.pcapng'; do
	# shellcheck disable=SC2086
	t_run $words -o ./new.json
	t_says 2 'the output is one of the inputs' "a report is kept: $words"
done
t_run hw.pcapng laptop.pcapng -o nosuchdir/x.json
t_says 2 'nosuchdir/x.json: cannot be written' 'a folder that is not there'
t_run hw.pcapng laptop.pcapng -o x.doc
t_says 2 'x.doc: the suffix' 'an unknown suffix'
if [ -w /dev/full ]; then
	"$CAPDIFF" hw.pcapng laptop.pcapng >/dev/full 2>err
	t_status=$?
	t_says 2 'standard output cannot be written' 'a full disk'
fi

"$CAPDIFF" hw.pcapng laptop.pcapng -o closed.json >&- 2>err
t_status=$?
t_says 2 'standard output cannot be written' 'closed standard output'
grep -q '"schema"' closed.json
t_ok $? 'what goes to a file is written all the same'
rm -f closed.json
"$CAPDIFF" hw.pcapng laptop.pcapng -qq -o closed.json >&- 2>&-
[ $? = 1 ] && ! grep -q '^capdiff: ' closed.json
t_ok $? 'nothing but the report in an output'
"$CAPDIFF" hw.pcapng - <&- >out 2>err
t_status=$?
t_says 2 '^capdiff: -: ' 'closed standard input is no capture'

# 7, 8: captures that cannot be compared
t_run -f 'tcp' hw.pcapng laptop.pcapng
[ $t_status = 2 ]
t_ok $? 'nothing left after the filter is never a pass'

"${CAPSIM:-capsim}" -o other "$srcdir/tests/scenarios/v01-identical.sim" \
	-s 7 -n 2000 >/dev/null
"${CAPSIM:-capsim}" -o trial "$srcdir/tests/scenarios/v01-identical.sim" \
	-s 8 -n 2000 epoch=2001-01-01T00:00:00Z >/dev/null
t_run hw.pcapng other/dut.pcapng
t_says 2 'no (packet|stream) in common|no common' 'two different runs'
grep -q '^  ' err
t_ok $? 'with a line that says what to do'
t_run other/ref.pcapng trial/dut.pcapng
t_says 2 'same numbers' 'two trials with the same numbers'
"${CAPSIM:-capsim}" -o noisy "$srcdir/tests/scenarios/v01-identical.sim" \
	-s 9 -n 5000 epoch=2001-01-01T00:00:00Z \
	'ref.noise=exponential 50us' dut.ppm=30 >/dev/null
"${CAPSIM:-capsim}" -o quiet "$srcdir/tests/scenarios/v01-identical.sim" \
	-s 8 -n 5000 >/dev/null
t_run noisy/ref.pcapng noisy/dut.pcapng
cat out err | grep -q 'roles swapped'
t_ok $? 'a noisy reference: roles swapped?'
t_run noisy/ref.pcapng quiet/dut.pcapng
t_says 2 'same numbers' 'two trials, of which one is noisy'
! cat out err | grep -qE 'roles swapped|drift of'
t_ok $? 'two trials: nothing is said of their clocks'
t_run -T json other/ref.pcapng trial/dut.pcapng
grep -q '"schema": *"capdiff-report/1"' out
t_ok $? 'two trials: an object is written all the same'
"${CAPSIM:-capsim}" -o cut "$srcdir/tests/scenarios/v01-identical.sim" \
	-n 2000 dut.snaplen=44 >/dev/null
t_run cut/ref.pcapng cut/dut.pcapng
t_says 2 'cut before the sequence number' 'all packets cut before the number'
grep -qE 'at least [0-9]+ bytes' err
t_ok $? 'how many bytes are needed'

"${CAPSIM:-capsim}" -n 200 -o halves - >/dev/null <<EOF
[stream]
rate = 1kpps
[point first]
tail = 100
run_times = no
[point second]
head = 100
run_times = no
EOF
t_run halves/first.pcapng halves/second.pcapng
t_says 2 'second.pcapng: no packet in common' 'no packet in common'
[ "$(grep -c 'no packet in common' err)" = 1 ]
t_ok $? 'no packet in common: said once'
grep -q '^  captures of two different runs' err
t_ok $? 'no packet in common: a hint'

t_run --guard 1000s hw.pcapng laptop.pcapng
t_says 2 '^  perhaps --guard leaves nothing' 'a guard that leaves nothing'
t_run --expect 0 hw.pcapng
t_says 2 "--expect cannot be '0'" 'nothing was sent'
esc=$(printf '\033')
t_run hw.pcapng "no${esc}such.pcapng"
t_says 2 'no.x1bsuch.pcapng: no such file' 'control characters in a name'
t_run "red$esc[31m=hw.pcapng" laptop.pcapng
t_says 2 'cannot be a label' 'control characters in a label'
t_run --stamp none hw.pcapng laptop.pcapng
[ $t_status = 1 ] && grep -q 'carry no numbers' out &&
	! grep -q 'numbers in common' out
t_ok $? 'a pair without numbers: said as it is'

# a capture without numbers, alone
t_run --stamp none hw.pcapng
[ $t_status = 1 ] && grep -q '^Delta  *median  *[0-9]' out &&
	! grep -q 'packets with numbers' out
t_ok $? 'without numbers: deltas, and no word of numbers'

# and the run that is right
t_run hw.pcapng laptop.pcapng
[ $t_status = 1 ] && grep -q 'NOT COMPLETE' out && [ ! -s err ]
t_ok $? 'a pair that differs: status 1, nothing on stderr'
! grep -q '.\{81\}' out
t_ok $? 'no line is longer than 80 columns'
t_run -q hw.pcapng laptop.pcapng
[ $t_status = 1 ] && [ "$(wc -l <out)" = 1 ]
t_ok $? '-q: the verdict line'
t_run -qq hw.pcapng laptop.pcapng
[ $t_status = 1 ] && [ ! -s out ] && [ ! -s err ]
t_ok $? '-qq: nothing'
t_run --limit 'loss.missing<=100000' hw.pcapng laptop.pcapng
[ $t_status = 1 ]
t_ok $? 'a limit that holds does not make a verdict better'
t_end
