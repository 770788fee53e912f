# Which room may include which: the table of HACKING.md, checked.
# Reads the sources given as arguments; prints one line per violation.
BEGIN {
	may["base"] = "base"
	may["stat"] = "base stat"
	may["input"] = "base input"
	may["frame"] = "base frame"
	may["report"] = "base report"
	may["capture"] = "base input capture"
	may["stamp"] = "base frame stamp"
	may["align"] = "base capture input frame stamp align"
	may["metric"] = "base stat align report metric capture input frame stamp"
	may["verdict"] = "base report verdict"
	may["sweep"] = "base stat report verdict sweep"
	may["render"] = "base report render"
	may["extract"] = "base input capture frame stamp align report extract"
	may["sim"] = "base capture sim"
	may["run"] = "base stat input capture frame stamp align report metric verdict sweep render extract run"
	may["cli"] = may["run"] " cli"
}
FNR == 1 {
	n = split(FILENAME, part, "/")
	room = part[n - 1]
	if (!(room in may)) {
		printf "%s: no room called %s\n", FILENAME, room
		bad = 1
	}
}
/^#[ \t]*include[ \t]*"/ {
	file = $0
	sub(/^[^"]*"/, "", file)
	sub(/".*/, "", file)
	if (file == "config.h" || file ~ /^capdiff\//)
		next
	if (split(file, part, "/") < 2) {
		printf "%s:%d: include by room, not \"%s\"\n", FILENAME, FNR, file
		bad = 1
		next
	}
	if ((" " may[room] " ") !~ (" " part[1] " ")) {
		printf "%s:%d: %s may not include %s\n", FILENAME, FNR, room, file
		bad = 1
	}
}
END { exit bad }
