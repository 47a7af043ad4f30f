// Files that the agent made: the picture, how often it was revised, the library and the code.

import { attempt, hand } from "../acts.js";
import * as api from "../api.js";
import { why } from "../chat.js";
import { h, link } from "../dom.js";
import { changed, page, slice } from "../page.js";
import { picture } from "../pictures.js";
import { count, moment, say } from "../words.js";
import { section } from "./section.js";

/** The version of a file that is looked at, by name; without one, the newest. */
const chosen = new Map();

export function files() {
  const known = page.files ?? [];
  return section(
    "files",
    say("files.title"),
    known.length ? String(known.length) : null,
    known.length ? h("ul", { class: "files" }, known.map(card)) : h("p", { class: "empty" }, say("files.empty")),
  );
}

function card(file) {
  const at = file.versions.find((each) => each.version === chosen.get(file.name)) ?? file.versions.at(-1);
  return h(
    "li",
    { class: "file" },
    at && picture(file, at),
    h(
      "div",
      { class: "heading" },
      h("h3", { dir: "auto" }, file.name),
      h("small", {}, count("files.versions", Math.max(1, file.versions.length))),
    ),
    file.versions.length > 1 && versions(file, at),
    file.analysis && h("p", { class: "aside", dir: "auto" }, file.analysis),
    h(
      "div",
      { class: "acts" },
      at &&
        link(say("files.download"), say("files.download_file", { name: file.name }), `get-${file.name}`, () =>
          download(file, at.url),
        ),
      why(file.touched, `why-${file.name}`),
    ),
    code(file),
  );
}

/** Every version, oldest first. */
function versions(file, at) {
  return h(
    "div",
    { class: "versions", role: "group", "aria-label": say("files.versions_of", { name: file.name }) },
    file.versions.map((each, place) =>
      h(
        "button",
        {
          class: "pill",
          key: `file-${file.name}-${each.version}`,
          "aria-pressed": String(each === at),
          "aria-label": say("files.version", { n: place + 1 }),
          title: moment(each.time),
          onclick: () => {
            chosen.set(file.name, each.version);
            changed("files");
          },
        },
        place + 1,
      ),
    ),
  );
}

/** The code that made it: the newest task that names the file. */
function code(file) {
  const task = [...(slice("task_history").tasks ?? [])]
    .reverse()
    .find((each) => each.files?.includes(file.name) && each.memorized);
  return (
    task &&
    h(
      "details",
      {},
      h("summary", { key: `code-${file.name}` }, say("files.code")),
      h("pre", { tabIndex: 0 }, h("code", {}, task.memorized)),
    )
  );
}

async function download(file, url = file.url) {
  const blob = await attempt(() => api.file(url));
  if (blob) hand(blob, file.name);
}
