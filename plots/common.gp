# common.gp: terminal and look that all charts share.
# Reads name, width and height (pixels), and wide: are there letters other than
# ASCII (then the C locale would get a warning); term and out may come from
# outside.
reset
if (wide) { set encoding utf8 }
if (!exists("out")) {
	out = term eq 'svg' ? name . '.svg' : \
	      term eq 'pngcairo' ? name . '.png' : ''
}
if (term eq 'svg') {
	set term svg size width,height font 'sans-serif,14' noenhanced \
		background '#ffffff'
} else { if (term eq 'pngcairo') {
	set term pngcairo size width,height font 'sans,10.5' noenhanced \
		background '#ffffff'
} else { if (term eq 'dumb') {
	set term dumb size 79,int(height / 18) noenhanced
} else {
	set term @term noenhanced
} } }
if (out ne '') { set output out }

# The palette podo without its black and yellow, the strongest colours first.
array hue[6] = ['#0072b2', '#d55e00', '#009e73', \
	'#cc79a7', '#e69f00', '#56b4e9']
set style line 100 lc rgb '#dddddd' lw 1 dt 1
set style line 101 lc rgb '#444444' lw 1.5 dt 2
set border 3 lc rgb '#444444'
set tics nomirror scale 0.5 textcolor rgb '#222222'
if (term ne 'dumb') { set grid ls 100 }
unset key
left = 0.105
right = 0.965
bottom = 74.0 / height
top = 1 - 66.0 / height
gap = 40.0 / height
head = 1 - 22.0 / height
lift = term eq 'dumb' ? 1 : 0.7
big = term eq 'svg' ? ',18' : ',14'
