// SPDX-License-Identifier: LGPL-2.1-or-later
/* meters.c - requests to the module about meters, one function for each. */
#include <errno.h>
#include <string.h>

#include "form/form.h"
#include "request.h"
#include "rcr_meters.h"

int rcr_control_meters(struct rcr_control *c, struct rcr_meters *meters)
{
	unsigned int tries = 0;
	int ret;

	if (!c || !meters)
		return rcr_request_invalid();
	c->meters = meters;
	do {
		memset(meters, 0, sizeof(*meters));
		ret = rcr_request_send(c, rcr_request_begin_read(c, RCR_CMD_METERS));
	} while (ret && rcr_request_again(c, &tries));
	c->meters = NULL;
	return ret;
}

/* Starts a request about the meter @name; returns NULL with the reason in @c on failure. */
static struct nl_msg *begin_meter(struct rcr_control *c, enum rcr_cmd cmd,
				  uint32_t generation, const char *name)
{
	struct nl_msg *msg = rcr_request_begin(c, cmd, generation);

	if (!msg || !name || !rcr_request_put(c, msg, RCR_A_NAME, name, RCR_METER_NAME_LEN,
					      "a meter's name"))
		return msg;
	return NULL;
}

/* Adds the numeric attributes of a new meter. */
static void put_numbers(struct nl_msg *msg, const struct rcr_meter_request *r)
{
	if (r->scale_ns)
		nla_put_u64(msg, RCR_A_SCALE_NS, r->scale_ns);
	if (r->type != RCR_METER_ANY)
		nla_put_u32(msg, RCR_A_TYPE, r->type);
	if (r->over != RCR_METER_ANY)
		nla_put_u32(msg, RCR_A_OVER, r->over);
	if (r->digits != RCR_METER_ANY)
		nla_put_u32(msg, RCR_A_DIGITS, r->digits);
	if (r->is_public)
		nla_put_flag(msg, RCR_A_PUBLIC);
}

static int put_texts(struct rcr_control *c, struct nl_msg *msg,
		     const struct rcr_meter_request *r)
{
	unsigned int i;

	if (r->unit && rcr_request_put(c, msg, RCR_A_UNIT, r->unit, RCR_METER_UNIT_LEN,
				       "a unit"))
		return -1;
	for (i = 0; i < r->nevents; i++)
		if (rcr_request_put_events(c, msg, r->events[i], RCR_MAX_COUNTERS))
			return -1;
	return 0;
}

int rcr_control_meter_add(struct rcr_control *c, uint32_t generation,
			  const struct rcr_meter_request *request, uint32_t *number)
{
	struct nl_msg *msg;
	int ret;

	if (!c || !request || !request->name || (request->nevents && !request->events))
		return rcr_request_invalid();
	msg = begin_meter(c, RCR_CMD_METER_ADD, generation, request->name);
	if (!msg || put_texts(c, msg, request))
		return -1;
	put_numbers(msg, request);
	if (request->form && rcr_form_put(msg, RCR_A_FORM, request->form)) {
		nlmsg_free(msg);
		return rcr_request_failed(c, ENOMEM);
	}
	c->number = number;
	ret = rcr_request_send(c, msg);
	c->number = NULL;
	return ret;
}

int rcr_control_meter_remove(struct rcr_control *c, uint32_t generation, const char *name)
{
	if (!c || !name)
		return rcr_request_invalid();
	return rcr_request_send(c, begin_meter(c, RCR_CMD_METER_REMOVE, generation, name));
}

int rcr_control_meter_reset(struct rcr_control *c, uint32_t generation, const char *name)
{
	if (!c)
		return rcr_request_invalid();
	return rcr_request_send(c, begin_meter(c, RCR_CMD_METER_RESET, generation, name));
}

int rcr_control_meter_maximum(struct rcr_control *c, uint32_t generation,
			      const char *name, const struct rcr_meter_limits *limits)
{
	struct nl_msg *msg;

	if (!c || !name || !limits)
		return rcr_request_invalid();
	msg = begin_meter(c, RCR_CMD_METER_MAXIMUM, generation, name);
	if (msg) {
		nla_put_u32(msg, RCR_A_OVER, limits->kind);
		nla_put_u32(msg, RCR_A_PLACE, limits->number);
	}
	if (msg && limits->has_maximum)
		nla_put_u64(msg, RCR_A_MAXIMUM, limits->maximum);
	if (msg && limits->has_contention)
		nla_put_u64(msg, RCR_A_CONTENTION, limits->contention);
	return rcr_request_send(c, msg);
}

int rcr_control_meter_post(struct rcr_control *c, const char *name, int64_t value,
			   uint32_t place)
{
	struct nl_msg *msg;

	if (!c || !name)
		return rcr_request_invalid();
	msg = begin_meter(c, RCR_CMD_METER_POST, 0, name);
	if (msg) {
		nla_put_u64(msg, RCR_A_VALUE, value);
		nla_put_u32(msg, RCR_A_PLACE, place);
	}
	return rcr_request_send(c, msg);
}

int rcr_control_meter_post_status(struct rcr_control *c, const char *name, uint32_t status,
				  uint32_t place)
{
	struct nl_msg *msg;

	if (!c || !name)
		return rcr_request_invalid();
	msg = begin_meter(c, RCR_CMD_METER_POST, 0, name);
	if (msg) {
		nla_put_u64(msg, RCR_A_VALUE, 0);
		nla_put_u32(msg, RCR_A_STATUS, status);
		nla_put_u32(msg, RCR_A_PLACE, place);
	}
	return rcr_request_send(c, msg);
}
