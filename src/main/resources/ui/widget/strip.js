/** The last runs of a job as bars: height for duration, colour and shape for what became of each. */
import { html } from "../core/html.js";
import { toTask } from "../core/route.js";
import { absolute, span } from "../core/time.js";
import { Icon } from "./icons.js";
import { taskMark, toneOf, wordOf } from "./parts.js";

const SHAPES = { SKIPPED: "dashed", MISSED: "dashed", CANCELLED: "dashed", KILLED: "hollow", TIMED_OUT: "hollow" };

/** Durations differ by powers of ten, so heights go by their logarithm. */
export function height(ms, longest) {
  return ms === null || ms === undefined ? 12 : Math.max(8, (100 * Math.log10(1 + ms)) / Math.log10(1 + longest));
}

function Run({ task, longest }) {
  const what = taskMark(task);
  const said =
    absolute(task.fireTime)
    + ": "
    + wordOf(what)
    + (task.durationMs === null ? "" : " after " + span(task.durationMs))
    + (task.reason ? ". " + task.reason : "");
  return html`<li class="run"><a href=${toTask(task.id)} aria-label=${said} title=${said} data-tone=${toneOf(what)}
    data-shape=${SHAPES[what] ?? "full"}>
    <span class="bar" style=${{ height: height(task.durationMs, longest) * 0.7 + "%" }}></span>
    <span class="foot"><${Icon} name=${what} size=${12} /></span></a></li>`;
}

/** @param tasks newest first, as the API lists them */
export function Strip({ tasks }) {
  const longest = Math.max(1, ...tasks.map((task) => task.durationMs ?? 0));
  const kinds = [...new Set(tasks.map(taskMark))];
  return html`<ol class="strip" aria-label=${"The last " + tasks.length + " occurrences, oldest first"}>
      ${[...tasks].reverse().map((task) => html`<${Run} key=${task.id} task=${task} longest=${longest} />`)}</ol>
    <p class="key">${kinds.map(
      (kind) => html`<span class="mark" data-tone=${toneOf(kind)} key=${kind}>
      <${Icon} name=${kind} size=${12} />${wordOf(kind)}</span>`,
    )}
      <span>Higher is longer; the longest took ${span(longest)}.</span></p>`;
}

/** How the last occurrences ended, the newest last, in as little room as can be: by height, shape and colour. */
export function Outcomes({ of }) {
  if (of.length === 0) {
    return null;
  }
  const said = of.map(wordOf);
  const counts = [...new Set(said)].map((word) => said.filter((one) => one === word).length + " " + word).join(", ");
  return html`<span class="outcomes" role="img" aria-label=${"last " + of.length + ": " + counts}
    title=${"oldest first: " + said.join(", ")}>${of.map(
      (what, i) => html`<i key=${i} data-tone=${toneOf(what)}
      data-shape=${SHAPES[what] ?? (what === "SUCCEEDED" ? "low" : "full")}></i>`,
    )}</span>`;
}
