#!/bin/sh
# --charts: scripts and pictures in a folder.
. "${srcdir:-.}/tests/cli/tap.sh"
t_begin
data=$srcdir/data
hw=$data/hw.pcapng.gz
laptop=$data/laptop.pcapng.gz
cd "$t_dir" || exit 1

# ---- without gnuplot -----------------------------------------------------

mkdir bin
PATH_WITH=$PATH
PATH=$t_dir/bin
"$CAPDIFF" "$hw" "$laptop" --charts none >out 2>err
t_status=$?
PATH=$PATH_WITH
[ $t_status = 1 ]
t_ok $? 'no gnuplot in PATH: the exit status is that of the verdict'
t_says 1 'gnuplot was not found: scripts written, no pictures' \
	'no gnuplot in PATH: said'
[ -d none ] && ! ls none/*.svg >/dev/null 2>&1
t_ok $? 'no gnuplot in PATH: no pictures'

PATH=$t_dir/bin
"$CAPDIFF" "$hw" "$laptop" --charts none -q >out 2>err
PATH=$PATH_WITH
[ ! -s err ]
t_ok $? 'no gnuplot in PATH: not said with -q'

# ---- folders -------------------------------------------------------------

t_run "$hw" "$laptop" --charts no/such
t_says 2 'no/such: the folder cannot be made: ' 'the folder above is not there'
: >file
t_run "$hw" "$laptop" --charts file
t_says 2 'file: is not a folder' 'a file for a folder'
[ ! -s out ]
t_ok $? 'a file for a folder: said before the run'

mkdir mixed
gzip -dc "$laptop" >mixed/delta.svg
t_run "$hw" mixed/delta.svg --charts mixed
t_says 2 'mixed/delta.svg: the output is one of the inputs' \
	'a picture that is an input'
gzip -dc "$laptop" | cmp - mixed/delta.svg >out 2>&1
t_ok $? 'a picture that is an input: as it was'

# ---- scripts that somebody edited ----------------------------------------

mkdir mine
echo 'plot x' >mine/error.gp
t_run "$hw" "$laptop" --charts mine
t_says 2 'mine/error.gp: was edited, or is no chart of capdiff' \
	'a script that is not ours'
grep -q '^  rename or remove it' err && [ "$(cat mine/error.gp)" = 'plot x' ]
t_ok $? 'a script that is not ours: what to do, and still there'
[ "$(ls mine)" = error.gp ]
t_ok $? 'a script that is not ours: nothing else is written'
t_end
