// SPDX-License-Identifier: GPL-2.0-or-later
/* configure.c - the verbs "check" and "configure". */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "configure/configure.h"
#include "message.h"

static const char *config_path(const struct call *c)
{
	return c->count ? c->args[0] : CONFIG_PATH;
}

int do_check(struct call *c)
{
	static struct config config;
	const char *path = config_path(c);
	int status = configure_read(c->session, path, &config);

	if (!status)
		printf("%s: ok\n", path);
	config_free(&config);
	return status;
}

int do_configure(struct call *c)
{
	static struct config config;
	const char *path = config_path(c);
	int status;

	/* Without the default file, keep all defaults. */
	if (!c->count && access(path, F_OK) && errno == ENOENT)
		return EXIT_SUCCESS;
	status = configure_read(c->session, path, &config);
	if (!status)
		status = session_open(c->session);
	if (!status)
		status = configure_apply(c->session, path, &config);
	config_free(&config);
	return status;
}
