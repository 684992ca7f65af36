/* SPDX-License-Identifier: GPL-2.0-only */
/* fake_mpi.h - the functions of fake_mpi.c, and those of librcrregion, which may be preloaded. */
#ifndef FAKE_MPI_H
#define FAKE_MPI_H

#define WEAK __attribute__((weak))

int MPI_Init(int *argc, char ***argv);
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int MPI_Finalize(void);
int MPI_Abort(void *communicator, int code);
void mpi_init_(int *error);
void mpi_finalize_(int *error);
void mpi_init_f08_(int *error);
void mpi_finalize_f08_(int *error);

WEAK int RCR_Initialize(int mode);
WEAK int RCR_Set(const char *name);
WEAK int RCR_Start(int set);
WEAK int RCR_Stop(int set);
WEAK int RCR_Finalize(void);

#endif
