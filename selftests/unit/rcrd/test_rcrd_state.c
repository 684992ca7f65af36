// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_rcrd_state.c - rcrd's state file is read back as it was written; truncated files are
 * refused, and damaged ones are refused or consistent.
 */
#include <string.h>

#include "ksft.h"
#include "state.h"
#include "stream_maker.h"
#include "parse/trigger.h"

#define BOOT "01234567-89ab-cdef-0123-456789abcdef"

static struct state full = {
	.window_ns = 2000000000, .triggers = RCR_TRIGGER_MARK | RCR_TRIGGER_CROSSING,
	.lines = { 2, { "machine:0 mem_bw > 80% below 50%", "node:1 ipc < 0.5 for 1s" } },
	.seen_ns = 123456789012345ull, .boot = BOOT, .number = 7, .missed = 3,
	.kept_bytes = 1000000, .fetched = true, .kept = "trigger: mark hello",
};

static bool is_same(const struct state *a, const struct state *b)
{
	unsigned int i;

	for (i = 0; i < RULES_MAX; i++)
		if (strcmp(a->lines.text[i], b->lines.text[i]))
			return false;
	return a->lines.count == b->lines.count && a->window_ns == b->window_ns && a->triggers == b->triggers &&
	       a->seen_ns == b->seen_ns && !strcmp(a->boot, b->boot) &&
	       a->number == b->number && a->missed == b->missed &&
	       a->kept_bytes == b->kept_bytes && a->fetched == b->fetched &&
	       !strcmp(a->kept, b->kept);
}

static bool comes_back(const struct state *s)
{
	char text[STATE_MAX];
	struct state back;
	struct why why;

	state_print(s, text);
	return !state_parse(text, &back, &why) && is_same(s, &back);
}

static void test_round(void)
{
	struct state off = { .boot = BOOT }, longest = full, dirty = full;
	char text[STATE_MAX];
	struct state back;
	struct why why;
	unsigned int i;

	memset(longest.kept, 'x', sizeof(longest.kept) - 1);
	longest.seen_ns = ~0ull;
	longest.number = ~0ull;
	longest.missed = ~0ull;
	longest.kept_bytes = ~0ull;
	longest.triggers = 7;
	longest.lines.count = RULES_MAX;
	for (i = 0; i < RULES_MAX; i++)
		snprintf(longest.lines.text[i], RULE_LEN, "machine:0 %-*s > 5 below 3",
			 RULE_LEN - 25, "m");
	ksft_test_result(comes_back(&full) && comes_back(&off) && comes_back(&longest),
			 "state: the file is read back as it was written\n");
	ksft_test_result(state_print(&longest, text) < STATE_MAX - 1,
			 "state: the longest state fits\n");
	strcpy(dirty.kept, "trigger: mark a\nmissed 0\xff\x01");
	state_print(&dirty, text);
	ksft_test_result(!state_parse(text, &back, &why) && back.missed == 3 &&
			 !strcmp(back.kept, "trigger: mark a?missed 0??"),
			 "state: control characters in the text of a mark are replaced\n");
}

static void test_damage(void)
{
	unsigned int taken = 0, i, k, n;
	char text[STATE_MAX], cut[STATE_MAX];
	size_t size = state_print(&full, text);
	struct state back;
	struct why why;

	for (i = 0; i < size; i++) {
		memcpy(cut, text, i);
		cut[i] = 0;
		taken += !state_parse(cut, &back, &why);
	}
	ksft_test_result(!taken, "state: a truncated file is refused\n");
	/* Values of a damaged file that is accepted must be consistent. */
	for (taken = 0, i = 0; i < 200000; i++) {
		memcpy(cut, text, size + 1);
		for (n = 1 + random_number() % 3; n; n--) {
			k = random_number() % size;
			cut[k] = random_number();
		}
		if (state_parse(cut, &back, &why))
			continue;
		taken += !back.window_ns != !back.triggers || back.triggers > 7 ||
			 !back.kept_bytes != !*back.kept;
	}
	ksft_test_result(!taken, "state: a damaged file is refused, or its values are consistent\n");
	ksft_test_result(state_parse("", &back, &why) && state_parse("rcrd-state 1\n", &back, &why) &&
			 state_parse("rcrd-state 2\nend\n", &back, &why),
			 "state: empty files and files of other versions are refused\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(6);
	test_round();
	test_damage();
	ksft_finished();
}
