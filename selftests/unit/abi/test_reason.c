// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_reason.c - reasons of failures: what the module records, and the sentences that librcr and
 * the kernel log make of it.
 */
#include <errno.h>
#include <string.h>

#include "ksft.h"
#include "reason_of.h"

static bool says(const struct rcr_failure *f, const char *text)
{
	if (!strcmp(reason_of(f), text))
		return true;
	ksft_print_msg("%s\n", reason_of(f));
	return false;
}

static void test_arguments(void)
{
	struct rcr_failure f = { }, g = { };

	rcr_fail_with(&f, -EBUSY, RCR_REASON_MSR_IN_USE, "%u%x%llx", 3, 0x186, 0x4300c0ull << 20);
	ksft_test_result(f.error == -EBUSY &&
			 says(&f, "CPU 3: register 0x186 is in use (0x4300c000000) by a program that did not reserve it: stop that program, or write 0 with wrmsr if the register is unused."),
			 "reason: reasons, arguments and errors have their published numbers\n");
	ksft_test_result(rcr_fail(&f, -EIO, RCR_REASON_HIDDEN) == -EIO && f.error == -EBUSY &&
			 rcr_fail_with(&f, -EIO, RCR_REASON_IN_SET, "%s", "A") == -EIO &&
			 f.reason.code == RCR_REASON_MSR_IN_USE && !f.reason.texts,
			 "reason: the first failure is kept\n");
	rcr_fail_with(&g, -EINVAL, RCR_REASON_UNITS, "%s%u%s%u", "READS", 4, "imc", 3);
	ksft_test_result(says(&g, "READS: there are 4 units 'imc': name one of imc0 to imc3."),
			 "reason: a sentence may use a text argument three times\n");
	memset(&g, 0, sizeof(g));
	rcr_fail_with(&g, -ENOSPC, RCR_REASON_MISPLACED, "%u%s%d", 0, "E", -1);
	ksft_test_result(says(&g, "CPU 0: the kernel put E on counter -1, which cannot count it: remove this or another event, or use source=msr."),
			 "reason: a negative number is printed with its sign\n");
	memset(&g, 0, sizeof(g));
	rcr_fail_with(&g, -ENOSPC, RCR_REASON_KERNEL_REFUSES, "%u%s%u", 0, "E", ENOSPC);
	ksft_test_result(says(&g, "CPU 0: the kernel does not count E (-ENOSPC)."),
			 "reason: an errno is printed as its name\n");
	memset(&g, 0, sizeof(g));
	rcr_fail_with(&g, -EINVAL, RCR_REASON_SHORT_SCALE, "%llu%llu", 500000ull, 1000000000ull);
	ksft_test_result(says(&g, "The time scale 500us is shorter than the sampling period 1s: choose a longer one."),
			 "reason: a time is printed in the largest unit without a fraction\n");
	memset(&g, 0, sizeof(g));
	rcr_fail_with(&g, -EINVAL, RCR_REASON_SHORT_SCALE, "%llu%llu", 0ull, 1500ull);
	ksft_test_result(says(&g, "The time scale 0ns is shorter than the sampling period 1500ns: choose a longer one."),
			 "reason: 0 and nanoseconds are printed with a unit\n");
	memset(&f, 0, sizeof(f));
	memset(&g, 0, sizeof(g));
	rcr_fail_with(&f, -ENOSPC, RCR_REASON_NO_ROOM, "%u%u%u%u%u%u", 0, 6, 1, 6, 1, 1);
	rcr_fail_with(&g, -ENOSPC, RCR_REASON_NO_ROOM, "%u%u%u%u%u%u", 0, 1, 2, 4, 3, 2);
	ksft_test_result(says(&f, "CPU 0: 6 core events and 1 spare counter do not fit in the 6 counters of a core, of which others (perf, a profiler, the NMI watchdog) hold 1: remove 1 event.") &&
			 says(&g, "CPU 0: 1 core event and 2 spare counters do not fit in the 4 counters of a core, of which others (perf, a profiler, the NMI watchdog) hold 3: remove 2 events."),
			 "reason: the singular is used for one event\n");
}

static void test_inner(void)
{
	struct rcr_failure why = { }, f = { }, g = { };

	rcr_fail_with(&why, -EINVAL, RCR_REASON_COUNTER_CANNOT, "%s%u%s%x%x", "E", 5,
		      "AMD Fam15h", 0x76, 0);
	rcr_fail_within(&f, -EBUSY, RCR_REASON_HOLDERS, "rcrstat (17), rcrctl (18)", &why);
	ksft_test_result(f.error == -EBUSY &&
			 says(&f, "The set does not fit next to the events that rcrstat (17), rcrctl (18) holds: E: counter 5 of AMD Fam15h cannot count event 0x76 with unit mask 0x0: remove counter:5 from the event."),
			 "reason: a nested reason has its own arguments\n");
	ksft_test_result(rcr_fail_like(&g, -EBUSY, &f) == -EBUSY && !memcmp(&g, &f, sizeof(f)) &&
			 rcr_fail_like(&g, -EINVAL, &why) == -EINVAL && !memcmp(&g, &f, sizeof(f)),
			 "reason: a reason is taken over only if there is none yet\n");
	memset(&why, 0, sizeof(why));
	memset(&g, 0, sizeof(g));
	ksft_test_result(rcr_fail_like(&g, -ENOMEM, &why) == -ENOMEM && g.error == -ENOMEM && says(&g, ""),
			 "reason: a failure without a reason keeps its errno\n");
}

static void test_long_texts(void)
{
	char text[2 * RCR_REASON_TEXTS], cut[RCR_SENTENCE_LEN];
	struct rcr_failure f = { }, g = { };

	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = 0;
	rcr_fail_with(&f, -ENOSPC, RCR_REASON_OTHERS_MOVE, "%s%s", text, "B");
	ksft_test_result(f.reason.texts == 1 && strlen(f.reason.text) == RCR_REASON_TEXTS - 1 &&
			 strstr(reason_of(&f), "xxx are in use") && strstr(reason_of(&f), "and ? would"),
			 "reason: an argument that is too long is cut, or missing if no room is left\n");
	rcr_fail_within(&g, -EBUSY, RCR_REASON_HOLDERS, text, &f);
	ksft_test_result(g.reason.texts == 1 && g.reason.number[0] == RCR_REASON_OTHERS_MOVE,
			 "reason: an argument of a nested reason is cut, too\n");
	rcr_reason_text(&f.reason, cut, 8);
	ksft_test_result(strlen(cut) == 7 && rcr_reason_text(&f.reason, cut, 1) == cut && !*cut &&
			 !rcr_reason_text(&f.reason, cut, 0) && !rcr_reason_text(&f.reason, NULL, 9) &&
			 !*rcr_reason_text(NULL, cut, 9),
			 "reason: a sentence is cut to the size of its buffer\n");
}

/* Make a failure whose arguments fit every sentence. */
static struct rcr_failure any(unsigned int code)
{
	struct rcr_failure f = { .error = -EIO, .reason = { .code = code, .numbers = 8, .texts = 4 } };
	unsigned int i;

	for (i = 0; i < RCR_REASON_NUMBERS; i++)
		f.reason.number[i] = 10 + i;
	memcpy(f.reason.text, "A\0B\0C\0D", 8);
	f.reason.number[0] = code == RCR_REASON_HOLDERS ? RCR_REASON_HIDDEN : 10;
	return f;
}

static void test_sentences(void)
{
	char log[RCR_FAILURE_TEXT];
	unsigned int code, both = 0, wrong = 0;
	struct rcr_failure f;

	for (code = 0; code <= RCR_REASON_OTHER_SCOPE; code++) {
		f = any(code);
		if (strstr(reason_of(&f), "this program does not know") || strchr(reason_of(&f), '%') ||
		    strchr(reason_of(&f), '?') != strstr(reason_of(&f), "?)")) {
			ksft_print_msg("%u: %s\n", code, reason_of(&f));
			wrong++;
		}
		rcr_failure_format(&f, log, sizeof(log));
		if (!strncmp(log, "Reason ", 7) || !code)
			continue;
		both++;
		if (strcmp(log, reason_of(&f)) || strlen(log) > RCR_FAILURE_TEXT - 20) {
			ksft_print_msg("the log: %s\nlibrcr: %s\n", log, reason_of(&f));
			wrong++;
		}
	}
	ksft_test_result(!wrong && both > 15,
			 "reason: each has a sentence, %u of them also in the kernel log\n",
			 both);
	f = any(RCR_REASON_NOT_IN_SET);
	f.reason.texts = 1;
	ksft_test_result(!strcmp(rcr_failure_format(&f, log, sizeof(log)),
				 "Reason 26 of <linux/rcrreason.h> (A, error -5)."),
			 "reason: the log prints other reasons by their numbers: %s\n", log);
}

static void test_strangers(void)
{
	struct rcr_failure f = any(999);

	f.reason.numbers = 2;
	ksft_test_result(says(&f, "Reason 999, which this program does not know, A, B, C, D, 10, 11."),
			 "reason: a reason of a newer module is printed with its number and arguments\n");
	f = any(RCR_REASON_HOLDERS);
	f.reason.number[0] = RCR_REASON_HOLDERS;
	ksft_test_result(strstr(reason_of(&f), "A holds: Reason 29, which"),
			 "reason: a reason that contains itself has a finite sentence\n");
	memset(&f.reason, 0xff, sizeof(f.reason));
	f.reason.code = RCR_REASON_NO_FIELD;
	ksft_test_result(says(&f, "?: the ? counters of ? have no field '?', or only a smaller one: omit it, or use a smaller value."),
			 "reason: unterminated texts are not read\n");
	f.reason.code = 12345678;
	ksft_test_result(strlen(reason_of(&f)) < RCR_SENTENCE_LEN,
			 "reason: unterminated texts do not overflow the sentence\n");
	f = any(RCR_REASON_STALE);
	f.reason.numbers = 0;
	ksft_test_result(says(&f, "Another program has changed the counter set (generation 0, not 0): read it and try again."),
			 "reason: a missing number is printed as 0\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(21);
	test_arguments();
	test_inner();
	test_long_texts();
	test_sentences();
	test_strangers();
	ksft_finished();
}
