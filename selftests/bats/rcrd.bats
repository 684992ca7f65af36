#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# rcrd where no module is loaded. With one: guest/rcrd/rcrd.sh.

bats_require_minimum_version 1.5.0
load says

setup() {
	use_built
}

@test "rcrd: --help names the exit statuses, and -h is the same" {
	run rcrd --help
	[ "$status" -eq 0 ]
	[[ "$output" == *"Exit status"* ]]
	[ "$(rcrd -h)" = "$output" ]
}

@test "rcrd: --version is the project's" {
	[ "$(rcrd --version)" = "rcrd $(cat "$TOP/VERSION")" ]
	[ "$(rcrd -V)" = "$(rcrd --version)" ]
}

@test "rcrd: --help and the manual page name the same options" {
	# The page has options of other programs in its text: its own are in OPTIONS.
	sed -n '/^\.SH OPTIONS/,/^\.SH [^O]/p' "$TOP/Documentation/man/rcrd.8" >options
	same_options rcrd options
}

@test "rcrd: a wrong command line is refused, with status 2" {
	says 2 "unknown option '-x'" rcrd -x
	says 2 "unknown option '-x'" rcrd -fx
	says 2 "unknown option '--force'" rcrd --force
	says 2 "unexpected argument 'now'" rcrd -f now
}

@test "rcrd: it is started by root only" {
	[ "$(id -u)" -eq 0 ] || skip "root only"
	says 1 "it must be started by root" setpriv --reuid 65534 --regid 65534 --clear-groups "$(realpath "$TOP")/build/bin/rcrd" -f
}

@test "rcrd: without the module or the user the error names the remedy, and no file is made" {
	sentence="load the module"
	getent passwd rcrtool >/dev/null || sentence="there is no user rcrtool"
	[ "$(id -u)" -eq 0 ] || sentence="it must be started by root"
	before=$(ls -d /run/rcrtool /var/lib/rcrtool 2>&1) || true
	says 1 "$sentence" rcrd -f
	says 1 "$sentence" rcrd
	[ "$before" = "$(ls -d /run/rcrtool /var/lib/rcrtool 2>&1)" ]
}

@test "rcrd: systemd takes the units and the user" {
	mkdir -p root/etc
	systemd-sysusers --root="$PWD/root" "$(realpath "$TOP")/userspace/system/rcrtool.sysusers" 2>/dev/null
	[ "$(grep -c '^rcrtool:' root/etc/passwd)" -eq 1 ]
	[ "$(grep '^rcrtool:' root/etc/passwd | cut -d: -f4)" = "$(grep '^rcrtool:' root/etc/group | cut -d: -f3)" ]
	for unit in rcrtool.service rcrd.service rcrtool-record@.service; do
		sed "s|@S\?BINDIR@|$(realpath "$TOP")/build/bin|g" "$TOP/userspace/system/$unit" >"$unit"
	done
	cp rcrtool-record@.service rcrtool-record@csv.service
	systemd-analyze verify --man=no ./rcrtool.service ./rcrd.service ./rcrtool-record@csv.service 2>err || { cat err; false; }
	[ ! -s err ] || { cat err; false; }
}
