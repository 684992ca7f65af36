// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_on.c - parses conditions and quantities, and runs a command for each crossing. The
 * crossings come from a pipe.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parse/condition.h"
#include "crossings.h"
#include "ksft.h"

static struct why why;

static const struct quantity_scale bytes = { .unit = "B/s", .maximum = 20000000000 };
static const struct quantity_scale ratio = { .unit = "1", .digits = 6 };

static bool is_window_watch(const char *text, const struct quantity_scale *scale, int64_t bound,
			    int64_t back, uint64_t window_ns, uint64_t hold_ns, uint32_t flags)
{
	struct condition c;
	struct rcr_watch w;
	bool is = !condition_parse(text, &c, &why) && !condition_watch(&c, scale, &w, &why) &&
		  w.bound == bound && w.back == back && w.hold_ns == hold_ns && w.flags == flags &&
		  w.window_ns == window_ns;

	if (!is)
		ksft_print_msg("%s: %s\n", text, why.text);
	return is;
}

static bool is_watch(const char *text, const struct quantity_scale *scale, int64_t bound,
		     int64_t back, uint64_t hold_ns, uint32_t flags)
{
	return is_window_watch(text, scale, bound, back, 0, hold_ns, flags);
}

static void test_conditions(void)
{
	struct condition c;

	ksft_test_result(is_watch("mem_bw > 10G", &bytes, 10000000000, 10000000000, 0, 0) &&
			 is_watch("mem_bw>1.5e9", &bytes, 1500000000, 1500000000, 0, 0) &&
			 is_watch("  mem_bw  >  7  ", &bytes, 7, 7, 0, 0),
			 "condition: a bound is parsed\n");
	ksft_test_result(is_watch("mem_bw < 5GB/s for 100ms", &bytes, 5000000000, 5000000000,
				  100000000, RCR_WATCH_BELOW),
				  "condition: a lower bound with a hold time is parsed\n");
	ksft_test_result(is_watch("mem_bw > 80% for 2s below 70%", &bytes, 16000000000,
				  14000000000, 2000000000, 0),
				  "condition: a percentage of the maximum is parsed\n");
	ksft_test_result(is_watch("ipc < 0.5 above 0.75", &ratio, 500000, 750000, 0,
				  RCR_WATCH_BELOW) &&
			 is_watch("ipc > -1.5", &ratio, -1500000, -1500000, 0, 0),
			 "condition: decimal fractions are parsed\n");
	ksft_test_result(is_watch("x > 1 below 1", &ratio, 1000000, 1000000, 0, 0),
			 "condition: a reset level that equals the bound is parsed\n");
	ksft_test_result(is_window_watch("mem_bw > 7 over 50ms", &bytes, 7, 7, 50000000, 0, 0) &&
			 is_window_watch("mem_bw < 7 over 1s for 2s above 9", &bytes, 7, 9, 1000000000,
					 2000000000, RCR_WATCH_BELOW),
			 "condition: a window is parsed before the hold time\n");
	ksft_test_result(!condition_parse("12 > 3", &c, &why) && !strcmp(c.meter, "12"),
			 "condition: a meter may be named by its number\n");
}

static bool is_refused(const char *text, const struct quantity_scale *scale, const char *says)
{
	struct condition c;
	struct rcr_watch w;
	bool refused = (condition_parse(text, &c, &why) || condition_watch(&c, scale, &w, &why)) &&
		       strstr(why.text, says);

	if (!refused)
		ksft_print_msg("%s: %s\n", text, why.text);
	return refused;
}

static void test_wrong(void)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
		{ "", "begins with the name of a meter" }, { " > 3", "begins with the name" },
		{ "mem_bw", "missing > or <" }, { "mem_bw = 3", "missing > or <" },
		{ "mem bw > 3", "missing > or <" }, { "mem_bw >", "missing bound" },
		{ "mem_bw >= 3", "invalid number '='" }, { "mem_bw > much", "invalid number 'much'" },
		{ "mem_bw > inf", "invalid number" }, { "mem_bw > nan", "invalid number" },
		{ "mem_bw > 0x10", "invalid number" }, { "mem_bw > 3 for", "missing time" },
		{ "mem_bw > 3 for ever", "invalid time 'ever'" },
		{ "mem_bw > 3 for 5", "invalid time '5'" },
		{ "mem_bw > 3 over", "missing time after 'over'" },
		{ "mem_bw > 3 over 5", "invalid time '5'" },
		{ "mem_bw > 3 for 1s over 1s", "unexpected 'over'" },
		{ "mem_bw > 3 below 2 over 1s", "unexpected 'over'" },
		{ "mem_bw > 3 below", "missing bound" },
		{ "mem_bw > 3 above 4", "unexpected 'above'" },
		{ "mem_bw < 3 below 2", "unexpected 'below'" },
		{ "mem_bw > 3 below 2 for 1s", "unexpected 'for'" },
		{ "mem_bw > 3 below 2 1", "unexpected '1'" },
		{ "mem_bw > 3 below 4", "must name a lower one" },
		{ "mem_bw < 3 above 2", "must name a higher one" },
		{ "mem_bw > 3W", "'W' is not the unit of the meter, which is 'B/s'" },
		{ "mem_bw > 10g", "is not the unit of the meter" },
		{ "mem_bw > 1e30", "too large" }, { "mem_bw > -1e19", "too large" },
		{ "mem_bw > 1abcdefghijklmnopqrstuvwxyz", "unknown unit" },
	};
	const struct quantity_scale unknown = { .unit = "B/s" };
	char name[200];
	bool all = true;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		all &= is_refused(cases[i].text, &bytes, cases[i].says);
	ksft_test_result(all, "a malformed condition is refused\n");
	ksft_test_result(is_refused("a > 80%", &unknown, "needs the maximum"),
			 "a percentage of an unknown maximum is refused\n");
	memset(name, 'a', sizeof(name));
	strcpy(name + 100, " > 3");
	ksft_test_result(is_refused(name, &bytes, "begins with the name"),
			 "a meter name that is too long is refused\n");
}

static bool is_value(const char *text, const struct quantity_scale *scale, int64_t expected)
{
	struct quantity q;
	int64_t value;

	return !quantity_parse(text, &q, &why) && !quantity_value(&q, scale, &value, &why) &&
	       value == expected;
}

static void test_quantities(void)
{
	const struct quantity_scale percent = { .unit = "%", .digits = 1, .maximum = 1 };
	const struct quantity_scale none = { .unit = "" }, metre = { .unit = "m", .digits = 3 };
	char text[QUANTITY_LEN];

	ksft_test_result(is_value("1Ki", &bytes, 1024) && is_value("2GiB/s", &bytes, 2147483648) &&
			 is_value("1k", &none, 1000) && is_value("1K", &none, 1000) &&
			 is_value("3M", &none, 3000000) && is_value("1T", &none, 1000000000000) &&
			 is_value("500m", &ratio, 500000) && is_value("2u", &ratio, 2) &&
			 is_value("1e3", &none, 1000) && is_value("-2.5", &none, -3) &&
			 is_value("0.4", &none, 0) && is_value(".5", &ratio, 500000),
			 "quantities: prefixes are parsed\n");
	ksft_test_result(is_value("80%", &percent, 800) && is_value("5m", &metre, 5000) &&
			 is_value("5mm", &metre, 5),
			 "quantities: a unit is read before a prefix\n");
	ksft_test_result(is_value("8999999999999.999", &metre, 8999999999999999),
			 "quantities: large numbers keep all digits\n");
	ksft_test_result(!strcmp(quantity_text(text, -1500, 3), "-1.500") &&
			 !strcmp(quantity_text(text, 7, 0), "7") &&
			 !strcmp(quantity_text(text, -1, 9), "-0.000000001") &&
			 !strcmp(quantity_text(text, INT64_MIN, 0), "-9223372036854775808") &&
			 !strcmp(quantity_text(text, INT64_MIN, 99), "-9.223372036854775808"),
			 "quantities: all digits are printed\n");
	ksft_test_result(!strcmp(quantity_short(text, 12345678901, 0), "12.35G") &&
			 !strcmp(quantity_short(text, 999, 0), "999") &&
			 !strcmp(quantity_short(text, 999960, 0), "1.000M") &&
			 !strcmp(quantity_short(text, 1500, 3), "1.5") &&
			 !strcmp(quantity_short(text, -2000000, 3), "-2.000k") &&
			 !strcmp(quantity_short(text, 0, 6), "0"),
			 "quantities: four digits are printed\n");
}

static char log_path[] = "/tmp/rcr-on-XXXXXX";

static const char *log_text(void)
{
	static char text[65536];
	int fd = open(log_path, O_RDONLY);
	ssize_t got = read(fd, text, sizeof(text) - 1);

	close(fd);
	text[got > 0 ? got : 0] = 0;
	return text;
}

/* Write @count crossings to a pipe, close it if @ends, and return the exit status. */
static int serve(const char *script, unsigned int count, unsigned int most, bool ends)
{
	char *command[] = { "sh", "-c", (char *)script, NULL };
	struct crossings c = { .meter = "ipc", .digits = 3, .most = most, .command = command };
	struct rcr_crossing crossing = { .cookie = 1 };
	int ends_of[2], status;

	if (truncate(log_path, 0) || pipe2(ends_of, O_CLOEXEC))
		ksft_exit_fail_msg("pipe: %s\n", strerror(errno));
	for (; crossing.count < count; ) {
		crossing.count++;
		crossing.time = 1000 * crossing.count;
		crossing.value = 500 - (int64_t)crossing.count;
		crossing.lost = crossing.count == 2 ? 7 : 0;
		if (write(ends_of[1], &crossing, sizeof(crossing)) != sizeof(crossing))
			ksft_exit_fail_msg("write: %s\n", strerror(errno));
	}
	if (ends)
		close(ends_of[1]);
	c.fd = ends_of[0];
	status = crossings_serve(&c);
	close(ends_of[0]);
	if (!ends)
		close(ends_of[1]);
	return status;
}

static unsigned int lines(const char *text)
{
	unsigned int count = 0;

	for (; *text; text++)
		count += *text == '\n';
	return count;
}

static void test_commands(void)
{
	ksft_test_result(serve("echo $RCR_METER $RCR_VALUE $RCR_TIME $RCR_COUNT >>$LOG", 3, 3, false) == 0 &&
			 !strcmp(log_text(), "ipc 0.499 1000 1\nipc 0.498 2000 2\nipc 0.497 3000 3\n"),
			 "on: a command runs for each crossing, in order\n");
	ksft_test_result(serve("sleep 0.01; echo a >>$LOG", 50, 50, false) == 0 &&
			 lines(log_text()) == 50,
			 "on: crossings that come during a command wait\n");
	ksft_test_result(serve("echo a >>$LOG", 5, 2, false) == 0 && lines(log_text()) == 2,
			 "on: no more than --count commands run\n");
	ksft_test_result(serve("echo a >>$LOG; exit 3", 3, 3, false) == 0 && lines(log_text()) == 3,
			 "on: a command that fails does not stop the next\n");
	ksft_test_result(serve("echo a >>$LOG", 4, 0, true) == 1 && lines(log_text()) == 4,
			 "on: pending crossings are handled before the end is reported\n");
}

/* A signal reaches the running command, and a waiting command is not started. */
static void test_signal(void)
{
	int status, tries;
	pid_t child;

	if (truncate(log_path, 0))
		ksft_exit_fail_msg("%s: %s\n", log_path, strerror(errno));
	child = fork();
	if (!child)
		_exit(serve("echo a >>$LOG; exec sleep 600", 3, 0, false));
	for (tries = 0; tries < 1000 && !lines(log_text()); tries++)
		usleep(10000);
	kill(child, SIGTERM);
	waitpid(child, &status, 0);
	ksft_test_result(WIFEXITED(status) && !WEXITSTATUS(status) && lines(log_text()) == 1,
			 "on: a signal ends the program and its command\n");
}

static const char *gone(void *to)
{
	return to;
}

static void test_gone(void)
{
	char *command[] = { "true", NULL };
	struct crossings c = {
		.meter = "ipc", .command = command, .gone = gone, .to = "it has gone",
	};
	int ends_of[2];

	if (pipe(ends_of))
		ksft_exit_fail_msg("pipe: %s\n", strerror(errno));
	c.fd = ends_of[0];
	ksft_test_result(crossings_serve(&c) == 1,
			 "on: the program fails if its source can send no more crossings\n");
}

int main(void)
{
	int fd = mkstemp(log_path);

	close(fd);
	setenv("LOG", log_path, 1);
	ksft_print_header();
	ksft_set_plan(7 + 3 + 5 + 5 + 1 + 1);
	test_conditions();
	test_wrong();
	test_quantities();
	test_commands();
	test_signal();
	test_gone();
	unlink(log_path);
	ksft_finished();
}
