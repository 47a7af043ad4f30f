// Dialogs. The browser's own <dialog> keeps the focus inside and closes with Escape.

import { h } from "./dom.js";
import { say } from "./words.js";

/** Ask before something that cannot be taken back. */
export function confirmed(title, text, label) {
  return opened(
    title,
    (close) => [h("p", {}, text), buttons(close, h("button", { type: "submit", class: "danger" }, label))],
    () => true,
  ).then(Boolean);
}

/** Ask for values: fields are { name, label, value, type, hint }. Resolves to { name: value } or null. */
export function asked(title, text, fields, label) {
  return opened(
    title,
    (close) => [
      text && h("p", {}, text),
      fields.map((field) =>
        h(
          "label",
          { class: "field" },
          h("span", {}, field.label),
          h("input", {
            name: field.name,
            value: field.value ?? "",
            type: field.type ?? "text",
            autocomplete: "off",
            spellcheck: false,
            required: field.required ?? false,
          }),
          field.hint && h("small", {}, field.hint),
        ),
      ),
      buttons(close, h("button", { type: "submit", class: "primary" }, label)),
    ],
    (form) => Object.fromEntries(new FormData(form)),
  );
}

function buttons(close, last) {
  return h("div", { class: "buttons" }, h("button", { onclick: () => close(null) }, say("cancel")), last);
}

function opened(title, inside, result) {
  return new Promise((done) => {
    const before = document.activeElement;
    const close = (value) => {
      dialog.close();
      dialog.remove();
      before?.focus?.();
      done(value);
    };
    const form = h("form", {
      method: "dialog",
      onsubmit: (event) => {
        event.preventDefault();
        close(result(form));
      },
    });
    const dialog = h(
      "dialog",
      {
        "aria-label": title,
        oncancel: (event) => {
          event.preventDefault();
          close(null);
        },
      },
      form,
    );
    form.append(h("h2", {}, title));
    for (const child of inside(close).flat()) if (child) form.append(child);
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) close(null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
