// What a person can do, and what happens then. Acts call the API and change `page`; the live view brings the rest.

import * as api from "./api.js";
import { confirmed } from "./dialog.js";
import { reached, read, watch } from "./live.js";
import { complain, notify } from "./notices.js";
import { able, changed, page, ready, title } from "./page.js";
import { patched } from "./patch.js";
import { say } from "./words.js";

const WHO = "holdfast.who";
let stopWatching = () => {};

/** Who talks: the name under which things are remembered, and the project. */
export function who() {
  return { user: "me", project: "home", ...JSON.parse(localStorage.getItem(WHO) ?? "{}") };
}
export const introduce = (user, project) => localStorage.setItem(WHO, JSON.stringify({ user, project }));

/** Do something that may fail, and say so where it does. */
export async function attempt(act, title) {
  try {
    return await act();
  } catch (wrong) {
    if (!(wrong instanceof api.Trouble)) throw wrong;
    complain(
      title ?? (wrong.status === 0 ? say("trouble.unreachable") : wrong.title),
      wrong.status === 0 ? say("trouble.unreachable_detail") : wrong.detail,
    );
    return undefined;
  }
}

/** Show the conversation that the address names, or the invitation to a new one. */
export async function go(id, sending = null) {
  const mine = (trip += 1);
  stopWatching();
  if (!sending) busy = null; // what another conversation waits for is none of this one's business
  Object.assign(page, {
    session: null,
    state: null,
    past: null,
    entries: new Map(),
    older: null,
    turns: new Map(),
    stand: "none",
    sending,
    memory: null,
    insights: null,
    files: null,
    receipts: new Set(),
    slot: null,
    tab: "now",
  });
  changed("session", "state", "entries", "stand", "past", "tab", "memory", "files", "sending");
  if (!id) return;
  const found = await attempt(() => api.session(id));
  if (mine !== trip) return; // somebody has gone on meanwhile
  if (!found) return leave();
  page.session = found;
  page.pack = found.pack;
  changed("session");
  stopWatching = watch(id, heardLive, (stand) => {
    page.stand = stand;
    changed("stand");
  });
  await earlier();
}

let trip = 0;

/** Begin anew: nothing is made on the server before the first message. */
export function leave() {
  if (location.hash) location.hash = "";
  else go("");
}

export function choose(pack) {
  page.pack = pack;
  localStorage.setItem("holdfast.pack", pack);
  changed("session");
  leave();
}

/** Fetch the page of entries before those that are here. */
export async function earlier() {
  const { id } = page.session;
  const found = await attempt(() => api.history(id, page.older));
  if (!found || page.session?.id !== id) return;
  page.older = found.next;
  for (const entry of found.entries) page.entries.set(entry.version, { ...page.entries.get(entry.version), ...entry });
  changed("entries");
}

/** Send a message; resolves to whether it was heard. The first one makes the conversation. One that comes while the
 * agent is at work stops its plan, and is sent when it has stopped. */
export async function send(text) {
  if (busy && able("task") && page.session) interrupt();
  const before = busy;
  const mine = (async () => {
    await ready;
    await before;
    return exchange(text);
  })();
  busy = mine;
  const heard = await mine;
  if (busy === mine) busy = null;
  return heard;
}
let busy = null;

async function exchange(text) {
  const sending = { text, pieces: "", after: newest(), heard: false };
  page.sending = sending;
  now();
  changed("sending", "entries");
  await attempt(async () => {
    if (!page.session) await begin();
    const id = page.session.id;
    const answer = await api.chat(id, text);
    reached();
    for await (const [, event] of read(answer.body)) {
      if (page.session?.id !== id)
        sending.heard = true; // somebody went elsewhere: it goes on without us
      else told(sending, event);
    }
  });
  if (page.sending === sending) page.sending = null;
  changed("sending", "entries", "turns");
  list();
  return sending.heard;
}

/** What comes of a message while it is answered. The live view tells the same; whoever comes first is shown. */
function told(sending, event) {
  if (event.type === "RUN_STARTED") {
    sending.heard = true;
    entered(event.turn.version, { role: "person", text: event.turn.text, receipt: event.turn.receipt });
  } else if (event.type === "TEXT_MESSAGE_CONTENT") sending.pieces += event.delta;
  else if (event.type === "TEXT_MESSAGE_END") {
    sending.pieces = "";
    const { version, text, agent, receipt } = event.reply;
    entered(version, { role: "agent", text, receipt, ...(agent && { agent }) });
  } else if (event.type === "RUN_ERROR") throw new api.Trouble(500, event.title, event.message);
  changed("sending");
}

async function begin() {
  const { user, project } = who();
  const made = await api.open(page.pack || null, user, project);
  history.replaceState(null, "", `#${encodeURIComponent(made.id)}`);
  await go(made.id, page.sending);
}

/** Take back what a message changed: what it wrote to memory, and what this conversation held before it. */
export async function undoTurn(entry) {
  const { id } = page.session;
  const scopes = [page.state.slices, page.state.project, page.state.user];
  const items = scopes
    .flatMap((scope) => Object.values(scope?.memory?.items ?? {}))
    .filter((item) => item.session === id && item.version === entry.version);
  for (const item of items) await attempt(() => api.undo(id, item.id));
  if (!items.length || entry.receipt.lines.some((line) => line.what.includes(" = "))) await restore(entry.version - 1);
  else notify(say("notice.restored"));
}

/** Stop the agent that is at work on a plan. */
export const interrupt = () => attempt(() => api.interrupt(page.session.id));

/** The list of conversations. */
export async function list() {
  const found = await api.sessions().catch(() => null);
  if (!found) return;
  page.sessions = found;
  changed("sessions");
}

/** Look at the state after a version; the newest means now. */
export async function look(version) {
  if (!page.state || version >= page.state.version) return now();
  wanted = version;
  const found = await attempt(() => api.state(page.session.id, version));
  if (!found || wanted !== version) return; // the slider has moved on
  page.past = { version, state: found };
  changed("past", "state");
}

let wanted = 0;

export function now() {
  wanted = 0;
  if (!page.past) return;
  page.past = null;
  changed("past", "state");
}

/** Forget one thing, or all of it; the notice offers to take that back. */
export async function clear(what, name, index) {
  const before = page.state.version;
  const id = page.session.id;
  const done = await attempt(() => api.clear(id, what, index), say("trouble.clear"));
  if (done)
    notify(what == null ? say("notice.cleared_all") : say("notice.cleared", { name }), say("undo"), () =>
      restore(before, id),
    );
}

/** Forget something that is remembered beyond this conversation. */
export async function clearItem(item, name) {
  const { id } = page.session;
  const done = await attempt(() => api.clear(id, item), say("trouble.clear"));
  if (done)
    notify(say("notice.cleared", { name }), say("undo"), () =>
      attempt(() => api.undo(id, item), say("trouble.restore")),
    );
}

/** The name under which entities are cleared differs by pack: it is the one that is neither a slot nor an item. */
export async function clearEntity(index, name) {
  const found = await attempt(() => api.context(page.session.id), say("trouble.clear"));
  const what = found?.clears.find(
    (each) => !(each in (page.state.slices.slots?.values ?? {})) && !/_[0-9a-f]+_\d+_\d+$/.test(each),
  );
  if (what) await clear(what, name, index);
}

/** Let hold again what was known at a version. */
export async function restore(version, id = page.session.id) {
  const done = await attempt(() => api.restore(id, version), say("trouble.restore"));
  if (done) notify(say("notice.restored"));
  if (done) now();
}

export async function erase() {
  const { id } = page.session;
  if (!(await confirmed(say("erase.title"), say("erase.text", { name: title() || id }), say("erase.do")))) return;
  const done = await attempt(() => api.erase(id));
  if (!done) return;
  leave();
  notify(say("notice.erased"));
  list();
}

export async function download() {
  const blob = await attempt(() => api.exported(page.session.id));
  if (blob) hand(blob, `${page.session.id}.jsonl`);
}

/** Give a file to the person. */
export function hand(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** What came of a person's message, fetched once. */
export async function turn(version) {
  if (page.turns.has(version)) return;
  page.turns.set(version, null);
  const id = page.session.id;
  const found = await api.turn(id, version).catch(() => null);
  if (page.session?.id !== id) return;
  if (!found) return page.turns.delete(version); // it is asked for again with the next change
  page.turns.set(version, found);
  changed("turns");
}

/** What is remembered, with all that ever was; in the past, what was believed then. */
export async function recall() {
  if (!page.session || !able("memory")) return;
  const id = page.session.id;
  const then = page.past && page.entries.get(page.past.version)?.time;
  const found = await api.memory(id, then && Date.parse(then) / 1000 + 0.001).catch(() => null);
  const measured = await api.insights(id).catch(() => null);
  if (page.session?.id !== id) return;
  page.memory = found?.items ?? [];
  page.insights = measured;
  changed("memory");
}

export async function fetchFiles() {
  if (!page.session || !able("files")) return;
  const id = page.session.id;
  const found = await api.files(id, page.past?.version).catch(() => null);
  if (page.session?.id !== id) return;
  page.files = found?.files ?? [];
  changed("files");
}

// What the live view tells.

const began = new Map();

function heardLive(event) {
  if (event.type === "STATE_SNAPSHOT") stateNow(event.snapshot);
  else if (event.type === "STATE_DELTA") stateNow(patched(page.state, event.delta));
  else if (event.type === "TEXT_MESSAGE_START")
    began.set(event.messageId, { role: event.role === "user" ? "person" : "agent", text: "" });
  else if (event.type === "TEXT_MESSAGE_CONTENT") began.get(event.messageId).text += event.delta;
  else if (event.type === "TEXT_MESSAGE_END") {
    entered(Number(event.messageId), began.get(event.messageId));
    began.delete(event.messageId);
  } else if (event.type === "CUSTOM" && event.name === "holdfast.receipt")
    entered(event.value.receipt.version, { role: event.value.role, receipt: event.value.receipt });
  else if (event.type === "RUN_ERROR" && event.code === "erased") erasedElsewhere();
}

function stateNow(state) {
  page.state = state;
  for (const message of state.slices.conversation?.recent ?? []) {
    if (message.agent && page.entries.has(message.version)) page.entries.get(message.version).agent = message.agent;
  }
  changed("state", "entries");
}

function entered(version, told) {
  page.entries.set(version, {
    version,
    time: new Date().toISOString(),
    text: null,
    ...page.entries.get(version),
    ...told,
  });
  changed("entries");
}

function erasedElsewhere() {
  notify(say("notice.erased_elsewhere"));
  leave();
  list();
}

const newest = () => Math.max(0, ...page.entries.keys());
