# offset.gp: offset between two clocks over time, one row per capture.
# Reads n (rows), title, unit, row[] (their titles), color[], xmin, xmax (s),
# ymin[], ymax[] (unit), steps (how many), step_row[], step_at[] (s), and
# $OFFSET, a set a row: time (s), least, median, most, fitted line (unit).
set multiplot layout n,1 margins left,right,bottom,top spacing 0,gap
set label 2 title at screen 0.02,screen head font big
set xrange [xmin:xmax]
set format x ''
set ylabel 'offset (' . unit . ')'
set style fill solid 0.3 noborder
do for [i = 1:n] {
	set label 1 row[i] at graph 0,graph 1 offset 0,lift
	set yrange [ymin[i]:ymax[i]]
	if (i == 2) { unset label 2 }
	if (i == n) {
		set format x '%g'
		set xlabel 'time (s); band: least to most, line: median, ' . \
			'dashed: fitted line'
	}
	do for [j = 1:steps] {
		if (step_row[j] == i) {
			set arrow from step_at[j],graph 0 \
				to step_at[j],graph 1 nohead front \
				lc rgb '#444444' lw 1.5 dt 3
		}
	}
	plot $OFFSET index (i - 1) using 1:2:4 with filledcurves \
		lc rgb hue[color[i]], \
		$OFFSET index (i - 1) using 1:3 with lines lc rgb hue[color[i]], \
		$OFFSET index (i - 1) using 1:5 with lines lc rgb '#222222' \
		lw 1.5 dt 2
	unset arrow
}
unset multiplot
unset output
