// While an answer takes its time, a line says what the page is waiting for, and why it takes long.

import { byId } from "./dom.js";
import { request } from "./net.js";

const line = byId("waiting");
const SHOW_AFTER = 300; // milliseconds
const POLL_EVERY = 1000; // milliseconds: is anything being compiled?
const COMPILING = "Its code is compiled first, once on this machine; that can take a few minutes.";
const waiting = new Map(); // what the page waits for, and the text that says so
let timer = null;
let compiling = false;

export const isWaiting = (what) => waiting.has(what);

// Runs a task, unless the same is running; `change` is called when it begins and ends.
export async function once(what, text, task, change = () => {}) {
  if (waiting.has(what)) return;
  begin(what, text);
  change();
  try {
    await task();
  } finally {
    end(what);
    change();
  }
}

export function begin(what, text) {
  waiting.set(what, text);
  if (timer === null) timer = setTimeout(poll, SHOW_AFTER);
}

export function end(what) {
  waiting.delete(what);
  if (waiting.size) return show();
  clearTimeout(timer);
  timer = null;
  compiling = false;
  line.hidden = true;
}

async function poll() {
  show();
  try {
    ({ compiling } = await request("compiling"));
  } catch {
    compiling = false; // errors have a line of their own
  }
  if (timer === null) return;
  show();
  timer = setTimeout(poll, POLL_EVERY);
}

// The status line says that an agent is thinking: here only why that takes so long.
function show() {
  const first = [...waiting.values()].find(Boolean) ?? "";
  const text = [first, compiling ? COMPILING : ""].filter(Boolean).join(" ");
  if (line.textContent !== text) line.textContent = text; // or a screen reader would read it again
  line.hidden = !text;
}
