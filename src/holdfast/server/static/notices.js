// One short message at the edge of the page: what was done (with a way back), or what went wrong. It belongs to the
// conversation that is open, goes by itself, and makes room for the next one.

import { h } from "./dom.js";
import { page } from "./page.js";
import { say } from "./words.js";

const STAYS = 7000;
const places = ["notices", "alerts"].map((id) => document.getElementById(id));
const [notices, alerts] = places;

/** Something was done in a conversation; `back` takes it back. Whoever has gone on to another one is not told. */
export function notify(text, back, of = page.session?.id) {
  if (of !== page.session?.id) return;
  const undo = () => {
    hush();
    back();
  };
  const button = back && h("button", { class: "plain-button", onclick: undo }, say("undo"));
  show(notices, h("div", { class: "notice" }, h("span", {}, text), button));
}

/** Something went wrong: what, and what to do next. It stays until it is over. */
export function complain(title, detail = "") {
  const more = detail && detail !== title ? ` ${detail}` : "";
  show(alerts, h("div", { class: "notice wrong" }, h("span", {}, h("strong", {}, title), more)));
}

/** Something worked: what went wrong before is over. */
export const over = () => alerts.replaceChildren();

/** Nothing is said any more: another conversation is open, or this one goes on. */
export const hush = () => places.forEach((place) => place.replaceChildren());

function show(place, note) {
  hush();
  note.append(h("button", { class: "cross", "aria-label": say("close"), onclick: hush }, "×"));
  place.append(note);
  if (place === notices) fade(note);
}

/** It goes by itself, but not while somebody is at it. */
function fade(note) {
  setTimeout(() => (note.matches(":hover, :focus-within") ? fade(note) : note.remove()), STAYS);
}
