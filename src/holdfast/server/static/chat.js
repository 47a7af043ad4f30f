// The conversation: messages, what was learned from each, and, on a click, the receipt with the words it rests on.

import { actions, editor } from "./actions.js";
import { earlier, undoTurn } from "./acts.js";
import { fill, h, link } from "./dom.js";
import { invitation } from "./invitation.js";
import { changed, entriesInOrder, letGo, page, when } from "./page.js";
import { choose } from "./model.js";
import { broughtBy } from "./pictures.js";
import { receipt } from "./receipt.js";
import { answerAgain } from "./talking.js";
import { changes, guarded, marks, summary, verb, what } from "./telling.js";
import { typed, written } from "./text.js";
import { moment, say } from "./words.js";

/** Characters of a message that are shown at first. */
const LONG = 6000;
/** Messages and calls that are kept while nobody looks at the older ones. */
const MANY = 600;
const place = document.getElementById("chat");
const log = h("div", { id: "log", role: "log", "aria-live": "polite", tabIndex: 0 });
const drawn = new Map();
const whole = new Set();
let of = null;
/** The message that was on its way when all was drawn last. */
let sent = null;

export function begin() {
  when(["entries", "session", "sending", "past", "words", "files"], draw);
  place.addEventListener("scroll", () => {
    const near = place.scrollHeight - place.scrollTop - place.clientHeight < 80;
    if (near || place.scrollTop < top) following = near; // what grows below, such as a picture, is no scrolling up
    top = place.scrollTop;
  });
  new ResizeObserver(() => following && !page.past && toEnd()).observe(log);
}
let following = true;
let top = 0;

function toEnd() {
  place.scrollTop = place.scrollHeight;
}

function draw() {
  log.setAttribute("aria-label", say("chat.log"));
  if (!page.session && !page.sending) return fill(place, invitation());
  if (!place.contains(log)) fill(place, more, log);
  if (of !== page.session?.id) {
    of = page.session?.id;
    drawn.clear();
    log.replaceChildren();
    following = true;
  }
  if (page.editing) following = false;
  else if (page.sending && page.sending !== sent) following = true;
  sent = page.sending;
  if (following && page.entries.size > MANY) letGo(MANY / 2);
  more.hidden = !page.older;
  more.textContent = say("chat.earlier");
  const entries = entriesInOrder().filter(visible);
  const heard = entries.findLast((entry) => entry.role === "person");
  const newest = entries.findLast((entry) => entry.text != null);
  const nodes = entries.map((entry) => node(entry, entry === heard || entry === newest));
  if (page.sending) nodes.push(...waiting());
  else if (page.failed && newest?.version === page.failed.version) nodes.push(unanswered());
  settle(nodes);
  if (page.past?.version !== seen) toPast();
  else if (following) toEnd();
}

/** When the past is looked at, the chat shows the message that was the newest then. */
function toPast() {
  seen = page.past?.version;
  const at = page.past && [...log.children].filter((each) => Number(each.dataset.version) <= seen).at(-1);
  following = !at;
  if (at) at.scrollIntoView({ block: "center" });
  else toEnd();
}
let seen;

const more = h("button", {
  class: "more",
  onclick: () => {
    following = false;
    earlier();
  },
});

/** Put the nodes in order without touching those that stand right: a screen reader hears only what is new. */
function settle(nodes) {
  const wanted = new Set(nodes);
  for (const child of [...log.children]) if (!wanted.has(child)) child.remove();
  for (const version of drawn.keys()) if (!page.entries.has(version)) drawn.delete(version);
  nodes.forEach((each, at) => {
    if (log.children[at] !== each) log.insertBefore(each, log.children[at] ?? null);
  });
}

function visible(entry) {
  if (entry.taken_back) return false;
  return entry.text != null || summary(entry.receipt).length > 0 || guarded(entry.receipt).length > 0;
}

const brings = (entry) =>
  (page.files ?? []).some((file) => file.versions.some((each) => each.version === entry.version));

/** Receipts that are open: the words they rest on are marked, in whichever message they stand. */
const openReceipts = () => [...page.receipts].map((version) => page.entries.get(version)?.receipt).filter(Boolean);

/** The node of an entry, made again only when something about it changed. */
function node(entry, last) {
  const open = page.receipts.has(entry.version);
  const marked = marks(entry.version, openReceipts());
  const later = page.past != null && entry.version > page.past.version;
  const sign = JSON.stringify([
    entry.text?.length,
    entry.receipt?.lines.length,
    entry.agent,
    open,
    marked,
    later,
    last,
    page.editing === entry.version,
    Boolean(page.sending) || Boolean(page.past),
    whole.has(entry.version),
    brings(entry),
    document.documentElement.lang,
  ]);
  const held = drawn.get(entry.version);
  if (held?.sign === sign) return held.made;
  const made = h(
    "div",
    { class: `turn ${entry.role}${later ? " later" : ""}`, id: `v${entry.version}`, "data-version": entry.version },
    inside(entry, open, last, marked),
  );
  drawn.set(entry.version, { sign, made });
  return made;
}

function inside(entry, open, last, marked) {
  if (entry.text == null) return [h("div", { class: "quiet" }, notes(entry, open, last)), open && receipt(entry)];
  const person = entry.role === "person";
  const name = person ? say("chat.you") : (entry.agent ?? say("chat.agent"));
  const label = say(person ? "chat.from_you" : "chat.from_agent", { n: entry.version });
  return [
    h(
      "article",
      { class: `m ${person ? "u" : "a"}`, "aria-label": label, dir: "auto" },
      h("div", { class: "by" }, name, h("time", { dateTime: entry.time, title: entry.time }, moment(entry.time))),
      h("div", { class: "body" }, page.editing === entry.version ? editor(entry) : body(entry, person, marked)),
    ),
    guarded(entry.receipt).map((line) =>
      h("div", { class: "guard", role: "note" }, `${verb(line.did)}: ${what(line)}`),
    ),
    h("div", { class: "note" }, notes(entry, open, last)),
    open && receipt(entry),
  ];
}

function body(entry, person, found) {
  const long = entry.text.length > LONG && !whole.has(entry.version);
  const text = long ? entry.text.slice(0, LONG) : entry.text;
  const shown = person ? [h("p", { class: "typed" }, typed(text, found))] : written(text, found);
  shown.push(...broughtBy(entry).filter(Boolean));
  if (long)
    shown.push(
      h(
        "button",
        {
          class: "more",
          onclick: () => {
            whole.add(entry.version);
            draw();
          },
        },
        say("chat.whole", { n: entry.text.length.toLocaleString(document.documentElement.lang) }),
      ),
    );
  return shown;
}

/** What was learned, "why", and for the newest turn "undo". */
function notes(entry, open, last) {
  const person = entry.role === "person";
  const parts = summary(entry.receipt).map(([did, things]) =>
    h("span", { class: "did" }, h("b", {}, `${did}: `), things),
  );
  if (entry.receipt?.lines.length) {
    parts.push(
      h(
        "button",
        {
          class: "link",
          key: `why-${entry.version}`,
          "aria-expanded": String(open),
          "aria-controls": `receipt-${entry.version}`,
          "aria-label": say("receipt.open", { n: entry.version }),
          onclick: () => toggle(entry.version),
        },
        say("why"),
      ),
    );
  }
  if (last && person && !page.past && changes(entry.receipt) && entry.version > 1) {
    parts.push(link(say("undo"), say("chat.undo", { n: entry.version }), null, () => undoTurn(entry)));
  }
  if (entry.text != null) parts.push(actions(entry, last));
  return parts;
}

/** The newest message was heard and nobody answered it: why, and what can be done. */
function unanswered() {
  const { title, detail } = page.failed;
  return h(
    "div",
    { class: "turn agent" },
    h(
      "div",
      { class: "m failed", role: "alert" },
      h("p", {}, h("strong", {}, title), " ", detail),
      h(
        "div",
        { class: "buttons" },
        h("button", { class: "primary", onclick: answerAgain }, say("chat.retry")),
        page.about?.choice && h("button", { onclick: choose }, say("chat.other_model")),
      ),
    ),
  );
}

function toggle(version) {
  if (page.receipts.has(version)) page.receipts.delete(version);
  else page.receipts.add(version);
  const keep = place.scrollTop;
  following = false;
  draw();
  place.scrollTop = keep;
  document.querySelector(`[data-key="why-${version}"]`)?.focus({ preventScroll: true });
  if (page.receipts.has(version)) bringIntoView(document.getElementById(`v${version}`));
}

/** Scroll down as far as a turn with its receipt needs, but never past its beginning. */
function bringIntoView(turn) {
  const [outer, inner] = [place.getBoundingClientRect(), turn.getBoundingClientRect()];
  const below = inner.bottom + 12 - outer.bottom;
  if (below > 0) place.scrollTop += Math.min(below, inner.top - outer.top - 8);
}

/** A "why" elsewhere on the page: it shows the message that something came from, where that is at hand. */
export const why = (version, key) =>
  page.entries.has(version) && link(say("why"), say("receipt.show", { n: version }), key, () => reveal(version));

/** Show a message, with its receipt open. */
export function reveal(version, open = true) {
  if (open) page.receipts.add(version);
  following = false;
  page.view = "chat";
  changed("view");
  document.body.dataset.view = "chat"; // now, so that it can be scrolled to
  draw();
  const found = document.getElementById(`v${version}`);
  found?.scrollIntoView({ block: "center" });
  found?.querySelector("button.link, article")?.focus({ preventScroll: true });
}

/** The message that is on its way, until the live view or the answer brings it. */
function waiting() {
  const arrived = entriesInOrder().some((entry) => entry.role === "person" && entry.version > page.sending.after);
  const mine = h(
    "div",
    { class: "turn person" },
    h(
      "article",
      { class: "m u pending", dir: "auto" },
      h("div", { class: "body" }, h("p", { class: "typed" }, page.sending.text.slice(0, LONG))),
    ),
  );
  const draft = page.sending.pieces
    ? h(
        "div",
        { class: "m a writing", dir: "auto", "aria-live": "off" },
        h("div", { class: "body" }, written(page.sending.pieces)),
      )
    : h("div", { class: "m a dots", "aria-label": say("chat.thinking") }, h("i"), h("i"), h("i"));
  return [...(arrived ? [] : [mine]), h("div", { class: "turn agent" }, draft)];
}
