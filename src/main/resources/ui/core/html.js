/**
 * Elements from template literals: html`<p class=${c}>${text}</p>`. A component stands where a name would:
 * html`<${When} at=${at} />`, and ends with <//>. Values become text or properties, never markup.
 */
import { Fragment, h, render } from "../vendor/preact.js";

export { Fragment, render };
export * from "../vendor/hooks.js";

/** Stands for the values between the parts of a template; nobody can type it. */
const HOLE = "\0";
const TAG = /<(\/?)([^\s/>=]*)/y;
const ATTRIBUTE = /\s*([^\s/>=]+)(?:=("[^"]*"|[^\s>]+?(?=\s|\/?>)))?/y;
const END = /\s*(\/?)>/y;

/** @typedef {{name?: string, value: (string | number | boolean)[], spread?: number}} Attribute */
/** @typedef {{tag: string | number, attributes: Attribute[], children: Part[]}} Element */
/** @typedef {string | number | Element} Part a text, the number of a value, or an element */

/** @type {WeakMap<TemplateStringsArray, Part[]>} */
const read = new WeakMap();

/**
 * @param {TemplateStringsArray} strings
 * @param {any[]} values
 * @returns {any}
 */
export function html(strings, ...values) {
  let nodes = read.get(strings);
  if (nodes === undefined) {
    nodes = parse(strings.join(HOLE));
    read.set(strings, nodes);
  }
  const made = nodes.map((node) => make(node, values));
  return made.length === 1 ? made[0] : made;
}

/**
 * The parts of a template. Each is read once.
 *
 * @param {string} text
 */
function parse(text) {
  /** @type {Element} */
  const root = { tag: "", attributes: [], children: [] };
  const open = [root];
  let at = 0;
  let hole = 0;
  /** @param {RegExp} pattern */
  const take = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    at = found === null ? at : pattern.lastIndex;
    return found;
  };
  /** @param {string} piece */
  const pieces = (piece) => split(piece).map((part) => (part === HOLE ? hole++ : part));
  while (at < text.length) {
    const inner = open[open.length - 1].children;
    const tag = take(TAG);
    if (tag === null) {
      const next = text.indexOf("<", at + 1);
      const end = next < 0 ? text.length : next;
      inner.push(...pieces(tidy(text.slice(at, end))));
      at = end;
    } else if (tag[1] === "/") {
      at = text.indexOf(">", at) + 1;
      open.pop();
    } else {
      /** @type {Element} */
      const node = { tag: tag[2] === HOLE ? hole++ : tag[2], attributes: [], children: [] };
      inner.push(node);
      let end = take(END);
      while (end === null) {
        node.attributes.push(attribute(take(ATTRIBUTE), pieces, text));
        end = take(END);
      }
      if (end[1] === "") {
        open.push(node);
      }
    }
  }
  if (open.length !== 1) {
    throw new Error("an element is not closed in: " + text);
  }
  return root.children;
}

/**
 * @param {RegExpExecArray | null} found
 * @param {(text: string) => (string | number)[]} pieces
 * @param {string} text
 * @returns {Attribute}
 */
function attribute(found, pieces, text) {
  if (found === null) {
    throw new Error("an attribute cannot be read in: " + text);
  }
  if (found[1] === "..." + HOLE) {
    return { value: [], spread: Number(pieces(HOLE)[0]) };
  }
  const value = found[2] === undefined ? [true] : pieces(found[2].replace(/^"(.*)"$/s, "$1"));
  return { name: found[1], value };
}

/** @param {string} text */
function split(text) {
  return text.split(/(\0)/).filter((part) => part !== "");
}

/**
 * Line breaks between elements are for those who read the source.
 *
 * @param {string} text
 */
function tidy(text) {
  return text.replace(/\s*\n\s*/g, (blank, /** @type {number} */ at) =>
    at === 0 || at + blank.length === text.length ? "" : " ",
  );
}

/**
 * @param {Part} node
 * @param {any[]} values
 * @returns {any}
 */
function make(node, values) {
  if (typeof node === "string") {
    return node;
  }
  if (typeof node === "number") {
    return values[node];
  }
  /** @type {Record<string, any>} */
  const props = {};
  for (const { name, value, spread } of node.attributes) {
    if (spread !== undefined) {
      Object.assign(props, values[spread]);
    } else if (name !== undefined) {
      const parts = value.map((part) => (typeof part === "number" ? values[part] : part));
      props[name] = parts.length === 1 ? parts[0] : parts.join("");
    }
  }
  const tag = typeof node.tag === "number" ? values[node.tag] : node.tag;
  return h(tag, props, ...node.children.map((child) => make(child, values)));
}
