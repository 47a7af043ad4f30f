// Where the conversation is: what it came from, what it is in, as a path. The last part is where we are.

import { h } from "../dom.js";
import { slice } from "../page.js";
import { label, stepped } from "../telling.js";
import { say } from "../words.js";
import { section } from "./section.js";

export function topics() {
  const path = [...procedure(), ...tasks(), ...threads()].filter((each, at, all) => each && each !== all[at - 1]);
  if (!path.length) return null;
  return section(
    "topics",
    say("topics.title"),
    null,
    h(
      "ol",
      { class: "path", "aria-label": say("topics.title") },
      path.map((name, place) =>
        h("li", { dir: "auto", "aria-current": place === path.length - 1 ? "location" : null }, name),
      ),
    ),
  );
}

function procedure() {
  const { system, active } = slice("procedure");
  const { stack = [], mode } = slice("topics");
  const way = [system?.replaceAll("_", " "), active && stepped(active)];
  if (mode && mode !== "diagnostic") way.push(mode.replaceAll("_", " "));
  for (const topic of stack) way.push(topic.topic.toLowerCase().replaceAll("_", " "));
  return way.filter(Boolean);
}

function tasks() {
  const { paused = [], current } = slice("task");
  return [
    ...paused.map((task) => `${short(task.query)} (${say("task.paused")})`),
    current && short(current.query),
  ].filter(Boolean);
}

function threads() {
  const { thread = [], earlier = [] } = slice("threads");
  const name = (fields) => fields.map((each) => label(each.replaceAll("~", "")).toLowerCase()).join(", ");
  return [name(earlier), name(thread), name([slice("slots").topic].filter(Boolean))].filter(Boolean);
}

const short = (text) => (text.length > 48 ? `${text.slice(0, 48)}…` : text);
