// The plan with its steps and how far it has come. For a diagnosis, the steps that were answered and the one that is open.

import { attempt } from "../acts.js";
import * as api from "../api.js";
import { h, link } from "../dom.js";
import { page, slice } from "../page.js";
import { stepped } from "../telling.js";
import { say } from "../words.js";
import { section } from "./section.js";

const SIGNS = { done: "✓", running: "▸", failed: "✕", skipped: "–", open: "○" };

export function plan() {
  const task = slice("task").current;
  if (task?.plan?.steps?.length) return ofTask(task);
  const { closed, active } = slice("procedure");
  return closed || active ? ofProcedure(closed ?? {}, active) : null;
}

function ofTask(task) {
  const steps = task.plan.steps;
  const done = steps.filter((step) => step.state === "done").length;
  return section(
    "plan",
    say("plan.title"),
    say("plan.progress", { done, of: steps.length }),
    bar(done, steps.length),
    h(
      "ol",
      { class: "steps" },
      steps.map((step) =>
        row(
          step.state ?? "open",
          step.text,
          step.reason || step.stale,
          !page.past && (step.state ?? "open") !== "done" && mark(step.number),
        ),
      ),
    ),
    task.plan.confidence === "low" && h("p", { class: "aside" }, say("plan.low")),
  );
}

const mark = (number) =>
  link(say("plan.mark"), say("plan.mark_step", { n: number }), `step-${number}`, () =>
    attempt(() => api.step(page.session.id, number, "done")),
  );

function ofProcedure(closed, active) {
  const asked = new Map(
    [...(slice("guard").actions ?? [])]
      .reverse()
      .filter((each) => each.step && each.type === "question")
      .map((each) => [each.step, brief(each.content)]),
  );
  const rows = Object.entries(closed)
    .sort(([, a], [, b]) => (a.version ?? 0) - (b.version ?? 0))
    .map(([step, { how, value }]) =>
      row(how === "answered" ? "done" : "skipped", asked.get(step) ?? stepped(step), value || how),
    );
  if (active && !(active in closed)) rows.push(row("running", asked.get(active) ?? stepped(active), ""));
  const done = Object.keys(closed).length;
  return section("plan", say("plan.title"), say("plan.closed", { done }), h("ol", { class: "steps" }, rows));
}

/** The last question of a text: what stands before it is explanation. */
function brief(text) {
  const asked = text.match(/[^.!?]*\?\s*$/)?.[0].trim() || text;
  return asked.length > 160 ? `${asked.slice(0, 160)}…` : asked;
}

function row(state, text, reason, act = null) {
  return h(
    "li",
    { class: state },
    h("span", { class: "sign", role: "img", "aria-label": say(`step.${state}`) }, SIGNS[state] ?? "○"),
    h("span", { class: "text", dir: "auto" }, text, reason && h("small", {}, reason)),
    act,
  );
}

function bar(done, of) {
  const inner = h("i");
  inner.style.width = `${Math.round((100 * done) / of)}%`;
  return h(
    "div",
    {
      class: "bar",
      role: "progressbar",
      "aria-valuemin": 0,
      "aria-valuemax": of,
      "aria-valuenow": done,
      "aria-label": say("plan.title"),
    },
    inner,
  );
}
