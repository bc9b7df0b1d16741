/** How a job fared, a bar for each day. */
import { html } from "../core/html.js";
import { span } from "../core/time.js";
import { toneOf, wordOf } from "./parts.js";

const PARTS = [
  ["succeeded", "SUCCEEDED"],
  ["failed", "FAILED"],
  ["timedOut", "TIMED_OUT"],
  ["killed", "KILLED"],
  ["lost", "LOST"],
  ["skipped", "SKIPPED"],
  ["missed", "MISSED"],
];

export function Days({ days, total }) {
  const most = Math.max(1, ...days.map((day) => PARTS.reduce((sum, [field]) => sum + day[field], 0)));
  return html`<p>${total.runs.toLocaleString("en")} ${total.runs === 1 ? "run" : "runs"}${
    total.successPercent === null ? "" : ", " + total.successPercent + " % good"
  }; usually ${span(total.durationMs.p50)}, at most ${span(total.durationMs.max)}; started
      ${" "}${span(total.latenessMs.p95)} late or less in 95 %.</p>
    <ol class="days" aria-label="By day, in UTC">${[...days].reverse().map((day) => {
      const parts = PARTS.filter(([field]) => day[field] > 0);
      const said = parts.map(([field, what]) => day[field] + " " + wordOf(what)).join(", ");
      return html`<li class="day-row" key=${day.day}><time datetime=${day.day}>${day.day}</time>
        <span class="day-bar" title=${said} aria-hidden="true">${parts.map(
          ([field, what]) => html`<i key=${field}
          data-tone=${toneOf(what)}
          style=${{ width: (100 * day[field]) / most + "%" }}></i>`,
        )}</span>
        <span title=${said}>${day.runs} ${day.runs === 1 ? "run" : "runs"}${
          day.successPercent === null ? "" : ", " + Math.round(day.successPercent) + " %"
        }
          <span class="unseen">: ${said}</span></span></li>`;
    })}</ol>`;
}
