// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_natives.c - names against the module's tables: the module programs what libpfm4 encodes for
 * shared units, and every built-in name has a counter that can count it.
 */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/kernel.h>
#include <perfmon/pfmlib.h>
#include "error.h"
#include "event_of_spec.h"
#include "ksft.h"
#include "names.h"
#include "native.h"
#include "events.h"
#include "pmu/pmu.h"
#include "rcr.h"

/* libpfm4 sets these bits only in codes of nhm_unc and AMD. */
#define NOT_COMPARED	(RCR_SELECT_USER | RCR_SELECT_OS | RCR_SELECT_INT | RCR_SELECT_ENABLE)

static const struct rcr_family *family_of(const char *name)
{
	unsigned int i;

	for (i = 0; rcr_families[i]; i++)
		if (!strcmp(rcr_families[i]->name, name))
			return rcr_families[i];
	ksft_exit_fail_msg("unknown family %s\n", name);
}

static struct rcr_machine machine_of(const struct rcr_family *f)
{
	const struct rcr_pmu *pmu;
	struct rcr_machine m = { .family = f };
	unsigned int i;

	for (i = 0; (pmu = rcr_family_pmu(f, i)); i++)
		rcr_machine_add(&m, pmu, pmu->boxes ?: 1, pmu->counters, 0);
	return m;
}

/* Results of all names of a PMU; @unit is the module's name of the PMU. */
struct tried {
	const char *pmu;
	const char *unit;
	struct names names;
	struct rcr_machine machine;
	unsigned int same;
	unsigned int refused;
	unsigned int wrong;
};

/* Return libpfm4's codes of @name, which may begin with the module's name of a box. */
static int codes_of(const struct tried *t, const char *name, u64 *codes)
{
	const char *event = strstr(name, "::") ? strstr(name, "::") + 2 : name;
	pfm_pmu_encode_arg_t arg = { .size = sizeof(arg) };
	char full[512];
	int i;

	snprintf(full, sizeof(full), "%s::%s", t->pmu, event);
	if (pfm_get_os_event_encoding(full, PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, &arg))
		return -1;
	for (i = 0; i < arg.count && i <= RCR_FILTERS; i++)
		codes[i] = arg.codes[i];
	free(arg.codes);
	return 0;
}

static bool is_clock(const struct rcr_box *box)
{
	return !strcmp(box->pmu->name, "imcclk");
}

static bool is_same(const struct rcr_box *box, const struct rcr_event *e, const u64 *codes)
{
	u64 always = box->pmu->always | NOT_COMPARED;

	if (is_clock(box))
		return codes[0] == 0xff;
	return (rcr_pmu_select(box->pmu, e) & ~always) == (codes[0] & ~NOT_COMPARED) &&
	       e->filter[0] == codes[1] && e->filter[1] == codes[2];
}

static void complain(struct tried *t, const char *name, const char *what)
{
	if (t->wrong++ < 10)
		ksft_print_msg("%s: %s\n", name, what);
}

/* Return whether @name (UNIT::EVENT or EVENT) has no unit, or the tested one. */
static bool is_tried(const struct tried *t, const char *name)
{
	const char *colons = strstr(name, "::");
	size_t len = colons ? colons - name : 0;

	return !colons || (strlen(t->unit) == len && !strncmp(name, t->unit, len));
}

/* Parse an event as the module receives it. */
static bool read_event(const char *text, struct rcr_event *e, char why[RCR_SENTENCE_LEN])
{
	struct rcr_failure failure = { };
	struct rcr_event_spec spec;

	if (rcr_event_parse(text, &spec, 1, why, RCR_SENTENCE_LEN) != 1)
		return false;
	*e = event_of_spec(&spec);
	snprintf(why, RCR_SENTENCE_LEN, "the module refuses it");
	return !rcr_event_check(e, &failure);
}

static void try_name(void *to, const char *name, const char *description)
{
	char word[RCR_EVENT_LEN], text[RCR_EVENT_LEN];
	u64 codes[1 + RCR_FILTERS] = { };
	char reason[RCR_SENTENCE_LEN];
	const struct rcr_box *box;
	struct tried *t = to;
	struct rcr_event e;
	struct why why;

	(void)description;
	if (!is_tried(t, name) || codes_of(t, name, codes))
		return;
	snprintf(word, sizeof(word), "X=%.200s", name);
	if (names_resolve(&t->names, word, text, &why)) {
		if (!t->refused++)
			ksft_print_msg("%s\n", why.text);
		return;
	}
	if (!read_event(text, &e, reason))
		return complain(t, name, reason);
	box = rcr_machine_box(&t->machine, &e);
	if (!box || !rcr_pmu_has_event(box->pmu, &e))
		return complain(t, name, box ? "no such event" : "no such unit");
	if (rcr_pmu_unsupported(box->pmu, &e)) {
		if (!t->refused++)
			ksft_print_msg("%s: no %s\n", name, rcr_pmu_unsupported(box->pmu, &e));
		return;
	}
	if (is_same(box, &e, codes))
		t->same++;
	else
		complain(t, name, text);
}

/*
 * At least @least names must be programmed as libpfm4 encodes them. Up to @refused names may be
 * refused, because they need registers that the module does not program.
 */
struct pmu {
	const char *pmu;
	const char *family;
	const char *unit;
	unsigned int least;
	unsigned int refused;
};

/* Try a PMU in a child, because libpfm4 detects the processor only once. */
static int try_pmu(const struct pmu *p)
{
	struct tried t = { .pmu = p->pmu, .unit = p->unit };

	t.machine = machine_of(family_of(p->family));
	setenv("LIBPFM_FORCE_PMU", p->pmu, 1);
	names_init(&t.names, p->family, NULL, NULL);
	native_each(p->family, true, try_name, &t);
	ksft_print_msg("%s: %u names as libpfm4 encodes them, %u refused, %u wrong\n", p->pmu,
		       t.same, t.refused, t.wrong);
	names_free(&t.names);
	return t.wrong || t.same < p->least || t.refused > p->refused;
}

static const struct pmu pmus[] = {
	{ "amd64_fam15h_nb", "AMD Fam15h", "nb", 300, 0 },
	{ "amd64_fam19h_zen3_l3", "AMD Fam19h", "l3", 3, 0 },
	/* Refused: the clock, which needs its own counter. */
	{ "nhm_unc", "Intel Nehalem", "uncore", 150, 1 },
	{ "wsm_unc", "Intel Nehalem", "uncore", 150, 1 },
	{ "snbep_unc_cbo0", "Intel Sandy Bridge", "cbo0", 100, 0 },
	{ "snbep_unc_cbo7", "Intel Sandy Bridge", "cbo7", 100, 0 },
	/* Refused: events whose codes have bits above 21. */
	{ "snbep_unc_pcu", "Intel Sandy Bridge", "pcu", 20, 25 },
	{ "snbep_unc_ubo", "Intel Sandy Bridge", "ubox", 5, 0 },
	{ "snbep_unc_ha", "Intel Sandy Bridge", "ha", 60, 0 },
	{ "snbep_unc_imc3", "Intel Sandy Bridge", "imc3", 50, 0 },
	{ "snbep_unc_qpi1", "Intel Sandy Bridge", "qpi1", 70, 0 },
	{ "snbep_unc_r2pcie", "Intel Sandy Bridge", "r2pcie", 30, 0 },
	{ "ivbep_unc_cbo14", "Intel Ivy Bridge", "cbo14", 100, 0 },
	{ "ivbep_unc_pcu", "Intel Ivy Bridge", "pcu", 40, 20 },
	{ "hswep_unc_cbo17", "Intel Haswell", "cbo17", 100, 0 },
	{ "hswep_unc_pcu", "Intel Haswell", "pcu", 40, 0 },
	{ "bdx_unc_cbo23", "Intel Broadwell", "cbo23", 100, 0 },
	{ "bdx_unc_pcu", "Intel Broadwell", "pcu", 40, 0 },
	{ "skx_unc_cha27", "Intel Skylake-SP", "cha27", 500, 0 },
	{ "skx_unc_pcu", "Intel Skylake-SP", "pcu", 20, 0 },
};

static void test_pmus(void)
{
	unsigned int i;
	int status;
	pid_t child;

	for (i = 0; i < ARRAY_SIZE(pmus); i++) {
		fflush(stdout);
		child = fork();
		if (!child)
			exit(try_pmu(&pmus[i]));
		waitpid(child, &status, 0);
		ksft_test_result(!status, "the module programs what libpfm4 encodes for %s\n",
				 pmus[i].pmu);
	}
}

/* Resolve a name, and parse the event as the module does. */
static bool read_own(const struct own_name *own, struct rcr_event *e)
{
	char text[RCR_EVENT_LEN], why[RCR_SENTENCE_LEN];

	return code_text(text, sizeof(text), own->name, &own->code) &&
	       read_event(text, e, why);
}

static bool is_placed(const struct rcr_machine *m, const struct rcr_event *e)
{
	const struct rcr_box *box = rcr_machine_box(m, e);
	struct rcr_demand demand;

	if (!box || rcr_pmu_unsupported(box->pmu, e))
		return false;
	rcr_pmu_demand(box, e, &demand);
	return demand.allowed;
}

static bool check_own(const struct rcr_family *f, const char *pmu)
{
	const struct rcr_machine m = machine_of(f);
	const struct own_name *names;
	struct rcr_event e;
	bool right = true;
	size_t count, i, j;

	names = own_names(f->name, pmu, &count);
	for (i = 0; i < count; i++) {
		if (!read_own(&names[i], &e) || !is_placed(&m, &e)) {
			ksft_print_msg("%s: no counter counts %s\n", f->name, names[i].name);
			right = false;
		}
		for (j = 0; j < i; j++) {
			if (strcmp(names[i].name, names[j].name))
				continue;
			ksft_print_msg("%s: %s is in the list twice\n", f->name, names[i].name);
			right = false;
		}
	}
	return right && count >= rcr_family_defaults(f);
}

static bool check_defaults(const struct rcr_family *f)
{
	const struct own_name *own;
	struct rcr_event e;
	bool right = true;
	unsigned int i;

	for (i = 0; i < rcr_family_defaults(f); i++) {
		own = own_find(f->name, "", f->default_event[i].name);
		if (own && read_own(own, &e) && rcr_event_same(&e, &f->default_event[i]))
			continue;
		ksft_print_msg("%s: %s has %s\n", f->name, f->default_event[i].name,
			       own ? "another event" : "no built-in name");
		right = false;
	}
	return right;
}

/* 'rcrctl load default' must load the default set of the module. */
static bool check_load_default(const struct rcr_family *f)
{
	const char *const *names = own_defaults(f->name, "");
	unsigned int i, count = rcr_family_defaults(f);

	for (i = 0; names && i < count && names[i]; i++)
		if (strcmp(names[i], f->default_event[i].name))
			break;
	if (names && i == count && !names[i])
		return true;
	ksft_print_msg("%s: number %u is %s in 'rcrctl load default'\n", f->name, i,
		       names && names[i] ? names[i] : "missing");
	return false;
}

static void test_own(void)
{
	unsigned int i;

	for (i = 0; rcr_families[i]; i++) {
		ksft_test_result(check_own(rcr_families[i], ""),
				 "%s: every built-in name has a counter\n",
				 rcr_families[i]->name);
		ksft_test_result(check_defaults(rcr_families[i]),
				 "%s: the default set consists of built-in names\n",
				 rcr_families[i]->name);
		ksft_test_result(check_load_default(rcr_families[i]),
				 "%s: 'rcrctl load default' counts the module's default set\n",
				 rcr_families[i]->name);
	}
	ksft_test_result(check_own(family_of("AMD Fam17h"), "amd64_fam17h_zen1"),
			 "AMD Fam17h, Zen 1: every built-in name has a counter\n");
}

int main(void)
{
	unsigned int families = 0;

	while (rcr_families[families])
		families++;
	setenv("RCR_DICTIONARY", "/nonexistent", 1);
	ksft_print_header();
	ksft_set_plan(ARRAY_SIZE(pmus) + 3 * families + 1);
	test_pmus();
	test_own();
	ksft_finished();
}
