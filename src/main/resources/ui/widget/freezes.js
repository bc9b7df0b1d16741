/** What is frozen now, above every page, with its end for those who may end it. */
import { html, useState } from "../core/html.js";
import { call, get, may, seesAll } from "../core/client.js";
import { link } from "../core/route.js";
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

/** Names that are typed with commas between them. */
function namesOf(text) {
  return (text ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** The body of a request for what the form says: all jobs, or those that it names. */
export function freezeOf({ all, namespaces, jobs, labels, then = "HOLD" }) {
  return all
    ? { all: true, then }
    : { namespaces: namesOf(namespaces), jobs: namesOf(jobs), labels: labels ?? {}, then };
}

/** Whether who is signed in may change it: one that covers all jobs is of those who see all. */
export function mayEnd(freeze) {
  return may("operator") && (seesAll() || !freeze.all);
}

export function EndFreeze({ freeze, onClose, onDone }) {
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
      <strong><a href=${link(["freezes"])}>Frozen</a>: ${covered(freeze)}</strong>, until${" "}
      <${When} at=${freeze.until} />, by ${freeze.by}.
      What comes due is ${freeze.then === "SKIP" ? "skipped" : "held"}. ${freeze.reason}
      ${
        mayEnd(freeze)
        && html` <button class="quiet"
        onClick=${() => setEnding(freeze)}>End it …</button>`
      }</p></div>`,
  )}${
    ending
    && html`<${EndFreeze} freeze=${ending} onClose=${() => setEnding(null)} onDone=${() => {
      setEnding(null);
      from.reload();
    }} />`
  }`;
}
