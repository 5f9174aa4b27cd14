// Makes tiles as large as they can be in a box of fixed size.

const MIN_SIZE = 18; // pixels across; a hand whose tiles would be smaller scrolls instead

// How wide each of so many tiles can be, and how many fit side by side.
export function fitted(count, { width, height, gap, ratio, most }) {
  let best = { size: 0, across: count };
  for (let rows = 1; rows <= count; rows += 1) {
    const across = Math.ceil(count / rows);
    const wide = (width - gap * (across - 1)) / across;
    const high = (height - gap * (rows - 1)) / rows;
    const size = Math.min(most, wide, high / ratio);
    if (size > best.size) best = { size, across };
  }
  return best;
}

// Fits every box that asks for it.
export function fit() {
  for (const box of document.querySelectorAll("[data-fit]")) fitBox(box);
}

function fitBox(box) {
  const count = box.childElementCount;
  if (!count || !box.clientWidth) return;
  const style = getComputedStyle(box);
  const space = {
    width: box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight),
    height: box.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom),
    gap: parseFloat(style.columnGap) || 0,
    ratio: ratioOf(box.querySelector("svg")),
    most: parseFloat(style.getPropertyValue("--most")) * parseFloat(getComputedStyle(document.documentElement).fontSize),
  };
  const { size, across } = fitted(count, space);
  const full = box.id === "hand" && size < MIN_SIZE;
  const shown = full ? MIN_SIZE : Math.floor(size * 10) / 10;
  box.classList.toggle("full", full);
  box.style.setProperty("--tile", `${shown}px`);
  box.style.setProperty("--across", full ? Math.floor((space.width + space.gap) / (shown + space.gap)) : across);
}

// How high a tile is for its width; one that lies face down is upright.
function ratioOf(picture) {
  if (!picture) return 2;
  const [, , width, height] = picture.getAttribute("viewBox").split(" ").map(Number);
  return height / width;
}
