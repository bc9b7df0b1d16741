/** Schedules as people see and type them: one line, or several, whose fire times are those of all. */
import { html, useEffect, useState } from "../core/html.js";
import { Field } from "./dialog.js";
import { put } from "./fields.js";

const HINT =
  "Cron, with seconds in front if six fields; @every 6h; @at 2026-12-01T06:00:00Z; @manual. Several: one per line.";

/** One line for people: an object with its zone, whatever else it says. */
function spoken(line) {
  return typeof line === "string" ? line : line.schedule + (line.zone ? " (" + line.zone + ")" : "");
}

/** The lines of a schedule, for people. */
export function linesOf(schedule) {
  return Array.isArray(schedule) ? schedule.map(spoken) : [schedule ?? ""];
}

/** What is typed: one line per row, and an object as JSON. */
export function toRows(schedule) {
  return Array.isArray(schedule)
    ? schedule.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n")
    : (schedule ?? "");
}

function lineOf(row) {
  try {
    return row.startsWith("{") ? JSON.parse(row) : row;
  } catch {
    return row; // the server says what is wrong
  }
}

/** A single row is a text, as before; an object needs a list. */
export function fromRows(text) {
  const rows = text
    .split("\n")
    .map((row) => row.trim())
    .filter((row) => row !== "")
    .map(lineOf);
  return rows.length === 1 && typeof rows[0] === "string" ? rows[0] : rows.length === 0 ? "" : rows;
}

/** Text of its own, so that a row that is half typed stays as it is, and a list of one that nobody changes. */
export function ScheduleInput({ of }) {
  const said = of.definition.schedule ?? "";
  const [text, setText] = useState(() => toRows(said));
  const wrong = of.problem?.of("schedule");
  useEffect(() => {
    if (JSON.stringify(fromRows(text)) !== JSON.stringify(said) && toRows(said) !== text) {
      setText(toRows(said));
    }
  }, [JSON.stringify(said)]);
  const change = (value) => {
    setText(value);
    of.change(put(of.definition, "schedule", fromRows(value)));
  };
  return html`<${Field} id="f-schedule" label="Schedule" wrong=${wrong}
      hint=${HINT}>
    <textarea id="f-schedule" rows=${Math.max(1, text.split("\n").length)} spellcheck="false" required
      placeholder="0 3 * * *" value=${text} aria-invalid=${wrong ? "true" : undefined}
      aria-describedby=${["f-schedule-hint", wrong && "f-schedule-error"].filter(Boolean).join(" ")}
      onInput=${(e) => change(e.target.value)}></textarea><//>`;
}
