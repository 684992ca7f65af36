/* SPDX-License-Identifier: GPL-2.0-or-later */
/* utf8.h - characters of UTF-8. */
#ifndef COMMON_UTF8_H
#define COMMON_UTF8_H

/* Bytes of the character at @text, not the final 0; 0 if it is invalid or a control character. */
int utf8_length(const char *text);

#endif
