/** A day behind and a day ahead on one axis: what became of fire times, and how many are to come, hour by hour. */
import { html, useState } from "../core/html.js";
import { clock, day } from "../core/time.js";
import { Panel, toneOf, wordOf } from "./parts.js";

const PARTS = [
  ["succeeded", "SUCCEEDED"],
  ["killed", "KILLED"],
  ["missed", "MISSED"],
  ["skipped", "SKIPPED"],
  ["cancelled", "CANCELLED"],
  ["lost", "LOST"],
  ["timedOut", "TIMED_OUT"],
  ["failed", "FAILED"],
];
const WIDTH = 960;
const HEIGHT = 120;
const FOOT = 18;

/** An hour: when, its parts from the bottom up, whether it is to come, and all of it in words. */
export function hours(behind, ahead) {
  const past = behind.slice(-24).map((bucket) => {
    const parts = PARTS.filter(([field]) => bucket[field] > 0).map(([field, what]) => [what, bucket[field]]);
    return {
      at: bucket.at,
      ahead: false,
      parts,
      said: parts.map(([what, count]) => count + " " + wordOf(what)).join(", ") || "nothing ended",
    };
  });
  const last = past[past.length - 1]?.at;
  const next = (ahead?.buckets ?? [])
    .filter((bucket) => last === undefined || bucket.at > last)
    .slice(0, 24)
    .map((bucket) => ({
      at: bucket.at,
      ahead: true,
      parts: [["AHEAD", bucket.starts]],
      said:
        bucket.starts
        + " to start"
        + (bucket.skipped > 0 ? ", " + bucket.skipped + " left out by overlap" : "")
        + ", up to "
        + bucket.running.p95
        + " at once",
    }));
  return [...past, ...next];
}

/** Counts of hours differ by powers of ten: the square root lets small ones be seen. */
function Hour({ hour, at, width, top }) {
  const sum = hour.parts.reduce((all, [, count]) => all + count, 0);
  const full = (Math.sqrt(sum) / Math.sqrt(top)) * (HEIGHT - 6);
  let y = HEIGHT;
  return html`<g><title>${day(hour.at)} ${clock(hour.at, false)}: ${hour.said}</title>
    <rect x=${at * width} y="0" width=${width} height=${HEIGHT} class="hit" />
    ${hour.parts.map(([what, count]) => {
      const height = Math.max(2, (full * count) / Math.max(1, sum));
      y -= height;
      return (
        count > 0
        && html`<rect key=${what} x=${at * width + 1.5} y=${y} width=${width - 3} height=${height}
        class=${what === "AHEAD" ? "to-come" : "was"} data-tone=${toneOf(what)} />`
      );
    })}</g>`;
}

function AsTable({ all }) {
  return html`<table><thead><tr><th>Hour</th><th>What</th></tr></thead><tbody>${all.map(
    (hour) => html`<tr
    key=${hour.at}>
    <td>${day(hour.at)} ${clock(hour.at, false)}</td><td>${hour.said}</td></tr>`,
  )}</tbody></table>`;
}

export function DayAxis({ behind, ahead }) {
  const [table, setTable] = useState(false);
  const all = hours(behind, ahead);
  const count = Math.max(1, all.length);
  const width = WIDTH / count;
  const top = Math.max(1, ...all.map((hour) => hour.parts.reduce((sum, [, n]) => sum + n, 0)));
  const past = all.filter((hour) => !hour.ahead).length;
  const kinds = PARTS.filter(([field]) => behind.some((bucket) => bucket[field] > 0));
  const bad = behind.reduce((sum, bucket) => sum + bucket.failed + bucket.timedOut + bucket.lost, 0);
  const said =
    behind.reduce((sum, b) => sum + b.succeeded, 0)
    + " succeeded and "
    + bad
    + " failed in the last 24 hours; "
    + all.filter((hour) => hour.ahead).reduce((sum, hour) => sum + hour.parts[0][1], 0)
    + " to start in the next.";
  return html`<${Panel} title="24 hours behind, 24 ahead" actions=${html`<button class="link" aria-pressed=${table}
    onClick=${() => setTable(!table)}>
      ${table ? "As a picture" : "As a table"}</button>`}>
    ${
      table
        ? html`<${AsTable} all=${all} />`
        : html`<figure class="axis">
      <svg viewBox=${"0 0 " + WIDTH + " " + (HEIGHT + FOOT)} role="img" aria-label=${said} preserveAspectRatio="none">
        <line x1="0" x2=${WIDTH} y1=${HEIGHT} y2=${HEIGHT} class="ground" />
        ${all.map((hour, i) => html`<${Hour} key=${hour.at} hour=${hour} at=${i} width=${width} top=${top} />`)}
        <line x1=${past * width} x2=${past * width} y1="0" y2=${HEIGHT + 4} class="now" />
      </svg>
      <div class="axis-foot small muted" aria-hidden="true"><span>${
        all[0] ? day(all[0].at) + " " + clock(all[0].at, false) : ""
      }</span>
        <span class="axis-now" style=${{ left: (100 * past) / count + "%" }}>now</span><span>${
          all[count - 1] ? day(all[count - 1].at) + " " + clock(all[count - 1].at, false) : ""
        }</span></div>
    </figure>`
    }
    <p class="key">${kinds.map(
      ([, what]) => html`<span class="mark" key=${what} data-tone=${toneOf(what)}><i
      class="swatch"></i>${wordOf(what)}</span>`,
    )}
      <span class="mark" data-tone="accent"><i class="swatch" data-shape="wait"></i>to start</span>
        <span>${said}</span></p><//>`;
}
