// SPDX-License-Identifier: GPL-2.0-or-later
/* post.c - start and stop network meters, formulas and the public board. */
#include <errno.h>
#include <string.h>

#include "message.h"
#include "post.h"

/* A failure to add the network meters, as by a name in use, must not prevent recording. */
int post_open(struct post *p, const struct config *config, int dir, struct why *why)
{
	p->control = rcr_control_open();
	if (!p->control)
		return because(why, "%s", rcr_control_open_error(errno));
	if (network_meters_open(&p->network, p->control, config->network_ns, why))
		note("cannot post network meters: %s", why->text);
	if (formulas_open(&p->formulas, dir, p->control, why))
		return -1;
	return public_open(&p->public, config->is_public, why);
}

int post_begin(struct post *p, struct loop *loop, struct why *why)
{
	if (network_meters_begin(&p->network, loop) || formulas_begin(&p->formulas, loop) ||
	    public_begin(&p->public, loop))
		return because(why, "timer: %s", strerror(errno));
	return 0;
}

void post_end(struct post *p)
{
	network_meters_end(&p->network);
	formulas_end(&p->formulas);
	public_end(&p->public);
}
