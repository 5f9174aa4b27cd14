// The start page: what lies on the shelf, and every game.

import { ask } from "./net.js";
import { byId, make } from "./dom.js";

const games = byId("games");
const chooser = byId("chooser");
const form = byId("chooser-form");
const WATCH = "watch";

export async function showStart(tell) {
  const found = await ask("start");
  showKept(found.kept, tell);
  const families = Map.groupBy(found.games, (game) => game.source);
  games.replaceChildren(...[...families].map(([source, members]) =>
    make("section", { "aria-label": source }, make("h2", {}, source),
      make("div", { class: "cards" }, ...members.map((game) => card(game, found.guests, tell))))));
}

function card(game, guests, tell) {
  const count = game.players.length > 1 ? `${game.players[0]}–${game.players.at(-1)} players` : `${game.players[0]} players`;
  return make("button", { type: "button", class: "card", "data-game": game.id, onclick: () => choose(game, guests, tell) },
    make("b", {}, game.title), make("span", {}, game.summary),
    make("small", {}, game.alone ? "for one" : `${count}, ${game.length}`));
}

function showKept(kept, tell) {
  byId("kept").hidden = !kept.length;
  byId("kept-games").replaceChildren(...kept.map((each) => {
    const others = each.names.filter((name) => name !== "You").join(", ");
    const what = each.goes_on ? "go on" : "look back";
    return make("li", {}, make("button", { type: "button", "data-file": each.file, onclick: () => tell("go_on", { file: each.file }) },
      make("b", {}, each.title), make("span", {}, others), make("small", {}, `${each.scores.join(" : ")}, ${what}`)));
  }));
}

// What one can choose before a game ------------------------------------------------------------

function choose(game, guests, tell) {
  const parts = [make("h2", { id: "chooser-title" }, game.title), make("p", {}, game.summary)];
  const fields = make("div", { class: "fields" });
  const refill = () => fields.replaceChildren(...fieldsOf(game, guests, values(), refill));
  refill();
  const play = make("button", { type: "submit", class: "main", value: "play" }, "Play");
  const back = make("button", { type: "submit", value: "back", formnovalidate: true }, "Back");
  form.replaceChildren(...parts, fields, make("p", { class: "buttons" }, play, back));
  chooser.onclose = () => {
    if (chooser.returnValue === "play") tell("begin", wish(game));
  };
  chooser.returnValue = "";
  chooser.showModal();
  play.focus();
}

function values() {
  return Object.fromEntries(new FormData(form));
}

function fieldsOf(game, guests, chosen, refill) {
  const players = Number(chosen.players ?? game.players[0]);
  const agents = [...game.agents, ...guests];
  const seats = Array.from({ length: players }, (_, seat) => [String(seat), `seat ${seat}`]);
  const fields = [];
  if (game.players.length > 1) fields.push(select("Players", "players", game.players.map((n) => [String(n), String(n)]), chosen, refill));
  fields.push(select("You", "seat", [...seats, [WATCH, "watch only"]], chosen, refill));
  const others = chosen.seat === WATCH ? players : players - 1;
  for (let place = 0; place < others; place += 1) {
    fields.push(select(others > 1 ? `Agent ${place + 1}` : "Against", `agent-${place}`, agents.map((name) => [name, name]), chosen));
  }
  if (game.sets.length > 1) fields.push(select("Tiles", "set", game.sets.map((set) => [set, set.replace("_", " ")]), chosen));
  if (!game.alone) fields.push(check(`A match, ${game.length}`, "match", chosen));
  if (game.calls) fields.push(check("What must be called is called by the players", "calls", chosen));
  return fields;
}

function select(label, name, options, chosen, onchange) {
  const made = options.map(([value, text]) => make("option", { value, selected: chosen[name] === value }, text));
  return make("label", {}, make("span", {}, label), make("select", { name, onchange: onchange ?? (() => {}) }, ...made));
}

function check(label, name, chosen) {
  return make("label", { class: "check" }, make("input", { type: "checkbox", name, checked: name in chosen }), make("span", {}, label));
}

function wish(game) {
  const chosen = values();
  const against = Object.entries(chosen).filter(([name]) => name.startsWith("agent-")).map(([, agent]) => agent);
  return {
    game: game.id,
    players: Number(chosen.players ?? game.players[0]),
    seat: chosen.seat === WATCH ? null : Number(chosen.seat),
    against,
    set: chosen.set ?? null,
    match: "match" in chosen,
    calls: "calls" in chosen,
  };
}
