# loss.gp: gaps over time, one row per capture, and duplicates as a rug.
# Reads n (rows), title, legend, row[] (their titles), gaps[], copies[]
# (anything to draw), color[], xmin, xmax (s), ymax, and with a set a row
# $GAP: time (s), packets; $COPY: time (s).
set multiplot layout n,1 margins left,right,bottom,top spacing 0,gap
set label 2 title at screen 0.02,screen head font big
set logscale y
set xrange [xmin:xmax]
set yrange [0.35:ymax]
set format x ''
set format y '%.0s%c'
set ylabel 'packets in the gap'
do for [i = 1:n] {
	set label 1 row[i] at graph 0,graph 1 offset 0,lift
	if (i == 2) { unset label 2 }
	if (i == n) {
		set format x '%g'
		set xlabel legend
	}
	if (gaps[i] && copies[i]) {
		plot $GAP index (i - 1) using 1:(0.5):(0):($2 - 0.5) \
			with vectors nohead lc rgb hue[color[i]] lw 1.5, \
			$COPY index (i - 1) using 1:(0.36):(0):(0.1) \
			with vectors nohead lc rgb '#222222' lw 1
	} else { if (gaps[i]) {
		plot $GAP index (i - 1) using 1:(0.5):(0):($2 - 0.5) \
			with vectors nohead lc rgb hue[color[i]] lw 1.5
	} else { if (copies[i]) {
		plot $COPY index (i - 1) using 1:(0.36):(0):(0.1) \
			with vectors nohead lc rgb '#222222' lw 1
	} else {
		plot 1 / 0
	} } }
}
unset multiplot
unset output
