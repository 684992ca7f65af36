// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - rcrctl: changes what the rcrtool module counts.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rcr_control.h"

#define EXIT_USAGE 2

static const char help[] =
	"Usage: rcrctl [--generation N] VERB [ARGUMENT]...\n"
	"Changes what the rcrtool module counts.\n"
	"\n"
	"  add EVENT...      add to the staged set, all or none; an EVENT is\n"
	"                    NAME=event:0x03,umask:0xff (also cmask:N inv edge os user)\n"
	"                    or NAME=software:context-switches\n"
	"  remove NAME|all   take out of the staged set\n"
	"  finalize          program the staged set, on all CPUs or on none\n"
	"  ls                list what is counted and what is staged\n"
	"  period TIME       sample every TIME: a number with us, ms, s or min\n"
	"  reset             count nothing; every register is as it was\n"
	"\n"
	"  --generation N    only if nobody has changed anything since ls said N\n"
	"  --help            print this and exit\n"
	"  --version         print the version and exit\n"
	"\n"
	"Exit status: 0 done, 1 refused or failed (nothing has changed), 2 the\n"
	"command line is wrong.\n";

/**
 * struct call - a command line
 * @control: connection to the module
 * @generation: that the caller names, or 0
 * @period_ns: that the caller wants
 * @count: entries of @args
 * @args: what follows the verb
 */
struct call {
	struct rcr_control *control;
	uint32_t generation;
	uint64_t period_ns;
	int count;
	char **args;
};

__attribute__((format(printf, 1, 2)))
static int wrong(const char *format, ...)
{
	va_list args;

	fputs("rcrctl: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputs("; see 'rcrctl --help'\n", stderr);
	return EXIT_USAGE;
}

static int done(const struct call *c, int ret)
{
	if (!ret)
		return EXIT_SUCCESS;
	fprintf(stderr, "rcrctl: %s\n", rcr_control_reason(c->control));
	return EXIT_FAILURE;
}

static int do_add(struct call *c)
{
	return done(c, rcr_control_add(c->control, c->generation,
				       (const char *const *)c->args, c->count));
}

static int do_remove(struct call *c)
{
	const char *name = strcmp(c->args[0], "all") ? c->args[0] : NULL;

	return done(c, rcr_control_remove(c->control, c->generation, name));
}

static int do_finalize(struct call *c)
{
	return done(c, rcr_control_finalize(c->control, c->generation, -1));
}

static int do_reset(struct call *c)
{
	return done(c, rcr_control_reset(c->control, c->generation));
}

static void print_counter(const struct rcr_counter_state *s)
{
	if (!s->running) {
		printf("%-20s %12s  staged\n", s->name, "");
		return;
	}
	printf("%-20s %#12" PRIx64, s->name, s->select);
	if (s->control)
		printf("  %#x %#x", s->control, s->counter);
	puts(s->staged ? "" : "  removed");
}

static int do_ls(struct call *c)
{
	static struct rcr_state state;
	unsigned int i;

	if (rcr_control_look(c->control, &state))
		return done(c, -1);
	printf("generation %u, %s, source %s, period %g ms\n", state.generation,
	       state.family, state.source, state.period_ns / 1e6);
	if (state.error)
		printf("nothing is counted: %s\n", state.reason);
	for (i = 0; i < state.ncounters; i++)
		print_counter(&state.counter[i]);
	return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int check_period(struct call *c)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {
		{ "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }, { "min", 60e9 },
	};
	char *end;
	double val = strtod(c->args[0], &end);
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (end == c->args[0] || strcmp(end, units[i].name) ||
		    !(val > 0 && val * units[i].ns < 1e18))
			continue;
		c->period_ns = val * units[i].ns + 0.5;
		return EXIT_SUCCESS;
	}
	return wrong("period \"%s\" is no time, such as 100us, 1ms or 2s", c->args[0]);
}

static int do_period(struct call *c)
{
	return done(c, rcr_control_period(c->control, c->generation, c->period_ns));
}

static const struct verb {
	const char *name;
	int least;
	int most;
	int (*run)(struct call *c);
	int (*check)(struct call *c);	/* before the module is asked for */
} verbs[] = {
	{ "add", 1, RCR_MAX_COUNTERS, do_add, NULL },
	{ "remove", 1, 1, do_remove, NULL },
	{ "finalize", 0, 0, do_finalize, NULL },
	{ "ls", 0, 0, do_ls, NULL },
	{ "period", 1, 1, do_period, check_period },
	{ "reset", 0, 0, do_reset, NULL },
};

static const struct verb *find_verb(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (!strcmp(verbs[i].name, name))
			return &verbs[i];
	return NULL;
}

static int run_verb(struct call *c, const char *name)
{
	const struct verb *verb = find_verb(name);
	int ret;

	if (!verb)
		return wrong("\"%s\" is no verb", name);
	if (c->count < verb->least)
		return wrong("%s needs an argument", name);
	if (c->count > verb->most)
		return wrong("%s takes at most %d arguments", name, verb->most);
	ret = verb->check ? verb->check(c) : 0;
	if (ret)
		return ret;
	c->control = rcr_control_open();
	if (!c->control)
		return done(c, -1);
	ret = verb->run(c);
	rcr_control_close(c->control);
	return ret;
}

static bool parse_generation(const char *text, uint32_t *generation)
{
	unsigned long long val;
	char *end;

	errno = 0;
	val = strtoull(text, &end, 10);
	*generation = val;
	return *text >= '0' && *text <= '9' && !*end && !errno && val &&
	       val <= UINT32_MAX;
}

int main(int argc, char **argv)
{
	struct call c = { .count = argc - 1, .args = argv + 1 };

	while (c.count && c.args[0][0] == '-') {
		if (!strcmp(c.args[0], "--help") || !strcmp(c.args[0], "-h")) {
			fputs(help, stdout);
			return EXIT_SUCCESS;
		}
		if (!strcmp(c.args[0], "--version") || !strcmp(c.args[0], "-V")) {
			puts("rcrctl " RCR_VERSION);
			return EXIT_SUCCESS;
		}
		if (strcmp(c.args[0], "--generation"))
			return wrong("option \"%s\" is unknown", c.args[0]);
		if (c.count < 2 || !parse_generation(c.args[1], &c.generation))
			return wrong("--generation needs a number from 1, as ls prints it");
		c.count -= 2;
		c.args += 2;
	}
	if (!c.count)
		return wrong("say what to do");
	c.count--;
	return run_verb(&c, *c.args++);
}
