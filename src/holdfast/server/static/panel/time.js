// A slider through time: what was known after any message.

import { look, now, restore } from "../acts.js";
import { h } from "../dom.js";
import { page } from "../page.js";
import { say } from "../words.js";
import { section } from "./section.js";

let soon = 0;

export function time() {
  const last = page.state?.version ?? 0;
  if (last < 2) return null;
  const at = page.past?.version ?? last;
  const slider = h("input", {
    type: "range",
    key: "time",
    min: 1,
    max: last,
    step: 1,
    value: String(at),
    "aria-label": say("time.title"),
    "aria-valuetext": say("time.place", { n: at, of: last }),
    oninput: (event) => {
      clearTimeout(soon);
      const to = Number(event.target.value);
      soon = setTimeout(() => look(to), 60);
    },
  });
  slider.style.setProperty("--filled", `${last > 1 ? (100 * (at - 1)) / (last - 1) : 100}%`);
  return section(
    "time",
    say("time.title"),
    page.past ? say("time.place", { n: at, of: last }) : say("time.now"),
    slider,
    page.past &&
      h(
        "div",
        { class: "buttons" },
        h("button", { key: "time-now", onclick: now }, say("past.back")),
        h("button", { key: "time-restore", onclick: () => restore(page.past.version) }, say("time.restore")),
      ),
  );
}
