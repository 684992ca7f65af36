# SPDX-License-Identifier: GPL-2.0-only
#
# The front door. What the module is made of stands in Kbuild, what the
# programs are made of in userspace/Makefile; everything is built into build/.

.DEFAULT_GOAL := all
TOP := $(abspath $(dir $(lastword $(MAKEFILE_LIST))))
O := $(TOP)/build
Q := $(if $(V),,@)

# The kernel to build for: the one that runs, or else the newest, whose headers are here.
KVER ?= $(notdir $(patsubst %/build,%,$(firstword $(wildcard /lib/modules/$(shell uname -r)/build) \
	$(shell ls -d /lib/modules/*/build 2>/dev/null | sort -Vr))))
# Its headers: the machine's, else those that selftests/qemu/kernel.sh unpacked.
KDIR ?= $(firstword $(wildcard /lib/modules/$(KVER)/build \
	$(TOP)/build/kernels/$(KVER)/usr/src/linux-headers-$(KVER)) /lib/modules/$(KVER)/build)
# The tests also build a module whose parameter spare= may be 0: never what is installed.
VARIANT := $(if $(RCR_SPARE_MIN),-spare$(RCR_SPARE_MIN))
OBJ := $(O)/$(KVER)/obj
# A build for tests uses all CPUs, unless -j has another number.
JOBS = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

# Modules of tests have line numbers of what debuggers know, no types: a quarter of the time that the
# compiler takes. selftests/lib/common.sh has the same.
tests check check-long check-debug shell mutate validate demo fuzz bench bench-jobs: export KCFLAGS ?= -g1

# The test to run, and where: see selftests/README.md.
SELECT = RCR_T='$(T)' RCR_M='$(M)' RCR_K='$(K)'

DESTDIR ?=
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
UNITDIR ?= /usr/lib/systemd/system
UDEVDIR ?= /usr/lib/udev/rules.d
# The agent of PCP, which is built where PCP's libraries are.
PMDADIR ?= /var/lib/pcp/pmdas/rcr

.PHONY: all modules programs tests check check-long check-debug shell mutate validate bench bench-jobs demo \
	lint fuzz kernels imports \
	install install-module install-programs install-pcp uninstall dkms-install dkms-uninstall deb rpm clean help print-kver \
	packages packages-build

all: modules programs	## the module and the programs

# The kernel's Makefile has another O.
modules: MAKEOVERRIDES := $(filter-out O=%,$(MAKEOVERRIDES))
modules:		## build/KVER/rcrtool.ko
	$(Q)test -d "$(KDIR)" || { echo "make: no kernel headers in $(KDIR): install linux-headers-amd64, say KVER=RELEASE, or fetch some with selftests/qemu/kernel.sh -b RELEASE" >&2; exit 1; }
	$(Q)mkdir -p $(OBJ)
	$(Q)cp -asf $(TOP)/Kbuild $(TOP)/VERSION $(TOP)/kmod $(TOP)/uapi $(OBJ)/
	$(Q)$(MAKE) -s -C $(KDIR) M=$(OBJ) modules
	$(Q)cp $(OBJ)/rcrtool.ko $(O)/$(KVER)/rcrtool$(VARIANT).ko

programs:		## build/bin, build/lib
	$(Q)$(MAKE) -s -C userspace O=$(O)

tests: all
	$(Q)$(MAKE) -s -C selftests/unit O=$(O)
	$(Q)$(MAKE) -s -C selftests/guest O=$(O)
	$(Q)$(MAKE) -s -C selftests/fuzz O=$(O)

demo: packages		## a count travels the whole way, in a guest
	$(Q)$(MAKE) -s $(JOBS) tests
	$(Q)selftests/demo.sh

check: packages		## every test but the long ones; T=NAME: that one, on M=MODEL and K=KERNEL
	$(Q)$(MAKE) -s $(JOBS) tests
	$(Q)$(SELECT) selftests/check.sh

check-long: packages	## every test; T=NAME: that one
	$(Q)$(MAKE) -s $(JOBS) tests
	$(Q)$(SELECT) selftests/check.sh long

shell: packages		## an interactive guest on M=MODEL and K=KERNEL
	$(Q)$(MAKE) -s $(JOBS) tests
	$(Q)$(SELECT) selftests/shell.sh

check-debug: packages	## the guest suite on kernels that watch it (hours)
	$(Q)$(MAKE) -s $(JOBS) tests
	$(Q)selftests/vpmu/build.sh
	$(Q)selftests/debug/check.sh

mutate: packages	## breaks what the promises rest on, and wants the tests red (ROW=name for one)
	$(Q)$(MAKE) -s $(JOBS) tests
	$(Q)selftests/mutate.sh $(ROW)

validate: packages	## real programs against what they say they did
	$(Q)$(MAKE) -s $(JOBS) tests
	$(Q)selftests/validate.sh

bench: packages		## what it costs, beside perf, likwid and others (JSON=1 for JSON)
	$(Q)$(MAKE) -s all
	$(Q)selftests/bench.sh $(if $(JSON),--json)

bench-jobs: packages	## what rcrjob adds to a command, and what pmdarcr costs
	$(Q)$(MAKE) -s $(JOBS) all tests
	$(Q)selftests/bench/jobs.sh

lint: packages		## what checkpatch, sparse, two compilers and others say
	$(Q)selftests/lint/lint.sh

fuzz: packages		## looks for what breaks it, for MINUTES=30
	$(Q)$(MAKE) -s $(JOBS) tests
	$(Q)selftests/fuzz.sh $(MINUTES)

kernels:		## the module for each kernel that guests run
	$(Q)selftests/kernels.sh

imports: kernels	## Documentation/imports.txt, anew
	$(Q)selftests/lint/imports.sh >$(O)/imports.txt
	$(Q)mv $(O)/imports.txt Documentation/imports.txt

# The group reads the devices, and rcrd runs as the user.
MAKE_USER := systemd-sysusers rcrtool.conf || { groupadd -f -r rcrtool; id rcrtool >/dev/null 2>&1 || useradd -r -g rcrtool -M -d / -s /usr/sbin/nologin rcrtool; }

# What a developer of a client includes; their <linux/...> are in the directory linux.
HEADERS := $(addprefix userspace/librcr/,rcr.h rcr_control.h rcr_board.h rcr_board2.h rcr_form.h \
	rcr_meters.h rcr_paper.h rcr_threads.h) \
	$(addprefix userspace/region/library/rcr_region.,h hpp f90)
UAPI := $(addprefix uapi/linux/,rcrboard.h rcrreason.h rcrtool.h)

UNITS := rcrtool.service rcrd.service rcrtool-record@.service

# The page of PCP's agent is installed with it.
MANUALS := $(filter-out %/pmdarcr.1,$(wildcard Documentation/man/*.[1-8]))

define newline


endef

# A file with the directories of this installation in it: $(call configured,FILE,TO)
configured = sed 's|@BINDIR@|$(PREFIX)/bin|; s|@SBINDIR@|$(PREFIX)/sbin|; s|@LIBDIR@|$(LIBDIR)|; s|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(shell cat VERSION)|' \
	$(1) >$(2) && chmod 644 $(2)

# They only copy: root builds nothing in the tree of another user.
LIBRARIES := librcr.so.1 librcr.a librcrregion.so.1 librcrregion.a librcrregion-mpi.a
PRELOADED := $(addprefix $(O)/lib/rcrtool/librcrregion-,run.so mpi.so omp.so)
BUILT := $(addprefix $(O)/bin/,rcrstat rcrctl rcrcal rcrjob rcrregion rcrd rcrd-set) \
	$(addprefix $(O)/lib/,$(LIBRARIES)) $(PRELOADED)
$(BUILT) $(O)/$(KVER)/rcrtool.ko:
	$(Q)echo "make: $@ is not there: run 'make' first, with the same KVER and O" >&2; exit 1

install: install-module install-programs $(if $(wildcard $(O)/bin/pmdarcr),install-pcp)	## module, programs, udev rule and service into the system
	$(if $(DESTDIR),,depmod $(KVER); ldconfig; $(MAKE_USER); udevadm control --reload 2>/dev/null || true)

install-module: $(O)/$(KVER)/rcrtool.ko
	install -D -m 644 $(O)/$(KVER)/rcrtool.ko $(DESTDIR)/lib/modules/$(KVER)/updates/rcrtool.ko

install-programs: $(BUILT)
	install -d -m 755 $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/sbin $(DESTDIR)$(LIBDIR)/pkgconfig \
		$(DESTDIR)$(PREFIX)/include/linux $(DESTDIR)$(UDEVDIR) $(DESTDIR)$(UNITDIR)
	install -m 755 $(O)/bin/rcrstat $(O)/bin/rcrctl $(O)/bin/rcrcal $(O)/bin/rcrjob $(O)/bin/rcrregion $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(O)/bin/rcrd $(O)/bin/rcrd-set $(DESTDIR)$(PREFIX)/sbin
	install -m 644 $(addprefix $(O)/lib/,$(LIBRARIES)) $(DESTDIR)$(LIBDIR)
	install -D -m 644 -t $(DESTDIR)$(LIBDIR)/rcrtool $(PRELOADED)
	ln -sf librcr.so.1 $(DESTDIR)$(LIBDIR)/librcr.so
	ln -sf librcrregion.so.1 $(DESTDIR)$(LIBDIR)/librcrregion.so
	$(call configured,userspace/region/library/librcrregion.pc,$(DESTDIR)$(LIBDIR)/pkgconfig/librcrregion.pc)
	$(call configured,userspace/librcr/librcr.pc,$(DESTDIR)$(LIBDIR)/pkgconfig/librcr.pc)
	install -m 644 $(HEADERS) $(DESTDIR)$(PREFIX)/include
	install -m 644 $(UAPI) $(DESTDIR)$(PREFIX)/include/linux
	for page in $(MANUALS); do \
		install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man$${page##*.} $$page && \
		sed -i 's|/usr/local/|$(PREFIX)/|g' $(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$${page##*/} || exit; \
	done
	install -D -m 644 userspace/system/rcrtool.sysusers $(DESTDIR)/usr/lib/sysusers.d/rcrtool.conf
	$(call configured,userspace/system/rcrtool.rules,$(DESTDIR)$(UDEVDIR)/60-rcrtool.rules)
	$(foreach unit,$(UNITS),$(call configured,userspace/system/$(unit),$(DESTDIR)$(UNITDIR)/$(unit))$(newline))
	install -D -m 644 userspace/system/completion/rcrctl.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/rcrctl
	install -D -m 644 userspace/system/completion/rcrcal.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/rcrcal
	install -D -m 644 userspace/system/completion/rcrjob.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/rcrjob
	install -D -m 644 userspace/system/completion/rcrregion.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/rcrregion
	install -D -m 644 userspace/system/completion/rcrstat.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/rcrstat
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/zsh/site-functions userspace/system/completion/_rcrctl userspace/system/completion/_rcrstat \
		userspace/system/completion/_rcrcal userspace/system/completion/_rcrjob userspace/system/completion/_rcrregion
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/rcrtool/examples userspace/system/examples/*

install-pcp:
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man1 Documentation/man/pmdarcr.1
	install -D -m 755 -t $(DESTDIR)$(PMDADIR) $(O)/bin/pmdarcr userspace/system/pcp/Install userspace/system/pcp/Remove
	install -m 644 $(addprefix userspace/system/pcp/,domain.h pmlogger.config pmns root) $(DESTDIR)$(PMDADIR)
	install -D -m 644 userspace/system/pcp/rcrtool-pcp.tmpfiles $(DESTDIR)/usr/lib/tmpfiles.d/rcrtool-pcp.conf
	install -D -m 644 userspace/system/completion/pmdarcr.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/pmdarcr
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/zsh/site-functions userspace/system/completion/_pmdarcr

uninstall:		## what install put there
	rm -f $(DESTDIR)/lib/modules/$(KVER)/updates/rcrtool.ko \
		$(addprefix $(DESTDIR)$(PREFIX)/bin/,rcrstat rcrctl rcrcal rcrjob rcrregion) \
		$(addprefix $(DESTDIR)$(PREFIX)/sbin/,rcrctl rcrd rcrd-set) \
		$(addprefix $(DESTDIR)$(LIBDIR)/,$(LIBRARIES) librcr.so librcrregion.so \
			pkgconfig/librcr.pc pkgconfig/librcrregion.pc) \
		$(addprefix $(DESTDIR)$(PREFIX)/include/,$(notdir $(HEADERS)) $(addprefix linux/,$(notdir $(UAPI)))) \
		$(DESTDIR)$(PREFIX)/share/man/man1/pmdarcr.1 $(DESTDIR)/usr/lib/tmpfiles.d/rcrtool-pcp.conf \
		$(foreach page,$(MANUALS),$(DESTDIR)$(PREFIX)/share/man/man$(lastword $(subst ., ,$(page)))/$(notdir $(page))) \
		$(addprefix $(DESTDIR)$(UNITDIR)/,$(UNITS)) $(DESTDIR)/usr/lib/sysusers.d/rcrtool.conf \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/rcrctl \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/rcrcal \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/rcrjob \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/rcrregion \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/rcrstat \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/pmdarcr \
		$(addprefix $(DESTDIR)$(PREFIX)/share/zsh/site-functions/,_rcrctl _rcrstat _rcrcal _rcrjob _rcrregion _pmdarcr) \
		$(DESTDIR)$(UDEVDIR)/60-rcrtool.rules
	rm -rf $(DESTDIR)$(PREFIX)/share/doc/rcrtool/examples $(DESTDIR)$(PMDADIR) $(DESTDIR)$(LIBDIR)/rcrtool
	$(if $(DESTDIR),,depmod $(KVER); ldconfig)

# What DKMS needs to build the module, and no more.
DKMS_SOURCES := Kbuild Makefile VERSION dkms.conf LICENSES kmod uapi
DKMS_FOLDER = $(DESTDIR)/usr/src/rcrtool-$(shell cat VERSION)

dkms-install:		## the module's sources to where "dkms add" finds them
	rm -rf $(DKMS_FOLDER)
	install -d -m 755 $(DKMS_FOLDER)
	cp -r $(DKMS_SOURCES) $(DKMS_FOLDER)/

deb:			## Debian packages, into build/deb
	$(Q)selftests/packages.sh deb
	$(Q)packaging/build.sh deb $(O)/deb

rpm:			## RPM packages, into build/rpm/RPMS
	$(Q)selftests/packages.sh rpm
	$(Q)packaging/build.sh rpm $(O)/rpm

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
