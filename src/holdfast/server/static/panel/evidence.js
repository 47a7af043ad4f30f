// What was established in a diagnosis, in order, and what it points to.

import { why } from "../chat.js";
import { h } from "../dom.js";
import { slice } from "../page.js";
import { label, stepped } from "../telling.js";
import { say } from "../words.js";
import { section } from "./section.js";

/** Findings that are shown: the newest. */
const SHOWN = 12;

export function evidence() {
  const { facts = [], hypotheses = [] } = slice("evidence");
  if (!facts.length) return null;
  return section(
    "evidence",
    say("evidence.title"),
    String(facts.length),
    h(
      "ul",
      { class: "facts" },
      facts.slice(-SHOWN).map((fact) => {
        const version = Number(fact.id.split("_")[1]);
        return h(
          "li",
          {},
          h("span", { dir: "auto" }, fact.value),
          h("small", {}, [label(fact.type).toLowerCase(), fact.step && stepped(fact.step)].filter(Boolean).join(" · ")),
          why(version, `fact-${fact.id}`),
        );
      }),
    ),
    hypotheses.length > 0 &&
      h(
        "ul",
        { class: "facts" },
        hypotheses.map((each) =>
          h(
            "li",
            {},
            h("span", {}, each.component ?? each.name ?? say("evidence.unnamed")),
            h("small", {}, each.status ?? ""),
          ),
        ),
      ),
  );
}
