// Where one writes. Enter sends, Shift+Enter begins a new line.

import { fill, h } from "./dom.js";
import { answering, choose } from "./model.js";
import { complain } from "./notices.js";
import { able, may, packNow, page, slice, when } from "./page.js";
import { interrupt, send } from "./talking.js";
import { say } from "./words.js";

const place = document.getElementById("composer");
/** Characters of a message that the server takes. */
const TEXT_CHARS = 1000000;
const field = h("textarea", { id: "message", rows: 1, oninput: grow, onkeydown: typed });
const button = h("button", { type: "submit", class: "primary" });
const stop = h("button", { class: "stop", onclick: interrupt });
const offers = h("div", { class: "offers" });
const form = h("form", { onsubmit: submit }, field, stop, button);
const model = h("button", { class: "link", key: "model", onclick: choose });
const foot = h("div", { class: "foot" });

export function begin() {
  when(["words", "session", "sending", "past", "state", "packs"], draw);
  fill(place, offers, form, foot);
}

function draw() {
  const answers = packNow()?.answers ?? true;
  field.placeholder = say(!may("write") ? "composer.reading" : answers ? "composer.hint" : "composer.nobody");
  field.setAttribute("aria-label", say("composer.label"));
  field.disabled = button.disabled = !may("write");
  button.textContent = say("composer.send");
  stop.textContent = say("composer.stop");
  stop.hidden = !page.sending || !able("task") || !page.session;
  const by = say("model.by", { name: answering() });
  model.textContent = by;
  model.setAttribute("aria-label", say("model.change", { name: answering() }));
  fill(foot, page.about?.choice ? model : h("span", {}, by), h("span", { class: "hint" }, say("composer.keys")));
  const open = page.past || page.sending ? null : slice("questions").open?.at(-1);
  fill(
    offers,
    (open?.options ?? [])
      .slice(0, 5)
      .map((option) => h("button", { class: "example small", onclick: () => send(option) }, option)),
  );
}

async function submit(event) {
  event.preventDefault();
  const text = field.value;
  if (!text.trim()) return;
  if (text.length > TEXT_CHARS) return complain(say("trouble.too-large"));
  field.value = "";
  grow();
  if (!(await send(text)) && !field.value) {
    // nothing that was typed is lost
    field.value = text;
    grow();
  }
  field.focus();
}

function typed(event) {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    form.requestSubmit();
  }
}

function grow() {
  field.style.height = "auto";
  field.style.height = `${Math.min(field.scrollHeight + 2, 200)}px`;
}
