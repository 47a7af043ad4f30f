// On a narrow screen one thing at a time: the chat, what is known, or the list of conversations.

import { fill, h } from "./dom.js";
import { changed, page, when } from "./page.js";
import { say } from "./words.js";

const place = document.getElementById("views");
const VIEWS = ["conversations", "chat", "panel"];

export function begin() {
  when(["view", "words"], draw);
  addEventListener("hashchange", () => show("chat"));
}

function draw() {
  document.body.dataset.view = page.view;
  fill(
    place,
    h(
      "div",
      { class: "switch", role: "group", "aria-label": say("views.label") },
      VIEWS.map((name) =>
        h(
          "button",
          {
            key: `view-${name}`,
            "aria-pressed": String(page.view === name),
            onclick: () => show(name),
          },
          say(`views.${name}`),
        ),
      ),
    ),
  );
}

function show(name) {
  page.view = name;
  changed("view");
}
