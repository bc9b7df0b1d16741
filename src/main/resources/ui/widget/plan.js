/** What saving would change, before it is done. */
import { html } from "../core/html.js";
import { Changes, Moved } from "./versions.js";

const WORDS = { CREATE: "It is a new job.", CHANGE: "", NONE: "It is just as it was: nothing changes." };

/** How many fire times the busiest hour gets, and had. */
export function busiest(load) {
  return load.reduce((most, hour) => (hour.after > most.after ? hour : most), { before: 0, after: 0 });
}

/** @param zone of the job */
export function PlanOf({ plan, zone }) {
  const change = plan.changes[0];
  const hour = busiest(plan.load);
  return html`<div class="stack">${WORDS[change.action] && html`<p>${WORDS[change.action]}</p>`}
    ${change.warnings.map((text) => html`<p key=${text} class="banner-line">${text}</p>`)}
    ${change.action === "CHANGE" && html`<${Changes} fields=${change.fields} />`}
    <${Moved} fireTimes=${change.fireTimes} zone=${zone} />
    ${
      hour.after > hour.before
      && html`<p class="muted">In its busiest hour: ${hour.after}
      ${" "}fire times, before ${hour.before}.</p>`
    }</div>`;
}
