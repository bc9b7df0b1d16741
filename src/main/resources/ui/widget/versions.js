/** The versions of a job: what changed, which fire times appear and vanish with it, and the way back. */
import { html, useState } from "../core/html.js";
import { call, get, jobPath, may } from "../core/client.js";
import { absolute, moment, ZONE } from "../core/time.js";
import { useLoad } from "../core/use.js";
import { Confirm, Dialog, note } from "./dialog.js";
import { Loaded, Mark, Panel, When, Wide } from "./parts.js";

const SHOWN = 12;

function text(value) {
  return value === null || value === undefined
    ? ""
    : typeof value === "string"
      ? value
      : JSON.stringify(value, null, 1);
}

/** Fields before and after. */
export function Changes({ fields, label = "Changed fields" }) {
  return html`<${Wide} label=${label}><table class="diff"><tbody>${fields.map(
    (change) => html`<tr
    key=${change.field}>
    <th scope="row">${change.field}</th><td>${change.before !== null && html`<del>${text(change.before)}</del>`}
      ${change.after !== null && html`<ins>${text(change.after)}</ins>`}</td></tr>`,
  )}</tbody></table><//>`;
}

function Times({ title, times, count, tone, zone }) {
  return count === 0
    ? null
    : html`<div><h3 class="mark" data-tone=${tone}>${title}: ${count.toLocaleString("en")}</h3>
    <ul class="moved">${times.slice(0, SHOWN).map(
      (at) => html`<li key=${at}><time datetime=${at}
      title=${absolute(at)}>${moment(at, zone)}</time></li>`,
    )}
    ${count > SHOWN && html`<li class="muted">… and ${(count - SHOWN).toLocaleString("en")} more</li>`}</ul></div>`;
}

/** Which fire times of the next days appear and vanish, as clocks show them in the zone of the job. */
export function Moved({ fireTimes, zone }) {
  if (fireTimes === null) {
    return html`<p>This node cannot tell how fire times move; see the warnings.</p>`;
  }
  return html`<div class="stack">
    ${
      fireTimes.addedCount + fireTimes.removedCount > 0
      && html`<p class="muted">Fire times in ${zone}${
        zone === ZONE ? "" : ", the zone of the job; yours is " + ZONE
      }:</p>`
    }
    ${
      fireTimes.addedCount + fireTimes.removedCount === 0
      && html`<p
      class="muted">Fire times stay as they are in the next seven days.</p>`
    }
    <${Times} title="+ Fire times that appear" times=${fireTimes.added} count=${fireTimes.addedCount} tone="good"
      zone=${zone} />
    <${Times} title="− Fire times that vanish" times=${fireTimes.removed} count=${fireTimes.removedCount}
      tone="bad" zone=${zone} />
    ${fireTimes.clockChanges.map(
      (c) => html`<p
      key=${c.at}>Clocks change in ${c.zone} on ${c.day}: ${c.from} → ${c.to}.</p>`,
    )}</div>`;
}

function Difference({ found, zone }) {
  return html`<div class="stack">${found.warnings.map((w) => html`<p key=${w}>${w}</p>`)}
    ${
      found.fields.length === 0
        ? html`<p class="muted">The definitions are the same.</p>`
        : html`<${Changes}
      fields=${found.fields} />`
    }
    <${Moved} fireTimes=${found.fireTimes} zone=${zone} /></div>`;
}

function Compare({ job, from, to, onClose }) {
  const path = jobPath(job.namespace, job.name, "/versions/" + from + "/diff");
  const found = useLoad((signal) => get(path, { to }, signal), path + to);
  return html`<${Dialog} wide title=${"From version " + from + " to " + to + " of " + job.namespace + "/" + job.name}
    onClose=${onClose}>
    <${Loaded} from=${found}>${(difference) => html`<${Difference} found=${difference}
      zone=${job.zone} />`}<//>
    <div class="actions end"><button class="main" onClick=${onClose}>Close</button></div><//>`;
}

function Back({ job, version, onClose, onDone }) {
  const path = jobPath(job.namespace, job.name, "/versions/" + job.version + "/diff");
  const found = useLoad((signal) => get(path, { to: version }, signal), path + version);
  const act = () =>
    call("POST", jobPath(job.namespace, job.name, "/rollback"), {
      body: { version },
      headers: { "If-Match": '"' + job.version + '"' },
    });
  return html`<${Confirm} wide title=${
    "Put version " + version + " of " + job.namespace + "/" + job.name + " in force again?"
  } verb=${"Roll back to " + version}
      act=${act} cannot=${found.data === undefined} onClose=${onClose} onDone=${() => {
        note("Version " + version + " is in force again.");
        onDone();
      }}>
    <p>It becomes version ${job.version + 1}. A pause stays as it is.</p>
    <${Loaded} from=${found}>${(difference) => html`<${Difference} found=${difference} zone=${job.zone} />`}<//><//>`;
}

export function Versions({ job, onChange }) {
  const versions = useLoad(
    async (signal) => (await get(jobPath(job.namespace, job.name, "/versions"), {}, signal)).items,
    job.version,
  );
  const [open, setOpen] = useState(null);
  const close = () => setOpen(null);
  return html`<${Panel} title="Versions" flush><${Loaded} from=${versions}>${(all) => html`<${Wide}
    label="All versions">
    <table>
      <thead><tr><th>Version</th><th>In force since</th><th>By</th><th>Changed</th><th>Compare</th></tr>
        </thead>
      <tbody>${all.map(
        (v, i) => html`<tr key=${v.version}><td>${v.version}</td>
        <td><${When} at=${v.validFrom} /> ${v.inForce && html`<span class="label">in force</span>`} ${
          v.paused && html`<${Mark} what="PAUSED" />`
        }</td>
        <td>${v.changedBy ?? html`<span class="muted">Rowlock</span>`}</td><td>${
          v.fields.join(", ") || (i === all.length - 1 ? "created" : "")
        }
          ${v.pauseReason && html`<span class="muted">: ${v.pauseReason}</span>`}</td>
        <td><span class="actions">${
          i < all.length - 1
          && html`<button class="link" aria-label=${"What version " + v.version + " changed"}
            onClick=${() => setOpen({ from: all[i + 1].version, to: v.version })}>what changed</button>`
        }
          ${
            !v.inForce
            && may("editor")
            && html`<button class="link" aria-label=${"Roll back to version " + v.version}
            onClick=${() => setOpen({ back: v.version })}>roll back</button>`
          }</span></td></tr>`,
      )}</tbody></table>
              <//>`}<//><//>
    ${open?.from && html`<${Compare} job=${job} from=${open.from} to=${open.to} onClose=${close} />`}
    ${open?.back && html`<${Back} job=${job} version=${open.back} onClose=${close} onDone=${onChange} />`}`;
}
