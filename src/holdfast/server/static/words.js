// What the page says, in the language that was chosen. A language is a column of words.tsv.

const LANGUAGE = "holdfast.language";
let tables = { en: {} };
let current = "en";
/** Languages of the interface: code → its own name. */
export let languages = {};

/** Load the table; what a language lacks is said in English. */
export async function begin() {
  const text = await (await fetch("/words.tsv")).text();
  const [[, ...codes], ...rows] = text.split("\n").filter((row) => row && !row.startsWith("#")).map((row) => row.split("\t"));
  tables = Object.fromEntries(codes.map((code) => [code, {}]));
  for (const [name, ...cells] of rows)
    codes.forEach((code, place) => cells[place] && (tables[code][name] = cells[place]));
  languages = Object.fromEntries(codes.map((code) => [code, tables[code].language]));
  const wished = localStorage.getItem(LANGUAGE) ?? navigator.language.slice(0, 2);
  speak(wished in languages ? wished : "en", false);
}

/** Change the language. */
export function speak(language, keep = true) {
  current = language;
  document.documentElement.lang = language;
  if (keep) localStorage.setItem(LANGUAGE, language);
}

export const language = () => current;

/** The words of a name, with {places} filled in. A name that no table has is shown as it is, without its folder. */
export function say(name, values = {}) {
  const found = tables[current]?.[name] ?? tables.en[name];
  return fillIn(found ?? name.slice(name.indexOf(".") + 1), values);
}

/** Whether a table has words for a name. */
export const knows = (name) => name in (tables[current] ?? {}) || name in tables.en;

/** The words for a number of things: "turns" has the forms that the language's plural rules name. */
export function count(name, number) {
  const form = new Intl.PluralRules(current).select(number);
  const forms = [`${name}.${form}`, `${name}.other`];
  const found = forms.find((each) => each in tables[current]) ?? forms.find(knows) ?? name; // English only where none is
  return say(found, { n: new Intl.NumberFormat(current).format(number) });
}

/** A list of the example messages and the like: "examples.grace.1", "examples.grace.2" … */
export function several(name) {
  const found = [];
  for (let place = 1; knows(`${name}.${place}`); place += 1) found.push(say(`${name}.${place}`));
  return found;
}

/** How long ago something was. */
export function ago(iso) {
  const seconds = (new Date(iso).getTime() - Date.now()) / 1000;
  const steps = [
    [60, "second", 1],
    [3600, "minute", 60],
    [86400, "hour", 3600],
    [Infinity, "day", 86400],
  ];
  const [, unit, size] = steps.find(([below]) => Math.abs(seconds) < below);
  return new Intl.RelativeTimeFormat(current, { numeric: "auto", style: "short" }).format(
    Math.round(seconds / size),
    unit,
  );
}

/** A moment, short. */
export function moment(value) {
  const at = typeof value === "number" ? new Date(value * 1000) : new Date(value);
  const today = at.toDateString() === new Date().toDateString();
  const form = today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
  return new Intl.DateTimeFormat(current, form).format(at);
}

function fillIn(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
