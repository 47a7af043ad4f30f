// The receipt of a turn: everything it did, by which rule, from which words.

import { reveal } from "./chat.js";
import { h } from "./dom.js";
import { verb, what } from "./telling.js";
import { say } from "./words.js";

export function receipt(entry) {
  return h(
    "section",
    { class: "receipt", id: `receipt-${entry.version}`, "aria-label": say("receipt.title", { n: entry.version }) },
    h("h3", {}, say("receipt.title", { n: entry.version })),
    h(
      "ul",
      {},
      entry.receipt.lines.map((line, place) => row(entry, line, `${entry.version}-${place}`)),
    ),
  );
}

function row(entry, line, key) {
  const elsewhere = line.words && line.version && line.version !== entry.version;
  const point = (on) => () => light(key, on);
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
    (line.words || line.rule) &&
      h(
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
      ),
  );
}

/** Let the words of a line stand out in the message. */
function light(key, on) {
  for (const mark of document.querySelectorAll("mark[data-lines]")) {
    if (mark.dataset.lines.split(" ").includes(key)) mark.classList.toggle("lit", on);
  }
}
