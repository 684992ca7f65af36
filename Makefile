# SPDX-License-Identifier: GPL-2.0-only
#
# The front door. What the module is made of stands in Kbuild, what the
# programs are made of in userspace/Makefile; everything is built into build/.

.DEFAULT_GOAL := all
TOP := $(abspath $(dir $(lastword $(MAKEFILE_LIST))))
O := $(TOP)/build
Q := $(if $(V),,@)

# The kernel to build for: the newest whose headers are here.
KVER ?= $(notdir $(patsubst %/build,%,$(shell ls -d /lib/modules/*/build 2>/dev/null | sort -V | tail -n 1)))
# Its headers: the machine's, else those that selftests/qemu/kernel.sh unpacked.
KDIR ?= $(firstword $(wildcard /lib/modules/$(KVER)/build \
	$(TOP)/build/kernels/$(KVER)/usr/src/linux-headers-$(KVER)) /lib/modules/$(KVER)/build)
# The tests also build a module whose parameter spare= may be 0: never what is installed.
VARIANT := $(if $(RCR_SPARE_MIN),-spare$(RCR_SPARE_MIN))
OBJ := $(O)/$(KVER)/obj$(VARIANT)

# The test to run, and where: see selftests/README.md.
SELECT = RCR_T='$(T)' RCR_M='$(M)' RCR_K='$(K)'

DESTDIR ?=
PREFIX ?= /usr/local

.PHONY: all modules programs tests check check-long check-debug shell mutate validate bench demo \
	lint fuzz kernels imports \
	install uninstall dkms-install dkms-uninstall clean help print-kver \
	packages packages-build

all: modules programs	## the module and the programs

modules:		## build/KVER/rcrtool.ko
	$(Q)test -d "$(KDIR)" || { echo "make: no kernel headers in $(KDIR): install linux-headers-amd64, say KVER=RELEASE, or fetch some with selftests/qemu/kernel.sh -b RELEASE" >&2; exit 1; }
	$(Q)mkdir -p $(OBJ)
	$(Q)cp -asf $(TOP)/Kbuild $(TOP)/VERSION $(TOP)/kmod $(TOP)/uapi $(OBJ)/
	$(Q)$(MAKE) -s -C $(KDIR) O= M=$(OBJ) modules
	$(Q)cp $(OBJ)/rcrtool.ko $(O)/$(KVER)/rcrtool$(VARIANT).ko

programs:		## build/bin, build/lib
	$(Q)$(MAKE) -s -C userspace O=$(O)

tests: all
	$(Q)$(MAKE) -s -C selftests/unit O=$(O)
	$(Q)$(MAKE) -s -C selftests/guest O=$(O)
	$(Q)$(MAKE) -s -C selftests/fuzz O=$(O)

demo: packages		## a count travels the whole way, in a guest
	$(Q)$(MAKE) -s tests
	$(Q)selftests/demo.sh

check: packages		## every test but the long ones; T=NAME: that one, on M=MODEL and K=KERNEL
	$(Q)$(MAKE) -s tests
	$(Q)$(SELECT) selftests/check.sh

check-long: packages	## every test; T=NAME: that one
	$(Q)$(MAKE) -s tests
	$(Q)$(SELECT) selftests/check.sh long

shell: packages		## an interactive guest on M=MODEL and K=KERNEL
	$(Q)$(MAKE) -s tests
	$(Q)$(SELECT) selftests/shell.sh

check-debug: packages	## the guest suite on kernels that watch it (hours)
	$(Q)$(MAKE) -s tests
	$(Q)selftests/vpmu/build.sh
	$(Q)selftests/debug/check.sh

mutate: packages	## breaks what the promises rest on, and wants the tests red (ROW=name for one)
	$(Q)$(MAKE) -s tests
	$(Q)selftests/mutate.sh $(ROW)

validate: packages	## real programs against what they say they did
	$(Q)$(MAKE) -s tests
	$(Q)selftests/validate.sh

bench: packages		## what it costs, beside perf, likwid and others (JSON=1 for JSON)
	$(Q)$(MAKE) -s all
	$(Q)selftests/bench.sh $(if $(JSON),--json)

lint: packages		## what checkpatch, sparse, two compilers and others say
	$(Q)selftests/lint.sh

fuzz: packages		## looks for what breaks it, for MINUTES=30
	$(Q)$(MAKE) -s tests
	$(Q)selftests/fuzz.sh $(MINUTES)

kernels:		## the module for each kernel that guests run
	$(Q)selftests/kernels.sh

imports: kernels	## Documentation/imports.txt, anew
	$(Q)selftests/imports.sh >$(O)/imports.txt
	$(Q)mv $(O)/imports.txt Documentation/imports.txt

# The group reads the devices, and rcrd runs as the user.
MAKE_USER := systemd-sysusers rcrtool.conf || { groupadd -f -r rcrtool; id rcrtool >/dev/null 2>&1 || useradd -r -g rcrtool -M -d / -s /usr/sbin/nologin rcrtool; }

install: all		## module, programs, udev rule and service into the system
	install -D -m 644 $(O)/$(KVER)/rcrtool.ko $(DESTDIR)/lib/modules/$(KVER)/updates/rcrtool.ko
	install -D -m 755 $(O)/bin/rcrstat $(DESTDIR)$(PREFIX)/bin/rcrstat
	install -D -m 755 $(O)/bin/rcrctl $(DESTDIR)$(PREFIX)/sbin/rcrctl
	install -D -m 755 $(O)/bin/rcrd $(DESTDIR)$(PREFIX)/sbin/rcrd
	install -D -m 644 $(O)/lib/librcr.so.1 $(DESTDIR)$(PREFIX)/lib/librcr.so.1
	ln -sf librcr.so.1 $(DESTDIR)$(PREFIX)/lib/librcr.so
	install -D -m 644 $(O)/lib/librcr.a $(DESTDIR)$(PREFIX)/lib/librcr.a
	install -D -m 644 userspace/librcr/rcr.h $(DESTDIR)$(PREFIX)/include/rcr.h
	install -D -m 644 userspace/librcr/rcr_control.h $(DESTDIR)$(PREFIX)/include/rcr_control.h
	install -D -m 644 userspace/librcr/rcr_board.h $(DESTDIR)$(PREFIX)/include/rcr_board.h
	install -D -m 644 userspace/librcr/rcr_form.h $(DESTDIR)$(PREFIX)/include/rcr_form.h
	install -D -m 644 userspace/librcr/rcr_meters.h $(DESTDIR)$(PREFIX)/include/rcr_meters.h
	install -D -m 644 userspace/librcr/rcr_paper.h $(DESTDIR)$(PREFIX)/include/rcr_paper.h
	install -D -m 644 userspace/librcr/rcr_threads.h $(DESTDIR)$(PREFIX)/include/rcr_threads.h
	install -D -m 644 userspace/librcr/rcr_board2.h $(DESTDIR)$(PREFIX)/include/rcr_board2.h
	install -D -m 644 uapi/linux/rcrboard.h $(DESTDIR)$(PREFIX)/include/linux/rcrboard.h
	install -D -m 644 uapi/linux/rcrreason.h $(DESTDIR)$(PREFIX)/include/linux/rcrreason.h
	install -D -m 644 uapi/linux/rcrtool.h $(DESTDIR)$(PREFIX)/include/linux/rcrtool.h
	install -D -m 644 Documentation/man/rcrstat.1 $(DESTDIR)$(PREFIX)/share/man/man1/rcrstat.1
	install -D -m 644 Documentation/man/rcrctl.8 $(DESTDIR)$(PREFIX)/share/man/man8/rcrctl.8
	install -D -m 644 Documentation/man/rcrd.8 $(DESTDIR)$(PREFIX)/share/man/man8/rcrd.8
	install -D -m 644 userspace/system/rcrtool.sysusers $(DESTDIR)/usr/lib/sysusers.d/rcrtool.conf
	install -d -m 755 $(DESTDIR)/usr/lib/udev/rules.d
	sed 's|@SBINDIR@|$(PREFIX)/sbin|' userspace/system/rcrtool.rules >$(DESTDIR)/usr/lib/udev/rules.d/60-rcrtool.rules
	chmod 644 $(DESTDIR)/usr/lib/udev/rules.d/60-rcrtool.rules
	install -d -m 755 $(DESTDIR)/usr/lib/systemd/system
	sed 's|@SBINDIR@|$(PREFIX)/sbin|' userspace/system/rcrtool.service >$(DESTDIR)/usr/lib/systemd/system/rcrtool.service
	chmod 644 $(DESTDIR)/usr/lib/systemd/system/rcrtool.service
	$(if $(DESTDIR),,depmod $(KVER); $(MAKE_USER); udevadm control --reload 2>/dev/null || true)

uninstall:		## what install put there
	rm -f $(DESTDIR)/lib/modules/$(KVER)/updates/rcrtool.ko \
		$(DESTDIR)$(PREFIX)/bin/rcrstat $(DESTDIR)$(PREFIX)/sbin/rcrctl \
		$(DESTDIR)$(PREFIX)/sbin/rcrd \
		$(DESTDIR)$(PREFIX)/lib/librcr.so.1 $(DESTDIR)$(PREFIX)/lib/librcr.so \
		$(DESTDIR)$(PREFIX)/lib/librcr.a \
		$(DESTDIR)$(PREFIX)/include/rcr.h $(DESTDIR)$(PREFIX)/include/rcr_control.h \
		$(DESTDIR)$(PREFIX)/include/rcr_board.h $(DESTDIR)$(PREFIX)/include/rcr_form.h \
		$(DESTDIR)$(PREFIX)/include/rcr_meters.h \
		$(DESTDIR)$(PREFIX)/include/rcr_paper.h $(DESTDIR)$(PREFIX)/include/rcr_threads.h \
		$(DESTDIR)$(PREFIX)/include/rcr_board2.h \
		$(DESTDIR)$(PREFIX)/include/linux/rcrboard.h \
		$(DESTDIR)$(PREFIX)/include/linux/rcrreason.h \
		$(DESTDIR)$(PREFIX)/include/linux/rcrtool.h \
		$(DESTDIR)$(PREFIX)/share/man/man1/rcrstat.1 \
		$(DESTDIR)$(PREFIX)/share/man/man8/rcrctl.8 \
		$(DESTDIR)$(PREFIX)/share/man/man8/rcrd.8 \
		$(DESTDIR)/usr/lib/systemd/system/rcrtool.service \
		$(DESTDIR)/usr/lib/sysusers.d/rcrtool.conf \
		$(DESTDIR)/usr/lib/udev/rules.d/60-rcrtool.rules
	$(if $(DESTDIR),,depmod $(KVER))

# What DKMS needs to build the module, and no more.
DKMS_SOURCES := Kbuild Makefile VERSION dkms.conf LICENSES kmod uapi
DKMS_FOLDER = $(DESTDIR)/usr/src/rcrtool-$(shell cat VERSION)

dkms-install:		## the module's sources to where "dkms add" finds them
	rm -rf $(DKMS_FOLDER)
	install -d -m 755 $(DKMS_FOLDER)
	cp -r $(DKMS_SOURCES) $(DKMS_FOLDER)/

dkms-uninstall:		## what dkms-install put there ("dkms remove" first)
	rm -rf $(DKMS_FOLDER)

clean:			## all that was built (the virtual PMU, too)
	rm -rf $(O)

packages:
	$(Q)selftests/packages.sh

print-kver:
	@echo $(KVER)

help:			## this
	@echo "rcrtool $$(cat VERSION). Targets, with KVER=$(KVER) (say KVER=RELEASE for another kernel, V=1 for every command):"
	@awk -F ':|##' '/^[a-z-]+:.*##/ { printf "  %-14s %s\n", $$1, $$3 }' Makefile
