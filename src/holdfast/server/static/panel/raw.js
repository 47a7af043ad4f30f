// All that is known, as the API tells it: for whatever has no place of its own on the page.

import { h } from "../dom.js";
import { shown } from "../page.js";
import { say } from "../words.js";
import { section } from "./section.js";

let open = false;

export function raw() {
  const state = shown();
  if (!state) return null;
  const toggled = (event) => {
    open = event.target.open;
    if (open && !event.target.querySelector("pre")) event.target.append(text(state));
  };
  return section(
    "raw",
    say("raw.title"),
    null,
    h("details", { open, ontoggle: toggled }, h("summary", { key: "raw" }, say("raw.show")), open && text(state)),
  );
}

/** Written only when somebody looks. */
function text({ slices, project, user }) {
  const told = { ...filled(slices), ...(project && { project: filled(project) }), ...(user && { user: filled(user) }) };
  return h("pre", { tabIndex: 0 }, JSON.stringify(told, null, 2).slice(0, 60000));
}

const filled = (slices) => Object.fromEntries(Object.entries(slices).filter(([, slice]) => Object.keys(slice).length));
