// SPDX-License-Identifier: GPL-2.0-only
/* main.c - rcrctl: controls the rcrtool module. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "message.h"
#include "verbs.h"

static const char help[] =
	"Usage: rcrctl [--generation N] VERB [ARGUMENT]...\n"
	"       rcrctl --batch FILE [--keep-going]\n"
	"Changes what the rcrtool module counts.\n"
	"\n"
	"  list [GLOB]       list the events of this machine, and their registers\n"
	"                    (--all: also what cannot; --json)\n"
	"  set EVENT...      count these events and no others from now on, or change nothing;\n"
	"                    @ldms stands for Table I of the LDMS MSR sampler paper\n"
	"  add EVENT...      add to the staged set, all or none; an EVENT is a name from\n"
	"                    the list, NAME=EVENT for a name of your own, or\n"
	"                    NAME=event:0x03,umask:0xff (also cmask:N inv edge os user host\n"
	"                    guest counter:N)\n"
	"  remove NAME|all   take out of the staged set\n"
	"  finalize          program the staged set, on all CPUs or on none\n"
	"                    (--hold [COMMAND...]: while COMMAND runs, or until a signal)\n"
	"  ls                list the running and the staged set (--json)\n"
	"  halt NAME|all     do not read it until continue\n"
	"  continue NAME|all read it again\n"
	"  rewrite NAME|all  program it again where another program changed it\n"
	"  reassign OLD NEW  count event NEW in the place of OLD\n"
	"  mark TEXT         mark this moment for readers; also mark begin JOB, mark end JOB\n"
	"  initialize FILE   empty the staged set and load a saved one, or a dictionary\n"
	"                    of LDMS, for add (--skip-wrong: leave out wrong lines)\n"
	"  save FILE         write the staged set, for initialize; - is standard output\n"
	"  period TIME       sample every TIME: a number with us, ms, s or min\n"
	"  reset             count nothing; every register is as it was\n"
	"  record            keep the samples before an event (--last TIME,\n"
	"                    by default 5s; --on mark,oom,crossing; --crossing 'METER > BOUND'\n"
	"                    with --place PLACE); then record fetch FILE writes that for\n"
	"                    rcrstat -d; also record ls (--json), record off. It needs rcrd\n"
	"  threads [PID]     what programs report of their threads (blackboard 2), yours or, for\n"
	"                    root and the group rcrtool, all; CSV when it is not a terminal\n"
	"  meter [ls [-a]]   list the meters with their values (-a: also those without, and\n"
	"                    why; --json)\n"
	"  meter show NAME   all values of a meter, at all places\n"
	"  meter add NAME [FORMULA]  make a meter (--posted: without one; --scale TIME[,KIND]\n"
	"                    --unit U --over PLACE --digits N --public); of one that sleeps\n"
	"                    without a formula: count its missing events\n"
	"  meter load        add the meters of the machine's family\n"
	"  meter remove|reset NAME  take it away; forget its history\n"
	"  meter max NAME    set what its resource can do (--maximum V --contention V): on the\n"
	"                    machine, and on each part its share; --at PLACE: there alone\n"
	"  meter post NAME VALUE  the latest value of a posted meter (--place N)\n"
	"  on CONDITION -- COMMAND...  run COMMAND once each time that it becomes true:\n"
	"                    \"METER > BOUND [over TIME] [for TIME] [below BOUND]\" or\n"
	"                    \"METER < BOUND [over TIME] [for TIME] [above BOUND]\"\n"
	"                    (--place PLACE --count N)\n"
	"  calibrate         find out what memory can do, by load on all CPUs, and from where\n"
	"                    on it is contended; kept in a file (--file FILE --meter NAME\n"
	"                    --latency NAME --kind read,write,copy,random --load COMMAND\n"
	"                    --steps N --time TIME --mix MIX: set the limits of that one)\n"
	"  calibrate --restore  set the limits in that file (--file FILE --mix MIX)\n"
	"\n"
	"  --batch FILE      the verbs in FILE, one a line; - is standard input\n"
	"  --keep-going      of a batch: go on after a line that failed\n"
	"  --generation N    only if the set is still that of generation N in ls\n"
	"  --help            print this and exit\n"
	"  --version         print the version and exit\n"
	"\n"
	"Exit status: 0 done, 1 refused or failed (nothing has changed), 2 the\n"
	"command line is wrong; of finalize --hold COMMAND, that of COMMAND.\n";

/**
 * struct options - the command line before the verb
 * @batch: file with verbs, or NULL
 * @keep_going: continue after a verb that failed
 * @generation: expected generation, or 0
 * @count: remaining words
 * @args: the remaining words
 */
struct options {
	const char *batch;
	bool keep_going;
	uint32_t generation;
	int count;
	char **args;
};

static bool parse_generation(const char *text, uint32_t *generation)
{
	unsigned long long val;
	char *end;

	errno = 0;
	val = strtoull(text, &end, 10);
	*generation = val;
	return *text >= '0' && *text <= '9' && !*end && !errno && val &&
	       val <= UINT32_MAX;
}

static bool is(const char *word, const char *name, const char *letter)
{
	return !strcmp(word, name) || !strcmp(word, letter);
}

/* Parses one option; --help and --version end the program. */
static int take(struct options *o)
{
	const char *option = o->args[0];

	if (is(option, "--help", "-h")) {
		fputs(help, stdout);
		exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
	}
	if (is(option, "--version", "-V")) {
		puts("rcrctl " RCR_VERSION);
		exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
	}
	if (!strcmp(option, "--keep-going")) {
		o->keep_going = true;
		o->count--;
		o->args++;
		return EXIT_SUCCESS;
	}
	if (!strcmp(option, "--generation")) {
		if (o->count < 2 || !parse_generation(o->args[1], &o->generation))
			return wrong("--generation needs a number from 1, as ls prints it");
	} else if (!strcmp(option, "--batch")) {
		if (o->count < 2)
			return wrong("--batch needs a file, or - for standard input");
		o->batch = o->args[1];
	} else {
		return wrong("option \"%s\" is unknown", option);
	}
	o->count -= 2;
	o->args += 2;
	return EXIT_SUCCESS;
}

static int check(const struct options *o)
{
	if (o->batch && o->count)
		return wrong("--batch takes its verbs from its file: \"%s\" is too much",
			     o->args[0]);
	if (o->batch && o->generation)
		return wrong("--generation goes with one verb, not with --batch");
	if (!o->batch && o->keep_going)
		return wrong("--keep-going goes with --batch");
	if (!o->batch && !o->count)
		return wrong("no command given");
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	struct options o = { .count = argc - 1, .args = argv + 1 };
	struct session s = { 0 };
	struct call c = { .session = &s };
	int status = EXIT_SUCCESS;

	while (!status && o.count && o.args[0][0] == '-')
		status = take(&o);
	if (!status)
		status = check(&o);
	if (status)
		return status;
	s.generation = o.generation;
	if (o.batch) {
		status = batch_run(&s, o.batch, o.keep_going);
	} else {
		c.count = o.count - 1;
		c.args = o.args + 1;
		status = verb_run(&c, o.args[0]);
	}
	session_close(&s);
	if (fflush(stdout) || ferror(stdout))
		return fail("standard output: %s", strerror(errno));
	return status;
}
