// The controls for watching agents and for stepping through a record.

import { byId, make } from "./dom.js";

const steps = byId("steps");

// `send` sends an operation, `look` changes the viewer.
export function showSteps(state, send, look) {
  steps.hidden = state.mode === "play";
  if (steps.hidden) return;
  const buttons = state.mode === "watch" ? watching(state, send) : reading(state, send);
  steps.replaceChildren(...buttons, viewers(state, look));
}

const button = (id, text, letter, onclick, disabled = false) =>
  make("button", { id, type: "button", onclick, disabled }, make("span", {}, text), make("kbd", { "aria-hidden": "true" }, letter));

function watching(state, send) {
  const how = state.running ? "pause" : "go";
  return [
    button("running", state.running ? "Pause" : "Continue", "Space", () => send("watch", { how })),
    button("step-on", "Step", ".", () => send("watch", { how: "step" })),
  ];
}

function reading(state, send) {
  const seek = (at) => () => send("seek", { at });
  const { steps: at, total_steps: total } = state;
  const slider = make("input", {
    type: "range", min: 0, max: total, value: at, "aria-label": "decision", onchange: (event) => send("seek", { at: Number(event.target.value) }),
  });
  return [
    button("step-back", "Back", ",", seek(at - 1), at <= 0),
    slider,
    button("step-on", "Next", ".", seek(at + 1), at >= total),
    make("output", {}, `${at} of ${total}`),
  ];
}

function viewers(state, look) {
  const seats = state.seats.map((seat) => [String(seat.seat), `${seat.name}, seat ${seat.seat}`]);
  const all = state.game.has_hands ? [["all", "everything"], ...seats, ["nobody", "an onlooker"]] : [["0", "the player"], ["all", "everything"]];
  const options = all.map(([value, text]) => make("option", { value, selected: String(state.viewer) === value }, text));
  return make("label", {}, make("span", {}, "Seen by"), make("select", { id: "viewer", onchange: (event) => look(event.target.value) }, ...options));
}
