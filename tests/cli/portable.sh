#!/bin/sh
# The sources use C11 and POSIX.1-2008 and nothing else: with a compiler that is
# asked for no more, every function they call is declared.
. "${srcdir:-.}/tests/cli/tap.sh"
: "${top_builddir:=.}"
t_begin
if ! echo 'int main(void) { return 0; }' >"$t_dir/x.c" ||
	! cc -std=c11 -fsyntax-only "$t_dir/x.c" 2>/dev/null; then
	echo '1..0 # SKIP no cc that takes -fsyntax-only'
	exit 0
fi
# What was found, without the extensions that were switched on, and without
# calls that macOS does not have.
grep -E '^#define (HAVE_|PACKAGE|VERSION)' "$top_builddir/config.h" |
	grep -v FADVISE >"$t_dir/config.h"
# libpcap's own headers want these.
pcap='-Du_char=unsigned\ char -Du_short=unsigned\ short -Du_int=unsigned'

compile() { # FILE...
	eval "cc -std=c11 -D_POSIX_C_SOURCE=200809L $pcap \
		$(pkg-config --cflags libpcap jansson libxxhash 2>/dev/null)" \
		'-Werror=implicit-function-declaration -fsyntax-only \
		-I"$t_dir" -I"$srcdir/src" -I"$srcdir/include" "$@"' \
		>"$t_dir/out" 2>"$t_dir/err"
}

cd "$t_dir" || exit 1
for room in "$srcdir"/src/*; do
	compile "$room"/*.c
	t_ok $? "$(basename "$room")"
done
printf '%s\n' '#include <string.h>' 'void *f(void *a);' \
	'void *f(void *a) { return mempcpy(a, "x", 1); }' >"$t_dir/x.c"
! compile "$t_dir/x.c"
t_ok $? 'what only glibc has is found'

# Wishes to Linux, each behind its own #ifdef, stand in one file.
grep -lE 'MADV_|__linux__|/proc/|epoll|inotify|prctl' \
	"$srcdir"/src/*/*.[ch] | grep -v 'src/align/arena.c' >"$t_dir/out"
[ ! -s "$t_dir/out" ]
t_ok $? 'what only Linux has is in one file'
t_end
