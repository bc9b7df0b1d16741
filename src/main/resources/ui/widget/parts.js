/** Small things that every page shows. */
import { html, useEffect, useRef } from "../core/html.js";
import { now } from "../core/client.js";
import { toJob, toTask } from "../core/route.js";
import { absolute, relative, span } from "../core/time.js";
import { useTick } from "../core/use.js";
import { Icon } from "./icons.js";

/** What words and colours stand for what became of a task, or what a thing does now. */
const SAID = {
  SUCCEEDED: ["succeeded", "good"],
  FAILED: ["failed", "bad"],
  TIMED_OUT: ["timed out", "bad"],
  KILLED: ["killed", "warn"],
  LOST: ["lost", "gone"],
  SKIPPED: ["skipped", "idle"],
  MISSED: ["missed", "gone"],
  CANCELLED: ["cancelled", "idle"],
  EXPANDED: ["expanded", "idle"],
  EXECUTING: ["running", "accent"],
  PREPARED: ["about to run", "accent"],
  IDLE: ["idle", "idle"],
  HELD: ["waiting", "warn"],
  STUCK: ["stuck", "bad"],
  PAUSED: ["paused", "warn"],
  ENDED: ["ended", "idle"],
  ALIVE: ["alive", "good"],
  DRAINING: ["draining", "warn"],
  STOPPING: ["stopping", "warn"],
  GONE: ["gone", "gone"],
};

export function toneOf(what) {
  return (SAID[what] ?? [what, "idle"])[1];
}

export function wordOf(what) {
  return (SAID[what] ?? [String(what).toLowerCase(), "idle"])[0];
}

/** An outcome or a state: by shape, colour and word. */
export function Mark({ what, bare = false, word = wordOf(what) }) {
  return html`<span class=${bare ? "mark" : "mark chip"} data-tone=${toneOf(what)}>
    <${Icon} name=${what} size=${14} /><span>${word}</span>
  </span>`;
}

/** The word for what a task is: its outcome, or what it does or waits for. */
export function taskMark(task) {
  return task.outcome ?? (task.state === "IDLE" && (task.hold || task.reason) ? "HELD" : task.state);
}

/** A time in relation to now; the absolute one on hover, and for machines. */
export function When({ at, none = "–" }) {
  const near = at && Math.abs(Date.parse(at) - Date.now()) < 120000;
  useTick(at ? (near ? 1000 : 20000) : null);
  return at ? html`<time datetime=${at} title=${absolute(at)}>${relative(at)}</time>` : none;
}

/** When something is to happen; what is past is about to, as it has not been read again since. */
export function Next({ at }) {
  useTick(at ? 1000 : null);
  return at && Date.parse(at) <= now()
    ? html`<time datetime=${at} title=${absolute(at)}>due</time>`
    : html`<${When}
    at=${at} />`;
}

/** How long something takes that goes on. */
export function Since({ at }) {
  useTick(1000);
  return html`<time datetime=${at} title=${"since " + absolute(at)}>${span(
    Math.max(0, now() - Date.parse(at)),
  )}</time>`;
}

export function JobLink({ namespace, name, query }) {
  return html`<a class="job" href=${toJob(namespace, name, query)}><span class="ns">${namespace}/</span>${name}</a>`;
}

export function TaskLink({ id, children }) {
  return html`<a href=${toTask(id)}>${children ?? "#" + id}</a>`;
}

export function Labels({ labels }) {
  const all = Object.entries(labels ?? {});
  return all.length === 0
    ? null
    : html`<span class="labels">${all.map(
        ([name, value]) => html`<span class="label"
    key=${name}>${name}${value === "" ? "" : "=" + value}</span>`,
      )}</span>`;
}

/** What failed, and what to do about it. */
export function Trouble({ problem, again }) {
  if (!problem) {
    return null;
  }
  return html`<div class="trouble" role="alert">
    <p>${problem.message}</p>
    ${
      problem.errors?.length > 0
      && html`<ul>${problem.errors.map(
        (e) => html`<li>
      <code>${e.field}</code> ${e.message}</li>`,
      )}</ul>`
    }
    ${again && html`<button onClick=${again}>Try again</button>`}
  </div>`;
}

/** Nothing is there: why, and what to do next. */
export function Empty({ title, children, command }) {
  return html`<div class="empty">
    <p class="empty-title">${title}</p>
    ${children && html`<p>${children}</p>`}
    ${
      command
      && html`<pre role="region" tabindex="0"
      aria-label="A command to paste">${command}</pre>`
    }
  </div>`;
}

export function Loading({ what = "Reading" }) {
  return html`<p class="loading" role="status">${what} …</p>`;
}

/** Shows what useLoad read: its trouble, that it is being read, or what is made of it. */
export function Loaded({ from, children }) {
  if (from.data === undefined) {
    return from.problem ? html`<${Trouble} problem=${from.problem} again=${from.reload} />` : html`<${Loading} />`;
  }
  const shown = children(from.data);
  return from.problem ? [html`<${Trouble} problem=${from.problem} again=${from.reload} />`, shown] : shown;
}

export function Panel({ title, actions, children, flush = false, id }) {
  return html`<section class=${"panel" + (flush ? " flush" : "")} aria-label=${title}>
    ${title && html`<header><h2 id=${id}>${title}</h2><div class="actions">${actions}</div></header>`}
    ${children}
  </section>`;
}

export function Facts({ of }) {
  const said = of.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return html`<dl class="facts">${said.map(
    ([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd>
    </div>`,
  )}</dl>`;
}

/** A table that can be scrolled sideways, also with the keyboard. */
export function Wide({ label, children }) {
  return html`<div class="wide" role="region" aria-label=${label} tabindex="0">${children}</div>`;
}

/** The heading of a page; gets the focus when the page is opened. */
export function Title({ children }) {
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement === null) {
      heading.current?.focus({ preventScroll: true });
    }
  }, []);
  return html`<h1 tabindex="-1" ref=${heading}>${children}</h1>`;
}
