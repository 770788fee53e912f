# Sourced by the shell tests: TAP output, a scratch folder, a run of capdiff.
#   t_begin; …tests…; t_end
: "${CAPDIFF:=./capdiff}" "${srcdir:=.}"
: "${CAPDIFF_SHARED:=$srcdir/../shared}"
srcdir=$(cd "$srcdir" && pwd)

t_count=0

t_begin() {
	t_dir=$(mktemp -d "${TMPDIR:-/tmp}/capdiff.XXXXXX") || exit 1
	trap 'rm -rf "$t_dir"' EXIT
}

t_end() {
	echo "1..$t_count"
}

t_ok() { # STATUS NAME
	t_count=$((t_count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $t_count - $2"
	else
		echo "not ok $t_count - $2"
		sed 's/^/# out: /' "$t_dir/out" 2>/dev/null | head -40
		sed 's/^/# err: /' "$t_dir/err" 2>/dev/null | head -40
	fi
}

# Run capdiff with the arguments; its output is in out and err, status in
# t_status.
t_run() {
	"$CAPDIFF" "$@" >"$t_dir/out" 2>"$t_dir/err" </dev/null
	t_status=$?
}

# t_says STATUS PATTERN NAME: the last run had this status, and its stderr
# matches the extended regular expression.
t_says() {
	if [ "$t_status" = "$1" ] && grep -qE -e "$2" "$t_dir/err"; then
		t_ok 0 "$3"
	else
		echo "# status $t_status, wanted $1 and stderr like: $2"
		t_ok 1 "$3"
	fi
}
