// SPDX-License-Identifier: GPL-2.0-only
/*
 * netlink_races.c - controllers that make changes at the same time, the generations in the answers,
 * and the announcements to the multicast group.
 */
#include "netlink.h"

/**
 * struct contest - results of one of two controllers
 * @changes: changes that it has made
 * @stale: requests that were refused
 * @wrong: answers whose generation is not that of the request's own change
 */
struct contest {
	unsigned int changes;
	unsigned int stale;
	unsigned int wrong;
};

/*
 * Base each request on the generation of the previous answer, even if that was a refusal. Every
 * second request does not change the set, so its answer has the generation that it is based on.
 */
static void contend_changes(struct contest *c, unsigned int requests)
{
	uint32_t seen = ask_generation(RCR_CMD_LOOK), answered;
	unsigned int i;
	int error;

	for (i = 0; i < requests; i++) {
		bool changing = i % 2;

		answered = ask_with(changing ? RCR_CMD_CONTINUE : RCR_CMD_METER_RESET,
				    with_number(none, RCR_A_GENERATION, seen), &error);
		if (error == ESTALE)
			c->stale++;
		else if (!error)
			c->changes += changing;
		c->wrong += error == ESTALE ? answered == seen :
			    error || answered != seen + changing;
		seen = answered;
	}
}

/*
 * With two controllers at the same time, exactly the requests based on the current generation are
 * carried out.
 */
void check_interleaved(unsigned int requests)
{
	struct contest *c = mmap(NULL, 2 * sizeof(*c), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	uint32_t before = ask_generation(RCR_CMD_LOOK), after;
	unsigned int i;
	int error;

	for (i = 0; i < 2; i++) {
		if (fork())
			continue;
		connect_family();
		contend_changes(&c[i], requests);
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
	after = ask_generation(RCR_CMD_LOOK);
	printf("# changes %u and %u, refused %u and %u, wrong %u and %u, generations %u\n",
	       c[0].changes, c[1].changes, c[0].stale, c[1].stale, c[0].wrong, c[1].wrong,
	       after - before);
	deviations += !c[0].changes || !c[1].changes || !(c[0].stale + c[1].stale) || c[0].wrong ||
	       c[1].wrong || after - before != c[0].changes + c[1].changes;
	/*
	 * Ask with a new request: the last answer has the generation that its request was based on.
	 */
	ask_with(RCR_CMD_METER_RESET, with_number(none, RCR_A_GENERATION, before), &error);
	if (error != ESTALE)
		report_wrong("a reset of meters based on an old generation is not refused");
}

#define CONTROLLERS 4

/* Check that each new generation is in exactly one answer. */
static void check_generations(const uint32_t *answered, unsigned int count, uint32_t first)
{
	unsigned int *times = calloc(count, sizeof(*times)), i, odd = 0;

	for (i = 0; i < count; i++)
		if (answered[i] - first < count)
			times[answered[i] - first]++;
	for (i = 0; i < count; i++)
		odd += times[i] != 1;
	free(times);
	if (!odd)
		return;
	printf("# %u of %u generations are not in exactly one answer\n", odd, count);
	deviations++;
}

static bool is_readable(int descriptor, int ms)
{
	struct pollfd p = { .fd = descriptor, .events = POLLIN };

	return poll(&p, 1, ms) == 1;
}

static void expect_no_change(struct rcr_changes *changes)
{
	uint32_t generation;

	if (!changes)
		return report_wrong("librcr cannot join the group");
	if (is_readable(rcr_changes_fd(changes), 0))
		report_wrong("the socket of the group is readable before any change");
	if (rcr_changes_next(changes, &generation) != -1 || errno != EAGAIN)
		report_wrong("a change is announced before any was made");
}

/* Check that each change is announced once, in order, and after it is visible. */
static void check_changes(struct rcr_changes *changes, unsigned int count, uint32_t first)
{
	uint32_t generation, i;

	if (!changes)
		return;
	for (i = 0; i < count; i++)
		if (!is_readable(rcr_changes_fd(changes), 1000) ||
		    rcr_changes_next(changes, &generation) || generation != first + i) {
			printf("# change %u of %u is not announced, or out of order\n", i, count);
			deviations++;
			return;
		}
	if (rcr_changes_next(changes, &generation) != -1 || errno != EAGAIN)
		report_wrong("more changes are announced than were made");
}

/* A separate socket in the multicast group, to check the raw messages. */
static struct nl_sock *group;

static void join_group(void)
{
	struct timeval wait = { .tv_sec = 5 };

	group = nl_socket_alloc();
	if (!group || genl_connect(group) ||
	    nl_socket_add_membership(group, genl_ctrl_resolve_grp(group, RCR_GENL_NAME,
								  RCR_GENL_CHANGES)))
		report_wrong("the group cannot be joined");
	setsockopt(nl_socket_get_fd(group), SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
}

/* Check that the first message has only a generation. */
static void check_messages(uint32_t first)
{
	struct request r;
	uint32_t generation;

	if (recv(nl_socket_get_fd(group), &r, sizeof(r), 0) !=
	    NLMSG_HDRLEN + GENL_HDRLEN + NLA_HDRLEN + (ssize_t)sizeof(generation))
		report_wrong("a message of the group does not have just a generation");
	memcpy(&generation, r.attrs + NLA_HDRLEN, sizeof(generation));
	if (r.head.nlmsg_type != netlink_family || r.genl.cmd != RCR_CMD_CHANGED ||
	    ((struct nlattr *)r.attrs)->nla_type != RCR_A_GENERATION || generation != first)
		report_wrong("the first message of the group does not announce the first change");
	nl_socket_free(group);
}

/* Check that a socket that was not read reports lost messages. */
static void check_overrun(struct rcr_changes *changes)
{
	uint32_t generation;
	int least = 1, i;
	bool lost = false;

	if (!changes)
		return;
	setsockopt(rcr_changes_fd(changes), SOL_SOCKET, SO_RCVBUF, &least, sizeof(least));
	for (i = 0; i < 200; i++)
		ask_generation(RCR_CMD_CONTINUE);
	while (!rcr_changes_next(changes, &generation) || errno == ENOBUFS)
		lost = lost || errno == ENOBUFS;
	if (!lost)
		report_wrong("the loss of changes is not reported by ENOBUFS");
}

int listen_once(void)
{
	struct rcr_changes *changes = rcr_changes_open();
	uint32_t generation;

	if (!changes)
		return 1;
	puts("joined");
	fflush(stdout);
	if (!is_readable(rcr_changes_fd(changes), 10000) ||
	    rcr_changes_next(changes, &generation))
		return 2;
	printf("%u\n", generation);
	return 0;
}

void run_controllers(unsigned int number)
{
	unsigned int i, k, count = CONTROLLERS * number;
	uint32_t *answered = mmap(NULL, count * sizeof(*answered), PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	uint32_t first = ask_generation(RCR_CMD_LOOK) + 1;
	struct rcr_changes *changes = rcr_changes_open();

	join_group();
	expect_no_change(changes);
	for (i = 0; i < CONTROLLERS; i++) {
		if (fork())
			continue;
		connect_family();
		for (k = 0; k < number; k++)
			answered[i * number + k] = ask_generation(RCR_CMD_CONTINUE);
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
	check_generations(answered, count, first);
	check_changes(changes, count, first);
	check_messages(first);
	check_overrun(changes);
	rcr_changes_close(changes);
}
