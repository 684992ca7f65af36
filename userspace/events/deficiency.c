// SPDX-License-Identifier: GPL-2.0-only
/*
 * deficiency.c - what is known to be wrong with an event, and who says so.
 *
 * Only what a source states or what follows from a manual's own words.
 */
#include <stddef.h>
#include <string.h>

#include "deficiency.h"

#define FAM10H	"AMD Fam10h"
#define FAM15H	"AMD Fam15h"
#define FAM17H	"AMD Fam17h"
#define FAM19H	"AMD Fam19h"
#define V2	"AMD PerfMonV2"
#define NEHALEM	"Intel Nehalem"
#define SNB	"Intel Sandy Bridge"
#define IVB	"Intel Ivy Bridge"
#define HASWELL	"Intel Haswell"
#define BROADWELL "Intel Broadwell"
#define SKYLAKE	"Intel Skylake-SP"
#define ICE_LAKE "Intel Ice Lake-SP"
#define SPR	"Intel Sapphire Rapids"

#define ANY_UMASK	0	/* as mask: whatever the unit mask is */

#define NO_X87	"leaves out x87: counts SSE and AVX operations only "
#define SCALAR	"no vector count: scalar SSE and AVX instructions are in it, too "
#define EXECUTED \
	"counts operations executed, not retired: those of wrong paths are in it, too "
#define EXECUTED_BRANCHES \
	"counts branches executed, not retired: those of wrong paths are in it, too "
#define ISSUED \
	"counts issues, not retirements: what waits for its operands is counted again, up to ten times as much " \
	"(Evans et al., TACC Stats)"

#define APPROXIMATE \
	"counts a repeated string instruction once, whatever it moves (Intel, events of HaswellX)"
#define FMA_TWICE \
	"counts an instruction that multiplies and adds twice, and no x87 (Intel, FP_ARITH_INST_RETIRED)"

static const struct deficiency {
	const char *family;
	unsigned int event;
	unsigned int umask;	/* any of these bits */
	const char *text;
} deficiencies[] = {
	{ FAM10H, 0x003, ANY_UMASK,
	  "leaves out x87: counts SSE operations only (AMD 31116, EventSelect 003h)" },
	{ FAM15H, 0x003, ANY_UMASK, NO_X87 "(AMD 42301, PMCx003)" },
	{ FAM15H, 0x0cb, 0x04, SCALAR "(AMD 42301, PMCx0CB)" },
	{ FAM15H, 0x041, 0x01,
	  "counts the first miss to a line only, and streaming stores, too (AMD 42301, PMCx041)" },
	{ FAM17H, 0x003, ANY_UMASK, NO_X87 "(AMD 54945, PMCx003)" },
	{ FAM17H, 0x0cb, 0x04, SCALAR "(AMD 54945, PMCx0CB)" },
	{ FAM19H, 0x003, ANY_UMASK, NO_X87 "(AMD 55898, PMCx003)" },
	{ FAM19H, 0x0cb, 0x04, SCALAR "(AMD 55898, PMCx0CB)" },
	{ V2, 0x003, ANY_UMASK, NO_X87 "(AMD 55901, PMCx003)" },
	{ V2, 0x0cb, 0x04, SCALAR "(AMD 55901, PMCx0CB)" },
	{ NEHALEM, 0x10, ANY_UMASK, EXECUTED "(Intel SDM 3B, FP_COMP_OPS_EXE)" },
	{ NEHALEM, 0x88, ANY_UMASK, EXECUTED_BRANCHES "(Intel SDM 3B, BR_INST_EXEC)" },
	{ NEHALEM, 0x89, ANY_UMASK, EXECUTED_BRANCHES "(Intel SDM 3B, BR_MISP_EXEC)" },
	{ SNB, 0x10, ANY_UMASK, ISSUED },
	{ SNB, 0x11, ANY_UMASK, ISSUED },
	{ IVB, 0x10, ANY_UMASK, ISSUED },
	{ IVB, 0x11, ANY_UMASK, ISSUED },
	{ HASWELL, 0xc6, ANY_UMASK, APPROXIMATE },
	{ BROADWELL, 0xc7, ANY_UMASK, FMA_TWICE },
	{ SKYLAKE, 0xc7, ANY_UMASK, FMA_TWICE },
	{ ICE_LAKE, 0xc7, ANY_UMASK, FMA_TWICE },
	{ SPR, 0xc7, ANY_UMASK, FMA_TWICE },
};

const char *rcr_deficiency(const char *family, uint64_t select)
{
	unsigned int event = (select & 0xff) | (select >> 24 & 0xf00);
	unsigned int umask = select >> 8 & 0xff;
	const struct deficiency *d;
	size_t i;

	for (i = 0; i < sizeof(deficiencies) / sizeof(deficiencies[0]); i++) {
		d = &deficiencies[i];
		if (d->event == event && !strcmp(d->family, family) &&
		    (d->umask == ANY_UMASK || (umask & d->umask)))
			return d->text;
	}
	return NULL;
}
