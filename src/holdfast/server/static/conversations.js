// The left side: conversations with their titles, and what is remembered about the person.

import { list } from "./acts.js";
import { fill, h } from "./dom.js";
import { able, changed, page, when } from "./page.js";
import { label } from "./telling.js";
import { ago, count, say } from "./words.js";

const place = document.getElementById("conversations");
const EVERY = 20000;

export function begin() {
  when(["sessions", "session", "words", "memory", "tab"], draw);
  setInterval(() => document.visibilityState === "visible" && list(), EVERY);
  addEventListener("focus", list);
}

function draw() {
  place.setAttribute("aria-label", say("nav.conversations"));
  fill(
    place,
    h("h2", {}, say("nav.conversations")),
    page.sessions.length ? h("ul", {}, page.sessions.map(item)) : h("p", { class: "empty" }, say("nav.empty")),
    page.session && able("memory") && about(),
  );
}

function item(session) {
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
        title: session.id,
        onclick: () => {
          page.view = "chat";
          changed("view");
        },
      },
      h("span", { class: "title", dir: "auto" }, title(session)),
      h("small", {}, `${session.pack} · ${count("turns", session.turns)} · ${ago(session.changed)}`),
    ),
  );
}

const title = (session) => session.title.slice(0, 80) || say("nav.untitled");

function about() {
  const items = page.memory ?? [];
  const current = items.filter((each) => !each.superseded_by && !each.retracted_at && !each.forgotten).length;
  const unstable = (page.insights?.keys ?? []).filter((each) => each.unstable).map((each) => label(each.key));
  const show = (tab, scroll) => () => {
    Object.assign(page, { tab, view: "panel", scroll });
    changed("tab", "view");
  };
  return [
    h("h2", {}, say("nav.about")),
    h(
      "ul",
      {},
      h(
        "li",
        {},
        h(
          "button",
          {
            class: `entry${page.tab === "memory" ? " on" : ""}`,
            key: "memory",
            onclick: show("memory", "remembered"),
          },
          h("span", { class: "title" }, say("nav.memory")),
          h("small", {}, `${count("memory.current", current)} · ${count("memory.superseded", items.length - current)}`),
        ),
      ),
      h(
        "li",
        {},
        h(
          "button",
          { class: "entry", key: "insights", onclick: show("memory", "insights") },
          h("span", { class: "title" }, say("nav.insights")),
          h("small", {}, unstable.slice(0, 3).join(", ") || say("insights.calm")),
        ),
      ),
    ),
  ];
}
