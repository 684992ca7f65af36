// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_pmunames.c - events of the kernel's PMUs, from a fake sysfs: two packages of two dies of two
 * CPUs.
 *
 * The directories are those of Linux 6.1 and 6.12 on Interlagos, Zen and Sandy Bridge-EP.
 */
#include "meant.h"
#include "sysfs/pmu_raw.h"
#include "sysfs_tree.h"

static void put_pmu(const char *pmu, unsigned int type, const char *cpumask)
{
	char text[16];

	snprintf(text, sizeof(text), "%u\n", type);
	put(text, "bus/event_source/devices/%s/type", pmu);
	if (cpumask)
		put(cpumask, "bus/event_source/devices/%s/cpumask", pmu);
}

static void put_format(const char *pmu, const char *term, const char *bits)
{
	put(bits, "bus/event_source/devices/%s/format/%s", pmu, term);
}

static void put_event(const char *pmu, const char *name, const char *terms)
{
	put(terms, "bus/event_source/devices/%s/events/%s", pmu, name);
}

static void put_cpus(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < 8; cpu++) {
		put_id(cpu, "physical_package_id", cpu / 4);
		put_id(cpu, "die_id", cpu / 2 % 2);
		put_id(cpu, "core_id", cpu % 2);
		put("3\n", "devices/system/cpu/cpu%u/cache/index0/level", cpu);
		put(cpu % 2 ? "1\n" : "0\n", "devices/system/cpu/cpu%u/cache/index0/id", cpu);
	}
}

static void put_intel_box(const char *pmu, unsigned int type)
{
	put_pmu(pmu, type, "0,4\n");
	put_format(pmu, "event", "config:0-7\n");
	put_format(pmu, "umask", "config:8-15\n");
	put_format(pmu, "edge", "config:18\n");
	put_format(pmu, "inv", "config:23\n");
	put_format(pmu, "thresh", "config:24-31\n");
	put_format(pmu, "filter_nid", "config1:10-17\n");
}

static void put_pmus(void)
{
	put_pmu("amd_nb", 10, "0,2,4,6\n");
	put_format("amd_nb", "event", "config:0-7,32-35\n");
	put_format("amd_nb", "umask", "config:8-15\n");
	put_pmu("amd_l3", 11, "0-1,4-5\n");
	put_format("amd_l3", "event", "config:0-7\n");
	put_format("amd_l3", "umask", "config:8-15\n");
	put_format("amd_l3", "threadmask", "config:56-63\n");
	put_pmu("amd_umc_12", 12, "4\n");
	put_format("amd_umc_12", "event", "config:0-7\n");
	put_format("amd_umc_12", "rdwrmask", "config:8-9\n");
	put_pmu("power", 13, "0,4\n");
	put_format("power", "event", "config:0-7\n");
	put_event("power", "energy-pkg", "event=0x02\n");
	put_event("power", "energy-pkg.unit", "Joules\n");
	put_event("power", "energy-pkg.scale", "2.3283064365386962890625e-10\n");
	put_event("power", "watts", "event=0x03\n");
	put_event("power", "watts.unit", "Joules\n");
	put_event("power", "watts.scale", "1e-3\n");
	put_pmu("msr", 14, NULL);
	put_format("msr", "event", "config:0-63\n");
	put_event("msr", "aperf", "event=0x01\n");
	put_event("msr", "tsc", "event=0x00\n");
	put_event("msr", "cpu_thermal_margin", "event=0x05\n");
	put_event("msr", "cpu_thermal_margin.snapshot", "1\n");
	put_pmu("rcrtool", 19, "0\n");
	put_format("rcrtool", "meter", "config:0-15\n");
	put_event("rcrtool", "cpi", "meter=3\n");
	put_intel_box("uncore_cbox_3", 15);
	put_intel_box("uncore_imc_0", 16);
	put_event("uncore_imc_0", "cas_count_read", "event=0x04,umask=0x03\n");
	put_pmu("uncore_pcu", 17, "0,4\n");
	put_format("uncore_pcu", "event", "config:0-7\n");
	put_format("uncore_pcu", "occ_sel", "config:14-15\n");
	put_format("uncore_pcu", "occ_edge", "config:14-51\n");
	put_pmu("uncore", 18, "0,4\n");
	put_format("uncore", "event", "config:0-7\n");
	put_format("uncore", "cmask", "config:24-31\n");
	put_pmu("cpu", 4, NULL);
	put_format("cpu", "event", "config:0-7,32-35\n");
	put_format("cpu", "umask", "config:8-15\n");
	put_format("cpu", "ldlat", "config1:0-15\n");
	put_event("cpu", "cycles", "event=0x76\n");
}

static void test_terms(void)
{
	ksft_test_result(is("L=amd_nb/event=0x4e1,umask=0xf7/", "L=pmu:10,config:0x40000f7e1,scope:die") &&
			 is("amd_nb/event=1/", "amd_nb-event-1-=pmu:10,config:0x1,scope:die") &&
			 is("a:b=amd_nb/event=1/", "a:b=pmu:10,config:0x1,scope:die") &&
			 is("X=amd_nb/config=0xfff,config2=7/", "X=pmu:10,config:0xfff,config2:0x7,scope:die") &&
			 is("X=uncore_cbox_3/event=1,edge,thresh=255,filter_nid=2/",
			    "X=pmu:15,config:0xff040001,config1:0x800,scope:package"),
			 "terms are encoded by their formats\n");
	ksft_test_result(is("E=power/energy-pkg/", "E=pmu:13,config:0x2,scope:package,joules") &&
			 is("E=power/event=0x02/", "E=pmu:13,config:0x2,scope:package,joules") &&
			 is("E=power/watts/", "E=pmu:13,config:0x3,scope:package") &&
			 is("M=uncore_imc_0/cas_count_read/", "M=pmu:16,config:0x304,scope:package,slow") &&
			 is("M=uncore_imc_0/cas_count_read,inv/", "M=pmu:16,config:0x800304,scope:package,slow") &&
			 is("T=msr/tsc/", "T=pmu:14,scope:cpu"),
			 "the kernel's names of events are found, with their units\n");
	ksft_test_result(is("A=amd_l3/event=4/", "A=pmu:11,config:0x4,scope:llc") &&
			 is("A=amd_umc_12/event=0,rdwrmask=3/", "A=pmu:12,config:0x300,scope:package") &&
			 is("A=msr/aperf/", "A=pmu:14,config:0x1,scope:cpu"),
			 "the scope is taken from the cpumask, which has one CPU of each unit\n");
	ksft_test_result(is("C=cpu/event=0x1c0,umask=2/", "C=event:0x1c0,umask:0x02") &&
			 is("C=cpu/cycles/", "C=event:0x76") &&
			 refused("cpu/cycles,ldlat=3/", "second register"),
			 "events of the core PMU are core events\n");
}

static void test_refused(void)
{
	static const char *const wrong[][2] = {
		{ "X=amd_df/event=1/", "no PMU 'amd_df'" },
		{ "X=../cpu/event=1/", "no PMU '..'" },
		{ "X=amd_nb/event=0x1000/", "event: 0x1000 is too large for the kernel's PMU amd_nb: the maximum is 0xfff" },
		{ "X=amd_nb/event=1,color=2/", "'color' is neither an event nor a term of the kernel's PMU amd_nb, whose terms are event, umask" },
		{ "X=amd_nb/event=/", "invalid number" },
		{ "X=amd_nb/event=0x1x/", "invalid number" },
		{ "X=amd_nb/event=-1/", "invalid number" },
		{ "X=power/energy-ram/", "neither an event nor a term" },
		{ "X=power/../type/", "neither an event nor a term" },
		{ "X=power/energy-pkg", "write PMU/EVENT/" },
		{ "X=/event=1/", "write PMU/EVENT/" },
		{ "X=power//", "write PMU/EVENT/" },
		{ "X=msr/cpu_thermal_margin/", "is a value, not a count: read it with 'perf stat -a -e msr/cpu_thermal_margin/'" },
		{ "X=msr/event=5/", "is a value, not a count" },
		{ "X=pmu:14,config:0x5,scope:cpu", "is a value, not a count" },
		{ "X=rcrtool/cpi/", "is a meter of rcrtool, not an event: read a meter with 'rcrctl meter'" },
		{ "rcrtool/meter=4/", "is a meter of rcrtool" },
		{ "X=pmu:19,config:0x3", "is a meter of rcrtool" },
	};
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		ksft_test_result(refused(wrong[i][0], wrong[i][1]), "%s: %s\n", wrong[i][0],
				 why.text);
}

/* Units and registers that the module has a table for, with each source. */
static void test_policies(void)
{
	names_set_policy(&n, "msr");
	ksft_test_result(is("L3_CACHE_MISSES", "L3_CACHE_MISSES=nb:event:0x4e1,umask:0xf7") &&
			 is("E=register:energy-pkg", "E=register:energy-pkg") &&
			 is("A=amd_nb/event=1/", "A=pmu:10,config:0x1,scope:die"),
			 "source=msr counts units with the module's tables\n");
	names_set_policy(&n, "perf");
	ksft_test_result(is("L3_CACHE_MISSES", "L3_CACHE_MISSES=pmu:10,config:0x40000f7e1,scope:die") &&
			 is("X=L3_CACHE_MISSES", "X=pmu:10,config:0x40000f7e1,scope:die") &&
			 is("X=nb:event:1,slow", "X=pmu:10,config:0x1,scope:die,slow") &&
			 is("nb:event:1", "nb:event:1=pmu:10,config:0x1,scope:die") &&
			 is("X=umc12:event:0x0a,umask:2", "X=pmu:12,config:0x20a,scope:package") &&
			 is("X=cbo3:event:1,umask:2,cmask:3,inv,edge", "X=pmu:15,config:0x3840201,scope:package") &&
			 is("X=uncore:event:1,cmask:3", "X=pmu:18,config:0x3000001,scope:package") &&
			 is("X=pcu:event:0x80,umask:2", "X=pmu:17,config:0x8080,scope:package") &&
			 is("X=imc0:event:4", "X=pmu:16,config:0x4,scope:package,slow") &&
			 is("E=register:energy-pkg", "E=pmu:13,config:0x2,scope:package,joules") &&
			 is("A=register:aperf", "A=pmu:14,config:0x1,scope:cpu"),
			 "source=perf counts units with the kernel's PMUs\n");
	ksft_test_result(is("TOT_CYC", "TOT_CYC=event:0x76") && is("X=cbo4:event:1", "X=cbo4:event:1") &&
			 is("M=register:mperf", "M=register:mperf") &&
			 is("RW_DRAM_EXT", "RW_DRAM_EXT=nb:event:0x1e0,umask:0x0f,pernode") &&
			 is("X=nb:event:1,counter:2", "X=nb:event:1,counter:2"),
			 "a name that the PMU cannot express is unchanged\n");
	ksft_test_result(refused("X=umc12:event:1,umask:4", "rdwrmask: 0x4 is too large") &&
			 refused("X=pcu:event:1,edge", "'edge' is neither"),
			 "an event that the PMU cannot count is refused: %s\n", why.text);
	put_pmu("amd_df", 19, "0,4\n");
	ksft_test_result(is("X=umc12:event:0x0a,umask:2", "X=umc12:event:0x0a,umask:2"),
			 "a PMU that lacks one of two nodes does not replace the unit\n");
	names_set_policy(&n, "auto");
	ksft_test_result(is("L3_CACHE_MISSES", "L3_CACHE_MISSES=pmu:10,config:0x40000f7e1,scope:die") &&
			 is("RW_DRAM_EXT", "RW_DRAM_EXT=nb:event:0x1e0,umask:0x0f,pernode") &&
			 is("X=umc12:event:1,umask:4", "X=umc12:event:1,umask:4"),
			 "source=auto prefers the kernel's PMU, and uses the module otherwise\n");
	ksft_test_result(!names_keep(&n, "X=amd_nb/event=1/") && !names_keep(&n, "X=event:1") &&
			 names_keep(&n, "X=nb:event:1,pernode") && !names_keep(&n, "nb:event:2") &&
			 names_keep(&n, "X=cbo7:event:1") &&
			 is("L3_CACHE_MISSES", "L3_CACHE_MISSES=nb:event:0x4e1,umask:0xf7") &&
			 is("X=cbo3:event:1", "X=cbo3:event:1") &&
			 is("X=uncore:event:1", "X=pmu:18,config:0x1,scope:package"),
			 "source=auto leaves a unit to the module if the module already counts some of it\n");
	names_set_policy(&n, "perf");
	ksft_test_result(is("X=nb:event:1", "X=pmu:10,config:0x1,scope:die"),
			 "source=perf leaves a unit to the kernel's PMU\n");
	names_set_policy(&n, "");
	n.nkept = 0;
}

static bool reads(const char *raw, const char *spelt)
{
	char text[RCR_EVENT_LEN];
	const char *got = pmu_readable(raw, text);

	if (strcmp(got, spelt))
		ksft_print_msg("%s: %s\n", raw, got);
	return !strcmp(got, spelt);
}

static void test_readable(void)
{
	ksft_test_result(reads("pmu:10,config:0x40000f7e1,scope:die", "amd_nb/event=0x4e1,umask=0xf7/") &&
			 reads("pmu:13,config:0x2,scope:package,joules", "power/energy-pkg/") &&
			 reads("pmu:16,config:0x304,scope:package,slow", "uncore_imc_0/cas_count_read/") &&
			 reads("pmu:15,config:0xff040001,config1:0x800,scope:package",
			       "uncore_cbox_3/event=0x01,edge=0x01,filter_nid=0x02,thresh=0xff/") &&
			 reads("pmu:17,config:0x8080,scope:package", "uncore_pcu/event=0x80,occ_sel=0x02/") &&
			 reads("pmu:10,scope:die", "amd_nb/config=0/") &&
			 reads("pmu:10,config:0xf000,config2:7,scope:die", "amd_nb/umask=0xf0,config2=0x07/"),
			 "an event is printed in perf's spelling\n");
	ksft_test_result(reads("pmu:10,config:1,scope:package", "pmu:10,config:1,scope:package") &&
			 reads("pmu:10,config:1,scope:die,slow", "pmu:10,config:1,scope:die,slow") &&
			 reads("pmu:99,config:1", "pmu:99,config:1") && reads("pmu:x", "pmu:x") &&
			 reads("nb:event:1", "nb:event:1"),
			 "an event that perf cannot spell is printed in raw form\n");
}

static void count_name(void *to, const char *name, const char *description)
{
	strcat(to, name);
	strcat(to, strstr(description, "in Joules") ? " J;" : ";");
}

static void test_list(void)
{
	char all[1024] = "";

	pmu_each(count_name, all);
	ksft_test_result(!strcmp(all, "msr/aperf/;msr/tsc/;power/energy-pkg/ J;power/watts/ J;uncore_imc_0/cas_count_read/;"),
			 "all named events are listed, except those of the core: %s\n", all);
}

int main(void)
{
	begin_tree();
	setenv("RCR_DICTIONARY", "/nonexistent", 1);
	setenv("RCR_SYSFS", root, 1);
	ksft_print_header();
	ksft_set_plan(4 + 19 + 7 + 2 + 1);
	put_cpus();
	put_pmus();
	names_init(&n, "AMD Fam15h", no_row, "dictionary");
	test_terms();
	test_refused();
	test_policies();
	test_readable();
	test_list();
	names_free(&n);
	remove_tree();
	ksft_finished();
}
