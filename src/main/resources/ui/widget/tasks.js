/** A table of tasks. */
import { html } from "../core/html.js";
import { span } from "../core/time.js";
import { JobLink, Mark, taskMark, TaskLink, When, Wide } from "./parts.js";

const CAUSES = {
  SCHEDULE: "",
  MANUAL: "by hand",
  RETRY: "retry",
  RECOVERY: "recovery",
  CATCH_UP: "catch-up",
  BACKFILL: "backfill",
  RERUN: "run again",
};

export function Tasks({ tasks, withJob = false }) {
  return html`<${Wide} label="Tasks"><table>
    <thead><tr><th>Task</th>${withJob && html`<th>Job</th>`}<th>Outcome</th><th>For</th><th class="num">Late</th>
      <th class="num">Took</th><th>Node</th><th>Reason</th></tr></thead>
    <tbody>${tasks.map(
      (task) => html`<tr key=${task.id}>
      <td><${TaskLink} id=${task.id} /></td>
      ${withJob && html`<td><${JobLink} namespace=${task.namespace} name=${task.job} /></td>`}
      <td><${Mark} what=${taskMark(task)} /></td>
      <td><${When} at=${task.fireTime} /> <span class="muted small">${CAUSES[task.cause] ?? task.cause.toLowerCase()}
        ${task.attempt > 1 ? " attempt " + task.attempt : ""}${
          task.occurrences > 1 ? " and " + (task.occurrences - 1) + " more" : ""
        }</span></td>
      <td class="num">${task.latenessMs === null || task.latenessMs === undefined ? "" : span(task.latenessMs)}</td>
      <td class="num">${task.durationMs === null ? "" : span(task.durationMs)}</td>
      <td>${task.node ?? ""}</td><td class="wrap small">${task.reason ?? task.holdReason ?? ""}</td></tr>`,
    )}</tbody>
  </table><//>`;
}
