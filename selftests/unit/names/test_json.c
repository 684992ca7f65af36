// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_json.c - the JSON writer, and ranges of registers. bats/rcrctl.bats checks that other
 * programs can read the JSON.
 */
#include <stdlib.h>
#include <string.h>

#include "print/json.h"
#include "ksft.h"
#include "set/list.h"

static char *text;
static size_t size;

static struct json start(void)
{
	free(text);
	return (struct json){ .out = open_memstream(&text, &size) };
}

static bool is(struct json *j, const char *expected)
{
	fclose(j->out);
	if (strcmp(text, expected))
		ksft_print_msg("%s\n", text);
	return !strcmp(text, expected);
}

static void test_strings(void)
{
	struct json j = start();

	json_text(&j, NULL, "a\"b\\c/d\n\t\r\x01\x1f\x7f\xc3\xa4\xc3\xe2\x82\xac");
	ksft_test_result(is(&j, "\"a\\\"b\\\\c/d\\u000a\\u0009\\u000d\\u0001\\u001f\\u007f\xc3\xa4\\u00c3\xe2\x82\xac\""),
			 "control characters, quotes and invalid bytes are escaped, UTF-8 is not\n");
	j = start();
	/* U+10000 and U+10FFFF; then above the maximum, overlong, a surrogate, and U+FFFE. */
	json_text(&j, NULL, "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\xf4\x90\x80\x80\xf0\x8f\xbf\xbf\xed\xa0\x80\xef\xbf\xbe\xef\xbf\xbd");
	ksft_test_result(is(&j, "\"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\\u00f4\\u0090\\u0080\\u0080\\u00f0\\u008f\\u00bf\\u00bf\\u00ed\\u00a0\\u0080\\u00ef\\u00bf\\u00be\xef\xbf\xbd\""),
			 "valid sequences of four bytes are not escaped, invalid ones are\n");
	j = start();
	json_text(&j, NULL, "");
	ksft_test_result(is(&j, "\"\""), "an empty text is a string\n");
}

static void test_structure(void)
{
	struct json j = start();

	json_open(&j, NULL, '{');
	json_number(&j, "n", 18446744073709551615ull);
	json_bool(&j, "yes", true);
	json_text(&j, "no\"thing", NULL);
	json_open(&j, "list", '[');
	json_text(&j, NULL, "a");
	json_open(&j, NULL, '{');
	json_close(&j, '}');
	json_close(&j, ']');
	json_open(&j, "empty", '[');
	json_close(&j, ']');
	json_close(&j, '}');
	ksft_test_result(is(&j, "{\"n\": 18446744073709551615, \"yes\": true, \"no\\\"thing\": null, \"list\": [\n\"a\",\n{}\n], \"empty\": [\n\n]}"),
			 "commas separate elements\n");
}

static void test_registers(void)
{
	static const struct {
		uint64_t bits;
		const char *unit;
		const char *text;
	} cases[] = {
		{ 0, "", "-" }, { 0x3f, "", "0-5" }, { 0x08, "", "3" }, { 0x27, "", "0-2,5" },
		{ 0x9, "", "0,3" }, { 0xf, "nb", "nb 0-3" }, { 0, "nb", "nb -" },
		{ 1ull << 33, "", "fixed 1" }, { 0xf | 1ull << 32, "", "0-3,fixed 0" },
		{ 7ull << 32, "", "fixed 0-2" }, { ~0ull, "", "0-31,fixed 0-31" },
		{ 0x5555555555555555ull, "", NULL }, { 0x5555555555555555ull, "elevenchars", NULL },
	};
	char to[64];
	bool all = true;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		registers_text(to, sizeof(to), cases[i].unit, cases[i].bits);
		all &= !cases[i].text || !strcmp(to, cases[i].text);
	}
	ksft_test_result(all && strlen(to) < sizeof(to), "consecutive registers are printed as ranges\n");
}

int main(void)
{
	ksft_print_header();
	ksft_set_plan(3 + 1 + 1);
	test_strings();
	test_structure();
	test_registers();
	free(text);
	ksft_finished();
}
