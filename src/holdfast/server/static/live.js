// The live view: server-sent events over fetch, because EventSource cannot send a key. It comes back by itself after a
// break, a little later each time, and asks for what it missed by the id of the last event that it saw whole.

import { events } from "./api.js";

const SOONEST = 500;
const LATEST = 8000;

/** Watch a conversation. `tell` gets every event, `stand` gets "live", "waiting" or "ended"; gives a function that stops. */
export function watch(id, tell, stand) {
  const stop = new AbortController();
  run(id, tell, stand, stop.signal);
  return () => stop.abort();
}

async function run(id, tell, stand, signal) {
  let last = "";
  let wait = SOONEST;
  while (!signal.aborted) {
    try {
      const answer = await events(id, last, signal);
      stand("live");
      for await (const [name, event] of read(answer.body)) {
        wait = SOONEST;
        if (name) last = name;
        if (event.type === "RUN_ERROR" && event.code === "erased") {
          stand("ended");
          tell(event);
          return;
        }
        tell(event);
      }
    } catch (wrong) {
      if (signal.aborted) return;
      if (wrong.status === 404 || wrong.status === 401 || wrong.status === 403) return stand("ended");
    }
    if (signal.aborted) return;
    stand("waiting");
    await pause(wait, signal);
    wait = Math.min(LATEST, wait * 2);
  }
}

/** The events of a stream: [id, data]. */
export async function* read(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  while (true) {
    const { value, done } = await reader.read();
    if (done) return;
    held += value;
    const parts = held.split("\n\n");
    held = parts.pop();
    for (const part of parts) {
      const lines = part.split("\n");
      const field = (name) =>
        lines
          .filter((line) => line.startsWith(`${name}: `))
          .map((line) => line.slice(name.length + 2))
          .join("\n");
      const data = field("data");
      if (data) yield [field("id"), JSON.parse(data)];
    }
  }
}

/** The server answered somebody: whoever waits for it need not wait longer. */
export const reached = () => dispatchEvent(new Event("reached"));

/** Wait, but not longer than the network or the server needs to come back, nor after the view was closed. */
function pause(milliseconds, signal) {
  return new Promise((done) => {
    const timer = setTimeout(done, milliseconds);
    for (const [where, what] of [
      [signal, "abort"],
      [window, "online"],
      [window, "reached"],
    ]) {
      where.addEventListener(
        what,
        () => {
          clearTimeout(timer);
          done();
        },
        { once: true },
      );
    }
  });
}
