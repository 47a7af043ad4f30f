// The line above the chat: what the newest message continues, where it went and why, how long deciding took; and what
// one can do with the whole conversation.

import { download, erase, now, turn } from "./acts.js";
import { fill, h } from "./dom.js";
import { lastHeard, may, page, slice, title, when } from "./page.js";
import { label, reason } from "./telling.js";
import { language, say } from "./words.js";

const place = document.getElementById("route");

export function begin() {
  when(["entries", "turns", "state", "past", "stand", "words", "session", "sessions"], draw);
}

function draw() {
  const heard = lastHeard();
  if (heard && page.session) turn(heard.version);
  const told = heard && page.turns.get(heard.version);
  document.title = page.session ? `${title() || say("nav.untitled")} · Holdfast` : "Holdfast";
  place.hidden = !page.session;
  fill(
    place,
    page.session && h("h1", { class: "unseen" }, title() || say("nav.untitled")),
    page.past &&
      h(
        "div",
        { class: "past", role: "status" },
        h("span", {}, say("past.banner", { n: page.past.version, of: page.state.version })),
        h("button", { class: "plain-button", key: "now", onclick: now }, say("past.back")),
      ),
    h(
      "div",
      { class: "line" },
      h("p", { class: "way" }, told ? way(told, heard.receipt) : say("route.none")),
      page.stand !== "live" &&
        page.stand !== "none" &&
        h("span", { class: `stand ${page.stand}`, role: "status" }, say(`stand.${page.stand}`)),
      h("button", { class: "quiet-button", key: "export", onclick: download }, say("export")),
      may("erase") && h("button", { class: "quiet-button", key: "erase", onclick: erase }, say("erase")),
    ),
  );
}

function way(told, receipt) {
  const { route, intent } = told;
  const parts = [];
  const before = route.follow_up ? continued(route) : "";
  if (route.follow_up)
    parts.push([
      h("span", { title: route.indicator ?? "" }, say("route.continuing")),
      before && [" ", h("i", {}, before)],
    ]);
  if (route.replan) parts.push([say("route.replan")]);
  parts.push([
    say("route.to"),
    " ",
    h("i", {}, route.agent),
    route.task_type && [" ", h("small", {}, `(${route.task_type})`)],
    route.reason && h("span", { class: "reason" }, " ", say("route.because", { reason: reason(route, receipt) })),
  ]);
  if (intent) parts.push([say("route.intent"), " ", h("i", {}, label(intent.type).toLowerCase())]);
  if (told.question) parts.push([say("route.open")]);
  parts.push([took(told.took)]);
  return parts.flatMap((part, at) =>
    at ? [h("span", { class: "dot", "aria-hidden": "true" }, " · "), ...part.flat(3)] : part.flat(3),
  );
}

/** What the message goes on with: the task, the search, or the topic. */
function continued(route) {
  const task = slice("task").current?.query;
  const search = slice("slots").values?.search_query?.value;
  const topics = slice("topics").stack?.at(-1)?.topic;
  const step = slice("procedure").active;
  const cut = (text) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
  if (task) return cut(task); // a side question in between was the previous query, but not what goes on
  if (route.previous_query) return cut(route.previous_query);
  if (search) return `${label("search_query").toLowerCase()}: ${search}`;
  if (topics) return topics;
  if (step) return `${(slice("procedure").system ?? "").replaceAll("_", " ")} ${step}`.trim();
  return slice("threads").thread?.join(", ") ?? "";
}

function took(milliseconds) {
  return h(
    "span",
    { class: "took", title: say("route.took") },
    say("ms", { n: new Intl.NumberFormat(language(), { maximumSignificantDigits: 2 }).format(milliseconds) }),
  );
}
