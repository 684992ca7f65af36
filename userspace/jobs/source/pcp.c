// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pcp.c - metrics of the operating system from PCP, either from its Linux agent, loaded into this
 * process, or from pmcd.
 *
 * libpcp is loaded on demand, so that rcrjob runs where PCP is not installed.
 */
#include <dlfcn.h>
#include <pcp/pmapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source/source.h"

#define LIBRARY		"libpcp.so.3"
#define PCP_METRICS	512

/**
 * struct pcp_library - functions of libpcp
 * @tried: loading was attempted
 * @usable: there is a PCP context to read from
 * @missing: why there is no context
 */
struct pcp_library {
	bool tried;
	bool usable;
	char missing[SOURCE_MISSING_LEN];
	__typeof__(pmGetOptionalConfig) *get_config;
	__typeof__(pmSpecLocalPMDA) *spec_local;
	__typeof__(pmNewContext) *new_context;
	__typeof__(pmTraversePMNS_r) *traverse;
	__typeof__(pmLookupName) *lookup_name;
	__typeof__(pmLookupDesc) *lookup_desc;
	__typeof__(pmFetch) *fetch;
	__typeof__(pmFreeResult) *free_result;
	__typeof__(pmNameInDom) *name_in_dom;
	__typeof__(pmExtractValue) *extract_value;
	__typeof__(pmUnitsStr_r) *units_str;
	__typeof__(pmErrStr_r) *err_str;
};

/**
 * struct pcp_metrics - metrics of a source
 * @count: entries of the arrays
 * @name: their names
 * @pmid: their identifiers
 * @desc: their descriptions
 */
struct pcp_metrics {
	unsigned int count;
	char *name[PCP_METRICS];
	pmID pmid[PCP_METRICS];
	pmDesc desc[PCP_METRICS];
};

static struct pcp_library pcp;

static bool load_functions(void *library)
{
	const struct {
		const char *name;
		void **function;
	} each[] = {
		{ "pmGetOptionalConfig", (void **)&pcp.get_config },
		{ "pmSpecLocalPMDA", (void **)&pcp.spec_local },
		{ "pmNewContext", (void **)&pcp.new_context },
		{ "pmTraversePMNS_r", (void **)&pcp.traverse },
		{ "pmLookupName", (void **)&pcp.lookup_name },
		{ "pmLookupDesc", (void **)&pcp.lookup_desc },
		{ "pmFetch", (void **)&pcp.fetch },
		{ "pmFreeResult", (void **)&pcp.free_result },
		{ "pmNameInDom", (void **)&pcp.name_in_dom },
		{ "pmExtractValue", (void **)&pcp.extract_value },
		{ "pmUnitsStr_r", (void **)&pcp.units_str },
		{ "pmErrStr_r", (void **)&pcp.err_str },
	};
	unsigned int i;

	for (i = 0; i < sizeof(each) / sizeof(each[0]); i++) {
		*each[i].function = dlsym(library, each[i].name);
		if (!*each[i].function)
			return false;
	}
	return true;
}

/*
 * Loads the Linux agent only, after checking that it and the names of metrics are installed: libpcp
 * prints warnings if something is missing, and continues.
 */
static bool load_linux_agent(const char *agents)
{
	char path[PATH_MAX], spec[PATH_MAX + 32];
	const char *var = pcp.get_config("PCP_VAR_DIR");
	void *agent;

	snprintf(path, sizeof(path), "%s/pmns/root", var ? var : "");
	if (access(path, R_OK))
		return false;
	snprintf(path, sizeof(path), "%s/linux/pmda_linux.so", agents);
	agent = dlopen(path, RTLD_NOW);
	if (!agent || !dlsym(agent, "linux_init"))
		return false;
	snprintf(spec, sizeof(spec), "add,60,%s,linux_init", path);
	pcp.spec_local("clear");
	pcp.spec_local(spec);
	return pcp.new_context(PM_CONTEXT_LOCAL, NULL) >= 0;
}

static void load_pcp(void)
{
	char text[PM_MAXERRMSGLEN];
	const char *agents;
	void *library;
	int status;

	if (pcp.tried)
		return;
	pcp.tried = true;
	/* Disable derived metrics: libpcp would compute them in each fetch. */
	setenv("PCP_DERIVED_CONFIG", "", 0);
	library = dlopen(LIBRARY, RTLD_NOW);
	if (!library || !load_functions(library)) {
		snprintf(pcp.missing, sizeof(pcp.missing), library ?
			 LIBRARY " is of another version: it lacks functions" :
			 "PCP is not installed: " LIBRARY " was not found");
		return;
	}
	/* Without this setting of pcp.conf, later calls of libpcp would exit. */
	agents = pcp.get_config("PCP_PMDAS_DIR");
	if (!agents) {
		snprintf(pcp.missing, sizeof(pcp.missing),
			 "PCP is not installed: pcp.conf was not found");
		return;
	}
	pcp.usable = load_linux_agent(agents);
	status = pcp.usable ? 0 : pcp.new_context(PM_CONTEXT_HOST, "local:");
	pcp.usable = status >= 0;
	if (!pcp.usable)
		snprintf(pcp.missing, sizeof(pcp.missing),
			 "PCP's agent for Linux cannot be loaded, and pmcd does not answer: %s",
			 pcp.err_str(status, text, sizeof(text)));
}

static void add_metric_name(const char *name, void *to)
{
	struct pcp_metrics *m = to;

	if (m->count < PCP_METRICS)
		m->name[m->count] = strdup(name);
	m->count += m->count < PCP_METRICS && m->name[m->count];
}

/* Drops metrics that have no description. */
static void describe_metrics(struct pcp_metrics *m)
{
	unsigned int i, kept = 0;
	const char *name;

	for (i = 0; i < m->count; i++) {
		name = m->name[i];
		if (pcp.lookup_name(1, &name, &m->pmid[kept]) < 0 ||
		    pcp.lookup_desc(m->pmid[kept], &m->desc[kept]) < 0)
			free(m->name[i]);
		else
			m->name[kept++] = m->name[i];
	}
	m->count = kept;
}

void pcp_close(void *state)
{
	struct pcp_metrics *m = state;
	unsigned int i;

	for (i = 0; m && i < m->count; i++)
		free(m->name[i]);
	free(m);
}

static bool has_pcp_values(struct pcp_metrics *m)
{
	pmResult *result;
	unsigned int i;
	bool found = false;

	if (!m->count || pcp.fetch(m->count, m->pmid, &result) < 0)
		return false;
	for (i = 0; i < m->count; i++)
		found |= result->vset[i]->numval > 0;
	pcp.free_result(result);
	return found;
}

/* Opens all metrics below the names in @s->of, which are separated by spaces. */
void *pcp_open(const struct rcr_source *s, const char *root, char missing[SOURCE_MISSING_LEN])
{
	struct pcp_metrics *m;
	char names[256], *name, *rest = names;

	if (*root) {
		snprintf(missing, SOURCE_MISSING_LEN,
			 "not known: --root names another system");
		return NULL;
	}
	load_pcp();
	m = pcp.usable ? calloc(1, sizeof(*m)) : NULL;
	if (!m) {
		snprintf(missing, SOURCE_MISSING_LEN, "%s",
			 pcp.usable ? "no memory" : pcp.missing);
		return NULL;
	}
	snprintf(names, sizeof(names), "%s", s->of);
	while ((name = strsep(&rest, " ")))
		pcp.traverse(name, add_metric_name, m);
	describe_metrics(m);
	if (has_pcp_values(m))
		return m;
	snprintf(missing, SOURCE_MISSING_LEN, "PCP has no values of %.120s", s->of);
	pcp_close(m);
	return NULL;
}

bool pcp_find(const struct rcr_source *s, const char *root, char missing[SOURCE_MISSING_LEN])
{
	void *state = pcp_open(s, root, missing);

	pcp_close(state);
	return state;
}

/* Converts a value to a count; returns false if it is negative, a fraction or a text. */
static bool take_count(const pmDesc *desc, int format, const pmValue *value, uint64_t *count)
{
	pmAtomValue atom;

	if (desc->type != PM_TYPE_32 && desc->type != PM_TYPE_U32 && desc->type != PM_TYPE_64 &&
	    desc->type != PM_TYPE_U64)
		return false;
	if (desc->type == PM_TYPE_U64) {
		if (pcp.extract_value(format, value, desc->type, &atom, PM_TYPE_U64) < 0)
			return false;
		*count = atom.ull;
		return true;
	}
	if (pcp.extract_value(format, value, desc->type, &atom, PM_TYPE_64) < 0 || atom.ll < 0)
		return false;
	*count = atom.ll;
	return true;
}

static void add_values(struct pcp_metrics *m, unsigned int i, const pmValueSet *set,
		       source_add_fn *add, void *to)
{
	char units[SOURCE_VALUE_LEN], *instance;
	struct source_value v;
	int n;

	pcp.units_str(&m->desc[i].units, units, sizeof(units));
	for (n = 0; n < set->numval; n++) {
		v = (struct source_value){ };
		if (!take_count(&m->desc[i], set->valfmt, &set->vlist[n], &v.value))
			continue;
		if (m->desc[i].indom != PM_INDOM_NULL) {
			if (pcp.name_in_dom(m->desc[i].indom, set->vlist[n].inst, &instance) < 0)
				continue;
			snprintf(v.instance, sizeof(v.instance), "%s", instance);
			free(instance);
		}
		snprintf(v.name, sizeof(v.name), "%s", m->name[i]);
		snprintf(v.unit, sizeof(v.unit), "%s",
			 *units && strcmp(units, "count") ? units : "1");
		add(to, &v);
	}
}

void pcp_read(const struct rcr_source *s, void *state, source_add_fn *add, void *to)
{
	struct pcp_metrics *m = state;
	pmResult *result;
	unsigned int i;

	(void)s;
	if (pcp.fetch(m->count, m->pmid, &result) < 0)
		return;
	for (i = 0; i < m->count; i++)
		add_values(m, i, result->vset[i], add, to);
	pcp.free_result(result);
}
