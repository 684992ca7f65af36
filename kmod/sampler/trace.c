// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace.c - the one place that the tracepoints of trace.h are made at.
 */
#define CREATE_TRACE_POINTS
#include "trace.h"
