/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * calls.h - a fuzzer of the module's interfaces: programs of a few operations, made of known
 * requests, and a little wrong.
 */
#ifndef RCR_CALLS_H
#define RCR_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OPS	8	/* of a program */
#define ATTRS	5	/* of a request */
#define SLOTS	4	/* open descriptors, and mappings */
#define PATHS	23	/* files to open: perform.c */

enum op_kind {
	OP_OPEN,
	OP_CLOSE,
	OP_READ,
	OP_SEEK,
	OP_POLL,
	OP_MAP,
	OP_CHANGE_MAP,
	OP_WATCH,
	OP_SUBSCRIBE,
	OP_WRITE,
	OP_REQUEST,
	OP_WAIT,
	OP_EVENT,		/* opened of the module's PMU */
	OP_SWITCH,		/* it is switched on, off ... */
	OP_USER,		/* the user of the operations that follow */
	OP_CPU,			/* one goes, or comes */
	OP_RELOAD,		/* the module goes, if it may, and comes */
	OP_KEEP,		/* the next program has the descriptors, too */
	OP_ITEMS,		/* which items a descriptor of the stream delivers */
	OP_KINDS,
};

enum attr_form {
	FORM_NUMBER,		/* 4 bytes */
	FORM_LONG,		/* 8 bytes */
	FORM_TEXT,
	FORM_FLAG,
	FORM_DESCRIPTOR,	/* 4 bytes: that of a slot */
	FORM_GENERATION,	/* 4 bytes: that of the latest answer */
	FORM_NEST,		/* an attribute in it */
	FORM_NOISE,
	FORM_EVENT,		/* its text as numbers, and perhaps another byte in them */
	FORM_FORMULA,		/* likewise the form of a meter */
	FORM_FIELDS,		/* an event of the attributes that the number selects */
	FORM_TERMS,		/* the form of a meter with @number terms */
	FORMS,
};

/**
 * struct attr - an attribute of a request
 * @type: enum rcr_attr, or anything
 * @form: enum attr_form
 * @more: how many more like it follow, numbered in their names
 * @wrong: its length is given as this; 0: as it is
 * @number: its value, or the seed of noise
 * @text: its text
 */
struct attr {
	uint16_t type;
	uint8_t form;
	uint8_t more;
	uint16_t wrong;
	uint64_t number;
	char text[80];
};

/* Flags of OP_WATCH, next to those that only perform.c knows. */
enum watch_flag {
	WATCH_MORE	= 0x40,		/* until the descriptor is full */
	WATCH_SIZED	= 0x80,		/* the structure has another size, by @c */
};

/* Likewise of OP_ITEMS. */
enum items_flag {
	ITEMS_SIZED	= 0x01,		/* the structure has another size, by @c */
	ITEMS_PAD	= 0x02,		/* its padding is not 0 */
};

/* Flags of OP_REQUEST. */
enum request_flag {
	REQUEST_DUMP	= 0x01,
	REQUEST_VERSION	= 0x02,		/* its version is @a */
	REQUEST_MORE	= 0x04,		/* @b % 80 more follow, numbered in their names */
	REQUEST_NARROW	= 0x08,		/* the answers are read in small parts */
	REQUEST_RESERVED = 0x80,	/* the reserved field of the head is not 0 */
};

/**
 * struct op - an operation
 * @kind: enum op_kind
 * @slot: whose descriptor or mapping
 * @target: the file to open; the access to map; the command
 * @flags: the kind's own
 * @attrs: how many of @attr
 * @wrong: the length in the header of a message; 0: as it is
 * @a: number of the kind's own, as are @b and @c
 * @b: the same
 * @c: the same
 * @attr: of a request
 */
struct op {
	uint8_t kind;
	uint8_t slot;
	uint8_t target;
	uint8_t flags;
	uint8_t attrs;
	uint32_t wrong;
	uint64_t a;
	uint64_t b;
	uint64_t c;
	struct attr attr[ATTRS];
};

/**
 * struct program - operations, one after the other
 * @count: how many
 * @op: they
 */
struct program {
	unsigned int count;
	struct op op[OPS];
};

/* make.c, known.c: programs, right ones and others. */
uint64_t random_number(void);
void random_seed(uint64_t seed);
unsigned int make_known(struct program *p, unsigned int n);
void make_some_known(struct program *p);
void make_other(struct program *p, const struct program *from, const struct program *other);

/* perform.c: what a program does. */
void perform_begin(void);
void perform(const struct op *op);
void perform_end(bool keep);
/* CPUs and user are as at first. */
void perform_restore(void);
/* The result of the latest operation: its kind, its command or file, and its errno. */
unsigned int perform_result(void);
uint64_t perform_count(void);

/* machine.c: operations that are none on the module's files; each returns -1 and errno. */
int machine_open_event(const struct op *op, int group);
int machine_switch_event(const struct op *op, int fd);
int machine_set_user(bool root);
int machine_set_cpu(bool online);

/* An entry of a blackboard, for events. */
struct known_entry {
	uint32_t meter;
	uint32_t place;
};

extern struct known_entry known_entry;

/* module.c: loads the module and unloads it, at times while others use it. */
void module_share(void);
int module_load(const char *path, char **parameters, int count);
int module_unload(void);
int module_reload(void);
/* The number of unloads begun, and whether none is under way. */
uint32_t module_changes(void);
bool module_is_settled(void);

/* request.c: requests of the generic netlink family. */
void request_open(void);
int request_send(const struct op *op, const int *descriptors);
void request_restore(void);

/* log.c: programs as lines of the kernel's log. */
void log_open(void);
void log_op(unsigned int worker, unsigned int number, const struct op *op);
bool log_parse(char *line, unsigned int *worker, unsigned int *number, struct op *op);

/* kcov.c: which of the module's code was run; without KCOV nothing is known. */
#define CODE_BYTES (1u << 22)

bool kcov_open(void);
void kcov_share(void);
void kcov_learn_module(void);
void kcov_begin(void);
unsigned int kcov_end(void);
unsigned int kcov_count(void);
void kcov_print(void);

#endif
