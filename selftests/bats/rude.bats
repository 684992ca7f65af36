#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2154,SC2016 # run assigns stderr; other shells expand
#
# Counted programs that do unusual things must run normally. Their counters are files in memory
# (fake_counters.c); tests with real counters are in guest/region.

bats_require_minimum_version 1.5.0
load says

setup() {
	use_built
	RUDE=$TOP/build/tests/rude
	FAKE=$TOP/build/tests/fake_counters
	unset RCR_REGION_DIR
}

# counted COMMAND...: run it with fake counters under 'rcrregion run'.
counted() {
	mkdir -p counts
	LD_PRELOAD=$FAKE timeout 30 rcrregion run -d counts -- "$@"
}

# rude KIND [NUMBER] [VARIABLE=VALUE]: run the test program, which must end normally; write its
# instructions to "shown".
rude() {
	rm -rf counts && mkdir counts
	env RCR_REGION_DIR=counts LD_PRELOAD="$FAKE" "${@:3}" timeout 30 "$RUDE" "$1" "${2:-0}" >out 2>err || rc=$?
	cat err
	[ "$rc $(cat out)" = "42 unharmed" ]
	rcrregion show counts/*.rcr 2>/dev/null | awk -F, '$5 == "instructions" { print $4, $7, $8, $9 }' >shown
}

@test "files: low descriptor numbers are left to the program, and its children inherit their own" {
	run -0 counted bash -c 'exec 3>file; echo first >&3; (echo second >&3); cat file'
	[ "$output" = "first"$'\n'"second" ]
	run -1 bash -c 'LD_PRELOAD=$1 exec rcrregion run -- readlink /proc/self/fd/0 <&-' - "$FAKE"
}

@test "files: half of the descriptor limit is left to a program with many threads" {
	cat >threads.py <<-EOT
		import threading
		end = threading.Event()
		threads = [threading.Thread(target=end.wait) for i in range(20)]
		[thread.start() for thread in threads]
		files = [open("/dev/null") for i in range(28)]
		end.set()
		print(len(files))
	EOT
	ulimit -n 64
	run -0 --separate-stderr counted python3 threads.py
	[ "$output" = 28 ]
	[ "$stderr" = "rcrregion: a thread is not counted: Too many open files" ]
}

@test "files: a descriptor that reuses the number of a counter is neither read nor closed" {
	rude closes
	[ "$(cat shown)" = "1 1 0 1000" ]
}

@test "signals: a program that queries its handlers does not see those of the library" {
	cat >interrupted.py <<-EOT
		import os, signal, time
		try:
		    os.kill(os.getpid(), signal.SIGINT)
		    time.sleep(5)
		except KeyboardInterrupt:
		    print(signal.getsignal(signal.SIGTERM) is signal.SIG_DFL)
	EOT
	run -0 counted python3 interrupted.py
	[ "$output" = True ]
}

@test "signals: a message that cannot be written does not end the program" {
	mkdir full
	run -42 bash -c 'RCR_REGION_DIR=nowhere LD_PRELOAD=$1 exec "$2" handler 10 2> >(exec true)' - "$FAKE" "$RUDE"
	run -42 bash -c 'ulimit -f 0; RCR_REGION_DIR=nowhere LD_PRELOAD=$1 exec "$2" handler 10 2>err' - "$FAKE" "$RUDE"
	# If standard error is closed, another file may have its number.
	run -0 bash -c 'RCR_REGION_DIR=nowhere LD_PRELOAD=$1:$2 exec python3 -c "import os; os.open(\"own\", os.O_CREAT | os.O_RDWR)" 2>&-' \
		- "$TOP/build/lib/rcrtool/librcrregion-run.so" "$FAKE"
	[ -e own ] && [ ! -s own ]
}

@test "signals: a handler that interrupts a call neither hangs nor changes the counts" {
	for n in 1 50 300 1001 2001; do
		rude handler 1000 FAKE_SIGNAL=$n
		[ "$(grep '^1 ' shown)" = "1 1000 0 1000000" ]
		[ "$(wc -l <err)" -le 1 ]
	done
	for n in 1 50 530; do
		rude exits 0 FAKE_SIGNAL=$n
	done
}

@test "a fork() while another thread initializes the library does not hang the child" {
	rude forks 0 FAKE_SIGNAL=60
}

@test "a child of a raw clone() is not counted, its parent is" {
	rude cloned
	[ "$(grep '^3 ' shown)" = "3 1 0 1000" ]
}

@test "sets: invalid numbers are refused, and a name that is a number stands for that set" {
	rude numbers
	[ "$(sort shown | xargs)" = "07 1 0 1000 7 2 0 2000" ]
	[ "$(wc -l <err)" -eq 1 ]
}

@test "a thread that ends within a section after RCR_Finalize() prints nothing" {
	rude outlives
	[ ! -s err ]
	[ "$(cat shown)" = "1 1 0 1000" ]
}

@test "only the section in which the counters were stopped for a while is lost" {
	rude handler 1000 FAKE_MISSED=2001
	[ "$(cut -d' ' -f1-3 shown)" = "1 999 1" ]
}

@test "empty names of the system do not make the file invalid" {
	mkdir counts
	run -42 bash -c 'RCR_REGION_DIR=counts LD_PRELOAD=$1 exec -a "" "$2" numbers' - "$FAKE" "$RUDE"
	rcrregion show -t counts/*.rcr | grep -q '\.rcr: unknown, '
}

@test "run: files are written to the directory where the command was started" {
	mkdir elsewhere
	LD_PRELOAD=$FAKE rcrregion run -- bash -c 'cd elsewhere; (exec true)'
	mkdir counts
	LD_PRELOAD=$FAKE rcrregion run -d counts -- bash -c 'cd elsewhere; (exec true)'
	[ "$(find . -name '*.rcr' -printf '%h\n' | sort | uniq -c | xargs)" = "2 . 2 ./counts" ]
}

@test "run: threads that end or start during exit() print nothing" {
	cat >late.c <<-'EOT'
		#include <pthread.h>
		#include <stdio.h>
		#include <stdlib.h>
		#include <unistd.h>
		static int ends[2];
		static pthread_t first;
		static void *wait_for_end(void *data) { char byte; return read(ends[0], &byte, 1) ? data : NULL; }
		/* After the functions of atexit(), as that of a library which the program has not loaded itself. */
		__attribute__((destructor)) static void end(void)
		{
			pthread_t second;
			close(ends[1]);
			pthread_join(first, NULL);
			pthread_create(&second, NULL, wait_for_end, NULL);
			pthread_join(second, NULL);
			puts("ended");
		}
		int begin(void) { return pipe(ends) || pthread_create(&first, NULL, wait_for_end, NULL) ? 1 : 42; }
	EOT
	cc -w -shared -fPIC -pthread -o late.so late.c
	printf '#include <dlfcn.h>\nint main(void) { return ((int (*)(void))dlsym(dlopen("./late.so", RTLD_NOW), "begin"))(); }\n' >main.c
	cc -w -o late main.c
	run -42 --separate-stderr counted ./late
	[ "$output" = ended ]
	[ -z "$stderr" ]
	[ "$(rcrregion show counts/*.rcr | cut -d, -f2,4 | sort -u | xargs)" = "1,program complete,region" ]
}

@test "run: an empty RCR_REGION_KERNEL, or 0, does not count in the kernel" {
	for kernel in "" 0 1; do
		rm -rf counts
		RCR_REGION_KERNEL=$kernel counted true
		rcrregion show -t counts/*.rcr | grep -oE ', user( and kernel)?, '
	done >kinds
	[ "$(xargs <kinds)" = ", user, , user, , user and kernel," ]
}

# openmp [VARIABLE=VALUE] PROGRAM: print the message about the regions of an OpenMP program.
openmp() {
	mkdir -p counts
	rc=0
	env LD_LIBRARY_PATH=. LD_PRELOAD="$FAKE" "${@:1:$#-1}" timeout 30 rcrregion run -O -d counts -- "./${*: -1}" >out 2>err || rc=$?
	[ "$rc $(cat out)" = "42 unharmed" ]
	sed 's/^rcrregion: //' err
}

@test "run --openmp: a message explains why an OpenMP program is not counted, or a tool not started" {
	# Like libomp it starts a tool, unless OMP_TOOL is disabled.
	cat >library.c <<-'EOT'
		#include <dlfcn.h>
		#include <stdlib.h>
		struct tool { int (*begin)(void *(*)(const char *), int, void *); };
		static int set(int event, void *callback) { return 5; }
		static void *find(const char *name) { return (void *)set; }
		void begin_openmp(void)
		{
			struct tool *(*start)(unsigned int, const char *) = dlsym(RTLD_DEFAULT, "ompt_start_tool");
			struct tool *tool = getenv("OMP_TOOL") || !start ? NULL : start(201811, "fake");
			if (tool)
				tool->begin(find, 0, tool + 1);
		}
	EOT
	cc -w -shared -fPIC -Wl,-soname,libomp.so.5 -o libomp.so.5 library.c
	printf '#include <stdio.h>\nint main(void) { begin_openmp(); puts("unharmed"); return 42; }\n' >program.c
	cc -w -o program program.c ./libomp.so.5
	printf 'void *ompt_start_tool(unsigned int v, const char *r) { return 0; }\n' >tool.c
	cc -w -rdynamic -o other program.c tool.c ./libomp.so.5
	[ -z "$(openmp program)" ]
	[ "$(openmp OMP_TOOL=disabled program)" = "OpenMP regions are not counted: OMP_TOOL is disabled" ]
	[ "$(openmp OMP_TOOL_LIBRARIES=x.so program)" = "the tools of OMP_TOOL_LIBRARIES are not started: OpenMP supports one tool at a time" ]
	[ "$(openmp other)" = "OpenMP regions are not counted: the program has another tool of OpenMP" ]
}

@test "run --mpi: a rank that aborts its job leaves a file with its counts, marked incomplete" {
	printf 'int main(int argc, char **argv) { MPI_Init(&argc, &argv); MPI_Abort(argv, 7); return 0; }\n' >aborts.c
	cc -w -o aborts aborts.c "$TOP/build/tests/fake_mpi" -Wl,-rpath,"$TOP/build/tests" -Wl,-z,dynamic-undefined-weak
	mkdir counts
	LD_PRELOAD=$FAKE run -7 timeout 30 rcrregion run -M -d counts -- ./aborts
	[ "$(rcrregion show counts/*.rcr | awk -F, '$5 == "instructions" { print $2, $4, $7, $9 }')" = "0 mpi 1 1000" ]
}
