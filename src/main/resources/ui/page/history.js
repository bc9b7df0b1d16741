/** What was due by now, or is asked for by its state: filters in the address, page by page, and as CSV. */
import { html, useState } from "../core/html.js";
import { now } from "../core/client.js";
import { csv } from "../core/csv.js";
import { useEvents } from "../core/live.js";
import { link } from "../core/route.js";
import { useThrottled, useTitle } from "../core/use.js";
import { asked, Filters } from "../widget/filters.js";
import { More, usePages } from "../widget/pages.js";
import { Empty, Loading, Title, Trouble } from "../widget/parts.js";
import { Tasks } from "../widget/tasks.js";

const FIELDS = [
  { name: "job", label: "Job", placeholder: "namespace/name" },
  { name: "namespace", label: "Namespace" },
  {
    name: "outcome",
    label: "Outcome",
    options: ["SUCCEEDED", "FAILED", "TIMED_OUT", "KILLED", "LOST", "SKIPPED", "MISSED", "CANCELLED"],
  },
  { name: "state", label: "State", options: ["IDLE", "PREPARED", "EXECUTING", "ENDED"] },
  {
    name: "cause",
    label: "Cause",
    options: ["SCHEDULE", "MANUAL", "RETRY", "RECOVERY", "CATCH_UP", "BACKFILL", "RERUN"],
  },
  { name: "node", label: "Node" },
  { name: "label", label: "Label", placeholder: "team=ops" },
  { name: "minDuration", label: "Longer than", placeholder: "5m" },
  { name: "since", label: "From", time: true },
  { name: "until", label: "Before", time: true },
];
const COLUMNS = [
  "id",
  "namespace",
  "job",
  "fireTime",
  "attempt",
  "cause",
  "state",
  "outcome",
  "reason",
  "node",
  "startedAt",
  "endedAt",
  "latenessMs",
  "durationMs",
  "exitCode",
];

function save(tasks) {
  const blob = new Blob([csv(COLUMNS, tasks)], { type: "text/csv" });
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(blob);
  anchor.download = "rowlock-history.csv";
  anchor.click();
  URL.revokeObjectURL(anchor.href);
}

/** The end of this second: what is due later is left out. */
function soonest() {
  return new Date(Math.ceil(now() / 1000) * 1000).toISOString();
}

export default function History({ query }) {
  useTitle("History");
  const filter = asked(query, FIELDS);
  const [until, setUntil] = useState(soonest);
  const ahead = filter.state === "IDLE" || filter.state === "PREPARED";
  const pages = usePages("/tasks", filter.until || ahead ? filter : { ...filter, until }, 100);
  const soon = useThrottled(() => pages.rows.length <= 100 && scrollY < 200 && setUntil(soonest()), 5000);
  useEvents(/^[^\s/]+\/[^\s/]+$/.test(filter.job) ? { job: filter.job } : {}, soon);
  // What is prepared ahead of its time is not history yet.
  const rows = ahead
    ? pages.rows
    : pages.rows.filter((task) => task.startedAt || task.outcome || Date.parse(task.fireTime) <= now());
  const none = !pages.loading && !pages.problem && pages.rows.length === 0;
  return html`<div class="head"><${Title}>History<//><div class="actions">
      ${
        pages.rows.length > 0
        && html`<button
        onClick=${() => save(pages.rows)}>Save ${pages.rows.length} as CSV</button>`
      }</div></div>
    <${Filters} fields=${FIELDS} query=${query} problem=${pages.problem} label="Tasks" />
    <${Trouble} problem=${pages.problem} again=${pages.again} />
    <section class="panel flush" aria-label="Tasks found">
      ${pages.loading && pages.rows.length === 0 && html`<${Loading} />`}
      ${
        none
        && html`<${Empty} title="Nothing is found">${
          query.toString() === ""
            ? "Nothing has run yet."
            : html`<a href=${link(["history"])}>Show everything</a>, or look further back.`
        }<//>`
      }
      ${pages.rows.length > 0 && html`<${Tasks} tasks=${rows} withJob /><${More} of=${pages} />`}
    </section>`;
}
