// What the server is still at: a line says so, and says why where it takes long.

import { byId } from "./dom.js";
import { ask } from "./net.js";

const line = byId("waiting");
const SOON = 300; // milliseconds, until it is said
const AGAIN = 1000; // and until it is asked why it takes so long
const COMPILING = "Its code is compiled first, once on this machine; that can take a few minutes.";
const waiting = new Map(); // what is waited for, and what is said of it
let timer = null;
let compiling = false;

export const isWaiting = (what) => waiting.has(what);

// Asks for something, unless it is asked for already; `change` hears when that begins and ends.
export async function once(what, said, task, change = () => {}) {
  if (waiting.has(what)) return;
  begin(what, said);
  change();
  try {
    await task();
  } finally {
    end(what);
    change();
  }
}

export function begin(what, said) {
  waiting.set(what, said);
  if (timer === null) timer = setTimeout(look, SOON);
}

export function end(what) {
  waiting.delete(what);
  if (waiting.size) return show();
  clearTimeout(timer);
  timer = null;
  compiling = false;
  line.hidden = true;
}

async function look() {
  show();
  try {
    ({ compiling } = await ask("busy"));
  } catch {
    compiling = false; // there is a line for trouble
  }
  if (timer === null) return;
  show();
  timer = setTimeout(look, AGAIN);
}

// An agent's turn is told by the status line: of that it is only said why it takes so long.
function show() {
  const said = [...waiting.values()].find(Boolean) ?? "";
  const text = [said, compiling ? COMPILING : ""].filter(Boolean).join(" ");
  if (line.textContent !== text) line.textContent = text; // or it would be read out again
  line.hidden = !text;
}
