// Files that the agent made: the picture, how often it was revised, the library and the code.

import { attempt, hand } from "../acts.js";
import * as api from "../api.js";
import { reveal } from "../chat.js";
import { h } from "../dom.js";
import { changed, page, slice } from "../page.js";
import { count, say } from "../words.js";
import { section } from "./section.js";

const PICTURES = new Set(["png", "jpg", "jpeg", "gif", "webp"]);
const pictures = new Map();

export function files() {
  const known = page.files ?? [];
  return section("files", say("files.title"), known.length ? String(known.length) : null,
    known.length ? h("ul", { class: "files" }, [...known].reverse().map(card)) : h("p", { class: "empty" }, say("files.empty")));
}

function card(file) {
  return h("li", { class: "file" },
    picture(file),
    h("div", { class: "heading" }, h("h3", { dir: "auto" }, file.name), h("small", {}, count("files.versions", (file.revisions ?? 0) + 1))),
    file.analysis && h("p", { class: "aside", dir: "auto" }, file.analysis),
    h("div", { class: "acts" },
      h("button", { type: "button", class: "link", key: `get-${file.name}`, "aria-label": say("files.download_file", { name: file.name }), onclick: () => download(file) }, say("files.download")),
      page.entries.has(file.touched) && h("button", { type: "button", class: "link", key: `why-${file.name}`, "aria-label": say("receipt.open", { n: file.touched }), onclick: () => { page.view = "chat"; changed("view"); reveal(file.touched); } }, say("why"))),
    code(file));
}

/** The code that made it: the newest task that names the file. */
function code(file) {
  const task = [...(slice("task_history").tasks ?? [])].reverse().find((each) => each.files?.includes(file.name) && each.memorized);
  return task && h("details", {}, h("summary", { key: `code-${file.name}` }, say("files.code")), h("pre", { tabIndex: 0 }, h("code", {}, task.memorized)));
}

const address = (file) => `/api/sessions/${encodeURIComponent(page.session.id)}/files/${encodeURIComponent(file.name)}`;

async function download(file) {
  const blob = await attempt(() => api.file(address(file)));
  if (blob) hand(blob, file.name);
}

function picture(file) {
  if (!PICTURES.has((file.type || file.name.split(".").at(-1)).toLowerCase())) return null;
  const image = h("img", { alt: file.analysis || file.name, loading: "lazy" });
  const key = `${address(file)}@${file.touched}`;
  const put = (source) => { image.src = source; };
  if (pictures.has(key)) put(pictures.get(key));
  else api.file(address(file)).then((blob) => { pictures.set(key, URL.createObjectURL(blob)); put(pictures.get(key)); }, () => { image.hidden = true; });
  return image;
}
