# error.gp: share of packets whose time stamp error is larger than x.
# Reads title, n (captures), item[] (their names), color[], xmin, xmax (s),
# ymin, and $ERROR, a set a capture: error (s), share. The lines: lines (how
# many), line[] (their names), line_color[] and $LINE: x (s), y.
set label 2 title at screen 0.02,screen head font big
set logscale xy
set xrange [xmin:xmax]
set yrange [ymin:1.2]
set format x '%.0s%cs'
set xlabel 'error; left: percentile, by the share of packets with a larger one'
set ytics ('all' 1, 'p90' 0.1, 'p99' 0.01, 'p99.9' 1e-3, 'p99.99' 1e-4, \
	'p99.999' 1e-5, 'p99.9999' 1e-6, 'p99.99999' 1e-7, 'p99.999999' 1e-8)
set key at screen 0.5,screen 8.0 / height bottom center vertical \
	maxcols 1 Left reverse noautotitle
set lmargin at screen left + 0.03
set rmargin at screen right
set bmargin at screen (84.0 + (term eq 'svg' ? 21 : 17) * (n + lines)) / height
set tmargin at screen 1 - 44.0 / height
plot for [i = 1:n] $ERROR index (i - 1) using 1:2 with steps \
	lc rgb hue[color[i]] lw 2.5 dt 1 + (i - 1) % 4 title item[i], \
	for [i = 1:lines] $LINE index (i - 1) using 1:2 with lines \
	lc rgb line_color[i] lw 1.5 dt 2 + i title line[i]
unset output
