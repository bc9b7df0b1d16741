/** The days of a calendar, month by month: open and closed ones at a glance. */
import { html } from "../core/html.js";

export const WEEK = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"];
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** Whether one of its dates is a day, such as 2026-12-25. */
function has({ date }, day) {
  return typeof date === "string"
    ? date === day || (date.startsWith("--") && date.slice(2) === day.slice(5))
    : date.from <= day && day <= date.to;
}

/**
 * What a calendar makes of a day: whether it is open, and by which name. Opened dates win over closed ones, and these
 * over the week.
 *
 * @param {{week: string[], closed: any[], open: any[]}} calendar
 * @param {string} day
 */
export function dayOf(calendar, day) {
  const opened = calendar.open.find((date) => has(date, day));
  if (opened) {
    return { open: true, name: opened.name ?? "" };
  }
  const closed = calendar.closed.find((date) => has(date, day));
  const weekday = WEEK[(new Date(day + "T00:00Z").getUTCDay() + 6) % 7];
  return closed ? { open: false, name: closed.name ?? "" } : { open: calendar.week.includes(weekday), name: "" };
}

/** The weeks of a month as lists of seven days; null stands before the first day and behind the last. */
export function weeksOf(year, month) {
  const first = new Date(Date.UTC(year, month, 1));
  const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const cells = /** @type {(string | null)[]} */ (Array((first.getUTCDay() + 6) % 7).fill(null));
  for (let day = 1; day <= days; day++) {
    cells.push(new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10));
  }
  const weeks = [];
  for (let at = 0; at < cells.length; at += 7) {
    weeks.push([...cells.slice(at, at + 7), null, null, null, null, null, null].slice(0, 7));
  }
  return weeks;
}

function Day({ calendar, day }) {
  if (day === null) {
    return html`<td></td>`;
  }
  const { open, name } = dayOf(calendar, day);
  return html`<td data-closed=${!open || undefined} data-named=${name !== "" || undefined}
    title=${day + (open ? " is open" : " is closed") + (name && ": " + name)}>${Number(day.slice(8))}
    ${(!open || name) && html`<span class="unseen"> ${open ? "open" : "closed"} ${name}</span>`}</td>`;
}

function Month({ calendar, year, month }) {
  const name = MONTHS[month];
  return html`<table class="month"><caption>${name}</caption>
    <thead><tr>${WEEK.map((day) => html`<th key=${day} scope="col">${day[0] + day[1].toLowerCase()}</th>`)}</tr></thead>
    <tbody>${weeksOf(year, month).map(
      (week, at) =>
        html`<tr key=${at}>${week.map((day, of) => html`<${Day} key=${of} calendar=${calendar} day=${day} />`)}</tr>`,
    )}</tbody></table>`;
}

export function Year({ calendar, year }) {
  return html`<div class="year" tabindex="0" role="group" aria-label=${"Days of " + year}>${MONTHS.map(
    (name, month) => html`<${Month} key=${name} calendar=${calendar} year=${year} month=${month} />`,
  )}</div>`;
}
