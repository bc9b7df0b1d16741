/** Rules: what is told, of which jobs, to whom; made, changed and deleted by administrators. */
import { html, useState } from "../core/html.js";
import { call, IF_NEW, may, seesAll } from "../core/client.js";
import { useSending } from "../core/use.js";
import { CONDITIONS } from "./alert.js";
import { Confirm, Field, note } from "./dialog.js";
import { Input, Lines, Words } from "./fields.js";
import { Empty, Labels, Loaded, Panel, Wide } from "./parts.js";

const READ_ONLY = ["name", "createdAt", "updatedAt"];
/**
 * Fields that mean something with some conditions only: their path, name, hint, and whether they are numbers.
 *
 * @type {[string, string, string, boolean, string[]][]}
 */
const OF_CONDITIONS = [
  ["times", "So many in a row", "", true, ["FAILED_IN_A_ROW"]],
  ["deadline", "Not started within", "Such as 5m, after its fire time.", false, ["NOT_STARTED_BY"]],
  [
    "after",
    "After",
    "Such as 1d or 30s: how old the job is, or how long the database was away.",
    false,
    ["NEVER_SUCCEEDED", "DATABASE_AWAY"],
  ],
  ["warnAfter", "Longer than", "Such as 30m; or say how many times its p95.", false, ["TOO_LONG"]],
  ["p95Factor", "Times its p95", "Such as 3.", true, ["TOO_LONG"]],
  ["atLeast", "Shorter than", "Such as 10s.", false, ["TOO_SHORT"]],
  ["before", "So long before it ends", "Such as 7d.", false, ["TOKEN_EXPIRING", "CALENDAR_ENDS"]],
];

function path(name) {
  return "/alerts/rules/" + encodeURIComponent(name);
}

/** What is sent: fields of conditions that are not chosen are left out, as is what is empty. */
export function sent(definition) {
  const when = definition.when ?? [];
  const unused = OF_CONDITIONS.filter(([, , , , of]) => !of.some((condition) => when.includes(condition))).map(
    ([field]) => field,
  );
  return Object.fromEntries(
    Object.entries(definition).filter(
      ([field, value]) => !READ_ONLY.includes(field) && !unused.includes(field) && value !== null,
    ),
  );
}

function Change({ rule, channels, onClose, onDone }) {
  const [name, setName] = useState(rule?.name ?? "");
  const [definition, change] = useState(rule ? sent(rule) : { when: ["FAILED"], channels: channels.slice(0, 1) });
  const [problem, act] = useSending(() =>
    call("PUT", path(name), { body: sent(definition), headers: rule ? {} : IF_NEW }),
  );
  const of = { definition, change, problem };
  const asked = OF_CONDITIONS.filter(([, , , , conditions]) =>
    conditions.some((condition) => definition.when?.includes(condition)),
  );
  return html`<${Confirm} wide title=${rule ? "Change rule " + rule.name : "New rule"}
      verb=${rule ? "Change" : "Create"} act=${act} cannot=${name === ""} onClose=${onClose}
      onDone=${() => {
        note("Rule " + name + " is saved.");
        onDone();
      }}>
    ${
      !rule
      && html`<${Field} id="rule-name" label="Name"><input id="rule-name" required value=${name}
      onInput=${(e) => setName(e.target.value)} /><//>`
    }
    <${Words} of=${of} path="when" label="Tell when" words=${CONDITIONS} />
    ${
      asked.length > 0
      && html`<div class="pair">${asked.map(
        ([field, said, hint, number]) => html`<${Input}
      key=${field} of=${of} path=${field} label=${said} hint=${hint} number=${number} />`,
      )}</div>`
    }
    <${Words} of=${of} path="channels" label="Tell whom" words=${Object.fromEntries(channels.map((one) => [one, ""]))}
      none="There is no channel yet. Make one first." />
    <div class="pair"><${Input} of=${of} path="namespace" label="Namespace" placeholder="all" />
      <${Input} of=${of} path="job" label="Job" placeholder="all of the namespace" /></div>
    <${Lines} of=${of} path="labels" label="Labels of the jobs" hint="name=value, one per line." />
    <div class="pair"><${Input} of=${of} path="reminder" label="Remind every" placeholder="never" hint="Such as 4h." />
      <${Input} of=${of} path="groupWait" label="Gather for" placeholder="10s"
        hint="What this rule raises meanwhile shares the message." /></div>
    <${Input} of=${of} path="description" label="Description" /><//>`;
}

function Remove({ rule, onClose, onDone }) {
  return html`<${Confirm} title=${"Delete rule " + rule.name + "?"} verb=${"Delete " + rule.name} danger
    act=${() => call("DELETE", path(rule.name))} onClose=${onClose}
    onDone=${() => {
      note("Rule " + rule.name + " is deleted.");
      onDone();
    }}>
    <p>Nobody is told of it any more, and what it told of is over.</p><//>`;
}

function Row({ rule, changes, onOpen }) {
  const jobs = rule.namespace ? rule.namespace + "/" + (rule.job ?? "*") : "all";
  return html`<tr><td class="wrap">${rule.name}${
    rule.description
    && html`<br /><span
    class="small muted">${rule.description}</span>`
  }</td>
    <td class="wrap"><span class="labels">${rule.when.map(
      (one) => html`<span class="label" key=${one}
      title=${CONDITIONS[one]}>${one}${one === "FAILED_IN_A_ROW" ? " ×" + rule.times : ""}</span>`,
    )}</span></td>
    <td class="wrap"><span class="mono">${jobs}</span> <${Labels} labels=${rule.labels} /></td>
    <td class="wrap">${rule.channels.join(", ")}</td><td>${rule.reminder ? "every " + rule.reminder : "never"}</td>
    ${
      changes
      && html`<td><span class="actions"><button class="link" aria-label=${"Change rule " + rule.name}
      onClick=${() => onOpen("change", rule)}>change</button><button class="link" aria-label=${
        "Delete rule " + rule.name
      } onClick=${() => onOpen("remove", rule)}>delete</button></span></td>`
    }</tr>`;
}

/** @param channels names of those that there are */
export function Rules({ from, channels }) {
  const [open, setOpen] = useState(null);
  const close = () => setOpen(null);
  const changes = may("admin") && seesAll();
  return html`<${Panel} title="Rules" flush actions=${
    changes
    && html`<button class="main" onClick=${() =>
      setOpen({
        what: "change",
      })}>New rule …</button>`
  }>
    <${Loaded} from=${from}>${(all) =>
      all.length === 0
        ? html`<${Empty} title="There is no rule">A rule says what is told, of which jobs, and to whom.${
            changes ? "" : " An administrator can make one."
          }<//>`
        : html`<${Wide} label="All rules"><table><thead><tr><th>Rule</th><th>Tells when</th><th>Jobs</th><th>Tells</th>
        <th>Reminds</th>${changes && html`<th><span class="unseen">Actions</span></th>`}</tr></thead>
      <tbody>${all.map(
        (rule) => html`<${Row} key=${rule.name} rule=${rule} changes=${changes}
        onOpen=${(what, of) => setOpen({ what, rule: of })} />`,
      )}</tbody></table><//>`}<//>
    ${
      open?.what === "change"
      && html`<${Change} rule=${open.rule} channels=${channels} onClose=${close}
      onDone=${from.reload} />`
    }
    ${open?.what === "remove" && html`<${Remove} rule=${open.rule} onClose=${close} onDone=${from.reload} />`}<//>`;
}
