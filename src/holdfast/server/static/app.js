// The page of Holdfast. It reads only the public API of the server that it came from. Start here: `begin` of each part
// says which parts of `page` it draws; `acts.js` says what can be done.

import { attempt, go, list } from "./acts.js";
import * as api from "./api.js";
import * as chat from "./chat.js";
import * as composer from "./composer.js";
import * as conversations from "./conversations.js";
import { asked } from "./dialog.js";
import * as head from "./head.js";
import { begun, changed, page } from "./page.js";
import * as panel from "./panel/sections.js";
import * as route from "./route.js";
import * as telling from "./telling.js";
import * as views from "./views.js";
import * as words from "./words.js";

async function begin() {
  await words.begin();
  const skip = document.getElementById("skip");
  skip.textContent = words.say("skip");
  skip.addEventListener("click", (event) => {
    event.preventDefault();
    document.getElementById("message").focus();
  });
  for (const part of [head, conversations, route, chat, composer, panel, views]) part.begin();
  api.whenLocked(unlock);
  const found = await attempt(api.packs);
  page.packs = found?.packs ?? [];
  await telling.learn();
  page.about = await api.about().catch(() => null);
  const wished = [localStorage.getItem("holdfast.pack"), page.about?.opens];
  page.pack = wished.find((name) => page.packs.some((pack) => pack.name === name)) ?? page.packs[0]?.name ?? "";
  changed("packs", "words");
  addEventListener("hashchange", open);
  await open().finally(begun);
  await list();
}

const open = () => go(decodeURIComponent(location.hash.slice(1)));

/** The server wants a key. One dialog for however many requests ask at once. */
let asking = null;
function unlock() {
  asking ??= ask().finally(() => {
    asking = null;
  });
  return asking;
}

async function ask() {
  const given = await asked(
    words.say("key.title"),
    api.key() ? words.say("key.wrong") : words.say("key.text"),
    [{ name: "key", label: words.say("settings.key"), type: "password", required: true }],
    words.say("key.do"),
  );
  api.keep(given?.key.trim() ?? "");
  return Boolean(given);
}

begin();
