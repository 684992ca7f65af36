// SPDX-License-Identifier: GPL-2.0-only
/*
 * mpi_work.c - mpi_work KIND ROUNDS [STATUS]: an MPI program of 2 ROUNDS instructions between
 * MPI_Init() and MPI_Finalize(). It prints "unharmed", and its exit status is STATUS, or 42.
 *
 *	c	without calls of librcrregion
 *	thread	the same with MPI_Init_thread()
 *	fortran	the same with the Fortran names
 *	f08	the same with the names of the Fortran module mpi_f08, without the optional argument
 *	ours	with calls of librcrregion where librcrregion-mpi makes them
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_mpi.h"

static void work(uint64_t rounds)
{
	asm volatile("1: dec %0\n jnz 1b\n" : "+r"(rounds) : : "cc");
}

int main(int argc, char **argv)
{
	const char *kind = argc > 2 ? argv[1] : "";
	int provided, error = 0, set = -1, status = argc > 3 ? atoi(argv[3]) : 42;

	if (!strcmp(kind, "thread"))
		error = MPI_Init_thread(&argc, &argv, 1, &provided);
	else if (!strcmp(kind, "fortran"))
		mpi_init_(&error);
	else if (!strcmp(kind, "f08"))
		mpi_init_f08_(NULL);
	else
		error = MPI_Init(&argc, &argv);
	if (error)
		return 1;
	if (!strcmp(kind, "ours")) {
		RCR_Initialize(0);
		set = RCR_Set("mpi");
		RCR_Start(set);
	}
	work(atol(argv[2]));
	if (!strcmp(kind, "ours")) {
		RCR_Stop(set);
		RCR_Finalize();
	}
	if (!strcmp(kind, "fortran"))
		mpi_finalize_(&error);
	else if (!strcmp(kind, "f08"))
		mpi_finalize_f08_(NULL);
	else
		error = MPI_Finalize();
	puts("unharmed");
	return error ? 1 : status;
}
