// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * main.c - pmdarcr, the PCP agent for rcrtool. Reads the stream once per grid tick, between the
 * requests of pmcd, and answers these from memory.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "message.h"
#include "pmda/names.h"
#include "pmda/options.h"
#include "pmda/user.h"

static struct agent agent;
static struct agent_names names;

static int fetch_value(pmdaMetric *metric, unsigned int inst, pmAtomValue *atom)
{
	return value_of_metric(&agent, metric->m_user, inst, atom);
}

/* Rebuilds the names if they are out of date, and notifies clients. */
static void refresh_names(pmdaExt *pmda)
{
	pmdaMetric *old = names.metric;

	if (agent.jobs.relisted)
		names_list_jobs(&names, &agent);
	agent.jobs.relisted = false;
	if (!agent.renamed && !agent.jobs.renamed)
		return;
	agent.renamed = false;
	agent.jobs.renamed = false;
	if (names_build(&names, &agent)) {
		note("no memory for the names of metrics");
		exit(EXIT_FAILURE);
	}
	pmdaRehash(pmda, names.metric, names.metrics);
	free(old);
	pmdaExtSetFlags(pmda, PMDA_EXT_NAMES_CHANGE);
}

static int find_pmid(const char *name, pmID *pmid, pmdaExt *pmda)
{
	(void)pmda;
	return pmdaTreePMID(names.tree, name, pmid);
}

static int find_name(pmID pmid, char ***name, pmdaExt *pmda)
{
	(void)pmda;
	return pmdaTreeName(names.tree, pmid, name);
}

static int find_children(const char *name, int traverse, char ***children, int **status,
			 pmdaExt *pmda)
{
	(void)pmda;
	return pmdaTreeChildren(names.tree, name, traverse, children, status);
}

static int find_text(int ident, int type, char **text, pmdaExt *pmda)
{
	static char help[512];

	(void)pmda;
	if (!(type & PM_TEXT_PMID))
		return PM_ERR_TEXT;
	if (!names_help(&names, &agent, ident, help, sizeof(help)))
		return PM_ERR_PMID;
	*text = help;
	return 0;
}

static void prepare_pmda(pmdaInterface *pmda, const struct agent_options *o)
{
	char name[] = "rcr", log[] = "rcr.log";

	pmSetProgname("pmdarcr");
	pmdaDaemon(pmda, PMDA_INTERFACE_7, name, o->domain, o->log ? (char *)o->log : log, NULL);
	pmdaOpenLog(pmda);
}

static void connect_pmda(pmdaInterface *pmda)
{
	pmda->version.four.pmid = find_pmid;
	pmda->version.four.name = find_name;
	pmda->version.four.children = find_children;
	pmda->version.four.text = find_text;
	pmdaSetFetchCallBack(pmda, fetch_value);
	pmdaSetFlags(pmda, PMDA_EXT_FLAG_HASHED);
	pmdaInit(pmda, &names.indom[INDOM_NODE], INDOMS - INDOM_NODE, names.metric, names.metrics);
	pmdaConnect(pmda);
}

/* Answers requests until pmcd ends. */
static void serve_pmcd(pmdaInterface *pmda)
{
	struct pollfd in = { .fd = __pmdaInFd(pmda), .events = POLLIN };
	int ready;

	for (;;) {
		ready = poll(&in, 1, records_pause_ms(&agent));
		records_read(&agent);
		refresh_names(pmda->version.any.ext);
		if (ready > 0 && __pmdaMainPDU(pmda) < 0)
			return;
	}
}

int main(int argc, char **argv)
{
	struct agent_options options;
	pmdaInterface pmda = { };
	struct why why;
	int status = agent_options_parse(&options, argc, argv);

	if (status)
		return status;
	prepare_pmda(&pmda, &options);
	if (user_become(options.user, &why)) {
		fail("%s", why.text);
		return EXIT_FAILURE;
	}
	agent.file = options.file;
	agent.sysfs = options.sysfs;
	agent.align.grid = options.grid;
	agent.jobs.spool.dir = options.spool;
	agent.jobs.groups.root = options.cgroups;
	signal(SIGPIPE, SIG_IGN);
	records_read(&agent);
	names_prepare(&names, pmda.domain);
	agent.renamed = false;
	agent.jobs.renamed = false;
	if (names_build(&names, &agent))
		return fail("no memory for the names of metrics");
	connect_pmda(&pmda);
	if (pmda.status)
		return fail("pmcd: %s", pmErrStr(pmda.status));
	serve_pmcd(&pmda);
	records_close(&agent);
	return EXIT_SUCCESS;
}
