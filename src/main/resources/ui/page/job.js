/** One job: when it runs, how it fared, what it is, what it was, and why it did or did not run. */
import { html, useState } from "../core/html.js";
import { get, jobPath, now } from "../core/client.js";
import { useEvents } from "../core/live.js";
import { link, requery } from "../core/route.js";
import { useLoad, useThrottled, useTitle } from "../core/use.js";
import { Backfills } from "../widget/backfill.js";
import { Days } from "../widget/days.js";
import { Definition } from "../widget/definition.js";
import { Explanation } from "../widget/explain.js";
import { Margin } from "../widget/finish.js";
import { FireTimes } from "../widget/fires.js";
import { JobActions } from "../widget/jobactions.js";
import { Empty, Labels, Loaded, Mark, Next, Panel, TaskLink, Title, When } from "../widget/parts.js";
import { Strip } from "../widget/strip.js";
import { Tasks } from "../widget/tasks.js";
import { Versions } from "../widget/versions.js";

const TABS = [
  ["", "Runs"],
  ["definition", "Definition"],
  ["versions", "Versions"],
  ["why", "Why?"],
];
const RUNS = 50;

/** What ran, or was to run by now: the next ones are prepared ahead of their time. */
async function recent(key, signal) {
  const tasks = (await get("/tasks", { job: key, limit: RUNS + 10 }, signal)).items;
  return tasks
    .filter(
      (task) =>
        task.state === "ENDED" || task.state === "EXECUTING" || (task.hold && Date.parse(task.fireTime) <= now()),
    )
    .slice(0, RUNS);
}

function Standing({ job }) {
  const skipped = job.skippedSince;
  const until = job.pausedUntil
    ? html`until it is resumed by itself, <${When} at=${job.pausedUntil} />`
    : "until somebody resumes it";
  const reason = job.pauseReason ? ": " + job.pauseReason : ".";
  return html`${job.state === "PAUSED" && html`<p>Paused ${until}${reason}</p>`}
    ${job.warnings?.map((text) => html`<p key=${text}>${text}</p>`)}
    ${job.hold && html`<p><${Mark} what="HELD" /> ${job.hold.reason}</p>`}
    ${
      skipped
      && html`<p><${Mark} what=${skipped.outcome} /> ${skipped.exact ? "" : "at least "}${skipped.count} since the last
      run${skipped.reason ? ": " + skipped.reason : ""}.</p>`
    }`;
}

function Schedule({ job, next }) {
  return html`<${Panel} title="When">
    <div class="stack"><${Loaded} from=${next}>${(preview) => html`<p class="sentence">${preview.description}</p>
      <p class="muted">${preview.schedule
        .split("\n")
        .map((line, i) => html`${i > 0 && html`<br />`}<code>${line}</code>`)} in ${preview.zone}${
        job.jitter ? ", spread over " + job.jitter : ""
      }</p>
      ${preview.warnings.map((text) => html`<p key=${text}>${text}</p>`)}
      <${FireTimes} preview=${preview} />`}<//></div><//>`;
}

function Runs({ job, runs, next }) {
  const key = job.namespace + "/" + job.name;
  const stats = useLoad(
    (signal) => get(jobPath(job.namespace, job.name, "/stats"), { days: 14 }, signal),
    key + job.streak?.count,
  );
  return html`<div class="columns"><${Schedule} job=${job} next=${next} />
      <${Panel} title="The last two weeks"><${Loaded} from=${stats}>${(found) =>
        found.days.length === 0
          ? html`<${Empty} title="Nothing has ended yet" />`
          : html`<div class="stack"><${Days} days=${found.days}
          total=${found.total} /></div>`}<//><//></div>
    <${Panel} title="Runs" flush actions=${html`<a href=${link(["history"], { job: key })}>All of its history</a>`}>
      <${Loaded} from=${runs}>${(tasks) =>
        tasks.length === 0
          ? html`<${Empty} title="It has not run yet">
        ${
          job.nextFireTime
            ? html`It is going to <${When} at=${job.nextFireTime} />.`
            : "It runs only when somebody asks for it."
        }<//>`
          : html`<${Tasks} tasks=${tasks.slice(0, 20)} />`}<//><//>
    <${Backfills} job=${job} runs=${runs.data} />`;
}

function Why({ job, query }) {
  const at = query.get("at") ?? "";
  const [typed, setTyped] = useState("");
  const answer = useLoad((signal) => get(jobPath(job.namespace, job.name, "/explain"), { at }, signal), at);
  const ask = (event) => {
    event.preventDefault();
    requery({ tab: "why", at: typed === "" ? "" : new Date(typed).toISOString() });
  };
  return html`<form class="actions" onSubmit=${ask}>
      <label for="why-at">Why did it run, or not, at</label>
      <input id="why-at" type="datetime-local" step="1" value=${typed} onInput=${(e) => setTyped(e.target.value)} />
      <button class="main">Ask</button>${
        at
        && html`<button type="button"
        onClick=${() => requery({ tab: "why" })}>Now</button>`
      }
    </form>
    <${Loaded} from=${answer}>${(said) => html`<${Explanation} said=${said} />`}<//>`;
}

function Page({ job, runs, query, onChange }) {
  const tab = query.get("tab") ?? "";
  const key = job.namespace + "/" + job.name;
  const next = useLoad(
    (signal) => get(jobPath(job.namespace, job.name, "/next"), { count: 10 }, signal),
    job.version + " " + job.nextFireTime,
  );
  const last = job.lastTask;
  return html`<div class="head"><div>
      <${Title}><span class="ns">${job.namespace}/</span>${job.name}<//>
      <p class="sub">${job.description}</p></div>
      <${JobActions} job=${job} onDone=${onChange} /></div>
    <div class="actions"><${Mark} what=${job.state} />
      ${job.nextFireTime && html`<span>next <strong><${Next} at=${job.nextFireTime} /></strong></span>`}
      ${
        last
        && html`<span>last <${TaskLink} id=${last.id}><${Mark} bare what=${last.outcome ?? last.state} /><//>
        ${" "}<${When} at=${last.endedAt ?? last.startedAt} /></span>`
      }
      ${
        job.streak
        && html`<span class="muted">${job.streak.count} in a row ${
          job.streak.result === "SUCCEEDED" ? "good" : "failed"
        }</span>`
      }
      <${Labels} labels=${job.labels} /></div>
    <${Standing} job=${job} />
    <${Margin} job=${job} tasks=${runs.data} />
    ${
      runs.data?.length > 0
      && html`<${Panel} title="The last occurrences"><${Strip}
      tasks=${runs.data} /><//>`
    }
    <nav class="tabs" aria-label="About this job">${TABS.map(
      ([path, said]) => html`<a key=${path}
      href=${link(["jobs", job.namespace, job.name], { tab: path })} aria-current=${
        tab === path ? "page" : undefined
      }>${said}</a>`,
    )}</nav>
    ${tab === "" && html`<${Runs} job=${job} runs=${runs} next=${next} />`}
    ${tab === "definition" && html`<${Definition} job=${job} />`}
    ${tab === "versions" && html`<${Versions} key=${key} job=${job} onChange=${onChange} />`}
    ${tab === "why" && html`<${Why} job=${job} query=${query} />`}`;
}

export default function Job({ parts, query }) {
  const [, namespace, name] = parts;
  const key = namespace + "/" + name;
  useTitle(key);
  const job = useLoad((signal) => get(jobPath(namespace, name), {}, signal), key);
  const runs = useLoad((signal) => recent(key, signal), key);
  const soon = useThrottled(() => {
    job.reload();
    runs.reload();
  }, 5000);
  useEvents(job.data ? { job: key } : null, soon);
  return html`<${Loaded} from=${job}>${(found) => html`<${Page} job=${found} runs=${runs} query=${query}
    onChange=${() => {
      job.reload();
      runs.reload();
    }} />`}<//>`;
}
