// Beside the table: the players, the log, the result, and the hint.

import { byId, drawing, make, rich, signed } from "./dom.js";

const seats = byId("seats");
const log = byId("log");
const result = byId("result");
const advice = byId("advice");
let logged = { round: null, lines: [] };

export function showSeats(state) {
  const own = typeof state.viewer === "number" ? state.viewer : 0;
  const count = state.seats.length;
  const order = state.seats.map((_, step) => state.seats[(own + step) % count]);
  seats.dataset.count = count;
  seats.replaceChildren(...order.map((seat) => seatCard(seat, state)));
}

// A card has two lines, whatever is in them, so that nothing beside it moves.
function seatCard(seat, state) {
  return make("div", {
    class: `seat${seat.to_move ? " moving" : ""}${seat.team === null ? "" : ` team-${seat.team}`}`,
    "data-seat": seat.seat,
    "aria-current": seat.to_move ? "true" : null,
  }, facts(seat, state), ...(state.game.has_hands ? [holds(seat, state)] : []));
}

// Agents of the same name are told apart by their seat, in the second line.
const splitName = (seat) => /^(.*?)(?: \((seat \d+)\))?$/.exec(seat.name).slice(1);

function facts(seat, state) {
  const made = state.match && state.result ? state.result.rows[seat.seat].round : 0;
  return make("p", { title: seat.name }, make("b", {}, splitName(seat)[0]),
    made ? make("small", { class: "made" }, signed(made, 0)) : "",
    make("output", { "aria-label": "points" }, String(seat.score)));
}

function holds(seat, state) {
  const known = seat.seat !== state.viewer || (state.result && seat.hand.some(Boolean));
  const parts = [
    [splitName(seat)[1] ?? ""],
    seat.hand.length ? [String(seat.hand.length), word(seat.hand.length === 1 ? " tile" : " tiles")] : [""],
    seat.place ? ["out", word(`, place ${seat.place}`)] : [""],
    seat.team === null ? [""] : [word("team "), seat.team ? "B" : "A"],
  ].filter(([first]) => first);
  return make("div", { class: "holds" }, known ? tiles(seat) : make("div", { class: "tiles" }),
    make("small", {}, ...parts.flatMap((part, place) => (place ? [" · ", ...part] : part))));
}

// Words that a narrow card leaves out.
const word = (text) => make("span", { class: "word" }, text);

const count = (hand) => `${hand.length} tile${hand.length === 1 ? "" : "s"}`;

function tiles(seat) {
  const shown = seat.hand.map((tile) => (tile === null ? make("i") : opened(tile)));
  return make("div", { class: "tiles", role: "img", "aria-label": count(seat.hand), "data-fit": true }, ...shown);
}

function opened({ tile, picture }) {
  return make("span", { class: "open", "data-tile": tile }, drawing(picture));
}

// Only new lines are added, so that they alone are read out.
export function showLog(state) {
  const lines = state.log.map((line) => `${line.kind}: ${line.text}`);
  const same = logged.round === state.round && logged.lines.every((line, place) => line === lines[place]);
  if (!same) log.replaceChildren();
  const fresh = state.log.slice(log.children.length);
  log.append(...fresh.map((line, place) => logLine(line, place, same)));
  logged = { round: state.round, lines };
  if (fresh.length) log.scrollTop = log.scrollHeight;
}

function logLine(line, place, isNew) {
  const made = make("li", { class: `${line.kind}${isNew ? " new" : ""}`, "data-seat": line.seat }, ...rich(line.text));
  made.style.setProperty("--place", Math.min(place, 12));
  return made;
}

export function showResult(state, goOn) {
  result.hidden = !state.result;
  if (!state.result) return;
  const { headline, note, rows, over } = state.result;
  const columns = state.match ? ["round", "total"] : ["total"];
  const heads = ["", ...columns].map((text) => make("th", { scope: "col" }, text === "total" && !state.match ? "points" : text));
  const most = Math.max(...rows.map((row) => row.total));
  const body = rows.map((row) => make("tr", { class: row.total === most ? "most" : null }, make("th", { scope: "row" }, row.name),
    ...columns.map((column) => make("td", {}, String(row[column])))));
  const parts = [make("div", { class: "outcome" }, make("h2", {}, headline), make("p", {}, note))];
  if (rows.length > 1) parts.push(make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...body)));
  if (state.mode !== "record") {
    parts.push(make("button", { type: "button", class: "main", id: "go-on", onclick: goOn },
      make("span", {}, over ? "New game" : "Next round"), make("kbd", { "aria-hidden": "true" }, "N")));
  }
  result.replaceChildren(...parts);
}

export function showAdvice(hint, take) {
  advice.hidden = !hint;
  if (!hint) return;
  byId("advice-title").textContent = `What ${hint.by} expects`;
  const points = hint.advice.map((each) => each.points);
  const best = Math.max(...points), worst = Math.min(...points);
  byId("advice-rows").replaceChildren(...hint.advice.map((each) => {
    const part = best > worst ? (each.points - worst) / (best - worst) : 1;
    const bar = make("meter", { min: 0, max: 1, value: part.toFixed(3), "aria-hidden": "true" });
    const button = make("button", { type: "button", "data-action": each.action, onclick: () => take(each.action) }, ...rich(each.move));
    const value = each.points === null ? "its move" : signed(each.points);
    return make("tr", {}, make("td", {}, button), make("td", {}, value), make("td", {}, bar));
  }));
}
