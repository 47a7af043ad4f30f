// Saying something and getting an answer: send, say it again in other words, get another answer, stop.

import { attempt, entered, go, list, now } from "./acts.js";
import * as api from "./api.js";
import { reached, read } from "./live.js";
import { chosen } from "./model.js";
import { complain, hush, notify, over } from "./notices.js";
import { able, changed, entriesInOrder, page, ready } from "./page.js";
import { who } from "./who.js";
import { knows, say } from "./words.js";

let busy = null;
let unheard = {}; // a message of which nobody told that it was heard, and the key under which it is sent again

/** What another conversation waits for is none of the one that opens now. */
export function stopWaiting() {
  busy = null;
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

/** Stop the agent that is at work on a plan. */
export const interrupt = () => attempt(() => api.interrupt(page.session.id));

async function exchange(text) {
  const sending = { text, pieces: "", after: newest(), heard: 0 };
  if (unheard.text !== text) unheard = { text, key: crypto.getRandomValues(new Uint32Array(4)).join("-") };
  Object.assign(page, { sending, failed: null, sent: "last" });
  now();
  hush(); // a way back leads to before this message, and would lose what it tells
  changed("sending", "entries");
  try {
    const id = page.session?.id ?? (await begin());
    const answer = await api.chat(id, text, chosen(), unheard.key);
    reached();
    for await (const [, event] of read(answer.body)) {
      if (event.type === "RUN_STARTED") unheard = {};
      if (page.session?.id !== id)
        sending.heard ||= 1; // somebody went elsewhere: it goes on without us
      else told(sending, event);
    }
    over();
  } catch (wrong) {
    if (!(wrong instanceof api.Trouble)) throw wrong;
    failed(sending, wrong);
  }
  if (page.sending === sending) page.sending = null;
  changed("sending", "entries", "turns");
  list();
  return Boolean(sending.heard);
}

/** A message that was heard and got no answer says so below it, with a way to try again; one that was not heard goes
 * back to where it was typed. */
function failed(sending, wrong) {
  if (sending.heard && page.sending === sending) page.failed = { version: sending.heard, ...explained(wrong) };
  else if (!sending.heard) complain(...Object.values(explained(wrong)));
}

/** What went wrong, in the language of the page where it has words for it. */
export function explained(wrong) {
  if (wrong.status === 0) return { title: say("trouble.unreachable"), detail: say("trouble.unreachable_detail") };
  const model = `trouble.model.${wrong.reason}`;
  if (wrong.reason && knows(model)) return { title: say("trouble.model"), detail: say(model) };
  if (wrong.kind && knows(`trouble.${wrong.kind}`)) return { title: say(`trouble.${wrong.kind}`), detail: "" };
  return { title: wrong.title, detail: wrong.detail };
}

/** What comes of a message while it is answered. The live view tells the same; whoever comes first is shown. */
function told(sending, event) {
  if (event.type === "RUN_STARTED") {
    sending.heard = event.turn.version;
    entered(event.turn.version, { role: "person", text: event.turn.text, receipt: event.turn.receipt });
  } else if (event.type === "TEXT_MESSAGE_CONTENT") sending.pieces += event.delta;
  else if (event.type === "TEXT_MESSAGE_END") {
    sending.pieces = "";
    const { version, text, agent, receipt } = event.reply;
    entered(version, { role: "agent", text, receipt, ...(agent && { agent }) });
  } else if (event.type === "RUN_ERROR")
    throw new api.Trouble(500, event.title, event.message, { kind: event.code, reason: event.reason });
  changed("sending");
}

async function begin() {
  const { user, project } = who();
  const made = await api.open(page.pack || null, user, project);
  history.replaceState(null, "", `#${encodeURIComponent(made.id)}`);
  await go(made.id, page.sending, made);
  return made.id;
}

/** Say a message again, in other words or in the same: it and all that came after it is taken back first. */
export async function sayAgain(version, text, notice) {
  const { id } = page.session;
  const before = page.state.version;
  if (!(await rewind(id, version - 1))) return;
  const heard = await send(text);
  const back = async () => (await rewind(id, before)) && notify(say("notice.restored"), null, id);
  if (heard && notice) notify(notice, back, id);
}

/** Another answer to the newest message of the person. */
export function answerAgain() {
  const last = entriesInOrder().findLast((entry) => entry.role === "person" && !entry.taken_back);
  return last && sayAgain(last.version, last.text);
}

async function rewind(id, version) {
  page.failed = null;
  const done = await attempt(() => api.rewind(id, version));
  if (!done || page.session?.id !== id) return done;
  for (const entry of page.entries.values()) if (entry.version > version) entry.taken_back = true;
  changed("entries");
  return done;
}

const newest = () => Math.max(0, ...page.entries.keys());
