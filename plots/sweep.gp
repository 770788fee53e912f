# sweep.gp: heat maps of frame size by load, one per capture point.
# Reads n (maps), title, legend, row[] (their titles), columns, rows, load[],
# size[] (tic labels), and $CELL, a set a map: column, row, class, captured.
# Classes: 0 accurate, 1 complete but inaccurate, 2 lossy, 3 undecided.
shade(k) = k == 0 ? 0x56b4e9 : k == 1 ? 0xf0c068 : k == 2 ? 0xd55e00 : 0xdddddd
array word[4] = ['accurate', 'inaccurate', 'LOSSY', 'undecided']
if (columns > 9) { word[1] = 'ok'; word[2] = 'inacc.'; word[4] = '?' }
small = columns > 16 ? 8 : columns > 12 ? 9 : columns > 9 ? 10 : 11
scale = term eq 'pngcairo' ? 0.75 : 1
what = sprintf('sans-serif,%g', small * scale)
above = term eq 'dumb' ? 1 : 0.45
below = term eq 'dumb' ? 0 : -0.5
set multiplot layout n,1 margins left,right,bottom + 24.0 / height,top \
	spacing 0,gap
set label 2 title at screen 0.02,screen head font big
set xrange [0.5:columns + 0.5]
set yrange [0.5:rows + 0.5]
set ylabel 'frame with FCS (B)'
set xtics ('' 1) scale 0
set ytics ('' 1) scale 0
do for [i = 1:rows] { set ytics add (size[i] i) }
unset grid
array about[4] = ['complete, accurate', 'complete, inaccurate', \
	'packets missing', 'undecided']
do for [k = 0:3] {
	x = left + 0.235 * k
	y = 14.0 / height
	set object k + 1 rectangle size screen 16.0 / width,screen 12.0 / height \
		center screen x + 0.01,screen y \
		fillstyle solid noborder fillcolor rgb shade(k)
	set label k + 10 about[k + 1] at screen x + 0.026,screen y
}
do for [i = 1:n] {
	set label 1 row[i] at graph 0,graph 1 offset 0,lift
	if (i == 2) {
		unset object
		do for [k = 10:13] { unset label k }
		unset label 2
	}
	if (i == n) {
		do for [j = 1:columns] { set xtics add (load[j] j) }
		set xlabel legend
	}
	plot $CELL index (i - 1) using 1:2:($1 - 0.48):($1 + 0.48): \
			($2 - 0.47):($2 + 0.47):(shade($3)) \
			with boxxyerror lc rgb variable fill solid noborder, \
		$CELL index (i - 1) using 1:2:4 with labels \
			font what offset 0,above, \
		$CELL index (i - 1) using 1:2:(word[$3 + 1]) with labels \
			font what offset 0,below
}
unset multiplot
unset output
