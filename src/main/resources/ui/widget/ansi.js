/** Colours of terminals: text with escape sequences becomes pieces of text with classes; everything else is dropped. */

// Colours and styles (SGR), then other control sequences, then titles and the like, then lone escapes.
const ESCAPES = /\x1b\[([0-9;]*)m|\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b./g;
const STYLES = { 1: "ansi-bold", 2: "ansi-dim", 3: "ansi-italic", 4: "ansi-underline" };

/** The style after a sequence such as 1;31. */
function after(style, codes) {
  let next = { ...style };
  const all = codes === "" ? [0] : codes.split(";").map(Number);
  for (let i = 0; i < all.length; i++) {
    const code = all[i];
    if (code === 0) {
      next = {};
    } else if (STYLES[code]) {
      next[STYLES[code]] = true;
    } else if (code === 22) {
      delete next["ansi-bold"];
      delete next["ansi-dim"];
    } else if (code === 23 || code === 24) {
      delete next[STYLES[code - 20]];
    } else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) {
      next.colour = "ansi-" + code;
    } else if (code === 39) {
      delete next.colour;
    } else if (code === 38 || code === 48) {
      i += all[i + 1] === 5 ? 2 : 4; // a colour out of many: not shown
    }
  }
  return next;
}

function classes(style) {
  return Object.entries(style)
    .map(([name, value]) => (value === true ? name : value))
    .join(" ");
}

/** The text alone. */
export function plain(line) {
  return line.includes("\x1b") ? line.replace(ESCAPES, "") : line;
}

/** Pieces of a line: [text, classes]. Styles end with the line. */
export function pieces(line) {
  if (!line.includes("\x1b")) {
    return [[line, ""]];
  }
  const found = [];
  let style = {};
  let at = 0;
  for (const escape of line.matchAll(ESCAPES)) {
    if (escape.index > at) {
      found.push([line.slice(at, escape.index), classes(style)]);
    }
    style = escape[1] === undefined ? style : after(style, escape[1]);
    at = escape.index + escape[0].length;
  }
  if (at < line.length) {
    found.push([line.slice(at), classes(style)]);
  }
  return found;
}
