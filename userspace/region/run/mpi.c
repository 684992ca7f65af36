// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * mpi.c - librcrregion-mpi: counts an MPI program from the end of MPI_Init() to the beginning of
 * MPI_Finalize(), as the set "mpi". It is preloaded, or linked before the MPI library.
 *
 * MPI libraries provide each function under a second name, PMPI_..., for such wrappers. Their
 * handle types differ, but the only handle here is passed on unchanged: one library fits all.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

#include "library/region.h"
#include "run/run_mode.h"

/* A program may load its MPI library late, after this one was loaded. */
#define MPI_WEAK __attribute__((weak))

#ifdef MPI_LINKED
/* Not weak: the linker must keep the MPI library. */
#define MPI_LATE
#else
#define MPI_LATE MPI_WEAK
#endif

MPI_LATE int PMPI_Init(int *argc, char ***argv);
MPI_LATE int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided);
MPI_LATE int PMPI_Finalize(void);
/* A communicator is an integer or a pointer: both are passed in the same register. */
MPI_LATE int PMPI_Abort(void *communicator, int code);

/* Fortran interface, which does not call the wrapped C functions. */
MPI_WEAK void pmpi_init_(int *error);
MPI_WEAK void pmpi_init_thread_(int *required, int *provided, int *error);
MPI_WEAK void pmpi_finalize_(int *error);
MPI_WEAK void pmpi_abort_(int *communicator, int *code, int *error);

/* Fortran module mpi_f08, in Open MPI and in MPICH; the last argument is optional. */
MPI_WEAK void pmpi_init_f08_(int *error);
MPI_WEAK void pmpi_init_thread_f08_(int *required, int *provided, int *error);
MPI_WEAK void pmpi_finalize_f08_(int *error);
MPI_WEAK void pmpir_init_f08_(int *error);
MPI_WEAK void pmpir_init_thread_f08_(int *required, int *provided, int *error);
MPI_WEAK void pmpir_finalize_f08_(int *error);

/* MPI_ERR_OTHER has different values, but any positive number is an error. */
#define MPI_NO_LIBRARY 15

static int mpi_set = -1;

/* Starts the set once, as an implementation of a wrapped call may call another one. */
static void start_mpi_set(void)
{
	if (mpi_set >= 0 || RCR_Initialize(run_mode()))
		return;
	mpi_set = RCR_Set("mpi");
	RCR_Start(mpi_set);
}

static void stop_mpi_set(void)
{
	if (mpi_set < 0)
		return;
	RCR_Stop(mpi_set);
	RCR_Finalize();
	mpi_set = -1;
}

/* Finds a function, even in an MPI library that was loaded with RTLD_LOCAL. */
static void *find_mpi(const char *name)
{
	static const char *const libraries[] = { "libmpi.so.12", "libmpich.so.12", "libmpi.so.40",
						 "libmpi_mpifh.so.40", "libmpifort.so.12",
						 "libmpi_usempif08.so.40", "libmpichfort.so.12" };
	void *function = dlsym(RTLD_NEXT, name), *library;
	size_t i;

	for (i = 0; !function && i < sizeof(libraries) / sizeof(libraries[0]); i++) {
		library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);
		function = library ? dlsym(library, name) : NULL;
	}
	return function;
}

/* The function, if it was linked, else that of a library that was loaded later. */
#define MPI_FUNCTION(name) ({ \
	__typeof__(name) *known = name; \
	known ? known : (__typeof__(known))find_mpi(#name); \
})

#define MPI_F08_FUNCTION(name) ({ \
	__typeof__(pmpi_##name##_f08_) *either = MPI_FUNCTION(pmpi_##name##_f08_); \
	either ? either : MPI_FUNCTION(pmpir_##name##_f08_); \
})

int MPI_Init(int *argc, char ***argv)
{
	__typeof__(PMPI_Init) *init = MPI_FUNCTION(PMPI_Init);
	int error = init ? init(argc, argv) : MPI_NO_LIBRARY;

	if (!error)
		start_mpi_set();
	return error;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	__typeof__(PMPI_Init_thread) *init = MPI_FUNCTION(PMPI_Init_thread);
	int error = init ? init(argc, argv, required, provided) : MPI_NO_LIBRARY;

	if (!error)
		start_mpi_set();
	return error;
}

int MPI_Finalize(void)
{
	__typeof__(PMPI_Finalize) *finalize;

	/* Stop before the lookup of the function, which would be counted. */
	stop_mpi_set();
	finalize = MPI_FUNCTION(PMPI_Finalize);
	return finalize ? finalize() : MPI_NO_LIBRARY;
}

/* Writes a file without REGION_COMPLETE before the process is ended. */
int MPI_Abort(void *communicator, int code)
{
	__typeof__(PMPI_Abort) *end = MPI_FUNCTION(PMPI_Abort);

	region_abort();
	return end ? end(communicator, code) : MPI_NO_LIBRARY;
}

void mpi_abort_(int *communicator, int *code, int *error)
{
	__typeof__(pmpi_abort_) *end = MPI_FUNCTION(pmpi_abort_);

	region_abort();
	*error = MPI_NO_LIBRARY;
	if (end)
		end(communicator, code, error);
}

void mpi_init_(int *error)
{
	__typeof__(pmpi_init_) *init = MPI_FUNCTION(pmpi_init_);

	*error = MPI_NO_LIBRARY;
	if (init)
		init(error);
	if (!*error)
		start_mpi_set();
}

void mpi_init_thread_(int *required, int *provided, int *error)
{
	__typeof__(pmpi_init_thread_) *init = MPI_FUNCTION(pmpi_init_thread_);

	*error = MPI_NO_LIBRARY;
	if (init)
		init(required, provided, error);
	if (!*error)
		start_mpi_set();
}

void mpi_finalize_(int *error)
{
	__typeof__(pmpi_finalize_) *finalize;

	stop_mpi_set();
	finalize = MPI_FUNCTION(pmpi_finalize_);
	*error = MPI_NO_LIBRARY;
	if (finalize)
		finalize(error);
}

static void return_error(int *error, int value)
{
	if (error)
		*error = value;
}

void mpi_init_f08_(int *error)
{
	__typeof__(pmpi_init_f08_) *init = MPI_F08_FUNCTION(init);
	int value = MPI_NO_LIBRARY;

	if (init)
		init(&value);
	return_error(error, value);
	if (!value)
		start_mpi_set();
}

void mpi_init_thread_f08_(int *required, int *provided, int *error)
{
	__typeof__(pmpi_init_thread_f08_) *init = MPI_F08_FUNCTION(init_thread);
	int value = MPI_NO_LIBRARY;

	if (init)
		init(required, provided, &value);
	return_error(error, value);
	if (!value)
		start_mpi_set();
}

void mpi_finalize_f08_(int *error)
{
	__typeof__(pmpi_finalize_f08_) *finalize;
	int value = MPI_NO_LIBRARY;

	stop_mpi_set();
	finalize = MPI_F08_FUNCTION(finalize);
	if (finalize)
		finalize(&value);
	return_error(error, value);
}
