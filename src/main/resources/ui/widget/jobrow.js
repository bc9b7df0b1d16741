/** A row of the list of jobs, and its head. */
import { html } from "../core/html.js";
import { may } from "../core/client.js";
import { link } from "../core/route.js";
import { RECENT } from "./joblist.js";
import { JobLink, Mark, Next, taskMark, When } from "./parts.js";
import { linesOf } from "./schedule.js";
import { Outcomes } from "./strip.js";

/** Holds that end only when somebody does something. */
const STUCK = ["NODE", "SET_ASIDE"];
const SORTS = [
  ["name", "Job"],
  ["next", "Next"],
  ["outcome", "Last run"],
];

export function Row({ job, at, style, picked, onPick }) {
  const key = job.namespace + "/" + job.name;
  const last = job.lastTask;
  const lines = linesOf(job.schedule);
  return html`<div class="list-row" role="row" aria-rowindex=${at + 1} style=${style}>
    <span role="cell" class="pick">${
      may("operator")
      && html`<input type="checkbox" aria-label=${"Select " + key}
      checked=${picked} onChange=${() => onPick(key)} />`
    }</span>
    <span role="cell" class="who"><${JobLink} namespace=${job.namespace} name=${job.name} />
      ${
        (job.state === "PAUSED" || job.state === "ENDED" || job.state === "EXECUTING")
        && html`<${Mark}
        what=${job.state} />`
      }
      ${
        job.hold
        && html`<span title=${job.hold.reason}><${Mark}
        what=${STUCK.includes(job.hold.kind) ? "STUCK" : "HELD"} /></span>`
      }</span>
    <span role="cell" class="when mono" title=${lines.join("\n") + " " + (job.zone ?? "")}>${lines.join(" | ")}
      <span class="muted"> ${job.zone === "UTC" ? "" : job.zone}</span></span>
    <span role="cell" class="next">${
      job.hold?.kind === "NODE"
        ? html`<span title=${job.hold.reason}>waits for a node${job.nodes ? " that matches " + job.nodes : ""}</span>`
        : html`<${Next} at=${job.nextFireTime} />`
    }</span>
    <span role="cell" class="last">${
      last
        ? html`<a href=${link(["tasks", String(last.id)])} title=${last.reason ?? ""}><${Mark}
        what=${taskMark(last)} bare /></a> 
        <span class="muted"> <${When} at=${last.endedAt ?? last.startedAt} /></span>`
        : html`<span class="muted">never ran</span>`
    }</span>
    <span role="cell" class="row-streak"><${Outcomes} of=${job.recent ?? []} />${
      job.streak
      && html` <span
      class="muted">${job.streak.count}× ${job.streak.result === "SUCCEEDED" ? "good" : "failed"}</span>`
    }</span>
  </div>`;
}

export function Head({ filter, all, onAll }) {
  const sort = filter.sort || "name";
  const by = (name, said) => html`<span role="columnheader" aria-sort=${sort === name ? "ascending" : undefined}>
    <a href=${link(["jobs"], { ...filter, sort: name })} aria-current=${sort === name ? "true" : undefined}>${said}
      ${sort === name && " ↓"}</a></span>`;
  return html`<div role="rowgroup"><div class="list-head" role="row">
    <span role="columnheader">${
      may("operator")
        ? html`<input type="checkbox" aria-label="Select all that are loaded"
      checked=${all} onChange=${onAll} />`
        : html`<span class="unseen">Selected</span>`
    }</span>
    ${by(...SORTS[0])}<span role="columnheader">Schedule</span>${by(...SORTS[1])}${by(...SORTS[2])}
    <span role="columnheader">Last ${RECENT}, streak</span>
  </div></div>`;
}
