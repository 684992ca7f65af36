// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_config.c - parses the configuration file: keys, values and invalid lines.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/config.h"
#include "ksft.h"
#include "parse/trigger.h"

#define SECOND 1000000000ull
#define KEYS "network, public, set, period, meter, maximum.METER, contention.METER, calibration, recorder, crossing," \
	" producer, component_id, cluster, tag.NAME, group.MODEL and evidence"

static bool parses(const char *text, uint64_t network_ns, bool is_public)
{
	struct config c;
	struct why why = { "" };

	if (!config_parse("x.conf", text, strlen(text), &c, &why) &&
	    c.network_ns == network_ns && c.is_public == is_public) {
		config_free(&c);
		return true;
	}
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

/* Return whether the first line of the file is parsed as @value. */
static bool has_value(const char *text, const char *value)
{
	struct config c;
	struct why why;
	bool ok;

	if (config_parse("x.conf", text, strlen(text), &c, &why))
		return false;
	ok = c.count && !strcmp(c.line[0].value, value);
	config_free(&c);
	return ok;
}

static bool has_lines(void)
{
	static const char text[] = "meter = x \"A / B\"  --scale 1s\nrecorder = 500ms crossing\n"
		"crossing = x > 3 for 1s at node1\nset = A B\n";
	const char *place;
	struct config_recorder r;
	struct config_words w;
	struct config c;
	struct why why;
	char copy[64];
	bool ok;

	if (config_parse("x.conf", text, strlen(text), &c, &why))
		return false;
	ok = c.count == 4 && c.line[2].number == 3 && config_find(&c, CONFIG_SET) == &c.line[3] &&
	     !config_find(&c, CONFIG_PERIOD) && !config_split(c.line[0].value, &w, &why) &&
	     w.count == 4 && !strcmp(w.word[1], "A / B") && !strcmp(w.word[3], "1s") &&
	     !config_parse_recorder(c.line[1].value, &r, &why) && r.window_ns == SECOND / 2 &&
	     r.triggers == RCR_TRIGGER_CROSSING;
	strcpy(copy, c.line[2].value);
	config_split_place(copy, &place);
	ok = ok && !strcmp(copy, "x > 3 for 1s") && !strcmp(place, "node1");
	config_free(&c);
	return ok;
}

int main(void)
{
	char path[] = "/tmp/rcr-config-XXXXXX";
	struct config c;
	struct why why;
	int fd;

	ksft_print_header();
	ksft_set_plan(12);
	ksft_test_result(parses("", SECOND, false) && parses("# nothing\n\n", SECOND, false),
			 "config: by default the network meters are posted every second, and nothing is public\n");
	ksft_test_result(parses("public = on\n", SECOND, true) &&
			 parses("public=off", SECOND, false) &&
			 parses("  network =  off  \r\n\tpublic\t=\ton\n", 0, true) &&
			 parses("network = 100ms", SECOND / 10, false) &&
			 parses("network = 60min\r\n", 3600 * SECOND, false),
			 "config: keys, blanks and comments are read\n");
	ksft_test_result(is_wrong("public = on\n\npublic = off\n", "x.conf:3: 'public' is already in line 1") &&
			 is_wrong("maximum.a = 1\nmaximum.b = 1\nmaximum.a = 2\n", "x.conf:3: 'maximum.a' is already in line 1") &&
			 parses("meter = a\nmeter = b\ntag.a = 1\ntag.b = 1\n", SECOND, false),
			 "config: only some keys may be repeated\n");
	ksft_test_result(is_wrong("period = 10", "x.conf:1: invalid period '10': use 20us to 60min, for example 10ms") &&
			 is_wrong("period = 19us", "x.conf:1: invalid period '19us': use 20us to 60min, for example 10ms") &&
			 is_wrong("recorder = 5 mark", "x.conf:1: invalid time '5': add a unit, for example 5s") &&
			 is_wrong("recorder = 5s never", "x.conf:1: invalid recorder '5s never': use off, or a time and mark, oom, crossing separated by commas") &&
			 is_wrong("component_id = -1", "x.conf:1: invalid number '-1'") &&
			 is_wrong("component_id = 18446744073709551616", "x.conf:1: invalid number '18446744073709551616'") &&
			 parses("component_id = 18446744073709551615", SECOND, false) &&
			 is_wrong("cluster =", "x.conf:1: the value is missing") &&
			 is_wrong("set =", "x.conf:1: the value is missing") &&
			 is_wrong("meter = a \"b", "x.conf:1: a word has no closing quote"),
			 "config: invalid values of the other keys\n");
	ksft_test_result(is_wrong("maximum = 3", "x.conf:1: key 'maximum' needs a name, as in maximum.NAME") &&
			 is_wrong("tag. = 3", "x.conf:1: key 'tag.' needs a name, as in tag.NAME") &&
			 is_wrong("set.a = b", "x.conf:1: unknown key 'set.a': there are " KEYS) &&
			 is_wrong("pub = on", "x.conf:1: unknown key 'pub': there are " KEYS),
			 "config: keys with and without a name are read\n");
	ksft_test_result(has_value("producer = node17 # by the door", "node17") &&
			 has_value("producer=node17\t#", "node17") &&
			 has_value("tag.a = b#c", "b#c") &&
			 has_value("meter = a \"b # c\" # d", "a \"b # c\"") &&
			 is_wrong("producer = # none", "x.conf:1: the value is missing"),
			 "config: a comment after a value is not part of the value\n");
	ksft_test_result(has_lines(),
			 "config: lines, words, places and the recorder are read\n");
	ksft_test_result(is_wrong("\n#\nshout = on", "x.conf:3: unknown key 'shout': there are " KEYS) &&
			 is_wrong("public", "x.conf:1: invalid line 'public': write 'key = value'"),
			 "config: an invalid line is reported with its number\n");
	ksft_test_result(is_wrong("public = yes", "x.conf:1: invalid value 'yes': use on or off") &&
			 is_wrong("public =", "x.conf:1: invalid value '': use on or off"),
			 "config: an invalid word is reported\n");
	ksft_test_result(is_wrong("network = 99ms", "x.conf:1: invalid interval '99ms': use off, or 100ms to 60min") &&
			 is_wrong("network = 1", "x.conf:1: invalid interval '1': use off, or 100ms to 60min") &&
			 is_wrong("network = 61min", "x.conf:1: invalid interval '61min': use off, or 100ms to 60min"),
			 "config: an invalid interval is reported\n");
	ksft_test_result(is_wrong("a = 1\nb = 2\n", "x.conf:1: unknown key 'a': there are " KEYS),
			 "config: the first of two invalid lines is reported\n");
	fd = mkstemp(path);
	close(fd);
	unlink(path);
	ksft_test_result(!config_read(path, &c, &why) && c.network_ns == SECOND,
			 "config: the defaults apply if there is no file\n");
	ksft_finished();
}
