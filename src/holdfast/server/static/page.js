// What the page knows, in one object, and who is told when a part of it changes. Drawing reads it; acts change it.

export const page = {
  packs: [],
  /** The server: the model that answers, what the caller may do. */
  about: null,
  pack: "",
  /** The conversation that is open, as the API describes it; none while the first message is not sent. */
  session: null,
  sessions: [],
  /** The newest state, kept up by the live view. */
  state: null,
  /** A state of the past that is being looked at: { version, state }. */
  past: null,
  /** Messages and calls by version: { version, role, text, time, receipt, agent }. */
  entries: new Map(),
  /** Where the next older page of entries ends. */
  older: null,
  /** What came of the person's messages, by version. */
  turns: new Map(),
  /** "none", "live", "waiting" or "ended". */
  stand: "none",
  /** The message that is on its way, and what the agent has written of its answer. */
  sending: null,
  memory: null,
  insights: null,
  files: null,
  tab: "now",
  view: "chat",
  /** Versions whose receipts are open. */
  receipts: new Set(),
  /** The slot whose history is shown. */
  slot: null,
  /** A message that got no answer: { version, title, detail }. */
  failed: null,
  /** The message that is being said in other words, by version. */
  editing: null,
  /** What the next message would be sent with, and which of the two is looked at: "next" or "last". */
  next: null,
  sent: "last",
  /** What is looked for among the conversations, and the messages that were found. */
  query: "",
  hits: null,
};

let settle;
/** Settled when the packs and the open conversation are known: what is said before waits for that. */
export const ready = new Promise((done) => {
  settle = done;
});
export const begun = () => settle();

const listeners = new Map();
const due = new Set();

/** Call `draw` when one of the parts changes. */
export function when(parts, draw) {
  for (const part of parts) listeners.set(part, [...(listeners.get(part) ?? []), draw]);
}

/** Say that parts have changed. Each one who is interested is called once, soon. */
export function changed(...parts) {
  if (!due.size) queueMicrotask(tell);
  for (const part of parts) due.add(part);
}

function tell() {
  const draws = new Set([...due].flatMap((part) => listeners.get(part) ?? []));
  due.clear();
  for (const draw of draws) draw();
}

/** The state that is shown: that of now, or the one of the past. */
export const shown = () => (page.past ? page.past.state : page.state);

/** A slice of the shown state; empty where the pack has no such faculty. */
export const slice = (name) => shown()?.slices?.[name] ?? {};

/** The pack of the open conversation, or the one chosen for the next. */
export const packNow = () => page.packs.find((pack) => pack.name === (page.session?.pack ?? page.pack));
export const able = (faculty) => packNow()?.faculties.includes(faculty) ?? false;

/** What the open conversation is called: a new one gets its name with its first message. */
export function title() {
  const known = page.sessions.find((each) => each.id === page.session?.id) ?? page.session;
  return known?.title.slice(0, 80) ?? "";
}

/** Whether the caller may do something: read, write or erase. */
export const may = (scope) => page.about?.scopes.includes(scope) ?? true;

export const entriesInOrder = () => [...page.entries.values()].sort((a, b) => a.version - b.version);

/** Let go of the oldest entries: they can be fetched again. A conversation may have no end, a page must. */
export function letGo(kept) {
  const order = entriesInOrder();
  for (const entry of order.slice(0, -kept)) page.entries.delete(entry.version);
  page.older = order.at(-kept)?.version ?? page.older;
}

/** The newest message of a person, up to what is shown. */
export function lastHeard() {
  const most = page.past?.version ?? Infinity;
  return entriesInOrder()
    .filter((entry) => entry.role === "person" && entry.version <= most && !entry.taken_back)
    .at(-1);
}
