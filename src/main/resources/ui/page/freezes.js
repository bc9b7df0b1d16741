/** Freezes: what jobs start nothing for a while, made, given another end, and ended. */
import { html, useState } from "../core/html.js";
import { call, get, may, post, seesAll, who } from "../core/client.js";
import { useEvents } from "../core/live.js";
import { useLoad, useSending, useThrottled, useTitle } from "../core/use.js";
import { PauseFields, pauseOf } from "../widget/bulk.js";
import { Confirm, note } from "../widget/dialog.js";
import { Choice, Input, Lines } from "../widget/fields.js";
import { covered, EndFreeze, freezeOf, mayEnd } from "../widget/freezes.js";
import { Empty, Loaded, Mark, Panel, Title, When, Wide } from "../widget/parts.js";

const THEN = {
  HOLD: "What comes due waits, and of each job the latest starts when the freeze is over.",
  SKIP: "What comes due is skipped.",
};
const WORDS = { ACTIVE: "in force", PLANNED: "planned", ENDED: "over" };
const MARKS = { ACTIVE: "PAUSED", PLANNED: "HELD", ENDED: "ENDED" };

function NewFreeze({ onClose, onDone }) {
  const [definition, change] = useState(
    /** @type {any} */ (seesAll() ? { all: true } : { namespaces: (who()?.namespaces ?? []).join(", ") }),
  );
  const [until, setUntil] = useState("");
  const [reason, setReason] = useState("");
  const [problem, act] = useSending(() => post("/freezes", { ...freezeOf(definition), ...pauseOf(until, reason) }));
  const of = { definition, change, problem };
  return html`<${Confirm} title="New freeze" verb="Freeze" act=${act} cannot=${until === ""} onClose=${onClose}
    onDone=${(made) => {
      note("Freeze " + made.id + " is made.");
      onDone();
    }}>
    <p>Nothing that it covers starts by itself from now on. What executes goes on, and what somebody asks for runs.</p>
    ${
      seesAll()
      && html`<label class="check"><input type="checkbox" checked=${definition.all === true}
      onChange=${(e) => change({ ...definition, all: e.target.checked })} />
      <span><strong>All jobs</strong></span></label>`
    }
    ${
      !definition.all
      && html`<div class="pair"><${Input} of=${of} path="namespaces" label="Namespaces" placeholder="any"
        hint="With commas between them." />
      <${Input} of=${of} path="jobs" label="Jobs" placeholder="any" hint="Such as shop/bill, shop/mail." /></div>
    <${Lines} of=${of} path="labels" label="Labels" hint="name=value, one per line: jobs that bear one of them." />`
    }
    <${Choice} of=${of} path="then" label="What comes due" words=${THEN} />
    <${PauseFields} until=${until} reason=${reason} onUntil=${setUntil} onReason=${setReason} endless=${false} /><//>`;
}

function OtherEnd({ freeze, onClose, onDone }) {
  const [until, setUntil] = useState("");
  const [reason, setReason] = useState(freeze.reason);
  return html`<${Confirm} title=${"Another end for freeze " + freeze.id} verb="Change it" cannot=${until === ""}
    act=${() => call("PATCH", "/freezes/" + freeze.id, { body: pauseOf(until, reason) })} onClose=${onClose}
    onDone=${(changed) => {
      note("Freeze " + changed.id + " has another end.");
      onDone();
    }}>
    <p>It ends <${When} at=${freeze.until} /> as it is.</p>
    <${PauseFields} until=${until} reason=${reason} onUntil=${setUntil} onReason=${setReason} endless=${false} /><//>`;
}

function Row({ freeze, onAsk }) {
  const open = freeze.state !== "ENDED" && mayEnd(freeze);
  return html`<tr><td>${freeze.id}</td><td><${Mark} what=${MARKS[freeze.state]} word=${WORDS[freeze.state]} /></td>
    <td class="wrap">${covered(freeze)}</td><td>${freeze.then === "SKIP" ? "skipped" : "held"}</td>
    <td><${When} at=${freeze.from} /></td><td><${When} at=${freeze.until} /></td>
    <td>${freeze.by}</td><td class="wrap small">${freeze.reason}</td>
    <td>${
      open
      && html`<span class="actions"><button class="link" aria-label=${"Another end for freeze " + freeze.id}
      onClick=${() => onAsk([OtherEnd, freeze])}>other end</button>
      <button class="link" aria-label=${"End freeze " + freeze.id}
      onClick=${() => onAsk([EndFreeze, freeze])}>end</button></span>`
    }</td></tr>`;
}

export default function Freezes() {
  useTitle("Freezes");
  const from = useLoad((signal) => get("/freezes", { limit: 200 }, signal), "all freezes");
  const [[Asked, freeze], ask] = useState(/** @type {[any, any]} */ ([null, null]));
  const soon = useThrottled(from.reload, 2000);
  useEvents({}, (event) => (event.name === "gap" || event.name === "freeze.changed") && soon());
  const close = () => ask([null, null]);
  return html`<div class="head"><${Title}>Freezes<//>${
    may("operator") && html`<button class="main" onClick=${() => ask([NewFreeze, null])}>New freeze …</button>`
  }</div>
    <${Panel} flush><${Loaded} from=${from}>${({ items }) =>
      items.length === 0
        ? html`<${Empty} title="Nothing was frozen" command="rowlock freeze --all --for 2h --reason 'a release'">A
          freeze keeps jobs from starting anything by themselves for a while.<//>`
        : html`<${Wide} label="All freezes"><table><thead><tr><th>Freeze</th><th>State</th><th>Covers</th>
          <th>What comes due is</th><th>From</th><th>Until</th><th>By</th><th>Reason</th>
          <th><span class="unseen">Actions</span></th></tr></thead>
        <tbody>${items.map(
          (one) => html`<${Row} key=${one.id} freeze=${one} onAsk=${ask} />`,
        )}</tbody></table><//>`}<//><//>
    ${Asked && html`<${Asked} freeze=${freeze} onClose=${close} onDone=${from.reload} />`}`;
}
