// Pictures that the agent made. They are fetched with the key, once each, and shown from memory.

import { file } from "./api.js";
import { h } from "./dom.js";
import { changed, page } from "./page.js";

const KINDS = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const known = new Map();

/** A version of a file as a picture; nothing where it is none. `onload` is called when it takes its place. */
export function picture(made, version, onload) {
  if (!KINDS.has(made.kind)) return null;
  const image = h("img", { alt: made.analysis || made.name, onload });
  if (!known.has(version.url))
    known.set(
      version.url,
      file(version.url).then((blob) => URL.createObjectURL(blob)),
    );
  known.get(version.url).then(
    (source) => {
      image.src = source;
    },
    () => {
      known.delete(version.url);
      image.remove();
    },
  );
  return image;
}

/** The pictures that a message brought. The chat scrolls on when they are there; whoever draws all anew on a change
 * of the entries must not ask for that, or it never ends. */
export const broughtBy = (entry) =>
  (page.files ?? []).flatMap((made) =>
    made.versions
      .filter((each) => each.version === entry.version)
      .map((each) => picture(made, each, () => changed("entries"))),
  );
