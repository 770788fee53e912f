#!/bin/sh
# The include rules of the rooms (HACKING.md), and that the check can fail.
: "${srcdir:=.}"
echo 1..2
if bad=$(awk -f "$srcdir/build-aux/rooms.awk" "$srcdir"/src/*/*.[ch]); then
	echo "ok 1 - every room includes only what it may"
else
	echo "$bad" | sed 's/^/# /'
	echo "not ok 1 - every room includes only what it may"
fi
dir=$(mktemp -d) || exit 1
mkdir "$dir/stat"
echo '#include "frame/frame.h"' >"$dir/stat/x.c"
if awk -f "$srcdir/build-aux/rooms.awk" "$dir/stat/x.c" >/dev/null; then
	echo "not ok 2 - a forbidden include is found"
else
	echo "ok 2 - a forbidden include is found"
fi
rm -r "$dir"
