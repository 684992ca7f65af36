// SPDX-License-Identifier: LGPL-2.1-or-later
/* reason.c - formats the reason of a failure as a sentence. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "rcr.h"

/*
 * Sentences use the arguments in the order of <linux/rcrreason.h>, numbers and texts each in their
 * own sequence: %s is a text, %u a number, %d a signed number, %x a hexadecimal number, %e an
 * errno, %t a time in ns, %r the reason that follows, %p an "s" unless the number before it is 1. A
 * digit before the letter selects an argument explicitly: %2s is the second text.
 */
static const char *const sentence[] = {
	[RCR_REASON_NONE] = "",
	[RCR_REASON_SENTENCE] = "%s",
	[RCR_REASON_NO_MEMORY] = "Out of memory.",
	[RCR_REASON_NO_MEMORY_RINGS] =
		"Not enough memory for the rings of %u CPUs: load rcrtool with a smaller ring_records=.",

	[RCR_REASON_LACKS] = "The request has no %s.",
	[RCR_REASON_STALE] =
		"Another program has changed the counter set (generation %u, not %u): read it and try again.",
	[RCR_REASON_NOT_A_DEVICE] =
		"The descriptor that holds a set must be an open /dev/rcrtool.",
	[RCR_REASON_BAD_MARK] =
		"Invalid mark: a mark has 1 to %u bytes and no control characters.",
	[RCR_REASON_EVENT_MALFORMED] = "An event of the request is malformed.",
	[RCR_REASON_EVENT_UNNAMED] = "An event of the request has no name or no type.",
	[RCR_REASON_EVENT_FLAGS] = "Events of type %u do not support flags 0x%x.",
	[RCR_REASON_EVENT_ATTRIBUTE] = "Events of type %u do not support attribute %u.",
	[RCR_REASON_EVENT_TOO_LARGE] = "%s: the event select is too large: the maximum is 0x%x.",
	[RCR_REASON_ONE_EVENT] = "The request has more than one event.",
	[RCR_REASON_NAMED_TWICE] = "The name '%s' is used twice.",
	[RCR_REASON_BAD_NAME] = "Invalid name '%s': use letters, digits and _.:-+, at most %u.",
	[RCR_REASON_BAD_UNIT] = "Invalid unit '%s'.",
	[RCR_REASON_BAD_SOFTWARE] = "%s: software event %u cannot be counted.",
	[RCR_REASON_NO_TRACEPOINT_ID] =
		"%s is a tracepoint: write %1s=tracepoint:ID.",
	[RCR_REASON_EVERY_FUNCTION] =
		"'tracepoint:%u' fires in every kernel function, including the sampler's own: count a probe of one function (perf probe).",
	[RCR_REASON_CORE_EVENT] =
		"%s is an event of the core: write %1s=event:0x76,umask:0x00 with its event select and unit mask.",

	[RCR_REASON_NOTHING_COUNTED] = "Nothing is counted: run 'rcrctl load default'.",
	[RCR_REASON_NOTHING_TO_COUNT] = "The set is empty: run 'rcrctl load default'.",
	[RCR_REASON_SET_EMPTY] = "The set is empty: add events, or reset to stop counting.",
	[RCR_REASON_SET_FULL] = "A set has at most %u counters.",
	[RCR_REASON_IN_SET] = "'%s' is already in the set.",
	[RCR_REASON_NOT_IN_SET] = "'%s' is not in the set.",
	[RCR_REASON_NOT_COUNTED] = "'%s' is not counted now: see 'rcrctl ls'.",
	[RCR_REASON_HELD_NAME] =
		"A holder of the set counts another event as '%s': choose another name.",
	[RCR_REASON_HOLDERS] = "The set does not fit next to the events that %s holds: %r",
	[RCR_REASON_CANNOT_ADD] = "%s cannot be added: %r",
	[RCR_REASON_OTHERS_MOVE] =
		"All counters that can count %s are in use, and %s would have to move: remove one of them, add %1s and finalize.",
	[RCR_REASON_SHUTTING_DOWN] =
		"The machine is shutting down: counters can no longer be programmed.",
	[RCR_REASON_SUSPENDING] =
		"The machine is about to suspend: try again after it has resumed.",

	[RCR_REASON_HIDDEN] = "A hypervisor hides the performance counters of this CPU.",
	[RCR_REASON_UNKNOWN_CPU] =
		"rcrtool %s does not support the performance counters of this CPU.",
	[RCR_REASON_COUNTER_CANNOT] =
		"%s: counter %u of %s cannot count event 0x%x with unit mask 0x%x: remove counter:%1u from the event.",
	[RCR_REASON_NO_COUNTER_CAN] =
		"%s: no %s counter of %s can count event 0x%x with unit mask 0x%x.",
	[RCR_REASON_NO_FIELD] =
		"%s: the %s counters of %s have no field '%s', or only a smaller one: omit it, or use a smaller value.",
	[RCR_REASON_NO_UNIT] = "%s: this machine (%s) has no unit '%s'.",
	[RCR_REASON_UNITS] = "%s: there are %u units '%s': name one of %2s0 to %2s%u.",
	[RCR_REASON_UNITS_WITH_GAPS] =
		"%s: there are %u units '%s': name one of %2s0 to %2s%u, some of which are missing.",
	[RCR_REASON_SAME_COUNTER] = "%s and %s both need counter %u of %s: remove one of them.",
	[RCR_REASON_SAME_COUNTERS] =
		"These events cannot be counted at once: too many of them need the same %s counters of %s.",
	[RCR_REASON_TOO_MANY] =
		"%u events are requested, but %s counts %u at once: remove %u.",
	[RCR_REASON_TOO_MANY_OF_UNIT] =
		"%u events of %s are requested, but %s counts %u at once: remove %u.",
	[RCR_REASON_FILTERS_DIFFER] =
		"%s and %s need different filters (0x%x, 0x%x), but a unit has one for all its counters: remove one of them.",
	[RCR_REASON_NEEDS_KERNEL] =
		"%s: only the kernel can count it: use source=perf or auto.",
	[RCR_REASON_NEEDS_MSR] =
		"%s: the counters of '%s' are shared, which requires source=msr.",
	[RCR_REASON_NO_DRIVER] =
		"%s: the kernel has no driver for the core counters of this CPU, or rcrtool does not know them; software events can be counted.",
	[RCR_REASON_METER] =
		"%s is a meter of rcrtool, not an event: read it with 'rcrctl meter'.",
	[RCR_REASON_CPU_NOT_SAMPLED] =
		"%s: the CPU on which the kernel reads it is not sampled: load rcrtool with that CPU in cpus=.",

	[RCR_REASON_BUSY_CPU] =
		"CPU %u runs nothing but a real-time task: stop the task, or load rcrtool without this CPU in cpus=.",
	[RCR_REASON_BUSY_CPU_TRACEPOINT] =
		"CPU %u runs nothing but a real-time task, which can delay a tracepoint forever: stop the task, or count no tracepoints.",
	[RCR_REASON_LOCKDOWN_MSR] =
		"Kernel lockdown forbids writing registers: boot without lockdown to use source=msr.",
	[RCR_REASON_LOCKDOWN_PERF] =
		"Kernel lockdown forbids perf: boot without lockdown=confidentiality.",
	[RCR_REASON_CORE_TAKEN] =
		"The core counters are held by perf or the NMI watchdog: run 'sysctl kernel.nmi_watchdog=0', stop other users of perf, and try again.",
	[RCR_REASON_NO_BOX] =
		"CPU %u: package %u has no %s, or the machine does not report its number (%s).",
	[RCR_REASON_UNREADABLE] = "CPU %u: register 0x%x cannot be read.",
	[RCR_REASON_BOTH_UNREADABLE] =
		"CPU %u: register 0x%x or 0x%x cannot be read (a hypervisor without a PMU?).",
	[RCR_REASON_UNREADABLE_EVENT] = "CPU %u: register 0x%x cannot be read (%s).",
	[RCR_REASON_REFUSES_EVENT] = "CPU %u: register 0x%x refuses 0x%x (%s).",
	[RCR_REASON_REFUSES] = "CPU %u: register 0x%x refuses 0x%x.",
	[RCR_REASON_KEEPS_NOTHING] =
		"CPU %u: register 0x%x does not keep the values written to it (a hypervisor without a PMU?).",
	[RCR_REASON_MSR_IN_USE] =
		"CPU %u: register 0x%x is in use (0x%x) by a program that did not reserve it: stop that program, or write 0 with wrmsr if the register is unused.",
	[RCR_REASON_PCI_IN_USE] =
		"CPU %u: register 0x%x is in use (0x%x) by a program that did not reserve it: stop that program, or write 0 with setpci if the register is unused.",
	[RCR_REASON_KERNEL_REFUSES] = "CPU %u: the kernel does not count %s (-%e).",
	[RCR_REASON_NO_FREE_COUNTER] =
		"CPU %u: no counter is free for %s: remove an event of its unit, or stop other users of the counters.",
	[RCR_REASON_MISPLACED] =
		"CPU %u: the kernel put %s on counter %d, which cannot count it: remove this or another event, or use source=msr.",
	[RCR_REASON_MISPLACED_CYCLES] =
		"CPU %u: the kernel would put perf's cycles on counter %d, which cannot count them.",
	[RCR_REASON_NO_ROOM] =
		"CPU %u: %u core event%p and %u spare counter%p do not fit in the %u counter%p of a core, of which others (perf, a profiler, the NMI watchdog) hold %u: remove %u event%p.",

	[RCR_REASON_NO_METER] = "Unknown meter '%s': see 'rcrctl meter ls -a'.",
	[RCR_REASON_METER_EXISTS] = "The meter '%s' already exists.",
	[RCR_REASON_METERS_FULL] = "Too many meters: the maximum is %u.",
	[RCR_REASON_METER_NAME] =
		"Invalid meter name '%s': begin with a letter; use letters, digits, _ and dots.",
	[RCR_REASON_METER_REMOVED] =
		"The meter was removed or the set changed meanwhile: try again.",
	[RCR_REASON_METER_PENDING] = "Its counters are being programmed.",
	[RCR_REASON_METER_LACKS] = "'%s' is not in the set.",
	[RCR_REASON_GAUGE] =
		"'%s' is a gauge where the meter needs a count, or a count where it needs a gauge.",
	[RCR_REASON_SHORT_SCALE] =
		"The time scale %t is shorter than the sampling period %t: choose a longer one.",
	[RCR_REASON_BAD_FORM] = "The form of the meter is malformed.",
	[RCR_REASON_FORM_TOO_LONG] =
		"The form has more than %u counters, or more than %1u terms above or below the line.",
	[RCR_REASON_SHARED_PLACE] =
		"The meter's counters are shared by a whole %s: it cannot have values per %s.",
	[RCR_REASON_IS_COMPUTED] = "'%s' is computed from counters: its values cannot be posted.",
	[RCR_REASON_IS_POSTED] = "'%s' is posted: it needs no counters.",
	[RCR_REASON_NO_PLACE] = "'%s' has values for %u places: there is no place %u.",
	[RCR_REASON_SCALES_FULL] =
		"Meters already use %u different time scales, which is the maximum: choose one of these (see 'rcrctl meter'), or remove meters.",
	[RCR_REASON_UNKNOWN_PLACE] =
		"There is no %s %u: see 'rcrctl meter show' for the places of a meter.",
	[RCR_REASON_OTHER_SCOPE] =
		"'%s' and '%s' are shared by different CPUs: use remove, add and finalize.",
};

/* State of formatting: next arguments, first arguments of the current reason, and output. */
struct words {
	const struct rcr_reason *reason;
	unsigned int first_number;
	unsigned int first_text;
	unsigned int number;
	unsigned int text;
	uint64_t latest;
	char *to;
	size_t size;
};

static void put_words(struct words *w, const char *text)
{
	size_t length = strlen(text), fits = length < w->size ? length : w->size - 1;

	memcpy(w->to, text, fits);
	w->to += fits;
	w->size -= fits;
	*w->to = 0;
}

/* The number of arguments in @r is not trusted. */
static const char *text_at(const struct rcr_reason *r, unsigned int which)
{
	const char *at = r->text, *end = r->text + sizeof(r->text), *zero;

	if (which >= r->texts)
		return "?";
	for (;; at = zero + 1) {
		zero = memchr(at, 0, end - at);
		if (!zero || !which--)
			return zero ? at : "?";
	}
}

static uint64_t number_at(const struct rcr_reason *r, unsigned int which)
{
	return which < r->numbers && which < RCR_REASON_NUMBERS ? r->number[which] : 0;
}

/* Formats a time in the largest unit that gives an integer. */
static void put_time(struct words *w, uint64_t ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	unsigned int i = 0;
	char text[32];

	for (; ns && !(ns % 1000) && i + 1 < sizeof(units) / sizeof(units[0]); i++)
		ns /= 1000;
	snprintf(text, sizeof(text), "%llu%s", (unsigned long long)ns, units[i]);
	put_words(w, text);
}

static void put_reason_number(struct words *w, char letter, uint64_t number)
{
	const char *name = letter == 'e' ? strerrorname_np((int)number) : NULL;
	char text[32];

	snprintf(text, sizeof(text), letter == 'x' ? "%llx" : letter == 'd' ? "%lld" : "%llu",
		 (unsigned long long)number);
	put_words(w, name ? name : text);
}

static void put_sentence(struct words *w, uint32_t code);

/* Index of the argument selected by the digit @which, or else the @next one. */
static unsigned int arg_index(char which, unsigned int first, unsigned int *next)
{
	return which ? first + (which - '1') : (*next)++;
}

static void put_inner(struct words *w)
{
	uint32_t code = number_at(w->reason, w->number++);

	w->first_number = w->number;
	w->first_text = w->text;
	put_sentence(w, code);
}

static void put_argument(struct words *w, char letter, char which)
{
	uint64_t number;

	if (letter == 's') {
		put_words(w, text_at(w->reason, arg_index(which, w->first_text, &w->text)));
		return;
	}
	if (letter == 'p') {
		put_words(w, w->latest == 1 ? "" : "s");
		return;
	}
	number = number_at(w->reason, arg_index(which, w->first_number, &w->number));
	w->latest = number;
	if (letter == 't')
		put_time(w, number);
	else
		put_reason_number(w, letter, number);
}

/* A newer module may have reasons that this library does not know. */
static void put_unknown(struct words *w, uint32_t code)
{
	const struct rcr_reason *r = w->reason;

	put_words(w, "Reason ");
	put_reason_number(w, 'u', code);
	put_words(w, ", which this program does not know");
	while (w->text < r->texts) {
		put_words(w, ", ");
		put_argument(w, 's', 0);
	}
	while (w->number < r->numbers && w->number < RCR_REASON_NUMBERS) {
		put_words(w, ", ");
		put_argument(w, 'u', 0);
	}
	put_words(w, ".");
}

/* Reasons are nested once at most: a deeper nesting is not followed. */
static void put_sentence(struct words *w, uint32_t code)
{
	char plain[2] = "", which;
	const char *s;

	if (code >= sizeof(sentence) / sizeof(sentence[0]) || !sentence[code] ||
	    (w->number && strstr(sentence[code], "%r"))) {
		put_unknown(w, code);
		return;
	}
	for (s = sentence[code]; *s; s++) {
		which = 0;
		if (*s == '%' && s[1] == 'r') {
			put_inner(w);
			s++;
		} else if (*s == '%') {
			if (s[1] >= '1' && s[1] <= '9')
				which = *++s;
			put_argument(w, *++s, which);
		} else {
			*plain = *s;
			put_words(w, plain);
		}
	}
}

char *rcr_reason_text(const struct rcr_reason *r, char *text, size_t size)
{
	struct words w = { .reason = r, .to = text, .size = size };

	if (!text || !size)
		return NULL;
	*text = 0;
	if (r)
		put_sentence(&w, r->code);
	return text;
}
