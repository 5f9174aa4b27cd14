/* A stand-in for PufferLib's game, with as much of its shape as the driver touches. It plays nothing,
   but checks every action by hands and places of its own, and says at the end what it has seen. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include "raylib.h"

typedef struct {
    float *observations;
    int *actions;
    float *rewards;
    unsigned char *terminals;
    int *action_masks;
    int *card_selected;
    int **card_locations;
    int over;
} CTripleTriad;

static long cards[5], places[9], ignored, games, masked;

static void told(void) {
    fprintf(stderr, "{\"games\": %ld, \"ignored\": %ld, \"masked\": %ld, \"cards\": [", games, ignored, masked);
    for (int i = 0; i < 5; i++) fprintf(stderr, "%s%ld", i ? ", " : "", cards[i]);
    fprintf(stderr, "], \"places\": [");
    for (int i = 0; i < 9; i++) fprintf(stderr, "%s%ld", i ? ", " : "", places[i]);
    fprintf(stderr, "]}\n");
}

static void c_reset(CTripleTriad *game) {
    for (int i = 0; i < 15; i++) game->action_masks[i] = 0;
    for (int i = 0; i < 5; i++) game->card_locations[0][i] = 0;
    game->card_selected[0] = -1;
    game->over = 0;
    games++;
}

static void init_ctripletriad(CTripleTriad *game) {
    static bool listening;
    if (!listening) listening = !atexit(told);
    game->action_masks = calloc(15, sizeof(int));
    game->card_selected = calloc(2, sizeof(int));
    game->card_locations = calloc(2, sizeof(int *));
    game->card_locations[0] = calloc(5, sizeof(int));
}

/* The agent's five cards go to five places; the game is over then, and the next step deals again. */
static void c_step(CTripleTriad *game) {
    int action = game->actions[0], *chosen = &game->card_selected[0];
    game->observations[113] = game->rewards[0] = game->terminals[0] = 0; /* as far as they reach */
    if (game->over == 5) {
        c_reset(game);
    } else if (action < 5) {
        if (game->card_locations[0][action] || *chosen >= 0) ignored++;
        else *chosen = action, cards[action]++;
    } else {
        if (game->action_masks[action]) masked++;
        if (game->action_masks[action] || *chosen < 0) { ignored++; return; }
        game->card_locations[0][*chosen] = action - 4;
        game->action_masks[action] = 1;
        places[action - 5]++;
        *chosen = -1;
        game->over++;
    }
}
