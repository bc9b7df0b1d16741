/** One occurrence on one axis: how long it waited, lay prepared and ran, each attempt a row. */
import { html } from "../core/html.js";
import { now } from "../core/client.js";
import { absolute, clock, span } from "../core/time.js";
import { TaskLink, toneOf, wordOf } from "./parts.js";

function at(text) {
  return text === null ? null : Date.parse(text);
}

/** The bars of an attempt: [from, until, what, tone,
  shape, took]. Times of several clocks may cross; then a bar is left out. */
export function barsOf(attempt, end) {
  const begin = at(attempt.startedAt);
  const due = at(attempt.queuedAt) ?? (attempt.attempt === 1 ? at(attempt.fireTime) : at(attempt.dueAt));
  const over = at(attempt.endedAt);
  const bars = [];
  if (due !== null) {
    bars.push([
      due,
      begin ?? over ?? end,
      attempt.waitedFor ? "waited: " + attempt.waitedFor : "waited",
      "warn",
      "wait",
    ]);
  }
  if (begin !== null) {
    const what = attempt.outcome ?? attempt.state;
    bars.push([
      begin,
      over ?? end,
      over === null ? "runs" : "ran, " + wordOf(what),
      toneOf(what),
      "run",
      over === null ? null : attempt.durationMs,
    ]);
  }
  return bars.filter(([from, until]) => until >= from);
}

/** As everywhere, what a command took is by its host's own clock; a bar is as long as the database's says. */
function took([from, until, , , , duration]) {
  return span(duration ?? until - from);
}

function Row({ attempt, bars, from, width }) {
  const place = (time) => Math.min(100, Math.max(0, (100 * (time - from)) / width)) + "%";
  const ran = bars.find((bar) => bar[4] === "run");
  const said = bars.map((bar) => bar[2] + " for " + took(bar)).join(", ");
  return html`<div class="line-row"><span><${TaskLink} id=${attempt.id} /> <span
    class="muted small">${attempt.attempt > 1 ? "attempt " + attempt.attempt : ""}
      ${attempt.node && " " + attempt.node}</span></span>
    <div class="track" role="img" aria-label=${said || "nothing was started"}>
      ${bars
        .map((bar) => [bar, ...bar])
        .map(
          ([bar, a, b, what, tone, shape]) => html`<span class="span"
        key=${shape} data-tone=${tone} data-shape=${shape}
        title=${what + " for " + took(bar) + ", from " + absolute(a)}
        style=${{ left: place(a), width: "calc(" + place(b) + " - " + place(a) + ")" }}></span>`,
        )}
      ${
        attempt.takenOverFrom
        && attempt.preparedAt
        && html`<span class="point"
        style=${{ left: place(at(attempt.preparedAt)) }}
        title=${"taken over from " + attempt.takenOverFrom}></span>`
      }
    </div><span class="num small">${ran ? took(ran) : ""}</span></div>`;
}

export function OccurrenceLine({ said }) {
  const end = now();
  const rows = said.attempts
    .map((attempt) => ({ attempt, bars: barsOf(attempt, end) }))
    .filter(({ bars }) => bars.length > 0);
  if (rows.length === 0) {
    return null;
  }
  const times = rows.flatMap(({ bars }) => bars.flatMap(([a, b]) => [a, b]));
  const from = Math.min(...times);
  const width = Math.max(1, Math.max(...times) - from);
  return html`<div class="line">${rows.map(
    ({ attempt, bars }) => html`<${Row} key=${attempt.id} attempt=${attempt}
    bars=${bars} from=${from} width=${width} />`,
  )}
    <div class="line-row small muted" aria-hidden="true"><span></span><span class="between">
      <span>${clock(from)}</span><span>${clock(from + width)}</span></span><span></span></div>
    <p class="key"><span class="mark" data-tone="warn"><i class="swatch" data-shape="wait"></i>waited</span>
      <span class="mark" data-tone="good"><i class="swatch"></i>ran</span></p></div>`;
}
