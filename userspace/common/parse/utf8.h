/* SPDX-License-Identifier: GPL-2.0-or-later */
/* utf8.h - characters of UTF-8. */
#ifndef COMMON_UTF8_H
#define COMMON_UTF8_H

/* Bytes of the valid character at @text, which is not the end; 0 if there is none, or a control. */
int utf8_length(const char *text);

#endif
