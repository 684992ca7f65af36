/* SPDX-License-Identifier: ((GPL-2.0-only WITH Linux-syscall-note) OR MIT) */
/*
 * rcrreason.h - reasons of failures in rcrtool: a code and its arguments, which a program formats
 * as a sentence, for example with librcr's rcr_reason_text().
 */
#ifndef _UAPI_LINUX_RCRREASON_H
#define _UAPI_LINUX_RCRREASON_H

#include <linux/types.h>

#define RCR_REASON_NUMBERS	8
#define RCR_REASON_TEXTS	192	/* bytes, including the 0 that terminates each text */

/**
 * struct rcr_reason - reason of a failure
 * @code: enum rcr_reason_code
 * @numbers: used entries of @number
 * @texts: number of consecutive strings in @text
 * @number: arguments that are numbers, in the order of the code's comment
 * @text: arguments that are text
 */
struct rcr_reason {
	__u32 code;
	__u16 numbers;
	__u16 texts;
	__u64 number[RCR_REASON_NUMBERS];
	char  text[RCR_REASON_TEXTS];
};

/*
 * The comment of each code lists its arguments: s is a text, u a number, d a signed number, x a
 * register's address, a bit pattern or an event, r another reason: its code, followed by its
 * arguments. Codes keep their numbers and their arguments; new ones are added at the end. For an
 * unknown code, a program reports the errno.
 */
enum rcr_reason_code {
	RCR_REASON_NONE,		/* the errno explains it */
	RCR_REASON_SENTENCE,		/* s: the module's own sentence */
	RCR_REASON_NO_MEMORY,
	RCR_REASON_NO_MEMORY_RINGS,	/* u CPUs */

	/* The request. */
	RCR_REASON_LACKS,		/* s: missing attribute */
	RCR_REASON_STALE,		/* u generation, u generation of the request */
	RCR_REASON_NOT_A_DEVICE,
	RCR_REASON_BAD_MARK,		/* u: longest mark, bytes */
	RCR_REASON_EVENT_MALFORMED,
	RCR_REASON_EVENT_UNNAMED,
	RCR_REASON_EVENT_FLAGS,		/* u type, x flags */
	RCR_REASON_EVENT_ATTRIBUTE,	/* u type, u attribute */
	RCR_REASON_EVENT_TOO_LARGE,	/* s event, x largest */
	RCR_REASON_ONE_EVENT,
	RCR_REASON_NAMED_TWICE,		/* s event */
	RCR_REASON_BAD_NAME,		/* s event, u: longest name, bytes */
	RCR_REASON_BAD_UNIT,		/* s unit */
	RCR_REASON_BAD_SOFTWARE,	/* s event, u: of enum perf_sw_ids */
	RCR_REASON_NO_TRACEPOINT_ID,	/* s event */
	RCR_REASON_EVERY_FUNCTION,	/* u: id of the tracepoint */
	RCR_REASON_CORE_EVENT,		/* s event */

	/* The set. */
	RCR_REASON_NOTHING_COUNTED,
	RCR_REASON_NOTHING_TO_COUNT,
	RCR_REASON_SET_EMPTY,
	RCR_REASON_SET_FULL,		/* u: largest set */
	RCR_REASON_IN_SET,		/* s event */
	RCR_REASON_NOT_IN_SET,		/* s event */
	RCR_REASON_NOT_COUNTED,		/* s event */
	RCR_REASON_HELD_NAME,		/* s event */
	RCR_REASON_HOLDERS,		/* s holders, r */
	RCR_REASON_CANNOT_ADD,		/* s events, r */
	RCR_REASON_OTHERS_MOVE,		/* s event, s another */
	RCR_REASON_SHUTTING_DOWN,
	RCR_REASON_SUSPENDING,

	/* Capabilities of the machine's counters. */
	RCR_REASON_HIDDEN,
	RCR_REASON_UNKNOWN_CPU,		/* s: version of the module */
	RCR_REASON_COUNTER_CANNOT,	/* s event, u counter, s family, x select, x mask */
	RCR_REASON_NO_COUNTER_CAN,	/* s event, s unit, s family, x select, x mask */
	RCR_REASON_NO_FIELD,		/* s event, s unit, s family, s field */
	RCR_REASON_NO_UNIT,		/* s event, s family, s unit */
	RCR_REASON_UNITS,		/* s event, u units, s unit, u last one */
	RCR_REASON_UNITS_WITH_GAPS,	/* s event, u units, s unit, u last one */
	RCR_REASON_SAME_COUNTER,	/* s event, s another, u counter, s family */
	RCR_REASON_SAME_COUNTERS,	/* s unit, s family */
	RCR_REASON_TOO_MANY,		/* u events, s family, u at once, u too many */
	RCR_REASON_TOO_MANY_OF_UNIT,	/* u events, s unit, s family, u at once, u too many */
	RCR_REASON_FILTERS_DIFFER,	/* s event, s another, x filter, x filter */
	RCR_REASON_NEEDS_KERNEL,	/* s event */
	RCR_REASON_NEEDS_MSR,		/* s event, s unit */
	RCR_REASON_NO_DRIVER,		/* s event */
	RCR_REASON_METER,		/* s event */
	RCR_REASON_CPU_NOT_SAMPLED,	/* s event */

	/* State of a CPU. */
	RCR_REASON_BUSY_CPU,		/* u CPU */
	RCR_REASON_BUSY_CPU_TRACEPOINT,	/* u CPU */
	RCR_REASON_LOCKDOWN_MSR,
	RCR_REASON_LOCKDOWN_PERF,
	RCR_REASON_CORE_TAKEN,
	RCR_REASON_NO_BOX,		/* u CPU, u package, s unit, s event */
	RCR_REASON_UNREADABLE,		/* u CPU, x register */
	RCR_REASON_BOTH_UNREADABLE,	/* u CPU, x register, x register */
	RCR_REASON_UNREADABLE_EVENT,	/* u CPU, x register, s event */
	RCR_REASON_REFUSES,		/* u CPU, x register, x value */
	RCR_REASON_REFUSES_EVENT,	/* u CPU, x register, x value, s event */
	RCR_REASON_KEEPS_NOTHING,	/* u CPU, x register */
	RCR_REASON_MSR_IN_USE,		/* u CPU, x register, x value */
	RCR_REASON_PCI_IN_USE,		/* u CPU, x register, x value */
	RCR_REASON_KERNEL_REFUSES,	/* u CPU, s event, u errno */
	RCR_REASON_NO_FREE_COUNTER,	/* u CPU, s event */
	RCR_REASON_MISPLACED,		/* u CPU, s event, d counter */
	RCR_REASON_MISPLACED_CYCLES,	/* u CPU, d counter */
	RCR_REASON_NO_ROOM,		/* u CPU, u events, u spare, u counters, u taken, u over */

	/* Meters. */
	RCR_REASON_NO_METER,		/* s meter */
	RCR_REASON_METER_EXISTS,	/* s meter */
	RCR_REASON_METERS_FULL,		/* u: most there can be */
	RCR_REASON_METER_NAME,		/* s name */
	RCR_REASON_METER_REMOVED,
	RCR_REASON_METER_PENDING,	/* no longer used */
	RCR_REASON_METER_LACKS,		/* s counter */
	RCR_REASON_GAUGE,		/* s counter */
	RCR_REASON_SHORT_SCALE,		/* u ns, u ns of the period */
	RCR_REASON_BAD_FORM,
	RCR_REASON_FORM_TOO_LONG,	/* u: most terms of a side, and counters */
	RCR_REASON_SHARED_PLACE,	/* s place, s narrower place */
	RCR_REASON_IS_COMPUTED,		/* s meter */
	RCR_REASON_IS_POSTED,		/* s meter */
	RCR_REASON_NO_PLACE,		/* s meter, u places, u place */
	RCR_REASON_SCALES_FULL,		/* u: most time scales there can be */
	RCR_REASON_UNKNOWN_PLACE,	/* s kind of place, u number */
	RCR_REASON_OTHER_SCOPE,		/* s event, s event that it would replace */
};

#endif /* _UAPI_LINUX_RCRREASON_H */
