// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * network_meters.c - posts the traffic of the physical network interfaces. Posting values and
 * adding a posted meter need CAP_PERFMON.
 */
#include <errno.h>
#include <string.h>

#include "message.h"
#include "network_meters.h"

#define FOLDER "/sys/class/net"

/* By enum network_count. */
static const struct rcr_meter_request posted[NETWORK_COUNTS] = {
	[NETWORK_RX] = { .name = "net_rx", .unit = "B/s" },
	[NETWORK_TX] = { .name = "net_tx", .unit = "B/s" },
	[NETWORK_DROPPED] = { .name = "net_dropped", .unit = "1/s", .digits = 3 },
};

/* An existing meter is used if it is posted and has the same unit and digits. */
static int check_meter(const struct rcr_meters *meters, const struct rcr_meter_request *r,
		       struct why *why)
{
	const struct rcr_meter_state *m = rcr_meters_find(meters, r->name);

	if (!m || ((m->flags & RCR_METER_POSTED) && m->digits == r->digits &&
		   !strcmp(m->unit, r->unit)))
		return 0;
	return because(why, "there is another meter '%s': remove it with 'rcrctl meter remove %s'",
		       r->name, r->name);
}

static int make_meter(struct rcr_control *c, const struct rcr_meters *meters,
		      const struct rcr_meter_request *r, struct why *why)
{
	struct rcr_meter_request request = *r;

	if (rcr_meters_find(meters, r->name))
		return 0;
	request.scale_ns = 1000000000;
	request.type = RCR_TIME_AVERAGE;
	request.over = RCR_PLACE_MACHINE;
	if (!rcr_control_meter_add(c, 0, &request, NULL) || errno == EEXIST)
		return 0;
	return because(why, "%s", rcr_control_reason(c));
}

static int make_meters(struct rcr_control *c, struct why *why)
{
	static struct rcr_meters meters;
	int i, ret = 0;

	if (rcr_control_meters(c, &meters))
		return because(why, "%s", rcr_control_reason(c));
	for (i = 0; !ret && i < NETWORK_COUNTS; i++)
		ret = check_meter(&meters, &posted[i], why);
	for (i = 0; !ret && i < NETWORK_COUNTS; i++)
		ret = make_meter(c, &meters, &posted[i], why);
	return ret;
}

int network_meters_open(struct network_meters *n, struct rcr_control *control,
			uint64_t interval_ns, struct why *why)
{
	if (!interval_ns)
		return 0;
	n->interval_ns = interval_ns;
	if (make_meters(control, why) || interfaces_read(FOLDER, &n->read[n->at], why))
		return -1;
	n->control = control;
	return 0;
}

/* A meter that root has removed is not added again until rcrd restarts. */
static int post_value(struct network_meters *n, enum network_count i, int64_t value,
		      struct why *why)
{
	if (n->is_gone[i] || !rcr_control_meter_post(n->control, posted[i].name, value, 0))
		return 0;
	n->is_gone[i] = errno == ENOENT;
	return because(why, "%s", rcr_control_reason(n->control));
}

static int post_rates(struct network_meters *n, struct why *why)
{
	struct network_read *before = &n->read[n->at], *now = &n->read[!n->at];
	uint64_t growth[NETWORK_COUNTS];
	int i, ret = 0;

	if (interfaces_read(FOLDER, now, why))
		return -1;
	n->at = !n->at;
	network_growth(before, now, growth);
	for (i = 0; i < NETWORK_COUNTS; i++)
		ret |= post_value(n, i, network_rate(growth[i], now->time - before->time,
						     posted[i].digits), why);
	return ret;
}

static void post_meters(void *arg, uint32_t events)
{
	struct network_meters *n = arg;
	struct why why;
	int ret = post_rates(n, &why);

	(void)events;
	if (ret && !n->failed)
		note("network meters: %s", why.text);
	n->failed = ret;
	loop_set_timer(&n->timer, n->interval_ns);
}

int network_meters_begin(struct network_meters *n, struct loop *loop)
{
	if (!n->control)
		return 0;
	n->timer = (struct loop_source){ -1, post_meters, n };
	if (loop_add_timer(loop, &n->timer))
		return -1;
	loop_set_timer(&n->timer, n->interval_ns);
	return 0;
}

void network_meters_end(struct network_meters *n)
{
	int i;

	for (i = 0; n->control && i < NETWORK_COUNTS; i++)
		rcr_control_meter_post_status(n->control, posted[i].name, RCR_STATUS_GAP, 0);
}
