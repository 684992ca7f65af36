// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * code.c - converts events of counters between the raw form and control registers.
 *
 * AMD 42301, MSRC001_020[A,8,6,4,2,0] Performance Event Select; Intel SDM volume
 * 3B, IA32_PERFEVTSELx. Both agree in bits 31:0 as far as they have them.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/rcrtool.h>

#include "code.h"

#define SELECT_USER	(1ull << 16)
#define SELECT_OS	(1ull << 17)
#define SELECT_EDGE	(1ull << 18)
#define SELECT_INT	(1ull << 20)
#define SELECT_ANY	(1ull << 21)
#define SELECT_EN	(1ull << 22)
#define SELECT_INV	(1ull << 23)
#define SELECT_GUEST	(1ull << 40)
#define SELECT_HOST	(1ull << 41)

#define SELECT_BOTH	(0xff00ffffull | SELECT_USER | SELECT_OS | SELECT_EDGE | \
			 SELECT_INT | SELECT_EN | SELECT_INV)
/* Event, unit mask and counter mask, and the bits that change their meaning. */
#define SELECT_EVENT	(0xfull << 32 | 0xff00ffffull | SELECT_EDGE | SELECT_INV)
#define SELECT_AMD	(0xfull << 32 | SELECT_GUEST | SELECT_HOST)

bool name_is_valid(const char *name)
{
	size_t i;

	for (i = 0; name[i]; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("_.:-+", name[i]))
			return false;
	return i && i < RCR_NAME_LEN && name[0] != '.';
}

void name_clean(char *name)
{
	char *at;

	for (at = name; *at; at++)
		if (!isalnum((unsigned char)*at) &&
		    (!strchr("_.:-+", *at) || (at == name && *at == '.')))
			*at = '-';
}

struct text {
	char *at;
	size_t left;
	bool whole;
};

__attribute__((format(printf, 2, 3)))
static void append_code(struct text *t, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(t->at, t->left, format, args);
	va_end(args);
	if (len < 0 || (size_t)len >= t->left) {
		t->whole = false;
		return;
	}
	t->at += len;
	t->left -= len;
}

bool code_text(char *text, size_t size, const char *name, const struct code *c)
{
	struct text t = { text, size, true };

	append_code(&t, "%s=%s%sevent:0x%02x", name, c->unit, *c->unit ? ":" : "", c->event);
	if (c->umask)
		append_code(&t, ",umask:0x%02x", c->umask);
	if (c->cmask)
		append_code(&t, ",cmask:%u", c->cmask);
	if (c->filter[0])
		append_code(&t, ",filter:0x%x", c->filter[0]);
	if (c->filter[1])
		append_code(&t, ",filter1:0x%x", c->filter[1]);
	if (c->inv)
		append_code(&t, ",inv");
	if (c->edge)
		append_code(&t, ",edge");
	if (c->os && !c->user)
		append_code(&t, ",os");
	if (c->user && !c->os)
		append_code(&t, ",user");
	if (c->per_node)
		append_code(&t, ",pernode");
	if (c->host)
		append_code(&t, ",host");
	if (c->guest)
		append_code(&t, ",guest");
	if (c->slow)
		append_code(&t, ",slow");
	if (c->pinned)
		append_code(&t, ",counter:%u", c->counter);
	return t.whole;
}

/* Parse a field with a number; take_flag_field() parses those without. */
static bool take_number_field(struct code *c, const char *field)
{
	static const char *const names[] = {
		"event:", "umask:", "cmask:", "counter:", "filter:", "filter1:",
	};
	unsigned int *const to[] = {
		&c->event, &c->umask, &c->cmask, &c->counter, &c->filter[0], &c->filter[1],
	};
	static const unsigned int max[] = {
		0xffff, 0xffffffff, 0xff, 0xff, 0xffffffff, 0xffffffff,
	};
	unsigned long val;
	size_t i, len;
	char *end;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		len = strlen(names[i]);
		if (strncmp(field, names[i], len))
			continue;
		val = strtoul(field + len, &end, 0);
		if (!isdigit((unsigned char)field[len]) || *end || val > max[i])
			return false;
		*to[i] = val;
		c->pinned |= to[i] == &c->counter;
		return true;
	}
	return false;
}

static bool take_flag_field(struct code *c, const char *field)
{
	static const char *const names[] = {
		"inv", "edge", "os", "user", "host", "guest", "pernode",
		"slow", "en",
	};
	bool ignored;
	bool *const to[] = {
		&c->inv, &c->edge, &c->os, &c->user, &c->host, &c->guest, &c->per_node,
		&c->slow, &ignored,
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(field, names[i]))
			continue;
		*to[i] = true;
		return true;
	}
	return false;
}

const char *code_begin(const char *text)
{
	size_t len = 0;

	if (!strncmp(text, "event:", 6))
		return text;
	while (isalnum((unsigned char)text[len]) || text[len] == '_')
		len++;
	return strncmp(text + len, ":event:", 7) ? NULL : text + len + 1;
}

bool code_parse(const char *text, struct code *c)
{
	const char *begin = code_begin(text);
	char copy[RCR_EVENT_LEN];
	char *field, *save;

	memset(c, 0, sizeof(*c));
	if (!begin || begin - text > CODE_UNIT_LEN || strlen(begin) >= sizeof(copy))
		return false;
	if (begin > text)
		memcpy(c->unit, text, begin - text - 1);
	strcpy(copy, begin);
	for (field = strtok_r(copy, ",", &save); field;
	     field = strtok_r(NULL, ",", &save))
		if (!take_number_field(c, field) && !take_flag_field(c, field))
			return false;
	return true;
}

int code_from_select(uint64_t select, bool amd, struct code *c, struct why *why)
{
	uint64_t known = SELECT_BOTH | (amd ? SELECT_AMD : 0);

	if (!amd && (select & SELECT_ANY))
		return because(why, "it counts all threads of the core, but a counter here counts only its own CPU: leave out the modifier t");
	if (select & ~known)
		return because(why, "it sets bits 0x%llx of the control register, which are not programmed",
			       (unsigned long long)(select & ~known));
	*c = (struct code){
		.event = (select & 0xff) | (amd ? select >> 24 & 0xf00 : 0),
		.umask = select >> 8 & 0xff,
		.cmask = select >> 24 & 0xff,
		.inv = select & SELECT_INV,
		.edge = select & SELECT_EDGE,
		.os = select & SELECT_OS,
		.user = select & SELECT_USER,
		.host = select & SELECT_HOST,
		.guest = select & SELECT_GUEST,
	};
	return 0;
}

uint64_t code_select(const struct code *c)
{
	return (c->event & 0xffull) | (c->event & 0xf00ull) << 24 |
	       (uint64_t)c->umask << 8;
}

bool code_is_counted(const struct code *c, uint64_t select)
{
	/* Bits 41:40 have another meaning in other units. */
	if (!*c->unit && !(select & SELECT_GUEST) != !(select & SELECT_HOST))
		return false;
	return (select & SELECT_EVENT) == code_select(c) &&
	       !(select & SELECT_USER) == !(select & SELECT_OS);
}
