/** Fields of a definition: inputs, choices and lists, each with what it means and what is wrong with it. */
import { html, useEffect, useState } from "../core/html.js";
import { Field } from "./dialog.js";

/** The definition with a field, or without it if it is empty; `path` may lead into an object. */
export function put(definition, path, value) {
  const [first, ...rest] = path.split(".");
  const next = { ...definition };
  if (rest.length > 0) {
    const inner = put(next[first] ?? {}, rest.join("."), value);
    if (Object.keys(inner).length === 0) {
      delete next[first];
    } else {
      next[first] = inner;
    }
  } else if (value === "" || value === null) {
    delete next[first];
  } else {
    next[first] = value;
  }
  return next;
}

export function at(definition, path) {
  return path.split(".").reduce((value, part) => value?.[part], definition) ?? "";
}

/** Numbers as such; what is none is sent as it is, and the server says what is wrong. */
function typed(text, number) {
  return number && /^-?\d+$/.test(text.trim()) ? Number(text) : text;
}

export function Input({
  of,
  path,
  label,
  hint,
  number = false,
  list,
  required = false,
  readonly = false,
  placeholder,
}) {
  const wrong = of.problem?.of(path);
  return html`<${Field} id=${"f-" + path} label=${label} hint=${hint} wrong=${wrong}>
    <input id=${"f-" + path} value=${String(at(of.definition, path))} list=${list} required=${required}
      readOnly=${readonly} placeholder=${placeholder} spellcheck="false" autocomplete="off"
      aria-invalid=${wrong ? "true" : undefined}
      aria-describedby=${
        [hint && "f-" + path + "-hint", wrong && "f-" + path + "-error"].filter(Boolean).join(" ") || undefined
      }
      onInput=${(e) => of.change(put(of.definition, path, typed(e.target.value, number)))} /><//>`;
}

export function Choice({ of, path, label, words, here }) {
  const value = at(of.definition, path) || Object.keys(words)[0];
  const wrong = of.problem?.of(path);
  return html`<${Field} id=${"f-" + path} label=${label} wrong=${wrong} hint=${html`${words[value]} ${here ?? ""}`}>
    <select id=${"f-" + path} value=${value} aria-describedby=${"f-" + path + "-hint"}
      onChange=${(e) => of.change(put(of.definition, path, e.target.value))}>
      ${Object.keys(words).map((word) => html`<option key=${word} value=${word}>${word}</option>`)}</select><//>`;
}

/** Names with values, one per line, as NAME=value. */
export function toLines(map) {
  return Object.entries(map || {})
    .map(([name, value]) => name + "=" + value)
    .join("\n");
}

export function fromLines(text) {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const equals = line.indexOf("=");
      return equals < 0 ? [line.trim(), ""] : [line.slice(0, equals).trim(), line.slice(equals + 1)];
    }),
  );
}

/** Text of its own, so that a line that is half typed stays as it is. */
export function Lines({ of, path, label, hint }) {
  const said = at(of.definition, path) || {};
  const [text, setText] = useState(() => toLines(said));
  const wrong = of.problem?.of(path);
  useEffect(() => {
    if (JSON.stringify(fromLines(text)) !== JSON.stringify(said)) {
      setText(toLines(said));
    }
  }, [JSON.stringify(said)]);
  const change = (value) => {
    setText(value);
    const map = fromLines(value);
    of.change(put(of.definition, path, Object.keys(map).length === 0 ? null : map));
  };
  return html`<${Field} id=${"f-" + path} label=${label} hint=${hint} wrong=${wrong}>
    <textarea id=${"f-" + path} rows="3" spellcheck="false" value=${text} aria-describedby=${"f-" + path + "-hint"}
      onInput=${(e) => change(e.target.value)}></textarea><//>`;
}

/** Words to choose any number of: all that are chosen are a list. */
export function Words({ of, path, label, words, hint, none }) {
  const chosen = at(of.definition, path) || [];
  const wrong = of.problem?.of(path);
  const toggle = (word) =>
    of.change(
      put(of.definition, path, chosen.includes(word) ? chosen.filter((one) => one !== word) : [...chosen, word]),
    );
  const all = Object.entries(words);
  return html`<fieldset class=${"choices" + (wrong ? " wrong" : "")} id=${"f-" + path}><legend
    class="field-name">${label}</legend>
    ${hint && html`<p class="hint">${hint}</p>`}
    ${all.length === 0 && html`<p class="hint">${none}</p>`}
    ${all.map(
      ([word, means]) => html`<label class="check" key=${word}><input type="checkbox"
      checked=${chosen.includes(word)} onChange=${() => toggle(word)} /><span><strong>${word}</strong>
      ${means && html` <span class="muted small">${means}</span>`}</span></label>`,
    )}
    ${wrong && html`<p class="error" id=${"f-" + path + "-error"}>${wrong}</p>`}</fieldset>`;
}
