// The keyboard: arrows go to the next thing in their direction, letters press buttons.

import { byId } from "./dom.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const TOOLS = { h: "hint", u: "undo", g: "leave", "?": "help", ",": "step-back", ".": "step-on", " ": "running" };

export function listen(board) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.target.matches("select, input")) return;
    if (press(event.key, event.target, board)) event.preventDefault();
  });
}

function press(key, target, board) {
  if (byId("game").hidden) return false;
  if (key === "Enter" || (key === " " && target.matches("[data-key], .spot"))) return enter(target, board);
  if (key === "Escape") return board.picked !== null && (board.putDown(), true);
  if (key in ARROWS) return go(ARROWS[key], board);
  if (/^[0-9]$/.test(key) && board.ways(Number(key)).length) return board.place(Number(key)), true;
  const letter = document.querySelector(`#extras [data-letter="${CSS.escape(key.toUpperCase())}"]`);
  const tool = key.toLowerCase() === "n" ? (byId("go-on") ?? byId("deal")) : byId(TOOLS[key.toLowerCase()]);
  const button = letter ?? tool;
  if (!button || button.disabled) return false;
  button.click();
  return true;
}

// A tile is picked up and the first lit end comes next; where there is one only, Enter plays.
function enter(target, board) {
  if (target.matches("button")) {
    if (!target.dataset.key) return false;
  } else if (!target.matches("[data-key], .spot")) return false;
  const { key } = target.dataset;
  const choosing = board.picked === key && board.stops().length > 1; // held already: on to its ends
  if (!choosing) target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const stops = board.stops();
  if (key && board.picked === key && stops.length > 1) stops[0].focus();
  return true;
}

function go([right, down], board) {
  const stops = board.stops();
  if (!stops.length) return false;
  const here = document.activeElement;
  if (!stops.includes(here)) return stops[0].focus(), true;
  const from = middle(here);
  let best = null;
  let least = Infinity;
  for (const stop of stops) {
    const [x, y] = middle(stop).map((at, axis) => at - from[axis]);
    const along = x * right + y * down;
    const across = Math.abs(x * down) + Math.abs(y * right);
    const far = along + 2 * across;
    if (stop !== here && along > 1 && along >= across / 2 && far < least) [best, least] = [stop, far];
  }
  best ??= nextIn(stops, here, right + down);
  best.focus();
  return true;
}

// Where nothing lies that way: the next one in order, round and round.
function nextIn(stops, here, step) {
  return stops[(stops.indexOf(here) + step + stops.length) % stops.length];
}

function middle(element) {
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}
