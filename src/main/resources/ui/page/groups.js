/** Groups: what executes, what waits, in which order, and the limit. */
import { html, useState } from "../core/html.js";
import { call, get, IF_NEW, may, seesAll } from "../core/client.js";
import { useEvents } from "../core/live.js";
import { useLoad, useThrottled, useTitle } from "../core/use.js";
import { Confirm, Field, note } from "../widget/dialog.js";
import { Empty, JobLink, Loaded, Mark, Panel, taskMark, TaskLink, Title, When, Wide } from "../widget/parts.js";

function path(name) {
  return "/groups/" + encodeURIComponent(name);
}

function Change({ group, onClose, onDone }) {
  const [name, setName] = useState(group?.name ?? "");
  const [limit, setLimit] = useState(String(group?.limit ?? 1));
  const [description, setDescription] = useState(group?.description ?? "");
  const body = { limit: /^\d+$/.test(limit) ? Number(limit) : limit, description };
  const act = () => (group ? call("PATCH", path(name), { body }) : call("PUT", path(name), { body, headers: IF_NEW }));
  return html`<${Confirm} title=${group ? "Change group " + group.name : "New group"} verb=${
    group ? "Change" : "Create"
  } act=${act} cannot=${name === ""}
      onClose=${onClose} onDone=${() => {
        note("Group " + name + " is saved.");
        onDone();
      }}>
    ${
      !group
      && html`<${Field} id="group-name" label="Name"><input id="group-name" required value=${name}
      onInput=${(e) => setName(e.target.value)} /><//>`
    }
    <${Field} id="group-limit" label="Limit"
      hint="How many of its tasks execute in the cluster at most. 0 stops the group; lowering it kills nothing.">
      <input id="group-limit" inputmode="numeric" value=${limit} aria-describedby="group-limit-hint"
        onInput=${(e) => setLimit(e.target.value)} /><//>
    <${Field} id="group-about" label="Description"><input id="group-about" value=${description}
      onInput=${(e) => setDescription(e.target.value)} /><//><//>`;
}

function Remove({ group, onClose, onDone }) {
  return html`<${Confirm} title=${"Delete group " + group.name + "?"} verb=${"Delete " + group.name} danger
    act=${() => call("DELETE", path(group.name))}
    onClose=${onClose} onDone=${() => {
      note("Group " + group.name + " is deleted.");
      onDone();
    }}>
      <p>That is possible once no job is in it.</p><//>`;
}

function InIt({ tasks }) {
  return tasks.length === 0
    ? html`<${Empty} title="Nothing runs or waits" />`
    : html`<${Wide}
    label="Tasks of the group"><table>
    <thead><tr><th>Task</th><th>Job</th><th>What</th><th>Since</th><th class="num">Priority</th></tr></thead>
    <tbody>${tasks.map(
      (task) => html`<tr key=${task.id}><td><${TaskLink} id=${task.id} /></td><td><${JobLink}
      namespace=${task.namespace} name=${task.job} /></td>
      <td><${Mark} what=${taskMark(task)} /></td><td><${When}
        at=${task.startedAt ?? task.queuedAt ?? task.fireTime} /></td><td class="num">${task.priority}</td>
        </tr>`,
    )}</tbody></table><//>`;
}

function Group({ group, onDone }) {
  const [open, setOpen] = useState(null);
  const close = () => setOpen(null);
  const changes = may("editor") && seesAll();
  const full = group.executing >= group.limit;
  return html`<${Panel} title=${group.name} flush actions=${
    changes
    && html`<button
    onClick=${() => setOpen("change")}>Change …</button>
      <button class="danger" onClick=${() => setOpen("remove")}>Delete …</button>`
  }>
    <div class="inset">${group.description && html`<p class="muted">${group.description}</p>`}
      <div class="actions"><span class="load" data-full=${full || undefined} role="img" aria-label=${
        group.executing + " of " + group.limit + " run"
      }>
        <i style=${{ width: Math.min(100, (100 * group.executing) / Math.max(1, group.limit)) + "%" }}></i></span>
      <span>${group.executing} of ${group.limit} run, ${group.waiting} wait${
        full && group.limit > 0 ? "; it is full" : ""
      }${group.limit === 0 ? "; it is stopped" : ""}</span></div></div>
    <${InIt} tasks=${group.tasks} />
    ${open === "change" && html`<${Change} group=${group} onClose=${close} onDone=${onDone} />`}
    ${open === "remove" && html`<${Remove} group=${group} onClose=${close} onDone=${onDone} />`}<//>`;
}

/** All groups with what is in them. */
async function read(signal) {
  const { items } = await get("/groups", { limit: 1000 }, signal);
  return Promise.all(items.map((group) => get(path(group.name), {}, signal)));
}

export default function Groups() {
  useTitle("Groups");
  const groups = useLoad(read, "groups");
  const [adding, setAdding] = useState(false);
  const soon = useThrottled(groups.reload, 5000);
  useEvents({}, (event) => (event.name === "gap" || event.data?.group) && soon());
  const adds = may("editor") && seesAll();
  return html`<div class="head"><${Title}>Groups<//><div class="actions">${
    adds
    && html`<button class="main"
    onClick=${() => setAdding(true)}>New group …</button>`
  }</div></div>
    <${Loaded} from=${groups}>${(all) =>
      all.length === 0
        ? html`<${Panel}><${Empty}
      title="There is no group">Jobs of a group share a limit: so many of them
        run at once, in the whole cluster.${adds ? "" : " Somebody with the role editor can make one."}<//><//>`
        : html`<div class="columns">${all.map(
            (group) => html`<${Group} key=${group.name} group=${group}
        onDone=${groups.reload} />`,
          )}</div>`}<//>
    ${adding && html`<${Change} onClose=${() => setAdding(false)} onDone=${groups.reload} />`}`;
}
