// What is remembered beyond this conversation: chains as timelines, search, undo, and replacing by hand.

import { attempt, recall } from "../acts.js";
import * as api from "../api.js";
import { why } from "../chat.js";
import { asked } from "../dialog.js";
import { h, link } from "../dom.js";
import { notify } from "../notices.js";
import { changed, may, page } from "../page.js";
import { label } from "../telling.js";
import { count, moment, say } from "../words.js";
import { section } from "./section.js";

/** Below this a find by meaning is only the nearest there is. */
const FITS = 0.2;
let query = "";
let found = null;
let soon = 0;

export function remembered() {
  const items = page.memory;
  const chains = chained(items ?? []);
  const hits = found && new Map(found.map((each, rank) => [each.item.id, rank]));
  const rank = (chain) => Math.min(...chain.map((item) => hits.get(item.id) ?? Infinity));
  const shown = hits ? chains.filter((chain) => rank(chain) < Infinity).sort((a, b) => rank(a) - rank(b)) : chains;
  const current = chains.filter((chain) => stands(chain[0])).length;
  return section(
    "remembered",
    say("memory.title"),
    items && `${count("memory.current", current)} · ${count("memory.superseded", items.length - current)}`,
    h("input", {
      type: "search",
      key: "memory-search",
      class: "search",
      value: query,
      placeholder: say("memory.search"),
      "aria-label": say("memory.search"),
      oninput: search,
    }),
    items && !items.length && h("p", { class: "empty" }, say("memory.empty")),
    hits && !shown.length && h("p", { class: "empty" }, say("memory.none", { q: query })),
    h(
      "ul",
      { class: "memories" },
      shown.map((chain) => card(chain, hits)),
    ),
  );
}

/** Items that replaced each other, newest first; chains by their newest item. */
function chained(items) {
  const byId = new Map(items.map((item) => [item.id, item]));
  const chains = [];
  const seen = new Set();
  for (const item of [...items].reverse()) {
    if (seen.has(item.id) || (item.superseded_by && byId.has(item.superseded_by))) continue;
    const chain = [];
    const walk = (each) => {
      if (!each || seen.has(each.id)) return;
      seen.add(each.id);
      chain.push(each);
      for (const other of items) if (other.superseded_by === each.id || each.replaces?.includes(other.id)) walk(other);
    };
    walk(item);
    chains.push(chain.sort((a, b) => (b.recorded ?? 0) - (a.recorded ?? 0)));
  }
  return chains.sort(
    (a, b) => Number(stands(b[0])) - Number(stands(a[0])) || (b[0].recorded ?? 0) - (a[0].recorded ?? 0),
  );
}

const stands = (item) => !item.superseded_by && !item.retracted_at && !item.forgotten;
const told = (item) => item.text || item.value || say("memory.forgotten");

function card(chain, hits) {
  const [top] = chain;
  return h(
    "li",
    { class: "memory", "data-item": top.id },
    h(
      "div",
      { class: "heading" },
      h("h3", {}, label(top.slot || top.category || top.kind)),
      h("small", {}, say(`kind.${top.kind}`)),
    ),
    h(
      "ol",
      { class: "chain" },
      chain.map((item) => row(item, hits?.has(item.id))),
    ),
    stands(top) &&
      !page.past &&
      may("write") &&
      h(
        "div",
        { class: "acts" },
        link(say("undo"), say("memory.undo_item", { name: told(top) }), `undo-${top.id}`, () => undo(top)),
        link(say("memory.replace"), say("memory.replace_item", { name: told(top) }), `replace-${top.id}`, () =>
          replace(top),
        ),
      ),
  );
}

function row(item, hit) {
  const on = stands(item);
  const about = [
    moment(item.recorded),
    item.relation && item.relation !== "NEW" ? say(`relation.${item.relation}`) : "",
    item.confidence != null && on ? say("memory.sure", { n: Math.round(item.confidence * 100) }) : "",
    item.details?.second_opinion ? say("memory.by_model", { name: item.details.second_opinion }) : "",
  ];
  return h(
    "li",
    { class: `${on ? "now" : ""}${hit ? " hit" : ""}` },
    h(on ? "span" : "del", { dir: "auto" }, told(item)),
    h(
      "small",
      {},
      about.filter(Boolean).join(" · "),
      item.words && [" · ", h("q", { dir: "auto" }, item.words.slice(0, 140))],
      " ",
      item.session === page.session?.id && why(item.version, `item-${item.id}`),
    ),
  );
}

function search(event) {
  query = event.target.value;
  clearTimeout(soon);
  soon = setTimeout(async () => {
    const asked = query.trim();
    const answer = asked ? await attempt(() => api.searchMemory(page.session.id, asked)) : null;
    if (asked !== query.trim()) return;
    found = answer?.items.filter(({ score }) => score >= FITS) ?? null;
    changed("memory");
  }, 200);
}

async function undo(item) {
  const { id } = page.session;
  const done = await attempt(() => api.undo(id, item.id));
  if (!done) return;
  notify(say("notice.undone", { name: told(item) }), null, id);
  recall();
}

/** A new value in place of the old one, which keeps its place in the chain. */
export async function replace(item) {
  const { id } = page.session;
  const given = await asked(
    say("memory.replace_title"),
    say("memory.replace_text", { name: told(item) }),
    [{ name: "value", label: label(item.slot || item.kind), value: told(item), required: true }],
    say("memory.replace_do"),
  );
  const value = given?.value.trim();
  if (!value || value === told(item)) return;
  const made = (await attempt(() => api.edit(id, item.id, value)))?.item;
  if (!made) return;
  const back = async () => {
    if (await attempt(() => api.undo(id, made.id))) notify(say("notice.restored"), null, id);
    recall();
  };
  notify(say("notice.changed", { name: label(item.slot || item.kind), value }), back, id);
  recall();
}
