// What one can do with a message: copy it, say it in other words, have it answered again.

import { h, icon, PENCIL, tool } from "./dom.js";
import { changed, may, page } from "./page.js";
import { answerAgain, sayAgain } from "./talking.js";
import { say } from "./words.js";

const COPY = "M6 5.5h7v8H6zM3 10.5v-8h7";
const DONE = "M3 8.5 6.5 12 13 4.5";
const AGAIN = "M13 8a5 5 0 1 1-1.6-3.7M13 2v3h-3";

/** Small buttons beside a message. */
export function actions(entry, last) {
  const person = entry.role === "person";
  const free = may("write") && !page.past && !page.sending;
  return h(
    "span",
    { class: "tools" },
    copyButton(entry.text, say("chat.copy", { n: entry.version })),
    free &&
      person &&
      tool(PENCIL, say("chat.edit", { n: entry.version }), `edit-${entry.version}`, () => edit(entry.version)),
    free && !person && last && tool(AGAIN, say("chat.again"), `again-${entry.version}`, answerAgain),
  );
}

/** A button that copies a text and shows for a moment that it did. */
export function copyButton(text, name) {
  const made = tool(COPY, name, `copy-${name}`, async () => {
    await copy(text);
    made.replaceChildren(icon(DONE));
    made.classList.add("done");
    setTimeout(() => {
      made.replaceChildren(icon(COPY));
      made.classList.remove("done");
    }, 1500);
  });
  return made;
}

/** Browsers have a clipboard of their own only for pages of this machine and of https. */
function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const before = document.activeElement;
  const field = h("textarea", { class: "skip", value: text });
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
  return before?.focus();
}

function edit(version) {
  page.editing = version;
  changed("entries");
}

/** The message as a field, in its own place. */
export function editor(entry) {
  const close = () => {
    page.editing = null;
    changed("entries");
  };
  const submit = (event) => {
    event?.preventDefault();
    const text = field.value.trim();
    close();
    if (text && text !== entry.text) sayAgain(entry.version, text, say("notice.edited"));
  };
  const field = h("textarea", {
    class: "edit",
    value: entry.text,
    rows: Math.min(8, entry.text.split("\n").length + 1),
    "aria-label": say("chat.edit", { n: entry.version }),
    onkeydown: (event) => {
      if (event.key === "Escape") close();
      else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) submit(event);
    },
  });
  queueMicrotask(() => field.isConnected && document.activeElement !== field && field.focus());
  return h(
    "form",
    { class: "editor", onsubmit: submit },
    field,
    h("p", { class: "aside" }, say("chat.edit_text")),
    h(
      "div",
      { class: "buttons" },
      h("button", { onclick: close }, say("cancel")),
      h("button", { type: "submit", class: "primary" }, say("composer.send")),
    ),
  );
}
