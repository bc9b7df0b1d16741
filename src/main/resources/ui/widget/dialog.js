/** Dialogs that name what they are about, and notes of what was done. */
import { html, useEffect, useRef, useState } from "../core/html.js";
import { Trouble } from "./parts.js";

/** A modal dialog; Escape closes it, and the focus goes back to where it was. */
export function Dialog({ title, onClose, children, wide = false }) {
  const element = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    element.current?.showModal();
    return () => before?.isConnected && before.focus();
  }, []);
  return html`<dialog ref=${element} class=${wide ? "wide-dialog" : ""} aria-label=${title}
    onCancel=${(e) => {
      e.preventDefault();
      onClose();
    }}>
    <h2>${title}</h2>
    ${children}
  </dialog>`;
}

/**
 * Asks before something is done, and stays open with the trouble if it fails.
 *
 * @param act does it; its answer goes to onDone
 */
export function Confirm({ title, verb, danger = false, act, onDone, onClose, children, cannot = false, wide = false }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(null);
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      onDone(await act());
      onClose();
    } catch (e) {
      setProblem(e);
      setBusy(false);
    }
  };
  return html`<${Dialog} title=${title} onClose=${onClose} wide=${wide}>
    <form onSubmit=${submit}>
      ${children}
      <${Trouble} problem=${problem} />
      <div class="actions end">
        <button type="button" onClick=${onClose}>Cancel</button>
        <button type="submit" class=${"main" + (danger ? " danger" : "")} disabled=${busy || cannot}>${verb}</button>
      </div>
    </form>
  <//>`;
}

const NOTE_MS = 8000;
/** @type {(text: string) => void} */
let say = () => {};

/**
 * Tells what was done, for eyes and for screen readers.
 *
 * @param {string} text
 */
export function note(text) {
  say(text);
}

export function Notes() {
  const [notes, setNotes] = useState(/** @type {{text: string, id: number}[]} */ ([]));
  const last = useRef(0);
  useEffect(() => {
    say = (text) => {
      const mine = { text, id: ++last.current };
      setNotes((all) => [...all.slice(-2), mine]);
      setTimeout(() => setNotes((all) => all.filter((other) => other !== mine)), NOTE_MS);
    };
    return () => {
      say = () => {};
    };
  }, []);
  return html`<div class="notes" role="status" aria-live="polite">
    ${notes.map((one) => html`<p key=${one.id}>${one.text}</p>`)}
  </div>`;
}

/** One input with its name, a hint and what is wrong with it. */
export function Field({ label, hint, wrong, children, id }) {
  return html`<div class=${"field" + (wrong ? " wrong" : "")}>
    <label for=${id}>${label}</label>
    ${children}
    ${hint && html`<p class="hint" id=${id + "-hint"}>${hint}</p>`}
    ${wrong && html`<p class="error" id=${id + "-error"}>${wrong}</p>`}
  </div>`;
}
