// SPDX-License-Identifier: GPL-2.0-or-later
/* calibration_file.c - reads a calibration file, and reports its invalid lines. */
#include <stdlib.h>

#include "calibration.h"
#include "file.h"
#include "message.h"

static void note_calibration_line(void *path, unsigned int line, const char *sentence)
{
	note_line(path, line, "%s", sentence);
}

int calibration_load(struct calibration *c, const char *path)
{
	struct why why;
	size_t size;
	char *text;
	int bad;

	*c = (struct calibration){ };
	text = file_read(path, &size, &why);
	if (!text) {
		fail("%s", why.text);
		return -1;
	}
	bad = calibration_read(c, text, size, note_calibration_line, (void *)path);
	free(text);
	return bad;
}
