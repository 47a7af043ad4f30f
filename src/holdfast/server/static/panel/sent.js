// What goes to the agent beside the message: with the last one, to the letter; and with the next one, as things stand.

import { foresee } from "../acts.js";
import { copyButton } from "../actions.js";
import { h } from "../dom.js";
import { changed, lastHeard, page } from "../page.js";
import { count, say } from "../words.js";
import { section } from "./section.js";

/** Characters of a prompt that are shown. */
const SHOWN = 20000;
let open = false;

export function sent() {
  const heard = lastHeard();
  if (!heard) return null;
  const next = page.sent === "next" && !page.past;
  if (next) foresee();
  const told = next ? page.next : page.turns.get(heard.version);
  const last = heard.receipt?.lines.find((each) => each.did === "injected")?.what ?? "";
  const line = told?.context ?? (next ? "" : last);
  const whole = [line, told?.sections].filter(Boolean).join("\n\n");
  return section(
    "sent",
    say("sent.title"),
    told && [count("tokens", told.tokens), whole && copyButton(whole, say("sent.copy"))],
    !page.past && choice(next),
    told && !whole && h("p", { class: "empty" }, say(next ? "sent.nothing_next" : "sent.nothing")),
    line && h("pre", { tabIndex: 0, dir: "auto" }, line),
    told?.sections && h("pre", { tabIndex: 0, dir: "auto" }, told.sections.slice(0, SHOWN)),
    told?.messages && prompt(told.messages),
  );
}

function choice(next) {
  const part = (name, on) =>
    h(
      "button",
      {
        key: `sent-${name}`,
        "aria-pressed": String(on),
        onclick: () => {
          page.sent = name;
          changed("sent");
        },
      },
      say(`sent.${name}`),
    );
  return h(
    "div",
    { class: "segments", role: "group", "aria-label": say("sent.title") },
    part("last", !next),
    part("next", next),
  );
}

const prompt = (messages) =>
  h(
    "details",
    {
      open,
      ontoggle: (event) => {
        open = event.target.open;
      },
    },
    h("summary", { key: "whole-prompt" }, say("sent.whole")),
    messages.map((message) => [
      h("h3", {}, message.role),
      h("pre", { tabIndex: 0, dir: "auto" }, message.content.slice(0, SHOWN)),
    ]),
  );
