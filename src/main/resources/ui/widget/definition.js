/** The definition of a job, field by field. */
import { html } from "../core/html.js";
import { link } from "../core/route.js";
import { Labels, Panel } from "./parts.js";

/** Fields of a job that are no part of its definition. */
export const READ_ONLY = [
  "state",
  "hold",
  "pausedUntil",
  "pauseReason",
  "nextFireTime",
  "nextFireTimeLocal",
  "lastTask",
  "skippedSince",
  "streak",
  "version",
  "createdAt",
  "updatedAt",
  "warnings",
  "paused",
];

const OWN = [...READ_ONLY, "namespace", "name", "labels", "command"];

/** Any value of a definition, for people. */
export function Value({ of }) {
  if (of === null || of === undefined) {
    return html`<span class="muted">none</span>`;
  }
  if (typeof of === "object" && !Array.isArray(of)) {
    return html`<code>${Object.entries(of)
      .filter(([, v]) => v !== null)
      .map(([k, v]) => k + ": " + (typeof v === "object" ? JSON.stringify(v) : v))
      .join(", ")}</code>`;
  }
  if (Array.isArray(of) && of.some((one) => typeof one !== "number")) {
    return of.map(
      (one, i) => html`${i > 0 && html`<br />`}<code>${typeof one === "string" ? one : JSON.stringify(one)}</code>`,
    );
  }
  return html`<code>${Array.isArray(of) ? of.join(", ") : String(of)}</code>`;
}

function empty(value) {
  return value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
}

export function Definition({ job }) {
  const said = Object.entries(job).filter(([name, value]) => !OWN.includes(name) && !empty(value));
  const command = typeof job.command === "string" ? job.command : JSON.stringify(job.command);
  return html`<${Panel} title="Command"><pre class="code" tabindex="0">${command}</pre><//>
    <${Panel} title="Fields" flush><table><tbody>
      ${
        Object.keys(job.labels ?? {}).length > 0
        && html`<tr><th scope="row">labels</th><td><${Labels}
        labels=${job.labels} /></td></tr>`
      }
      ${said.map(
        ([name, value]) =>
          html`<tr key=${name}><th scope="row">${name}</th><td>${
            name === "group" ? html`<a href=${link(["groups"])}>${value}</a>` : html`<${Value} of=${value} />`
          }</td></tr>`,
      )}
    </tbody></table><//>`;
}
