// SPDX-License-Identifier: GPL-2.0-only
/*
 * intel_xeon.c - meters of the Xeons from Sandy Bridge-EP on, whose memory controllers count.
 *
 * Events: Intel's uncore guides 327043 (Sandy Bridge-EP), 329468 (Ivy Bridge-EP), 331051
 * (Haswell-EP), 334291 (Broadwell-EP), 336274 (Skylake-SP), 639778 (Ice Lake-SP); Intel's
 * list of Sapphire Rapids' events, UNC_M_CAS_COUNT.
 */
#include "rows.h"

#define SNB	"Intel Sandy Bridge"
#define IVB	"Intel Ivy Bridge"
#define HSW	"Intel Haswell"
#define BDW	"Intel Broadwell"
#define SKX	"Intel Skylake-SP"
#define ICX	"Intel Ice Lake-SP"
#define SPR	"Intel Sapphire Rapids"

/*
 * CAS commands that read (@rd) and write (@wr), of all channels that the machine has. The
 * channels of two home agents are numbered 0, 1, 4 and 5.
 */
#define CAS_READS(event, rd)	"CAS_RD#=imc#:event:" event ",umask:" rd
#define CAS_WRITES(event, wr)	"CAS_WR#=imc#:event:" event ",umask:" wr

#define CAS_METERS(f, event, rd, wr) \
	{ "mem_bw", f, "rate(CAS_RD# + CAS_WR#) * 64", \
	  CAS_READS(event, rd) ";" CAS_WRITES(event, wr), "B/s", 0, true }, \
	{ "mem_read_bw", f, "rate(CAS_RD#) * 64", CAS_READS(event, rd), "B/s", 0, false }, \
	{ "mem_write_bw", f, "rate(CAS_WR#) * 64", CAS_WRITES(event, wr), "B/s", 0, false }, \
	{ "mem_write_share", f, "(CAS_WR#) / (CAS_RD# + CAS_WR#)", \
	  CAS_READS(event, rd) ";" CAS_WRITES(event, wr), "1", 6, false }

/* From Skylake-SP on the channels are counted by the kernel's driver alone. */
const struct catalogue_row catalogue_intel_xeon[] = {
	CAS_METERS(SNB, "0x04", "0x03", "0x0c"),
	CAS_METERS(IVB, "0x04", "0x03", "0x0c"),
	CAS_METERS(HSW, "0x04", "0x03", "0x0c"),
	CAS_METERS(BDW, "0x04", "0x03", "0x0c"),
	CAS_METERS(SKX, "0x04", "0x03", "0x0c"),
	CAS_METERS(ICX, "0x04", "0x0f", "0x30"),
	CAS_METERS(SPR, "0x05", "0xcf", "0xf0"),
};

const unsigned int catalogue_intel_xeon_count = ARRAY_SIZE(catalogue_intel_xeon);
