/* SPDX-License-Identifier: GPL-2.0-or-later */
/* task_rows.h - prints the shares of processes or cgroups: as a table, CSV and JSON. */
#ifndef RCRSTAT_TASK_ROWS_H
#define RCRSTAT_TASK_ROWS_H

struct page;

void task_rows_table(const struct page *p);
void task_rows_header(const struct page *p);
void task_rows_csv(const struct page *p);
void task_rows_json(const struct page *p);

#endif
