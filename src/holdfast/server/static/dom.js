// Building the page. Text always goes in as text: nothing here (or anywhere else in these files) parses markup.

/** An element. `props` are properties, `on…` listeners, `aria-…`/`data-…`/`role` attributes and `class`. */
export function h(tag, props = {}, ...children) {
  const made = document.createElement(tag);
  if (tag === "button") made.type = "button"; // one that sends a form says so itself
  for (const [name, value] of Object.entries(props ?? {})) set(made, name, value);
  put(made, children);
  return made;
}

/** An icon of a few strokes on a 16 × 16 field; it says nothing to a screen reader. */
export function icon(path) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

export const PENCIL = "M3 13l.7-3L10.5 3.2a1.4 1.4 0 0 1 2 2L5.8 12.2z";

/** A small button that is only an icon. */
export const tool = (path, name, key, onclick, looks = "tool") =>
  h("button", { class: looks, key, "aria-label": name, title: name, onclick }, icon(path));

/** A button that looks like a link; `name` says more than its text. */
export const link = (text, name, key, onclick) => h("button", { class: "link", key, "aria-label": name, onclick }, text);

/** Puts new children in place of the old ones. Keeps the focus where it was, by the `data-key` of the focused one. */
export function fill(place, ...children) {
  const held = place.contains(document.activeElement) ? document.activeElement : null;
  const key = held?.dataset.key;
  const [start, end] = held && "selectionStart" in held ? [held.selectionStart, held.selectionEnd] : [];
  const scrolled = place.scrollTop;
  place.replaceChildren();
  put(place, children);
  place.scrollTop = scrolled;
  if (!key) return;
  const again = [...place.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key);
  again?.focus({ preventScroll: true });
  if (again && start != null) {
    try {
      again.setSelectionRange(start, end);
    } catch {
      /* a kind of field that has no selection */
    }
  }
}

function set(made, name, value) {
  if (value == null || value === false) return;
  if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
  else if (name === "class") made.className = value;
  else if (name === "key") made.dataset.key = value;
  else if (name in made && !name.includes("-") && name !== "role" && name !== "list") made[name] = value;
  else made.setAttribute(name, value === true ? "" : String(value));
}

function put(place, children) {
  for (const child of children.flat(3)) {
    if (child != null && child !== false) place.append(child);
  }
}
