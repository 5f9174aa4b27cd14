// The page: it shows the latest state, does what is asked for, and follows what others do.

import { showAdvice, showLog, showResult, showSeats } from "./aside.js";
import { Board } from "./board.js";
import { byId } from "./dom.js";
import { listen } from "./keys.js";
import { ask, follow } from "./net.js";
import { showStart } from "./start.js";
import { showSteps } from "./steps.js";

let state = null;
let viewer = null;
const board = new Board((action) => tell("act", { action }), say);

// Showing ----------------------------------------------------------------------------------------

function show(latest, seenBy = viewer) {
  if (seenBy !== viewer || (state && latest.version < state.version)) return;
  if (state?.version === latest.version && state.viewer === latest.viewer) return;
  const before = state;
  state = latest;
  const started = state.mode !== "start";
  byId("game").hidden = byId("tools").hidden = !started;
  byId("start").hidden = started;
  document.body.dataset.mode = state.mode;
  document.body.dataset.shape = state.game?.curved ? "curved" : "straight";
  document.body.toggleAttribute("data-turn", Boolean(state.can?.hint));
  if (!started) return showStartPage();
  showHead();
  board.show(state);
  showSeats(state);
  showLog(state);
  showResult(state, goOn);
  showSteps(state, tell, look);
  if (before?.version !== state.version) showAdvice(null);
  for (const name of ["hint", "undo", "deal"]) byId(name).disabled = !state.can[name];
  document.body.dataset.version = state.version;
  keepFocus();
}

function showHead() {
  const { game, match, round } = state;
  document.title = `${game.title} – Dominoes`;
  byId("title").textContent = game.title;
  byId("about").textContent = match ? `round ${round} of a match, ${game.length}` : game.summary;
  byId("notes").textContent = state.notes.join(" · ");
  say("");
}

function showStartPage() {
  viewer = null;
  document.title = byId("title").textContent = "Dominoes";
  byId("about").textContent = "Choose a game";
  document.body.dataset.version = state.version;
  showStart(tell).catch(fail);
}

function say(advice) {
  byId("status").textContent = advice || state.status;
  byId("status").classList.toggle("yours", state.can.hint);
}

// Where the focus was has gone with what was drawn: it comes back to what is to be done.
function keepFocus() {
  if (document.activeElement && document.activeElement !== document.body) return;
  const next = document.querySelector("#go-on, .tile.held, .tile.fits, #table [data-key], #extras button");
  next?.focus({ preventScroll: true });
}

// Doing ------------------------------------------------------------------------------------------

async function tell(deed, wish = {}) {
  try {
    const seat = viewer === null ? "" : `?viewer=${viewer}`;
    show(await ask(deed + seat, { ...wish, version: state.version }));
    trouble("");
  } catch (error) {
    await fail(error);
  }
}

async function fail(error) {
  trouble(error.message);
  if (error.status === 409) show(await ask("state"));
}

function trouble(message) {
  byId("trouble").textContent = message;
  byId("trouble").hidden = !message;
}

function goOn() {
  return tell(state.can.next ? "next" : "deal");
}

async function look(seat) {
  viewer = seat;
  show(await ask(`state?viewer=${seat}`));
}

async function hint() {
  try {
    const found = await ask("hint", { version: state.version });
    showAdvice(found, advised);
  } catch (error) {
    await fail(error);
  }
}

// What is advised is picked up, not played.
function advised(action) {
  const pick = state.picks.find((each) => each.from && each.goes.some((goes) => goes.action === action));
  if (pick && board.picked !== pick.from) board.pick(pick.from);
  document.querySelector(`#extras [data-action="${action}"]`)?.focus();
}

byId("hint").addEventListener("click", hint);
byId("undo").addEventListener("click", () => tell("undo"));
byId("deal").addEventListener("click", goOn);
byId("leave").addEventListener("click", () => tell("leave"));
byId("help").addEventListener("click", () => byId("manual").showModal());
listen(board);
follow(() => ({ version: state?.version ?? null, viewer }), show, (error) => {
  if (error?.status === 400) viewer = null; // a seat that this game does not have
  trouble(error ? told(error) : "");
});

function told(error) {
  const stopped = "The game is not running. Start `domino play` again, and open the address that it prints.";
  return error.status ? error.message : stopped;
}
