/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * calls.h - a fuzzer of the module's interfaces. It runs programs of a few operations, which it
 * makes by changing valid ones.
 */
#ifndef RCR_CALLS_H
#define RCR_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OPS	8	/* maximum of a program */
#define ATTRS	5	/* maximum of a request */
#define SLOTS	4	/* of descriptors, and as many of mappings */
#define PATHS	23	/* files that perform.c can open */

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
	OP_EVENT,		/* open a perf event of the module's PMU */
	OP_SWITCH,		/* ioctl() of a perf event: enable, disable ... */
	OP_USER,		/* change the user for the operations that follow */
	OP_CPU,			/* take CPU 1 offline or online */
	OP_RELOAD,		/* unload the module, if it is not in use, and load it */
	OP_KEEP,		/* leave descriptors and mappings to the next program */
	OP_ITEMS,		/* select the types of items that a stream delivers */
	OP_KINDS,
};

enum attr_form {
	FORM_NUMBER,		/* 4 bytes */
	FORM_LONG,		/* 8 bytes */
	FORM_TEXT,
	FORM_FLAG,
	FORM_DESCRIPTOR,	/* 4 bytes: the descriptor in slot @number */
	FORM_GENERATION,	/* 4 bytes: the generation of the latest answer */
	FORM_NEST,		/* a nested attribute */
	FORM_NOISE,		/* random bytes from the seed @number */
	FORM_EVENT,		/* the event @text, nested; @number may change a byte */
	FORM_FORMULA,		/* the form of formula @text, nested; @number may change a byte */
	FORM_FIELDS,		/* an event with the attributes that @number selects */
	FORM_TERMS,		/* a form with the terms that @number selects */
	FORMS,
};

/**
 * struct attr - an attribute of a request
 * @type: enum rcr_attr, or any other number
 * @form: enum attr_form
 * @more: number of further copies, whose names end in a number
 * @wrong: wrong length for its header; 0: the right one
 * @number: value, see enum attr_form
 * @text: text, see enum attr_form
 */
struct attr {
	uint16_t type;
	uint8_t form;
	uint8_t more;
	uint16_t wrong;
	uint64_t number;
	char text[80];
};

/* Flags of OP_WATCH; perform.c uses the other bits. */
enum watch_flag {
	WATCH_MORE	= 0x40,		/* repeat until the descriptor is full */
	WATCH_SIZED	= 0x80,		/* change the size of the structure as @c selects */
};

/* Flags of OP_ITEMS; perform.c uses the other bits. */
enum items_flag {
	ITEMS_SIZED	= 0x01,		/* change the size of the structure as @c selects */
	ITEMS_PAD	= 0x02,		/* set its padding */
};

/* Flags of OP_REQUEST. */
enum request_flag {
	REQUEST_DUMP	= 0x01,
	REQUEST_VERSION	= 0x02,		/* send it with version @a */
	REQUEST_MORE	= 0x04,		/* send @b % 80 copies, whose names end in a number */
	REQUEST_NARROW	= 0x08,		/* read the answers in small parts */
	REQUEST_RESERVED = 0x80,	/* set the reserved field of the header */
};

/**
 * struct op - an operation
 * @kind: enum op_kind
 * @slot: slot of the descriptor or mapping
 * @target: file to open, access of a mapping, or command of a request
 * @flags: flags of the kind
 * @attrs: number of attributes in @attr
 * @wrong: wrong length for the header of a message; 0: the right one
 * @a: argument, whose meaning depends on the kind
 * @b: likewise
 * @c: likewise
 * @attr: attributes of a request
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
 * struct program - a sequence of operations
 * @count: number of operations
 * @op: the operations
 */
struct program {
	unsigned int count;
	struct op op[OPS];
};

/* make.c, known.c: make programs, valid ones and changed ones */
uint64_t random_number(void);
void random_seed(uint64_t seed);
unsigned int make_known(struct program *p, unsigned int n);
void make_some_known(struct program *p);
void make_other(struct program *p, const struct program *from, const struct program *other);

/* perform.c: executes the operations of a program */
void perform_begin(void);
void perform(const struct op *op);
void perform_end(bool keep);
/* Bring all CPUs online, and become the first user again. */
void perform_restore(void);
/* Result of the latest operation: kind, target and errno. */
unsigned int perform_result(void);
uint64_t perform_count(void);

/* machine.c: operations on other files than those of the module; return -1 with errno set */
int machine_open_event(const struct op *op, int group);
int machine_switch_event(const struct op *op, int fd);
int machine_set_user(bool root);
int machine_set_cpu(bool online);

/* An entry of the blackboard, for perf events. */
struct known_entry {
	uint32_t meter;
	uint32_t place;
};

extern struct known_entry known_entry;

/* module.c: loads and unloads the module, also while other workers use it */
void module_share(void);
int module_load(const char *path, char **parameters, int count);
int module_unload(void);
int module_reload(void);
/* Number of reloads that were begun, and whether all of them have ended. */
uint32_t module_changes(void);
bool module_is_settled(void);

/* request.c: requests to the generic netlink family */
void request_open(void);
int request_send(const struct op *op, const int *descriptors);
void request_restore(void);

/* log.c: writes programs to the kernel log, and parses them */
void log_open(void);
void log_op(unsigned int worker, unsigned int number, const struct op *op);
bool log_parse(char *line, unsigned int *worker, unsigned int *number, struct op *op);

/* kcov.c: coverage of the module's code; without KCOV none is reported */
#define CODE_BYTES (1u << 22)

bool kcov_open(void);
void kcov_share(void);
void kcov_learn_module(void);
void kcov_begin(void);
unsigned int kcov_end(void);
unsigned int kcov_count(void);
void kcov_print(void);

#endif
