/** Nodes as rows, what they ran as bars: the last hour, and what was taken over from whom. */
import { html } from "../core/html.js";
import { toTask } from "../core/route.js";
import { clock, span } from "../core/time.js";
import { Panel, toneOf, wordOf, taskMark } from "./parts.js";

const WIDTH = 960;
const LANE = 9;
const LANES = 6;
/** How many tasks the page asks for. */
export const MOST = 500;

/** Bars of a node in lanes, so that what ran at once is side by side; what finds no lane is counted. */
function lanes(tasks) {
  const ends = [];
  const placed = [];
  let left = 0;
  for (const task of tasks) {
    const lane = ends.findIndex((end) => end <= task.from);
    const at = lane >= 0 ? lane : ends.length;
    if (at < LANES) {
      ends[at] = task.until;
      placed.push({ ...task, lane: at });
    } else {
      left++;
    }
  }
  return { placed, count: Math.max(1, ends.length), left };
}

/** What each node ran between two instants, and when it went away. */
export function rows(tasks, sessions, from, until) {
  const ran = tasks
    .filter((task) => task.startedAt && task.node)
    .map((task) => ({
      ...task,
      from: Math.max(from, Date.parse(task.startedAt)),
      until: task.endedAt ? Date.parse(task.endedAt) : until,
    }))
    .filter((task) => task.until >= from)
    .sort((a, b) => a.from - b.from);
  const names = [...new Set([...sessions.map((session) => session.node), ...ran.map((task) => task.node)])].sort();
  return names.map((name) => ({
    name,
    ...lanes(ran.filter((task) => task.node === name)),
    gone: sessions.filter((session) => session.node === name && session.goneAt && Date.parse(session.goneAt) > from),
  }));
}

function Bar({ task, x, y }) {
  const what = taskMark(task);
  const said =
    "Task "
    + task.id
    + ", "
    + task.namespace
    + "/"
    + task.job
    + ": "
    + wordOf(what)
    + ", "
    + span(task.until - task.from)
    + (task.cause === "RECOVERY" ? ", again after its node was lost" : "");
  const from = x(task.from);
  return html`<a href=${toTask(task.id)} aria-label=${said}><title>${said}</title>
    <rect x=${from} y=${y} width=${Math.max(2, x(task.until) - from)} height=${LANE - 2} rx="1" class="was"
      data-tone=${toneOf(what)} />
    ${
      task.cause === "RECOVERY"
      && html`<path d=${"M" + (from - 6) + " " + (y + 3) + "l5 0m-2 -3l3 3l-3 3"}
      class="taken" />`
    }</a>`;
}

export function Fleet({ tasks, sessions, from, until }) {
  const all = rows(tasks, sessions, from, until);
  const x = (time) => (WIDTH * (time - from)) / (until - from);
  return html`<${Panel} title="The last hour"><ol class="lanes">${all.map(
    (row) => html`<li key=${row.name}>
    <span>${row.name}</span>
      <svg viewBox=${"0 0 " + WIDTH + " " + row.count * LANE} height=${row.count * LANE * 1.4}
        preserveAspectRatio="none" role="group"
        aria-label=${row.name + ": " + row.placed.length + " tasks"}>
        ${row.placed.map((task) => html`<${Bar} key=${task.id} task=${task} x=${x} y=${task.lane * LANE + 1} />`)}
        ${row.gone.map(
          (session) => html`<g key=${session.id}>
          <title>${row.name} went away: ${session.goneReason}</title>
          <rect x=${x(Date.parse(session.goneAt)) - 1} y="0" width="3" height=${row.count * LANE} class="was"
            data-tone="gone" /></g>`,
        )}</svg>
      ${row.left > 0 && html`<span class="small muted">and ${row.left} more</span>`}</li>`,
  )}</ol>
    <p class="axis-ends small muted"><span>${clock(from, false)}</span><span>now</span></p>
    <p class="key"><span class="mark" data-tone="gone"><i class="swatch"></i>the node went away</span>
      <span>→ run again after its node was lost</span>
      ${tasks.length === MOST && html`<span>The latest ${MOST} tasks; those before are not drawn.</span>`}</p><//>`;
}
