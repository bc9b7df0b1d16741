/** One task: why it is as it is, how its time was spent, and what it wrote. */
import { html, useState } from "../core/html.js";
import { get, jobPath, may, post } from "../core/client.js";
import { useEvents } from "../core/live.js";
import { go, toJob, toTask } from "../core/route.js";
import { absolute, span } from "../core/time.js";
import { useEvery, useLoad, useThrottled, useTitle } from "../core/use.js";
import { Confirm, note } from "../widget/dialog.js";
import { Steps, WhyCard } from "../widget/explain.js";
import { Value } from "../widget/definition.js";
import { Output } from "../widget/output.js";
import { Facts, Loaded, Mark, Panel, Since, TaskLink, taskMark, Title, When, wordOf } from "../widget/parts.js";
import { OccurrenceLine } from "../widget/timeline.js";

const AGAIN = ["FAILED", "TIMED_OUT", "KILLED", "LOST", "SKIPPED", "MISSED", "CANCELLED"];

function Kill({ task, onClose, onDone }) {
  const name = "task " + task.id + " of " + task.namespace + "/" + task.job;
  const runs = task.state === "EXECUTING";
  return html`<${Confirm} title=${"Kill " + name + "?"} verb="Kill" danger act=${() =>
    post("/tasks/" + task.id + "/kill")} onClose=${onClose}
      onDone=${() => {
        note(runs ? "Task " + task.id + " was asked to end." : "Task " + task.id + " does not run.");
        onDone();
      }}>
    ${
      runs
        ? html`<p>The command${task.node ? " on node " + task.node : ""} and all that it started get TERM now,
      and KILL once the
        grace period of the job is over.</p>
          <p>The outcome is KILLED. It is not tried again; the next fire time runs as usual.</p>`
        : html`<p>It has not started, and is not going to.</p>`
    }<//>`;
}

/** Once more for the same fire time, if that is possible; else a run of the job as it is now. */
function Again({ task, onClose }) {
  const exact = AGAIN.includes(task.outcome);
  const [key] = useState(() => "page-" + task.id + "-" + Date.now());
  const act = () =>
    exact
      ? post("/tasks/rerun", { task: task.id }, { "Idempotency-Key": key })
      : post(jobPath(task.namespace, task.job, "/run"), {}, { "Idempotency-Key": key });
  const done = (made) => {
    if (!exact) {
      go(toTask(made.id));
    } else if (made.created.length > 0) {
      go(toTask(made.created[0].id));
    } else {
      note("Nothing to run again: " + (made.leftOut[0]?.reason ?? "no task matches") + ".");
    }
  };
  return html`<${Confirm} title=${"Run " + task.namespace + "/" + task.job + " again?"} verb="Run again" act=${act}
    onDone=${done} onClose=${onClose}>
    <p>${
      exact
        ? "It runs for the same fire time, " + absolute(task.fireTime) + ", with the job as it is now."
        : "A new run, now, with the job as it is now." + " Only what did not succeed runs again for its own fire time."
    }</p><//>`;
}

function facts(task) {
  return [
    ["Fire time", html`<${When} at=${task.fireTime} />, ${absolute(task.fireTime)}`],
    ["Cause", task.cause.toLowerCase().replace("_", "-") + (task.attempt > 1 ? ", attempt " + task.attempt : "")],
    ["Asked for by", task.origin],
    ["Node", task.node],
    ["Started", task.startedAt && html`<${When} at=${task.startedAt} />`],
    ["Late", task.latenessMs !== null && span(task.latenessMs)],
    ["Took", task.durationMs !== null && span(task.durationMs)],
    ["Exit code", task.exitCode],
    ["Signal", task.signal],
    ["Stands for", task.occurrences > 1 && task.occurrences + " fire times, to " + absolute(task.lastFireTime)],
    ["Waits for", task.holdReason],
    ["Group", task.group],
    ["Priority", task.priority || null],
    ["Version of the job", task.jobVersion],
    ["Did not run because of", task.supersededBy && html`<${TaskLink} id=${task.supersededBy} />`],
    ["Killed for", task.replacedBy && html`<${TaskLink} id=${task.replacedBy} />`],
    ["Otherwise than in the job", task.overrides && html`<${Value} of=${task.overrides} />`],
    ["Note", task.note],
  ].filter(([, value]) => value !== false);
}

function Page({ task, why, line, onChange }) {
  const [open, setOpen] = useState(null);
  const close = () => setOpen(null);
  const live = task.state === "EXECUTING";
  const ran = task.startedAt !== null;
  return html`<div class="head"><div><${Title}>Task ${task.id} <span class="unseen">of</span>
        <a class="job" href=${toJob(task.namespace, task.job)}><span
          class="ns">${task.namespace}/</span>${task.job}</a><//>
      <p class="sub"><${Mark} what=${taskMark(task)} /> ${
        live
        && html`for <${Since} at=${task.startedAt}
        />`
      }
        ${task.reason && " " + task.reason}</p></div>
      <div class="actions">${
        may("operator")
        && task.state !== "ENDED"
        && html`<button class="danger"
        onClick=${() => setOpen("kill")}>Kill …</button>`
      }
        ${
          may("operator")
          && task.state === "ENDED"
          && html`<button class="main"
          onClick=${() => setOpen("again")}>Run again …</button>`
        }</div></div>
    <p class="unseen" role="status">${"Task " + task.id + " is " + wordOf(taskMark(task))}</p>
    <${Loaded} from=${why}>${(said) => html`<${WhyCard} said=${said} />`}<//>
    ${
      ran
      && html`<${Panel} title="Output" flush><${Output} key=${task.id + (live ? "" : " ended")} task=${task.id}
      live=${live} line=${line}
      end=${task.outcome !== "SUCCEEDED"} /><//>`
    }
    ${
      why.data
      && html`<div class="columns"><${Panel} title="Timeline"><div class="stack"><${OccurrenceLine}
      said=${why.data} /><${Steps} said=${why.data} /></div><//>
      <${Panel} title="Facts"><${Facts} of=${facts(task)} /><//></div>`
    }
    ${open === "kill" && html`<${Kill} task=${task} onClose=${close} onDone=${onChange} />`}
    ${open === "again" && html`<${Again} task=${task} onClose=${close} />`}`;
}

export default function Task({ parts, query }) {
  const id = parts[1];
  useTitle("Task " + id);
  const task = useLoad((signal) => get("/tasks/" + encodeURIComponent(id), {}, signal), id);
  const why = useLoad((signal) => get("/tasks/" + encodeURIComponent(id) + "/explain", {}, signal), id);
  const reload = () => {
    task.reload();
    why.reload();
  };
  const soon = useThrottled(reload, 2000);
  const found = task.data;
  useEvents(found ? { job: found.namespace + "/" + found.job } : null, (event) => {
    if (event.name === "gap" || String(event.data?.id) === id) {
      soon();
    }
  });
  useEvery(5000, () => found && found.state !== "ENDED" && reload());
  const line = Number.parseInt(query.get("line") ?? "", 10);
  return html`<${Loaded} from=${task}>${(t) => html`<${Page} task=${t} why=${why} line=${line > 0 ? line : null}
    onChange=${reload} />`}<//>`;
}
