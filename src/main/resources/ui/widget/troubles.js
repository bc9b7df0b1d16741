/** What is wrong with jobs, or may become so: a table for each kind of it. */
import { html } from "../core/html.js";
import { link } from "../core/route.js";
import { span } from "../core/time.js";
import { Empty, JobLink, Mark, Panel, TaskLink, When, Wide } from "./parts.js";

const HOLDS = {
  OVERLAP: "the run before",
  GROUP: "a slot of their group",
  NODE: "a node that may run them",
  PAUSE: "the end of a pause",
  FREEZE: "the end of a freeze",
  ERROR: "another try",
  SLOT: "a free slot",
};

/** How many there are of something that was found; more than that where it was not counted to the end. */
export function many(found) {
  return (found.count ?? found.tasks).toLocaleString("en") + (found.more ? "+" : "");
}

export function Failing({ found }) {
  return html`<${Panel} title="Fails" flush actions=${html`<a href=${link(["jobs"], {
    sort: "outcome",
  })}>Jobs by outcome</a>`}>
    ${
      found.items.length === 0
        ? html`<${Empty} title="No job fails">The last run of every job succeeded.<//>`
        : html`<${Wide} label="Jobs that fail"><table>
      <thead><tr><th>Job</th><th>Last run</th><th class="num">In a row</th><th>Since</th><th>Reason</th></tr></thead>
      <tbody>${found.items.map(
        (job) => html`<tr key=${job.namespace + "/" + job.job}><td><${JobLink}
        namespace=${job.namespace} name=${job.job} /></td>
        <td><${TaskLink} id=${job.lastTask}><${Mark} bare what=${job.lastOutcome} /><//> <span class="muted"><${When}
          at=${job.lastEndedAt} /></span></td>
        <td class="num">${job.streak}</td><td><${When} at=${job.since} /></td><td
          class="wrap small">${job.lastReason}</td></tr>`,
      )}</tbody></table><//>`
    }<//>`;
}

export function Stuck({ found }) {
  return found.items.length === 0
    ? null
    : html`<${Panel} title="Not running, though they should" flush
    actions=${html`<a href=${link(["jobs"], { state: "STUCK" })}>These jobs</a>`}><${Wide}
    label="Jobs that do not run"><table>
    <thead><tr><th>Job</th><th class="num">Missed</th><th>Since</th><th>Reason</th></tr></thead>
    <tbody>${found.items.map(
      (job) => html`<tr key=${job.namespace + "/" + job.job}><td><${JobLink}
      namespace=${job.namespace} name=${job.job} /></td>
      <td class="num">${job.missed.toLocaleString("en")}</td><td><${When} at=${job.since} /></td><td
        class="wrap small">${job.reason}</td></tr>`,
    )}</tbody></table><//><//>`;
}

export function Late({ found }) {
  return found.items.length === 0
    ? null
    : html`<${Panel} title="Late: due, and nothing is known to hold it" flush>
    <${Wide} label="Late tasks"><table>
    <thead><tr><th>Task</th><th>Job</th><th>Due</th><th>Node</th></tr></thead>
    <tbody>${found.items.map(
      (task) => html`<tr key=${task.id}><td><${TaskLink} id=${task.id} /></td>
      <td><${JobLink} namespace=${task.namespace} name=${task.job} /></td><td><${When} at=${task.dueAt} /></td>
        <td>${task.node ?? "none yet"}</td></tr>`,
    )}</tbody></table><//><//>`;
}

export function Waiting({ waiting }) {
  const all = Object.entries(waiting);
  return all.length === 0
    ? null
    : html`<${Panel} title="Waits, by policy" flush><${Wide} label="What waits"><table>
    <thead><tr><th>For</th><th class="num">Tasks</th><th>For example</th></tr></thead>
    <tbody>${all.map(
      ([hold, found]) => html`<tr key=${hold}><td>${HOLDS[hold] ?? hold}</td><td
      class="num">${many(found)}</td>
      <td class="wrap small">${found.example ?? ""}</td></tr>`,
    )}</tbody></table><//><//>`;
}

export function Long({ found }) {
  return found.items.length === 0
    ? null
    : html`<${Panel} title="Runs for more than twice its p95" flush><${Wide}
    label="Long runs"><table>
    <thead><tr><th>Task</th><th>Job</th><th class="num">So far</th><th class="num">Usually within</th><th>Node</th>
      </tr></thead>
    <tbody>${found.items.map(
      (task) => html`<tr key=${task.id}><td><${TaskLink} id=${task.id} /></td>
      <td><${JobLink} namespace=${task.namespace} name=${task.job} /></td><td class="num">${span(task.runningMs)}</td>
      <td class="num">${span(task.p95Ms)}</td><td>${task.node}</td></tr>`,
    )}</tbody></table><//><//>`;
}
