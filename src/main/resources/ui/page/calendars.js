/** Calendars: which days are open, year by year. */
import { html, useState } from "../core/html.js";
import { get } from "../core/client.js";
import { link } from "../core/route.js";
import { useLoad, useTitle } from "../core/use.js";
import { Empty, Facts, Loaded, Panel, Title, When, Wide } from "../widget/parts.js";
import { Year } from "../widget/year.js";

function path(name) {
  return "/calendars/" + encodeURIComponent(name);
}

function Calendar({ calendar }) {
  const [year, setYear] = useState(new Date().getFullYear());
  return html`<${Panel} title=${calendar.name} actions=${html`<button
      onClick=${() => setYear(year - 1)} aria-label=${"The year before " + year}>‹</button>
      <strong aria-live="polite">${year}</strong>
      <button onClick=${() => setYear(year + 1)} aria-label=${"The year after " + year}>›</button>`}>
    ${calendar.description && html`<p class="muted">${calendar.description}</p>`}
    <${Year} calendar=${calendar} year=${year} />
    <${Facts} of=${[
      ["Dates", calendar.closed.length + " closed, " + calendar.open.length + " opened"],
      ["Zone", calendar.zone ?? "that of the schedule"],
      ["Known until", calendar.knownUntil ?? "not said"],
      ["Jobs that name it", calendar.jobs],
      ["Version", calendar.version],
      ["Changed", html`<${When} at=${calendar.updatedAt} />`],
    ]} /><//>`;
}

function Names({ calendars, shown }) {
  return html`<${Panel} flush><${Wide} label="Calendars"><table>
    <thead><tr><th>Calendar</th><th class="num">Closed</th><th class="num">Opened</th><th>Known until</th>
      <th class="num">Jobs</th></tr></thead>
    <tbody>${calendars.map(
      (calendar) => html`<tr key=${calendar.name}><td><a href=${link(["calendars", calendar.name])}
        aria-current=${calendar.name === shown ? "true" : undefined}>${calendar.name}</a></td>
        <td class="num">${calendar.closed}</td><td class="num">${calendar.open}</td>
        <td>${calendar.knownUntil ?? "–"}</td><td class="num">${calendar.jobs}</td></tr>`,
    )}</tbody></table><//><//>`;
}

/** All calendars in short, and one of them as a whole: the first, unless another one is asked for. */
async function read(name, signal) {
  const { items } = await get("/calendars", { limit: 1000 }, signal);
  const shown = name ?? items[0]?.name;
  return { items, shown: shown === undefined ? null : await get(path(shown), {}, signal) };
}

export default function Calendars({ parts }) {
  useTitle("Calendars");
  const all = useLoad((signal) => read(parts[1], signal), "calendars " + (parts[1] ?? ""));
  return html`<div class="head"><${Title}>Calendars<//></div>
    <${Loaded} from=${all}>${({ items, shown }) =>
      shown === null
        ? html`<${Panel}><${Empty} title="There is no calendar" command="rowlock calendar set de-nw -f de-nw.yaml">A
          calendar says which days are open. A job that names one leaves out what falls on a closed day, or moves
          it.<//><//>`
        : html`<div class="stack"><${Calendar} key=${shown.name} calendar=${shown} />
          <${Names} calendars=${items} shown=${shown.name} /></div>`}<//>`;
}
