/** A form of filters that are kept in the address. */
import { html, useEffect, useState } from "../core/html.js";
import { requery } from "../core/route.js";
import { useNarrow } from "../core/use.js";
import { Field } from "./dialog.js";

/** The query as the form has it: one value for each name. */
export function asked(query, fields) {
  return Object.fromEntries(fields.map(({ name }) => [name, query.get(name) ?? ""]));
}

/** What an input of a date and a time says, as the API takes it; in the zone of whoever looks. */
export function instant(text) {
  return text === "" ? "" : new Date(text).toISOString();
}

/** The other way round; empty for what is no time. */
export function local(at) {
  const time = Date.parse(at);
  return Number.isNaN(time)
    ? ""
    : new Date(time - new Date(time).getTimezoneOffset() * 60000).toISOString().slice(0, 16);
}

function Filter({ field, value, wrong, onChange }) {
  const id = "filter-" + field.name;
  if (field.options) {
    return html`<${Field} id=${id} label=${field.label} wrong=${wrong}><select id=${id} value=${value}
      onChange=${(e) => onChange(e.target.value)}>
      <option value="">any</option>${field.options.map(
        (one) => html`<option key=${one}
        value=${one}>${one}</option>`,
      )}</select><//>`;
  }
  const type = field.time ? "datetime-local" : "text";
  return html`<${Field} id=${id} label=${field.label} wrong=${wrong}><input id=${id} type=${type} value=${
    field.time ? local(value) : value
  }
    placeholder=${field.placeholder} spellcheck="false" onInput=${(e) =>
      onChange(field.time ? instant(e.target.value) : e.target.value)} /><//>`;
}

/**
 * @param fields each with name and label; it may have options, a placeholder, or be a time
 * @param problem may say what is wrong with one
 * @param keep of the query, whatever is asked for
 */
export function Filters({ fields, query, problem, label, keep = {} }) {
  const narrow = useNarrow();
  const inAddress = JSON.stringify(asked(query, fields));
  const [typed, setTyped] = useState(JSON.parse(inAddress));
  useEffect(() => setTyped(JSON.parse(inAddress)), [inAddress]);
  const submit = (event) => {
    event.preventDefault();
    requery({ ...keep, ...typed });
  };
  const change = (field, value) => {
    const next = { ...typed, [field.name]: value };
    setTyped(next);
    if (field.options) {
      requery({ ...keep, ...next });
    }
  };
  const any = Object.values(typed).some((value) => value !== "");
  return html`<search aria-label=${label}><details class="fold" open=${!narrow || any}><summary>Filters</summary>
  <form class="filters" onSubmit=${submit}>
    ${fields.map(
      (field) => html`<${Filter} key=${field.name} field=${field} value=${typed[field.name]}
      wrong=${problem?.of?.(field.name)} onChange=${(value) => change(field, value)} />`,
    )}
    <div class="actions"><button class="main">Show</button>
      ${
        any
        && html`<button type="button"
        onClick=${() => requery(keep)}>Clear</button>`
      }</div>
  </form></details></search>`;
}
