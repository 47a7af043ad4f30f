// One section of the panel: a heading, something small beside it, and what it holds.

import { h } from "../dom.js";

/** `beside` is text or a button. */
export function section(id, title, beside, ...children) {
  return h(
    "section",
    { id, "aria-labelledby": `${id}-title` },
    h(
      "div",
      { class: "heading" },
      h("h2", { id: `${id}-title` }, title),
      beside && h("span", { class: "beside" }, beside),
    ),
    children,
  );
}
