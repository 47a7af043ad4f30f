// What can be pointed at, with ids: first what was listed last, by the numbers that "the second one" means, then what came
// up before. What the newest message points at is marked.

import { clearEntity } from "../acts.js";
import { h } from "../dom.js";
import { page, packNow, slice } from "../page.js";
import { say } from "../words.js";
import { section } from "./section.js";
import { cross } from "./slots.js";

export function entities() {
  const { entities: known = [], lists = [], pointed = [] } = slice("references");
  if (!known.length && !pointed.length) return null;
  const meant = new Set(pointed.map(sign));
  const listed = (lists[0]?.entities ?? []).map(sign);
  const rows = known.map((entity, index) => ({
    entity,
    index,
    number: listed.indexOf(sign(entity)) + 1 || (lists.length ? 0 : index + 1),
  }));
  rows.sort((a, b) => (a.number || Infinity) - (b.number || Infinity) || b.index - a.index);
  const title = say(packNow()?.name === "vibehuntr" ? "entities.venues" : "entities.title");
  return section(
    "entities",
    title,
    null,
    h(
      "ol",
      { class: "entities", "aria-label": title },
      rows.map((each) => row(each, meant.has(sign(each.entity)))),
    ),
    pointed
      .filter((each) => !known.some((other) => sign(other) === sign(each)))
      .map((each) => h("p", { class: "aside" }, say("entities.pointed", { name: each.name }))),
  );
}

const sign = (entity) => entity.id || entity.name.toLowerCase();

function row({ entity, index, number }, meant) {
  return h(
    "li",
    { class: meant ? "meant" : "", "aria-current": meant ? "true" : null },
    h("b", { class: "number", "aria-hidden": "true" }, number || "·"),
    h(
      "span",
      { class: "name", dir: "auto" },
      entity.name,
      meant && h("small", { class: "badge" }, say("entities.meant")),
    ),
    entity.id &&
      h("code", { title: entity.id, "aria-label": say("entities.id", { id: entity.id }) }, `(${brief(entity.id)})`),
    !page.past &&
      cross(say("slots.clear", { name: entity.name }), `entity-${sign(entity)}`, () => clearEntity(index, entity.name)),
  );
}

/** A long id, with its two ends. The whole one is in its title. */
const brief = (id) => (id.length > 14 ? `${id.slice(0, 5)}…${id.slice(-5)}` : id);
