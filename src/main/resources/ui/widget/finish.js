/** The margin of occurrences: how far they are from the time by which they are to finish. */
import { html } from "../core/html.js";
import { get, jobPath, now } from "../core/client.js";
import { span } from "../core/time.js";
import { useLoad } from "../core/use.js";
import { JobLink, Panel, When, Wide } from "./parts.js";

const PLANNED = ["SCHEDULE", "CATCH_UP"];

/**
 * Such as "5m left", "2h early" or "3m late".
 *
 * @param {{marginMs: number, by: string, finishedAt: string | null}} finish
 */
export function marginSaid(finish) {
  const ms = finish.finishedAt === null ? Date.parse(finish.by) - now() : finish.marginMs;
  return span(ms) + (ms < 0 ? " late" : finish.finishedAt === null ? " left" : " early");
}

/**
 * The latest occurrence of a schedule among tasks, the newest first; undefined: there is none.
 *
 * @param {{cause: string, fireTime: string, lastFireTime?: string}[]} tasks
 */
export function lastPlanned(tasks) {
  const task = tasks.find(({ cause }) => PLANNED.includes(cause));
  return task?.lastFireTime ?? task?.fireTime;
}

/** The margin of the latest occurrence of a job; nothing for a job that is not to finish by any time. */
export function Margin({ job, tasks }) {
  const at = job.finishBy && tasks ? lastPlanned(tasks) : undefined;
  const last = job.lastTask;
  const said = useLoad(
    (signal) => (at ? get(jobPath(job.namespace, job.name, "/explain"), { at }, signal) : Promise.resolve(null)),
    at + " " + last?.id + " " + last?.outcome,
  );
  const finish = said.data?.finish;
  return finish
    ? html`<p><strong>${marginSaid(finish)}</strong>: the occurrence of <${When}
    at=${at} /> ${finish.finishedAt === null ? "is" : "was"} to finish by <${When} at=${finish.by} />.</p>`
    : null;
}

/** What is to finish and has not, of all jobs. */
export function Unfinished({ found }) {
  return found.length === 0
    ? null
    : html`<${Panel} title="To finish in time" flush><${Wide} label="What has not finished"><table>
    <thead><tr><th>Job</th><th>Fire time</th><th>To finish by</th><th class="num">Margin</th><th>Usually by</th>
      <th>Reason</th></tr></thead>
    <tbody>${found.map(
      (due) => html`<tr key=${due.namespace + "/" + due.job + due.fireTime}><td><${JobLink}
      namespace=${due.namespace} name=${due.job} /></td><td><${When} at=${due.fireTime} /></td>
      <td><${When} at=${due.finishBy} /></td><td class="num" data-tone=${
        due.marginMs < 0 || due.expectedAt > due.finishBy ? "bad" : undefined
      }>${marginSaid({ marginMs: due.marginMs, by: due.finishBy, finishedAt: null })}</td>
      <td><${When} at=${due.expectedAt} /></td><td class="wrap small">${due.reason ?? ""}</td></tr>`,
    )}</tbody></table><//><//>`;
}
