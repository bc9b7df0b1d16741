/** Who changed what, when, from where, and how it was before. */
import { html } from "../core/html.js";
import { link, toJob, toTask } from "../core/route.js";
import { useTitle } from "../core/use.js";
import { asked, Filters } from "../widget/filters.js";
import { More, usePages } from "../widget/pages.js";
import { Empty, Loading, Title, Trouble, When, Wide } from "../widget/parts.js";
import { Changes } from "../widget/versions.js";

const FIELDS = [
  { name: "who", label: "Who" },
  {
    name: "action",
    label: "Action",
    options: [
      "create",
      "replace",
      "patch",
      "delete",
      "rollback",
      "apply",
      "pause",
      "resume",
      "run",
      "rerun",
      "backfill",
      "cancel",
      "release",
      "reschedule",
      "kill",
      "drain",
      "undrain",
      "accept",
      "rotate",
      "sign_in",
      "sign_out",
      "sign_in_failed",
    ],
  },
  {
    name: "kind",
    label: "Kind",
    options: [
      "job",
      "task",
      "group",
      "calendar",
      "node",
      "token",
      "secret",
      "alert-rule",
      "alert-channel",
      "silence",
      "freeze",
      "session",
      "cluster",
    ],
  },
  { name: "namespace", label: "Namespace" },
  { name: "name", label: "Name" },
  { name: "since", label: "From", time: true },
  { name: "until", label: "Before", time: true },
];

/** What a change did to which fields. */
export function fields(entry) {
  const before = entry.before ?? {};
  const after = entry.after ?? {};
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => field !== "version" && (before[field] ?? after[field] ?? null) !== null)
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }));
}

function Thing({ entry }) {
  const name = (entry.namespace ? entry.namespace + "/" : "") + (entry.name ?? "");
  const id = entry.kind === "task" ? (entry.after?.id ?? entry.after?.task) : null;
  const href =
    entry.kind === "job" && entry.namespace
      ? toJob(entry.namespace, entry.name)
      : Number.isInteger(id)
        ? toTask(id)
        : null;
  return html`<span class="muted">${entry.kind}</span> ${href ? html`<a href=${href}>${name}</a>` : name}`;
}

function Row({ entry }) {
  const changed = fields(entry);
  return html`<tr><td><${When} at=${entry.at} /></td><td><a href=${link(["audit"], {
    who: entry.who,
  })}>${entry.who}</a><br /><span class="small muted">${entry.role}, ${entry.address}</span></td>
    <td>${entry.action}</td><td class="wrap"><${Thing} entry=${entry} /></td>
    <td>${
      changed.length > 0
      && html`<details><summary>${
        changed.length === 1 ? changed[0].field : changed.length + " fields"
      }</summary><${Changes} fields=${changed}
      label=${"Fields of change " + entry.id} /></details>`
    }</td>
    <td class="small"><code title="The same for all that one request changed">${entry.requestId.slice(0, 8)}</code>
      </td></tr>`;
}

export default function Audit({ query }) {
  useTitle("Audit");
  const pages = usePages("/audit", asked(query, FIELDS), 100);
  const none = !pages.loading && !pages.problem && pages.rows.length === 0;
  return html`<div class="head"><${Title}>Audit<//></div>
    <${Filters} fields=${FIELDS} query=${query} problem=${pages.problem} label="Changes" />
    <${Trouble} problem=${pages.problem} again=${pages.again} />
    <section class="panel flush" aria-label="Changes found">
      ${pages.loading && pages.rows.length === 0 && html`<${Loading} />`}
      ${
        none
        && html`<${Empty} title="Nobody changed anything like that">Look further back, or <a
        href=${link(["audit"])}>show everything</a>.<//>`
      }
      ${
        pages.rows.length > 0
        && html`<${Wide} label="Entries"><table><thead><tr><th>When</th><th>Who</th><th>Did</th>
        <th>To</th><th>Changed</th><th>Request</th></tr></thead>
        <tbody>${pages.rows.map((entry) => html`<${Row} key=${entry.id} entry=${entry} />`)}</tbody></table><//>
          <${More} of=${pages} />`
      }
    </section>`;
}
