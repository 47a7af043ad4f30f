// Texts on the page that have less contrast with what is beneath them than WCAG 2 asks for on level AA.
() => {
  const parse = (text) => {
    const found = text.match(/[\d.]+/g).map(Number);
    return [...found.slice(0, 3), found[3] ?? 1];
  };
  const over = (top, under) => top.slice(0, 3).map((part, at) => part * top[3] + under[at] * (1 - top[3]));
  const ground = (one) => {
    const own = parse(getComputedStyle(one).backgroundColor);
    return one === document.body || own[3] === 1 ? own.slice(0, 3) : over(own, ground(one.parentElement));
  };
  const light = (color) =>
    color
      .map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const found = [];
  for (const one of document.body.querySelectorAll("*")) {
    const written = [...one.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
    if (!written || !one.checkVisibility() || one.disabled) continue;
    const look = getComputedStyle(one);
    const under = ground(one);
    const [high, low] = [light(over(parse(look.color), under)), light(under)].sort((a, b) => b - a);
    const size = parseFloat(look.fontSize);
    const needed = size >= 24 || (size >= 18.6 && look.fontWeight >= 700) ? 3 : 4.5;
    if ((high + 0.05) / (low + 0.05) < needed) found.push(`${one.tagName}.${one.className} ${one.textContent.slice(0, 40)}`);
  }
  return found;
}
