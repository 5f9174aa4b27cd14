/* Times PufferLib's game tripletriad: many games at once, as its own binding lays them out and steps
   them, each action chosen here instead of in Python. Speaks the protocol of serve.py.

       tripletriad own_mask|legal

   own_mask: uniform over the mask in the game's observation (0 means allowed). It knows which places
   are taken, and nothing of the cards: most of what it allows, the game ignores.
   legal: uniform over what the game acts on, a card that is in the hand, then a place that is empty.
   Its swapping of a chosen card for another is left out. */

#include <stdint.h>
#include <string.h>
#include <time.h>

#include "tripletriad.h"

enum { CARDS = 5, ACTIONS = 14, FEATURES = 114, DECISIONS = 20000 };

typedef struct {
    CTripleTriad **games;
    int *actions;
    int count;
} Batch;

typedef int Choose(CTripleTriad *game);

/* Returns memory that is set to zero, as the game's own binding asks for it. */
static void *zeroed(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (!memory) {
        fprintf(stderr, "not enough memory\n");
        exit(1);
    }
    return memory;
}

static Batch *new_batch(int count) {
    Batch *batch = zeroed(1, sizeof *batch);
    float *observations = zeroed((size_t)count * FEATURES, sizeof(float));
    float *rewards = zeroed(count, sizeof(float));
    unsigned char *terminals = zeroed(count, 1);
    batch->games = zeroed(count, sizeof *batch->games);
    batch->actions = zeroed(count, sizeof(int));
    batch->count = count;
    for (int i = 0; i < count; i++) {
        CTripleTriad *game = batch->games[i] = zeroed(1, sizeof *game);
        game->observations = observations + (size_t)i * FEATURES;
        game->actions = batch->actions + i;
        game->rewards = rewards + i;
        game->terminals = terminals + i;
        init_ctripletriad(game);
        c_reset(game);
    }
    return batch;
}

static uint64_t state = 88172645463325252u;

/* A number from 0 to n - 1: xorshift, which is quicker than rand(). */
static int below(int n) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)(((state >> 32) * (uint64_t)n) >> 32);
}

static int by_own_mask(CTripleTriad *game) {
    int allowed[ACTIONS], count = 0;
    for (int action = 0; action < ACTIONS; action++) {
        allowed[count] = action;
        count += game->action_masks[action] == 0;
    }
    return allowed[below(count)];
}

static int legally(CTripleTriad *game) {
    int legal[ACTIONS], count = 0;
    if (game->card_selected[0] < 0) {
        for (int card = 0; card < CARDS; card++) {
            legal[count] = card;
            count += game->card_locations[0][card] == 0;
        }
    } else {
        for (int action = CARDS; action < ACTIONS; action++) {
            legal[count] = action;
            count += game->action_masks[action] == 0;
        }
    }
    return count ? legal[below(count)] : 0; /* none at the end: the next step deals again */
}

/* All choose, then all step, as it is where a policy chooses. */
static void step(Batch *batch, Choose *choose) {
    for (int i = 0; i < batch->count; i++)
        batch->actions[i] = choose(batch->games[i]);
    for (int i = 0; i < batch->count; i++)
        c_step(batch->games[i]);
}

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

static void answer(Batch *batch, Choose *choose, double seconds) {
    int turns = batch->count < DECISIONS ? DECISIONS / batch->count : 1;
    long decisions = 0;
    double began = cpu_seconds(), spent;
    do {
        for (int turn = 0; turn < turns; turn++)
            step(batch, choose);
        decisions += (long)turns * batch->count;
        spent = cpu_seconds() - began;
    } while (spent < seconds);
    printf("%ld %.9f\n", decisions, spent);
    fflush(stdout);
}

/* The batch of a size: made when it is first asked for, then kept. */
static Batch *batch_of(int count) {
    static Batch *made[16];
    int place = 0;
    while (made[place] && made[place]->count != count)
        if (++place == 16) {
            fprintf(stderr, "more sizes than this program keeps\n");
            exit(1);
        }
    if (!made[place])
        made[place] = new_batch(count);
    return made[place];
}

int main(int count, char **words) {
    if (count != 2 || (strcmp(words[1], "own_mask") && strcmp(words[1], "legal"))) {
        fprintf(stderr, "usage: tripletriad own_mask|legal\n");
        return 2;
    }
    Choose *choose = strcmp(words[1], "legal") ? by_own_mask : legally;
    int games;
    double seconds;
    srand(1);
    printf("{\"pufferlib\": \"%s\", \"compiler\": \"%s\"}\n", VERSION, __VERSION__);
    fflush(stdout);
    while (scanf("%d %lf", &games, &seconds) == 2 && games > 0)
        answer(batch_of(games), choose, seconds);
    return 0;
}
