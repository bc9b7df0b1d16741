import assert from "node:assert/strict";
import { test } from "node:test";
import { absolute, clock, day, moment, relative, span } from "../../main/resources/ui/core/time.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test("a span names its two largest units", () => {
  for (const [ms, said] of [
    [0, "0 ms"],
    [999, "999 ms"],
    [999.6, "1s"],
    [1000, "1s"],
    [1550, "1.6s"],
    [9960, "10s"],
    [59_400, "59s"],
    [59_500, "1m"],
    [HOUR + 5 * MINUTE + 20 * SECOND, "1h 5m"],
    [29 * MINUTE + SECOND, "29m 1s"],
    [30 * MINUTE + SECOND, "30m"],
    [DAY - 1, "1d"],
    [3 * DAY + HOUR, "3d 1h"],
    [-90 * SECOND, "1m 30s"],
    [null, "–"],
    [undefined, "–"],
  ]) {
    assert.equal(span(ms), said, String(ms));
  }
});

test("a time is told in relation to now", (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: Date.parse("2026-03-29T00:00:00Z") });
  assert.equal(relative("2026-03-29T00:00:00.999Z"), "now");
  assert.equal(relative("2026-03-29T00:00:01.900Z"), "in 1s");
  assert.equal(relative("2026-03-28T21:00:00Z"), "3h ago");
});

test("clocks and days are those of a zone, on both sides of a change of the clocks", () => {
  assert.equal(clock("2026-03-29T00:59:59Z"), "01:59:59");
  assert.equal(clock("2026-03-29T01:00:00Z"), "03:00:00");
  assert.equal(clock("2026-03-29T01:00:00Z", false), "03:00");
  assert.equal(clock("2026-03-29T01:00:00Z", true, "UTC"), "01:00:00");
  // Releases of Node.js and of browsers differ in the comma.
  assert.match(day("2026-03-28T23:30:00Z"), /^Sun,? 29 Mar$/);
  assert.match(day("2026-03-28T23:30:00Z", "UTC"), /^Sat,? 28 Mar$/);
  assert.match(moment("2026-03-28T23:30:00Z"), /^Sun,? 29 Mar, 00:30:00$/);
});

test("midnight is 00, not 24", () => {
  assert.equal(clock("2026-01-01T23:00:00Z"), "00:00:00");
});

test("an absolute time has its zone", () => {
  const said = absolute("2026-07-01T10:00:00Z");
  assert.match(said, /2026/);
  assert.match(said, /12:00:00/);
  assert.match(said, / GMT\+2$/);
  assert.match(absolute("2026-07-01T10:00:00Z", "Asia/Kolkata"), /15:30:00 GMT\+5:30$/);
});
