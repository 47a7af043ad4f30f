// The left side: conversations with their titles, a search over them, and what is remembered about the person.

import { find, list } from "./acts.js";
import { reveal } from "./chat.js";
import { fill, h } from "./dom.js";
import { able, changed, page, when } from "./page.js";
import { label } from "./telling.js";
import { ago, count, say } from "./words.js";

const place = document.getElementById("conversations");
const LIST_EVERY_MS = 20000;
/** Characters of a found message that are shown. */
const SNIPPET = 90;

export function begin() {
  when(["sessions", "session", "words", "memory", "tab"], draw);
  setInterval(() => document.visibilityState === "visible" && list(), LIST_EVERY_MS);
  addEventListener("focus", list);
}

function draw() {
  place.setAttribute("aria-label", say("nav.conversations"));
  fill(
    place,
    h("h2", {}, say("nav.conversations")),
    page.sessions.length > 0 && search(),
    rows(),
    page.session && able("memory") && about(),
  );
}

const search = () =>
  h("input", {
    type: "search",
    key: "conversation-search",
    class: "search",
    value: page.query,
    placeholder: say("nav.search"),
    "aria-label": say("nav.search"),
    oninput: (event) => find(event.target.value),
  });

function rows() {
  const query = page.query.trim().toLowerCase();
  if (!page.sessions.length) return h("p", { class: "empty" }, say("nav.empty"));
  if (!query)
    return h(
      "ul",
      {},
      page.sessions.map((session) => item(session)),
    );
  const hits = page.hits ?? [];
  const inside = new Map(hits.toReversed().map((hit) => [hit.session, hit])); // the best hit of each comes last
  const found = page.sessions.filter((each) => title(each).toLowerCase().includes(query) || inside.has(each.id));
  if (!found.length && page.hits) return h("p", { class: "empty" }, say("nav.none", { q: page.query.trim() }));
  return h(
    "ul",
    { "aria-label": say("nav.found") },
    found.map((session) => item(session, inside.get(session.id))),
  );
}

/** A conversation; `hit` is the message for which it was found. */
function item(session, hit) {
  const open = session.id === page.session?.id;
  return h(
    "li",
    {},
    h(
      "a",
      {
        href: `#${encodeURIComponent(session.id)}`,
        key: `c-${session.id}`,
        class: open ? "on" : "",
        "aria-current": open ? "page" : null,
        title: title(session),
        onclick: () => {
          page.view = "chat";
          changed("view");
          if (hit && open) reveal(hit.version, false);
        },
      },
      h("span", { class: "title", dir: "auto" }, title(session)),
      hit && hit.text !== session.title && h("span", { class: "snippet", dir: "auto" }, hit.text.slice(0, SNIPPET)),
      h("small", {}, `${session.pack} · ${count("turns", session.turns)} · ${ago(session.changed)}`),
    ),
  );
}

const title = (session) => session.title.slice(0, 120) || say("nav.untitled");

function about() {
  const items = page.memory ?? [];
  const current = items.filter((each) => !each.superseded_by && !each.retracted_at && !each.forgotten).length;
  const unstable = (page.insights?.keys ?? []).filter((each) => each.unstable).map((each) => label(each.key));
  const show = (tab, scroll) => () => {
    Object.assign(page, { tab, view: "panel", scroll });
    changed("tab", "view");
  };
  const entry = (key, name, told, on, onclick) =>
    h(
      "li",
      {},
      h(
        "button",
        { class: `entry${on ? " on" : ""}`, key, onclick },
        h("span", { class: "title" }, name),
        h("small", {}, told),
      ),
    );
  const kept = `${count("memory.current", current)} · ${count("memory.superseded", items.length - current)}`;
  return [
    h("h2", {}, say("nav.about")),
    h(
      "ul",
      {},
      entry("memory", say("nav.memory"), kept, page.tab === "memory", show("memory", "remembered")),
      entry(
        "insights",
        say("nav.insights"),
        unstable.slice(0, 3).join(", ") || say("insights.calm"),
        false,
        show("memory", "insights"),
      ),
    ),
  ];
}
