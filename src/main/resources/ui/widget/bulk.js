/** What can be done to several jobs at once, after a look at which. */
import { html, useState } from "../core/html.js";
import { jobPath, post } from "../core/client.js";
import { Confirm, Field, note } from "./dialog.js";

const SHOWN = 12;

/** Does something to each; tells how many it failed for, and why the first one did. */
async function each(jobs, act) {
  let done = 0;
  const failed = [];
  for (const job of jobs) {
    try {
      await act(job);
      done++;
    } catch (problem) {
      failed.push(job.namespace + "/" + job.name + ": " + problem.message);
    }
  }
  if (failed.length > 0) {
    throw new Error(done + " done, " + failed.length + " failed. " + failed[0]);
  }
  return done;
}

function Hit({ jobs }) {
  return html`<ul class="mono small">${jobs.slice(0, SHOWN).map(
    (job) => html`<li key=${job.namespace + "/" + job.name}>
    ${job.namespace}/${job.name}</li>`,
  )}
    ${jobs.length > SHOWN && html`<li>… and ${jobs.length - SHOWN} more</li>`}</ul>`;
}

/** @param endless whether it may have no end */
export function PauseFields({ until, reason, onUntil, onReason, endless = true }) {
  return html`<${Field} id="until" label="Until" hint=${
    "In your own time" + (endless ? "; empty: until somebody resumes it." : ".")
  }>
      <input id="until" type="datetime-local" value=${until} aria-describedby="until-hint"
        onInput=${(e) => onUntil(e.target.value)} /><//>
    <div class="actions">${[
      ["1 hour", 1],
      ["8 hours", 8],
      ["1 day", 24],
    ].map(
      ([said, hours]) => html`<button
      type="button"
      key=${said} onClick=${() => onUntil(inHours(hours))}>${said}</button>`,
    )}</div>
    <${Field} id="reason" label="Reason" hint="Shown wherever the job is shown.">
      <input id="reason" value=${reason} maxlength="500" aria-describedby="reason-hint"
        onInput=${(e) => onReason(e.target.value)} /><//>`;
}

function inHours(hours) {
  const at = new Date(Date.now() + hours * 3600000);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
}

/** What the pause of a form means for the API. */
export function pauseOf(until, reason) {
  return { ...(until ? { until: new Date(until).toISOString() } : {}), ...(reason ? { reason } : {}) };
}

const VERBS = {
  pause: ["Pause", "What is due while they are paused does not run. What runs now goes on."],
  resume: ["Resume", "They go on with their next fire time; nothing of the past is made up for."],
  run: ["Run", "Each starts now, as far as its overlap policy allows."],
};

function Ask({ what, jobs, onDone, onClose }) {
  const [until, setUntil] = useState("");
  const [reason, setReason] = useState("");
  const [verb, meaning] = VERBS[what];
  const count = jobs.length + (jobs.length === 1 ? " job" : " jobs");
  const body = what === "pause" ? pauseOf(until, reason) : {};
  const act = () => each(jobs, (job) => post(jobPath(job.namespace, job.name, "/" + what), body));
  return html`<${Confirm} title=${verb + " " + count + "?"} verb=${verb + " " + count} act=${act} onClose=${onClose}
      onDone=${(done) => {
        note(verb + ": done for " + done + ".");
        onDone();
      }}>
    <p>${meaning}</p><${Hit} jobs=${jobs} />
    ${
      what === "pause"
      && html`<${PauseFields} until=${until} reason=${reason} onUntil=${setUntil}
      onReason=${setReason} />`
    }
  <//>`;
}

/** What the API can match of a filter; null: nothing, or not just that. */
export function matching({ namespace, q, label, state }) {
  const labels = Object.fromEntries(label.filter((one) => one.includes("=")).map((one) => one.split(/=(.*)/s)));
  const all = Object.keys(labels).length === label.length && state === "";
  const asked = { ...(namespace ? { namespace } : {}), ...(q ? { q } : {}), ...(label.length > 0 ? { labels } : {}) };
  return all && Object.keys(asked).length > 0 ? asked : null;
}

function AskAll({ what, match, onDone, onClose }) {
  const [until, setUntil] = useState("");
  const [reason, setReason] = useState("");
  const [verb, meaning] = VERBS[what];
  const act = () => post("/jobs/" + what, { ...match, ...(what === "pause" ? pauseOf(until, reason) : {}) });
  const done = (said) => {
    note(verb + ": " + said.changed + " of " + said.matched + " jobs changed.");
    said.warnings.forEach(note);
    onDone();
  };
  return html`<${Confirm} title=${verb + " all jobs that match?"} verb=${verb + " all"} act=${act} onDone=${done}
      onClose=${onClose}><p>${meaning} That is done to every job with</p>
    <pre class="code">${Object.entries(match)
      .map(
        ([name, value]) =>
          name
          + ": "
          + (typeof value === "string"
            ? value
            : Object.entries(value)
                .map((pair) => pair.join("="))
                .join(", ")),
      )
      .join("\n")}</pre>
    <p>also to those that are not loaded yet.</p>
    ${
      what === "pause"
      && html`<${PauseFields} until=${until} reason=${reason} onUntil=${setUntil}
      onReason=${setReason} />`
    }
  <//>`;
}

/** @param filter of the list, if there are more than those that are selected */
export function BulkBar({ jobs, filter, onDone }) {
  const [what, setWhat] = useState(null);
  const [all, setAll] = useState(null);
  const match = filter ? matching(filter) : null;
  return html`<div class="bulk" role="group" aria-label="Selected jobs"><strong>${jobs.length} selected</strong>
    <button onClick=${() => setWhat("pause")}>Pause …</button>
    <button onClick=${() => setWhat("resume")}>Resume …</button>
    <button onClick=${() => setWhat("run")}>Run …</button>
    ${
      match
      && html`<button onClick=${() => setAll("pause")}>Pause all that match …</button>
      <button onClick=${() => setAll("resume")}>Resume all that match …</button>`
    }
    ${what && html`<${Ask} what=${what} jobs=${jobs} onDone=${onDone} onClose=${() => setWhat(null)} />`}
    ${all && html`<${AskAll} what=${all} match=${match} onDone=${onDone} onClose=${() => setAll(null)} />`}
  </div>`;
}
