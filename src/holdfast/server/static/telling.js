// Receipts in words. A line names a template and its fields; the server has the templates in every language. Values stay
// as they were said, and a line of an old log without a template is shown as it is.

import * as api from "./api.js";
import { knows, language, say } from "./words.js";

let words = { texts: {}, named: [] };

/** Fetch the table of the language of the page. Without one, lines are shown as the engine tells them. */
export async function learn() {
  words = await api.words(language()).catch(() => words);
}

/** Verbs that are not shown under a message: they repeat every turn, or have a place of their own on the page. */
const QUIET = new Set([
  "injected",
  "understood",
  "routed",
  "linked",
  "opened",
  "mentioned",
  "weighed",
  "asked",
  "left out",
  "bound",
  "recorded",
  "renamed",
  "restored",
  "turned",
]);
/** Verbs of the guard. */
const GUARD = new Set(["flagged", "held back"]);
/** Characters of a line under a message, and how many things it lists. */
const LINE_CHARS = 90;
const LISTED = 4;

/** A name of a slot or key for people: what the table says, or the name without its folder and underscores. */
export function label(name) {
  const known = called(name.startsWith("other/") ? "other" : name); // "other/…": the value says all
  return known.charAt(0).toUpperCase() + known.slice(1);
}

const called = (name) => words.texts[`name.${name}`] ?? name.split("/").at(-1).replaceAll("_", " ");

/** A step of a procedure by its number: its id ("wp_2") is for programs. */
export const stepped = (step) => say("step.name", { n: step.match(/\d+\w?$/)?.[0] ?? step.replaceAll("_", " ") });

/** A value of a slot as people say it. */
export function valued(name, value) {
  if (name === "price_level") return `≤ ${"$".repeat(Number(value) || 1)}`;
  return knows(`told.${name}`) ? say(`told.${name}`, { value }) : value;
}

/** A verb of a receipt. */
export const verb = (did) => words.texts[`did.${did}`] ?? did;

/** What a line is about, in a few words. */
export const what = (line) => (line.said ? filled(line.said) : line.what);

/** Why a message went where it went. */
export const reason = (route) => (route.said ? filled(route.said) : route.reason);

function filled(said) {
  const { template, fields = {} } = said;
  return (words.texts[template] ?? template).replace(/\{(\w+)\}/g, (_, place) => {
    const field = fields[place] ?? "";
    if (typeof field === "object") return filled(field);
    if (place === "step" || place === "steps") return field.replace(/\b[a-z]+_(\d+\w?)\b/g, "$1"); // its number
    if (place === "system") return field.replaceAll("_", " ");
    if (words.named.includes(place)) return place === "slot" ? label(field) : called(field);
    return fields.slot && ["value", "old"].includes(place) ? valued(fields.slot, field) : field;
  });
}

/** The parts of the line under a message: [verb, what] each, the same verb together. */
export function summary(receipt) {
  const groups = new Map();
  for (const line of receipt?.lines ?? []) {
    if (QUIET.has(line.did) || GUARD.has(line.did) || line.said?.fields?.state === "running") continue;
    const told = groups.get(line.did) ?? new Set(); // a name that is kept in two places was learned once
    groups.set(line.did, told.add(short(what(line))));
  }
  return [...groups].map(([did, lines]) => [verb(did), listed([...lines])]);
}

/** A few things in a row; a word that all begin with ("venue …, venue …") is said once. */
function listed(lines) {
  const [first] = lines[0].split(" ");
  const same = lines.length > 1 && lines.every((line) => line.startsWith(`${first} `) && !first.endsWith(":"));
  const told = lines.map((line, place) => (same && place ? line.slice(first.length + 1) : line));
  return told.slice(0, LISTED).join(", ") + (told.length > LISTED ? ` … +${told.length - LISTED}` : "");
}

/** What the guard had to say about a message. */
export const guarded = (receipt) => (receipt?.lines ?? []).filter((line) => GUARD.has(line.did));

/** Whether a turn changed what is known, so that it can be undone. */
export const changes = (receipt) =>
  (receipt?.lines ?? []).some((line) => ["learned", "superseded", "retracted", "cleared"].includes(line.did));

/** Where the words stand that counted most in a learned decision. */
const counted = (line) => line.by?.marks ?? [];

/** The marks of a message: the words that lines of any receipt point at. */
export function marks(version, receipts) {
  const found = [];
  for (const receipt of receipts) {
    receipt.lines.forEach((line, place) => {
      if ((line.version ?? receipt.version) !== version) return;
      const key = `${receipt.version}-${place}`;
      if (line.span && line.words) found.push({ start: line.span[0], end: line.span[1], key });
      for (const [start, end] of counted(line)) found.push({ start, end, key });
    });
  }
  return found;
}

/** A line as short as it can be: ids and places of files are in the receipt. */
const short = (text) =>
  cut(
    text
      .replace(/ \([\w-]{15,}\)/g, "")
      .replace(/ at \S+\/\S+/, "")
      .replace(/^[a-z]+(_[a-z]+)+/, (name) => name.replaceAll("_", " ")),
  );
const cut = (text) => (text.length > LINE_CHARS ? `${text.slice(0, LINE_CHARS)}…` : text);
