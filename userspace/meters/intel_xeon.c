// SPDX-License-Identifier: GPL-2.0-only
/*
 * intel_xeon.c - meters of the Xeons from Sandy Bridge-EP to Skylake-SP, whose memory
 * controllers count.
 *
 * Events: Intel's uncore guides 327043 (Sandy Bridge-EP), 329468 (Ivy Bridge-EP), 331051
 * (Haswell-EP), 334291 (Broadwell-EP), 336274 (Skylake-SP).
 */
#include "rows.h"

#define SNB	"Intel Sandy Bridge"
#define IVB	"Intel Ivy Bridge"
#define HSW	"Intel Haswell"
#define BDW	"Intel Broadwell"
#define SKX	"Intel Skylake-SP"

/*
 * CAS commands, umask 03h reads and 0ch writes: of the four channels of an -EP, of the
 * six of a Skylake-SP. (An -EX has eight, more than fit into a set with other counters.)
 */
#define CAS_READS4 \
	"CAS_RD0=imc0:event:0x04,umask:0x03;CAS_RD1=imc1:event:0x04,umask:0x03;" \
	"CAS_RD2=imc2:event:0x04,umask:0x03;CAS_RD3=imc3:event:0x04,umask:0x03"
#define CAS_WRITES4 \
	"CAS_WR0=imc0:event:0x04,umask:0x0c;CAS_WR1=imc1:event:0x04,umask:0x0c;" \
	"CAS_WR2=imc2:event:0x04,umask:0x0c;CAS_WR3=imc3:event:0x04,umask:0x0c"
#define CAS_READ_SUM4	"CAS_RD0 + CAS_RD1 + CAS_RD2 + CAS_RD3"
#define CAS_WRITE_SUM4	"CAS_WR0 + CAS_WR1 + CAS_WR2 + CAS_WR3"

#define CAS_READS6 CAS_READS4 \
	";CAS_RD4=imc4:event:0x04,umask:0x03;CAS_RD5=imc5:event:0x04,umask:0x03"
#define CAS_WRITES6 CAS_WRITES4 \
	";CAS_WR4=imc4:event:0x04,umask:0x0c;CAS_WR5=imc5:event:0x04,umask:0x0c"
#define CAS_READ_SUM6	CAS_READ_SUM4 " + CAS_RD4 + CAS_RD5"
#define CAS_WRITE_SUM6	CAS_WRITE_SUM4 " + CAS_WR4 + CAS_WR5"

/* @n: channels */
#define CAS_METERS(f, n) \
	{ "mem_bw", f, "rate(" CAS_READ_SUM##n " + " CAS_WRITE_SUM##n ") * 64", \
	  CAS_READS##n ";" CAS_WRITES##n, "B/s", 0, true }, \
	{ "mem_read_bw", f, "rate(" CAS_READ_SUM##n ") * 64", CAS_READS##n, "B/s", 0, false }, \
	{ "mem_write_bw", f, "rate(" CAS_WRITE_SUM##n ") * 64", CAS_WRITES##n, "B/s", 0, false }, \
	{ "mem_write_share", f, \
	  "(" CAS_WRITE_SUM##n ") / (" CAS_READ_SUM##n " + " CAS_WRITE_SUM##n ")", \
	  CAS_READS##n ";" CAS_WRITES##n, "1", 6, false }

const struct catalogue_row catalogue_intel_xeon[] = {
	CAS_METERS(SNB, 4),
	CAS_METERS(IVB, 4),
	CAS_METERS(HSW, 4),
	CAS_METERS(BDW, 4),
	CAS_METERS(SKX, 6),
};

const unsigned int catalogue_intel_xeon_count = ARRAY_SIZE(catalogue_intel_xeon);
