// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * report.c - writes one file about this machine that its owner can send to the authors.
 *
 * It names no user, no process, no job and no host.
 */
#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor/doctor.h"
#include "events.h"
#include "file.h"
#include "message.h"
#include "names.h"
#include "native.h"
#include "show/rates.h"

static void write_report_line(const struct doctor *d, FILE *out, const char *key, const char *path)
{
	char line[256];

	fprintf(out, "%s: %s\n", key, doctor_line(d, path, line, sizeof(line)) ? line : "-");
}

static void write_processor(const struct doctor *d, FILE *out)
{
	static const char *const keys[] = {
		"vendor_id", "cpu family", "model", "model name", "stepping", "microcode", "flags",
	};
	char value[4096];
	unsigned int i;

	fprintf(out, "\n[processor]\n");
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		doctor_cpuinfo(d, keys[i], value, sizeof(value));
		fprintf(out, "%s: %s\n", keys[i], *value ? value : "-");
	}
	fprintf(out, "virtual: %s\n", doctor_is_virtual(d) ? "yes" : "no");
	write_report_line(d, out, "cpus", "/sys/devices/system/cpu/online");
	write_report_line(d, out, "nodes", "/sys/devices/system/node/online");
	fprintf(out, "libpfm4: %s\n", native_pmu());
}

/* Names of the entries of a directory, in one line. */
static void write_names(const struct doctor *d, FILE *out, const char *key, const char *path)
{
	struct dirent **each;
	char full[512];
	int i, count;

	snprintf(full, sizeof(full), "%s%s", d->root, path);
	count = scandir(full, &each, NULL, alphasort);
	fprintf(out, "%s:", key);
	for (i = 0; i < count; i++) {
		if (each[i]->d_name[0] != '.')
			fprintf(out, " %s", each[i]->d_name);
		free(each[i]);
	}
	if (count >= 0)
		free(each);
	fputc('\n', out);
}

static void write_parameters(const struct doctor *d, FILE *out)
{
	static const char path[] = "/sys/module/rcrtool/parameters";
	char full[512], name[768], line[256];
	struct dirent **each;
	int i, count;

	fprintf(out, "\n[parameters]\n");
	snprintf(full, sizeof(full), "%s%s", d->root, path);
	count = scandir(full, &each, NULL, alphasort);
	for (i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "%s/%s", full, each[i]->d_name);
		if (each[i]->d_name[0] != '.' && file_line(name, line, sizeof(line)))
			fprintf(out, "%s: %s\n", each[i]->d_name, line);
		free(each[i]);
	}
	if (count >= 0)
		free(each);
}

/* Writes the state of the module, and the registers, statuses and rates of the set. */
static void write_set(const struct doctor *d, FILE *out)
{
	static struct rates rates;
	const struct rcr_state *s = &d->session->state;
	const struct rcr_counter_state *c;
	char rate[RATE_LEN];
	unsigned int i;

	fprintf(out, "\n[module]\nfamily: %s\nsource: %s\npolicy: %s\nperiod_ns: %" PRIu64
		"\ntsc_khz: %u\nerror: %d\nreason: %s\n", s->family, s->source, s->policy,
		s->period_ns, s->tsc_khz, s->error, s->reason);
	fprintf(out, "core counters: %u, used %u, watchdog %u, others %u\n",
		s->core_counters, s->core_used, s->core_watchdog, s->core_others);
	rates_read(&rates, RATES_ALL);
	fprintf(out, "\n[set]\n");
	for (i = 0; i < s->ncounters; i++) {
		c = &s->counter[i];
		if (!c->running)
			continue;
		fprintf(out, "%s: %s select %#" PRIx64 " control %#" PRIx64 " counter %#" PRIx64
			" status %s%s%s rate %s\n", c->name, c->event, c->select, c->control,
			c->counter, rcr_status_name(c->status), *c->cpus ? ":" : "", c->cpus,
			rate_text(rates_find(&rates, c->name), rate));
	}
}

/* Writes for each name of the family which counters can count it, or why none can. */
static void write_tables(const struct doctor *d, FILE *out)
{
	struct names *names = session_names(d->session);
	const struct own_name *own;
	char event[RCR_EVENT_LEN];
	uint64_t counters;
	struct why why;
	size_t i, count;

	own = own_names(d->session->state.family, native_pmu(), &count);
	fprintf(out, "\n[tables]\n");
	for (i = 0; own && i < count; i++) {
		if (names_resolve(names, own[i].name, event, &why))
			fprintf(out, "%s: %s\n", own[i].name, why.text);
		else if (rcr_control_where(d->session->control, event, &counters))
			fprintf(out, "%s: %s\n", own[i].name,
				rcr_control_reason(d->session->control));
		else
			fprintf(out, "%s: %s counters %#" PRIx64 "\n", own[i].name, event,
				counters);
	}
}

static void write_findings(const struct doctor *d, FILE *out)
{
	unsigned int i;

	fprintf(out, "\n[findings]\n");
	for (i = 0; i < d->count; i++)
		if (!d->finding[i].is_private)
			fprintf(out, "%s: %s: %s\n", finding_kind_name(d->finding[i].kind),
				d->finding[i].subject, d->finding[i].text);
}

int doctor_report(const struct doctor *d, const char *path)
{
	struct file_new f;
	struct why why;

	if (file_begin(&f, path, &why))
		return fail("%s", why.text);
	fprintf(f.stream, "# a report of 'rcrctl doctor', without names of hosts, users, processes and jobs\n\n");
	fprintf(f.stream, "[versions]\nrcrctl: %s\n", RCR_VERSION);
	write_report_line(d, f.stream, "module", "/sys/module/rcrtool/version");
	write_report_line(d, f.stream, "srcversion", "/sys/module/rcrtool/srcversion");
	write_report_line(d, f.stream, "kernel", "/proc/sys/kernel/osrelease");
	write_processor(d, f.stream);
	fprintf(f.stream, "\n[kernel]\n");
	write_names(d, f.stream, "pmus", "/sys/bus/event_source/devices");
	write_names(d, f.stream, "caps", "/sys/bus/event_source/devices/cpu/caps");
	write_report_line(d, f.stream, "nmi_watchdog", "/proc/sys/kernel/nmi_watchdog");
	write_report_line(d, f.stream, "perf_event_paranoid", "/proc/sys/kernel/perf_event_paranoid");
	write_report_line(d, f.stream, "clocksource", "/sys/devices/system/clocksource/clocksource0/current_clocksource");
	write_parameters(d, f.stream);
	if (d->has_state) {
		write_set(d, f.stream);
		write_tables(d, f.stream);
	}
	write_findings(d, f.stream);
	return file_commit(&f, &why) ? fail("%s", why.text) : EXIT_SUCCESS;
}
