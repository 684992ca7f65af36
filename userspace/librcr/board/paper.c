// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * paper.c - meters with the names of the RCRTool design document. A process has one connection and
 * one board, opened when needed.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "rcr_meters.h"
#include "rcr_board.h"
#include "rcr_paper.h"

#define PAPER_DIGITS 6

/* The longest time scale in 32 bits of microseconds, without the two bits of the type. */
#define PAPER_SCALE_MAX_US RCRTTime(UINT32_MAX)

/* Protected by the lock. The board stays open until RCRClose(). */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct rcr_blackboard *board;
static struct rcr_control *control;
static pid_t connected;
static unsigned int made;

/* Accessed without the lock. By meter number: serial and entry at the time of subscribing. */
static uint32_t subscribed[RCR_METERS_MAX];
static uint32_t subscribed_entry[RCR_METERS_MAX];

static int fail_paper(int error)
{
	errno = error;
	return -1;
}

static void hold_lock(void)
{
	pthread_mutex_lock(&lock);
}

static void let_go(void)
{
	pthread_mutex_unlock(&lock);
}

/* fork() waits for the lock, so that it is free in the child. */
static void register_fork_handlers(void)
{
	pthread_atfork(hold_lock, let_go, let_go);
}

static void lock_paper(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, register_fork_handlers);
	hold_lock();
}

static struct rcr_blackboard *get_board(void)
{
	struct rcr_blackboard *b;

	lock_paper();
	if (!board)
		board = rcr_board_open(NULL);
	b = board;
	let_go();
	return b;
}

/* After a reload the module has a new netlink family: the next call connects again. */
static void forget_control(void)
{
	int error = errno;

	rcr_control_close(control);
	control = NULL;
	errno = error;
}

/* Called with the lock held. A child of fork() must not share the parent's connection. */
static struct rcr_control *get_control(void)
{
	if (control && connected != getpid())
		forget_control();
	if (!control)
		control = rcr_control_open();
	connected = getpid();
	return control;
}

/* Reads the description of meter @number from the board. */
static int describe_meter(int number, struct rcr_board_meter *m)
{
	struct rcr_board_meter all[RCR_METERS_MAX];
	struct rcr_blackboard *b = get_board();
	int count, i;

	if (!b)
		return -1;
	count = rcr_board_meters(b, all, RCR_METERS_MAX);
	if (count < 0)
		return -1;
	for (i = 0; number >= 0 && number < RCR_METERS_MAX && i < count; i++)
		if (all[i].number == (uint32_t)number) {
			*m = all[i];
			return m->digits > 9 ? fail_paper(EPROTO) : 0;
		}
	return fail_paper(ENOENT);
}

static uint64_t scale_from_paper(RCRTTimeScale t)
{
	return RCRTTime(t) * 1000ull;
}

static RCRTTimeScale scale_to_paper(uint64_t scale_ns, uint32_t type)
{
	uint64_t us = scale_ns / 1000;

	return RCRTTime(us < PAPER_SCALE_MAX_US ? us : PAPER_SCALE_MAX_US) | RCRTType(type);
}

/* Tries names until one is free: an earlier process may have had the same pid. */
static int make_free_meter(struct rcr_control *c, RCRTTimeScale t, uint32_t *number)
{
	char name[RCR_METER_NAME_LEN];
	struct rcr_meter_request r = {
		.name = name,
		.scale_ns = scale_from_paper(t),
		.type = RCRTType(t),
		.over = RCR_PLACE_MACHINE,
		.digits = PAPER_DIGITS,
	};
	int ret;

	do {
		snprintf(name, sizeof(name), "posted_%d_%u", (int)getpid(), made++);
		ret = rcr_control_meter_add(c, 0, &r, number);
	} while (ret && errno == EEXIST);
	return ret;
}

int RCRMeter(RCRTTimeScale t)
{
	uint32_t number = ~0u;
	int ret = -1;

	if (!RCRTTime(t))
		return fail_paper(EINVAL);
	lock_paper();
	if (get_control())
		ret = make_free_meter(control, t, &number);
	if (ret)
		forget_control();
	let_go();
	if (ret)
		return -1;
	return number < RCR_METERS_MAX ? (int)number : fail_paper(EPROTO);
}

bool RCRMeterReset(int meterNum)
{
	struct rcr_board_meter m;
	int ret = -1;

	if (describe_meter(meterNum, &m))
		return false;
	lock_paper();
	if (get_control())
		ret = rcr_control_meter_reset(control, 0, m.name);
	if (ret)
		forget_control();
	let_go();
	return !ret;
}

static double power_of_ten(uint32_t digits)
{
	double power = 1;

	while (digits--)
		power *= 10;
	return power;
}

/* Rounds to a multiple of 10^-digits; fails for NAN and values out of range. */
static int as_value(double number, uint32_t digits, int64_t *value)
{
	double scaled = number * power_of_ten(digits);

	if (number != number)
		return fail_paper(EINVAL);
	if (!(scaled < 9.2e18 && scaled > -9.2e18))
		return fail_paper(ERANGE);
	*value = scaled + (scaled < 0 ? -0.5 : 0.5);
	return 0;
}

bool RCRMeterUpdate(RCRCounter c)
{
	struct rcr_board_meter m;
	int64_t value;
	int ret = -1;

	if (c.id >= RCR_METERS_MAX) {
		errno = ENOENT;
		return false;
	}
	if (describe_meter(c.id, &m) || as_value(c.value.floatValue, m.digits, &value))
		return false;
	lock_paper();
	if (get_control())
		ret = rcr_control_meter_post(control, m.name, value, 0);
	if (ret)
		forget_control();
	let_go();
	return !ret;
}

static bool is_subscribed(const struct rcr_board_meter *m)
{
	return __atomic_load_n(&subscribed[m->number], __ATOMIC_RELAXED) == m->serial &&
	       __atomic_load_n(&subscribed_entry[m->number], __ATOMIC_RELAXED) == m->first;
}

static int subscribe_meter(const struct rcr_board_meter *m, const struct rcr_meter *entry)
{
	if (rcr_board_subscribe(get_board(), entry, 0))
		return -1;
	__atomic_store_n(&subscribed_entry[m->number], m->first, __ATOMIC_RELAXED);
	__atomic_store_n(&subscribed[m->number], m->serial, __ATOMIC_RELAXED);
	return 0;
}

/* Reads the values of meter @number for the machine. */
static int read_meter(int number, struct rcr_board_meter *m, struct rcr_board_value *v)
{
	struct rcr_meter entry;
	int ret;

	if (describe_meter(number, m))
		return -1;
	if (!m->entries)
		return fail_paper(ENODATA);
	entry.entry = m->first;
	entry.serial = m->serial;
	if (is_subscribed(m)) {
		ret = rcr_board_read(get_board(), &entry, v);
		if (!ret || errno != ESTALE)
			return ret;
	}
	if (subscribe_meter(m, &entry))
		return -1;
	return rcr_board_read(get_board(), &entry, v);
}

static int64_t paper_value(const struct rcr_board_value *v, uint32_t type)
{
	switch (RCRTType(type)) {
	case RCR_SUM:
		return v->sum;
	case RCR_AVE:
		return v->average;
	case RCR_PEAK:
		return v->peak;
	default:
		return v->current_value;
	}
}

RCRMeterValue *RCRGetMeter(int MeterNumber)
{
	static _Thread_local RCRMeterValue answer;
	struct rcr_board_meter m;
	struct rcr_board_value v;
	double power;

	if (read_meter(MeterNumber, &m, &v))
		return NULL;
	power = power_of_ten(m.digits);
	answer.curMeter.floatValue = paper_value(&v, m.type) / power;
	answer.recentPeakMeter.floatValue = v.peak / power;
	answer.sysMaxMeter.floatValue = v.maximum / power;
	answer.timeScale = scale_to_paper(m.scale_ns, m.type);
	return &answer;
}

RCRCountValue *RCRGetCount(int MeterNumber)
{
	static _Thread_local RCRCountValue answer;
	struct rcr_board_meter m;
	struct rcr_board_value v;
	double sum;

	if (read_meter(MeterNumber, &m, &v))
		return NULL;
	sum = v.sum / power_of_ten(m.digits);
	if (sum < 0) {
		errno = ERANGE;
		return NULL;
	}
	answer.curCount.intValue = sum + 0.5;
	return &answer;
}

void RCRClose(void)
{
	lock_paper();
	rcr_board_close(board);
	board = NULL;
	memset(subscribed, 0, sizeof(subscribed));
	forget_control();
	let_go();
}
