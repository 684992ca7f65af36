/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pager.h - shows long output on a terminal page by page. */
#ifndef RCRCTL_PAGER_H
#define RCRCTL_PAGER_H

/* If standard output is a terminal, sends it through $PAGER (less) from now on. */
void pager_start(void);

/* Ends the output, and waits until the user leaves the pager. */
void pager_end(void);

#endif
