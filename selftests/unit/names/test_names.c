// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_names.c - names of events on each family, and refused names.
 *
 * The encodings were copied from the manuals by hand.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "events.h"
#include "kernel.h"
#include "ksft.h"
#include "meant.h"
#include "native.h"

static void start(const char *family)
{
	names_init(&n, family, no_row, "dictionary");
}

static void test_raw(void)
{
	start("AMD Fam15h");
	ksft_test_result(is("A=event:1,umask:2,host,counter:3", "A=event:1,umask:2,host,counter:3") &&
			 is("event:0x76", "event:0x76") &&
			 is("S=software:cpu-clock", "S=software:cpu-clock") &&
			 is("M=nb:event:0x1f0,umask:0x19", "M=nb:event:0x1f0,umask:0x19") &&
			 is("nb:event:0x1e0,pernode", "nb:event:0x1e0,pernode") &&
			 is("ENERGY=register:energy-pkg", "ENERGY=register:energy-pkg") &&
			 is("register:aperf", "register:aperf") &&
			 is("A:B=tracepoint:7", "A:B=tracepoint:7"),
			 "the raw form of an event is passed on unchanged\n");
	ksft_test_result(is("FLOPS=RETIRED_FLOPS", "FLOPS=event:0x03,umask:0xff") &&
			 is("X=page-faults", "X=software:page-faults"),
			 "NAME=WORD sets the name of an event\n");
	ksft_test_result(refused("a b=TOT_CYC", "invalid name") &&
			 refused(".x=TOT_CYC", "invalid name") &&
			 refused("=TOT_CYC", "invalid name"),
			 "a name set by the user must be valid: %s\n", why.text);
	ksft_test_result(refused("FOO", "unknown event 'FOO'") && refused("", "unknown event") &&
			 refused("TOT_CYC=", "unknown event"),
			 "an unknown word is refused: %s\n", why.text);
	names_free(&n);
}

/* Return whether all names of the set @name are known on @family, and there are @count of them. */
static bool has_set(const char *family, const char *name, unsigned int count)
{
	char event[RCR_EVENT_LEN];
	const char *const *set;
	unsigned int i = 0;

	start(family);
	set = names_set(&n, name, &why);
	while (set && set[i] && !names_resolve(&n, set[i], event, &why))
		i++;
	names_free(&n);
	return set && !set[i] && i == count;
}

static void test_generic(void)
{
	start("AMD Fam15h");
	ksft_test_result(is("cycles", "TOT_CYC=event:0x76") && is("CPU-cycles", "TOT_CYC=event:0x76") &&
			 is("X=instructions", "X=event:0xc0") &&
			 is("branch-misses", "PAPI_BR_MSP=event:0xc3") &&
			 is("cache-misses", "PAPI_L2_TCM=event:0x7e,umask:0x03") &&
			 is("tot_cyc", "TOT_CYC=event:0x76") && is("Vec_Ins=tot_ins", "Vec_Ins=event:0xc0") &&
			 is("page-faults", "page-faults=software:page-faults"),
			 "names: perf's generic names and built-in names are found in any letter case\n");
	names_free(&n);
	start("AMD Fam15h");
	ksft_test_result(refused("cylces", "unknown event 'cylces': did you mean 'cycles'?") &&
			 refused("X=instuctions", "unknown event 'instuctions': did you mean 'instructions'?") &&
			 refused("TOTCYC", "did you mean 'TOT_CYC'?") &&
			 refused("tot_cycc", "did you mean 'TOT_CYC'?") &&
			 refused("paeg-fualts", "did you mean 'page-faults'?") &&
			 refused("vec_in", "did you mean 'VEC_INS'?"),
			 "names: the most similar name is suggested for a typo: %s\n", why.text);
	ksft_test_result(refused("cyyyyles", "see 'rcrctl events'") &&
			 refused("XY", "see 'rcrctl events'") &&
			 refused("X=a-name-of-more-than-sixty-three-characters-is-similar-to-no-name-at-all",
				 "see 'rcrctl events'"),
			 "names: a suggestion differs in at most two letters: %s\n", why.text);
	names_free(&n);
	start("Intel Nehalem");
	ksft_test_result(is("cycles", "TOT_CYC=event:0x3c") &&
			 is("branches", "PAPI_BR_INS=event:0x88,umask:0x7f") &&
			 is("cache-misses", "PAPI_L3_TCM=event:0x2e,umask:0x41"),
			 "names: generic names resolve to the closest event of each family\n");
	names_free(&n);
	start("AMD Fam16h");
	ksft_test_result(refused("cycles", "unknown event"),
			 "names: a family without names has no generic names: %s\n", why.text);
	names_free(&n);
}

static void test_topics(void)
{
	ksft_test_result(has_set("AMD Fam15h", "@flops", 4) && has_set("AMD Fam15h", "@mem", 5) &&
			 has_set("AMD PerfMonV2", "@flops", 4) && has_set("Intel Haswell", "@mem", 5) &&
			 has_set("Intel Skylake-SP", "@flops", 4),
			 "names: @flops and @mem consist of known names on each family\n");
}

/* Return the number of events of @ldms on @family, or 0 if it is refused. */
static unsigned int in_ldms(const char *family)
{
	const char *const *set;
	unsigned int count = 0;

	start(family);
	set = names_set(&n, "@ldms", &why);
	while (set && set[count] && !names_resolve(&n, set[count], event, &why))
		count++;
	return set && !set[count] ? count : 0;
}

static void test_sets(void)
{
	/* Table I of the LDMS MSR sampler paper, in its order. */
	static const char *const table_1[] = {
		"TOT_CYC", "TOT_INS", "RETIRED_FLOPS", "VEC_INS", "L1_DCM", "TLB_DM",
		"L3_CACHE_MISSES", "DCT_PREFETCH", "DCT_RD_TOT", "DCT_WRT",
	};
	static const char *const families[] = {
		"AMD Fam10h", "AMD Fam17h", "AMD Fam19h", "AMD PerfMonV2", "Intel Nehalem",
		"Intel Sandy Bridge", "Intel Ivy Bridge", "Intel Haswell", "Intel Broadwell",
		"Intel Skylake-SP", "Intel Ice Lake-SP", "Intel Sapphire Rapids",
	};
	const char *const *set;
	bool all = in_ldms("AMD Fam15h") == 10;
	unsigned int i;

	set = names_set(&n, "@ldms", &why);
	for (i = 0; all && i < 10; i++)
		all = !strcmp(set[i], table_1[i]);
	ksft_test_result(all, "names: @ldms on AMD Fam15h is Table I, in its order\n");
	all = true;
	for (i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (in_ldms(families[i]) < 4) {
			ksft_print_msg("%s has %u\n", families[i], in_ldms(families[i]));
			all = false;
		}
	ksft_test_result(all, "names: @ldms consists of known names on each family\n");
	start("AMD Fam16h");
	ksft_test_result(!names_set(&n, "@ldms", &why) && strstr(why.text, "AMD Fam16h") &&
			 strstr(why.text, "no events on this processor"),
			 "names: a family without names has no @ldms: %s\n", why.text);
	start("AMD Fam15h");
	ksft_test_result(!names_set(&n, "@LDMS", &why) &&
			 strstr(why.text, "unknown set '@LDMS': use @flops, @ldms or @mem"),
			 "names: the error for an unknown set lists the known ones\n");
	ksft_test_result(refused("@ldms", "is a set of events"),
			 "names: a set is refused where an event is expected: %s\n", why.text);
}

static void test_families(void)
{
	static const struct {
		const char *family, *word, *means;
	} known[] = {
		{ "AMD Fam10h", "TOT_CYC", "event:0x76" },
		{ "AMD Fam10h", "PAPI_FP_OPS", "event:0x03,umask:0x5b" },
		{ "AMD Fam10h", "RETIRED_UOPS", "event:0xc1" },
		{ "AMD Fam15h", "TOT_CYC", "event:0x76" },
		{ "AMD Fam15h", "PAPI_L2_DCM", "event:0x7e,umask:0x02" },
		{ "AMD Fam15h", "TOT_INS", "event:0xc0" },
		{ "AMD Fam15h", "RETIRED_FLOPS", "event:0x03,umask:0xff" },
		{ "AMD Fam15h", "VEC_INS", "event:0xcb,umask:0x04" },
		{ "AMD Fam15h", "L1_DCM", "event:0x41,umask:0x01" },
		{ "AMD Fam15h", "TLB_DM", "event:0x46,umask:0x07" },
		{ "AMD Fam15h", "L2_DCM", "event:0x43" },
		{ "AMD Fam15h", "L1_DCA", "event:0x40" },
		{ "AMD Fam15h", "LS_DISP", "event:0x29,umask:0x07" },
		{ "AMD Fam15h", "DP_OPS", "event:0x03,umask:0xf0" },
		{ "AMD Fam15h", "PAPI_TOT_CYC", "event:0x76" },
		{ "AMD Fam15h", "PAPI_TOT_INS", "event:0xc0" },
		{ "AMD Fam15h", "PAPI_FP_OPS", "event:0x03,umask:0xff" },
		{ "AMD Fam15h", "PAPI_VEC_INS", "event:0xcb,umask:0x04" },
		{ "AMD Fam15h", "PAPI_LL_DCM", "event:0x41,umask:0x01" },
		{ "AMD Fam15h", "PAPI_L1_DCM", "event:0x41,umask:0x01" },
		{ "AMD Fam15h", "PAPI_TLB_DM", "event:0x46,umask:0x07" },
		{ "AMD Fam15h", "L3_CACHE_MISSES", "nb:event:0x4e1,umask:0xf7" },
		{ "AMD Fam15h", "DCT_PREFETCH", "nb:event:0x1f0,umask:0x64" },
		{ "AMD Fam15h", "DCT_RD_TOT", "nb:event:0x1f0,umask:0x62" },
		{ "AMD Fam15h", "DCT_WRT", "nb:event:0x1f0,umask:0x19" },
		{ "AMD Fam15h", "RW_DRAM_INT", "nb:event:0x1e0,pernode" },
		{ "AMD Fam15h", "RW_DRAM_EXT", "nb:event:0x1e0,umask:0x0f,pernode" },
		{ "AMD Fam15h", "IO_DRAM_INT", "nb:event:0x1e1,pernode" },
		{ "AMD Fam15h", "IO_DRAM_EXT", "nb:event:0x1e1,umask:0x0f,pernode" },
		{ "AMD Fam17h", "RETIRED_FLOPS", "event:0x03,umask:0x0f" },
		{ "AMD Fam17h", "L3_CACHE_MISSES", "l3:event:0x06,umask:0x01" },
		{ "AMD Fam19h", "L3_CACHE_MISSES", "l3:event:0x04,umask:0x01" },
		{ "AMD Fam19h", "RETIRED_FLOPS", "event:0x03,umask:0x0f" },
		{ "AMD PerfMonV2", "L3_CACHE_ACCESSES", "l3:event:0x04,umask:0xff" },
		{ "AMD PerfMonV2", "PAPI_FP_OPS", "event:0x03,umask:0x0f" },
		{ "AMD PerfMonV2", "L1_DCM", "event:0x60,umask:0xe8" },
		{ "AMD Fam17h", "L1_DCM", "event:0x60,umask:0xc8" },
		{ "AMD Fam17h", "TLB_DM", "event:0x45,umask:0xf0" },
		{ "Intel Nehalem", "TOT_CYC", "event:0x3c" },
		{ "Intel Nehalem", "TOT_INS", "event:0xc0" },
		{ "Intel Nehalem", "FP_OPS", "event:0x10,umask:0x05" },
		{ "Intel Nehalem", "PAPI_VEC_INS", "event:0x10,umask:0x10" },
		{ "Intel Nehalem", "TLB_DM", "event:0x49,umask:0x01" },
		{ "Intel Nehalem", "PAPI_L3_TCM", "event:0x2e,umask:0x41" },
		{ "Intel Sandy Bridge", "PAPI_REF_CYC", "event:0x00,umask:0x03" },
		{ "Intel Haswell", "PAPI_BR_MSP", "event:0xc5,umask:0x01" },
		{ "Intel Sandy Bridge", "VEC_INS", "event:0x11,umask:0x03" },
		{ "Intel Ivy Bridge", "TLB_DM", "event:0x08,umask:0x81" },
		{ "Intel Haswell", "VEC_INS", "event:0xc6,umask:0x07" },
		{ "Intel Broadwell", "FP_INS", "event:0xc7,umask:0x3f" },
		{ "Intel Skylake-SP", "PAPI_VEC_INS", "event:0xc7,umask:0xfc" },
		{ "Intel Ice Lake-SP", "TLB_DM", "event:0x08,umask:0x0e" },
		{ "Intel Sapphire Rapids", "PAPI_TLB_DM", "event:0x12,umask:0x0e" },
	};
	char means[RCR_EVENT_LEN];
	bool all = true;
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		start(known[i].family);
		snprintf(means, sizeof(means), "%s=%s", known[i].word, known[i].means);
		all &= is(known[i].word, means);
		names_free(&n);
	}
	ksft_test_result(all, "%zu names have the encodings of the manuals\n", i);
	start("AMD Fam17h");
	ksft_test_result(refused("DCT_RD_TOT", "unknown on this processor") &&
			 refused("X=DCT_WRT", "unknown on this processor"),
			 "names of shared units are refused on other families: %s\n", why.text);
	names_free(&n);
	start("Nobody's");
	ksft_test_result(refused("TOT_CYC", "unknown event"),
			 "a name of another family is refused: %s\n", why.text);
	names_free(&n);
}

static void test_deficiencies(void)
{
	start("AMD Fam15h");
	ksft_test_result(names_deficiency(n.family, "X=event:0xcb,umask:0x04,user") &&
			 names_deficiency(n.family, "event:0x03") &&
			 !names_deficiency(n.family, "X=event:0xcb,umask:0x01") &&
			 !names_deficiency(n.family, "X=nb:event:0xcb,umask:0x04") &&
			 !names_deficiency(n.family, "TOT_CYC=event:0x76") &&
			 !names_deficiency(n.family, "X=software:page-faults") &&
			 !names_deficiency(n.family, "nonsense"),
			 "a known defect depends on event and unit mask, not on the name\n");
	names_free(&n);
	ksft_test_result(strstr(rcr_deficiency("Intel Sandy Bridge", 0x431110), "TACC Stats") &&
			 rcr_deficiency("Intel Sandy Bridge", 0x430211) &&
			 !rcr_deficiency("Intel Sandy Bridge", 0x4300c0) &&
			 strstr(rcr_deficiency("Intel Nehalem", 0x430510), "executed, not retired") &&
			 !rcr_deficiency("AMD Fam15h", 0x1004304cb) && !rcr_deficiency("", 0x430510),
			 "a known defect cites its source\n");
}

static void test_clean(void)
{
	char name[] = ".a=b c,d/e\xc3\xa4_.:-+9";

	name_clean(name);
	ksft_test_result(!strcmp(name, "-a-b-c-d-e--_.:-+9") && name_is_valid(name),
			 "invalid characters of a name are replaced by \"-\"\n");
	ksft_test_result(!name_is_valid("") && !name_is_valid(".x") && !name_is_valid("a=b") &&
			 name_is_valid("a.b:c-d+e_f") &&
			 !name_is_valid("1234567890123456789012345678901234567890123456789012345678901234"),
			 "a name that the module would refuse is refused\n");
}

static void test_code(void)
{
	struct code c;
	char text[64];

	ksft_test_result(code_from_select(0x3000530041, true, &c, &why) == -1,
			 "a select with unsupported bits is refused: %s\n", why.text);
	ksft_test_result(!code_from_select(0x3020255f7e1, true, &c, &why) &&
			 code_text(text, sizeof(text), "X", &c) &&
			 !strcmp(text, "X=event:0x2e1,umask:0xf7,cmask:2,edge,user,host,guest"),
			 "all fields of an AMD select are decoded: %s\n", text);
	ksft_test_result(code_from_select(0x7300c0, false, &c, &why) == -1 &&
			 strstr(why.text, "all threads"),
			 "the flag \"any thread\" is refused: %s\n", why.text);
	ksft_test_result(!code_text(text, 20, "LONGISH", &c), "a text that does not fit is an error\n");
	ksft_test_result(code_parse("event:0x1c0,umask:7,cmask:2,inv,edge,os,host,guest,en,counter:5", &c) &&
			 c.event == 0x1c0 && c.umask == 7 && c.cmask == 2 && c.inv && c.edge && c.os &&
			 !c.user && c.host && c.guest && c.pinned && c.counter == 5 &&
			 !code_parse("event:zz", &c) && !code_parse("event:1,foo", &c) &&
			 !code_parse("software:x", &c) && !code_parse("event:1,umask:", &c),
			 "the module's text of an event is parsed\n");
	ksft_test_result(code_parse("cbo0:event:0x35,filter:0x7c0000,filter1:0x18000000", &c) &&
			 c.filter[0] == 0x7c0000 && c.filter[1] == 0x18000000 &&
			 code_text(text, sizeof(text), "X", &c) &&
			 !strcmp(text, "X=cbo0:event:0x35,filter:0x7c0000,filter1:0x18000000"),
			 "filters in the module's text are parsed\n");
	ksft_test_result(code_parse("nb:event:0x1e0,umask:0x0f,pernode", &c) &&
			 !strcmp(c.unit, "nb") && c.event == 0x1e0 && c.umask == 0x0f && c.per_node &&
			 code_text(text, sizeof(text), "X", &c) &&
			 !strcmp(text, "X=nb:event:0x1e0,umask:0x0f,pernode") &&
			 code_parse("fifteen___chars:event:1", &c) &&
			 !strcmp(c.unit, "fifteen___chars") &&
			 !code_parse("sixteen____chars:event:1", &c) && !code_parse("a-b:event:1", &c) &&
			 !code_parse(":event", &c), "the module's text of a shared unit's event is parsed\n");
}

static void test_kernel(void)
{
	char folder[] = "/tmp/names.XXXXXX";
	char command[512];

	start("AMD Fam15h");
	ksft_test_result(is("context-switches", "context-switches=software:context-switches"),
			 "software events have perf's names\n");
	if (!mkdtemp(folder))
		ksft_exit_fail_msg("cannot make a directory\n");
	snprintf(command, sizeof(command),
		 "mkdir -p %s/events/sched/sched_switch && echo 314 >%s/events/sched/sched_switch/id",
		 folder, folder);
	if (system(command))
		ksft_exit_fail_msg("%s\n", command);
	setenv("RCR_TRACEFS", folder, 1);
	ksft_test_result(is("sched:sched_switch", "sched:sched_switch=tracepoint:314") &&
			 is("SW=sched:sched_switch", "SW=tracepoint:314"),
			 "tracepoints get their ids\n");
	ksft_test_result(refused("sched:nothing", "unknown event") &&
			 refused("../events:sched", "unknown event") &&
			 refused("sched:../sched/sched_switch", "unknown event"),
			 "an unknown tracepoint is refused\n");
	unsetenv("RCR_TRACEFS");
	snprintf(command, sizeof(command), "rm -r %s", folder);
	if (system(command))
		ksft_exit_fail_msg("%s\n", command);
	names_free(&n);
}

static void fam15h(void)
{
	start("");
	ksft_test_result(!strcmp(n.family, "AMD Fam15h"), "libpfm4 detects the family without a module\n");
	ksft_test_result(is("RETIRED_INSTRUCTIONS", "RETIRED_INSTRUCTIONS=event:0xc0") &&
			 is("retired_instructions", "retired_instructions=event:0xc0"),
			 "native names are found in any letter case\n");
	ksft_test_result(is("DATA_CACHE_MISSES:DC_MISS_STREAMING_STORE:u:k:c=2:i:e=1",
			    "DATA_CACHE_MISSES:DC_MISS_STREAMING_STORE:u:k:c-2:i:e-1=event:0x41,umask:0x01,cmask:2,inv,edge") &&
			 is("M=DATA_CACHE_MISSES:c=2:u", "M=event:0x41,umask:0x03,cmask:2,user"),
			 "native names accept unit masks and modifiers\n");
	ksft_test_result(is("RETIRED_INSTRUCTIONS:h", "RETIRED_INSTRUCTIONS:h=event:0xc0,host") &&
			 is("RETIRED_INSTRUCTIONS:k:g", "RETIRED_INSTRUCTIONS:k:g=event:0xc0,os,guest"),
			 "native names accept the modifiers for host and guest\n");
	ksft_test_result(is("amd64_fam15h_interlagos::RETIRED_INSTRUCTIONS",
			    "amd64_fam15h_interlagos::RETIRED_INSTRUCTIONS=event:0xc0"),
			 "native names accept libpfm4's name of the PMU\n");
	ksft_test_result(refused("RETIRED_INSTRUCTIONS:foo", "unknown unit mask or modifier") &&
			 refused("RETIRED_INSTRUCTIONS:c=999", "invalid event attribute value"),
			 "an unknown unit mask or modifier is refused: %s\n", why.text);
	ksft_test_result(refused("L2_PREFETCHER_TRIGGER_EVENTS:LOAD_L1_MISS_SEEN_BY_PREFETCHER:u:k:c=1",
				 "too long for a name") &&
			 is("P=L2_PREFETCHER_TRIGGER_EVENTS:LOAD_L1_MISS_SEEN_BY_PREFETCHER:u:k:c=1",
			    "P=event:0x16c,umask:0x01,cmask:1"),
			 "an event whose spelling is too long for a name needs NAME=\n");
	names_free(&n);
}

/* libpfm4 supports one processor at a time, which the caller selects. */
static void shared_units(void)
{
	start("AMD Fam15h");
	ksft_test_result(is("MEMORY_CONTROLLER_REQUESTS:WRITE_REQUESTS_TO_DCT",
			    "MEMORY_CONTROLLER_REQUESTS:WRITE_REQUESTS_TO_DCT=nb:event:0x1f0,umask:0x01") &&
			 is("L3_EVICTIONS", "L3_EVICTIONS=nb:event:0x4e3,umask:0x0f") &&
			 is("X=amd64_fam15h_nb::CPU_TO_DRAM_REQUESTS_TO_TARGET_NODE:LOCAL_TO_NODE_2",
			    "X=nb:event:0x1e0,umask:0x04"),
			 "native names of the northbridge use its counters\n");
	ksft_test_result(refused("L3_EVICTIONS:FOO", "unknown unit mask or modifier") &&
			 refused("L3_EVICTION", "did you mean 'L3_EVICTIONS'?"),
			 "an unknown native name is refused: %s\n", why.text);
	names_free(&n);
}

/* The encodings are in Intel SDM volume 3B, events of Nehalem's uncore. */
static void nehalem_shared(void)
{
	start("Intel Nehalem");
	ksft_test_result(is("UNC_LLC_HITS:ANY", "UNC_LLC_HITS:ANY=uncore:event:0x08,umask:0x03") &&
			 is("UNC_QHL_REQUESTS:LOCAL_READS",
			    "UNC_QHL_REQUESTS:LOCAL_READS=uncore:event:0x20,umask:0x10") &&
			 is("X=nhm_unc::UNC_LLC_HITS:ANY:e:i:c=3",
			    "X=uncore:event:0x08,umask:0x03,cmask:3,inv,edge") &&
			 is("uncore::UNC_LLC_HITS:READ",
			    "uncore::UNC_LLC_HITS:READ=uncore:event:0x08,umask:0x01"),
			 "Nehalem's uncore is found by libpfm4's name and by the module's name\n");
	ksft_test_result(refused("UNC_CLK_UNHALTED", "the unit's clock") &&
			 refused("UNC_GQ_ALLOC:READ_TRACKER:o", "bits 0x20000 "),
			 "an event that the module does not program is refused: %s\n", why.text);
	names_free(&n);
}

/* Encodings: Intel 327043, sections 2.3 and 2.6, and Cn_MSR_PMON_BOX_FILTER for filters. */
static void snbep(void)
{
	start("Intel Sandy Bridge");
	ksft_test_result(is("cbo3::UNC_C_TOR_INSERTS:MISS_ALL",
			    "cbo3::UNC_C_TOR_INSERTS:MISS_ALL=cbo3:event:0x35,umask:0x0a") &&
			 is("X=snbep_unc_cbo3::UNC_C_LLC_VICTIMS:M_STATE:t=5:i:e",
			    "X=cbo3:event:0x37,umask:0x01,cmask:5,inv,edge"),
			 "names of a slice select that slice\n");
	ksft_test_result(is("X=cbo3::UNC_C_LLC_LOOKUP:DATA_READ:STATE_M",
			    "X=cbo3:event:0x34,umask:0x03,filter:0x200000") &&
			 is("X=cbo3::UNC_C_TOR_INSERTS:NID_OPCODE:OPC_RFO:nf=3",
			    "X=cbo3:event:0x35,umask:0x41,filter:0xc0000c00"),
			 "filter terms are encoded in the filter of the box\n");
	ksft_test_result(refused("UNC_C_TOR_INSERTS:MISS_ALL",
				 "of each cbo: name one, as in cbo0::UNC_C_TOR_INSERTS:MISS_ALL"),
			 "a name without a slice is refused: %s\n", why.text);
	ksft_test_result(refused("cbo3::UNC_C_COUNTER0_OCCUPANCY:tf=1", "bits 0x80000 ") &&
			 refused("cbo3::UNC_C_TOR_INSERTS", "'rcrctl list \"cbo3::UNC_C_TOR_INSERTS*\"'") &&
			 refused("cbo9::UNC_C_TOR_INSERTS:ALL", "unknown event"),
			 "invalid filters, missing unit masks and missing slices are refused: %s\n",
			 why.text);
	names_free(&n);
}

static void power_control(void)
{
	start("Intel Sandy Bridge");
	ksft_test_result(is("UNC_P_FREQ_BAND1_CYCLES:ff=12",
			    "UNC_P_FREQ_BAND1_CYCLES:ff-12=pcu:event:0x0c,filter:0xc00") &&
			 is("pcu::UNC_P_POWER_STATE_OCCUPANCY:CORES_C6",
			    "pcu::UNC_P_POWER_STATE_OCCUPANCY:CORES_C6=pcu:event:0x80,umask:0x03"),
			 "events of power control have no box number, and support bands and occupancies\n");
	names_free(&n);
}

static void links(void)
{
	start("Intel Sandy Bridge");
	ksft_test_result(is("qpi1::UNC_Q_RXL_CREDITS_CONSUMED_VN0:DRS",
			    "qpi1::UNC_Q_RXL_CREDITS_CONSUMED_VN0:DRS=qpi1:event:0x11e,umask:0x01") &&
			 is("X=qpi1::UNC_Q_CLOCKTICKS", "X=qpi1:event:0x14"),
			 "the code of an event of a QPI unit may exceed 255\n");
	names_free(&n);
}

/* The clock has a dedicated counter. */
static void channels(void)
{
	start("Intel Sandy Bridge");
	ksft_test_result(is("imc2::UNC_M_CLOCKTICKS", "imc2::UNC_M_CLOCKTICKS=imcclk2:event:0x00") &&
			 is("X=imc2::UNC_M_CAS_COUNT:RD", "X=imc2:event:0x04,umask:0x03"),
			 "the clock of a channel has a dedicated counter\n");
	names_free(&n);
}

/* Events of a unit that the module does not count. */
static void not_counted(void)
{
	start("Intel Ivy Bridge");
	ksft_test_result(refused("UNC_R3_RXR_AD_BYPASSED", "that this version does not support") &&
			 is("cbo14::UNC_C_TOR_INSERTS:ALL",
			    "cbo14::UNC_C_TOR_INSERTS:ALL=cbo14:event:0x35,umask:0x08"),
			 "an event of a unit that is not counted is refused: %s\n", why.text);
	names_free(&n);
}

static void nehalem(void)
{
	start("Intel Nehalem");
	ksft_test_result(is("UNHALTED_REFERENCE_CYCLES", "UNHALTED_REFERENCE_CYCLES=event:0x00,umask:0x03") &&
			 is("FP_COMP_OPS_EXE:SSE_FP", "FP_COMP_OPS_EXE:SSE_FP=event:0x10,umask:0x04") &&
			 is("ARITH:DIV", "ARITH:DIV=event:0x14,umask:0x01,cmask:1,inv,edge"),
			 "native names of Nehalem include the modifiers that libpfm4 implies\n");
	ksft_test_result(refused("OFFCORE_RESPONSE_0:ANY_DATA:ANY_DRAM", "needs a second register") &&
			 refused("MEM_INST_RETIRED:LATENCY_ABOVE_THRESHOLD:ldlat=10", "needs a second register") &&
			 refused("INST_RETIRED:ANY_P:t", "all threads"),
			 "an event that needs a second register is refused: %s\n", why.text);
	ksft_test_result(refused("FP_COMP_OPS_EXE", "needs a unit mask"),
			 "a missing unit mask is reported: %s\n",
			 why.text);
	names_free(&n);
}

static void zen3(void)
{
	start("AMD Fam19h");
	ksft_test_result(is("UNC_L3_REQUESTS", "UNC_L3_REQUESTS=l3:event:0x04,umask:0xff"),
			 "Zen 3's native names of the L3 use its counters\n");
	names_free(&n);
}

static void zen1(void)
{
	start("AMD Fam17h");
	ksft_test_result(is("RETIRED_FLOPS", "RETIRED_FLOPS=event:0x03,umask:0xff") &&
			 is("DP_OPS", "DP_OPS=event:0x03,umask:0xf0"),
			 "Zen 1 has different bits for double precision\n");
	names_free(&n);
}

/* Run a test in a child for each processor, because libpfm4 detects the processor only once. */
static void on(const char *pmu, void (*test)(void), unsigned int tests)
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		setenv("LIBPFM_FORCE_PMU", pmu, 1);
		test();
		exit(ksft_failed ? KSFT_FAIL : KSFT_PASS);
	}
	waitpid(child, &status, 0);
	ksft_number += tests;
	ksft_failed += !!status;
}

int main(void)
{
	setenv("RCR_DICTIONARY", "/nonexistent", 1);
	ksft_print_header();
	ksft_set_plan(4 + 4 + 2 + 5 + 3 + 2 + 2 + 7 + 3 + 7 + 2 + 3 + 2 + 4 + 4 + 1 + 1);
	/* First, because children must not inherit a libpfm4 that has detected a processor. */
	on("amd64_fam15h_interlagos", fam15h, 7);
	on("amd64_fam15h_nb", shared_units, 2);
	on("nhm", nehalem, 3);
	on("nhm_unc", nehalem_shared, 2);
	on("snbep_unc_cbo3", snbep, 4);
	on("snbep_unc_pcu", power_control, 1);
	on("snbep_unc_qpi1", links, 1);
	on("snbep_unc_imc2", channels, 1);
	on("ivbep_unc_irp", not_counted, 1);
	on("amd64_fam17h_zen1", zen1, 1);
	on("amd64_fam19h_zen3_l3", zen3, 1);
	test_raw();
	test_generic();
	test_topics();
	test_sets();
	test_families();
	test_deficiencies();
	test_clean();
	test_code();
	test_kernel();
	ksft_finished();
}
