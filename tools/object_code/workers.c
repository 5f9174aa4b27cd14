/* Threads that do the parts of a kernel's work beside the one that calls.
 *
 * A step of some thousand games takes less time than Python needs to hand it to another thread and
 * to hear that it is done. Here that is a word in memory: who waits looks out for it for some
 * microseconds, so that the next call, which mostly comes at once, finds the threads awake, and
 * sleeps after that. A part that its thread has not begun when the caller has done its own is done by
 * the caller too: the thread may sleep still, or wait for a core. Threads never touch the
 * interpreter, so it can end, or be interrupted, while they sleep. After a fork the child has none of
 * them, and begins its own.
 */
#include "workers.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define NO_THREAD ((unsigned long)-1)
#define LINE 64 /* bytes that one core takes from another as a whole */

typedef struct { /* where one thread waits, and others tell it something */
    _Alignas(LINE) _Atomic uint64_t told; /* how often */
    _Atomic int sleeps;
    PyThread_type_lock bell; /* held, but for the moment in which it rings */
    int64_t patience;        /* for so many nanoseconds it looks out before it sleeps */
} Post;

typedef struct {
    Post post;
    _Atomic uint64_t taken; /* how many of the parts that it was told of; by itself or the caller */
    Workers *all;
    int part;
} Worker;

struct Workers {
    Post caller;          /* told when others have done the last of the parts */
    _Atomic int left;     /* parts that are not done */
    _Atomic int failed;
    Code code;            /* NULL: they shall end */
    int64_t *blocks;
    int words;            /* from one block to the next */
    int number, begun;
    int64_t patience;
    uint64_t told;        /* how often the caller was */
    pid_t process;
    Worker each[];
};

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * (int64_t)1000000000 + time.tv_nsec;
}

static void pause_a_little(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Has it been told so often before its patience was at an end? */
static int hears(Post *post, uint64_t often, int64_t began)
{
    do
        for (int turn = 0; turn < 16; turn++) {
            if (atomic_load_explicit(&post->told, memory_order_acquire) >= often)
                return 1;
            pause_a_little();
        }
    while (now() - began < post->patience);
    return 0;
}

/* It says that it will sleep before it looks a last time, and who tells it looks at that afterwards:
 * one of them sees the other. */
static void sleep_until_told(Post *post, uint64_t often)
{
    while (atomic_load(&post->told) < often) {
        atomic_store(&post->sleeps, 1);
        if (atomic_load(&post->told) >= often && atomic_exchange(&post->sleeps, 0))
            return; /* nobody will ring */
        PyThread_acquire_lock(post->bell, WAIT_LOCK);
    }
}

/* Waits until it has been told so often. Where looking out was in vain it does so for half as long the
 * next time: there is other work between the calls, or for the core. */
static void await(Post *post, uint64_t often, int64_t patience)
{
    if (atomic_load_explicit(&post->told, memory_order_acquire) >= often)
        return;
    int64_t began = now();
    if (patience && hears(post, often, began))
        return;
    sleep_until_told(post, often);
    post->patience = now() - began < 4 * patience ? patience : post->patience / 2;
}

static void tell(Post *post)
{
    atomic_fetch_add(&post->told, 1);
    if (atomic_exchange(&post->sleeps, 0))
        PyThread_release_lock(post->bell);
}

static int open_post(Post *post, int64_t patience)
{
    post->told = 0;
    post->patience = patience;
    post->sleeps = 0;
    post->bell = PyThread_allocate_lock();
    if (post->bell == NULL)
        return -1;
    PyThread_acquire_lock(post->bell, WAIT_LOCK);
    return 0;
}

static void forget(Workers *all)
{
    for (int i = 0; i < all->begun; i++)
        PyThread_free_lock(all->each[i].post.bell);
    if (all->caller.bell)
        PyThread_free_lock(all->caller.bell);
    free(all);
}

/* Takes the part that a thread was told of last, if nobody has. Then the call is not over before that
 * part is done, so nothing of it changes. */
static int takes(Worker *worker, uint64_t told)
{
    uint64_t before = told - 1;
    return atomic_compare_exchange_strong(&worker->taken, &before, told);
}

static void do_part(Workers *all, int part)
{
    if (all->code(all->blocks + (size_t)part * all->words))
        atomic_store(&all->failed, 1);
}

/* Are these parts the last that are done? */
static int are_last(Workers *all, int parts)
{
    return atomic_fetch_sub(&all->left, parts) == parts;
}

static void work(void *given)
{
    Worker *self = given;
    Workers *all = self->all;
    for (uint64_t told = 0;;) {
        await(&self->post, told + 1, all->patience);
        told = atomic_load(&self->post.told);
        if (!takes(self, told))
            continue;
        if (all->code == NULL)
            break;
        do_part(all, self->part);
        if (are_last(all, 1))
            tell(&all->caller);
    }
    if (are_last(all, 1))
        forget(all);
}

Workers *workers_new(int number, int64_t patience)
{
    size_t size = sizeof(Workers) + number * sizeof(Worker);
    Workers *all = aligned_alloc(LINE, (size + LINE - 1) / LINE * LINE);
    if (all == NULL)
        return NULL;
    *all = (Workers){.number = number, .patience = patience};
    return all;
}

int workers_begin(Workers *all, int parts)
{
    if (all->process != getpid()) { /* locks too are left as the other process had them */
        all->process = getpid();
        all->begun = 0;
        all->told = 0;
        if (open_post(&all->caller, all->patience))
            return -1;
    }
    while (all->begun < parts - 1) {
        Worker *next = all->each + all->begun;
        next->all = all;
        next->taken = 0;
        next->part = all->begun + 1;
        if (open_post(&next->post, all->patience))
            return -1;
        if (PyThread_start_new_thread(work, next) == NO_THREAD) {
            PyThread_free_lock(next->post.bell);
            return -1;
        }
        all->begun++;
    }
    return 0;
}

int workers_run(Workers *all, Code code, int64_t *blocks, int words, int parts)
{
    all->code = code;
    all->blocks = blocks;
    all->words = words;
    atomic_store(&all->left, parts);
    atomic_store(&all->failed, 0);
    for (int i = 0; i < parts - 1; i++)
        tell(&all->each[i].post);
    do_part(all, 0);
    int done_here = 1;
    for (int i = 0; i < parts - 1; i++)
        if (takes(all->each + i, all->each[i].post.told)) {
            do_part(all, i + 1);
            done_here++;
        }
    if (!are_last(all, done_here))
        await(&all->caller, ++all->told, all->patience);
    return atomic_load(&all->failed);
}

void workers_free(Workers *all)
{
    if (all->process != getpid()) { /* its threads are in another process */
        free(all);
        return;
    }
    all->code = NULL;
    atomic_store(&all->left, all->begun + 1); /* and this one, which still needs them */
    for (int i = 0; i < all->begun; i++)
        tell(&all->each[i].post);
    if (are_last(all, 1))
        forget(all);
}
