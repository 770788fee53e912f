# Writes the gnuplot templates given as arguments as C: an array of lines each,
# cd_plot_NAME for plots/NAME.gp.
function finish() {
	if (name != "")
		print "\tNULL\n};"
}
BEGIN {
	print "/* Made from plots/ by build-aux/embed.awk. */"
	print "#include \"render/plots.h\"\n"
	print "#include <stddef.h>"
}
FNR == 1 {
	finish()
	name = FILENAME
	sub(/.*\//, "", name)
	sub(/\.gp$/, "", name)
	printf "\nconst char *const cd_plot_%s[] = {\n", name
}
{
	gsub(/[\\"]/, "\\\\&")
	gsub(/\t/, "\\t")
	printf "\t\"%s\\n\",\n", $0
}
END { finish() }
