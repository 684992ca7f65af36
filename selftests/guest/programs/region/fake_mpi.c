// SPDX-License-Identifier: GPL-2.0-only
/*
 * fake_mpi.c - a library with only the MPI functions that librcrregion-mpi wraps, under the names
 * in MPI libraries. Each function takes 200,000 instructions, which must not be counted as the
 * program's.
 */
#include <stdint.h>
#include <unistd.h>

#define ALIAS(name) __attribute__((weak, alias(#name)))

static void work(uint64_t rounds)
{
	asm volatile("1: dec %0\n jnz 1b\n" : "+r"(rounds) : : "cc");
}

int PMPI_Init(int *argc, char ***argv)
{
	work(100000);
	return !argc || !argv;
}

int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	*provided = required;
	return PMPI_Init(argc, argv);
}

int PMPI_Finalize(void)
{
	work(100000);
	return 0;
}

int PMPI_Abort(void *communicator, int code)
{
	_exit(communicator ? code : 1);
}

void pmpi_init_(int *error)
{
	work(100000);
	*error = 0;
}

void pmpi_finalize_(int *error)
{
	*error = PMPI_Finalize();
}

/* The names in MPICH and in Open MPI. */
void pmpir_init_f08_(int *error)
{
	pmpi_init_(error);
}

void pmpi_finalize_f08_(int *error)
{
	pmpi_finalize_(error);
}

ALIAS(pmpir_init_f08_) void mpi_init_f08_(int *error);
ALIAS(pmpi_finalize_f08_) void mpi_finalize_f08_(int *error);
ALIAS(PMPI_Init) int MPI_Init(int *argc, char ***argv);
ALIAS(PMPI_Init_thread) int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
ALIAS(PMPI_Finalize) int MPI_Finalize(void);
ALIAS(PMPI_Abort) int MPI_Abort(void *communicator, int code);
ALIAS(pmpi_init_) void mpi_init_(int *error);
ALIAS(pmpi_finalize_) void mpi_finalize_(int *error);
