// The top of the page: packs to choose from, language, light or dark, settings, and a new conversation.

import { attempt, choose, leave, list } from "./acts.js";
import * as api from "./api.js";
import { asked } from "./dialog.js";
import { fill, h, tool } from "./dom.js";
import { changed, may, packNow, page, when } from "./page.js";
import { learn } from "./telling.js";
import { introduce, who } from "./who.js";
import { language, languages, say, speak } from "./words.js";

const THEME = "holdfast.theme";
const place = document.getElementById("top");
const THEMES = {
  system: "M2 3h12v8H2zM6 14h4M8 11v3",
  light:
    "M8 3.2V1M8 15v-2.2M3.2 8H1m14 0h-2.2M4.6 4.6 3 3m10 10-1.6-1.6M4.6 11.4 3 13M13 3l-1.6 1.6M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6",
  dark: "M13 9.6A5.6 5.6 0 0 1 6.4 3a5.6 5.6 0 1 0 6.6 6.6z",
};
const GEAR = "M2 4h7M13 4h1M2 12h1M7 12h7M11 4a1.6 1.6 0 1 0-.01 0M5 12a1.6 1.6 0 1 0-.01 0";

export function begin() {
  wear(theme());
  when(["packs", "session", "words", "theme"], draw);
}

function draw() {
  const now = packNow();
  fill(
    place,
    h("strong", { class: "brand" }, "Holdfast"),
    h(
      "div",
      { class: "packs", role: "group", "aria-label": say("head.pack") },
      page.packs.map((pack) =>
        h(
          "button",
          {
            class: `pill${pack === now ? " on" : ""}`,
            key: `pack-${pack.name}`,
            "aria-pressed": String(pack === now),
            title: pack.summary,
            onclick: () => choose(pack.name),
          },
          pack.name,
        ),
      ),
    ),
    h("span", { class: "space" }),
    h(
      "select",
      { class: "pill", key: "language", "aria-label": say("head.language"), onchange: choice },
      Object.entries(languages).map(([code, name]) =>
        h("option", { value: code, selected: code === language() }, name),
      ),
    ),
    tool(THEMES[theme()], say(`theme.${theme()}`), "theme", nextTheme, "pill square"),
    tool(GEAR, say("head.settings"), "settings", settings, "pill square"),
    h(
      "button",
      { class: "primary new", key: "new", "aria-label": say("head.new"), onclick: fresh },
      h("span", { class: "long" }, say("head.new")),
    ),
  );
  place.querySelector(".packs .on")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function fresh() {
  leave();
  document.getElementById("message").focus();
}

/** The page changes its language, and so does the conversation that is open, where its pack speaks it. */
async function choice(event) {
  const code = event.target.value;
  await speak(code);
  await learn();
  changed("words");
  if (page.session && may("write") && packNow()?.languages.includes(code))
    await attempt(() => api.speak(page.session.id, code));
}

/** Light or dark as the system is, unless one of them was chosen. */
function theme() {
  const kept = localStorage.getItem(THEME);
  return kept in THEMES ? kept : "system";
}

function wear(name) {
  if (name === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
}

function nextTheme() {
  const names = Object.keys(THEMES);
  const next = names[(names.indexOf(theme()) + 1) % names.length];
  localStorage.setItem(THEME, next);
  wear(next);
  changed("theme");
}

async function settings() {
  const { user, project } = who();
  const given = await asked(
    say("settings.title"),
    say("settings.text"),
    [
      { name: "user", label: say("settings.user"), value: user },
      { name: "project", label: say("settings.project"), value: project },
      ...(page.about?.tenant || api.key()
        ? [{ name: "key", label: say("settings.key"), value: api.key(), type: "password" }]
        : []),
    ],
    say("save"),
  );
  if (!given) return;
  introduce(given.user.trim(), given.project.trim());
  if (given.key != null) api.keep(given.key.trim());
  await attempt(list);
}
