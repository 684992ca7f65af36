/* SPDX-License-Identifier: GPL-2.0-or-later */
/* post.h - the data that rcrd publishes: posted meters and the public board. */
#ifndef RCRD_POST_H
#define RCRD_POST_H

#include "config/config.h"
#include "formula/formulas.h"
#include "loop.h"
#include "network_meters.h"
#include "public.h"
#include "why.h"

/**
 * struct post - published data
 * @network: network meters
 * @public: public board
 * @formulas: meters computed from other meters
 * @control: connection to the module
 */
struct post {
	struct network_meters network;
	struct public public;
	struct formulas formulas;
	struct rcr_control *control;
};

/*
 * Opens everything that needs root; @dir: directory of the file of formulas. Returns 0, or -1 with
 * @why filled in.
 */
int post_open(struct post *p, const struct config *config, int dir, struct why *why);

/* Starts posting. Returns 0, or -1 with @why filled in. */
int post_begin(struct post *p, struct loop *loop, struct why *why);

/* Posts that there are no values any more. */
void post_end(struct post *p);

#endif
