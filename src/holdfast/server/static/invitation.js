// What one sees before anything was said: what this pack is good for, and messages to begin with.

import { h } from "./dom.js";
import { packNow } from "./page.js";
import { send } from "./talking.js";
import { knows, say, several } from "./words.js";

export function invitation() {
  const pack = packNow();
  const examples = several(`examples.${pack?.name}`);
  const told = (part, otherwise) =>
    knows(`invite.${pack?.name}.${part}`) ? say(`invite.${pack.name}.${part}`) : otherwise;
  return h(
    "div",
    { class: "invitation" },
    h("div", { class: "mark", "aria-hidden": "true" }),
    h("h1", {}, told("title", pack?.name ?? "Holdfast")),
    h("p", {}, told("text", pack?.summary ?? "")),
    h(
      "ul",
      { "aria-label": say("chat.examples") },
      (examples.length ? examples : several("examples.general")).map((text) =>
        h("li", {}, h("button", { class: "example", onclick: () => send(text) }, text)),
      ),
    ),
  );
}
