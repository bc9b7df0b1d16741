/** What can be done to one job, each after a dialog that names it. */
import { html, useState } from "../core/html.js";
import { call, jobPath, may, post } from "../core/client.js";
import { go, link, toTask } from "../core/route.js";
import { BackfillDialog } from "./backfill.js";
import { PauseFields, pauseOf } from "./bulk.js";
import { Confirm, Field, note } from "./dialog.js";
import { fromLines } from "./fields.js";

const OVERLAPS = [
  ["", "as the job says"],
  ["ALLOW", "ALLOW: run at the same time"],
  ["QUEUE", "QUEUE: wait for it"],
  ["SKIP", "SKIP: do not run then"],
  ["REPLACE", "REPLACE: kill it first"],
];

function Run({ job, onClose }) {
  const [command, setCommand] = useState("");
  const [env, setEnv] = useState("");
  const [node, setNode] = useState("");
  const [overlap, setOverlap] = useState("");
  const [key] = useState(() => "page-" + Date.now() + "-" + Math.random().toString(36).slice(2));
  const body = {
    ...(command.trim() ? { command } : {}),
    ...(env.trim() ? { env: fromLines(env) } : {}),
    ...(node.trim() ? { node: node.trim() } : {}),
    ...(overlap ? { overlap } : {}),
  };
  const act = () => post(jobPath(job.namespace, job.name, "/run"), body, { "Idempotency-Key": key });
  return html`<${Confirm} title=${"Run " + job.namespace + "/" + job.name + " now?"} verb="Run now" act=${act}
    onClose=${onClose}
      onDone=${(task) => {
        task.warnings.forEach(note);
        go(toTask(task.id));
      }}>
    <p>One run, now, whatever the schedule says. Left empty, everything is as in the job.</p>
    <${Field} id="run-overlap" label="If it runs already"><select id="run-overlap" value=${overlap}
      onChange=${(e) => setOverlap(e.target.value)}>${OVERLAPS.map(
        ([value, said]) => html`<option key=${value}
        value=${value}>${said}</option>`,
      )}</select><//>
    <${Field} id="run-node" label="On node"><input id="run-node" value=${node}
      onInput=${(e) => setNode(e.target.value)} /><//>
    ${
      may("editor")
      && html`<${Field} id="run-command" label="Another command"><textarea id="run-command" rows="2"
      value=${command}
        placeholder=${typeof job.command === "string" ? job.command : ""}
          onInput=${(e) => setCommand(e.target.value)}></textarea><//>
      <${Field} id="run-env" label="More variables" hint="NAME=value, one per line"><textarea id="run-env" rows="2"
        value=${env}
        aria-describedby="run-env-hint" onInput=${(e) => setEnv(e.target.value)}></textarea><//>`
    }
  <//>`;
}

function Pause({ job, onClose, onDone }) {
  const [until, setUntil] = useState("");
  const [reason, setReason] = useState("");
  const name = job.namespace + "/" + job.name;
  const act = () => post(jobPath(job.namespace, job.name, "/pause"), pauseOf(until, reason));
  return html`<${Confirm} title=${"Pause " + name + "?"} verb="Pause" act=${act} onClose=${onClose}
      onDone=${() => {
        note(name + " is paused.");
        onDone();
      }}>
    <p>What is due meanwhile does not run, and is not made up for. What runs now goes on.</p>
    <${PauseFields} until=${until} reason=${reason} onUntil=${setUntil} onReason=${setReason} /><//>`;
}

function simple(job, onDone) {
  const name = job.namespace + "/" + job.name;
  const at = (rest) => jobPath(job.namespace, job.name, rest);
  return {
    resume: {
      title: "Resume " + name + "?",
      verb: "Resume",
      text: "It goes on with its next fire time; nothing of the past is made up for.",
      act: () => post(at("/resume")),
      done: () => {
        note(name + " is resumed.");
        onDone();
      },
    },
    release: {
      title: "Try the tasks of " + name + " that were set aside again?",
      verb: "Try again",
      text: job.hold?.reason,
      act: () => post(at("/release")),
      done: () => {
        note(name + ": tried again.");
        onDone();
      },
    },
    kill: {
      title: "Kill all that " + name + " runs?",
      verb: "Kill",
      danger: true,
      text: "TERM now, KILL after " + (job.killGrace ?? "10s") + ". Killed runs are not retried. The schedule goes on.",
      act: () => post(at("/kill")),
      done: (killed) => {
        note(killed.count + " asked to end.");
        killed.warnings.forEach(note);
        onDone();
      },
    },
    remove: {
      title: "Delete " + name + "?",
      verb: "Delete " + job.name,
      danger: true,
      text: "It never runs again. What runs now goes on to its end; history and versions stay.",
      act: () => call("DELETE", at(""), { headers: { "If-Match": '"' + job.version + '"' } }),
      done: () => {
        note(name + " is deleted.");
        go("#/jobs");
      },
    },
  };
}

export function JobActions({ job, onDone }) {
  const [open, setOpen] = useState(null);
  const close = () => setOpen(null);
  const ask = simple(job, onDone)[open];
  if (!may("operator")) {
    return null;
  }
  const running = job.state === "EXECUTING" || job.lastTask?.state === "EXECUTING";
  return html`<div class="actions">
    <button class="main" onClick=${() => setOpen("run")}>Run …</button>
    ${
      job.state === "PAUSED"
        ? html`<button onClick=${() => setOpen("resume")}>Resume …</button>`
        : html`<button onClick=${() => setOpen("pause")}>Pause …</button>`
    }
    ${job.schedule !== "@manual" && html`<button onClick=${() => setOpen("backfill")}>Backfill …</button>`}
    ${may("editor") && html`<a class="button" href=${link(["edit", job.namespace, job.name])}>Edit</a>`}
    ${job.hold?.kind === "SET_ASIDE" && html`<button onClick=${() => setOpen("release")}>Try again …</button>`}
    ${running && html`<button class="danger" onClick=${() => setOpen("kill")}>Kill …</button>`}
    ${may("editor") && html`<button class="danger" onClick=${() => setOpen("remove")}>Delete …</button>`}
    ${open === "run" && html`<${Run} job=${job} onClose=${close} />`}
    ${open === "backfill" && html`<${BackfillDialog} job=${job} onClose=${close} onDone=${onDone} />`}
    ${open === "pause" && html`<${Pause} job=${job} onClose=${close} onDone=${onDone} />`}
    ${
      ask
      && html`<${Confirm} title=${ask.title} verb=${ask.verb} danger=${ask.danger} act=${ask.act}
      onDone=${ask.done} onClose=${close}>
      <p>${ask.text}</p><//>`
    }
  </div>`;
}
