#!/bin/sh
# The first screen of the README is what the program really prints, and the
# options it names exist.
. "${srcdir:-.}/tests/cli/tap.sh"
t_begin
cd "$srcdir" || exit 1
awk '/^```/ { inside = !inside; if (seen && !inside) exit; next }
	inside && /^\$ capdiff/ { seen = 1; next }
	inside && seen' README.md >"$t_dir/readme"
command=$(sed -n 's/^\$ capdiff //p' README.md | head -1)
# shellcheck disable=SC2086
"$CAPDIFF" $command >"$t_dir/out" 2>"$t_dir/err"
[ -s "$t_dir/readme" ] && diff "$t_dir/readme" "$t_dir/out" >"$t_dir/diff"
status=$?
sed 's/^/# /' "$t_dir/diff"
t_ok $status 'the output shown is the output printed'

"$CAPDIFF" -h >"$t_dir/help"
# In blocks of commands only what stands behind "capdiff" is capdiff's.
awk '/^```/ { inside = !inside; next }
	!inside { print; next }
	sub(/.*capdiff /, "capdiff ")' README.md >"$t_dir/ours"
for word in $(grep -hoE '(^|[ (`])--?[a-zA-Z][a-z-]*' "$t_dir/ours" |
	grep -oE -e '--?[a-zA-Z][a-z-]*' | sort -u); do
	case $word in -i | -S) continue ;; esac # of autoreconf, of parallel
	grep -qE -e "(^|[ ,])$word([ ,]|\$)" "$t_dir/help"
	t_ok $? "help knows $word"
done
t_end
