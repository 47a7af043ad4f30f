// Receipts in words. The engine's lines are short English ("location = Porto (was Lisbon)"); verbs and names of slots
// are said in the language of the page, values stay as they are.

import { knows, say } from "./words.js";

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
]);
/** Verbs of the guard. */
const GUARD = new Set(["flagged", "held back"]);
const ASIDE = /\s*\[(NEW|CHANGES|CORRECTS|CONFIRMS|EXTENDS|resolved|[A-Z_]+)\]$/;
const LONGEST = 90;
const MOST = 4;

/** A name of a slot or key for people: what the table says, or the name without its underscores. */
export function label(name) {
  if (name.startsWith("other/")) return say("slot.other"); // no slot is declared for it: the value says all
  if (knows(`slot.${name}`)) return say(`slot.${name}`);
  const bare = name.split("/").at(-1).replaceAll("_", " ");
  return bare.charAt(0).toUpperCase() + bare.slice(1);
}

/** A value of a slot as people say it. */
export function valued(name, value) {
  if (name === "price_level") return `≤ ${"$".repeat(Number(value) || 1)}`;
  return knows(`told.${name}`) ? say(`told.${name}`, { value }) : value;
}

/** A verb of a receipt. */
export const verb = (did) => say(`did.${did.replaceAll(" ", "_")}`);

/** What a line is about, in a few words. */
export function what(line) {
  const text = line.what.replace(ASIDE, "");
  if (line.did === "cleared") return text === "everything" ? say("line.everything") : label(text);
  const back = line.did === "restored" && text.match(/^what was known at version (\d+)$/);
  if (back) return say("line.restored", { n: back[1] });
  const pair = text.match(/^([\w/]+) = (.*)$/s) ?? text.match(/^([a-z_]+(?:\/[\w-]+)?): (.*)$/s);
  if (!pair) return text;
  const [, name, rest] = pair;
  const was = rest.match(/^(.*) \(was (.*)\)$/s);
  if (was) return `${label(name)}: ${valued(name, was[2])} → ${valued(name, was[1])}`;
  const [, value, aside = ""] = rest.match(/^(.*?)( \([^()]*\))?$/s);
  return `${label(name)}: ${valued(name, value)}${aside}`;
}

/** The parts of the line under a message: [verb, what] each, the same verb together. */
export function summary(receipt) {
  const groups = new Map();
  for (const line of receipt?.lines ?? []) {
    if (QUIET.has(line.did) || GUARD.has(line.did) || / running$/.test(line.what)) continue;
    groups.set(line.did, [...(groups.get(line.did) ?? []), short(what(line))]);
  }
  return [...groups].map(([did, lines]) => [verb(did), listed(lines)]);
}

/** A few things in a row; a word that all begin with ("venue …, venue …") is said once. */
function listed(lines) {
  const [first] = lines[0].split(" ");
  const same = lines.length > 1 && lines.every((line) => line.startsWith(`${first} `) && !first.endsWith(":"));
  const told = lines.map((line, place) => (same && place ? line.slice(first.length + 1) : line));
  return told.slice(0, MOST).join(", ") + (told.length > MOST ? ` … +${told.length - MOST}` : "");
}

/** What the guard had to say about a message. */
export const guarded = (receipt) => (receipt?.lines ?? []).filter((line) => GUARD.has(line.did));

/** Whether a turn changed what is known, so that it can be undone. */
export const changes = (receipt) =>
  (receipt?.lines ?? []).some((line) => ["learned", "superseded", "retracted", "cleared"].includes(line.did));

/** The marks of a message: the words that lines of any receipt point at. */
export function marks(version, receipts) {
  const found = [];
  for (const receipt of receipts) {
    receipt.lines.forEach((line, place) => {
      if (line.span && (line.version ?? receipt.version) === version)
        found.push({ start: line.span[0], end: line.span[1], key: `${receipt.version}-${place}` });
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
const cut = (text) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
