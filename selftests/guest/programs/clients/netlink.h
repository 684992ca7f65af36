/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * netlink.h - requests that netlink.c and its parts send to the module as raw bytes, and the
 * checks of their answers.
 */
#ifndef RCR_GUEST_NETLINK_H
#define RCR_GUEST_NETLINK_H

#include <poll.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <linux/rcrboard.h>

#include "rcr_control.h"
#include "stream.h"

extern int netlink_family, netlink_fd;
extern unsigned int deviations;

/* The answer to the last request. */
struct answer {
	char bytes[16384] __attribute__((aligned(8)));
	unsigned int messages;	/* of the family */
	bool interrupted;	/* a message or the end of the dump had NLM_F_DUMP_INTR */
	bool over;
	int error;
};

struct request {
	struct nlmsghdr head;
	struct genlmsghdr genl;
	char attrs[8192];
};

/**
 * struct attrs - consecutive attributes of a request
 * @size: bytes used
 * @bytes: the attributes
 */
struct attrs {
	size_t size;
	char bytes[8192];
};

static const struct attrs none;

/* netlink_message.c */
int take_part(struct answer *answer, size_t size);
int send_raw(void *message, size_t size);
struct request make_request(int cmd, const void *attrs, size_t size);
int call_family(int cmd, const void *attrs, size_t size);
void expect_error(int got, int wanted, const char *what);
struct attrs with_bytes(struct attrs a, int type, const void *data, size_t size);
struct attrs with_text(struct attrs a, int type, const char *text);
struct attrs with_number(struct attrs a, int type, uint32_t number);
struct attrs with_u64(struct attrs a, int type, uint64_t number);
struct attrs with_nest(struct attrs a, int type, struct attrs nest);
struct attrs make_event(const char *name, uint32_t type, uint64_t config);
struct attrs with_event(struct attrs a, const char *name, uint64_t config);
void expect_refused(int cmd, struct attrs a, int wanted, const char *what);
struct attrs make_term(const char *name, uint32_t kind, int32_t weight);
struct attrs with_term(struct attrs form, int side, const char *name, uint32_t kind,
		       int32_t weight);
struct attrs rate_form(void);
void connect_family(void);
uint32_t ask_with(int cmd, struct attrs a, int *error);
uint32_t ask_generation(int cmd);
void report_wrong(const char *what);

/* The checks, one or more per file. */
void check_malformed(int device);
void check_rights(const char *who);
void check_interleaved(unsigned int requests);
void run_controllers(unsigned int number);
int listen_once(void);
void check_dumps(void);

#endif
