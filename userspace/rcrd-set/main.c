// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * main.c - rcrd-set: start rcrd, and add groups of events to the set at its request. A child, which
 * keeps only CAP_SYS_RAWIO, serves rcrd over a socket pair. It adds no groups but those in root's
 * configuration file. When either process ends, the module removes the held group, because the
 * descriptor of the hold is closed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "config/config.h"
#include "message.h"
#include "privilege.h"
#include "rcr_control.h"
#include "sandbox.h"
#include "staged_set.h"

#define REQUEST_MAX 64

/* Split a group into events, without those that are counted by name. Returns their number. */
static unsigned int split_group(const struct config_line *group, const struct rcr_state *state,
				char *copy, const char *event[RCR_MAX_COUNTERS])
{
	char *word, *rest = NULL;
	unsigned int count = 0, i;

	strcpy(copy, group->value);
	for (word = strtok_r(copy, ";", &rest); word; word = strtok_r(NULL, ";", &rest)) {
		size_t name = strcspn(word, "=");

		for (i = 0; i < state->ncounters; i++)
			if (state->counter[i].running && !state->counter[i].name[name] &&
			    !strncmp(state->counter[i].name, word, name))
				break;
		if (i == state->ncounters && count < RCR_MAX_COUNTERS)
			event[count++] = word;
	}
	return count;
}

/* Add a group to the set until @fd is closed. Each step depends on the last generation. */
static int hold_group(struct rcr_control *c, const struct config_line *group, int fd,
		      struct why *why)
{
	const char *event[RCR_MAX_COUNTERS];
	static struct rcr_state state;
	char copy[4096];
	unsigned int count;

	if (rcr_control_look(c, &state))
		return because(why, "%s", rcr_control_reason(c));
	/* The hold would apply staged changes of other users, too. */
	if (has_staged_changes(&state))
		return because(why, "changes of the set are staged: apply or discard them");
	if (strlen(group->value) >= sizeof(copy))
		return because(why, "group.%s is too long", group->name);
	count = split_group(group, &state, copy, event);
	if (!count)
		return because(why, "all events of the group are counted already");
	if (rcr_control_add(c, state.generation, event, count))
		return because(why, "%s", rcr_control_reason(c));
	if (!rcr_control_finalize(c, rcr_control_generation(c), fd))
		return 0;
	because(why, "%s", rcr_control_reason(c));
	unstage_events(c, event, count);
	return -1;
}

static const struct config_line *find_group(const struct config *config, const char *model)
{
	unsigned int i;

	for (i = 0; i < config->count; i++)
		if (config->line[i].key == CONFIG_GROUP && !strcmp(config->line[i].name, model))
			return &config->line[i];
	return NULL;
}

/* Execute "hold MODEL" or "release"; *@hold is the open device while a group is held, or -1. */
static int take_request(struct rcr_control *c, const struct config *config, const char *request,
			int *hold, struct why *why)
{
	const struct config_line *group;

	if (*hold >= 0)
		close(*hold);
	*hold = -1;
	if (!strcmp(request, "release"))
		return 0;
	group = strncmp(request, "hold ", 5) ? NULL : find_group(config, request + 5);
	if (!group)
		return because(why, "there is no such group in " CONFIG_PATH);
	*hold = open(RCR_DEVICE, O_RDONLY | O_CLOEXEC);
	if (*hold < 0)
		return because(why, RCR_DEVICE ": %s", strerror(errno));
	if (!hold_group(c, group, *hold, why))
		return 0;
	close(*hold);
	*hold = -1;
	return -1;
}

/* Do not keep a terminal or a pipe of the caller open: nothing is logged from here on. */
static int detach_from_caller(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), i;

	if (null < 0 || setsid() < 0 || chdir("/"))
		return -1;
	for (i = STDIN_FILENO; i <= STDERR_FILENO; i++)
		if (dup2(null, i) < 0)
			return -1;
	close(null);
	return 0;
}

/* Serves rcrd until it ends. */
static int serve_rcrd(int socket, const struct config *config, const struct identity *id)
{
	char request[REQUEST_MAX];
	struct rcr_control *c;
	struct why why;
	int hold = -1;
	ssize_t got;

	if (privilege_drop(id, CAP_SYS_RAWIO, &why))
		return fail("%s", why.text);
	c = rcr_control_open();
	if (!c)
		return fail("%s", rcr_control_open_error(errno));
	if (detach_from_caller())
		return fail("cannot leave the caller's terminal: %s", strerror(errno));
	if (sandbox_enter(&why))
		return fail("%s", why.text);
	while ((got = recv(socket, request, sizeof(request) - 1, 0)) > 0) {
		request[got] = 0;
		*why.text = 0;
		take_request(c, config, request, &hold, &why);
		if (send(socket, why.text, strlen(why.text) + 1, MSG_NOSIGNAL) < 0)
			break;
	}
	return EXIT_SUCCESS;
}

/* Execute rcrd from the directory of this program. */
static int run_rcrd(int socket, int argc, char **argv)
{
	char path[4096], number[16], *args[argc + 3];
	const char *slash = strrchr(argv[0], '/');

	snprintf(path, sizeof(path), "%.*srcrd", slash ? (int)(slash + 1 - argv[0]) : 0, argv[0]);
	snprintf(number, sizeof(number), "%d", socket);
	memcpy(args, argv, argc * sizeof(*args));
	args[0] = path;
	args[argc] = "--groups";
	args[argc + 1] = number;
	args[argc + 2] = NULL;
	execvp(path, args);
	return fail("%s: %s", path, strerror(errno));
}

int main(int argc, char **argv)
{
	static struct config config;
	struct identity id;
	struct why why;
	int pair[2];
	pid_t child;

	if (privilege_find(&id, &why) || config_read(CONFIG_PATH, &config, &why))
		return fail("%s", why.text);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair))
		return fail("socketpair: %s", strerror(errno));
	child = fork();
	if (child < 0)
		return fail("%s", strerror(errno));
	close(pair[child ? 1 : 0]);
	return child ? run_rcrd(pair[0], argc, argv) : serve_rcrd(pair[1], &config, &id);
}
