/** The next fire times in three columns, with changes of the clocks marked. The sentence comes from the server. */
import { html } from "../core/html.js";
import { absolute, clock, day, ZONE } from "../core/time.js";
import { When, Wide } from "./parts.js";

/** As the clocks show it where the schedule is meant: "2026-11-23T02:30:00+01:00" in words. */
function there(local) {
  const [, date, time, offset] = /^(\S+)T(\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(\S*)$/.exec(local.local) ?? [];
  return date ? html`${day(date + "T12:00:00")}, ${time} <span class="muted">${offset}</span>` : local.local;
}

export function FireTimes({ preview }) {
  if (preview.local.length === 0) {
    return html`<p class="muted">It does not run by itself any more: only when somebody asks for it.</p>`;
  }
  const isMixed = preview.local.some((local) => local.zone !== preview.local[0].zone);
  const zone = isMixed ? "the zone of each" : preview.local[0].zone;
  return html`<${Wide} label="Next fire times"><table class="fires">
    <thead><tr><th>In ${zone}</th><th>For you, in ${ZONE}</th><th>From now</th></tr></thead>
    <tbody>${preview.local.map((local, i) => {
      const before = preview.local
        .slice(0, i)
        .reverse()
        .find((earlier) => earlier.zone === local.zone);
      const changed = before !== undefined && before.offset !== local.offset;
      return html`<tr key=${local.at} data-change=${changed || undefined}>
        <td>${there(local)}${isMixed && html` <span class="muted">${local.zone}</span>`}${
          changed
          && html`<br /><strong
          class="small">Clocks change before: ${before.offset} → ${local.offset}</strong>`
        }</td>
        <td title=${absolute(local.at)}>${day(local.at)}, ${clock(local.at)}</td><td><${When} at=${local.at} /></td>
          </tr>`;
    })}</tbody></table><//>`;
}
