// What changes often: keys whose values do not last, decisions that were reversed, and where the engine asks first.

import { h } from "../dom.js";
import { page } from "../page.js";
import { label } from "../telling.js";
import { count, say } from "../words.js";
import { section } from "./section.js";

export function insights() {
  const found = page.insights;
  const keys = (found?.keys ?? []).filter((each) => each.unstable || each.last_change);
  const decisions = found?.decisions ?? [];
  return section(
    "insights",
    say("insights.title"),
    null,
    keys.length || decisions.length ? null : h("p", { class: "empty" }, say("insights.empty")),
    h(
      "ul",
      { class: "insights" },
      keys.map((each) =>
        h(
          "li",
          { class: each.unstable ? "unstable" : "" },
          h("span", {}, label(each.key), each.unstable && h("small", { class: "badge" }, say("insights.unstable"))),
          h(
            "small",
            {},
            [
              changesOf(each),
              each.mean_life != null && say("insights.lives", { time: span(each.mean_life) }),
              found.ask_first.includes(each.key) && say("insights.asks"),
            ]
              .filter(Boolean)
              .join(" · "),
          ),
        ),
      ),
      decisions.map((each) =>
        h(
          "li",
          {},
          h("span", {}, each.chain.join(" → ")),
          h("small", {}, say("insights.reversed", { time: span(each.shortest) })),
        ),
      ),
    ),
  );
}

const changesOf = ({ relations }) => count("insights.changes", (relations.CHANGES ?? 0) + (relations.CORRECTS ?? 0));

function span(seconds) {
  const [size, name] = [
    [86400, "days"],
    [3600, "hours"],
    [60, "minutes"],
  ].find(([each]) => seconds >= each) ?? [1, "seconds"];
  return count(`span.${name}`, Math.round(seconds / size));
}
