/* Threads that do the parts of a kernel's work beside the one that calls: see workers.c. */
#pragma once
#include "door.h"

typedef struct Workers Workers;

/* So many threads, which begin when they are first needed; `patience`: the nanoseconds for which
 * they look out for work before they sleep. NULL without memory. */
Workers *workers_new(int number, int64_t patience);

/* Calls the code for each block, the first here and each other in a thread of its own; 0 if all have
 * answered with 0, 1 if not. No more parts than threads and one; the interpreter may be let go of. */
int workers_run(Workers *all, Code code, int64_t *blocks, int words, int parts);

/* Begins the threads that are missing, after a fork all of them; -1 if that cannot be. It is called
 * with the interpreter held. */
int workers_begin(Workers *all, int parts);

/* Lets the threads end, and forgets them. */
void workers_free(Workers *all);
