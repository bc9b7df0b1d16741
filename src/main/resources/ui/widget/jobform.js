/** The fields of a job, each with what it means and what is wrong with it. */
import { html } from "../core/html.js";
import { get } from "../core/client.js";
import { ZONE } from "../core/time.js";
import { useLoad } from "../core/use.js";
import { Field } from "./dialog.js";
import { Choice, Input, Lines, put, Words } from "./fields.js";
import { DAYLIGHT, MISFIRE, ON_CLOSED, ON_LOST, OVERLAP, overlapHere, retriesHere } from "./policies.js";
import { ScheduleInput } from "./schedule.js";

const ZONES = Intl.supportedValuesOf?.("timeZone") ?? [];

function Command({ of }) {
  const value = of.definition.command ?? "";
  const wrong = of.problem?.of("command");
  const isText = typeof value === "string";
  return html`<${Field} id="f-command" label="Command" wrong=${wrong}
      hint=${
        isText ? "Executed by bash, on any node that matches." : "A list of arguments (shell: none); change it as YAML."
      }>
    <textarea id="f-command" rows="5" spellcheck="false" required readOnly=${!isText}
      value=${isText ? value : JSON.stringify(value)} aria-describedby="f-command-hint"
      onInput=${(e) => of.change({ ...of.definition, command: e.target.value })}></textarea><//>`;
}

/** Calendars to choose from; what becomes of closed days is asked once there is one. */
function Calendars({ of }) {
  const all = useLoad((signal) => get("/calendars", { limit: 1000 }, signal), "calendars");
  const named = [of.definition.calendar ?? []].flat();
  const words = Object.fromEntries([
    ...named.map((name) => [name, ""]),
    ...(all.data?.items ?? []).map((calendar) => [calendar.name, calendar.description]),
  ]);
  const chosen = { ...of, definition: { ...of.definition, calendar: named } };
  const change = (next) =>
    of.change(next.calendar?.length === 0 ? put(put(next, "calendar", null), "onClosed", null) : next);
  return html`<${Words} of=${{ ...chosen, change }} path="calendar" label="Calendars" words=${words}
      hint="It runs on days that are open in all of these; days of the month may be 3B, LB or LB-2: open days."
      none="There is none yet: rowlock calendar set makes one." />
    ${named.length > 0 && html`<${Choice} of=${of} path="onClosed" label="On a closed day" words=${ON_CLOSED} />`}`;
}

/** @param of definition, change, problem, isNew, usual, fireTimes, and the zone of a job that names none */
export function JobForm({ of }) {
  const { definition } = of;
  return html`<fieldset class="group"><legend>What</legend>
      <div class="pair"><${Input} of=${of} path="namespace" label="Namespace" readonly=${!of.isNew}
        placeholder="default" />
        <${Input} of=${of} path="name" label="Name" required readonly=${!of.isNew} /></div>
      <${Input} of=${of} path="description" label="Description" />
      <${Command} of=${of} />
      <${Lines} of=${of} path="env" label="Variables" hint="NAME=value, one per line. Keep passwords in secrets." />
      <${Lines} of=${of} path="labels" label="Labels" hint="name=value, one per line. Jobs are found by them." />
    </fieldset>
    <fieldset class="group"><legend>When</legend>
      <${ScheduleInput} of=${of} />
      <div class="pair"><${Input} of=${of} path="zone" label="Time zone" list="zones" placeholder=${of.zone}
        hint=${
          definition.zone
            ? null
            : html`In ${of.zone} unless you name one.${
                of.zone !== ZONE
                && html` <button
          type="button" class="link" onClick=${() => of.change({ ...definition, zone: ZONE })}>Use ${ZONE}</button>`
              }`
        }
        />
        <${Input} of=${of} path="jitter" label="Spread over" placeholder="none"
          hint="Such as 5m: not everything at once." /></div>
      <datalist id="zones">${ZONES.map((zone) => html`<option key=${zone} value=${zone} />`)}</datalist>
      <${Choice} of=${of} path="daylightSaving" label="When the clocks change" words=${DAYLIGHT} />
      <${Calendars} of=${of} />
    </fieldset>
    <fieldset class="group"><legend>If something is in the way</legend>
      <${Choice} of=${of} path="overlap" label="It still runs" words=${OVERLAP}
        here=${overlapHere(definition.overlap ?? "SKIP", of.fireTimes, of.usual)} />
      <${Choice} of=${of} path="misfire" label="It is too late" words=${MISFIRE} />
      <${Choice} of=${of} path="onLost" label="Its node dies" words=${ON_LOST} />
      <div class="pair"><${Input} of=${of} path="retry.max" label="Retries" number
        hint=${retriesHere(definition.retry)} />
        <${Input} of=${of} path="retry.backoff" label="First delay" placeholder="such as 1m" /></div>
      <div class="pair"><${Input} of=${of} path="timeout" label="Kill it after" placeholder="never" />
        <${Input} of=${of} path="startDeadline" label="Not later than" placeholder="any time" /></div>
    </fieldset>
    <fieldset class="group"><legend>Where</legend>
      <div class="pair"><${Input} of=${of} path="nodes" label="Nodes" placeholder="all"
        hint="Labels, such as role=db, !spot." />
        <${Input} of=${of} path="group" label="Group" placeholder="none" hint="Shares its limit." /></div>
      <div class="pair"><${Input} of=${of} path="user" label="As user" placeholder="that of the node" />
        <${Input} of=${of} path="workdir" label="In directory" placeholder="home" /></div>
      <p class="hint">Everything else can be said as YAML: the same definition, with all fields.</p>
    </fieldset>`;
}
