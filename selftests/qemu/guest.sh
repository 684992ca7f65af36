#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# guest.sh [OPTION]... COMMAND - boots a guest with the virtual PMU, runs the shell command COMMAND
# in it as root, with the programs of the build, prints its output, and exits with its status.
#
#   -k NAME    kernel, a release or a series, see kernel.sh (default: the kernel that
#              the module is built for); the module must be built for it
#   -p CPUS    number of CPUs (default 4, in two packages when even)
#   -s TEXT    topology of the CPUs, as for QEMU's -smp
#   -m MODEL   fam10h, fam15h (default), zen1, fam17h (Zen 2), fam19h (Zen 3), zen4
#              (family 19h with PerfMonV2), zen5 (1Ah), nehalem, nhmex, westmere,
#              wsmex, snbep, ivbep, hswep, bdwep, skx, clx (Cascade Lake), icx, spr,
#              emr (Emerald Rapids), or any QEMU -cpu value
#   -a WORDS   more kernel parameters; may be repeated. The TSC is the guest's clock, as
#              on real machines: "tsc=unstable" makes it the HPET, a device
#   -e NAME=V  environment of QEMU (RCR_VPMU=off removes the PMU, RCR_VPMU=exec counts
#              the guest's execution, see vpmu/exec.h); may be repeated
#   -f FILE    a file to put under /rcr in the guest; may be repeated
#   -o FOLDER  a folder to copy over the guest's root
#   -I         an installed machine (installed.sh): modprobe, udev, users, and the module
#              and the programs where 'make install' puts them, not under /rcr
#   -d FOLDER  boots from a disk: FOLDER has "disk", its root file system, and the "vmlinuz" and
#              "initrd" of that system, which runs the command by itself (boot.sh)
#   -N         two NUMA nodes: each package of two CPUs has half of the memory
#   -x NAMES   PCI functions of a Xeon to leave out, such as "imc2 imc3", or "all"
#   -i         one CPU whose time follows its execution: an instruction is a nanosecond
#              and a tick of its TSC, so the load of the host has no effect. The
#              record of its steps (vpmu/steps.h) is in the run's folder, as "steps".
#              (With several CPUs the kernel does not boot in this mode.)
#   -w         two network interfaces (e1000) on one wire
#   -M MIB     memory (default 1024; 2048 on the debug kernel, whose shadow takes much)
#   -S         the console is this terminal, with COMMAND on it
#   -t SECONDS limit for the whole guest (default 300)
#   -n NAME    name of the run's folder in build/guests (default: the process id)
#
# The output uses a serial port of its own. A guest that prints nothing, panics, or exceeds its
# limit has failed: status 99. A guest whose kernel does not boot, which QEMU causes once in some
# hundred boots with several CPUs, is started once more, as no code of rcrtool has run by then.
# Evidence that rcrd has kept in the guest is then in the run's folder, as "evidence": see
# evidence.sh.
set -eu
. "$(dirname "$0")/../lib/common.sh"

kver= cpus=4 together='' model=fam15h terminal= words= memory= limit=300 name=$$ over= installed= disk= absent= files=() environment=() clock=() wire= numa=
while getopts k:p:s:m:a:d:e:f:o:x:iINSwM:t:n: option; do
	case $option in
	k) kver=$OPTARG ;;
	p) cpus=$OPTARG ;;
	s) together=$OPTARG ;;
	m) model=$OPTARG ;;
	a) words="$words $OPTARG" ;;
	d) disk=$OPTARG ;;
	e) environment+=("$OPTARG") ;;
	f) files+=("$OPTARG") ;;
	o) over=$OPTARG ;;
	x) absent=$OPTARG ;;
	I) installed=1 ;;
	i) clock=(-icount "shift=0,sleep=off" -rtc "base=2026-01-01,clock=vm" -dfilter "0xffffffff80000000..0xffffffffffffffff") ;;
	N) numa=1 ;;
	S) terminal=1 ;;
	w) wire=1 ;;
	M) memory=$OPTARG ;;
	t) limit=$OPTARG ;;
	n) name=$OPTARG ;;
	*) die "see the head of this file for its options" ;;
	esac
done
shift $((OPTIND - 1))
[ $# -eq 1 ] || die "one COMMAND expected, $# given"
kver=$("$RCR_TOP/selftests/qemu/kernel.sh" -r ${kver:+"$kver"})
case $kver in
*-debug) memory=${memory:-2048} ;;
*) memory=${memory:-1024} ;;
esac

if [ ${#clock[@]} -gt 0 ]; then
	cpus=1
	words="nokaslr $words"
fi

devices=()

# functions_of MODEL: prints the shared units of a Xeon that are PCI functions, with their addresses
# on the real machine; drivers find them by their device ids.
functions_of()
{
	case $1 in
	snbep)
		echo 08.0 first 08.2 qpi0 09.0 first 09.2 qpi1 0b.0 ubox 0e.0 first 0e.1 ha
		echo 10.0 imc0 10.1 imc1 10.4 imc2 10.5 imc3
		echo 13.0 first 13.1 r2pcie 13.5 r3qpi0 13.6 r3qpi1
		;;
	ivbep)
		echo 08.0 first 08.2 qpi0 09.0 first 09.2 qpi1 0a.0 first 0a.2 qpi2 0b.0 ubox
		echo 0e.0 first 0e.1 ha0 1c.0 first 1c.1 ha1
		echo 10.0 imc2 10.1 imc3 10.4 imc0 10.5 imc1
		echo 1e.0 imc6 1e.1 imc7 1e.4 imc4 1e.5 imc5
		echo 13.0 first 13.1 r2pcie 13.5 r3qpi0 13.6 r3qpi1
		;;
	hswep | bdwep)
		echo 08.0 first 08.2 qpi0 09.0 first 09.2 qpi1 0a.0 first 0a.2 qpi2
		echo 0b.0 first 0b.1 r3qpi0 0b.2 r3qpi1 0c.0 first 0c.1 r3qpi2
		echo 10.0 first 10.1 r2pcie 10.5 ubox 12.0 first 12.1 ha0 12.5 ha1
		echo 14.0 imc0 14.1 imc1 15.0 imc2 15.1 imc3 17.0 imc4 17.1 imc5 18.0 imc6 18.1 imc7
		;;
	esac
}

# add_functions MODEL PACKAGE BUS: adds a bus for the package. QEMU's expander has a bridge on its
# bus, and the functions are behind that bridge.
add_functions()
{
	local at function
	[ "$absent" != all ] || return 0
	devices+=(-device "pxb,id=package$2,bus_nr=$(($3 - 1)),bus=pci.0")
	while read -r at function; do
		case " $absent " in
		*" $function "*) continue ;;
		esac
		devices+=(-device "rcr-uncore,model=$1,function=$function,package=$2,bus=package$2,addr=$at,multifunction=on")
	done < <(functions_of "$1" | xargs -n 2)
}

case $model in
fam10h) cpu=EPYC,family=16,model=2,stepping=3 ;;
# EPYC with the family of an Interlagos: Debian does not boot on QEMU's model of one.
fam15h) cpu=EPYC,family=21,model=1,stepping=2 ;;
# Rome, because on Zen 1 the kernel takes eight APIC ids for a core complex,
# and two small packages for one.
zen1) cpu=EPYC,model=1,stepping=2 ;;
fam17h) cpu=EPYC,model=49,stepping=0 ;;
fam19h) cpu=EPYC,family=25,model=1,stepping=1 ;;
zen4) cpu=EPYC,family=25,model=17,stepping=1 ;;
zen5) cpu=EPYC,family=26,model=2,stepping=1 ;;
# Under a hypervisor the kernel does not search for Intel's shared units.
nehalem) cpu=Nehalem,-hypervisor ;;
nhmex) cpu=Nehalem,model=46,stepping=6,-hypervisor ;;
westmere) cpu=Westmere,model=44,stepping=2,-hypervisor ;;
wsmex) cpu=Westmere,model=47,stepping=2,-hypervisor ;;
snbep) cpu=SandyBridge,model=45,stepping=7,-hypervisor ;;
ivbep) cpu=IvyBridge,model=62,stepping=4,-hypervisor ;;
hswep) cpu=Haswell-noTSX,model=63,stepping=2,-hypervisor ;;
bdwep) cpu=Broadwell-noTSX,model=79,stepping=1,-hypervisor ;;
skx) cpu=Skylake-Server-noTSX-IBRS,model=85,stepping=4,-hypervisor ;;
clx) cpu=Cascadelake-Server-noTSX,model=85,stepping=7,-hypervisor ;;
icx) cpu=Icelake-Server-noTSX,model=106,stepping=6,-hypervisor ;;
spr) cpu=Icelake-Server-noTSX,model=143,stepping=8,-hypervisor ;;
emr) cpu=Icelake-Server-noTSX,model=207,stepping=2,-hypervisor ;;
*) cpu=$model ;;
esac
case $model in
snbep | ivbep | hswep | bdwep)
	add_functions "$model" 0 0x7f
	add_functions "$model" 1 0xff
	;;
esac
if [ "$wire" ]; then
	for n in 0 1; do
		devices+=(-netdev "hubport,id=wire$n,hubid=0" -device "e1000,netdev=wire$n,bus=pci.0,romfile=")
	done
fi
smp=$cpus
if [ $((cpus % 2)) -eq 0 ]; then
	smp=$cpus,sockets=2,cores=$((cpus / 2))
fi
smp=${together:-$smp}

run=$RCR_BUILD/guests/$name
[ ${#clock[@]} -eq 0 ] || clock+=(-D "$run/steps")
rm -rf "$run"
mkdir -p "$run/root/rcr"
printf '%s\n' "$1" >"$run/root/rcr/command"
[ ${#files[@]} -eq 0 ] || cp -r "${files[@]}" "$run/root/rcr/"
added_files()
{
	(cd "$1" && find . -mindepth 1 | cpio --quiet -o -H newc -R 0:0)
}

if [ -n "$disk" ]; then
	cp -r "$RCR_TOP"/selftests/qemu/{booted,findings.sh} "$RCR_BUILD/tests" "$run/root/rcr/"
	kernel=$disk/vmlinuz
	words="root=/dev/vda rootfstype=ext4 rw $words"
	devices+=(-drive "file=$disk/disk,format=raw,if=none,id=disk,cache=unsafe" -device "virtio-blk-pci,drive=disk,bus=pci.0")
	# A compressed archive must be the last one.
	[ -z "$over" ] || cp -r "$over/." "$run/root/"
	added_files "$run/root" | cat - "$disk/initrd" >"$run/initramfs"
else
	kernel=$("$RCR_TOP/selftests/qemu/vmlinux.sh" "$kver")
	archive=$("$RCR_TOP/selftests/qemu/archive.sh" "$kver" ${installed:+installed})
	# If two archives contain the same path, the kernel keeps the file of the later one.
	{
		cat "$archive"
		added_files "$run/root"
		[ -z "$over" ] || added_files "$over"
	} >"$run/initramfs"
fi

# Pass the host's frequency, which is also the guest's, as a parameter. On a busy host a guest's
# kernel measures it wrongly: one took a ninth of a second for a second, and exceeded its time
# limits. Guests start at the same time, so the file is renamed when it is complete.
tsc_khz()
{
	local program=$RCR_BUILD/tsc_khz source=$RCR_TOP/selftests/qemu/tsc_khz.c
	if [ ! "$program" -nt "$source" ]; then
		cc -std=gnu11 -O2 -Wall -Wextra -Werror -o "$program.$$" "$source"
		mv "$program.$$" "$program"
	fi
	"$program"
}

# lpj sets the length of the kernel's delay loops, which it would measure for each CPU. A guest
# whose time follows its execution measures both correctly.
if [ ${#clock[@]} -eq 0 ]; then
	khz=$(tsc_khz)
	words="tsc_early_khz=$khz $words"
	hz=$(sed -n 's/^CONFIG_HZ=//p' "$RCR_BUILD/kernels/$kver/boot/config-$kver")
	words="lpj=$((khz * 1000 / hz)) $words"
fi

nodes=()
if [ "$numa" ]; then
	for node in 0 1; do
		nodes+=(-object "memory-backend-ram,id=node$node,size=$((memory / 2))M"
			-numa "node,nodeid=$node,memdev=node$node,cpus=$((2 * node))-$((2 * node + 1))")
	done
fi

# run_qemu CONSOLE: runs QEMU with that device as the console. As in KVM guests, the kernel does not
# test the timer's interrupt, which is late on a busy host, so that the kernel would panic. Programs
# are not randomized, so that QEMU translates them only once: translation takes longer than
# execution.
run_qemu()
{
	: >"$run/result"
	exec env "${environment[@]}" timeout --foreground "$limit" \
		"$RCR_BUILD/qemu/qemu-system-x86_64" \
		-L /usr/share/seabios -L /usr/share/qemu -L /usr/lib/ipxe/qemu \
		-machine pc,accel=tcg -cpu "$cpu" -smp "$smp" -m "$memory" "${nodes[@]}" "${devices[@]}" "${clock[@]}" \
		-nodefaults -display none -no-reboot -monitor none \
		-chardev "$1,id=console" -serial chardev:console \
		-chardev "file,id=result,path=$run/result" -serial chardev:result \
		-chardev "file,id=evidence,path=$run/evidence" -serial chardev:evidence \
		-kernel "$kernel" -initrd "$run/initramfs" \
		-append "console=ttyS0 quiet mitigations=off panic=-1 oops=panic panic_on_warn=1 softlockup_panic=1 no_timer_check norandmaps tsc=reliable rdinit=/init $words" 2>"$run/qemu.log"
}

# The console is kept for people to read; no result depends on it.
start_qemu()
{
	(run_qemu "file,path=$run/console") >/dev/null </dev/null &
	qemu=$!
}

if [ "$terminal" ]; then
	(run_qemu stdio,signal=off) || true
	exit 0
fi

# Wait for the guest's first process; fails after a timeout.
comes_up()
{
	local i
	for ((i = 0; i < BOOT_LIMIT; i++)); do
		grep -q '^rcr-up' "$run/result" && return 0
		kill -0 $qemu 2>/dev/null || return 0
		sleep 1
	done
	return 1
}

# The kernel brings CPUs up one after the other.
BOOT_LIMIT=$((100 + 2 * cpus))
# Debian's initramfs runs udev before it finds the disk.
[ -z "$disk" ] || BOOT_LIMIT=$((2 * BOOT_LIMIT))
start_qemu
if ! comes_up; then
	say "guest $name: the kernel did not boot in $BOOT_LIMIT s: starting it again"
	kill $qemu
	wait $qemu || true
	start_qemu
fi
rc=0
wait $qemu || rc=$?
rm -rf "$run/initramfs" "$run/root"

verdict=$(sed -n 's/^rcr-verdict: \([0-9]*\)$/\1/p' "$run/result" | tail -n 1)
grep -v '^rcr-verdict: \|^rcr-up' "$run/result" || true
if [ -z "$verdict" ]; then
	# QEMU warns in every run about features of a CPU model that TCG lacks.
	grep -v "TCG doesn't support requested feature" "$run/qemu.log" >&2 || true
	say "guest $name: no verdict (qemu ended with $rc after at most $limit s); the end of its console:"
	tail -n 40 "$run/console" >&2
	exit 99
fi
exit "$verdict"
