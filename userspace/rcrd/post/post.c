// SPDX-License-Identifier: GPL-2.0-only
/*
 * post.c - network meters and the public board, as the site configures them.
 */
#include <errno.h>
#include <string.h>

#include "message.h"
#include "post.h"

/* What takes a name of the network meters is no reason not to record. */
int post_open(struct post *p, const struct config *config, struct why *why)
{
	if (network_meters_open(&p->network, config->network_ns, why))
		note("network meters are not posted: %s", why->text);
	return public_open(&p->public, config->is_public, why);
}

int post_begin(struct post *p, struct loop *loop, struct why *why)
{
	if (network_meters_begin(&p->network, loop) || public_begin(&p->public, loop))
		return because(why, "timer: %s", strerror(errno));
	return 0;
}

void post_end(struct post *p)
{
	public_end(&p->public);
}
