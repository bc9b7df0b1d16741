/** A search by chips: `state:paused ns:ops label:team=ops` become chips, everything else is text. */
import { html } from "../core/html.js";
import { Icon } from "./icons.js";

const STATES = ["PAUSED", "EXECUTING", "PREPARED", "IDLE", "ENDED", "FAILING", "STUCK", "NEVER_RAN"];
const WORDS = { running: "EXECUTING", waiting: "IDLE", failed: "FAILING", "never-ran": "NEVER_RAN" };

/** The chips of a filter: what they say, and the filter without them. */
export function chips(filter) {
  const found = [];
  if (filter.namespace) {
    found.push(["ns:" + filter.namespace, { ...filter, namespace: "" }]);
  }
  if (filter.state) {
    found.push(["state:" + filter.state.toLowerCase(), { ...filter, state: "" }]);
  }
  filter.label.forEach((label, i) =>
    found.push(["label:" + label, { ...filter, label: filter.label.filter((_, j) => i !== j) }]),
  );
  return found;
}

/** The filter with this chip too; null: it is not one, or not yet. */
function withChip(filter, text) {
  const [, name, value] = /^(ns|namespace|state|label):(\S+)$/.exec(text) ?? [];
  if (name === undefined) {
    return /^[A-Za-z0-9][\w./-]*=\S+$/.test(text) ? withChip(filter, "label:" + text) : null;
  }
  if (name === "state") {
    const state = WORDS[value.toLowerCase()] ?? value.toUpperCase();
    return STATES.includes(state) ? { ...filter, state } : null;
  }
  if (name === "label") {
    return { ...filter, label: [...filter.label.filter((l) => l !== value), value] };
  }
  return { ...filter, namespace: value };
}

/** The filter after something was typed: a chip is one as soon as a blank, or Enter, ends it. */
export function withText(filter, text, ended) {
  const words = text.split(/\s+/);
  const last = ended ? "" : words.pop();
  let next = filter;
  const rest = [];
  for (const word of words) {
    const more = withChip(next, word);
    next = more ?? next;
    if (more === null) {
      rest.push(word);
    }
  }
  const said = [...rest.filter((word) => word !== ""), ...(last === "" ? [] : [last])].join(" ");
  return { ...next, q: /\s$/.test(text) && said !== "" && !ended ? said + " " : said };
}

export function SearchBox({ filter, onChange }) {
  const unknown = filter.q
    .split(/\s+/)
    .slice(0, -1)
    .find((word) => /^state:/.test(word));
  const wrong = unknown ? "There is no " + unknown + "; states are " + STATES.join(", ").toLowerCase() + "." : null;
  const typed = (text, ended) => onChange(withText(filter, text, ended));
  const erase = (event) => {
    const all = chips(filter);
    if (event.key === "Backspace" && event.target.value === "" && all.length > 0) {
      onChange(all[all.length - 1][1]);
    }
  };
  return html`<search>
    <form class="searching" onSubmit=${(e) => {
      e.preventDefault();
      typed(filter.q, true);
    }}>
      <div class="searchbox"><${Icon} name="search" />
        ${chips(filter).map(
          ([said, without]) => html`<span class="token" key=${said}>${said}
          <button type="button" aria-label=${"Remove " + said} onClick=${() => onChange(without)}><${Icon}
            name="close" size=${10} /></button></span>`,
        )}
        <input data-search type="text" autocomplete="off" spellcheck="false" aria-label="Search jobs" value=${filter.q}
          aria-describedby="search-hint" placeholder="Name or description, or state:paused ns:ops label:team=ops"
          onInput=${(e) => typed(e.target.value, false)} onKeyDown=${erase} />
      </div>
    </form>
    <p class=${wrong ? "error" : "unseen"} id="search-hint">${
      wrong
      ?? "Each word is looked for in namespace, name and description."
        + " state:, ns: and label: (or team=ops) become chips when a blank follows."
    }</p>
  </search>`;
}
