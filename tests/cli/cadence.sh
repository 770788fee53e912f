#!/bin/sh
# A capture alone against an ideal cadence (METRICS 6.1): only streams that were
# sent at a constant rate have one, whatever the capture made of it.
. "${srcdir:-.}/tests/cli/tap.sh"
: "${CAPSIM:=./capsim}"
t_begin
cd "$t_dir" || exit 1

simulate() { # STREAM-LINE POINT-LINE...: the capture is alone/dut.pcapng
	{
		printf '%s\n' '[stream]' 'packets = 20000' "$1"
		shift
		printf '%s\n' '[point dut]' "$@"
	} >alone.sim
	"$CAPSIM" -o alone alone.sim >/dev/null 2>err || { cat err; exit 1; }
}

value() { # KEY: its value, or the reason why it has none
	t_run -T json alone/dut.pcapng
	tr -d '\n' <out | sed 's/"values":/\n/' | sed -n 2p |
		sed -n "s/.*\"dut.$1\": *{ *\"value\": *\([^}]*\).*/\1/p" |
		sed 's/^null, *"reason": *"\([^"]*\)".*/\1/; s/,.*//'
}

even() { # NAME LEAST MOST: an interval of 50 us, a span between those (ns)
	interval=$(value cadence.interval_ns)
	span=$(value cadence.span_ns)
	awk -v i="$interval" -v s="$span" -v least="$2" -v most="$3" 'BEGIN {
		exit !(i + 0 >= 49999 && i + 0 <= 50001 && s != "not_cbr" &&
			s + 0 >= least && s + 0 <= most) }'
	t_ok $? "$1: $interval, $span"
}

uneven() { # NAME
	for key in interval_ns span_ns max_ns wander_ns; do
		[ "$(value cadence.$key)" = not_cbr ] || break
	done
	[ "$(value cadence.$key)" = not_cbr ]
	t_ok $? "$1"
}

rate='rate = 20kpps'
simulate "$rate"
even 'constant rate' 0 0
simulate "$rate" 'noise = exponential 5us'
even 'noise of the capture' 30000 40000
simulate "$rate" 'coalesce = timer 125us'
even 'batches made by the capture' 100000 126000
simulate "$rate" 'coalesce = timer 1ms' 'cost = 1500ns'
even 'batches with some time between their packets' 900000 1100000
simulate "$rate" 'loss = 20%'
even 'a fifth lost' 0 0
simulate "$rate
size = imix"
even 'frames of any size at a constant rate' 0 0
simulate 'load = 100%'
[ "$(value cadence.interval_ns)" = 672 ]
t_ok $? 'back to back from end to end is constant'

simulate "$rate
arrivals = poisson"
uneven 'Poisson'
simulate 'load = 20%
size = imix'
uneven 'frames of any size at a constant bit rate'
for burst in 2 3 8 32 64 250; do
	simulate "$rate
arrivals = bursts
burst = $burst"
	uneven "bursts of $burst"
done
simulate "$rate
size = 1518
arrivals = bursts
burst = 16" 'resolution = us'
uneven 'bursts of long frames, stamped in us'
t_end
