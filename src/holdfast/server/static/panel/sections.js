// The right side: tabs, and in each tab its sections. A section is one file here; it gives its elements, or nothing when
// there is nothing to show for this pack.

import { fetchFiles, recall } from "../acts.js";
import { fill, h } from "../dom.js";
import { able, changed, page, when } from "../page.js";
import { say } from "../words.js";
import { chain } from "./chain.js";
import { entities } from "./entities.js";
import { evidence } from "./evidence.js";
import { files } from "./files.js";
import { insights } from "./insights.js";
import { remembered } from "./memory.js";
import { plan } from "./plan.js";
import { questions } from "./questions.js";
import { raw } from "./raw.js";
import { sent } from "./sent.js";
import { beyond, slots } from "./slots.js";
import { time } from "./time.js";
import { topics } from "./topics.js";

const place = document.getElementById("panel");
const tabs = h("div", { class: "tabs", role: "tablist" });
const inside = h("div", { class: "inside", role: "tabpanel", id: "tabpanel", tabIndex: -1 });
const SECTIONS = {
  now: [slots, beyond, entities, questions, topics, plan, evidence, chain, sent, time, raw],
  memory: [remembered, insights],
  files: [files],
};
let known = { memory: [], files: [] };

export function begin() {
  when(["state", "past", "turns", "words", "session", "tab", "memory", "files", "slot", "entries", "sent"], draw);
  when(["state", "session"], refresh);
  fill(place, tabs, inside);
}

/** What is not in the state is fetched again when the part of the state that it rests on has changed. */
function refresh() {
  if (!page.session) return;
  const { state, past } = page;
  const memory = [state?.slices?.memory, state?.user?.memory, state?.project?.memory, past];
  if (able("memory") && (page.memory === null || differ(memory, known.memory))) recall();
  const files = [state?.slices?.files, past];
  if (able("files") && (page.files === null || differ(files, known.files))) fetchFiles();
  known = { memory, files };
}

const differ = (now, then) => now.some((each, place) => each !== then[place]);

function draw() {
  const open = ["now", able("memory") && page.session && "memory", able("files") && page.session && "files"].filter(
    Boolean,
  );
  if (!open.includes(page.tab)) page.tab = "now";
  place.setAttribute("aria-label", say("panel.label"));
  tabs.hidden = open.length < 2;
  tabs.setAttribute("aria-label", say("panel.label"));
  fill(
    tabs,
    open.map((name) => tab(name, open)),
  );
  inside.setAttribute("aria-label", say(`tab.${page.tab}`));
  fill(
    inside,
    page.past && h("p", { class: "then" }, say("past.banner", { n: page.past.version, of: page.state.version })),
    SECTIONS[page.tab].map((each) => each()),
  );
  if (page.scroll) inside.querySelector(`#${page.scroll}`)?.scrollIntoView({ block: "start" });
  page.scroll = null;
}

function tab(name, open) {
  const on = page.tab === name;
  const move = (event) => {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!way) return;
    const next = open[(open.indexOf(name) + way + open.length) % open.length];
    choose(next);
    queueMicrotask(() => tabs.querySelector(`[data-key="tab-${next}"]`)?.focus());
  };
  return h(
    "button",
    {
      role: "tab",
      key: `tab-${name}`,
      "aria-selected": String(on),
      "aria-controls": "tabpanel",
      tabIndex: on ? 0 : -1,
      onclick: () => choose(name),
      onkeydown: move,
    },
    say(`tab.${name}`),
  );
}

function choose(name) {
  page.tab = name;
  changed("tab");
}
