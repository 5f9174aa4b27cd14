// Requests to the API. The token came with the address, behind the #, and is sent as a header.

const token = location.hash.slice(1);

export class RequestError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// The JSON answer to a GET, or to a POST if there is a body.
export async function request(path, body) {
  const headers = { "X-Domino-Token": token };
  if (body) headers["Content-Type"] = "application/json";
  const answer = await fetch(`/api/${path}`, {
    method: body ? "POST" : "GET",
    headers,
    body: body ? JSON.stringify(body) : undefined,
    cache: "no-store",
  });
  const result = await answer.json();
  if (!answer.ok) throw new RequestError(answer.status, result.error);
  return result;
}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// A path with a query string; what is null is left out.
export function withQuery(path, parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== null);
  return given.length ? `${path}?${new URLSearchParams(given)}` : path;
}

// Long polling: calls `show` with every new state, for ever. `latest` gives the parameters of the
// next request, `report` hears of every error, and of null when there is none.
export async function follow(latest, show, report) {
  for (;;) {
    try {
      const parameters = latest();
      show(await request(withQuery("state", parameters)), parameters.viewer);
      report(null);
    } catch (error) {
      report(error);
      await pause(1000);
    }
  }
}
