// The start page: the saved games, and every game that can be begun.

import { request } from "./net.js";
import { byId, make } from "./dom.js";

const games = byId("games");
const chooser = byId("chooser");
const form = byId("chooser-form");
const WATCH = "watch";

export async function showStart(send) {
  const found = await request("games");
  showSaved(found.saved, send);
  const families = Map.groupBy(found.games, (game) => game.source);
  games.replaceChildren(...[...families].map(([source, members]) =>
    make("section", { "aria-label": source }, make("h2", {}, source),
      make("div", { class: "cards" }, ...members.map((game) => card(game, found.extra_agents, send))))));
}

function card(game, extraAgents, send) {
  const [least, most] = [Math.min(...game.num_players), Math.max(...game.num_players)];
  const players = `${most > least ? `${least}–` : ""}${most} player${most > 1 ? "s" : ""}`;
  return make("button", { type: "button", class: "card", "data-game": game.id, onclick: () => choose(game, extraAgents, send) },
    make("b", {}, game.title), make("span", {}, game.summary),
    make("small", {}, game.has_matches ? `${players}, ${game.length}` : players));
}

function showSaved(saved, send) {
  byId("saved").hidden = !saved.length;
  byId("saved-games").replaceChildren(...saved.map((each) => {
    const others = each.names.filter((name) => name !== "You").join(", ");
    const what = each.can_resume ? "resume" : "step through";
    return make("li", {}, make("button", { type: "button", "data-file": each.file, onclick: () => send("open", { file: each.file }) },
      make("b", {}, each.title), make("span", {}, others), make("small", {}, `${each.scores.join(" : ")}, ${what}`)));
  }));
}

// The choices before a game ------------------------------------------------------------------

function choose(game, extraAgents, send) {
  const parts = [make("h2", { id: "chooser-title" }, game.title), make("p", {}, game.summary)];
  const fields = make("div", { class: "fields" });
  const refill = () => fields.replaceChildren(...fieldsOf(game, extraAgents, values(), refill));
  refill();
  const play = make("button", { type: "submit", class: "main", value: "play" }, "Play");
  const back = make("button", { type: "submit", value: "back", formnovalidate: true }, "Back");
  form.replaceChildren(...parts, fields, make("p", { class: "buttons" }, play, back));
  chooser.onclose = () => {
    if (chooser.returnValue === "play") send("begin", setup(game));
  };
  chooser.returnValue = "";
  chooser.showModal();
  play.focus();
}

function values() {
  return Object.fromEntries(new FormData(form));
}

function fieldsOf(game, extraAgents, chosen, refill) {
  const set = chosen.set ?? game.sets[0];
  const counts = game.num_players_by_set[set] ?? game.num_players;
  const players = counts.includes(Number(chosen.num_players)) ? Number(chosen.num_players) : counts[0];
  const agents = [...game.agents, ...extraAgents];
  const seats = Array.from({ length: players }, (_, seat) => [String(seat), `seat ${seat}`]);
  const fields = [];
  if (counts.length > 1) fields.push(select("Players", "num_players", counts.map((n) => [String(n), String(n)]), { ...chosen, num_players: String(players) }, refill));
  fields.push(select("Your seat", "seat", [...seats, [WATCH, "none, only watch"]], chosen, refill));
  const others = chosen.seat === WATCH ? players : players - 1;
  for (let place = 0; place < others; place += 1) {
    fields.push(select(others > 1 ? `Agent ${place + 1}` : "Against", `agent-${place}`, agents.map((name) => [name, name]), chosen));
  }
  if (game.sets.length > 1) fields.push(select("Tiles", "set", game.sets.map((name) => [name, name.replace("_", " ")]), chosen, refill));
  if (game.has_matches) fields.push(check(`Play a match, ${game.length}`, "match", chosen));
  if (game.calls) fields.push(check("Each player must make their own calls", "calls", chosen));
  return fields;
}

function select(label, name, options, chosen, onchange) {
  const made = options.map(([value, text]) => make("option", { value, selected: chosen[name] === value }, text));
  return make("label", {}, make("span", {}, label), make("select", { name, onchange: onchange ?? (() => {}) }, ...made));
}

function check(label, name, chosen) {
  return make("label", { class: "check" }, make("input", { type: "checkbox", name, checked: name in chosen }), make("span", {}, label));
}

function setup(game) {
  const chosen = values();
  const against = Object.entries(chosen).filter(([name]) => name.startsWith("agent-")).map(([, agent]) => agent);
  return {
    game: game.id,
    num_players: Number(chosen.num_players ?? game.num_players[0]),
    seat: chosen.seat === WATCH ? null : Number(chosen.seat),
    against,
    set: chosen.set ?? null,
    match: "match" in chosen,
    calls: "calls" in chosen,
  };
}
