/** Backfills of one job: past fire times that are to run, asked for in a dialog, and how far those are. */
import { html, useEffect, useState } from "../core/html.js";
import { call, get, jobPath, may, post } from "../core/client.js";
import { link } from "../core/route.js";
import { useLoad } from "../core/use.js";
import { Confirm, Field, note } from "./dialog.js";
import { Loaded, Mark, Panel, When, Wide } from "./parts.js";

const LEFT_OUT = { live: "wait or execute", succeeded: "succeeded", declined: "declined" };

/**
 * @param {{toRun: number, fireTimes: number, leftOut: Record<string, number>}} would
 * @returns {string} what a backfill would run, and what it leaves out
 */
export function counted(would) {
  const left = Object.entries(would.leftOut)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => count + " " + LEFT_OUT[what]);
  return (
    `${would.toRun} of ${would.fireTimes} fire times run`
    + (left.length > 0 ? "; left out are those that need none: " + left.join(", ") : "")
    + "."
  );
}

/** @param {Record<string, number>} outcomes */
export function outcomesSaid(outcomes) {
  return Object.entries(outcomes)
    .map(([outcome, count]) => count + " " + outcome.toLowerCase())
    .join(", ");
}

/** Asks for a backfill, and says beforehand what it would run. */
export function BackfillDialog({ job, onClose, onDone }) {
  const [from, setFrom] = useState("");
  const [until, setUntil] = useState("");
  const [all, setAll] = useState(false);
  const [order, setOrder] = useState("OLDEST_FIRST");
  const [parallel, setParallel] = useState("1");
  const [said, setSaid] = useState("");
  const [key] = useState(() => "page-" + Date.now() + "-" + Math.random().toString(36).slice(2));
  const path = jobPath(job.namespace, job.name, "/backfill");
  const body = {
    from: from === "" ? null : new Date(from).toISOString(),
    until: until === "" ? null : new Date(until).toISOString(),
    only: all ? "ALL" : "NOT_SUCCEEDED",
    order,
    parallel: Number(parallel),
  };
  const count = () =>
    post(path, { ...body, dryRun: true }).then(
      (would) => setSaid(counted(would)),
      (problem) => setSaid(problem.message),
    );
  const act = () => post(path, body, { "Idempotency-Key": key });
  return html`<${Confirm} title=${"Run past fire times of " + job.namespace + "/" + job.name + "?"} verb="Run them"
    act=${act} onClose=${onClose} cannot=${from === ""} onDone=${(made) => {
      note(made.id ? `Backfill ${made.id} runs ${made.toRun} fire times.` : "Nothing of it is left to run.");
      onDone();
    }}>
    <p>Each fire time that the schedule has in the period runs once, behind all else that the job does.</p>
    <${Field} id="backfill-from" label="From"><input id="backfill-from" type="datetime-local" step="1" required
      value=${from} onInput=${(e) => setFrom(e.target.value)} /><//>
    <${Field} id="backfill-until" label="Until" hint="Left empty: now"><input id="backfill-until" type="datetime-local"
      step="1" value=${until} aria-describedby="backfill-until-hint" onInput=${(e) => setUntil(e.target.value)} /><//>
    <${Field} id="backfill-order" label="Begin with"><select id="backfill-order" value=${order}
      onChange=${(e) => setOrder(e.target.value)}><option value="OLDEST_FIRST">the earliest</option>
      <option value="NEWEST_FIRST">the latest</option></select><//>
    <${Field} id="backfill-parallel" label="At once"><input id="backfill-parallel" type="number" min="1" max="1000"
      value=${parallel} onInput=${(e) => setParallel(e.target.value)} /><//>
    <label><input type="checkbox" checked=${all} onChange=${(e) => setAll(e.target.checked)} /> those, too, that
      succeeded, declined, wait or execute</label>
    <p><button type="button" disabled=${from === ""} onClick=${count}>Count</button> <span
      role="status">${said}</span></p>
  <//>`;
}

function Row({ backfill, onDone }) {
  const [open, setOpen] = useState(false);
  const waits = backfill.waiting > 0 && backfill.state !== "CANCELLED";
  return html`<tr><td>${backfill.id}</td>
    <td><${When} at=${backfill.from} /> – <${When} at=${backfill.until} /></td>
    <td><${Mark} what=${backfill.state} /></td>
    <td>${backfill.waiting} wait, ${backfill.executing} execute${
      backfill.holdReason ? ": " + backfill.holdReason : ""
    }</td>
    <td>${outcomesSaid(backfill.outcomes)}</td>
    <td>${waits && may("operator") && html`<button class="danger" onClick=${() => setOpen(true)}>Cancel …</button>`}${
      open
      && html`<${Confirm} title=${"Cancel backfill " + backfill.id + "?"} verb="Cancel it" danger
        act=${() => call("DELETE", "/backfills/" + backfill.id)} onDone=${onDone} onClose=${() => setOpen(false)}>
        <p>What waits ends as CANCELLED; what executes goes on.</p><//>`
    }</td></tr>`;
}

/**
 * The last backfills of a job; nothing where it has none.
 *
 * @param runs of the job: with each newer list, they are read again
 */
export function Backfills({ job, runs }) {
  const key = job.namespace + "/" + job.name;
  const found = useLoad((signal) => get("/backfills", { job: key, limit: 5 }, signal), key);
  useEffect(found.reload, [runs]);
  return html`<${Loaded} from=${found}>${(page) =>
    page.items.length > 0
    && html`<${Panel} title="Backfills" flush actions=${html`<a
      href=${link(["history"], { job: key, cause: "BACKFILL" })}>Their history</a>`}>
      <${Wide} label="The last backfills"><table><thead><tr>
        <th>Backfill</th><th>Fire times</th><th>State</th><th>Left</th><th>Outcomes</th><th><span
        class="unseen">Actions</span></th></tr></thead>
      <tbody>${page.items.map(
        (backfill) => html`<${Row} key=${backfill.id} backfill=${backfill}
        onDone=${found.reload} />`,
      )}</tbody></table><//><//>`}<//>`;
}
