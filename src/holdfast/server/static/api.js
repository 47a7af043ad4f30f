// The public API, and nothing else: this file is the only one that knows its paths.

const KEY = "holdfast.key";
let ask = null;

/** What a request that failed has to say: the title and the detail of its problem (RFC 9457), which kind of problem it
 * is, and where a model failed, the reason. */
export class Trouble extends Error {
  constructor(status, title, detail = "", { kind = "", reason = "" } = {}) {
    super(detail || title);
    this.kind = kind;
    this.reason = reason;
    this.status = status;
    this.title = title;
    this.detail = detail;
  }
}

/** How to ask the person for a key when the server wants one: a function that resolves to a key, or to null. */
export const whenLocked = (how) => {
  ask = how;
};
export const key = () => sessionStorage.getItem(KEY) ?? "";
export const keep = (given) => (given ? sessionStorage.setItem(KEY, given) : sessionStorage.removeItem(KEY));

const at = (id, rest = "") => `/api/sessions/${encodeURIComponent(id)}${rest}`;
const query = (values) => {
  const given = Object.entries(values).filter(([, value]) => value != null && value !== "");
  return given.length ? `?${new URLSearchParams(given)}` : "";
};

export const packs = () => get("/api/packs");
export const about = () => get("/api/about");
export const words = (language) => get(`/api/words/${language}`);
export const open = (pack, user, project) =>
  send("POST", "/api/sessions", { pack, user: user || null, project: project || null });
export const session = (id) => get(at(id));
export const state = (id, version) => get(at(id, `/state${query({ version })}`));
export const history = (id, before, limit = 60) => get(at(id, `/history${query({ before, limit })}`));
export const turn = (id, version) => get(at(id, `/history/${version}/sent`));
export const clear = (id, what, index) =>
  send("DELETE", at(id, what == null ? "/context" : `/context/${encodeURIComponent(what)}${query({ index })}`));
export const context = (id) => get(at(id, "/context"));
export const speak = (id, language) => send("PUT", at(id, "/language"), { language });
export const change = (id, slot, value) => send("PATCH", at(id, `/context/${encodeURIComponent(slot)}`), { value });
export const rename = (id, title) => send("PATCH", at(id), { title });
export const rewind = (id, version) => send("POST", at(id, "/rewind"), { version });
export const model = (asked) => send("POST", "/api/models", asked);
export const restore = (id, version) => send("POST", at(id, "/restore"), { version });
export const memory = (id, known_at) => get(at(id, `/memory${query({ history: true, known_at })}`));
export const searchMemory = (id, text) => get(at(id, `/memory/search${query({ query: text, k: 12 })}`));
export const undo = (id, item) => send("POST", at(id, `/memory/${encodeURIComponent(item)}/undo`));
export const edit = (id, item, value) => send("PATCH", at(id, `/memory/${encodeURIComponent(item)}`), { value });
export const insights = (id) => get(at(id, "/memory/insights"));
export const step = (id, number, status) => send("PUT", at(id, `/plan/steps/${number}`), { status });
export const interrupt = (id) => send("POST", at(id, "/interrupt"), {});
export const erase = (id) => send("DELETE", at(id));
export const files = (id, version) => get(at(id, `/files${query({ version })}`));
export const exported = (id) => raw("GET", at(id, "/export")).then((answer) => answer.blob());
export const file = (path) => raw("GET", path).then((answer) => answer.blob());
export const search = (text, user) => get(`/api/search${query({ query: text, user, k: 20 })}`);

/** The conversations that changed last, newest first. */
export const sessions = () =>
  get(`/api/sessions${query({ order: "newest", limit: 100 })}`).then((found) => found.sessions);

/** A message, and what comes of it as a stream of events. Sent again under the same key, it is heard once. */
export const chat = (id, text, model, once) =>
  raw("POST", at(id, "/chat/stream"), { text, model }, { headers: { "idempotency-key": once } });

/** The live view of a conversation as a stream of bytes, from after the event `last`. */
export const events = (id, last, signal) =>
  raw("GET", at(id, "/events"), undefined, { signal, headers: last ? { "last-event-id": last } : {} });

const get = (path) => send("GET", path);

async function send(method, path, body) {
  const answer = await raw(method, path, body);
  return answer.status === 204 ? null : answer.json();
}

async function raw(method, path, body, more = {}) {
  const headers = { ...more.headers };
  if (key()) headers.authorization = `Bearer ${key()}`;
  if (body !== undefined || method === "POST") headers["content-type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: more.signal,
    });
  } catch (wrong) {
    if (wrong.name === "AbortError") throw wrong;
    throw new Trouble(0, "unreachable");
  }
  if (answer.ok) return answer;
  if (answer.status === 401 && ask && (await ask())) return raw(method, path, body, more);
  throw await trouble(answer);
}

async function trouble(answer) {
  try {
    const told = await answer.json();
    const kind = told.type?.split(":").at(-1);
    return new Trouble(answer.status, told.title ?? answer.statusText, told.detail, { kind });
  } catch {
    return new Trouble(answer.status, answer.statusText || String(answer.status));
  }
}
