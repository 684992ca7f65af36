// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * batch.c - runs verbs from a file, line by line, over one connection.
 *
 * Words are separated by blanks; a line that begins with "#" is a comment. The output of a line is
 * flushed before the next line is read, so that a program can drive rcrctl through a pipe.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "message.h"
#include "verbs.h"

#define MAX_WORDS 128
#define BLANKS " \t\r\n"

static int run_line(struct session *s, char *line)
{
	char *word[MAX_WORDS];
	struct call c = { .session = s, .args = word + 1 };
	int words = 0;
	char *save;

	for (line = strtok_r(line, BLANKS, &save); line;
	     line = strtok_r(NULL, BLANKS, &save)) {
		if (words == MAX_WORDS)
			return wrong("too many words in the line: the maximum is %d", MAX_WORDS);
		word[words++] = line;
	}
	if (!words || word[0][0] == '#')
		return EXIT_SUCCESS;
	c.count = words - 1;
	return verb_run(&c, word[0]);
}

static int run_lines(struct session *s, FILE *in, const char *path, bool keep_going)
{
	int first = EXIT_SUCCESS, status;
	unsigned int number = 0;
	char *line = NULL;
	size_t size = 0;

	while ((keep_going || !first) && getline(&line, &size, in) >= 0) {
		message_at(path, ++number);
		status = run_line(s, line);
		if (!first)
			first = status;
		if (fflush(stdout))
			break;
	}
	free(line);
	message_at(NULL, 0);
	if (ferror(in))
		return fail("%s: %s", path, strerror(errno));
	return first;
}

int batch_run(struct session *s, const char *path, bool keep_going)
{
	bool is_stdin = !strcmp(path, "-");
	FILE *in = is_stdin ? stdin : fopen(path, "re");
	int status;

	if (!in)
		return fail("%s: %s", path, strerror(errno));
	s->batch = true;
	status = run_lines(s, in, path, keep_going);
	if (!is_stdin)
		fclose(in);
	return status;
}
