// JSON Patch (RFC 6902), the three operations that the live view sends. The old document is left as it was, so that
// what did not change is the same object in both and need not be drawn again.

/** The document after the operations. */
export const patched = (document, operations) =>
  operations.reduce((found, each) => applied(found, path(each.path), each), document);

function applied(node, [name, ...rest], operation) {
  if (name === undefined) return operation.value;
  const copy = Array.isArray(node) ? [...node] : { ...node };
  const place = Array.isArray(copy) ? (name === "-" ? copy.length : Number(name)) : name;
  if (rest.length) copy[place] = applied(copy[place], rest, operation);
  else if (operation.op === "remove") Array.isArray(copy) ? copy.splice(place, 1) : delete copy[place];
  else if (operation.op === "add" && Array.isArray(copy)) copy.splice(place, 0, operation.value);
  else copy[place] = operation.value;
  return copy;
}

const path = (pointer) =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
