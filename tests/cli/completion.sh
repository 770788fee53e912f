#!/bin/sh
# What the shells offer.
. "${srcdir:-.}/tests/cli/tap.sh"
folder=$srcdir/src/cli/completion
command -v bash >/dev/null || {
	echo '1..0 # SKIP bash is not installed'
	exit 0
}
t_begin
cd "$t_dir" || exit 1
mkdir 'a folder' && : >hw.pcapng && : >'two words.pcapng'

offers() { # WANTED WORDS...: what bash offers for the last word, one a line
	wanted=$1
	shift
	bash -c '. "$0/capdiff.bash"; COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1)); _capdiff
		printf "%s\n" "${COMPREPLY[@]}"' \
		"$folder" capdiff "$@" 2>err | sort | tr '\n' ';' >out
	[ "$(cat out)" = "$wanted" ] && [ ! -s err ]
	t_ok $? "bash: capdiff $*"
}

offers '--limit;--limits;' --limi
offers 'json;junit;' -T j
offers 'json;junit;' --format = j
offers 'csv;html;json;junit;md;tap;text;' --format =
offers 'analysis;lab;monitoring;' -q --profile ''
offers 'a folder;' --charts a
offers 'hw.pcapng;' hw
offers 'two words.pcapng;' hw.pcapng tw
offers 'hw.pcapng;' --strict h
offers 'hw.pcapng;' -o h
offers '--output;' --ou
offers ';' --limit lo

if command -v zsh >/dev/null; then
	zsh -n "$folder/_capdiff" 2>err
	t_ok $? 'zsh: no syntax error'
else
	t_count=$((t_count + 1))
	echo "ok $t_count - zsh: no syntax error # SKIP zsh is not installed"
fi
t_end
