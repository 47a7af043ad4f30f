// What a person can do, and what happens then. Acts call the API and change `page`; the live view brings the rest.

import * as api from "./api.js";
import { asked, confirmed } from "./dialog.js";
import { watch } from "./live.js";
import { complain, hush, notify, over } from "./notices.js";
import { able, changed, page, title } from "./page.js";
import { patched } from "./patch.js";
import { explained, stopWaiting } from "./talking.js";
import { say } from "./words.js";

let stopWatching = () => {};

/** Do something that may fail, and say so where it does. What went wrong before is over when something works. */
export async function attempt(act, title) {
  const of = page.session?.id;
  try {
    const done = await act();
    over();
    return done;
  } catch (wrong) {
    if (!(wrong instanceof api.Trouble)) throw wrong;
    const told = explained(wrong);
    if (!of || of === page.session?.id) complain(title ?? told.title, told.detail);
    return undefined;
  }
}

/** Show the conversation that the address names, or the invitation to a new one. One that was just made for a message
 * is `known`. */
export async function go(id, sending = null, known = null) {
  const mine = (trip += 1);
  stopWatching();
  if (!sending) stopWaiting();
  hush();
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
    failed: null,
    editing: null,
    next: null,
    sent: "last",
  });
  changed("session", "state", "entries", "stand", "past", "tab", "memory", "files", "sending");
  if (!id) return;
  const found = known ?? (await api.session(id).catch((wrong) => wrong));
  if (mine !== trip) return; // somebody has gone on meanwhile
  if (found instanceof Error) return lost(found);
  page.session = found;
  page.pack = found.pack;
  changed("session");
  stopWatching = watch(id, heardLive, (stand) => {
    if (stand === "live") over();
    page.stand = stand;
    changed("stand");
  });
  await earlier();
}

let trip = 0;

/** The conversation that the address names cannot be shown: begin anew, and say why. */
async function lost(wrong) {
  await leave();
  await attempt(() => Promise.reject(wrong));
}

/** Begin anew: nothing is made on the server before the first message. */
export function leave() {
  if (location.hash) history.pushState(null, "", location.pathname);
  page.view = "chat";
  changed("view");
  return go("");
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

/** Take back what a message changed: what it wrote to memory, and what this conversation held before it. */
export async function undoTurn(entry) {
  const { id } = page.session;
  const scopes = [page.state.slices, page.state.project, page.state.user];
  const items = scopes
    .flatMap((scope) => Object.values(scope?.memory?.items ?? {}))
    .filter((item) => item.session === id && item.version === entry.version);
  for (const item of items) await attempt(() => api.undo(id, item.id));
  const { slots, profile } = page.state.slices;
  const held = [...Object.values(slots?.values ?? {}), ...Object.values(profile?.entries ?? {})];
  if (!items.length || held.some((value) => value.version === entry.version)) await restore(entry.version - 1);
  else notify(say("notice.restored"), null, id);
}

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
  if (!done) return;
  showNext();
  const told = what == null ? say("notice.cleared_all") : say("notice.cleared", { name });
  notify(told, () => restore(before, id), id);
}

/** Put another value into a slot; the notice offers to take that back. */
export async function change(slot, name, value) {
  const { id } = page.session;
  const before = page.state.version;
  const given = await asked(
    say("slots.edit", { name }),
    say("slots.edit_text"),
    [{ name: "value", label: name, value, required: true }],
    say("save"),
  );
  const wanted = given?.value.trim();
  if (!wanted || wanted === value) return;
  const done = await attempt(() => api.change(id, slot, wanted));
  if (!done) return;
  showNext();
  notify(say("notice.changed", { name, value: wanted }), () => restore(before, id), id);
}

/** What is known was changed by hand: show what the next message would be sent with. */
function showNext() {
  page.sent = "next";
  changed("sent");
}

/** What would be sent with the next message, as things stand. */
export async function foresee() {
  if (!page.session || page.next?.version === page.state?.version) return;
  const { id } = page.session;
  const version = page.state?.version;
  const found = await api.context(id).catch(() => null);
  if (!found || page.session?.id !== id || page.state?.version !== version) return;
  page.next = { ...found, version };
  changed("sent");
}

/** Give the conversation another title. */
export async function rename() {
  const { id } = page.session;
  const given = await asked(
    say("rename.title"),
    "",
    [{ name: "title", label: say("rename.label"), value: title(), required: true, maxLength: 120 }],
    say("save"),
  );
  const wanted = given?.title.trim();
  if (!wanted || wanted === title()) return;
  const done = await attempt(() => api.rename(id, wanted));
  if (!done) return;
  if (page.session?.id === id) page.session = done;
  await list();
  changed("session");
}

/** Find conversations by their titles and by what was said in them. */
export async function find(text) {
  page.query = text;
  changed("sessions");
  const wanted = text.trim();
  if (!wanted) {
    page.hits = null;
    return changed("sessions");
  }
  const found = await api.search(wanted).catch(() => null);
  if (page.query.trim() !== wanted) return; // somebody typed on
  page.hits = found?.hits ?? [];
  changed("sessions");
}

/** Forget something that is remembered beyond this conversation. */
export async function clearItem(item, name) {
  const { id } = page.session;
  const done = await attempt(() => api.clear(id, item), say("trouble.clear"));
  const back = () => attempt(() => api.undo(id, item), say("trouble.restore"));
  if (done) notify(say("notice.cleared", { name }), back, id);
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
  if (!done) return;
  notify(say("notice.restored"), null, id);
  now();
}

export async function erase() {
  const { id } = page.session;
  if (!(await confirmed(say("erase.title"), say("erase.text", { name: title() || id }), say("erase.do")))) return;
  const done = await attempt(() => api.erase(id));
  if (!done) return;
  await leave();
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
  const gaps = JSON.stringify(state.slices.conversation?.gaps ?? []);
  if (known.id === page.session?.id && known.gaps !== gaps) retell();
  known = { id: page.session?.id, gaps };
  changed("state", "entries");
}

/** What was taken back, here or elsewhere, counts no more; what was brought back counts again. */
async function retell() {
  const { id } = page.session;
  const found = await api.history(id).catch(() => null);
  if (!found || page.session?.id !== id) return;
  for (const entry of found.entries) page.entries.set(entry.version, { ...page.entries.get(entry.version), ...entry });
  changed("entries");
}

let known = { id: null, gaps: "[]" };

export function entered(version, told) {
  page.entries.set(version, {
    version,
    time: new Date().toISOString(),
    text: null,
    ...page.entries.get(version),
    ...told,
  });
  changed("entries");
}

async function erasedElsewhere() {
  await leave();
  notify(say("notice.erased_elsewhere"));
  list();
}
