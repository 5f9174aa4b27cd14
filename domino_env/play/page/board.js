// The table and the hand: a tile is picked up, its targets light up, and it is placed on one.

import { byId, drawing, make, spoken } from "./dom.js";

const table = byId("table");
const hand = byId("hand");
const choices = byId("choices");
const extras = byId("extras");
const SVG = "http://www.w3.org/2000/svg";
const TOOL_KEYS = "HUNG"; // letters that are buttons of the header

export class Board {
  // `act` plays an action; `say` shows what to do next.
  constructor(act, say) {
    this.act = act;
    this.say = say;
    this.targets = new Map();
    this.picked = null;
  }

  show(state) {
    const again = state.version === this.state?.version; // the same state, drawn for another aspect ratio
    this.state = state;
    this.targets = new Map(state.picks.map((pick) => [pick.from, pick.targets]));
    if (!again || !this.targets.has(this.picked)) this.picked = null;
    this.showTable();
    this.showHand();
    this.showExtras();
    this.hideChoices();
    const starts = [...this.targets.keys()].filter(Boolean);
    const only = state.game.has_hands && starts.length === 1 && !state.extras.length;
    if (this.picked === null && only) this.pick(starts[0]);
    else this.light();
    if (this.picked !== null) this.advise();
  }

  // The picture -----------------------------------------------------------------------------

  showTable() {
    const picture = drawing(this.state.picture);
    picture.setAttribute("role", "group");
    picture.setAttribute("aria-label", "Table");
    table.replaceChildren(picture);
    for (const spot of table.querySelectorAll(".spot")) {
      spot.prepend(hitArea(spot));
      spot.addEventListener("click", (event) => this.place(Number(nearestLit(spot, event).dataset.end)));
    }
    for (const piece of table.querySelectorAll(".piece")) {
      piece.addEventListener("click", () => this.touch(piece));
      const key = keyOf(piece);
      if (!this.targets.has(key)) continue;
      piece.dataset.key = key;
      makeButton(piece, spoken(piece.dataset.tile));
    }
  }

  // A click on a tile of the table: it is picked up, or it says where the picked one goes.
  touch(piece) {
    const column = Number(piece.dataset.seat);
    const there = piece.dataset.where === "column" && this.picked !== null
      && keyOf(piece) !== this.picked && this.ways(column).length;
    if (there) this.place(column);
    else if (piece.dataset.key) this.pick(piece.dataset.key);
  }

  // Your hand -------------------------------------------------------------------------------

  showHand() {
    hand.replaceChildren(...this.state.hand.map((tile) => this.handTile(tile)));
    hand.hidden = !this.state.hand.length;
    hand.classList.toggle("row", this.state.game.rows);
  }

  handTile({ tile, picture }) {
    if (tile === null) return make("span", { class: "tile down", role: "img", "aria-label": "face down" });
    const key = `hand:${tile}`;
    const fits = this.targets.has(key);
    const label = spoken(tile) + (fits ? "" : this.state.picks.length ? ", does not fit" : "");
    const button = make("button", {
      class: `tile${fits ? " fits" : ""}`,
      type: "button",
      "data-key": key,
      "data-tile": tile,
      "aria-label": label,
      "aria-disabled": fits ? null : "true",
      "aria-pressed": "false",
      onclick: () => this.pick(key),
    });
    const shown = drawing(picture);
    shown.setAttribute("aria-hidden", "true");
    shown.removeAttribute("role");
    button.append(shown);
    return button;
  }

  showExtras() {
    let taken = TOOL_KEYS;
    const buttons = this.state.extras.map(({ action, name }) => {
      const letter = [...name].find((each) => /[A-Z]/.test(each) && !taken.includes(each)) ?? "";
      taken += letter;
      return make(
        "button",
        { type: "button", class: "extra", "data-action": action, "data-letter": letter, onclick: () => this.act(action) },
        make("span", {}, name),
        make("kbd", { "aria-hidden": "true" }, letter),
      );
    });
    extras.replaceChildren(...buttons);
  }

  // Picking up ------------------------------------------------------------------------------

  pick(key) {
    const targets = this.targets.get(key);
    if (!targets) return;
    const spots = new Set(targets.map((each) => each.spot));
    if (this.picked === key) {
      if (spots.size === 1) this.place(targets[0].spot);
      else this.putDown();
      return;
    }
    this.picked = key;
    this.hideChoices();
    this.light();
    this.advise();
  }

  // What to do with a tile that is held.
  advise() {
    const spots = new Set(this.targets.get(this.picked).map((each) => each.spot));
    this.say(spots.size === 1 ? "Choose the lit end, or the tile again" : "Choose one of the lit ends");
  }

  putDown() {
    const key = this.picked;
    this.picked = null;
    this.hideChoices();
    this.light();
    this.say("");
    if (key) document.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
  }

  ways(spot) {
    const targets = this.targets.get(this.picked ?? "") ?? [];
    return targets.filter((each) => each.spot === spot);
  }

  place(spot) {
    const ways = this.ways(spot);
    if (ways.length === 1) this.act(ways[0].action);
    else if (ways.length > 1) this.showChoices(ways);
    else if (this.picked === null && this.targets.size) this.say("Pick up a tile first");
  }

  showChoices(ways) {
    const buttons = ways.map(({ action, label }) =>
      make("button", { type: "button", "data-action": action, onclick: () => this.act(action) }, label));
    choices.replaceChildren(...buttons);
    choices.hidden = false;
    buttons[0].focus();
  }

  hideChoices() {
    choices.hidden = true;
    choices.replaceChildren();
  }

  // What is lit -----------------------------------------------------------------------------

  light() {
    const ends = new Set((this.targets.get(this.picked ?? "") ?? []).map((each) => each.spot));
    table.classList.toggle("picking", this.picked !== null);
    for (const spot of table.querySelectorAll(".spot")) {
      const isTarget = ends.has(Number(spot.dataset.end));
      spot.classList.toggle("target", isTarget);
      if (isTarget) makeButton(spot, spot.querySelector("title")?.textContent ?? `place ${spot.dataset.end}`);
      else for (const name of ["tabindex", "role", "aria-label"]) spot.removeAttribute(name);
    }
    for (const tile of document.querySelectorAll("[data-key]")) {
      const held = tile.dataset.key === this.picked;
      tile.classList.toggle("held", held);
      if (tile.hasAttribute("aria-pressed")) tile.setAttribute("aria-pressed", String(held));
    }
    this.lightRun();
  }

  // A tile of a column takes all tiles below it along.
  lightRun() {
    const top = table.querySelector(".piece.held[data-where=column]");
    for (const piece of table.querySelectorAll("[data-where=column]")) {
      const below = top && piece.dataset.seat === top.dataset.seat
        && Number(piece.dataset.number) >= Number(top.dataset.number);
      piece.classList.toggle("along", Boolean(below));
    }
  }

  // What the arrow keys go through: the lit ends while a tile is held, or else the tiles.
  stops() {
    const lit = [...table.querySelectorAll(".spot.target")];
    if (!choices.hidden) return [...choices.children];
    if (this.picked !== null) return lit;
    return [...table.querySelectorAll("[data-key]"), ...lit, ...hand.querySelectorAll("button")];
  }
}

// The area where a spot can be hit, larger than what is drawn: round its badge and the pips it needs.
function hitArea(spot) {
  const area = document.createElementNS(SVG, "circle");
  const turn = /rotate\((-?\d+)/.exec(spot.querySelector(".arrow")?.getAttribute("transform") ?? "");
  const angle = (Number(turn?.[1] ?? 0) * Math.PI) / 180;
  const [far, r] = spot.querySelector(".asks") ? [0.65, 0.95] : [0.15, 0.7];
  const shape = { class: "hit-area", r, cx: far * Math.cos(angle), cy: far * Math.sin(angle) };
  for (const [name, value] of Object.entries(shape)) area.setAttribute(name, value);
  return area;
}

// Lit ends may lie close together: a click is for the nearest. (A click by the keyboard has no place:
// it is for the end that has the focus.)
function nearestLit(spot, event) {
  if (event.detail === 0) return spot;
  const far = (other) => {
    const box = other.querySelector(".hit-area").getBoundingClientRect();
    return Math.hypot(box.x + box.width / 2 - event.clientX, box.y + box.height / 2 - event.clientY);
  };
  return [...table.querySelectorAll(".spot.target")].reduce((best, other) => (far(other) < far(best) ? other : best), spot);
}

// The key by which the server lists a tile that can be picked up from the table.
function keyOf(piece) {
  const { where, number, tile } = piece.dataset;
  return where === "row" ? `row:${number}` : `${where}:${tile}`;
}

function makeButton(shape, label) {
  shape.setAttribute("tabindex", "0");
  shape.setAttribute("role", "button");
  shape.setAttribute("aria-label", label);
}
