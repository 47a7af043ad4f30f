// What can be pointed at, in the order in which it came up, with ids; what the newest message points at is marked.

import { clearEntity } from "../acts.js";
import { h } from "../dom.js";
import { page, packNow, slice } from "../page.js";
import { say } from "../words.js";
import { section } from "./section.js";
import { cross } from "./slots.js";

export function entities() {
  const { entities: known = [], pointed = [] } = slice("references");
  if (!known.length && !pointed.length) return null;
  const meant = new Set(pointed.map(sign));
  const title = say(packNow()?.name === "vibehuntr" ? "entities.venues" : "entities.title");
  return section("entities", title, null,
    h("ol", { class: "entities", "aria-label": title }, known.map((each, place) => row(each, place, meant.has(sign(each))))),
    pointed.filter((each) => !known.some((other) => sign(other) === sign(each))).map((each) => h("p", { class: "aside" }, say("entities.pointed", { name: each.name }))));
}

const sign = (entity) => entity.id || entity.name.toLowerCase();

function row(entity, place, meant) {
  return h("li", { class: meant ? "meant" : "", "aria-current": meant ? "true" : null },
    h("b", { class: "number", "aria-hidden": "true" }, place + 1),
    h("span", { class: "name", dir: "auto" }, entity.name, meant && h("small", { class: "badge" }, say("entities.meant"))),
    entity.id && h("code", { title: entity.id, "aria-label": say("entities.id", { id: entity.id }) }, `(${brief(entity.id)})`),
    !page.past && cross(say("slots.clear", { name: entity.name }), `entity-${sign(entity)}`, () => clearEntity(place, entity.name)));
}

/** A long id, with its two ends. The whole one is in its title. */
const brief = (id) => (id.length > 14 ? `${id.slice(0, 5)}…${id.slice(-5)}` : id);
