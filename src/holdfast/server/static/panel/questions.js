// What is open: questions that wait for an answer, and two values for one thing.

import { h } from "../dom.js";
import { shown, slice } from "../page.js";
import { say } from "../words.js";
import { section } from "./section.js";

export function questions() {
  const asked = (slice("questions").open ?? []).map((each) => each.text);
  const disputed = ["slices", "project", "user"]
    .flatMap((scope) => shown()?.[scope]?.memory?.disputes ?? [])
    .map((each) => each.question);
  const all = [...new Set([...disputed, ...asked])].slice(-4);
  if (!all.length) return null;
  return section(
    "questions",
    say("questions.title"),
    null,
    h(
      "ul",
      { class: "open-questions" },
      all.map((text) => h("li", { dir: "auto" }, text)),
    ),
  );
}
