// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * staged.c - the staged set: reports how it differs from the running set, drops it ("discard"), or
 * replaces it with the default set and programs that ("load default").
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "events.h"
#include "message.h"
#include "meters.h"
#include "native.h"
#include "perf_event.h"
#include "set/staged.h"

/* '+' for a counter that apply adds, '-' for one that it removes, else 0. */
static char staged_sign(const struct rcr_counter_state *c)
{
	if (c->held)
		return 0;
	if (c->staged && !c->running)
		return '+';
	return c->running && !c->staged ? '-' : 0;
}

bool staged_differs(const struct rcr_state *state)
{
	unsigned int i;

	for (i = 0; i < state->ncounters; i++)
		if (staged_sign(&state->counter[i]))
			return true;
	return false;
}

void staged_report(struct session *s)
{
	const struct rcr_state *state = &s->state;
	unsigned int i;
	char sign;

	if (s->batch || !isatty(STDERR_FILENO) || rcr_control_look(s->control, &s->state))
		return;
	if (!staged_differs(state)) {
		fputs("nothing is staged\n", stderr);
		return;
	}
	fputs("staged:", stderr);
	for (i = 0; i < state->ncounters; i++) {
		sign = staged_sign(&state->counter[i]);
		if (sign)
			fprintf(stderr, " %c%s", sign, state->counter[i].name);
	}
	fputs("; 'rcrctl apply' counts it, 'rcrctl discard' drops it\n", stderr);
}

/* True if the counter is in the base set: it runs without a hold, or will after one. */
static bool in_base_set(const struct rcr_counter_state *c)
{
	return c->running != c->held;
}

int do_discard(struct call *c)
{
	static char event[2 * RCR_MAX_COUNTERS][RCR_EVENT_LEN + RCR_NAME_LEN];
	const char *events[2 * RCR_MAX_COUNTERS];
	struct session *s = c->session;
	const struct rcr_counter_state *each;
	uint32_t generation;
	unsigned int i, count = 0;
	int status = session_look(s);

	if (status || !staged_differs(&s->state))
		return status;
	for (i = 0; i < s->state.ncounters; i++) {
		each = &s->state.counter[i];
		if (!in_base_set(each))
			continue;
		snprintf(event[count], sizeof(event[count]), "%s=%s", each->name, each->event);
		events[count] = event[count];
		count++;
	}
	generation = s->generation ? s->generation : s->state.generation;
	if (rcr_control_remove(s->control, generation, NULL))
		return done(s, -1);
	if (!count || !rcr_control_add(s->control, generation + 1, events, count))
		return EXIT_SUCCESS;
	status = errno;
	done(s, -1);
	/* Do not overwrite a set that another process has staged meanwhile. */
	if (status != ESTALE)
		session_restage(s);
	return EXIT_FAILURE;
}

/* Counts the first @count events; 0, or -1 with errno. */
static int count_default(struct session *s, uint32_t generation, const char *const *events,
			 unsigned int count)
{
	if (rcr_control_remove(s->control, generation, NULL) ||
	    rcr_control_add(s->control, generation + 1, events, count))
		return -1;
	return rcr_control_finalize(s->control, generation + 2, -1);
}

static bool is_among(const struct rcr_counter_state *c, const char *const *events,
		     unsigned int count)
{
	size_t len = strlen(c->name);

	while (count--)
		if (!strncmp(c->name, events[count], len) && events[count][len] == '=')
			return meter_same_event(c->event, events[count]);
	return false;
}

/* True if the base set consists of these events. */
static bool are_counted(const struct rcr_state *state, const char *const *events,
			unsigned int count)
{
	unsigned int i, n = 0;

	for (i = 0; i < state->ncounters; i++) {
		if (!in_base_set(&state->counter[i]))
			continue;
		if (!is_among(&state->counter[i], events, count))
			return false;
		n++;
	}
	return n == count;
}

/* True if the kernel has chosen counters for the set next to which perf cannot count cycles. */
static bool hinders_perf(void)
{
	FILE *f = fopen("/sys/module/rcrtool/parameters/source", "re");
	char source[8] = "";
	bool msr = f && fgets(source, sizeof(source), f) && !strcmp(source, "msr\n");

	if (f)
		fclose(f);
	return !msr && !perf_counts_cycles();
}

/* The default set if the counters are hidden, as in many virtual machines. */
static const char *const software_defaults[] = {
	"CPU_CLOCK=cpu-clock", "CONTEXT_SWITCHES=context-switches", "PAGE_FAULTS=page-faults", NULL
};

/*
 * Like the module at load time, drops events from the end until the others fit and perf can count
 * cycles next to them. If the base set is the same already, only the staged set is replaced: an
 * apply would keep events of the module's default set from giving way to those of holders.
 */
static int load_fitting(struct session *s, const char *const *events, unsigned int count)
{
	uint32_t generation = s->generation ? s->generation : s->state.generation;
	bool untouched = true;
	int error = 0;

	for (; count; count--) {
		if (untouched && are_counted(&s->state, events, count))
			return done(s, rcr_control_remove(s->control, generation, NULL) ||
				       rcr_control_add(s->control, generation + 1, events, count));
		error = count_default(s, generation, events, count) ? errno : 0;
		if (!error && (count == 1 || !hinders_perf()))
			return EXIT_SUCCESS;
		if (error && error != ENOSPC && error != ERANGE && error != EBUSY)
			break;
		untouched &= error != 0;
		generation = rcr_control_generation(s->control);
	}
	done(s, -1);
	if (error != ESTALE)
		session_restage(s);
	return EXIT_FAILURE;
}

int do_load_default(struct call *c)
{
	static char event[RCR_MAX_COUNTERS][RCR_EVENT_LEN];
	const char *events[RCR_MAX_COUNTERS], *const *names;
	struct session *s = c->session;
	unsigned int count = 0;
	int status = session_look(s);
	sigset_t before;
	struct why why;

	if (status)
		return status;
	names = *s->state.family ? own_defaults(s->state.family, native_pmu()) : software_defaults;
	if (!names)
		return fail("the default set of this processor (%s) is not known: load rcrtool again",
			    s->state.family);
	while (names[count]) {
		if (names_resolve(session_names(s), names[count], event[count], &why))
			return fail("%s", why.text);
		events[count] = event[count];
		count++;
	}
	set_delay_signals(&before);
	status = load_fitting(s, events, count);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return status;
}
