# delta.gp: histograms of the time between packets, one row per capture.
# Reads n (rows), title, legend, row[] (their titles), have[] (anything to
# draw), color[], xmin, xmax (s), ymax, median (s; 0: none), and $DELTA, a set
# a row: low, high (s), packets.
set multiplot layout n,1 margins left,right,bottom,top spacing 0,gap
set label 2 title at screen 0.02,screen head font big
set logscale xy
set xrange [xmin:xmax]
set yrange [0.5:ymax]
set format x ''
set format y '%.0s%c'
set ylabel 'packets'
if (median > 0) {
	set arrow 1 from median,graph 0 to median,graph 1 nohead ls 101 back
}
do for [i = 1:n] {
	set label 1 row[i] at graph 0,graph 1 offset 0,lift
	if (i == 2) { unset label 2 }
	if (i == n) {
		set format x '%.0s%cs'
		set xlabel legend
	}
	if (have[i]) {
		plot $DELTA index (i - 1) \
			using (sqrt($1 * $2)):3:1:2:(0.5):3 with boxxyerror \
			lc rgb hue[color[i]] \
			fill solid border lc rgb hue[color[i]]
	} else {
		plot 1 / 0
	}
}
unset multiplot
unset output
