# bash completion for capdiff(1)

_capdiff_options='
	-r --reference --set -f --filter --stamp -c --count --expect
	--ignore-addresses --guard --ts-unit --fcs --link-rate
	--profile --limit --limits --loss-ratio --strict --clock --ref-accuracy
	--estimator --force-skew --clocks-synchronised --universe
	--allow-truncated
	-T --format -o --output --interval --charts --sweep --from --baseline
	-w --write-marked --write-missing --for --packets -q --quiet -v --verbose --color
	-j --jobs -V --version -h --help'

_capdiff_words() { # LIST WORD
	local IFS=$' \t\n'

	COMPREPLY=($(compgen -W "$1" -- "$2"))
}

# What an option takes: words, files, a folder, or something only the user
# knows. Fails for options that take nothing.
_capdiff_value() { # OPTION WORD
	case $1 in
	-T | --format)
		_capdiff_words 'text json csv html md junit tap' "$2" ;;
	--profile)
		_capdiff_words 'monitoring analysis lab' "$2" ;;
	--stamp)
		_capdiff_words 'auto pktgen iperf2 iperf3 mgen
			sockperf ditg rtp ping none field' "$2" ;;
	--estimator)
		_capdiff_words 'bqts ols hull' "$2" ;;
	--universe)
		_capdiff_words 'reference union' "$2" ;;
	--color)
		_capdiff_words 'auto always never' "$2" ;;
	--fcs)
		_capdiff_words '0 4' "$2" ;;
	--charts)
		COMPREPLY=($(compgen -d -- "$2")) ;;
	-r | --reference | -o | --output | --limits | -w | --write-marked | \
		--write-missing | --packets | --from | --baseline)
		COMPREPLY=($(compgen -f -- "$2")) ;;
	-f | --filter | -c | --count | -j | --jobs | --set | --expect | \
		--guard | --ts-unit | --link-rate | --limit | --loss-ratio | \
		--ref-accuracy | --for)
		COMPREPLY=() ;;
	*)
		return 1 ;;
	esac
}

_capdiff() {
	local IFS=$'\n' # names may hold blanks
	local word=${COMP_WORDS[COMP_CWORD]} at=$((COMP_CWORD - 1))

	# "--format=js" comes as three words, "--format=" as two
	if [[ $word == = ]]; then
		word=
	elif [[ ${COMP_WORDS[at]} == = ]]; then
		at=$((at - 1))
	fi
	if ((at > 0)) && _capdiff_value "${COMP_WORDS[at]}" "$word"; then
		return
	fi
	if [[ $word == -* ]]; then
		_capdiff_words "$_capdiff_options" "$word"
	else
		COMPREPLY=($(compgen -f -- "$word"))
	fi
}

complete -o filenames -F _capdiff capdiff
