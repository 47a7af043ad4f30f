// What is known: a chip for each slot, with a cross that clears it; all at once with "Clear All".

import { change, clear, clearItem } from "../acts.js";
import { h, PENCIL, tool } from "../dom.js";
import { able, changed, may, packNow, page, shown, slice } from "../page.js";
import { label, valued } from "../telling.js";
import { knows, say } from "../words.js";
import { replace } from "./memory.js";
import { section } from "./section.js";

/** Items of memory that are shown as chips. */
const CHIPS = 10;
/** Slots in the order in which people look for them; all others follow. */
const FIRST = ["location", "search_query", "price_level", "event_party_size", "event_date_time", "event_venue_name"];

export function slots() {
  const values = Object.entries(slice("slots").values ?? {}).sort(([a], [b]) => place(a) - place(b));
  const items = chipsOf([shown()?.slices]);
  const others = told();
  const any = values.length + items.length + others.length + (slice("references").entities ?? []).length > 0;
  const all =
    any &&
    !page.past &&
    page.session &&
    may("write") &&
    h("button", { class: "link", key: "clear-all", onclick: () => clear(null) }, say("slots.clear_all"));
  return section(
    "slots",
    say("slots.title"),
    all,
    any
      ? h(
          "ul",
          { class: "chips", "aria-label": say("slots.title") },
          values.map(([name, value]) => chip(name, value)),
          items,
          others,
        )
      : h("p", { class: "empty" }, empty()),
  );
}

const place = (name) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
function empty() {
  const invite = `slots.invite.${packNow()?.name}`;
  return say(!page.session && knows(invite) ? invite : "slots.empty");
}

function chip(name, { value, canonical, candidates, source, own }) {
  const open = page.slot === name;
  const more = canonical && canonical.toLowerCase() !== value.toLowerCase() ? ` (${canonical})` : "";
  return h(
    "li",
    { class: `chip${candidates?.length ? " open" : ""}` },
    h(
      "button",
      {
        class: "value",
        key: `slot-${name}`,
        "aria-pressed": String(open),
        title: say("chain.show"),
        onclick: () => {
          page.slot = open ? null : name;
          changed("slot");
        },
      },
      h("em", {}, `${label(name)}:`),
      " ",
      h("span", { dir: "auto" }, valued(name, own || value)),
      more && h("small", {}, more),
      source === "agent" && h("small", {}, ` ${say("slots.from_agent")}`),
    ),
    !page.past &&
      pencil(say("slots.edit", { name: label(name) }), `edit-${name}`, () => change(name, label(name), value)),
    !page.past && cross(say("slots.clear", { name: label(name) }), `clear-${name}`, () => clear(name, label(name))),
  );
}

/** A small pencil. */
const pencil = (name, key, onclick) => may("write") && tool(PENCIL, name, key, onclick, "cross pencil");

/** A round cross. */
export const cross = (name, key, onclick) =>
  may("write") && h("button", { class: "cross", key, "aria-label": name, title: name, onclick }, "×");

/** What is remembered beyond this conversation, of the person and of the project, where the pack tells its agent. */
export function beyond() {
  const chips = able("memory") ? chipsOf([shown()?.project, shown()?.user]) : [];
  return chips.length
    ? section(
        "beyond",
        say("slots.beyond"),
        null,
        h("ul", { class: "chips", "aria-label": say("slots.beyond") }, chips),
      )
    : null;
}

/** Items of memory as chips, newest first. */
function chipsOf(scopes) {
  const above = new Set(Object.values(slice("slots").values ?? {}).map((value) => value.fact));
  const items = scopes
    .flatMap((scope) => Object.values(scope?.memory?.items ?? {}))
    .filter((item) => item.category !== "slot" && !above.has(item.id));
  const newest = items.sort((a, b) => b.recorded - a.recorded);
  const name = (item) => label(item.slot || item.category || item.kind);
  const chips = newest
    .slice(0, CHIPS)
    .map((item) =>
      h(
        "li",
        { class: "chip" },
        h(
          "button",
          { class: "value", key: `item-${item.id}`, title: say("nav.memory"), onclick: open },
          h("em", {}, `${name(item)}:`),
          " ",
          h("span", { dir: "auto" }, item.text || item.value),
          item.details?.second_opinion && h("small", {}, ` ${say("slots.by_model")}`),
        ),
        !page.past &&
          pencil(say("slots.edit", { name: `${name(item)} ${item.value}` }), `edit-${item.id}`, () => replace(item)),
        !page.past &&
          cross(say("slots.clear", { name: `${name(item)} ${item.value}` }), `clear-${item.id}`, () =>
            clearItem(item.id, name(item)),
          ),
      ),
    );
  if (newest.length > CHIPS)
    chips.push(
      h(
        "li",
        {},
        h(
          "button",
          { class: "link", key: "more-memory", onclick: open },
          say("slots.more", { n: newest.length - CHIPS }),
        ),
      ),
    );
  return chips;
}

function open() {
  page.tab = "memory";
  changed("tab");
}

/** What packs without slots hold in force: shown, and changed by talking. */
function told() {
  const found = [];
  const { system, active, branch } = slice("procedure");
  if (system) found.push(["system", system.replaceAll("_", " ")]);
  if (active) found.push(["step", active.match(/\d+/)?.[0] ?? active]);
  if (branch) found.push(["branch", branch.replaceAll("_", " ")]);
  const { mode, submode } = slice("topics");
  if (mode && mode !== "diagnostic") found.push(["mode", mode.replaceAll("_", " ")]);
  if (submode && submode !== "main") found.push(["submode", submode.replaceAll("_", " ")]);
  for (const [file, libraries] of Object.entries(slice("revisions").files ?? {})) {
    const newest = Object.entries(libraries).sort(([, a], [, b]) => (b.version ?? 0) - (a.version ?? 0))[0];
    if (newest) found.push(["library", `${newest[0]} · ${file}`]);
  }
  const task = slice("task").current;
  if (task)
    found.push(["task", `${task.type} · ${say(`task.${task.status ?? "running"}`)}`, task.status !== "done" && "task"]);
  return found.map(([name, value, clears]) =>
    h(
      "li",
      { class: `chip${clears ? "" : " still"}` },
      h("span", { class: "value" }, h("em", {}, `${label(name)}:`), " ", h("span", { dir: "auto" }, value)),
      clears &&
        !page.past &&
        cross(say("slots.clear", { name: label(name) }), `clear-${clears}`, () => clear(clears, label(name))),
    ),
  );
}
