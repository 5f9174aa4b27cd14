// A domino engine in JavaScript: plays the tile of whose halves the others have shown most often
// that they are without them, and of tiles that are as good the heaviest.
"use strict";

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

const pips = (half) => Number(half.replace(/\D/g, "")) || 0;

/** How many seats have shown to be without what a play would show. */
function blocked(move, game) {
  const shows = move.tile.split("|")[1 - move.half];
  return game.lacks.filter((halves) => halves.map(String).includes(shows)).length;
}

function worth(move, game) {
  if (move.kind !== "play") return -1;
  const [first, second] = move.tile.split("|");
  return 100 * blocked(move, game) + pips(first) + pips(second);
}

/** The best move of a game; of moves that are as good, the first. */
function best(game) {
  return game.moves.reduce((one, other) => (worth(other, game) > worth(one, game) ? other : one));
}

const answers = {
  hello: () =>
    say({ type: "hello", protocol: 1, name: "Blocker in JavaScript", author: "domino-env" }),
  setup: () => say({ type: "ready" }),
  move: ({ request, games }) =>
    say({
      type: "move",
      request,
      moves: games.map((game) => ({ game: game.game, id: best(game).id })),
    }),
  quit: () => process.exit(0),
};

require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line);
    answers[message.type]?.(message);
  });
