// How a value came to be: what the slot held before, newest first, each with its message.

import { why } from "../chat.js";
import { h } from "../dom.js";
import { page, slice } from "../page.js";
import { label, valued } from "../telling.js";
import { say } from "../words.js";
import { section } from "./section.js";

export function chain() {
  const { values = {}, past = {} } = slice("slots");
  const name = page.slot && (values[page.slot] || past[page.slot]) ? page.slot : latest(values, past);
  if (!name) return null;
  const rows = [...(values[name] ? [{ ...values[name], now: true }] : []), ...[...(past[name] ?? [])].reverse()];
  return section(
    "chain",
    say("chain.title"),
    label(name),
    h(
      "ol",
      { class: "chain" },
      rows.map((each) => row(name, each)),
    ),
  );
}

/** Without a choice, the slot that changed last. */
function latest(values, past) {
  const changed = Object.keys(past).filter((name) => past[name].length);
  return changed.sort((a, b) => (values[b]?.version ?? 0) - (values[a]?.version ?? 0))[0];
}

function row(name, { value, version, now, until }) {
  const text = valued(name, value);
  return h(
    "li",
    { class: now ? "now" : "" },
    now ? h("span", { dir: "auto" }, text) : h("del", { dir: "auto" }, text),
    h(
      "small",
      {},
      [say("chain.at", { n: version }), until && say("chain.until", { n: until })].filter(Boolean).join(" · "),
      " ",
      why(version, `chain-${version}`),
    ),
  );
}
