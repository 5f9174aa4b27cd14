/* A domino engine in C: plays the heaviest tile it can, and answers yes to every question.
 *
 * It needs no JSON parser, for the host promises the order of fields: docs/engine-protocol.md. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text right behind the next `key`, or NULL if there is none. */
static const char *after(const char *text, const char *key) {
    const char *found = strstr(text, key);
    return found ? found + strlen(key) : NULL;
}

static int starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

/* The pips of a tile like 3|5 or >4|1, up to its closing quotation mark. */
static long pips(const char *tile) {
    long total = 0;
    while (*tile && *tile != '"') {
        if (isdigit((unsigned char)*tile)) {
            char *end;
            total += strtol(tile, &end, 10);
            tile = end;
        } else {
            tile++;
        }
    }
    return total;
}

/* The id of the best of the moves in a list: the heaviest play, or the first if there is no play. */
static long best_move(const char *moves) {
    const char *end = strchr(moves, ']');
    long best = -1, most = -1;
    for (const char *at = moves; (at = after(at, "{\"id\":")) && at < end;) {
        char *kind;
        long id = strtol(at, &kind, 10), worth = -1;
        if (starts_with(kind, ",\"kind\":\"play\"")) worth = pips(after(kind, "\"tile\":\""));
        if (best < 0 || worth > most) {
            best = id;
            most = worth;
        }
    }
    return best;
}

/* Answers a request: a move for each of its games. */
static void answer(const char *line) {
    printf("{\"type\":\"move\",\"request\":%ld,\"moves\":[", strtol(after(line, "\"request\":"), NULL, 10));
    const char *comma = "";
    for (const char *at = line; (at = after(at, "{\"game\":"));) {
        long game = strtol(at, NULL, 10);
        printf("%s{\"game\":%ld,\"id\":%ld}", comma, game, best_move(after(at, "\"moves\":[")));
        comma = ",";
    }
    puts("]}");
}

int main(void) {
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        if (starts_with(line, "{\"type\":\"hello\""))
            puts("{\"type\":\"hello\",\"protocol\":1,\"name\":\"Heaviest in C\",\"author\":\"domino-env\"}");
        else if (starts_with(line, "{\"type\":\"setup\""))
            puts("{\"type\":\"ready\"}");
        else if (starts_with(line, "{\"type\":\"move\""))
            answer(line);
        else if (starts_with(line, "{\"type\":\"quit\""))
            break;
        fflush(stdout);
    }
    free(line);
    return 0;
}
