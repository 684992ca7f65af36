// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_config.c - rcrd's configuration file: its lines, and the errors of others.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "ksft.h"

#define SECOND 1000000000ull

static bool parses(const char *text, uint64_t network_ns, bool is_public)
{
	struct config c;
	struct why why = { "" };

	if (!config_parse("x.conf", text, strlen(text), &c, &why) &&
	    c.network_ns == network_ns && c.is_public == is_public)
		return true;
	ksft_print_msg("'%s': %s\n", text, why.text);
	return false;
}

static bool is_wrong(const char *text, const char *sentence)
{
	struct config c;
	struct why why = { "" };

	if (config_parse("x.conf", text, strlen(text), &c, &why) == -1 &&
	    !strcmp(why.text, sentence))
		return true;
	ksft_print_msg("'%s': %s\n", text, why.text);
	return false;
}

int main(void)
{
	char path[] = "/tmp/rcr-config-XXXXXX";
	struct config c;
	struct why why;
	int fd;

	ksft_print_header();
	ksft_set_plan(8);
	ksft_test_result(parses("", SECOND, false) && parses("# nothing\n\n", SECOND, false),
			 "config: by default the network meters are posted every second, and nothing is public\n");
	ksft_test_result(parses("public = on\n", SECOND, true) &&
			 parses("public=off", SECOND, false) &&
			 parses("  network =  off  \r\n\tpublic\t=\ton\n", 0, true) &&
			 parses("network = 100ms", SECOND / 10, false) &&
			 parses("network = 60min\r\n", 3600 * SECOND, false),
			 "config: keys, blanks and comments\n");
	ksft_test_result(parses("public = on\npublic = off\n", SECOND, false),
			 "config: of two lines with a key the last one holds\n");
	ksft_test_result(is_wrong("\n#\nshout = on", "x.conf line 3: unknown key 'shout': there are network and public") &&
			 is_wrong("public", "x.conf line 1: invalid line 'public': write 'key = value'"),
			 "config: a wrong line is named with its number\n");
	ksft_test_result(is_wrong("public = yes", "x.conf line 1: invalid value 'yes': give on or off") &&
			 is_wrong("public =", "x.conf line 1: invalid value '': give on or off"),
			 "config: so is a wrong word\n");
	ksft_test_result(is_wrong("network = 99ms", "x.conf line 1: invalid interval '99ms': give off, or 100ms to 60min") &&
			 is_wrong("network = 1", "x.conf line 1: invalid interval '1': give off, or 100ms to 60min") &&
			 is_wrong("network = 61min", "x.conf line 1: invalid interval '61min': give off, or 100ms to 60min"),
			 "config: and a wrong interval\n");
	ksft_test_result(is_wrong("a = 1\nb = 2\n", "x.conf line 1: unknown key 'a': there are network and public"),
			 "config: of two wrong lines the first is named\n");
	fd = mkstemp(path);
	close(fd);
	unlink(path);
	ksft_test_result(!config_read(path, &c, &why) && c.network_ns == SECOND,
			 "config: without the file all is as by default\n");
	ksft_finished();
}
