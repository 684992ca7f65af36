// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_calibration.c - a calibration is read back as it was written; invalid lines are refused,
 * each with a reason.
 */
#include <stdlib.h>
#include <string.h>

#include "calibration.h"
#include "ksft.h"

static char said[4096];

static void note(void *to, unsigned int line, const char *sentence)
{
	char *at = to;

	at += strlen(at);
	snprintf(at, sizeof(said) - (at - said), "%u: %s\n", line, sentence);
}

static int read_text(struct calibration *c, const char *text)
{
	said[0] = 0;
	return calibration_read(c, text, strlen(text), note, said);
}

static bool is_line(const struct calibrated *line, const char *meter, unsigned int kind,
		    const char *maximum, const char *contention)
{
	return !strcmp(line->meter, meter) && line->kind == kind &&
	       !strcmp(line->maximum, maximum) && !strcmp(line->contention, contention);
}

static void test_good(void)
{
	static struct calibration c;

	ksft_test_result(!read_text(&c, "# mine\n\nfamily AMD Fam15h\n"
				    "mem_bw machine maximum 51200000000B/s\n"
				    "  mem_bw \t read maximum 3.8e10B/s contention 31G\r\n"
				    "l3 random maximum 5") &&
			 c.count == 3 && !strcmp(c.family, "AMD Fam15h") &&
			 is_line(&c.line[0], "mem_bw", CALIBRATION_MACHINE, "51200000000B/s", "") &&
			 is_line(&c.line[1], "mem_bw", MIX_READ, "3.8e10B/s", "31G") &&
			 is_line(&c.line[2], "l3", MIX_RANDOM, "5", ""),
			 "a calibration with comments is parsed\n%s", said);
	ksft_test_result(!read_text(&c, "") && !c.count && !*c.family,
			 "an empty calibration is parsed\n");
}

static void test_round_trip(void)
{
	static struct calibration c, back;
	char *text = NULL;
	size_t size;
	FILE *out;

	read_text(&c, "family Intel Sandy Bridge-EP\nmem_bw write maximum 1.500W contention 1W\n"
		  "p machine maximum 3\n");
	out = open_memstream(&text, &size);
	calibration_write(out, &c);
	fclose(out);
	ksft_test_result(!read_text(&back, text) && !memcmp(&c, &back, sizeof(c)),
			 "a written calibration is read back\n");
	free(text);
}

static void test_put(void)
{
	static struct calibration c;
	struct calibrated line = { .meter = "a", .kind = MIX_COPY, .maximum = "1" };
	struct why why;
	unsigned int i;

	read_text(&c, "family x\na copy maximum 9 contention 8\na read maximum 7\n");
	ksft_test_result(!calibration_put(&c, &line, &why) && c.count == 2 &&
			 is_line(&c.line[0], "a", MIX_COPY, "1", "") &&
			 is_line(&c.line[1], "a", MIX_READ, "7", ""),
			 "a new line replaces the old one\n");
	for (i = 2; i < CALIBRATION_MOST; i++) {
		snprintf(line.meter, sizeof(line.meter), "m%u", i);
		if (calibration_put(&c, &line, &why))
			break;
	}
	strcpy(line.meter, "more");
	ksft_test_result(i == CALIBRATION_MOST && calibration_put(&c, &line, &why) &&
			 c.count == CALIBRATION_MOST, "a line too many is refused\n");
}

static bool chooses(const char *text, unsigned int kind, const char *maximum)
{
	const struct calibrated *line;
	static struct calibration c;

	read_text(&c, text);
	line = calibration_choose(&c, "a", kind);
	return line ? !strcmp(line->maximum, maximum) : !*maximum;
}

static void test_choose(void)
{
	static const char all[] = "family x\nb copy maximum 9\na machine maximum 5\n"
		"a random maximum 4\na copy maximum 3\na write maximum 2\na read maximum 1\n";

	ksft_test_result(chooses(all, MIX_READ, "1") && chooses(all, MIX_WRITE, "2") &&
			 chooses(all, MIX_COPY, "3") && chooses(all, MIX_RANDOM, "4"),
			 "calibration: the requested mix is used if it has a line\n");
	ksft_test_result(chooses("a read maximum 1\na copy maximum 3\n", MIX_RANDOM, "3") &&
			 chooses("a write maximum 2\na read maximum 1\n", MIX_COPY, "1") &&
			 chooses("a random maximum 4\na write maximum 2\n", MIX_READ, "2") &&
			 chooses("a machine maximum 5\na random maximum 4\n", MIX_COPY, "4") &&
			 chooses("a machine maximum 5\n", MIX_COPY, "5"),
			 "calibration: the order is copy, read, write, random, machine\n");
	ksft_test_result(chooses("b copy maximum 9\n", MIX_COPY, ""),
			 "calibration: another meter's lines are not used\n");
}

static void test_wrong(void)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
		{ "a\n", "1: invalid line" },
		{ "a read\n", "1: invalid line" },
		{ "a read maximum 3 contention\n", "1: invalid line" },
		{ "a read maximum 3 contention 2 1\n", "1: invalid line" },
		{ "a read contention 2 maximum 3\n", "1: invalid line" },
		{ "a read maximum 3 4 5 6 7 8 9\n", "1: invalid line" },
		{ "a often maximum 3\n", "1: invalid kind 'often'" },
		{ "\na machine maximum 3 contention 2\n", "2: a machine line has no contention" },
		{ "a read maximum much\n", "1: invalid number 'much'" },
		{ "a read maximum 0\n", "1: invalid value '0'" },
		{ "a read maximum -3\n", "1: invalid value '-3'" },
		{ "a read maximum 80%\n", "1: invalid value '80%'" },
		{ "a read maximum 3 contention nan\n", "1: invalid number 'nan'" },
		{ "a read maximum 3\na read maximum 3\n", "2: a read is already in an earlier line" },
		{ "family x\nfamily y\n", "2: the family is already in an earlier line" },
		{ "family a family with a name that nobody could ever have\n", "unknown family" },
		{ "a_meter_with_a_name_that_is_longer_than_any_meter_could_ever_have read maximum 3\n",
		  "invalid name of a meter" },
	};
	static struct calibration c;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ksft_test_result(read_text(&c, cases[i].text) == 1 && strstr(said, cases[i].says),
				 "a calibration is refused: %s\n# %s", cases[i].says, said);
	said[0] = 0;
	ksft_test_result(calibration_read(&c, "a\0b\n\177ELF", 8, note, said) == 2,
			 "a file that is not text is refused\n");
}

/* A damaged file gives an error, or only valid lines. */
static void test_garbled(void)
{
	static const char good[] = "family AMD Fam15h\nmem_bw read maximum 38G contention 31G\n";
	static struct calibration c;
	char text[sizeof(good)];
	size_t i, wrong = 0;
	int byte;

	for (i = 0; i < sizeof(good) - 1; i++)
		for (byte = 0; byte < 256; byte++) {
			memcpy(text, good, sizeof(good));
			text[i] = byte;
			said[0] = 0;
			if (calibration_read(&c, text, sizeof(good) - 1, note, said))
				wrong += !*said;
			else
				wrong += *said;
		}
	ksft_test_result(!wrong,
			 "a file with one byte replaced is accepted, or refused with a reason\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(27);
	test_good();
	test_round_trip();
	test_put();
	test_choose();
	test_wrong();
	test_garbled();
	ksft_finished();
}
