// Watching agents, and stepping through a record: what to see, and when to go on.

import { byId, make } from "./dom.js";

const steps = byId("steps");

// `tell` does a deed, `look` changes who looks.
export function showSteps(state, tell, look) {
  steps.hidden = state.mode === "play";
  if (steps.hidden) return;
  const buttons = state.mode === "watch" ? watching(state, tell) : reading(state, tell);
  steps.replaceChildren(...buttons, viewers(state, look));
}

const button = (id, text, letter, onclick, disabled = false) =>
  make("button", { id, type: "button", onclick, disabled }, make("span", {}, text), make("kbd", { "aria-hidden": "true" }, letter));

function watching(state, tell) {
  const how = state.going ? "pause" : "go";
  return [
    button("going", state.going ? "Pause" : "Go on", "Space", () => tell("watch", { how })),
    button("step-on", "Step", ".", () => tell("watch", { how: "step" })),
  ];
}

function reading(state, tell) {
  const seek = (at) => () => tell("seek", { at });
  const { steps: at, whole } = state;
  const slider = make("input", {
    type: "range", min: 0, max: whole, value: at, "aria-label": "decision", onchange: (event) => tell("seek", { at: Number(event.target.value) }),
  });
  return [
    button("step-back", "Back", ",", seek(at - 1), at <= 0),
    slider,
    button("step-on", "On", ".", seek(at + 1), at >= whole),
    make("output", {}, `${at} of ${whole}`),
  ];
}

function viewers(state, look) {
  const seats = state.seats.map((seat) => [String(seat.seat), `${seat.name}, seat ${seat.seat}`]);
  const all = state.game.alone ? [["0", "the player"], ["all", "everything"]] : [["all", "everything"], ...seats, ["nobody", "an onlooker"]];
  const options = all.map(([value, text]) => make("option", { value, selected: String(state.viewer) === value }, text));
  return make("label", {}, make("span", {}, "Seen by"), make("select", { id: "viewer", onchange: (event) => look(event.target.value) }, ...options));
}
