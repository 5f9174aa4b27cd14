// Tiles as large as they can be, so that all of them lie in a box that stays as it is.

const LEAST = 18; // pixels across, below which a hand is rather moved than made smaller

// How wide so many tiles can be, and how many lie side by side.
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
  const room = {
    width: box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight),
    height: box.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom),
    gap: parseFloat(style.columnGap) || 0,
    ratio: ratioOf(box.querySelector("svg")),
    most: parseFloat(style.getPropertyValue("--most")) * parseFloat(getComputedStyle(document.documentElement).fontSize),
  };
  const { size, across } = fitted(count, room);
  const full = box.id === "hand" && size < LEAST;
  const shown = full ? LEAST : Math.floor(size * 10) / 10;
  box.classList.toggle("full", full);
  box.style.setProperty("--tile", `${shown}px`);
  box.style.setProperty("--across", full ? Math.floor((room.width + room.gap) / (shown + room.gap)) : across);
}

// How high a tile is for its width; one that lies face down is upright.
function ratioOf(picture) {
  if (!picture) return 2;
  const [, , width, height] = picture.getAttribute("viewBox").split(" ").map(Number);
  return height / width;
}
