/** Why something did or did not run: the sentence, the steps, and where the time went. */
import { html } from "../core/html.js";
import { absolute, clock, day, moment, span } from "../core/time.js";
import { Panel, TaskLink, toneOf } from "./parts.js";

const TONES = {
  RAN: "good",
  EXECUTING: "accent",
  WAITING: "warn",
  DID_NOT_RUN: "warn",
  TO_COME: "accent",
  NOT_ASKED_FOR: "idle",
  NO_JOB: "idle",
  NOT_KNOWN: "gone",
};
const WORDS = {
  RAN: "It ran",
  EXECUTING: "It runs",
  WAITING: "It waits",
  DID_NOT_RUN: "It did not run",
  TO_COME: "It is to come",
  NOT_ASKED_FOR: "The schedule does not ask for it",
  NO_JOB: "There was no such job",
  NOT_KNOWN: "It is not known",
};
const ENDS = {
  SUCCEEDED: "succeeded",
  FAILED: "failed",
  TIMED_OUT: "was out of time",
  KILLED: "was killed",
  LOST: "was lost",
  CANCELLED: "was cancelled",
  SKIPPED: "declined",
  MISSED: "was missed",
};
const PARTS = [
  ["holdMs", "held by its policy"],
  ["nobodyMs", "no node in contact with the database"],
  ["slotMs", "no free slot"],
  ["takeoverMs", "until another node took over"],
  ["otherMs", "everything else"],
];

/** The answer in a card. */
export function WhyCard({ said }) {
  const late = said.lateness;
  const parts = late ? PARTS.filter(([field]) => late[field] > 0) : [];
  const outcome = said.attempts.find((attempt) => attempt.id === said.task)?.outcome;
  const ended = said.verdict === "RAN" && outcome ? outcome : null;
  const title = (WORDS[said.verdict] ?? said.verdict) + (ended ? " and " + ENDS[ended] : "");
  return html`<section class="panel why" data-tone=${ended ? toneOf(ended) : (TONES[said.verdict] ?? "idle")}
    aria-label="Why">
    <h2>${title}</h2><p>${said.summary}</p>
    ${
      late
      && late.totalMs >= 1000
      && html`<p class="parts small"><strong>${span(late.totalMs)} late:</strong>
      ${parts.map(([field, text]) => html`<span key=${field}>${span(late[field])} ${text}</span>`)}</p>`
    }
    ${said.schedule?.clockChange && html`<p class="small">${said.schedule.clockChange}</p>`}
    ${
      said.next
      && html`<p class="small muted">${
        said.next.task
        && html`Next attempt: <${TaskLink}
      id=${said.next.task} />. `
      }
      ${said.next.fireTime && "Next fire time: " + absolute(said.next.fireTime) + "."}</p>`
    }
    ${said.notKnown.length > 0 && html`<p class="small muted">Not recorded: ${said.notKnown.join("; ")}.</p>`}
  </section>`;
}

export function Steps({ said }) {
  const today = day(said.steps[0]?.at ?? said.at);
  return html`<ol class="steps">${said.steps.map(
    (step, i) => html`<li key=${i}>
    <time datetime=${step.at} title=${absolute(step.at)} class="mono muted">${
      day(step.at) === today ? clock(step.at) : moment(step.at)
    }</time>
    <p>${step.detail}</p></li>`,
  )}</ol>`;
}

function Nodes({ nodes }) {
  return html`<table><thead><tr><th>Node</th><th>Could it run this?</th><th class="num">Slots</th></tr></thead>
    <tbody>${nodes.map(
      (node) => html`<tr key=${node.session}><td>${node.node}</td><td>${
        node.matches ? "Yes" : "No: " + (node.why ?? "")
      }</td>
      <td class="num">${node.executing === null ? "" : node.executing + " of "}${node.capacity}</td></tr>`,
    )}</tbody>
        </table>`;
}

export function Explanation({ said }) {
  return html`<${WhyCard} said=${said} />
    <div class="columns"><${Panel} title=${"What happened, " + moment(said.at)}><${Steps} said=${said} /><//>
    ${
      said.nodes.length > 0
      && html`<${Panel} title="Nodes that were there" flush><${Nodes} nodes=${said.nodes} />
      <//>`
    }</div>`;
}
