// SPDX-License-Identifier: GPL-2.0-only
/*
 * log.c - writes programs to the kernel log, the only record of a guest that crashes, and parses
 * them to run them again. A line for each operation:
 *
 *	calls-op WORKER NUMBER KIND SLOT TARGET FLAGS WRONG A B C [ATTRIBUTE]...
 *
 * An attribute is TYPE:FORM:MORE:WRONG:NUMBER:TEXT. All fields are hexadecimal; TEXT is the bytes
 * of the text. Operation 0 begins the next program of that worker.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calls.h"

#define LINE_BYTES	900	/* /dev/kmsg refuses longer lines */
#define MARK		"calls-op "

static int log_fd = -1;

void log_open(void)
{
	log_fd = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);
}

static size_t put_attr(char *to, size_t size, const struct attr *a)
{
	size_t i, len = strnlen(a->text, sizeof(a->text)), used;

	used = snprintf(to, size, " %x:%x:%x:%x:%llx:", a->type, a->form, a->more, a->wrong,
			(unsigned long long)a->number);
	if (a->form != FORM_TEXT && a->form != FORM_EVENT && a->form != FORM_FORMULA &&
	    a->form != FORM_FIELDS)
		return used;
	for (i = 0; i < len; i++)
		used += snprintf(used < size ? to + used : NULL, used < size ? size - used : 0,
				 "%02x", (unsigned char)a->text[i]);
	return used;
}

/* Called before the operation is performed, which may crash the kernel. */
void log_op(unsigned int worker, unsigned int number, const struct op *op)
{
	char line[LINE_BYTES];
	unsigned int i;
	size_t used;

	used = snprintf(line, sizeof(line), "<7>" MARK "%x %x %x %x %x %x %x %llx %llx %llx",
			worker, number, op->kind, op->slot, op->target, op->flags, op->wrong,
			(unsigned long long)op->a, (unsigned long long)op->b,
			(unsigned long long)op->c);
	for (i = 0; op->kind == OP_REQUEST && i < op->attrs && used < sizeof(line); i++)
		used += put_attr(line + used, sizeof(line) - used, &op->attr[i]);
	/* A failed write does not end the run: the log only helps to reproduce a crash. */
	if (log_fd >= 0 && used < sizeof(line) && write(log_fd, line, used) < 0)
		log_fd = -1;
}

static void take_text(char *text, size_t size, const char *hex)
{
	unsigned int byte;
	size_t i;

	memset(text, 0, size);
	for (i = 0; i + 1 < size && sscanf(hex, "%2x", &byte) == 1; i++, hex += 2)
		text[i] = byte;
}

static bool take_attr(struct attr *a, const char *word)
{
	unsigned int type, form, more, wrong;
	unsigned long long number;
	int text = 0;

	if (sscanf(word, "%x:%x:%x:%x:%llx:%n", &type, &form, &more, &wrong, &number, &text) < 5 ||
	    !text)
		return false;
	*a = (struct attr){
		.type = type, .form = form, .more = more, .wrong = wrong, .number = number,
	};
	take_text(a->text, sizeof(a->text), word + text);
	return true;
}

/* Parse a line of log_op(). Return: false if it is another line. */
bool log_parse(char *line, unsigned int *worker, unsigned int *number, struct op *op)
{
	unsigned int kind, slot, target, flags, wrong;
	unsigned long long a, b, c;
	char *at = strstr(line, MARK), *word, *rest;
	int used = 0;

	if (!at || sscanf(at + strlen(MARK), "%x %x %x %x %x %x %x %llx %llx %llx%n", worker,
			  number, &kind, &slot, &target, &flags, &wrong, &a, &b, &c, &used) < 10)
		return false;
	*op = (struct op){
		.kind = kind, .slot = slot, .target = target, .flags = flags, .wrong = wrong,
		.a = a, .b = b, .c = c,
	};
	at += strlen(MARK) + used;
	for (word = strtok_r(at, " \r\n", &rest); word && op->attrs < ATTRS;
	     word = strtok_r(NULL, " \r\n", &rest))
		if (!take_attr(&op->attr[op->attrs++], word))
			return false;
	return true;
}
