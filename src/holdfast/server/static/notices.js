// Short words at the edge of the page: what was done (with a way back), and what went wrong.

import { h } from "./dom.js";
import { say } from "./words.js";

const STAYS = 8000;

/** Something was done; `act` takes it back. */
export function notify(text, label, act) {
  const note = h("div", { class: "notice" }, h("span", {}, text));
  if (act)
    note.append(
      h(
        "button",
        {
          class: "plain-button",
          onclick: () => {
            note.remove();
            act();
          },
        },
        label,
      ),
    );
  note.append(closing(note));
  show(document.getElementById("notices"), note);
}

/** Something went wrong: what, and what to do next. It stays until it is closed. */
export function complain(title, detail = "") {
  const note = h(
    "div",
    { class: "notice wrong" },
    h("span", {}, h("strong", {}, title), detail && detail !== title ? ` ${detail}` : ""),
  );
  note.append(closing(note));
  show(document.getElementById("alerts"), note, false);
}

function closing(note) {
  return h("button", { class: "cross", "aria-label": say("close"), onclick: () => note.remove() }, "×");
}

/** It goes by itself, but not while somebody is at it. */
function fade(note) {
  setTimeout(() => (note.matches(":hover, :focus-within") ? fade(note) : note.remove()), STAYS);
}

function show(place, note, leaves = true) {
  for (const old of [...place.children])
    if (old.textContent === note.textContent || place.children.length > 2) old.remove();
  place.append(note);
  if (leaves) fade(note);
}
