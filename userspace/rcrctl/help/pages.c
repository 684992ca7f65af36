// SPDX-License-Identifier: GPL-2.0-or-later
/* pages.c - the texts of the help pages, in the order of the summary. */
#include "help/help.h"

#define PLACE_OPTION "  --place PLACE     machine (the default), node0, package1, cpu3 and so on\n"

const struct help_page help_pages[] = {
	{ "show", "[-v] [--noheadings] [--json]",
	  "show the set: status and rate of each counter, and staged changes", NULL,
	  "  -v, --verbose     registers and known defects, too\n"
	  "  --noheadings      rows only\n"
	  "  --json            as JSON\n",
	  "rcrctl show -v" },
	{ "events", "[--all] [--json] [--noheadings] [GLOB]",
	  "list the events of this machine, or those that match GLOB",
	  "Letter case does not matter. Events of the kernel's PMUs are listed if GLOB is given,\n"
	  "tracepoints if it has a colon.\n",
	  "  --all             also events that no counter here can count\n"
	  "  --json            as JSON\n"
	  "  --noheadings      rows only\n",
	  "rcrctl events '*cache*'" },
	{ "set", "EVENT...",
	  "count these events and no others from now on",
	  "All or none; if refused, nothing changes. An EVENT is a name that 'events' lists,\n"
	  "NAME=EVENT for a name of your own, or NAME=event:0x03,umask:0xff (also cmask:N inv edge\n"
	  "os user host guest counter:N). perf's cycles, instructions, branches, branch-misses,\n"
	  "cache-references and cache-misses are known, too. Named sets are @flops, @mem and @ldms,\n"
	  "Table I of the LDMS MSR sampler paper.\n",
	  NULL, "rcrctl set TOT_CYC TOT_INS PAPI_BR_INS" },
	{ "add", "EVENT...", "stage these events, all or none", NULL, NULL,
	  "rcrctl add PAPI_BR_MSP && rcrctl apply" },
	{ "remove", "NAME|all", "stage the removal of a counter", NULL, NULL,
	  "rcrctl remove L1_DCM" },
	{ "apply", "", "count the staged set, on all CPUs or on none",
	  "'rcrctl finalize --hold [COMMAND...]' is like run; without COMMAND, until a signal.\n",
	  NULL, NULL },
	{ "discard", "", "drop all staged changes", NULL, NULL, NULL },
	{ "load", "[--skip-wrong] FILE|default",
	  "stage a saved set, or count the default set",
	  "The set in FILE replaces the staged set. FILE may also be a dictionary of LDMS, whose\n"
	  "names can be added from then on. 'load default' needs no apply: it counts the events\n"
	  "that the module counts when it is loaded, without the last ones if they do not fit.\n",
	  "  --skip-wrong      leave out wrong lines of FILE\n",
	  "rcrctl load night.set && rcrctl apply" },
	{ "save", "FILE", "write the staged set to a file, for load",
	  "'-' is standard output.\n", NULL, "rcrctl save night.set" },
	{ "run", "-- COMMAND [ARGUMENT]...", "count the staged set while a command runs",
	  "The previous set is restored afterwards, even if rcrctl is killed. The exit status is that\n"
	  "of COMMAND; 128 + N if signal N ended it; 127 if it was not found, 126 if it is not\n"
	  "executable; 125 if the set was refused, and COMMAND was not started.\n", NULL,
	  "rcrctl add PAPI_BR_MSP && rcrctl run -- ./solver" },
	{ "replace", "OLD NEW", "count event NEW in place of counter OLD", NULL, NULL,
	  "rcrctl replace L1_DCM PAPI_BR_MSP" },
	{ "pause", "NAME|all", "stop reading a counter until resume", NULL, NULL, NULL },
	{ "resume", "NAME|all", "read a paused counter again", NULL, NULL, NULL },
	{ "repair", "NAME|all", "restore a counter that another program has changed",
	  NULL, NULL, "rcrctl repair all" },
	{ "period", "TIME", "sample every TIME: a number with us, ms, s or min", NULL, NULL,
	  "rcrctl period 10ms" },
	{ "reset", "", "count nothing, and restore all registers", NULL, NULL, NULL },
	{ "mark", "TEXT | begin JOB | end JOB", "put a mark into the stream of samples",
	  "Quote a text that begins with begin or end.\n", NULL, "rcrctl mark begin 4711" },
	{ "meter", "[ls] | show|add|load|remove|reset|max|post ...",
	  "list the meters with their values; add and change meters",
	  "  meter [ls]                 list those that have values\n"
	  "  meter show NAME            all values of a meter, at all places\n"
	  "  meter add NAME [FORMULA]   add a meter; without a formula: count the events that the\n"
	  "                             family's meter NAME lacks\n"
	  "  meter load                 add the meters of the machine's family\n"
	  "  meter remove NAME          remove it\n"
	  "  meter reset NAME|all       forget its history\n"
	  "  meter max NAME             set the limits of its resource\n"
	  "  meter post NAME VALUE      post a value of a meter that was added with --posted\n",
	  "  -a                of ls: also those without values, and why\n"
	  "  --json            of ls and show: as JSON\n"
	  "  --scale TIME[,KIND]  of add: time scale; current, average, sum or peak\n"
	  "  --unit U          of add: its unit\n"
	  "  --over PLACE      of add: values for each node, package, die, llc, core or cpu, too\n"
	  "  --digits N        of add: decimal digits of its values\n"
	  "  --public          of add: also on the public board\n"
	  "  --posted          of add: values are posted\n"
	  "  --maximum V       of max: maximum of the resource\n"
	  "  --contention V    of max: value from which the resource is contended\n"
	  "  --at PLACE        of max: only at this place\n"
	  "  --place N         of post: number of the place, 0 is the machine\n",
	  "rcrctl meter add branches \"PAPI_BR_INS / TOT_INS\" --scale 100ms" },
	{ "on", "CONDITION [--place PLACE] [--count N] -- COMMAND...",
	  "run a command each time that a meter crosses a bound",
	  "CONDITION is one argument: \"METER > BOUND [over TIME] [for TIME] [below BOUND]\" or\n"
	  "\"METER < BOUND [over TIME] [for TIME] [above BOUND]\".\n",
	  PLACE_OPTION
	  "  --count N         end after N crossings\n",
	  "rcrctl on \"cpi > 2 for 100ms below 1.5\" -- rcrctl mark slow" },
	{ "record", "[OPTION]... | fetch FILE | ls [--json] | off",
	  "arm the flight recorder, which keeps the samples before an event",
	  "Needs rcrd. 'record fetch FILE' writes the kept samples to a file that rcrstat can read;\n"
	  "'record ls' prints the state of the recorder; 'record off' disarms it.\n",
	  "  --last TIME       keep the samples of this time before the event (5s)\n"
	  "  --on TRIGGERS     mark, oom, crossing, with commas between (mark,oom)\n"
	  "  --crossing \"METER > BOUND\"  this crossing is a trigger\n"
	  PLACE_OPTION
	  "  --json            of ls: as JSON\n",
	  "rcrctl record --last 5s --on oom" },
	{ "threads", "[--json] [PID]", "list what programs report of their threads",
	  "Root and the group rcrtool see all threads, other users their own. Needs rcrd.\n",
	  "  --json            as JSON\n", NULL },
	{ "why", "[--json]", "explain present contention, its causes and its victims",
	  "Root and the group rcrtool see all contention, other users what their processes take part\n"
	  "in. Exit status: 3 if a resource is contended, 4 if one is busy. Needs rcrd.\n",
	  "  --json            as JSON\n", NULL },
	{ "verdicts", "[--since MARK | --job ID] [--json]", "list changes of contention",
	  "One line per change of state, with its time in seconds since boot. Exit status, for the\n"
	  "worst state: 3 if a resource was contended, 4 if one was busy. Needs rcrd.\n",
	  "  --since MARK      since 'rcrctl mark MARK'\n"
	  "  --job ID          from 'rcrctl mark begin ID' to 'rcrctl mark end ID'\n"
	  "  --json            as JSON\n",
	  "rcrctl verdicts --job 4711" },
	{ "where", "[memory | cache] [--all] [--json]", "print the functions and lines of contention",
	  "Of ongoing contention or, if there is none, of the newest; processes may have ended since.\n"
	  "Root and the group rcrtool see all processes, other users their own. Needs rcrd, and libdw\n"
	  "of elfutils for names.\n",
	  "  --all             all contentions that rcrd keeps\n"
	  "  --json            as JSON\n",
	  "rcrctl where cache" },
	{ "calibrate", "[OPTION]...", "run rcrcal: measure what the memory can do",
	  "'rcrcal --help' prints its options.\n", NULL, NULL },
	{ "check", "[FILE]", "check a configuration file, without the module",
	  "Every wrong line is reported as FILE:LINE. FILE defaults to /etc/rcrtool/rcrtool.conf.\n",
	  NULL, "rcrctl check new.conf" },
	{ "configure", "[FILE]", "apply a configuration file: set, period, meters, limits, recorder",
	  "rcrtool.service does this at boot. FILE defaults to /etc/rcrtool/rcrtool.conf. If a line is\n"
	  "wrong, nothing is applied. If the module refuses a line, it is reported, and the others are\n"
	  "applied. A set that was changed since is replaced.\n", NULL, NULL },
	{ "doctor", "[--json | --report FILE]", "find out what prevents counting on this machine",
	  "Each line is ok, a note, or something to fix, with the remedy. As root it also compares\n"
	  "counts of a known loop with those of perf. The status is 1 if there is something to fix.\n",
	  "  --json            as JSON\n"
	  "  --report FILE     write a file for the authors: processor, tables, registers, self-test,\n"
	  "                    versions; without names of hosts, users, processes and jobs\n",
	  "rcrctl doctor" },
	{ "help", "[VERB|all]", "print this summary, or the page of a verb", NULL, NULL,
	  "rcrctl help record" },
	{ 0 }
};

const struct help_synonym help_synonyms[] = {
	{ "initialize", "load" }, { "finalize", "apply" }, { "ls", "show" }, { "halt", "pause" },
	{ "continue", "resume" }, { "rewrite", "repair" }, { "reassign", "replace" },
	{ "list", "events" },
	{ 0 }
};
