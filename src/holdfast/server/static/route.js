// The head of the conversation: its title, what one can do with the whole of it, and how the newest message was taken:
// what it continues, who got it and why, how long deciding took.

import { download, erase, now, rename, turn } from "./acts.js";
import { copyButton } from "./actions.js";
import { fill, h, PENCIL, tool } from "./dom.js";
import { entriesInOrder, lastHeard, may, page, slice, title, when } from "./page.js";
import { label, reason, stepped } from "./telling.js";
import { language, say } from "./words.js";

const place = document.getElementById("route");
const DOWN = "M8 2v8M4.5 7 8 10.5 11.5 7M3 13.5h10";
const BIN = "M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9";

export function begin() {
  when(["entries", "turns", "state", "past", "stand", "words", "session", "sessions"], draw);
}

function draw() {
  const heard = lastHeard();
  if (heard && page.session) turn(heard.version);
  const told = heard && page.turns.get(heard.version);
  const name = title() || say("nav.untitled");
  document.title = page.session ? `${name} · Holdfast` : "Holdfast";
  place.hidden = !page.session;
  fill(
    place,
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
      h("h1", { class: "title", dir: "auto", title: name }, name),
      page.stand !== "live" &&
        page.stand !== "none" &&
        h("span", { class: `stand ${page.stand}`, role: "status" }, say(`stand.${page.stand}`)),
      page.session && tools(),
    ),
    h("p", { class: "way" }, told ? way(told) : say("route.none")),
  );
}

function tools() {
  return h(
    "div",
    { class: "tools shown" },
    may("write") && tool(PENCIL, say("rename"), "rename", rename),
    copyButton(transcript(), say("copy_all")),
    tool(DOWN, say("export"), "export", download),
    may("erase") && tool(BIN, say("erase"), "erase", erase),
  );
}

/** The conversation as text. */
const transcript = () =>
  entriesInOrder()
    .filter((entry) => entry.text != null && !entry.taken_back)
    .map((entry) => `${entry.role === "person" ? say("chat.you") : (entry.agent ?? say("chat.agent"))}: ${entry.text}`)
    .join("\n\n");

function way(told) {
  const { route, intent } = told;
  const parts = [];
  const before = route.follow_up ? continued(route) : "";
  if (before) parts.push([h("span", { title: route.indicator ?? "" }, say("route.continuing")), " ", h("i", {}, before)]);
  if (route.replan) parts.push([say("route.replan")]);
  parts.push([
    say("route.to"),
    " ",
    h("i", {}, route.agent),
    route.task_type && [" ", h("small", {}, `(${route.task_type})`)],
    route.reason && h("span", { class: "reason" }, " ", say("route.because", { reason: reason(route) })),
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
  if (step) return `${(slice("procedure").system ?? "").replaceAll("_", " ")}, ${stepped(step)}`;
  return slice("threads").thread?.join(", ") ?? "";
}

function took(milliseconds) {
  return h(
    "span",
    { class: "took", title: say("route.took") },
    say("ms", { n: new Intl.NumberFormat(language(), { maximumSignificantDigits: 2 }).format(milliseconds) }),
  );
}
