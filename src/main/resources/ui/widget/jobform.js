/** The fields of a job, each with what it means and what is wrong with it. */
import { html, useEffect, useState } from "../core/html.js";
import { Field } from "./dialog.js";
import { DAYLIGHT, MISFIRE, ON_LOST, OVERLAP, overlapHere, retriesHere } from "./policies.js";

const ZONES = Intl.supportedValuesOf?.("timeZone") ?? [];

/** The definition with a field, or without it if it is empty; `path` may lead into an object. */
function put(definition, path, value) {
  const [first, ...rest] = path.split(".");
  const next = { ...definition };
  if (rest.length > 0) {
    const inner = put(next[first] ?? {}, rest.join("."), value);
    if (Object.keys(inner).length === 0) {
      delete next[first];
    } else {
      next[first] = inner;
    }
  } else if (value === "" || value === null) {
    delete next[first];
  } else {
    next[first] = value;
  }
  return next;
}

function at(definition, path) {
  return path.split(".").reduce((value, part) => value?.[part], definition) ?? "";
}

/** Numbers as such; what is none is sent as it is, and the server says what is wrong. */
function typed(text, number) {
  return number && /^-?\d+$/.test(text.trim()) ? Number(text) : text;
}

function Input({ of, path, label, hint, number = false, list, required = false, readonly = false, placeholder }) {
  const wrong = of.problem?.of(path);
  return html`<${Field} id=${"f-" + path} label=${label} hint=${hint} wrong=${wrong}>
    <input id=${"f-" + path} value=${String(at(of.definition, path))} list=${list} required=${required}
      readonly=${readonly} placeholder=${placeholder} spellcheck="false" autocomplete="off"
      aria-invalid=${wrong ? "true" : undefined}
      aria-describedby=${[hint && "f-" + path + "-hint", wrong && "f-" + path + "-error"].filter(Boolean).join(" ")
        || undefined}
      onInput=${(e) => of.change(put(of.definition, path, typed(e.target.value, number)))} /><//>`;
}

function Choice({ of, path, label, words, here }) {
  const value = at(of.definition, path) || Object.keys(words)[0];
  const wrong = of.problem?.of(path);
  return html`<${Field} id=${"f-" + path} label=${label} wrong=${wrong} hint=${html`${words[value]} ${here ?? ""}`}>
    <select id=${"f-" + path} value=${value} aria-describedby=${"f-" + path + "-hint"}
      onChange=${(e) => of.change(put(of.definition, path, e.target.value))}>
      ${Object.keys(words).map((word) => html`<option key=${word} value=${word}>${word}</option>`)}</select><//>`;
}

/** Names with values, one a line, as NAME=value. */
export function toLines(map) {
  return Object.entries(map || {}).map(([name, value]) => name + "=" + value).join("\n");
}

export function fromLines(text) {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(lines.map((line) => {
    const equals = line.indexOf("=");
    return equals < 0 ? [line.trim(), ""] : [line.slice(0, equals).trim(), line.slice(equals + 1)];
  }));
}

/** Text of its own, so that a line that is half typed stays as it is. */
function Lines({ of, path, label, hint }) {
  const said = at(of.definition, path) || {};
  const [text, setText] = useState(() => toLines(said));
  const wrong = of.problem?.of(path);
  useEffect(() => {
    if (JSON.stringify(fromLines(text)) !== JSON.stringify(said)) {
      setText(toLines(said));
    }
  }, [JSON.stringify(said)]);
  const change = (value) => {
    setText(value);
    const map = fromLines(value);
    of.change(put(of.definition, path, Object.keys(map).length === 0 ? null : map));
  };
  return html`<${Field} id=${"f-" + path} label=${label} hint=${hint} wrong=${wrong}>
    <textarea id=${"f-" + path} rows="3" spellcheck="false" value=${text} aria-describedby=${"f-" + path + "-hint"}
      onInput=${(e) => change(e.target.value)}></textarea><//>`;
}

function Command({ of }) {
  const value = of.definition.command ?? "";
  const wrong = of.problem?.of("command");
  const isText = typeof value === "string";
  return html`<${Field} id="f-command" label="Command" wrong=${wrong}
      hint=${isText ? "Executed by bash, on any node that matches."
        : "A list of arguments (shell: none); change it as JSON."}>
    <textarea id="f-command" rows="5" spellcheck="false" required readonly=${!isText}
      value=${isText ? value : JSON.stringify(value)} aria-describedby="f-command-hint"
      onInput=${(e) => of.change({ ...of.definition, command: e.target.value })}></textarea><//>`;
}

/** @param of {definition, change, problem, isNew, usual, fireTimes} */
export function JobForm({ of }) {
  const { definition } = of;
  return html`<fieldset class="group"><legend>What</legend>
      <div class="pair"><${Input} of=${of} path="namespace" label="Namespace" readonly=${!of.isNew}
        placeholder="default" />
        <${Input} of=${of} path="name" label="Name" required readonly=${!of.isNew} /></div>
      <${Input} of=${of} path="description" label="Description" />
      <${Command} of=${of} />
      <${Lines} of=${of} path="env" label="Variables" hint="NAME=value, one a line. Passwords belong into secrets." />
      <${Lines} of=${of} path="labels" label="Labels" hint="name=value, one a line. Jobs are found by them." />
    </fieldset>
    <fieldset class="group"><legend>When</legend>
      <${Input} of=${of} path="schedule" label="Schedule" required placeholder="0 3 * * *"
        hint="Cron, with seconds in front if six fields; @every 6h; @at 2026-12-01T06:00; @manual." />
      <div class="pair"><${Input} of=${of} path="zone" label="Time zone" list="zones" placeholder="that of the node" />
        <${Input} of=${of} path="jitter" label="Spread over" placeholder="none"
          hint="Such as 5m: not everything at once." /></div>
      <datalist id="zones">${ZONES.map((zone) => html`<option key=${zone} value=${zone} />`)}</datalist>
      <${Choice} of=${of} path="daylightSaving" label="When the clocks change" words=${DAYLIGHT} />
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
      <p class="hint">Everything else can be said as JSON: the same definition, with all fields.</p>
    </fieldset>`;
}
