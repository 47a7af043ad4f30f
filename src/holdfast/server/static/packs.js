// Lists the packs of this server on its front page.
fetch("/api/packs").then((answer) => answer.json()).then((found) => {
  const list = document.getElementById("packs");
  for (const pack of found.packs ?? []) {
    const item = document.createElement("li");
    item.textContent = `${pack.name}: ${pack.summary}`;
    list.append(item);
  }
});
