/** Alerts in words: what a condition means, what was raised, and what became of its messages. */
import { html } from "../core/html.js";
import { link } from "../core/route.js";
import { absolute, span } from "../core/time.js";
import { Icon } from "./icons.js";
import { JobLink, TaskLink, When, Wide } from "./parts.js";

export const CONDITIONS = {
  FAILED: "a run failed, each of them",
  FAILED_IN_A_ROW: "so many runs in a row failed",
  NOT_STARTED_BY: "it has not started so long after its fire time",
  NEVER_SUCCEEDED: "it has existed for so long, and no run has succeeded",
  TOO_LONG: "a run takes longer, told while it runs",
  TOO_SHORT: "a run succeeded too soon to have done its work",
  NOT_FINISHED_BY: "it has not succeeded by its finishBy",
  AT_RISK: "it is not likely to succeed by its finishBy",
  RECOVERED: "a run succeeds after something else was raised",
  NODE_LOST: "a node died or is not heard of any more",
  DATABASE_AWAY: "nodes could not reach the database",
  VERIFICATION_FAILED: "rowlock verify found jobs that do not add up",
  TOKEN_EXPIRING: "a token expires soon",
};
/** What became of messages: the word, its tone and its icon. */
const SENDING = {
  WAITING: ["waiting to be sent", "accent", "HELD"],
  SENT: ["sent", "good", "SUCCEEDED"],
  SILENCED: ["silenced", "idle", "CANCELLED"],
  GIVEN_UP: ["given up", "bad", "FAILED"],
  NONE: ["nobody to tell", "idle", "ENDED"],
};
const OVER = {
  RECOVERED: "it recovered",
  FOLLOWED: "another was raised",
  RULE_CHANGED: "the rule was changed",
  OVER: "it is over",
};

/** What happened, as a sentence without its subject. */
export function phrase({ condition, detail }) {
  const longer = () => "takes longer than " + span(detail.limitMs);
  const said = {
    FAILED: () => "failed",
    FAILED_IN_A_ROW: () => (detail.streak > 1 ? "failed " + detail.streak + " times in a row" : "failed"),
    NOT_STARTED_BY: () => "did not start within " + span(detail.limitMs) + " of its fire time",
    NEVER_SUCCEEDED: () => "has never succeeded",
    TOO_LONG: () =>
      detail.durationMs ? "took " + span(detail.durationMs) + ", more than " + span(detail.limitMs) : longer(),
    TOO_SHORT: () => "took only " + span(detail.durationMs),
    NOT_FINISHED_BY: () => "had not finished by " + absolute(detail.finishBy),
    AT_RISK: () => "is not likely to finish by " + absolute(detail.finishBy),
    RECOVERED: () => "recovered",
    NODE_LOST: () => "was lost",
    DATABASE_AWAY: () => "was away for " + span(detail.durationMs),
    VERIFICATION_FAILED: () => "found jobs that do not add up: " + detail.wrong,
    TOKEN_EXPIRING: () => "expires" + (detail.expiresAt ? " " + absolute(detail.expiresAt) : ""),
  }[condition];
  return said === undefined ? condition.toLowerCase().replaceAll("_", " ") : said();
}

function Subject({ alert }) {
  if (alert.job) {
    return html`<${JobLink} namespace=${alert.namespace} name=${alert.job} />`;
  }
  const things = {
    NODE_LOST: "Node " + alert.node,
    DATABASE_AWAY: "The database",
    VERIFICATION_FAILED: "rowlock verify",
    TOKEN_EXPIRING: "Token " + (alert.detail.token ?? ""),
  };
  return html`<span>${things[alert.condition] ?? "The cluster"}</span>`;
}

function Messages({ alert }) {
  const [word, tone, icon] = SENDING[alert.sending] ?? [alert.sending, "idle", "UNKNOWN"];
  const failed = alert.messages.filter((message) => message.lastError);
  return html`<span class="mark" data-tone=${tone}><${Icon} name=${icon} size=${14} />${word}</span>
    ${
      alert.messages.length > 0
      && html`<span class="small muted"> ${[...new Set(alert.messages.map((message) => message.channel))].join(
        ", ",
      )}</span>`
    }
    ${
      failed.length > 0
      && html`<br /><span class="small error">${failed[0].channel + ": " + failed[0].lastError + "."}
      ${failed[0].nextAt && html` Next try <${When} at=${failed[0].nextAt} />.`}</span>`
    }`;
}

/** @param silence called with the alert that somebody wants silenced; null: they may not */
export function AlertRows({ alerts, label, silence }) {
  return html`<${Wide} label=${label}><table>
    <thead><tr><th>What</th><th>When</th><th>Reason</th><th>Rule</th><th>Messages</th>
      ${silence && html`<th><span class="unseen">Actions</span></th>`}</tr></thead>
    <tbody>${alerts.map(
      (alert) => html`<tr key=${alert.id}>
      <td class="what"><span class="mark" data-tone=${alert.state === "OPEN" ? "bad" : "good"}><${Icon}
        name=${alert.state === "OPEN" ? "LOST" : "SUCCEEDED"} size=${14} /><span class="unseen">${
          alert.state === "OPEN" ? "open: " : "over: "
        }</span></span> <${Subject} alert=${alert} /> ${phrase(alert)}${
          alert.task
          && html`${" "}
        <${TaskLink} id=${alert.task} />`
        }</td>
      <td><${When} at=${alert.at} />${
        alert.closedAt
        && html`<br /><span class="small muted">over <${When}
        at=${alert.closedAt} />${": " + (OVER[alert.closedBecause] ?? "")}</span>`
      }</td>
      <td class="wrap small">${alert.detail.reason ?? ""}</td>
      <td><a href=${link(["alerts"], { tab: "raised", rule: alert.rule })}>${alert.rule}</a></td>
      <td class="what"><${Messages} alert=${alert} /></td>
      ${
        silence
        && html`<td><button class="link" aria-label=${
          "Silence " + (alert.job ? alert.namespace + "/" + alert.job : alert.rule)
        } onClick=${() => silence(alert)}>silence</button></td>`
      }</tr>`,
    )}</tbody>
  </table><//>`;
}
