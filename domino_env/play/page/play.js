// The page: it shows the latest state, does what is asked for, and follows what others do.

import { showAdvice, showLog, showResult, showSeats } from "./aside.js";
import { Board } from "./board.js";
import { byId } from "./dom.js";
import { fit } from "./fit.js";
import { listen } from "./keys.js";
import { ask, asking, follow } from "./net.js";
import { showStart } from "./start.js";
import { showSteps } from "./steps.js";
import { begin, end, isWaiting, once } from "./wait.js";

let state = null;
let viewer = null;
let aspect = null; // of the room for the table: its width for its height
const SAID = {
  begin: "Getting the players ready …", go_on: "Getting the players ready …", deal: "Getting the players ready …",
};
const board = new Board((action) => tell("act", { action }), say);

// Showing ----------------------------------------------------------------------------------------

function show(latest, seenBy = viewer) {
  if (seenBy !== viewer || (state && latest.version < state.version)) return;
  const same = state?.version === latest.version && state.viewer === latest.viewer;
  if (same && state.picture === latest.picture) return;
  const before = state;
  state = latest;
  const started = state.mode !== "start";
  byId("game").hidden = byId("tools").hidden = !started;
  byId("start").hidden = started;
  document.body.dataset.mode = state.mode;
  document.body.dataset.shape = state.game?.curved ? "curved" : "straight";
  document.body.toggleAttribute("data-turn", Boolean(state.can?.hint));
  wait();
  if (!started) return showStartPage();
  showHead();
  byId("game").dataset.own = owned();
  showSeats(state);
  board.show(state);
  showLog(state);
  showResult(state, goOn);
  showSteps(state, tell, look);
  if (before?.version !== state.version) showAdvice(null);
  allow();
  fit();
  document.body.dataset.version = state.version;
  keepFocus();
  measure();
}

// What there is of one's own: it has its place from the beginning, so that the table keeps its size.
function owned() {
  if (!state.game.alone && typeof state.viewer === "number") return "hand";
  return state.mode === "play" ? "moves" : "nothing";
}

function allow() {
  for (const name of ["hint", "undo", "deal"]) byId(name).disabled = !state.can?.[name] || isWaiting(name);
}

// While an agent thinks it may be that it is compiled: then it is said.
function wait() {
  if (state.thinking) begin("agent", "");
  else end("agent");
}

// The room for the table decides where lines turn: if it has another shape now, they are laid anew.
function measure() {
  const { clientWidth: width, clientHeight: height } = byId("table");
  if (!width || !height) return;
  const now = Math.min(4, Math.max(0.4, Math.round((10 * width) / height) / 10));
  if (now === aspect) return;
  aspect = now;
  ask(asking("state", { viewer, aspect })).then((latest) => show(latest, viewer), fail);
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

function tell(deed, wish = {}) {
  return once("deed", SAID[deed] ?? "", async () => {
    try {
      show(await ask(asking(deed, { viewer, aspect }), { ...wish, version: state.version }));
      trouble("");
    } catch (error) {
      await fail(error);
    }
  });
}

async function fail(error) {
  trouble(error.message);
  if (error.status === 409) show(await ask(asking("state", { viewer, aspect })));
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
  show(await ask(asking("state", { viewer, aspect })));
}

// Asked for once more it is put away: on a phone it lies on the table.
function hint() {
  const { version } = state;
  if (!byId("advice").hidden) return showAdvice(null);
  return once("hint", "Thinking about a hint …", async () => {
    try {
      const found = await ask("hint", { version });
      if (version === state.version) showAdvice(found, advised); // or it is about what was
    } catch (error) {
      await fail(error);
    }
  }, allow);
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
new ResizeObserver(() => { fit(); measure(); }).observe(byId("game"));
follow(() => ({ after: state?.version ?? null, viewer, aspect }), show, (error) => {
  if (error?.status === 400) viewer = null; // a seat that this game does not have
  trouble(error ? told(error) : "");
});

function told(error) {
  const stopped = "The game is not running. Start `domino play` again, and open the address that it prints.";
  return error.status ? error.message : stopped;
}
