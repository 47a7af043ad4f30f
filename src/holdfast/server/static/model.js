// Who answers: the built-in agent, a model on this machine, or any endpoint that speaks the protocol of OpenAI. The
// choice is kept in this browser, its key only until the window is closed.

import * as api from "./api.js";
import { opened } from "./dialog.js";
import { h } from "./dom.js";
import { changed, packNow, page } from "./page.js";
import { explained } from "./talking.js";
import { say } from "./words.js";

const CHOICE = "holdfast.model";
const KEY = "holdfast.model-key";
const WAYS = ["built-in", "local", "address"];

/** What a message says about who answers it; nothing where the server's own choice stands. */
export function chosen() {
  const kept = page.about?.choice ? JSON.parse(localStorage.getItem(CHOICE) ?? "null") : null;
  if (!kept) return undefined;
  const key = sessionStorage.getItem(KEY) ?? "";
  return { where: kept.where, ...(kept.name && { name: kept.name }), ...(key && { key }) };
}

/** Who answers, in a few words. */
export function answering() {
  const choice = chosen();
  if (choice?.where === "local") return say("model.local_short");
  if (choice && choice.where !== "built-in") return choice.name || host(choice.where);
  const model = choice ? null : page.about?.model;
  if (model) return model.name ?? packNow()?.model ?? host(model.address);
  return say(packNow()?.answers === false ? "head.nobody" : "head.local");
}

function host(address) {
  try {
    return new URL(address).host;
  } catch {
    return address; // a known name, such as "ollama"
  }
}

/** Let the person choose. A model is tried before it is taken. */
export async function choose() {
  const kept = chosen() ?? { where: page.about?.model ? page.about.model.address : "built-in" };
  const way = WAYS.includes(kept.where) ? kept.where : "address";
  const wrong = h("p", { class: "wrong", role: "alert" });
  const own = h("fieldset", { class: "own", hidden: way !== "address" }, ...fields(kept, way));
  const radios = WAYS.map((each) => radio(each, each === way, own));
  await opened(
    say("model.title"),
    (close, buttons) => [
      h("p", {}, say("model.text")),
      h("div", { class: "ways", role: "radiogroup", "aria-label": say("model.title") }, radios),
      own,
      wrong,
      buttons(h("button", { type: "submit", class: "primary" }, say("model.do"))),
    ],
    (form) => take(form, wrong),
  );
}

function fields(kept, way) {
  const field = (name, label, value, more = {}) =>
    h(
      "label",
      { class: "field" },
      h("span", {}, label),
      h("input", { name, value, autocomplete: "off", spellcheck: false, ...more }),
    );
  const known = h("datalist", { id: "models" });
  return [
    field("address", say("model.address"), way === "address" ? kept.where : "", { placeholder: say("model.example") }),
    field("name", say("model.name"), kept.name ?? "", { list: "models" }),
    field("key", say("model.key"), sessionStorage.getItem(KEY) ?? "", { type: "password" }),
    known,
  ];
}

function radio(way, on, own) {
  const show = () => {
    own.hidden = way !== "address";
  };
  return h(
    "label",
    { class: "way-choice" },
    h("input", { type: "radio", name: "way", value: way, checked: on, onchange: show }),
    h("span", {}, h("b", {}, say(`model.${way}`)), h("small", {}, say(`model.${way}_text`))),
  );
}

/** Try what was chosen; false keeps the dialog open, with the reason in it. */
async function take(form, wrong) {
  const { way, address, name, key } = Object.fromEntries(new FormData(form));
  const where = way === "address" ? address.trim() : way;
  wrong.className = "wrong trying";
  wrong.textContent = say("model.trying");
  try {
    const found = await api.model({ where, name: name.trim() || null, key: key.trim() });
    const own = name.trim() || (found.names.length === 1 ? found.names[0] : "");
    if (way === "address" && found.names.length && !own && !found.name) {
      form.querySelector("datalist").replaceChildren(...found.names.map((value) => h("option", { value })));
      throw new api.Trouble(422, "", say("model.which", { names: found.names.slice(0, 6).join(", ") }));
    }
    localStorage.setItem(CHOICE, JSON.stringify({ where, name: way === "address" ? own : "" }));
    sessionStorage.setItem(KEY, way === "address" ? key.trim() : "");
    page.failed = null;
    changed("packs", "entries");
    return true;
  } catch (trouble) {
    if (!(trouble instanceof api.Trouble)) throw trouble;
    wrong.className = "wrong";
    wrong.textContent = explained(trouble).detail || explained(trouble).title;
    return false;
  }
}
