/** Times and durations in words. */
import { now } from "./client.js";

export const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** @type {[string, number][]} */
const UNITS = [
  ["d", 86400000],
  ["h", 3600000],
  ["m", 60000],
  ["s", 1000],
];
/** @type {Intl.DateTimeFormatOptions} */
const FULL = {
  weekday: "short",
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
};

/**
 * Such as 1h 5m: the two largest units.
 *
 * @param {number | null | undefined} ms
 */
export function span(ms) {
  if (ms === null || ms === undefined) {
    return "–";
  }
  const size = Math.abs(ms);
  if (Math.round(size) < 1000) {
    return Math.round(size) + " ms";
  }
  if (size < 10000) {
    return Math.round(size / 100) / 10 + "s";
  }
  const whole = Math.round(size / 1000) * 1000;
  const first = UNITS.findIndex(([, unit]) => whole >= unit);
  const said = UNITS[first];
  const count = Math.floor(whole / said[1]);
  const next = UNITS[first + 1];
  const rest = next ? Math.floor((whole % said[1]) / next[1]) : 0;
  return count + said[0] + (rest > 0 && count < 30 ? " " + rest + next[0] : "");
}

/**
 * Such as "in 5m" or "3h ago".
 *
 * @param {string} at
 */
export function relative(at) {
  const ms = Date.parse(at) - now();
  if (Math.abs(ms) < 1000) {
    return "now";
  }
  const size = Math.floor(Math.abs(ms) / 1000) * 1000;
  return ms > 0 ? "in " + span(size) : span(size) + " ago";
}

/**
 * In the zone of whoever looks, or another, with all that makes it unmistakable.
 *
 * @param {string | number} at
 */
export function absolute(at, zone = ZONE) {
  return (
    new Intl.DateTimeFormat(undefined, { ...FULL, timeZone: zone }).format(new Date(at)) + " " + zoneName(at, zone)
  );
}

/**
 * @param {string | number} at
 * @param {string} zone
 */
function zoneName(at, zone) {
  const parts = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "shortOffset" }).formatToParts(
    new Date(at),
  );
  return parts.find((part) => part.type === "timeZoneName")?.value ?? zone;
}

/**
 * The clock alone, such as 14:05:09.
 *
 * @param {string | number} at
 */
export function clock(at, seconds = true, zone = ZONE) {
  /** @type {Intl.DateTimeFormatOptions} */
  const options = {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone: zone,
    ...(seconds ? { second: "2-digit" } : {}),
  };
  return new Intl.DateTimeFormat("en-GB", options).format(new Date(at));
}

/**
 * The day alone, such as Mon, 23 Nov.
 *
 * @param {string | number} at
 */
export function day(at, zone = ZONE) {
  return new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", timeZone: zone }).format(
    new Date(at),
  );
}

/**
 * Day and clock, short.
 *
 * @param {string | number} at
 */
export function moment(at, zone = ZONE) {
  return day(at, zone) + ", " + clock(at, true, zone);
}
