#!/bin/sh
# The seeds of each fuzzing program, through it.
. "${srcdir:-.}/tests/cli/tap.sh"
: "${CAPSIM:=./capsim}" "${top_builddir:=.}"
t_begin

export CAPDIFF CAPSIM srcdir
sh "$srcdir/tests/fuzz/seeds.sh" \
	"$t_dir/seeds" >"$t_dir/out" 2>"$t_dir/err"
t_ok $? 'seeds are made'
cd "$t_dir" || exit 1 # for what a command line names
for folder in seeds/*; do
	program=$(basename "$folder")
	"$top_builddir/tests/fuzz/$program" "$folder"/* >out 2>err </dev/null
	t_ok $? "$program: $(find "$folder" -type f | wc -l) seeds"
done
t_end
