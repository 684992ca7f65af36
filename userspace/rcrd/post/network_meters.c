// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * network_meters.c - post the traffic of the physical network interfaces. Both posting a value and
 * adding a posted meter need CAP_PERFMON.
 */
#include <errno.h>
#include <string.h>

#include "message.h"
#include "network_meters.h"
#include "posted.h"

#define FOLDER "/sys/class/net"

/* An average over a second, for the whole machine. */
#define POSTED_AVERAGE \
	.scale_ns = 1000000000, .type = RCR_TIME_AVERAGE, .over = RCR_PLACE_MACHINE

/* By enum network_count. */
static const struct rcr_meter_request posted[NETWORK_COUNTS] = {
	[NETWORK_RX] = { POSTED_AVERAGE, .name = "net_rx", .unit = "B/s" },
	[NETWORK_TX] = { POSTED_AVERAGE, .name = "net_tx", .unit = "B/s" },
	[NETWORK_DROPPED] = { POSTED_AVERAGE, .name = "net_dropped", .unit = "1/s", .digits = 3 },
};

int network_meters_open(struct network_meters *n, struct rcr_control *control,
			uint64_t interval_ns, struct why *why)
{
	if (!interval_ns)
		return 0;
	n->interval_ns = interval_ns;
	if (posted_make(control, posted, NETWORK_COUNTS, why) ||
	    interfaces_read(FOLDER, &n->read[n->at], why))
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
		note("cannot post network meters: %s", why.text);
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
