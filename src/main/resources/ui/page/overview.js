/** Is all well? What fails, is late, waits or runs too long; a day behind and a day ahead. */
import { html } from "../core/html.js";
import { get } from "../core/client.js";
import { useEvents } from "../core/live.js";
import { link } from "../core/route.js";
import { absolute, moment, span } from "../core/time.js";
import { useEvery, useLoad, useThrottled, useTitle } from "../core/use.js";
import { DayAxis } from "../widget/dayaxis.js";
import { Unfinished } from "../widget/finish.js";
import { Empty, JobLink, Loaded, Mark, Panel, Title, When, Wide } from "../widget/parts.js";
import { Failing, Late, Long, many, Stuck, Waiting } from "../widget/troubles.js";

const DATABASE = { OK: "reached", SLOW: "has not answered yet", AWAY: "away" };

/** One figure: what it counts, and whether that is bad. */
function Figure({ name, value, tone, children }) {
  return html`<div class="figure" data-tone=${tone}><dt>${name}</dt><dd><strong>${value}</strong> <span
    class="small">${children}</span></dd></div>`;
}

function Figures({ now }) {
  const waiting = Object.values(now.waiting).reduce((sum, found) => sum + found.tasks, 0);
  const nodes = now.nodes.filter((node) => node.state !== "GONE");
  const running = nodes.reduce((sum, node) => sum + node.executing, 0);
  const slots = nodes.reduce((sum, node) => sum + node.capacity, 0);
  return html`<dl class="figures">
    <${Figure} name="Jobs that fail" value=${many(now.failing)} tone=${
      now.failing.count > 0 ? "bad" : "good"
    }>${now.failing.count > 0 ? "✕" : "✓"}<//>
    <${Figure} name="Not running" value=${many(now.stuck)} tone=${now.stuck.count > 0 ? "bad" : "good"}>${
      now.stuck.count > 0 ? "though they should ✕" : "✓"
    }<//>
    <${Figure} name="Late" value=${many(now.late)} tone=${now.late.count > 0 ? "warn" : "good"}>${
      now.late.count > 0 ? "due for over 5 s" : "✓"
    }<//>
    <${Figure} name="Waiting" value=${waiting.toLocaleString("en")} tone="idle">by policy<//>
    <${Figure} name="Run too long" value=${many(now.runningLong)} tone=${
      now.runningLong.count > 0 ? "warn" : "good"
    }>${now.runningLong.count > 0 ? "twice their p95" : "✓"}<//>
    <${Figure} name="Running" value=${running.toLocaleString("en")}
      tone="accent">of ${slots.toLocaleString("en")} slots<//>
    <${Figure} name="Nodes" value=${nodes.length} tone=${
      nodes.some((node) => node.state === "ALIVE") ? "good" : "bad"
    }>alive<//>
  </dl>`;
}

function Nodes({ nodes }) {
  return html`<${Panel} title="Nodes" flush actions=${html`<a href="#/nodes">All about nodes</a>`}><ul
    class="fleet">${nodes.map(
      (node) => html`<li key=${node.node + node.since}>
    <strong>${node.node}</strong> <${Mark} what=${node.state} />
    ${
      node.state === "GONE"
        ? html`<span class="small muted"><${When} at=${node.since} />: ${node.reason}</span>`
        : html`<span class="load" role="img" aria-label=${node.executing + " of " + node.capacity + " slots"}>
          <i style=${{ width: Math.min(100, (100 * node.executing) / Math.max(1, node.capacity)) + "%" }}></i></span>
        <span class="small muted num">${node.executing} of ${node.capacity}</span>`
    }</li>`,
    )}</ul><//>`;
}

function Hot({ forecast }) {
  const hot = forecast.hotMinutes.slice(0, 5);
  return html`<${Panel} title="Hot minutes ahead" flush>${
    hot.length === 0
      ? html`<${Empty}
    title="Nothing is going to start" />`
      : html`<${Wide} label="Minutes with the most starts"><table>
    <thead><tr><th>Minute</th><th class="num">Starts</th><th>Most of them</th></tr></thead>
    <tbody>${hot.map(
      (minute) => html`<tr key=${minute.at}><td><time datetime=${minute.at}
      title=${absolute(minute.at)}>${moment(minute.at).slice(0, -3)}</time></td>
      <td class="num">${minute.starts}</td><td>${minute.mostStarts.slice(0, 3).map(
        (job, i) => html`${i > 0 && ", "}<${JobLink} namespace=${job.namespace} name=${job.job} />
        ${job.starts > 1 && " ×" + job.starts}`,
      )}</td></tr>`,
    )}</tbody></table><//>`
  }<//>`;
}

function Ending({ calendars }) {
  return calendars.map(
    ({ name, knownUntil }) =>
      html`<p key=${name} data-tone="warn">Calendar <a href=${link(["calendars", name])}>${name}</a> has no dates beyond
        ${" "}${knownUntil}.</p>`,
  );
}

function Checked({ verification }) {
  return html`<p class="small muted">${
    verification === null
      ? html`Never verified. Have every fire time accounted for: <code>rowlock verify</code>`
      : html`Verified <${When} at=${verification.at} />: ${verification.fireTimes.toLocaleString("en")} fire times of
      ${" "}${verification.jobs.toLocaleString("en")} jobs, ${
        verification.wrongJobs === 0 ? "all accounted for ✓" : verification.wrongJobs + " jobs wrong ✕"
      }.`
  }</p>`;
}

function Page({ now, forecast }) {
  const away = now.database.state !== "OK";
  if (now.at === null) {
    return html`<${Empty} title="The database has not answered yet">
      ${now.database.problem ?? "It is asked again every few seconds."}<//>`;
  }
  return html`${
    away
    && html`<div class="trouble" role="alert"><p>The database is ${DATABASE[now.database.state]}
      (${span(now.database.troubleMs)}). What follows is ${span(now.ageMs)} old. ${now.database.problem ?? ""}</p>
        </div>`
  }
    <${Figures} now=${now} />
    <${DayAxis} behind=${now.lastDay} ahead=${forecast.data} />
    <${Stuck} found=${now.stuck} />
    <${Unfinished} found=${now.unfinished} />
    <${Failing} found=${now.failing} /><${Late} found=${now.late} /><${Long} found=${now.runningLong} /><${Waiting}
      waiting=${now.waiting} />
    <div class="columns"><${Nodes} nodes=${now.nodes} />${
      forecast.data
      && html`<${Hot}
      forecast=${forecast.data} />`
    }</div>
    <${Ending} calendars=${now.calendarsEnding} />
    <${Checked} verification=${now.lastVerification} />`;
}

export default function Overview() {
  useTitle("Overview");
  const now = useLoad((signal) => get("/overview", {}, signal), "overview");
  const forecast = useLoad((signal) => get("/forecast", {}, signal), "forecast");
  const soon = useThrottled(now.reload, 5000);
  useEvents({}, soon);
  useEvery(15000, now.reload);
  useEvery(300000, forecast.reload);
  return html`<div class="head"><${Title}>Overview<//></div>
    <${Loaded} from=${now}>${(found) => html`<${Page} now=${found} forecast=${forecast} />`}<//>`;
}
