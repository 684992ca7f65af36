// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_load.c - the built-in load, whose threads are idle at level 0, and a command as the load.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <linux/rcrboard.h>

#include "ksft.h"
#include "load/load.h"
#include "mix.h"

static struct why why;

static void doze(void)
{
	struct timespec t = { .tv_nsec = 50000000 };

	nanosleep(&t, NULL);
}

/* Wait until the load has finished a block; return false on timeout. */
static bool is_at_it(struct load *l)
{
	double ns;
	int i;

	for (i = 0; i < 1000; i++) {
		doze();
		if (load_latency(l, &ns))
			return ns > 0;
	}
	return false;
}

/* Wait until the load stops; each thread may have to finish a long block first. */
static bool is_still(struct load *l)
{
	int i, still = 0;
	double ns;

	for (i = 0; i < 1000 && still < 5; i++) {
		doze();
		still = load_latency(l, &ns) ? 0 : still + 1;
	}
	return still == 5;
}

static void test_threads(void)
{
	static const char *const kinds[MIXES] = { "reads", "writes", "copies", "random reads" };
	struct load *l = load_open(NULL, 1 << 20, &why);
	unsigned int i;
	double ns;

	if (!l) {
		ksft_print_msg("%s\n", why.text);
		exit(1);
	}
	doze();
	ksft_test_result(!load_latency(l, &ns), "threads wait for their first level\n");
	for (i = 0; i < MIXES; i++)
		ksft_test_result(!load_set(l, i, 1, &why) && is_at_it(l) &&
				 !load_set(l, i, 0.1, &why) && is_at_it(l),
				 "the load does %s\n", kinds[i]);
	ksft_test_result(!load_set(l, 0, 0, &why) && is_still(l), "threads stop at level 0\n");
	load_close(l);
}

static bool is_text(const char *path, const char *expected)
{
	char text[256] = "";
	FILE *in = fopen(path, "r");

	if (in && fread(text, 1, sizeof(text) - 1, in) == 0)
		text[0] = 0;
	if (in)
		fclose(in);
	return !strcmp(text, expected);
}

static void test_command(void)
{
	char path[] = "/tmp/rcr-load-XXXXXX", command[64];
	int fd = mkstemp(path);
	struct load *l;
	double ns;

	snprintf(command, sizeof(command), "echo ran >>%s; echo >>%s", path, path);
	l = load_open(command, 0, &why);
	ksft_test_result(fd >= 0 && l && !load_set(l, MIX_COPY, 0.5, &why) &&
			 is_text(path, "ran\ncopy 32768\n"),
			 "a command receives the kind and level of the load\n");
	ksft_test_result(!load_latency(l, &ns), "a command has no latency\n");
	load_close(l);
	ksft_test_result(is_text(path, "ran\ncopy 32768\nran\ncopy 0\n"),
			 "a command receives level 0 at the end\n");
	close(fd);
	unlink(path);
	l = load_open("false", 0, &why);
	ksft_test_result(load_set(l, 0, 1, &why) && strstr(why.text, "ended with status 1"),
			 "a command that fails is reported: %s\n", why.text);
	load_close(l);
	l = load_open("kill -9 $$;", 0, &why);
	ksft_test_result(load_set(l, 0, 1, &why) && strstr(why.text, "ended by signal 9"),
			 "a command that is killed is reported: %s\n", why.text);
	load_close(l);
	l = load_open("no-such-command 2>&-", 0, &why);
	ksft_test_result(load_set(l, 0, 1, &why) && strstr(why.text, "ended with status 127"),
			 "a command that does not exist is reported: %s\n", why.text);
	load_close(l);
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(12);
	test_threads();
	test_command();
	ksft_finished();
}
