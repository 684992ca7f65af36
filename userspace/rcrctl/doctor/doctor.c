// SPDX-License-Identifier: GPL-2.0-or-later
/* doctor.c - the verb "doctor": runs the examination and prints the findings. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor/doctor.h"
#include "file.h"
#include "message.h"
#include "print/columns.h"
#include "print/json.h"

static void add_finding(struct doctor *d, enum finding_kind kind, const char *subject,
			bool is_private, const char *format, va_list args)
{
	struct finding *f;

	if (d->count == FINDINGS_MAX)
		return;
	f = &d->finding[d->count++];
	f->kind = kind;
	f->subject = subject;
	f->is_private = is_private;
	vsnprintf(f->text, sizeof(f->text), format, args);
}

void doctor_add(struct doctor *d, enum finding_kind kind, const char *subject,
		const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_finding(d, kind, subject, false, format, args);
	va_end(args);
}

void doctor_add_private(struct doctor *d, enum finding_kind kind, const char *subject,
			const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_finding(d, kind, subject, true, format, args);
	va_end(args);
}

void doctor_add_unknown(struct doctor *d, const char *subject, const char *path)
{
	doctor_add(d, FINDING_NOTE, subject, "not known: %s: %s", path,
		   errno ? strerror(errno) : "it is empty");
}

const char *finding_kind_name(enum finding_kind kind)
{
	static const char *const names[] = {
		[FINDING_OK] = "ok", [FINDING_NOTE] = "note", [FINDING_FIX] = "fix",
	};

	return names[kind];
}

static void path_under_root(const struct doctor *d, const char *path, char *full, size_t size)
{
	snprintf(full, size, "%s%s", d->root, path);
}

bool doctor_line(const struct doctor *d, const char *path, char *line, int size)
{
	char full[512];

	path_under_root(d, path, full, sizeof(full));
	errno = 0;
	return file_line(full, line, size);
}

bool doctor_exists(const struct doctor *d, const char *path)
{
	char full[512];

	path_under_root(d, path, full, sizeof(full));
	return !access(full, F_OK);
}

void doctor_cpuinfo(const struct doctor *d, const char *key, char *value, size_t size)
{
	char full[512], line[4096];
	size_t len = strlen(key);
	FILE *in;

	*value = 0;
	path_under_root(d, "/proc/cpuinfo", full, sizeof(full));
	in = fopen(full, "re");
	if (!in)
		return;
	while (fgets(line, sizeof(line), in)) {
		char *at = strchr(line, ':');

		if (strncmp(line, key, len) || !at || line[len + strspn(line + len, " \t")] != ':')
			continue;
		at[strcspn(at, "\n")] = 0;
		snprintf(value, size, "%s", at[1] == ' ' ? at + 2 : at + 1);
		break;
	}
	fclose(in);
}

bool doctor_is_virtual(const struct doctor *d)
{
	char flags[4096];
	const char *at;

	doctor_cpuinfo(d, "flags", flags, sizeof(flags));
	at = strstr(flags, "hypervisor");
	return at && (at[10] == ' ' || !at[10]);
}

static int print_findings(const struct doctor *d)
{
	struct columns table = { .count = 3, .least = { 4, 13 } };
	const char *cell[3];
	unsigned int i;

	for (i = 0; i < d->count; i++) {
		cell[0] = finding_kind_name(d->finding[i].kind);
		cell[1] = d->finding[i].subject;
		cell[2] = d->finding[i].text;
		columns_add(&table, cell);
	}
	if (columns_print(&table, false, stdout))
		return fail("out of memory");
	return EXIT_SUCCESS;
}

static void print_findings_json(const struct doctor *d)
{
	struct json j = { .out = stdout };
	unsigned int i;

	json_open(&j, NULL, '[');
	for (i = 0; i < d->count; i++) {
		json_open(&j, NULL, '{');
		json_text(&j, "result", finding_kind_name(d->finding[i].kind));
		json_text(&j, "subject", d->finding[i].subject);
		json_text(&j, "text", d->finding[i].text);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	putchar('\n');
}

int check_doctor(struct call *c)
{
	if (!c->count || (c->count == 1 && !strcmp(c->args[0], "--json")) ||
	    (c->count == 2 && !strcmp(c->args[0], "--report")))
		return EXIT_SUCCESS;
	return wrong("doctor takes no argument but --json, or --report and a file");
}

int do_doctor(struct call *c)
{
	static struct doctor d;
	const char *root = getenv("RCR_ROOT");
	unsigned int i;

	memset(&d, 0, sizeof(d));
	d.session = c->session;
	d.root = root ? root : "";
	/* Files of another root do not belong to the module that is loaded here. */
	d.has_state = !root && session_has_module(c->session) &&
		      !rcr_control_look(c->session->control, &c->session->state);
	doctor_check_system(&d);
	doctor_check_counters(&d);
	doctor_check_counting(&d);
	if (take_option(c, "--report"))
		return doctor_report(&d, c->args[0]);
	if (take_option(c, "--json"))
		print_findings_json(&d);
	else if (print_findings(&d))
		return EXIT_FAILURE;
	for (i = 0; i < d.count; i++)
		if (d.finding[i].kind == FINDING_FIX)
			return EXIT_FAILURE;
	return EXIT_SUCCESS;
}
