// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - rcrnet: posts what the physical network interfaces move, as meters.
 */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "duration.h"
#include "message.h"
#include "network.h"
#include "rcr_meters.h"

#define SECOND 1000000000
#define FOLDER "/sys/class/net"

static const char help[] =
	"Usage: rcrnet [-i SECONDS] [-n COUNT]\n"
	"Posts what the physical network interfaces receive, send and drop, as the meters\n"
	"net_rx, net_tx and net_dropped of the rcrtool module.\n"
	"\n"
	"  -i, --interval SECONDS  time from one post to the next, 0.1 to 3600 (default 1)\n"
	"  -n, --count COUNT       end after COUNT posts (default: go on)\n"
	"  -h, --help              print this and exit\n"
	"\n"
	"Exit status: 0 done, or ended by SIGINT or SIGTERM; 1 something failed; 2 the\n"
	"command line is wrong.\n";

/* By enum network_count. */
static const struct rcr_meter_request posted[NETWORK_COUNTS] = {
	[NETWORK_RX] = { .name = "net_rx", .unit = "B/s" },
	[NETWORK_TX] = { .name = "net_tx", .unit = "B/s" },
	[NETWORK_DROPPED] = { .name = "net_dropped", .unit = "1/s", .digits = 3 },
};

static bool parse_interval(const char *text, uint64_t *ns)
{
	double val;

	if (!duration_parse(text, SECOND, &val) || !(val >= 0.1 * SECOND && val <= 3600e9))
		return false;
	*ns = val + 0.5;
	return true;
}

static bool parse_count(const char *text, uint64_t *count)
{
	char *end;

	errno = 0;
	*count = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno && *count;
}

static int wrong_option(int option, const char *word)
{
	char letter[] = { '-', optopt, 0 };

	if (option == ':')
		return wrong("option '%s' needs a value", optopt ? letter : word);
	return wrong("unknown option '%s'", optopt ? letter : word);
}

/* Of --help it does not return. */
static int parse_options(int argc, char **argv, uint64_t *interval, uint64_t *count)
{
	static const struct option longs[] = {
		{ "interval", required_argument, NULL, 'i' },
		{ "count", required_argument, NULL, 'n' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	int option, status = EXIT_SUCCESS;

	opterr = 0;
	while (!status && (option = getopt_long(argc, argv, ":i:n:h", longs, NULL)) >= 0) {
		if (option == 'h') {
			fputs(help, stdout);
			exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
		}
		if (option == 'i' && !parse_interval(optarg, interval))
			status = wrong("invalid interval '%s': give 0.1 to 3600 seconds",
				       optarg);
		else if (option == 'n' && !parse_count(optarg, count))
			status = wrong("invalid count '%s': give a number from 1", optarg);
		else if (option == '?' || option == ':')
			status = wrong_option(option, argv[optind - 1]);
	}
	if (!status && optind < argc)
		return wrong("unexpected argument '%s'", argv[optind]);
	return status;
}

/* A meter that is there serves if it is posted, with that unit and digits. */
static int check_meter(const struct rcr_meters *meters, const struct rcr_meter_request *r)
{
	const struct rcr_meter_state *m = rcr_meters_find(meters, r->name);

	if (!m || ((m->flags & RCR_METER_POSTED) && m->digits == r->digits &&
		   !strcmp(m->unit, r->unit)))
		return EXIT_SUCCESS;
	return fail("there is another meter '%s': remove it with 'rcrctl meter remove %s'",
		    r->name, r->name);
}

static int make_meter(struct rcr_control *c, const struct rcr_meters *meters,
		      const struct rcr_meter_request *r)
{
	struct rcr_meter_request request = *r;

	if (rcr_meters_find(meters, r->name))
		return EXIT_SUCCESS;
	request.scale_ns = 1000000000;
	request.type = RCR_TIME_AVERAGE;
	request.over = RCR_PLACE_MACHINE;
	/* Another rcrnet may have made it meanwhile. */
	if (!rcr_control_meter_add(c, 0, &request, NULL) || errno == EEXIST)
		return EXIT_SUCCESS;
	return fail("%s", rcr_control_reason(c));
}

static int make_meters(struct rcr_control *c)
{
	static struct rcr_meters meters;
	int i, status = EXIT_SUCCESS;

	if (rcr_control_meters(c, &meters))
		return fail("%s", rcr_control_reason(c));
	for (i = 0; !status && i < NETWORK_COUNTS; i++)
		status = check_meter(&meters, &posted[i]);
	for (i = 0; !status && i < NETWORK_COUNTS; i++)
		status = make_meter(c, &meters, &posted[i]);
	return status;
}

/* Connects and makes the meters. If the module is not loaded, it @may_wait: *@c is NULL. */
static int connect_meters(struct rcr_control **c, bool may_wait)
{
	bool was_loaded = *c;

	rcr_control_close(*c);
	*c = rcr_control_open();
	if (*c)
		return make_meters(*c);
	if (!may_wait || errno != ENOENT)
		return fail("%s", rcr_control_open_error(errno));
	if (was_loaded)
		note("rcrtool was unloaded: waiting until it is loaded again");
	return EXIT_SUCCESS;
}

/*
 * Posts @value; if the module was reloaded or the meter removed, once more after making
 * the meters anew. *@c is NULL if the module is not loaded.
 */
static int post_value(struct rcr_control **c, const char *name, int64_t value)
{
	int status;

	if (*c && !rcr_control_meter_post(*c, name, value, 0))
		return EXIT_SUCCESS;
	if (*c && errno != ENOENT)
		return fail("%s", rcr_control_reason(*c));
	status = connect_meters(c, true);
	if (status || !*c || !rcr_control_meter_post(*c, name, value, 0))
		return status;
	return fail("%s", rcr_control_reason(*c));
}

static int post_rates(struct rcr_control **c, const struct network_read *before,
		      const struct network_read *now)
{
	uint64_t growth[NETWORK_COUNTS];
	int i, status = EXIT_SUCCESS;

	network_growth(before, now, growth);
	for (i = 0; !status && i < NETWORK_COUNTS && (!i || *c); i++)
		status = post_value(c, posted[i].name,
				    network_rate(growth[i], now->time - before->time,
						 posted[i].digits));
	return status;
}

/* Sleeps until @time (CLOCK_MONOTONIC, ns); false if one of @signals ends it. */
static bool sleep_until(uint64_t time, const sigset_t *signals)
{
	uint64_t left;

	do {
		uint64_t now = now_ns();
		struct timespec timeout;

		left = time > now ? time - now : 0;
		timeout.tv_sec = left / SECOND;
		timeout.tv_nsec = left % SECOND;
		if (sigtimedwait(signals, NULL, &timeout) > 0)
			return false;
	} while (now_ns() < time);
	return true;
}

/* Posts every @interval ns, @count times; 0: until a signal. */
static int post_all(struct rcr_control **c, uint64_t interval, uint64_t count,
		    const sigset_t *signals)
{
	struct network_read read[2] = { 0 };
	struct why why;
	uint64_t round = 0;
	int at = 0, status = EXIT_SUCCESS;

	if (interfaces_read(FOLDER, &read[at], &why))
		status = fail("%s", why.text);
	while (!status && (!count || round < count) &&
	       sleep_until(read[at].time + interval, signals)) {
		if (interfaces_read(FOLDER, &read[!at], &why))
			status = fail("%s", why.text);
		else
			status = post_rates(c, &read[at], &read[!at]);
		round += !!*c;
		at = !at;
	}
	free(read[0].interface);
	free(read[1].interface);
	return status;
}

int main(int argc, char **argv)
{
	uint64_t interval = SECOND, count = 0;
	struct rcr_control *control = NULL;
	sigset_t signals;
	int status = parse_options(argc, argv, &interval, &count);

	if (status)
		return status;
	/* Blocked, and taken while it sleeps: none is lost before that. */
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	status = connect_meters(&control, false);
	if (!status)
		status = post_all(&control, interval, count, &signals);
	rcr_control_close(control);
	return status;
}
