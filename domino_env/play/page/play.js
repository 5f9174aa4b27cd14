// The page: it shows the latest state, sends what the person does, and follows all changes.

import { showAdvice, showLog, showResult, showSeats } from "./aside.js";
import { Board } from "./board.js";
import { byId } from "./dom.js";
import { fit } from "./fit.js";
import { listen } from "./keys.js";
import { follow, request, withQuery } from "./net.js";
import { showStart } from "./start.js";
import { showSteps } from "./steps.js";
import { begin, end, isWaiting, once } from "./wait.js";

let state = null;
let viewer = null;
let aspect = null; // of the box for the table: its width over its height
const READYING = "Getting the agents ready …";
const WAITING = { begin: READYING, open: READYING, deal: READYING };
const board = new Board((action) => send("act", { action }), say);

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
  byId("game").dataset.own = ownPart();
  showSeats(state);
  board.show(state);
  showLog(state);
  showResult(state, goOn);
  showSteps(state, send, look);
  if (before?.version !== state.version) showAdvice(null);
  enableTools();
  fit();
  document.body.dataset.version = state.version;
  keepFocus();
  measure();
}

// What the person needs room for, from the beginning, so that the table keeps its size.
function ownPart() {
  if (state.game.has_hands && typeof state.viewer === "number") return "hand";
  return state.mode === "play" ? "moves" : "nothing";
}

function enableTools() {
  for (const name of ["hint", "undo", "deal"]) byId(name).disabled = !state.can?.[name] || isWaiting(name);
}

// While an agent thinks its code may be compiling: then a line says so.
function wait() {
  if (state.thinking) begin("agent", "");
  else end("agent");
}

// The aspect ratio decides where lines of tiles turn: if it has changed, the table is drawn again.
function measure() {
  const { clientWidth: width, clientHeight: height } = byId("table");
  if (!width || !height) return;
  const now = Math.min(4, Math.max(0.4, Math.round((10 * width) / height) / 10));
  if (now === aspect) return;
  aspect = now;
  request(withQuery("state", { viewer, aspect })).then((latest) => show(latest, viewer), fail);
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
  showStart(send).catch(fail);
}

function say(advice) {
  byId("status").textContent = advice || state.status;
  byId("status").classList.toggle("yours", state.can.hint);
}

// Drawing anew removes the element that had the focus: it goes to what can be done next.
function keepFocus() {
  if (document.activeElement && document.activeElement !== document.body) return;
  const next = document.querySelector("#go-on, .tile.held, .tile.fits, #table [data-key], #extras button");
  next?.focus({ preventScroll: true });
}

// Sending ----------------------------------------------------------------------------------------

// Sends an operation, and shows the state that it is answered with.
function send(operation, body = {}) {
  return once("operation", WAITING[operation] ?? "", async () => {
    try {
      show(await request(withQuery(operation, { viewer, aspect }), { ...body, version: state.version }));
      showError("");
    } catch (error) {
      await fail(error);
    }
  });
}

async function fail(error) {
  showError(error.message);
  if (error.status === 409) show(await request(withQuery("state", { viewer, aspect })));
}

function showError(message) {
  byId("error").textContent = message;
  byId("error").hidden = !message;
}

function goOn() {
  return send(state.can.next ? "next" : "deal");
}

async function look(seat) {
  viewer = seat;
  show(await request(withQuery("state", { viewer, aspect })));
}

// Asking once more hides it: on a phone it covers the table.
function hint() {
  const { version } = state;
  if (!byId("advice").hidden) return showAdvice(null);
  return once("hint", "Thinking about a hint …", async () => {
    try {
      const found = await request("hint", { version });
      if (version === state.version) showAdvice(found, pickUp); // or it is about an older state
    } catch (error) {
      await fail(error);
    }
  }, enableTools);
}

// A move that is clicked in the hint is picked up, not played.
function pickUp(action) {
  const pick = state.picks.find((each) => each.from && each.targets.some((target) => target.action === action));
  if (pick && board.picked !== pick.from) board.pick(pick.from);
  document.querySelector(`#extras [data-action="${action}"]`)?.focus();
}

byId("hint").addEventListener("click", hint);
byId("undo").addEventListener("click", () => send("undo"));
byId("deal").addEventListener("click", goOn);
byId("leave").addEventListener("click", () => send("leave"));
byId("help").addEventListener("click", () => byId("manual").showModal());
listen(board);
new ResizeObserver(() => { fit(); measure(); }).observe(byId("game"));
follow(() => ({ after: state?.version ?? null, viewer, aspect }), show, (error) => {
  if (error?.status === 400) viewer = null; // a seat that this game does not have
  showError(error ? messageOf(error) : "");
});

function messageOf(error) {
  const stopped = "The server has stopped. Start `domino play` again, and open the address that it prints.";
  return error.status ? error.message : stopped;
}
