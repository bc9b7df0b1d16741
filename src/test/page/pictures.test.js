import assert from "node:assert/strict";
import { test } from "node:test";
import { fields } from "../../main/resources/ui/page/audit.js";
import { phrase } from "../../main/resources/ui/widget/alert.js";
import { sent } from "../../main/resources/ui/widget/alertrules.js";
import { pieces, plain } from "../../main/resources/ui/widget/ansi.js";
import { hours } from "../../main/resources/ui/widget/dayaxis.js";
import { rows } from "../../main/resources/ui/widget/fleet.js";
import { marked } from "../../main/resources/ui/widget/output.js";
import { taskMark, toneOf, wordOf } from "../../main/resources/ui/widget/parts.js";
import { height } from "../../main/resources/ui/widget/strip.js";
import { barsOf } from "../../main/resources/ui/widget/timeline.js";

const MINUTE = 60_000;
const at = (minute) => new Date(minute * MINUTE).toISOString();

test("escape sequences become classes, and all others vanish", () => {
  assert.deepEqual(pieces("plain"), [["plain", ""]]);
  assert.deepEqual(pieces("a\x1b[1;31mb\x1b[22mc\x1b[0md"), [
    ["a", ""],
    ["b", "ansi-bold ansi-31"],
    ["c", "ansi-31"],
    ["d", ""],
  ]);
  assert.deepEqual(pieces("\x1b[38;5;200;1mx\x1b[0;38;2;1;2;31my"), [
    ["x", "ansi-bold"],
    ["y", ""],
  ]);
  assert.equal(plain("\x1b]0;title\x07a\x1b[2Kb\x1b[?25lc\x1bMd"), "abcd");
});

test("what is searched for is marked wherever it is, and the text stays whole", () => {
  const parts = marked("Error: no error", "error");
  const text = parts.map((part) => (typeof part === "string" ? part : part.props.children)).join("");
  assert.equal(text, "Error: no error");
  assert.equal(parts.filter((part) => typeof part !== "string").length, 2);
  assert.equal(marked("x", ""), "x");
  assert.equal(marked("İstanbul: ok", "ok")[1].props.children, "ok");
});

test("hours behind and ahead do not overlap", () => {
  const none = { succeeded: 0, killed: 0, missed: 0, skipped: 0, cancelled: 0, lost: 0, timedOut: 0, failed: 0 };
  const behind = [
    { ...none, at: at(0), succeeded: 2, failed: 1 },
    { ...none, at: at(60) },
  ];
  const buckets = [60, 120].map((minute) => ({ at: at(minute), starts: 4, skipped: 1, running: { p95: 3 } }));
  const all = hours(behind, { buckets });
  assert.deepEqual(
    all.map((hour) => hour.said),
    ["2 succeeded, 1 failed", "nothing ended", "4 to start, 1 left out by overlap, up to 3 at once"],
  );
  assert.deepEqual(
    all.map((hour) => hour.ahead),
    [false, false, true],
  );
  assert.equal(hours([], undefined).length, 0);
});

test("what ran at once is side by side, and what finds no lane is counted", () => {
  const task = (node, from, until) => ({ node, startedAt: at(from), endedAt: until === null ? null : at(until) });
  const tasks = [task("b", 5, 6), task("a", 0, 3), task("a", 2, 4), task("a", 3, null), { node: "a", startedAt: null }];
  const sessions = [{ node: "c", goneAt: at(4), goneReason: "drained" }];
  const found = rows(tasks, sessions, 1 * MINUTE, 10 * MINUTE);
  assert.deepEqual(
    found.map(({ name, count, gone }) => [name, count, gone.length]),
    [
      ["a", 2, 0],
      ["b", 1, 0],
      ["c", 1, 1],
    ],
  );
  assert.deepEqual(
    found[0].placed.map(({ from, until, lane }) => [from / MINUTE, until / MINUTE, lane]),
    [
      [1, 3, 0],
      [2, 4, 1],
      [3, 10, 0],
    ],
  );
  const crowd = rows(Array(8).fill(task("a", 2, 4)), [], 0, 10 * MINUTE);
  assert.deepEqual([crowd[0].placed.length, crowd[0].left], [6, 2]);
});

test("an attempt waits, then runs; a bar whose clocks cross is left out", () => {
  const none = { startedAt: null, queuedAt: null, endedAt: null, fireTime: at(0), dueAt: at(1), attempt: 1 };
  const kinds = (attempt) =>
    barsOf(attempt, 9 * MINUTE).map(([from, until, what]) => [from / MINUTE, until / MINUTE, what]);
  assert.deepEqual(kinds(none), [[0, 9, "waited"]]);
  assert.deepEqual(kinds({ ...none, startedAt: at(2), waitedFor: "a slot" }), [
    [0, 2, "waited: a slot"],
    [2, 9, "runs"],
  ]);
  assert.deepEqual(kinds({ ...none, attempt: 2, startedAt: at(2), endedAt: at(3), outcome: "FAILED" }), [
    [1, 2, "waited"],
    [2, 3, "ran, failed"],
  ]);
  assert.deepEqual(kinds({ ...none, queuedAt: at(3), startedAt: at(2), endedAt: at(4), outcome: "KILLED" }), [
    [2, 4, "ran, killed"],
  ]);
});

test("what a task is called: its outcome, what it waits for, or what it does", () => {
  assert.equal(taskMark({ outcome: "FAILED", state: "ENDED" }), "FAILED");
  assert.equal(taskMark({ outcome: null, state: "IDLE", hold: "GROUP" }), "HELD");
  assert.equal(taskMark({ outcome: null, state: "EXECUTING" }), "EXECUTING");
  assert.equal(wordOf("TIMED_OUT"), "timed out");
  assert.equal(wordOf("OF_LATER_VERSION"), "of_later_version");
  assert.equal(toneOf("OF_LATER_VERSION"), "idle");
});

test("bars of runs can be seen, however short the runs were", () => {
  assert.equal(height(100, 100), 100);
  assert.equal(height(0, 1_000_000), 8);
  assert.equal(height(null, 100), 12);
});

test("an alert is a sentence, also one that only a later version raises", () => {
  assert.equal(phrase({ condition: "FAILED_IN_A_ROW", detail: { streak: 3 } }), "failed 3 times in a row");
  assert.equal(phrase({ condition: "TOO_LONG", detail: { limitMs: MINUTE } }), "takes longer than 1m");
  assert.equal(phrase({ condition: "DISK_FULL", detail: {} }), "disk full");
});

test("a rule says only what its conditions have a use for", () => {
  const rule = { name: "r", when: ["FAILED_IN_A_ROW"], times: 3, deadline: "5m", channels: ["c"], job: null };
  assert.deepEqual(sent(rule), { when: ["FAILED_IN_A_ROW"], times: 3, channels: ["c"] });
});

test("a change names its fields, but not the version, nor what was and is nothing", () => {
  assert.deepEqual(fields({ before: { version: 1, a: 1, b: null }, after: { version: 2, a: 2, b: null, c: 0 } }), [
    { field: "a", before: 1, after: 2 },
    { field: "c", before: null, after: 0 },
  ]);
  assert.deepEqual(fields({ before: null, after: null }), []);
});
