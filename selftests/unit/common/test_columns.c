// SPDX-License-Identifier: GPL-2.0-only
/* test_columns.c - prints tables in columns. */
#include <stdlib.h>
#include <string.h>

#include "ksft.h"
#include "print/columns.h"

/* Print the table and free its rows; return true if the text is @want. */
static bool prints(struct columns *c, bool heading, const char *want)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool same = !columns_print(c, heading, out);

	fclose(out);
	same &= !strcmp(text, want);
	if (!same)
		ksft_print_msg("%s", text);
	free(text);
	return same;
}

static struct columns two_rows(void)
{
	struct columns c = { .count = 3, .heading = { "NAME", "N", "WHAT" } };

	columns_add(&c, (const char *[]){ "a", "12", "first" });
	columns_add(&c, (const char *[]){ "longer", "3", "" });
	return c;
}

int main(void)
{
	struct columns c = two_rows();

	ksft_print_header();
	ksft_set_plan(7);
	ksft_test_result(prints(&c, true, "NAME    N   WHAT\na       12  first\nlonger  3\n"),
			 "each column is as wide as its longest text; no line ends in blanks\n");
	ksft_test_result(!c.rows && prints(&c, true, "NAME  N  WHAT\n"),
			 "a table is empty after it was printed\n");
	c = two_rows();
	ksft_test_result(prints(&c, false, "a       12  first\nlonger  3\n"),
			 "the widths of a heading that is not printed do not count\n");
	c = two_rows();
	c.right = 1 << 1;
	c.least[1] = 4;
	ksft_test_result(prints(&c, true,
				"NAME       N  WHAT\na         12  first\nlonger     3\n"),
			 "a column may be aligned to the right, and have a minimum width\n");
	c = two_rows();
	c.right = 1 << 2;
	columns_add_line(&c, "    a sentence that is longer than all columns");
	columns_add(&c, (const char *[]){ "b", "", "x" });
	ksft_test_result(prints(&c, false,
				"a       12  first\nlonger  3\n"
				"    a sentence that is longer than all columns\n"
				"b               x\n"),
			 "a line between rows does not widen columns, and a cell may be empty\n");
	memset(&c, 0, sizeof(c));
	c.count = 2;
	columns_add(&c, (const char *[]){ "\u00b0C", "x" });
	columns_add(&c, (const char *[]){ "abcd", "y" });
	ksft_test_result(prints(&c, false, "\u00b0C    x\nabcd  y\n"),
			 "characters of several bytes take one column\n");
	c.failed = true;
	ksft_test_result(columns_print(&c, true, stderr) == -1,
			 "a table that lost a row because of lack of memory is not printed\n");
	ksft_finished();
}
