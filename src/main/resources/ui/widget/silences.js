/** What nobody is told of until a time: made, listed and ended. */
import { html, useState } from "../core/html.js";
import { call, may, post, seesAll, who } from "../core/client.js";
import { useSending } from "../core/use.js";
import { PauseFields, pauseOf } from "./bulk.js";
import { Confirm, note } from "./dialog.js";
import { Input, Lines } from "./fields.js";
import { Empty, Labels, Loaded, Mark, Panel, When, Wide } from "./parts.js";

/** What a silence of this alert would say. */
export function silenceOf(alert) {
  return alert.job ? { namespace: alert.namespace, job: alert.job } : { rule: alert.rule };
}

function own() {
  return seesAll() ? {} : { namespace: who()?.namespaces?.[0] };
}

/** @param begin what it says at first, such as {namespace, job} */
export function NewSilence({ begin, onClose, onDone }) {
  const [definition, change] = useState(begin ?? own());
  const [until, setUntil] = useState("");
  const [reason, setReason] = useState("");
  const [problem, act] = useSending(() => post("/silences", { ...definition, ...pauseOf(until, reason) }));
  const of = { definition, change, problem };
  return html`<${Confirm} title="New silence" verb="Silence" act=${act} cannot=${until === ""} onClose=${onClose}
    onDone=${(made) => {
      note("Silence " + made.id + " is made.");
      onDone();
    }}>
    <p>Nobody is told of what matches all of this. What is still open at its end is told then.</p>
    <div class="pair"><${Input} of=${of} path="namespace" label="Namespace" placeholder="any" />
      <${Input} of=${of} path="job" label="Job" placeholder="any" /></div>
    <${Lines} of=${of} path="labels" label="Labels of the job" hint="name=value, one per line." />
    <${Input} of=${of} path="rule" label="Rule" placeholder="any" />
    <${PauseFields} until=${until} reason=${reason} onUntil=${setUntil} onReason=${setReason} endless=${false} /><//>`;
}

function End({ silence, onClose, onDone }) {
  return html`<${Confirm} title=${"End silence " + silence.id + "?"} verb=${"End silence " + silence.id}
    act=${() => call("DELETE", "/silences/" + silence.id)} onClose=${onClose}
    onDone=${() => {
      note("Silence " + silence.id + " is ended.");
      onDone();
    }}>
    <p>What it was about, and what is still open, is told at once.</p><//>`;
}

function About({ silence }) {
  const { namespace, job, labels, rule } = silence;
  return html`${namespace && html`<span class="mono">${namespace}/${job ?? "*"}</span> `}<${Labels} labels=${labels} />
    ${rule && html` <span>rule ${rule}</span>`}`;
}

/** @param from what useLoad answered of them */
export function Silences({ from, onNew }) {
  const [ending, setEnding] = useState(null);
  return html`<${Panel} title="Silences" flush actions=${
    may("operator")
    && html`<button
    onClick=${onNew}>New silence …</button>`
  }>
    <${Loaded} from=${from}>${(all) =>
      all.length === 0
        ? html`<${Empty} title="Nothing is silenced">Silence what you know of, such as a store that moves, and it ends
        by itself.<//>`
        : html`<${Wide} label="All silences"><table><thead><tr><th>About</th><th>State</th><th>Until</th><th>Reason</th>
        <th><span class="unseen">Actions</span></th></tr></thead>
      <tbody>${all.map(
        (silence) => html`<tr key=${silence.id}><td class="wrap"><${About} silence=${silence} /></td>
        <td><${Mark} what=${silence.active ? "PAUSED" : "ENDED"} word=${silence.active ? "in force" : "over"} /></td>
        <td><${When} at=${silence.until} /></td><td class="wrap small">${silence.reason}</td>
        <td>${
          silence.active
          && may("operator")
          && html`<button class="link" aria-label=${"End silence " + silence.id}
          onClick=${() => setEnding(silence)}>end</button>`
        }</td></tr>`,
      )}</tbody></table><//>`}<//>
    ${ending && html`<${End} silence=${ending} onClose=${() => setEnding(null)} onDone=${from.reload} />`}<//>`;
}
