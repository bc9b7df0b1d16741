/** The nodes: load, labels, facts, and who did what in the last hour; draining,
  and what only an administrator changes. */
import { html, useState } from "../core/html.js";
import { call, get, may, now, post, seesAll } from "../core/client.js";
import { useEvents } from "../core/live.js";
import { link } from "../core/route.js";
import { span } from "../core/time.js";
import { useEvery, useLoad, useThrottled, useTitle } from "../core/use.js";
import { Confirm, Field, note } from "../widget/dialog.js";
import { Fleet, MOST } from "../widget/fleet.js";
import { fromLines, toLines } from "../widget/fields.js";
import { Empty, Facts, Labels, Loaded, Mark, Panel, Title, Trouble, When, Wide } from "../widget/parts.js";

const MINUTE = 60000;
const HOUR = 60 * MINUTE;

function Change({ node, onClose, onDone }) {
  const [labels, setLabels] = useState(toLines(node.labels));
  const [capacity, setCapacity] = useState(String(node.capacity));
  const wanted = fromLines(labels);
  const gone = Object.keys(node.labels).filter((name) => !(name in wanted));
  const body = {
    labels: { ...wanted, ...Object.fromEntries(gone.map((name) => [name, null])) },
    ...(Number(capacity) === node.capacity ? {} : { capacity: /^\d+$/.test(capacity) ? Number(capacity) : capacity }),
  };
  const act = async () => (await call("PATCH", "/cluster/nodes/" + encodeURIComponent(node.node), { body })).data;
  return html`<${Confirm} title=${"Change node " + node.node} verb="Change" act=${act} onClose=${onClose}
      onDone=${(said) => {
        note(said.effect);
        said.warnings.forEach(note);
        onDone();
      }}>
    <${Field} id="node-labels" label="Labels"
      hint="name=value, one per line. They win over its configuration, also after a restart.">
      <textarea id="node-labels" rows="4" value=${labels} aria-describedby="node-labels-hint"
        onInput=${(e) => setLabels(e.target.value)}></textarea><//>
    <${Field} id="node-capacity" label="Slots" hint="How many tasks it executes at once."><input id="node-capacity"
      inputmode="numeric" value=${capacity}
      aria-describedby="node-capacity-hint" onInput=${(e) => setCapacity(e.target.value)} /><//><//>`;
}

function Drain({ node, onClose, onDone }) {
  const back = node.drained;
  return html`<${Confirm} title=${
    back ? "Have node " + node.node + " take work again?" : "Drain node " + node.node + "?"
  } verb=${back ? "Undrain" : "Drain"}
      act=${() => post("/cluster/nodes/" + encodeURIComponent(node.node) + (back ? "/undrain" : "/drain"))}
        onClose=${onClose}
      onDone=${(said) => {
        note(said.effect);
        said.warnings.forEach(note);
        onDone();
      }}>
    <p>${
      back
        ? "It takes what it matches, from now on."
        : "It takes nothing more, gives back what it has not started, and finishes what runs: "
          + node.executing
          + " now. It stays drained, also after a restart."
    }</p><//>`;
}

function Node({ node, self, onDone }) {
  const [open, setOpen] = useState(null);
  const close = () => setOpen(null);
  const cluster = seesAll();
  return html`<section class="panel" aria-label=${"Node " + node.node}><header><h2>${node.node} <${Mark}
    what=${node.state} />
      ${node.drained && node.state !== "DRAINING" && html` <${Mark} what="DRAINING" word="drained" />`}</h2>
      <div class="actions">${
        cluster
        && may("admin")
        && html`<button
        onClick=${() => setOpen("change")}>Labels and slots …</button>`
      }
        ${
          cluster
          && may("operator")
          && html`<button onClick=${() => setOpen("drain")}>${node.drained ? "Undrain …" : "Drain …"}</button>`
        }</div></header>
    <div class="stack"><div class="actions"><span class="load" role="img" aria-label=${
      node.executing + " of " + node.capacity + " slots are taken"
    }>
        <i style=${{ width: Math.min(100, (100 * node.executing) / Math.max(1, node.capacity)) + "%" }}></i></span>
        <a href=${link(["history"], {
          node: node.node,
          state: "EXECUTING",
        })}>${node.executing} of ${node.capacity} slots</a></div>
      <${Labels} labels=${node.labels} />
      <${Facts} of=${[
        ["Heard of", html`<${When} at=${node.heartbeatAt} />`],
        [
          "Since",
          html`<${When}
        at=${node.startedAt} />`,
        ],
        ["Host", node.host + ", pid " + node.pid],
        ["Version", node.version],
        ["Prepared", node.prepared],
        ["Stripes it prefers", node.stripes + " of 64"],
        [
          "Clock",
          node.clockSkewMs === null || node.clockSkewMs === undefined
            ? null
            : span(node.clockSkewMs) + " off the database's",
        ],
        ["Answers you", node.node === self ? "yes" : null],
      ]} /></div>
    ${open === "change" && html`<${Change} node=${node} onClose=${close} onDone=${onDone} />`}
    ${open === "drain" && html`<${Drain} node=${node} onClose=${close} onDone=${onDone} />`}</section>`;
}

function Gone({ sessions }) {
  return html`<${Panel} title="Gone within a day" flush><${Wide} label="Sessions that ended"><table><thead><tr>
    <th>Node</th><th>Gone</th><th>Why</th><th>Lived</th><th>Session</th></tr></thead>
    <tbody>${sessions.map(
      (one) => html`<tr key=${one.id}><td>${one.node}</td><td><${When} at=${one.goneAt} /></td><td
      class="wrap">${one.goneReason}</td>
      <td>${span(Date.parse(one.goneAt) - Date.parse(one.startedAt))}</td><td><code>${one.id}</code></td>
        </tr>`,
    )}</tbody></table><//><//>`;
}

export default function Nodes() {
  useTitle("Nodes");
  const cluster = useLoad((signal) => get("/cluster", {}, signal), "cluster");
  // To whole minutes, so that all who look ask for the same.
  const tasks = useLoad(
    async (signal) =>
      (
        await get(
          "/tasks",
          { limit: MOST, since: new Date(Math.floor(now() / MINUTE) * MINUTE - HOUR).toISOString() },
          signal,
        )
      ).items,
    "tasks",
  );
  const soon = useThrottled(() => {
    cluster.reload();
    tasks.reload();
  }, 5000);
  useEvents({}, soon);
  useEvery(10000, cluster.reload);
  return html`<div class="head"><${Title}>Nodes<//></div>
    <${Loaded} from=${cluster}>${(found) => {
      const alive = found.sessions.filter((session) => session.state !== "GONE");
      const gone = found.sessions.filter((session) => session.state === "GONE");
      return html`${found.clockProblem && html`<${Trouble} problem=${new Error(found.clockProblem)} />`}
        ${
          alive.length === 0
          && html`<${Empty} title="No node is alive"
          command="rowlock server">Start one with the settings of this cluster:<//>`
        }
        <div class="columns">${alive.map(
          (node) => html`<${Node} key=${node.id} node=${node} self=${found.self}
          onDone=${cluster.reload} />`,
        )}</div>
        ${
          tasks.data
          && html`<${Fleet} tasks=${tasks.data} sessions=${found.sessions} from=${now() - HOUR}
          until=${now()} />`
        }
        ${gone.length > 0 && html`<${Gone} sessions=${gone} />`}`;
    }}<//>`;
}
