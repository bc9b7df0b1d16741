/** The definition as YAML, as job files have it: the same thing as the form, both ways. */
import { html, useEffect, useState } from "../core/html.js";
import { Trouble } from "./parts.js";

/** @type {Promise<any> | null} */
let library = null;

/** The library is fetched when somebody first looks at YAML. */
function yaml() {
  library ??= import("../vendor/yaml.js").catch(() => {
    library = null;
    throw new Error(
      "What reads YAML cannot be loaded. The node may be away, or may have been upgraded:"
        + " reload the page. What you typed is kept.",
    );
  });
  return library;
}

/** As in job files: YAML 1.2, in which on, yes and dates are text. */
export function written({ dump, CORE_SCHEMA }, definition) {
  return dump(definition, { schema: CORE_SCHEMA, lineWidth: -1, noRefs: true });
}

/** Answers {definition}, or {wrong} with the line. */
export function read({ load, CORE_SCHEMA }, text) {
  try {
    const found = load(text, { schema: CORE_SCHEMA });
    return found !== null && typeof found === "object" && !Array.isArray(found)
      ? { definition: found }
      : { wrong: "It has to be fields with values, such as name: backup." };
  } catch (e) {
    return { wrong: (e.mark ? "Line " + (e.mark.line + 1) + ": " : "") + (e.reason ?? e.message) + "." };
  }
}

/**
 * @param text what is typed; null: what the definition says
 * @param wrong why the text is none yet; null: it is
 * @param onChange gets {text, wrong, definition}; no definition while the text is wrong
 */
export function YamlView({ definition, text, wrong, onChange }) {
  const [lib, setLib] = useState(null);
  const [problem, setProblem] = useState(null);
  useEffect(() => {
    let left = false;
    yaml().then(
      (loaded) => left || setLib(loaded),
      (e) => left || setProblem(e),
    );
    return () => {
      left = true;
    };
  }, []);
  const typed = lib && text === null ? written(lib, definition) : (text ?? "");
  const change = (next) => onChange({ text: next, wrong: null, ...read(lib, next) });
  useEffect(() => {
    if (lib && text !== null) {
      change(text);
    }
  }, [lib]);
  return html`<${Trouble} problem=${problem} />
    <div class=${"field" + (wrong ? " wrong" : "")}><label for="yaml">The definition</label>
    <textarea id="yaml" rows="28" spellcheck="false" readOnly=${!lib} value=${typed} aria-invalid=${
      wrong ? "true" : undefined
    } aria-describedby=${wrong ? "yaml-error" : "yaml-hint"}
      onInput=${(e) => change(e.target.value)}></textarea>
    ${
      wrong
        ? html`<p class="error" id="yaml-error">This is not YAML yet, and cannot be saved. ${wrong}</p>`
        : html`<p class="hint" id="yaml-hint">All fields, as in job files. JSON is YAML, too. Comments are not
          kept.</p>`
    }
    </div>`;
}
