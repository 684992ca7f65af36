// SPDX-License-Identifier: GPL-2.0-only
/*
 * request.c - sends valid and invalid requests to the module's generic netlink family.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <linux/rcrboard.h>
#include <linux/rcrtool.h>

#include "calls.h"
#include "control/event.h"
#include "form/form.h"
#include "rcr.h"

#define MESSAGE_BYTES	4096
#define ANSWER_BYTES	(128 * 1024)
#define TEXT_BYTES	128	/* of an attribute's text, including a number */
#define NARROW_BYTES	2048
#define MOST_MORE	80	/* see REQUEST_MORE */

static struct nl_sock *sock;
static struct nl_sock *narrow;		/* for REQUEST_NARROW: read by NARROW_BYTES */
static struct nl_sock *listener;	/* member of the multicast group; never read */
static int family = -1;
static uint32_t family_changes;	/* module_changes() when @family was resolved */
static uint32_t generation;

static struct {
	struct nlmsghdr head;
	struct genlmsghdr genl;
	char attrs[MESSAGE_BYTES];
} message;
static size_t used;

static struct nl_sock *open_socket(void)
{
	struct nl_sock *s = nl_socket_alloc();

	if (!s || genl_connect(s))
		exit(2);
	nl_socket_set_buffer_size(s, 1 << 20, 1 << 16);
	return s;
}

void request_open(void)
{
	sock = open_socket();
	narrow = open_socket();
}

/* Join the multicast group: without a member the module sends no notifications. */
static void listen_to_changes(struct nl_sock *asks)
{
	int group = genl_ctrl_resolve_grp(asks, RCR_GENL_NAME, RCR_GENL_CHANGES);

	nl_socket_free(listener);
	listener = nl_socket_alloc();
	if (listener && !genl_connect(listener) && group >= 0)
		nl_socket_add_membership(listener, group);
}

/* Resolve the family again if the module was reloaded: its number has changed. */
static void learn_family(void)
{
	struct nl_sock *asks;
	int found = -1;

	if (family >= 0 && family_changes == module_changes())
		return;
	family_changes = module_is_settled() ? module_changes() : module_changes() - 1;
	asks = nl_socket_alloc();
	if (asks && !genl_connect(asks))
		found = genl_ctrl_resolve(asks, RCR_GENL_NAME);
	if (found >= 0)
		listen_to_changes(asks);
	nl_socket_free(asks);
	if (found >= 0)
		family = found;
}

static void put_bytes(const struct attr *a, const void *data, size_t size)
{
	struct nlattr head = { NLA_HDRLEN + size, a->type };

	if (used + NLA_HDRLEN + NLA_ALIGN(size) > sizeof(message.attrs))
		return;
	if (a->wrong)
		head.nla_len = a->wrong;
	memcpy(message.attrs + used, &head, sizeof(head));
	memset(message.attrs + used + NLA_HDRLEN, 0, NLA_ALIGN(size));
	memcpy(message.attrs + used + NLA_HDRLEN, data, size);
	used += NLA_HDRLEN + NLA_ALIGN(size);
}

static void put_number(const struct attr *a, uint32_t number)
{
	put_bytes(a, &number, sizeof(number));
}

/* Nest an attribute in one that the family does not nest. */
static void put_nest(const struct attr *a)
{
	struct {
		struct nlattr head;
		uint32_t number;
	} inner = { { sizeof(inner), a->number % (RCR_A_MAX + 2) }, a->number };

	put_bytes(a, &inner, sizeof(inner));
}

static void put_noise(const struct attr *a)
{
	unsigned char noise[300];
	uint64_t x = a->number | 1;
	size_t i, size = a->number % sizeof(noise);

	for (i = 0; i < size; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		noise[i] = x;
	}
	put_bytes(a, noise, size);
}

/* Copy the nested attribute of @msg to the request; @a->number may change a byte of it. */
static void put_made(const struct attr *a, struct nl_msg *msg)
{
	const struct nlattr *nest = nlmsg_data(nlmsg_hdr(msg));
	struct attr marked = *a;
	char bytes[2048];
	size_t size;

	size = nla_len(nest) < (int)sizeof(bytes) ? nla_len(nest) : (int)sizeof(bytes);
	memcpy(bytes, nla_data(nest), size);
	if (a->number && size && (a->form == FORM_EVENT || a->form == FORM_FORMULA))
		bytes[a->number % size] ^= a->number >> 8;
	marked.type |= NLA_F_NESTED;
	put_bytes(&marked, bytes, size);
}

static bool make_event(struct nl_msg *msg, const char *text, uint64_t unused)
{
	char why[RCR_SENTENCE_LEN];
	struct rcr_event_spec event;

	(void)unused;
	return rcr_event_parse(text, &event, 1, why, sizeof(why)) == 1 &&
	       !rcr_event_put(msg, RCR_A_EVENT, &event);
}

/* Accept any name as a counter, so that the module must check it. */
static int any_counter(void *context, const char *name, char canonical[RCR_NAME_LEN], bool *gauge)
{
	(void)context;
	*gauge = *name == 'T';
	snprintf(canonical, RCR_NAME_LEN, "%s", name);
	return strcmp(name, "sampler_cycles") ? 0 : -1;
}

static const struct rcr_form *no_form(void *context, const char *name, unsigned int *digits)
{
	(void)context;
	(void)name;
	(void)digits;
	return NULL;
}

static bool make_form(struct nl_msg *msg, const char *text, uint64_t unused)
{
	static const struct rcr_formula_names names = {
		.counter = any_counter, .meter = no_form, .tsc_hz = 2000000000,
	};
	char why[RCR_SENTENCE_LEN];
	struct rcr_form form;

	(void)unused;
	return !rcr_formula_compile(text, 3, &names, &form, why, sizeof(why)) &&
	       !rcr_form_put(msg, RCR_A_FORM, &form);
}

/*
 * Make an event from the bits of @number: the type (2:0), a mask of its attributes (from 3 on),
 * and the value of each of them (from 24 on).
 */
static bool make_fields(struct nl_msg *msg, const char *text, uint64_t number)
{
	static const uint8_t bytes[RCR_EVENT_A_MAX + 1] = {
		[RCR_EVENT_A_CONFIG] = 8, [RCR_EVENT_A_UMASK] = 4, [RCR_EVENT_A_CMASK] = 1,
		[RCR_EVENT_A_FILTER] = 4, [RCR_EVENT_A_FILTER1] = 4, [RCR_EVENT_A_COUNTER] = 1,
		[RCR_EVENT_A_PMU] = 4, [RCR_EVENT_A_CONFIG1] = 8, [RCR_EVENT_A_CONFIG2] = 8,
		[RCR_EVENT_A_SCOPE] = 4, [RCR_EVENT_A_FLAGS] = 4,
	};
	struct nlattr *nest = nla_nest_start(msg, NLA_F_NESTED | RCR_A_EVENT);
	uint64_t value = number >> 24;
	unsigned int i;
	bool good;

	good = nest && !nla_put_string(msg, RCR_EVENT_A_NAME, text) &&
	       !nla_put_u32(msg, RCR_EVENT_A_TYPE, number & 7);
	for (i = 0; i <= RCR_EVENT_A_MAX && good; i++)
		if (bytes[i] && number >> (3 + i) & 1)
			good = !nla_put(msg, i, bytes[i], &value);
	if (good)
		nla_nest_end(msg, nest);
	return good;
}

static bool put_term(struct nl_msg *msg, int type, unsigned int n, unsigned int kind)
{
	struct nlattr *term = nla_nest_start(msg, NLA_F_NESTED | type);

	if (!term || nla_put_string(msg, RCR_TERM_A_NAME, n % 2 ? "A" : "B") ||
	    nla_put_u32(msg, RCR_TERM_A_KIND, kind) ||
	    nla_put_s32(msg, RCR_TERM_A_WEIGHT, n + 1))
		return false;
	nla_nest_end(msg, term);
	return true;
}

/*
 * Make the form of a meter from the bits of @number: terms of the numerator (5:0) and of the
 * denominator (13:8), reductions (18:16, 21:19), per CPU (22), kind of the terms (24:23).
 */
static bool make_terms(struct nl_msg *msg, const char *text, uint64_t number)
{
	struct nlattr *nest = nla_nest_start(msg, NLA_F_NESTED | RCR_A_FORM);
	unsigned int i, above = number % 64, below = (number >> 8) % 64;
	bool good;

	(void)text;
	good = nest && !nla_put_u32(msg, RCR_FORM_A_REDUCTION, number >> 16 & 7) &&
	       !nla_put_u32(msg, RCR_FORM_A_REDUCTION_BELOW, number >> 19 & 7) &&
	       (!(number >> 22 & 1) || !nla_put_flag(msg, RCR_FORM_A_PER_CPU));
	for (i = 0; i < above + below && good; i++)
		good = put_term(msg, i < above ? RCR_FORM_A_TERM : RCR_FORM_A_TERM_BELOW, i,
				number >> 23 & 3);
	if (good)
		nla_nest_end(msg, nest);
	return good;
}

/* Text of copy @n of an attribute, with @n at the end of the name: A3=event:0x76. */
static void numbered_text(const struct attr *a, unsigned int n, char *text, size_t size)
{
	int name = strcspn(a->text, "=");

	if (n)
		snprintf(text, size, "%.*s%u%s", name, a->text, n, a->text + name);
	else
		snprintf(text, size, "%s", a->text);
}

typedef bool make_fn(struct nl_msg *msg, const char *text, uint64_t number);

/* Add the nested attribute that @make makes of a text; the text itself if that fails. */
static void put_text_as(const struct attr *a, unsigned int n, make_fn *make)
{
	struct nl_msg *msg = nlmsg_alloc();
	char text[TEXT_BYTES];

	numbered_text(a, n, text, sizeof(text));
	if (msg && make(msg, text, a->number))
		put_made(a, msg);
	else
		put_bytes(a, text, strlen(text) + 1);
	nlmsg_free(msg);
}

static void put_text(const struct attr *a, unsigned int n)
{
	char text[TEXT_BYTES];

	numbered_text(a, n, text, sizeof(text));
	put_bytes(a, text, strlen(text) + 1);
}

static void put_attr(const struct attr *a, unsigned int n, const int *descriptors)
{
	switch (a->form) {
	case FORM_NUMBER:
		put_number(a, a->number);
		break;
	case FORM_LONG:
		put_bytes(a, &a->number, sizeof(a->number));
		break;
	case FORM_TEXT:
		put_text(a, n);
		break;
	case FORM_FLAG:
		put_bytes(a, NULL, 0);
		break;
	case FORM_EVENT:
		put_text_as(a, n, make_event);
		break;
	case FORM_FORMULA:
		put_text_as(a, n, make_form);
		break;
	case FORM_FIELDS:
		put_text_as(a, n, make_fields);
		break;
	case FORM_TERMS:
		put_text_as(a, n, make_terms);
		break;
	case FORM_DESCRIPTOR:
		put_number(a, descriptors[a->number % SLOTS]);
		break;
	case FORM_GENERATION:
		put_number(a, generation);
		break;
	case FORM_NEST:
		put_nest(a);
		break;
	default:
		put_noise(a);
	}
}

/* Names of the meters in the latest dump. */
static char listed[RCR_METERS_MAX][RCR_METER_NAME_LEN];
static unsigned int listed_count;

static void take_meter(const struct nlmsghdr *head)
{
	struct nlattr *meter, *name;

	meter = nlmsg_find_attr((struct nlmsghdr *)head, GENL_HDRLEN, RCR_A_METER);
	if (!meter || listed_count == RCR_METERS_MAX)
		return;
	name = nla_find(nla_data(meter), nla_len(meter), RCR_METER_A_NAME);
	if (name)
		nla_strlcpy(listed[listed_count++], name, RCR_METER_NAME_LEN);
}

/* Store the generation of an answer for FORM_GENERATION, and the meter of a dump. */
static void read_answer(const struct nlmsghdr *head)
{
	struct nlattr *found;

	if (head->nlmsg_type != family)
		return;
	take_meter(head);
	found = nlmsg_find_attr((struct nlmsghdr *)head, GENL_HDRLEN, RCR_A_GENERATION);
	if (found && nla_len(found) == sizeof(generation))
		generation = nla_get_u32(found);
}

/* Read all answers, which have arrived before send() returned. Return: errno of the last one. */
static int take_answers(const struct nl_sock *from)
{
	static char answer[ANSWER_BYTES];
	size_t bytes = from == narrow ? NARROW_BYTES : sizeof(answer);
	const struct nlmsghdr *head;
	int error = 0, left;

	while ((left = recv(nl_socket_get_fd(from), answer, bytes, MSG_DONTWAIT)) > 0)
		for (head = (void *)answer; nlmsg_ok(head, left);
		     head = nlmsg_next((struct nlmsghdr *)head, &left)) {
			read_answer(head);
			if (head->nlmsg_type == NLMSG_ERROR)
				error = -((struct nlmsgerr *)nlmsg_data(head))->error;
		}
	return error;
}

static void put_attrs(const struct op *op, unsigned int n, const int *descriptors)
{
	unsigned int i, more;

	used = 0;
	for (i = 0; i < op->attrs && i < ATTRS; i++)
		for (more = 0; more <= op->attr[i].more; more++)
			put_attr(&op->attr[i], n + more, descriptors);
}

static int send_one(const struct op *op, unsigned int n, const int *descriptors)
{
	const struct nl_sock *from = op->flags & REQUEST_NARROW ? narrow : sock;
	size_t size;

	put_attrs(op, n, descriptors);
	size = NLMSG_HDRLEN + GENL_HDRLEN + used;
	message.head = (struct nlmsghdr){
		.nlmsg_len = op->wrong ? op->wrong : size,
		.nlmsg_type = family,
		.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK |
			       (op->flags & REQUEST_DUMP ? NLM_F_DUMP : 0),
	};
	message.genl = (struct genlmsghdr){
		.cmd = op->target,
		.version = op->flags & REQUEST_VERSION ? op->a : RCR_GENL_VERSION,
		.reserved = !!(op->flags & REQUEST_RESERVED),
	};
	if (send(nl_socket_get_fd(from), &message, size, 0) < 0)
		return errno;
	return take_answers(from);
}

int request_send(const struct op *op, const int *descriptors)
{
	unsigned int n, more = op->flags & REQUEST_MORE ? op->b % MOST_MORE : 0;
	int error;

	learn_family();
	error = send_one(op, 0, descriptors);
	for (n = 1; n <= more; n++)
		error = send_one(op, n, descriptors);
	return error;
}

static void send_simple(int cmd, int type, uint8_t form, const char *text, uint64_t number)
{
	static const int none[SLOTS] = { -1, -1, -1, -1 };
	struct op op = { .target = cmd, .attrs = !!type };

	op.flags = cmd == RCR_CMD_METERS ? REQUEST_DUMP : 0;
	op.attr[0] = (struct attr){ .type = type, .form = form, .number = number };
	strncpy(op.attr[0].text, text, sizeof(op.attr[0].text) - 1);
	request_send(&op, none);
}

/* Remove the meters of known programs, and all meters if more than half of the slots are in use. */
static void remove_meters(void)
{
	static const char *const meters[] = { "m1", "m2", "posted" };
	unsigned int i;

	for (i = 0; i < 3; i++)
		send_simple(RCR_CMD_METER_REMOVE, RCR_A_NAME, FORM_TEXT, meters[i], 0);
	listed_count = 0;
	send_simple(RCR_CMD_METERS, 0, 0, "", 0);
	for (i = 0; listed_count > RCR_METERS_MAX / 2 && i < listed_count; i++)
		send_simple(RCR_CMD_METER_REMOVE, RCR_A_NAME, FORM_TEXT, listed[i], 0);
}

/* Restore the initial set and period, and free slots of meters. */
void request_restore(void)
{
	static const char *const events[] = {
		"A=event:0x76", "B=event:0xc0", "C=software:page-faults",
	};
	unsigned int i;

	remove_meters();
	send_simple(RCR_CMD_RESET, 0, 0, "", 0);
	send_simple(RCR_CMD_REMOVE, 0, 0, "", 0);
	for (i = 0; i < 3; i++)
		send_simple(RCR_CMD_ADD, RCR_A_EVENT, FORM_EVENT, events[i], 0);
	send_simple(RCR_CMD_PERIOD, RCR_A_PERIOD_NS, FORM_LONG, "", 5000000);
	send_simple(RCR_CMD_FINALIZE, 0, 0, "", 0);
}
