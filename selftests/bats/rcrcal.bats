#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# rcrcal without a module. Tests with a module are in guest/calibration.

bats_require_minimum_version 1.5.0
load says

setup() {
	use_built
}

@test "--help and the manual page name the same options" {
	same_options rcrcal "$TOP/Documentation/man/rcrcal.8"
}

@test "--version is VERSION" {
	[ "$(rcrcal --version)" = "rcrcal $(cat "$TOP/VERSION")" ]
}

@test "completion, for bash and zsh, has the options of the help" {
	diff <(completed rcrcal --) <(rcrcal --help | grep -oE -- '--[a-z][a-z-]+' | sort -u)
	touch a.calibration
	diff <(completed rcrcal --file a) <(echo a.calibration)
	# Each offered kind is valid.
	for kind in $(completed rcrcal --mix ""); do
		says 1 "nowhere: No such file" rcrcal --restore --file nowhere --mix "$kind"
	done
	zsh=$TOP/userspace/system/completion/_rcrcal
	diff <(grep -oE -- '--[a-z]+ \||--[a-z]+\)' "$zsh" | tr -d ' |)') \
		<(grep -oE -- '--[a-z]+ \||--[a-z]+\)' "$TOP/userspace/system/completion/rcrcal.bash" | tr -d ' |)')
	! command -v zsh >/dev/null || command zsh -n "$zsh"
}

@test "a wrong command line is reported, with status 2" {
	says 2 "unexpected argument 'now'" rcrcal now
	says 2 "--file needs a value" rcrcal --file
	says 2 "invalid --kind 'often': use read" rcrcal --kind read,often
	says 2 "invalid --kind 'machine'" rcrcal --kind machine
	says 2 "invalid --kind ''" rcrcal --kind read,
	says 2 "invalid --steps '5'" rcrcal --steps 5
	says 2 "invalid --steps '1e9'" rcrcal --steps 1e9
	says 2 "invalid --time 'soon'" rcrcal --time soon
	says 2 "invalid --time '20us'" rcrcal --time 20us
	says 2 "invalid --mix 'often'" rcrcal --mix often
	says 2 "invalid --mix 'machine'" rcrcal --restore --mix machine
	says 2 "--restore does not measure: use it only with --file and --mix" rcrcal --restore --steps 12
	says 2 "--restore does not measure: use it only with --file and --mix" rcrcal --restore --kind read
}

@test "missing, invalid and useless files are refused" {
	says 1 "nowhere: No such file" rcrcal --restore --file nowhere
	printf '# nothing\n' >empty
	says 1 "empty contains no calibration" rcrcal --restore --file empty
	says 1 "empty contains no calibration" rcrcal --file empty
	printf 'family x\nmem_bw often maximum 3\nmem_bw read maximum 3\nmem_bw read maximum 4\n' >garbled
	for restore in "" --restore; do
		run -1 rcrcal $restore --file garbled
		[ "${lines[0]}" = "garbled:2: invalid kind 'often': use read, write, copy, random or machine" ]
		[ "${lines[1]}" = 'garbled:4: mem_bw read is already in an earlier line' ]
		[ "${lines[2]}" = 'rcrcal: garbled: 2 invalid lines, nothing was changed: correct or remove it' ]
	done
	head -c 5000 "$TOP/build/bin/rcrcal" >junk
	run -1 rcrcal --restore --file junk
	[[ "$output" == *"this is not a text"*"nothing was changed"* ]]
	says 1 "Is a directory" rcrcal --restore --file .
	printf 'family x\nmem_bw read maximum 3\n' >secret
	chmod 0 secret
	if [ "$(id -u)" -eq 0 ]; then
		says 1 "secret: Permission denied" \
			setpriv --reuid 65534 --regid 65534 --clear-groups "$(command -v rcrcal)" --restore --file secret
	else
		says 1 "secret: Permission denied" rcrcal --restore --file secret
	fi
}

@test "rcrcal without the module leaves no file" {
	says 1 "rcrtool is not loaded: load it" rcrcal --file a.calibration
	printf 'family x\nmem_bw read maximum 3\n' >b.calibration
	says 1 "rcrtool is not loaded: load it" rcrcal --restore --file b.calibration
	says 1 "rcrtool is not loaded: load it" rcrcal --restore --mix read --file b.calibration
	[ "$(ls)" = "$(printf '%s\n' b.calibration err out)" ]
}
