// SPDX-License-Identifier: GPL-2.0-only
/*
 * intel_events.c - which general counters of Intel's cores can count an event.
 *
 * Nehalem, Westmere and Sandy Bridge: SDM volume 3B, "Performance Monitoring for Processors Based
 * on" each: events with "counter 0" or the like in their comment, as in Linux (intel/core.c;
 * pmu-events of nehalemep and westmereep-dp). Later ones: field "Counter" of Intel's lists of
 * events (IVT, HSX, BDX, SKX, ICX, SPR), for a core with hyperthreading off. If the lists have an
 * event twice, the second time with fewer counters (because of a counter mask or PEBS), the fewer
 * ones are used here. There is no event 00h.
 */
#include "intel_events.h"

unsigned int vpmu_nehalem_allowed(uint32_t event, uint32_t umask)
{
	switch (event) {
	case 0x00:
		return 0;
	case 0x0b:
		return umask == 0x10 ? 0x8 : 0xf;
	case 0x40 ... 0x43: case 0x48: case 0x4c: case 0x4e: case 0x51 ... 0x53: case 0x63:
		return 0x3;
	}
	return 0xf;
}

unsigned int vpmu_westmere_allowed(uint32_t event, uint32_t umask)
{
	switch (event) {
	case 0x00:
		return 0;
	case 0x0b:
		return umask == 0x10 ? 0x8 : 0xf;
	case 0x4c: case 0x4e: case 0x51: case 0x52: case 0x63:
		return 0x3;
	case 0x60: case 0xb3:
		return 0x1;
	}
	return 0xf;
}

unsigned int vpmu_snb_allowed(uint32_t event, uint32_t umask)
{
	switch (event) {
	case 0x00:
		return 0;
	case 0x48:
		return 0x4;
	case 0xa3:
		return umask & 2 ? 0x4 : 0xf;
	case 0xc0:
		return umask == 1 ? 0x2 : 0xff;
	case 0xcd:
		return 0x8;
	case 0xd0 ... 0xd3:
		return 0xf;
	}
	return 0xff;
}

/* Counters that Ivy Bridge, Haswell and Broadwell have in common for an event. */
static unsigned int ivb_to_bdw_allowed(uint32_t event, uint32_t umask)
{
	switch (event << 8 | umask) {
	case 0x4801: case 0xa308: case 0xa30c:
		return 0x4;
	case 0xc001:
		return 0x2;
	case 0x0e01: case 0x3c02: case 0x7902: case 0x9c01:
	case 0xa302: case 0xa304 ... 0xa306: case 0xb101:
	case 0xc201: case 0xc404: case 0xc504: case 0xca1e:
		return 0xf;
	}
	switch (event) {
	case 0x00:
		return 0;
	case 0xb7: case 0xbb: case 0xd0 ... 0xd3:
		return 0xf;
	case 0xcd:
		return 0x8;
	}
	return 0xff;
}

unsigned int vpmu_ivb_allowed(uint32_t event, uint32_t umask)
{
	return ivb_to_bdw_allowed(event, umask);
}

unsigned int vpmu_hsw_allowed(uint32_t event, uint32_t umask)
{
	if (event == 0xbc || event == 0xc9)
		return 0xf;
	return ivb_to_bdw_allowed(event, umask);
}

unsigned int vpmu_bdw_allowed(uint32_t event, uint32_t umask)
{
	if (event == 0xc7 || (event == 0xa0 && umask == 3))
		return 0xf;
	return vpmu_hsw_allowed(event, umask);
}

unsigned int vpmu_skx_allowed(uint32_t event, uint32_t umask)
{
	switch (event << 8 | umask) {
	case 0xc001:
		return 0x2;
	case 0xa314: case 0xc404: case 0xc504:
		return 0xf;
	}
	switch (event) {
	case 0x00:
		return 0;
	case 0xb7: case 0xbb: case 0xc6: case 0xcd: case 0xd0 ... 0xd4:
		return 0xf;
	}
	return 0xff;
}

unsigned int vpmu_icx_allowed(uint32_t event, uint32_t umask)
{
	switch (event) {
	case 0x00:
		return 0;
	case 0xa3:
		return umask == 0x04 || umask == 0x10 || umask == 0x14 ? 0xff : 0xf;
	case 0x03: case 0x07: case 0x08: case 0x24: case 0x28: case 0x32:
	case 0x48: case 0x49: case 0x4c: case 0x51: case 0x54 ... 0x56:
	case 0x60: case 0x79: case 0x80: case 0x83: case 0x85: case 0x87:
	case 0xa8: case 0xab: case 0xb0: case 0xb7: case 0xbb: case 0xbd:
	case 0xd0 ... 0xd4: case 0xe6: case 0xef ... 0xf2: case 0xf4:
		return 0xf;
	}
	return 0xff;
}

unsigned int vpmu_spr_allowed(uint32_t event, uint32_t umask)
{
	switch (event << 8 | umask) {
	case 0xa404: case 0xa408: case 0xcd02:
		return 0x1;
	case 0xcd01:
		return 0xfe;
	case 0xa304: case 0xa310:
		return 0xff;
	}
	switch (event) {
	case 0x00:
		return 0;
	case 0x2e: case 0x3c:
		return 0xff;
	case 0x01 ... 0x2d: case 0x2f ... 0x3b: case 0x3d ... 0x8f:
	case 0xa3: case 0xd0 ... 0xd4:
		return 0xf;
	}
	return 0xff;
}
