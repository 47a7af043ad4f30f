// The receipt of a turn: everything it did, by which rule, from which words.

import { reveal } from "./chat.js";
import { h } from "./dom.js";
import { verb, what } from "./telling.js";
import { say } from "./words.js";

export function receipt(entry) {
  return h(
    "section",
    { class: "receipt", id: `receipt-${entry.version}`, "aria-label": say("receipt.title", { n: entry.version }) },
    h("h3", {}, say("receipt.heading")),
    h(
      "ul",
      {},
      grouped(entry.receipt.lines).map((group) => row(entry, group)),
    ),
  );
}

/** Lines that say the same stand together: [place, line] each. */
function grouped(lines) {
  const groups = new Map();
  lines.forEach((line, place) => {
    const told = `${line.did}: ${what(line)}`;
    groups.set(told, [...(groups.get(told) ?? []), [place, line]]);
  });
  return [...groups.values()];
}

function row(entry, group) {
  const [, line] = group[0];
  const point = (on) => () => {
    for (const [place] of group) light(`${entry.version}-${place}`, on);
  };
  return h(
    "li",
    {
      onmouseenter: point(true),
      onmouseleave: point(false),
      onfocusin: point(true),
      onfocusout: point(false),
      class: `line ${line.did.replaceAll(" ", "-")}`,
    },
    h("span", { class: "verb" }, verb(line.did)),
    h("span", { class: "what", dir: "auto" }, line.did === "injected" ? h("code", {}, line.what) : what(line)),
    group.map(([, each]) => (each.words || each.rule) && because(entry, each)),
  );
}

function because(entry, line) {
  const elsewhere = line.words && line.version && line.version !== entry.version;
  return h(
    "span",
    { class: "because" },
    line.words && h("q", { dir: "auto", tabIndex: 0 }, line.words),
    elsewhere &&
      h(
        "button",
        { class: "link", onclick: () => reveal(line.version, false) },
        say("receipt.from", { n: line.version }),
      ),
    line.rule && h("code", { class: "rule", title: say("receipt.rule") }, line.rule),
    line.by && h("small", { class: "score", title: line.by.model }, say("receipt.score", { n: line.by.score })),
  );
}

/** Let the words of a line stand out in the message. */
function light(key, on) {
  for (const mark of document.querySelectorAll("mark[data-lines]")) {
    if (mark.dataset.lines.split(" ").includes(key)) mark.classList.toggle("lit", on);
  }
}
