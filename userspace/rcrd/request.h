/* SPDX-License-Identifier: GPL-2.0-or-later */
/* request.h - parse requests to rcrd on its control socket, one per message. */
#ifndef RCRD_REQUEST_H
#define RCRD_REQUEST_H

#include <stddef.h>
#include <stdint.h>
#include <linux/rcrboard.h>

#include "trigger/rule.h"
#include "why.h"

/* Longest request, bytes. */
#define REQUEST_MAX (255 + RULES_MAX * RULE_LEN)

/* Buffer size for an expression, bytes. */
#define REQUEST_EXPRESSION 900

/* Longest window that can be requested, ns: a day, which is more than any ring holds. */
#define REQUEST_WINDOW_MAX 86400000000000ull

enum request_kind {
	/* "record arm WINDOW_NS TRIGGER[,TRIGGER]...", followed by one line for each bound */
	REQUEST_ARM,
	REQUEST_OFF,		/* "record off" */
	REQUEST_LS,		/* "record ls" */
	REQUEST_FETCH,		/* "record fetch": the answer carries a descriptor */
	REQUEST_FETCHED,	/* "record fetched NUMBER": this window has been read */
	/* "threads CLIENT SLOT PID": slots of clients, from SLOT of CLIENT on */
	REQUEST_THREADS,
	REQUEST_WHY,		/* "why text|json NUMBER": current contention, from NUMBER on */
	/* "verdicts text|json NUMBER SINCE_NS UNTIL_NS": of this time, from NUMBER on */
	REQUEST_VERDICTS,
	REQUEST_WHERE,		/* "where memory|cache|any NUMBER": profiles, from NUMBER on */
	REQUEST_FORMULA,	/* "formula METER DIGITS EXPRESSION": begin to compute METER */
};

/**
 * struct request - a request
 * @kind: kind of request
 * @window_ns: ARM: length of the window, 1 to REQUEST_WINDOW_MAX
 * @triggers: ARM: mask of enum rcr_trigger, not 0
 * @number: FETCHED: number of the window; THREADS: number of the first client; WHY, VERDICTS,
 *	WHERE: position to begin at, 0 or the "next" of the previous answer
 * @since_ns: VERDICTS: begin of the time, CLOCK_MONOTONIC, ns
 * @until_ns: VERDICTS: end of the time, CLOCK_MONOTONIC, ns
 * @json: WHY, VERDICTS: answer in JSON
 * @model: WHERE: enum model; MODELS: any
 * @slot: THREADS: first slot of that client
 * @pid: THREADS: only this process; 0: all
 * @lines: ARM: bounds whose crossing is a trigger
 * @digits: FORMULA: digits of the meter, 0 to 9
 * @meter: FORMULA: name of the meter
 * @expression: FORMULA: see formula/expression.h
 */
struct request {
	enum request_kind kind;
	uint64_t window_ns;
	uint32_t triggers;
	uint64_t number;
	uint64_t since_ns;
	uint64_t until_ns;
	bool json;
	unsigned int model;
	struct rule_lines lines;
	uint64_t slot;
	uint64_t pid;
	uint32_t digits;
	char meter[RCR_METER_NAME_LEN];
	char expression[REQUEST_EXPRESSION];
};

/* Parses @size bytes without a terminating 0. Returns 0, or -1 with @why filled in. */
int request_parse(const char *text, size_t size, struct request *r, struct why *why);

#endif
