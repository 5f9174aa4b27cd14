// Asking the server. The token came with the address, behind the #, and goes along as a header.

const token = location.hash.slice(1);

export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// What the server answers; to a wish (an object) it does something first.
export async function ask(path, wish) {
  const headers = { "X-Domino-Token": token };
  if (wish) headers["Content-Type"] = "application/json";
  const answer = await fetch(`/api/${path}`, {
    method: wish ? "POST" : "GET",
    headers,
    body: wish ? JSON.stringify(wish) : undefined,
    cache: "no-store",
  });
  const told = await answer.json();
  if (!answer.ok) throw new Refused(answer.status, told.error);
  return told;
}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// A path with what is asked beside it; what is null is left out.
export function asking(path, asked) {
  const given = Object.entries(asked).filter(([, value]) => value !== null);
  return given.length ? `${path}?${new URLSearchParams(given)}` : path;
}

// Calls `show` with every new state, for ever; `latest` says which one is shown, and how.
export async function follow(latest, show, trouble) {
  for (;;) {
    try {
      const asked = latest();
      show(await ask(asking("state", asked)), asked.viewer);
      trouble(null);
    } catch (error) {
      trouble(error);
      await pause(1000);
    }
  }
}
