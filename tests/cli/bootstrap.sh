#!/bin/sh
# ./bootstrap deps where only dnf, only brew, or nothing of the kind is there:
# what it would install, with programs that only write down how they were called.
. "${srcdir:-.}/tests/cli/tap.sh"
t_begin
mkdir "$t_dir/tree" "$t_dir/bin" || exit 1
cp "$srcdir/bootstrap" "$t_dir/tree/" || exit 1
for tool in sh cat sed dirname env; do
	ln -s "$(command -v $tool)" "$t_dir/bin/$tool"
done

fake() { # NAME STATUS: writes its arguments down
	printf '%s\n' '#!/bin/sh' "echo \"$1 \$*\" >>'$t_dir/calls'" \
		"exit $2" >"$t_dir/bin/$1"
	chmod +x "$t_dir/bin/$1"
}

deps() { # as the user with the id $user
	printf '%s\n' '#!/bin/sh' "echo $user" >"$t_dir/bin/id"
	chmod +x "$t_dir/bin/id"
	: >"$t_dir/calls"
	env -i PATH="$t_dir/bin" "$t_dir/bin/sh" "$t_dir/tree/bootstrap" deps \
		>"$t_dir/out" 2>"$t_dir/err"
	t_status=$?
}

called() { # PATTERN...: each is in the calls
	for pattern; do
		grep -qE -e "$pattern" "$t_dir/calls" || return 1
	done
}

user=1000
deps
t_says 1 'no apt, dnf or brew' 'none of them'

fake pkg-config 1
fake dnf 0
user=0
deps
[ $t_status = 0 ] && called 'install -y autoconf .*gcc make' \
	'pkgconf-pkg-config' 'libpcap-devel zlib-devel jansson-devel' \
	'xxhash-devel' 'criterion-devel' 'libzstd-devel' 'lz4-devel' \
	'isa-l-devel' && ! grep -q '^sudo' "$t_dir/calls"
t_ok $? 'dnf as root'

user=1000
deps
t_says 1 'not root and no sudo; please run: dnf install' 'dnf, no sudo'
fake sudo 0
deps
[ $t_status = 0 ] && called '^sudo dnf install -y autoconf' &&
	! grep -q '^dnf' "$t_dir/calls"
t_ok $? 'dnf with sudo'

rm "$t_dir/bin/dnf" "$t_dir/bin/sudo"
fake brew 0
deps
[ $t_status = 0 ] && called 'brew install autoconf automake pkg-config' \
	'libpcap zlib jansson' 'xxhash criterion' 'install zstd' 'install lz4' \
	'install isa-l' 'brew --prefix libpcap'
t_ok $? 'brew'
fake brew 1
deps
[ $t_status != 0 ]
t_ok $? 'brew fails'

# What brew keeps apart is found: pkg-config is asked with its folders.
printf '%s\n' '#!/bin/sh' '[ "$1" = --prefix ] && echo "/kegs/$2"; exit 0' \
	>"$t_dir/bin/brew"
printf '%s\n' '#!/bin/sh' "echo \"\$PKG_CONFIG_PATH\" >>'$t_dir/calls'" \
	'exit 0' >"$t_dir/bin/pkg-config"
for tool in autoconf automake make cc; do
	fake $tool 0
done
deps
[ $t_status = 0 ] &&
	called '/kegs/zlib/lib/pkgconfig:/kegs/libpcap/lib/pkgconfig:'
t_ok $? 'kegs of brew'
t_end
