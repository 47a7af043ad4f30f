// Exactly what was sent with the newest message: the context line, and behind it the whole prompt.

import { h } from "../dom.js";
import { lastHeard, page } from "../page.js";
import { count, say } from "../words.js";
import { section } from "./section.js";

let open = false;

export function sent() {
  const heard = lastHeard();
  if (!heard) return null;
  const told = page.turns.get(heard.version);
  const line = told?.context ?? heard.receipt?.lines.find((each) => each.did === "injected")?.what ?? "";
  return section(
    "sent",
    say("sent.title"),
    told && count("tokens", told.tokens),
    line || told?.sections ? null : h("p", { class: "empty" }, say("sent.nothing")),
    line && h("pre", { tabIndex: 0, dir: "auto" }, line),
    told?.sections && h("pre", { tabIndex: 0, dir: "auto" }, told.sections.slice(0, 20000)),
    told &&
      h(
        "details",
        {
          open,
          ontoggle: (event) => {
            open = event.target.open;
          },
        },
        h("summary", { key: "whole-prompt" }, say("sent.whole")),
        told.messages.map((message) => [
          h("h3", {}, message.role),
          h("pre", { tabIndex: 0, dir: "auto" }, message.content.slice(0, 20000)),
        ]),
      ),
  );
}
