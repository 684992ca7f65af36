#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# The top Makefile, and rules for the whole tree.

setup() {
	TOP=$BATS_TEST_DIRNAME/../..
	cd "$TOP"
}

@test "make help lists every target that the README mentions" {
	run make help
	[ "$status" -eq 0 ]
	for target in $(grep -oE 'make [a-z-]+' README.md | cut -d' ' -f2 | sort -u); do
		[[ "$output" == *" $target "* ]]
	done
}

@test "make for a kernel without headers reports what to install" {
	run make modules KVER=0.0-none
	[ "$status" -ne 0 ]
	[[ "$output" == *"no kernel headers in /lib/modules/0.0-none/build"* ]]
}

@test "the module's version, licence and parameters" {
	ko=build/$(make -s print-kver)/rcrtool.ko
	[ "$(/sbin/modinfo -F version "$ko")" = "$(cat VERSION)" ]
	[ "$(/sbin/modinfo -F license "$ko")" = GPL ]
	[ "$(/sbin/modinfo -F parm "$ko" | sed 's/:.*//' | sort | tr '\n' ' ')" = \
		"budget_ppm cpus energy_period_us idle offset_us period_us ring_records slow_period_us source spare " ]
}

@test "DKMS knows the module by the same version" {
	# dkms.conf is a shell script to be sourced
	[ "$(. ./dkms.conf && echo "$PACKAGE_NAME $PACKAGE_VERSION")" = "rcrtool $(cat VERSION)" ]
	run grep -E '^(CLEAN|REMAKE_INITRD|MODULES_CONF)' dkms.conf
	[ "$status" -eq 1 ]
	kernels=$(. ./dkms.conf && echo "$BUILD_EXCLUSIVE_KERNEL")
	for kernel in 6.1.0-9-amd64 6.12.9-amd64 7.0.1; do
		[[ $kernel =~ $kernels ]]
	done
	for kernel in 5.10.0-9-amd64 6.0.0-1-amd64 4.19.0; do
		[[ ! $kernel =~ $kernels ]]
	done
}

@test "make uninstall removes everything that make install has installed" {
	root=$BATS_TEST_TMPDIR/root
	make -s install DESTDIR="$root"
	[ -x "$root/usr/local/bin/rcrstat" ]
	[ -f "$root/lib/modules/$(make -s print-kver)/updates/rcrtool.ko" ]
	make -s uninstall DESTDIR="$root"
	[ -z "$(find "$root" ! -type d)" ]
}

@test "make install does not build: without a build it reports what to do" {
	run make -s install O="$BATS_TEST_TMPDIR/none" DESTDIR="$BATS_TEST_TMPDIR/root"
	[ "$status" -ne 0 ]
	[[ $output == *"run 'make' first"* ]]
	[ ! -e "$BATS_TEST_TMPDIR/root" ]
}

@test "every source names its licence" {
	git ls-files -z -- '*.c' '*.h' '*.sh' '*.bats' '*.py' Makefile '*/Makefile' Kbuild dkms.conf .ci/run |
		xargs -0 awk 'FNR == 1 { files++ }
			FNR <= 2 && /SPDX-License-Identifier: / { delete missing[FILENAME]; found[FILENAME] }
			FNR == 1 && !(FILENAME in found) { missing[FILENAME] }
			END { for (file in missing) { print file; bad = 1 }; exit bad || files < 500 }'
}

@test "no #if in a .c file of the module" {
	run grep -nE '^[[:space:]]*#[[:space:]]*(if|ifdef|ifndef)' $(git ls-files 'kmod/*.c')
	[ "$status" -eq 1 ]
}

@test "the contract compiles alone, as C90, in 32 and 64 bits" {
	for bits in 32 64; do
		for header in rcrreason rcrtool rcrboard; do
			gcc -m$bits -std=c90 -Wall -Wextra -Werror -Iuapi -fsyntax-only -x c uapi/linux/$header.h
		done
	done
}

@test "a program can be linked with librcr, as C and with the shared library" {
	cat >"$BATS_TEST_TMPDIR/t.c" <<-'EOF'
		#include <rcr.h>
		int main(void) { return rcr_open("/nonexistent") != 0; }
	EOF
	for lib in librcr.a librcr.so; do
		gcc -Iuapi -Iuserspace/librcr "$BATS_TEST_TMPDIR/t.c" build/lib/$lib \
			-Wl,-rpath,"$PWD/build/lib" -o "$BATS_TEST_TMPDIR/t"
		"$BATS_TEST_TMPDIR/t"
	done
}

@test "librcr.so can be loaded by dlopen(), and closed while a thread that has used it still runs" {
	cat >"$BATS_TEST_TMPDIR/t.c" <<-'EOF'
		#include <dlfcn.h>
		#include <pthread.h>
		#include <stdbool.h>
		#include <stdint.h>
		#include <stdio.h>
		static void *library;
		static void *start_and_close(void *unused)
		{
			bool (*start)(int, uint64_t) = dlsym(library, "RCRStartThread");
			return start && start(1, 1) && !dlclose(library) ? &library : unused;
		}
		int main(int argc, char **argv)
		{
			pthread_t thread;
			void *ok = NULL;
			library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
			if (!library || pthread_create(&thread, NULL, start_and_close, NULL))
				return !!puts(dlerror());
			return pthread_join(thread, &ok) || !ok;
		}
	EOF
	gcc "$BATS_TEST_TMPDIR/t.c" -pthread -o "$BATS_TEST_TMPDIR/t"
	"$BATS_TEST_TMPDIR/t" build/lib/librcr.so
}

@test "packages.sh prints the apt-get command for users other than root" {
	[ "$(id -u)" -eq 0 ] || skip "root only"
	mkdir "$BATS_TEST_TMPDIR/bin"
	printf '#!/bin/sh\nexit 1\n' >"$BATS_TEST_TMPDIR/bin/dpkg-query"
	printf '#!/bin/sh\necho 1000\n' >"$BATS_TEST_TMPDIR/bin/id"
	chmod +x "$BATS_TEST_TMPDIR"/bin/*
	PATH=$BATS_TEST_TMPDIR/bin:$PATH run selftests/packages.sh build
	[ "$status" -eq 1 ]
	[[ "$output" == *"as root run: apt-get install gcc make"* ]]
}

@test "rcrctl's help and its manual page have the same verbs" {
	verbs=$(build/bin/rcrctl --help | sed -n 's/^  \([a-z]\+\) .*/\1/p' | sort -u)
	[ "$(wc -w <<<"$verbs")" -ge 30 ]
	# Each verb has its own help.
	for verb in $verbs; do
		build/bin/rcrctl help "$verb" >"$BATS_TEST_TMPDIR/page"
		build/bin/rcrctl "$verb" --help | cmp - "$BATS_TEST_TMPDIR/page"
	done
	diff <(echo "$verbs") <(sed -nE '/^\.SH VERBS/,/^\.SH NAMES/s/^\.BI? ([a-z]+).*/\1/p' \
		Documentation/man/rcrctl.8 | grep -vx all | sort -u)
}

@test "the netlink spec has the commands and attributes of the uapi header, in order" {
	of_contract() {
		sed -n "/^enum $1 {/,/^};/p" uapi/linux/rcrtool.h |
			grep -oE "\b$2[A-Z0-9_]+" | grep -v '_UNSPEC$\|_LAST$' |
			sed "s/^$2//" | tr 'A-Z_' 'a-z-'
	}
	of_spec() {
		python3 - "$1" <<-'END'
			import sys, re
			text = open("Documentation/netlink/specs/rcrtool.yaml").read()
			first, rest = text.split("operations:")
			sets = re.split(r"name: (?:reason|counter|event|meter|form|term)\n    name-prefix", first)
			part = {"attrs": sets[0], "reason": sets[1], "counter": sets[2], "event": sets[3], "meter": sets[4],
				"form": sets[5], "term": sets[6],
				"ops": rest.split("mcast-groups:")[0]}[sys.argv[1]]
			depth = 6 if sys.argv[1] == "ops" else 8
			print("\n".join(re.findall(r"^ {%d}name: (\S+)$" % depth, part, re.M)))
		END
	}
	diff <(of_contract rcr_attr RCR_A_) <(of_spec attrs)
	diff <(of_contract rcr_reason_attr RCR_REASON_A_) <(of_spec reason)
	diff <(of_contract rcr_counter_attr RCR_COUNTER_A_) <(of_spec counter)
	diff <(of_contract rcr_event_attr RCR_EVENT_A_) <(of_spec event)
	diff <(of_contract rcr_meter_attr RCR_METER_A_) <(of_spec meter)
	diff <(of_contract rcr_form_attr RCR_FORM_A_) <(of_spec form)
	diff <(of_contract rcr_term_attr RCR_TERM_A_) <(of_spec term)
	diff <(of_contract rcr_cmd RCR_CMD_) <(of_spec ops)
}

@test "the module imports no symbol that warns on hybrid CPUs, and has no alias that lets users load it" {
	run grep -x perf_get_x86_pmu_capability Documentation/imports.txt
	[ "$status" -eq 1 ]
	run grep -rE '^MODULE_(ALIAS|DEVICE_TABLE)' kmod
	[ "$status" -eq 1 ]
}

@test "the netlink spec: enums, types, lengths and requests agree with uapi, module and librcr" {
	selftests/lint/netlink_spec.py
}

@test "each reason has the arguments that the module passes and the sentence uses" {
	selftests/lint/reasons.py
}

@test "each status of the uapi header is in rcrstat(1), in rcrctl(8) and in the module's texts" {
	for status in $(sed -n 's/^\tRCR_STATUS_\([A-Z]*\)\t.*/\1/p' uapi/linux/rcrtool.h); do
		word=${status,,}
		grep -qw "$word" Documentation/man/rcrstat.1
		grep -qw "$word" Documentation/man/rcrctl.8
		grep -q "\[RCR_STATUS_$status\] = \"$word\"" kmod/interface/debugfs.c
		grep -q "RCR_STATUS_$status" userspace/librcr/stream/set.c
	done
}

@test "each promise cites existing tests, and a line whose mutation they detect" {
	for n in 1 2 3 4 5 6 7 8 9 10; do
		grep -q "^## P$n: " Documentation/dev/promises.md
		grep -qx "promise: P$n" selftests/mutate/table
	done
	grep '^\* ' Documentation/dev/promises.md >"$BATS_TEST_TMPDIR/tests"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/tests")" -ge 40 ]
	sed -nE 's/^\* `([^`]*)`: /\1\n/p' "$BATS_TEST_TMPDIR/tests" |
		awk 'NR % 2 { file = $0; text = ""; while ((getline line <file) > 0) text = text "\n" line
				close(file); next }
			{
				n = split($0, part, "\"")
				for (i = 2; i <= n; i += 2) {
					texts++
					if (!index(text, part[i])) { print file " has no \"" part[i] "\""; bad = 1 }
				}
			}
			END { exit bad || texts < 40 }'
	selftests/mutate.sh --check
}

# The C text of number $1 in adding-a-family.md, or in adding-a-$2.md.
family_code() {
	awk -v wanted="$1" '/^```c$/ { n++; inside = 1; next } /^```$/ { inside = 0 }
		inside && n == wanted' "$TOP/Documentation/dev/adding-a-${2:-family}.md"
}

# Copy the tree and its build.
copy_tree() {
	tree=$BATS_TEST_TMPDIR/tree
	mkdir -p "$tree/selftests" "$tree/build/unit"
	cp -rp kmod uapi userspace Kbuild "$tree/"
	cp -rp selftests/unit selftests/lib selftests/facts "$tree/selftests/"
	# Only files that the test changes are compiled again.
	cp -rp build/userspace "$tree/build/"
	cp -rp build/unit/obj "$tree/build/unit/"
	find "$tree/build" -name '*.d' -exec sed -i "s|$PWD/|$tree/|g" {} +
	cd "$tree"
}

# Build and run unit test $1 of the copy.
unit_test() {
	make -s -C selftests/unit TOP="$tree" O="$tree/build" "$tree/build/unit/test_$1" &&
		"build/unit/test_$1"
}

@test "adding a family: the files and lines of adding-a-family.md suffice" {
	copy_tree
	family_code 1 >kmod/pmu/acme_10.c
	family_code 2 >userspace/events/acme_10.c
	# The document's two commands add the lines to the lists.
	bash -e <(sed -n '/^```sh$/,/^```$/{/^```/!p}' "$TOP/Documentation/dev/adding-a-family.md")
	[ "$(diff -rq "$TOP/kmod" kmod | wc -l)" -eq 2 ]
	[ "$(diff -rq "$TOP/userspace" userspace | wc -l)" -eq 2 ]
	run unit_test tables
	echo "$output"
	[ "$status" -eq 0 ]
	[[ "$output" == *"Acme Family 10: the tables have no contradictions"* ]]
	run unit_test natives
	echo "$output"
	[ "$status" -eq 0 ]
	[[ "$output" == *"Acme Family 10"* ]]
	run unit_test catalogue
	echo "$output"
	[ "$status" -eq 0 ]
	# Step 4: a missing control bit is detected.
	sed -i 's/ | RCR_SELECT_INT,/,/' kmod/pmu/acme_10.c
	run unit_test tables
	[ "$status" -ne 0 ]
	[[ "$output" == *"Acme Family 10: core: the interrupt bit is not reserved"* ]]
	# An event of the default set without a name is detected.
	sed -i '/"TOT_INS", CORE/d' userspace/events/acme_10.c
	run unit_test natives
	[ "$status" -ne 0 ]
}

@test "adding a meter: one row suffices, and a wrong row is detected" {
	copy_tree
	family_code 3 >row
	sed -i '/^static const struct catalogue_row meters/r row' userspace/events/amd_f15h.c
	[ "$(diff -rq "$TOP/userspace" userspace | wc -l)" -eq 1 ]
	run unit_test catalogue
	echo "$output"
	[ "$status" -eq 0 ]
	sed -i 's/"BR_INS=event:0xc2;/"BRANCHES=event:0xc2;/' userspace/events/amd_f15h.c
	run unit_test catalogue
	[ "$status" -ne 0 ]
	[[ "$output" == *"branch_share"* ]]
}

@test "adding a format: the file and the line of adding-a-format.md suffice" {
	copy_tree
	cp "$TOP/VERSION" .
	family_code 1 format >userspace/rcrstat/format/acme.c
	bash -e <(sed -n '/^```sh$/,/^```$/{/^```/!p}' "$TOP/Documentation/dev/adding-a-format.md")
	[ "$(diff -rq "$TOP/userspace" userspace | wc -l)" -eq 2 ]
	make -s -C userspace TOP="$tree" O="$tree/build" "$tree/build/bin/rcrstat"
	"$TOP/build/unit/make_stream" cpus=2 set run=1500 foreign=1:3 run=1010 >stream
	# 2 CPUs with 6 counters.
	[ "$(build/bin/rcrstat -d stream -f acme | xargs)" = "12 11" ]
}

@test "librcr(3): the example compiles without a warning and prints the counts of a saved stream" {
	sed -n '/^\.EX$/,/^\.EE$/p' "$TOP/Documentation/man/librcr.3" | sed '/^\.E[XE]$/d; s/\\-/-/g; s/\\e/\\/g' \
		>"$BATS_TEST_TMPDIR/example.c"
	cd "$BATS_TEST_TMPDIR"
	cc -Wall -Wextra -Werror -fsanitize=address,undefined -I"$TOP/userspace/librcr" -I"$TOP/uapi" -o example example.c \
		"$TOP/build/lib/librcr.a" $(pkg-config --libs libnl-genl-3.0)
	"$TOP/build/unit/make_stream" cpus=2 set run=1000 foreign=1:0 run=100 foreign=1:0 run=900 >stream
	./example stream >counts
	# 200 ticks of 2 CPUs; on CPU 1 ten are foreign, and the next one is a new baseline.
	[ "$(wc -l <counts)" -eq $((199 + 199 - 11)) ]
	"$TOP/build/bin/rcrstat" -d stream -i 0.01 -c 0 -f ldms | sed 1d | cut -d, -f9 >totals
	sum=$(awk '$1 == "cpu0" { sum += $2 } END { printf "%.0f\n", sum }' counts)
	first=$(awk '$1 == "cpu0" { print $2; exit }' counts)
	# The first line of ldms has the totals of the second tick.
	[ "$((sum - first))" -eq $(($(tail -n 1 totals) - $(head -n 1 totals))) ]
	! ./example nowhere 2>err || false
	grep -q nowhere err
}

@test "the pictures of the README are up to date" {
	pictures=$TOP/Documentation/pictures
	"$pictures/draw.py" dataflow | cmp - "$pictures/dataflow.svg"
	"$pictures/draw.py" screen "$TOP/selftests/bats/screens/four-80x24" | cmp - "$pictures/table.svg"
	python3 -c 'import sys, xml.dom.minidom as x; [x.parse(f) for f in sys.argv[1:]]' "$pictures"/*.svg
}
