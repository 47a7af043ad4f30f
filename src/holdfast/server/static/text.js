// Text of messages. A person's text is shown as typed; an agent's may have lists, bold, italics, code and fences.
// Every run of text knows its place in the source, so that the words a rule fired on can be marked in either.

import { h } from "./dom.js";

const INLINE = /(`[^`\n]+`)|(\*\*(?=\S)[^*\n]+\*\*)|(\*(?=\S)[^*\n]+\*)/g;
const ITEM = /^(\s*)(?:(\d{1,4})[.)]|[-*•])\s+/;
const FENCE = /^\s*```/;

/** Places in a text as the engine counts them (characters) to places as JavaScript does (UTF-16 units). */
export function placed(text, marks) {
  if (!/[\ud800-\udfff]/.test(text)) return marks;
  const starts = [0];
  for (const character of text) starts.push(starts.at(-1) + character.length);
  const at = (place) => starts[Math.min(place, starts.length - 1)];
  return marks.map((mark) => ({ ...mark, start: at(mark.start), end: at(mark.end) }));
}

/** A text as typed, with marks ({ start, end, key }). */
export const typed = (text, marks = []) => run(text, 0, text.length, placed(text, marks));

/** A text with light markup, with marks. */
export function written(text, marks = []) {
  const found = [];
  const lines = split(text);
  const spots = placed(text, marks);
  for (let place = 0; place < lines.length;) {
    const line = lines[place];
    if (!line.text.trim()) place += 1;
    else if (FENCE.test(line.text)) place = fence(text, lines, place, spots, found);
    else if (ITEM.test(line.text)) place = list(text, lines, place, spots, found);
    else place = paragraph(text, lines, place, spots, found);
  }
  return found;
}

function split(text) {
  let start = 0;
  return text.split("\n").map((line) => {
    const found = { text: line, start, end: start + line.length };
    start += line.length + 1;
    return found;
  });
}

function fence(text, lines, place, marks, found) {
  let end = place + 1;
  while (end < lines.length && !FENCE.test(lines[end].text)) end += 1;
  const inside = lines.slice(place + 1, end);
  const code = inside.length ? run(text, inside[0].start, inside.at(-1).end, marks) : [];
  found.push(h("pre", { tabIndex: 0 }, h("code", {}, code)));
  return end + 1;
}

function paragraph(text, lines, place, marks, found) {
  const parts = [];
  let end = place;
  for (
    ;
    end < lines.length &&
    lines[end].text.trim() &&
    !FENCE.test(lines[end].text) &&
    !(end > place && ITEM.test(lines[end].text));
    end += 1
  ) {
    const head = lines[end].text.match(/^#{1,6}\s+/);
    const body = inline(text, lines[end].start + (head?.[0].length ?? 0), lines[end].end, marks);
    if (end > place) parts.push(h("br"));
    parts.push(head ? h("strong", {}, body) : body);
  }
  found.push(h("p", {}, parts));
  return end;
}

/** A list; what is indented below an item belongs to it. */
function list(text, lines, place, marks, found) {
  const [, margin, number] = lines[place].text.match(ITEM);
  const made = h(number ? "ol" : "ul", number ? { start: Number(number) } : {});
  let item = null;
  while (place < lines.length) {
    const line = lines[place];
    const head = line.text.match(ITEM);
    const indent = line.text.match(/^\s*/)[0].length;
    if (head && indent <= margin.length) {
      if (indent < margin.length || Boolean(head[2]) !== Boolean(number)) break;
      item = h("li", {}, inline(text, line.start + head[0].length, line.end, marks));
      made.append(item);
      place += 1;
    } else if (head && item) {
      const below = [];
      place = list(text, lines, place, marks, below);
      item.append(...below);
    } else if (line.text.trim() && indent > margin.length && item && !FENCE.test(line.text)) {
      item.append(h("br"), ...inline(text, line.start + indent, line.end, marks));
      place += 1;
    } else if (!line.text.trim() && ITEM.test(lines[place + 1]?.text ?? "")) place += 1;
    else break;
  }
  found.push(made);
  return place;
}

function inline(text, start, end, marks) {
  const found = [];
  const source = text.slice(start, end);
  let from = 0;
  for (const hit of source.matchAll(INLINE)) {
    const [whole, code, bold] = hit;
    const wide = bold ? 2 : 1;
    found.push(...run(text, start + from, start + hit.index, marks));
    const inside = run(text, start + hit.index + wide, start + hit.index + whole.length - wide, marks);
    found.push(h(code ? "code" : bold ? "strong" : "em", {}, inside));
    from = hit.index + whole.length;
  }
  found.push(...run(text, start + from, end, marks));
  return found;
}

/** A run of plain text, cut where marks begin and end. */
function run(text, start, end, marks) {
  const inside = marks.filter((mark) => mark.start < end && mark.end > start);
  if (!inside.length) return start < end ? [text.slice(start, end)] : [];
  const cuts = [
    ...new Set([start, end, ...inside.flatMap((mark) => [Math.max(start, mark.start), Math.min(end, mark.end)])]),
  ];
  cuts.sort((a, b) => a - b);
  return cuts.slice(0, -1).map((from, place) => {
    const to = cuts[place + 1];
    const keys = inside.filter((mark) => mark.start <= from && mark.end >= to).map((mark) => mark.key);
    const piece = text.slice(from, to);
    return keys.length ? h("mark", { class: "hl", "data-lines": keys.join(" ") }, piece) : piece;
  });
}
