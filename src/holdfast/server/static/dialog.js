// Dialogs. The browser's own <dialog> keeps the focus inside and closes with Escape.

import { h } from "./dom.js";
import { say } from "./words.js";

/** Ask before something that cannot be taken back. */
export function confirmed(title, text, label) {
  return opened(
    title,
    (close, buttons) => [h("p", {}, text), buttons(h("button", { type: "submit", class: "danger" }, label))],
    () => true,
  ).then(Boolean);
}

/** Ask for values: fields are { name, label, value, type, hint }. Resolves to { name: value } or null. */
export function asked(title, text, fields, label) {
  return opened(
    title,
    (close, buttons) => [
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
            ...(field.maxLength && { maxLength: field.maxLength }),
          }),
          field.hint && h("small", {}, field.hint),
        ),
      ),
      buttons(h("button", { type: "submit", class: "primary" }, label)),
    ],
    (form) => Object.fromEntries(new FormData(form)),
  );
}

/** Open a dialog. `inside` gets a function that closes it and one that makes its row of buttons; what `result` makes of
 * the form is what it resolves to, and false keeps it open. */
export function opened(title, inside, result) {
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
      onsubmit: async (event) => {
        event.preventDefault();
        const made = await result(form);
        if (made !== false && dialog.isConnected) close(made);
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
    const buttons = (last) =>
      h("div", { class: "buttons" }, h("button", { onclick: () => close(null) }, say("cancel")), last);
    for (const child of inside(close, buttons).flat()) if (child) form.append(child);
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) close(null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
