// Small helpers: elements, drawings, and texts with tiles in them.

export const byId = (id) => document.getElementById(id);

// An element with attributes, listeners (onclick) and children.
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

// A drawing that the server has painted.
export function drawing(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  return document.importNode(parsed.documentElement, true);
}

// "You play [3|5]" with the tile as a small one.
export function rich(text) {
  return text.split(/(\[[^\]]+\])/).filter(Boolean).map((part) => {
    if (!part.startsWith("[")) return part;
    const halves = part.slice(1, -1).split("|").map((half) => make("b", { "aria-hidden": "true" }, written(half)));
    return make("span", { class: "chip", role: "img", "aria-label": spoken(part.slice(1, -1)) }, ...halves);
  });
}

const written = (half) => half.replace(">", "→").replace("*", "★");

const SYMBOLS = { ">": "arrow ", "+": "plus " };

function spokenHalf(half) {
  return half === "*" ? "star" : (SYMBOLS[half[0]] ?? "") + half.replace(/^[>+]/, "");
}

// A tile as one would say it.
export function spoken(tile) {
  const [first, second] = tile.split("|").map(spokenHalf);
  return first === second ? `double ${first}` : `${first} and ${second}`;
}

// 3.25 as "+3.3", with a true minus.
export function signed(points, digits = 1) {
  return (points < 0 ? "−" : "+") + Math.abs(points).toFixed(digits);
}
