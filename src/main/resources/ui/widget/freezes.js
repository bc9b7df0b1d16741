/** What is frozen now, above every page, with its end for those who may end it. */
import { html, useState } from "../core/html.js";
import { call, get, may, seesAll } from "../core/client.js";
import { useEvery, useLoad } from "../core/use.js";
import { Confirm, note } from "./dialog.js";
import { When } from "./parts.js";

/** Which jobs a freeze covers, in words. */
export function covered(freeze) {
  const labels = Object.entries(freeze.labels).map(([name, value]) => name + "=" + value);
  const some = [
    freeze.namespaces.length > 0 && "of " + freeze.namespaces.join(", "),
    labels.length > 0 && "labelled " + labels.join(" or "),
    freeze.jobs.length > 0 && "named " + freeze.jobs.join(", "),
  ];
  return freeze.all ? "all jobs" : "jobs " + some.filter(Boolean).join(", ");
}

function End({ freeze, onClose, onDone }) {
  return html`<${Confirm} title=${"End freeze " + freeze.id + "?"} verb=${"End freeze " + freeze.id}
    act=${() => call("DELETE", "/freezes/" + freeze.id)} onClose=${onClose}
    onDone=${() => {
      note("Freeze " + freeze.id + " is ended.");
      onDone();
    }}>
    <p>What it holds starts, as slots and groups allow.</p><//>`;
}

/** The freezes in force; nothing, if there are none. */
export function Frozen() {
  const from = useLoad((signal) => get("/freezes", { state: "ACTIVE" }, signal), "freezes");
  const [ending, setEnding] = useState(/** @type {any} */ (null));
  useEvery(10_000, from.reload);
  const active = from.data?.items ?? [];
  return html`${active.map(
    (freeze) => html`<div class="banner" role="status" key=${freeze.id}><p>
      <strong>Frozen: ${covered(freeze)}</strong>, until <${When} at=${freeze.until} />, by ${freeze.by}.
      What comes due is ${freeze.then === "SKIP" ? "skipped" : "held"}. ${freeze.reason}
      ${
        may("operator")
        && (seesAll() || !freeze.all)
        && html` <button class="quiet" onClick=${() => setEnding(freeze)}>End it …</button>`
      }</p></div>`,
  )}${
    ending
    && html`<${End} freeze=${ending} onClose=${() => setEnding(null)} onDone=${() => {
      setEnding(null);
      from.reload();
    }} />`
  }`;
}
