import assert from "node:assert/strict";
import { test } from "node:test";
import * as library from "../../main/resources/ui/vendor/yaml.js";
import { at, fromLines, put, toLines } from "../../main/resources/ui/widget/fields.js";
import { busiest } from "../../main/resources/ui/widget/plan.js";
import { overlapHere, retriesHere } from "../../main/resources/ui/widget/policies.js";
import { definitionOf, differences, merged } from "../../main/resources/ui/widget/saving.js";
import { fromRows, linesOf, toRows } from "../../main/resources/ui/widget/schedule.js";
import { read, written } from "../../main/resources/ui/widget/yamlview.js";

test("a field is put where its path leads, and goes with the object that it leaves empty", () => {
  const before = { name: "a", retry: { max: 2 } };
  assert.deepEqual(put(before, "retry.backoff", "1m"), { name: "a", retry: { max: 2, backoff: "1m" } });
  assert.deepEqual(put(before, "retry.max", ""), { name: "a" });
  assert.deepEqual(put(before, "zone", "UTC"), { name: "a", retry: { max: 2 }, zone: "UTC" });
  assert.deepEqual(put(before, "name", null), { retry: { max: 2 } });
  assert.deepEqual(before, { name: "a", retry: { max: 2 } });
  assert.equal(at(before, "retry.max"), 2);
  assert.equal(at(before, "timeout"), "");
  assert.equal(at(before, "timeout.soft"), "");
});

test("lines are names with values, and a line that is half typed is one", () => {
  const map = { A: "1", B: "x=y", C: "" };
  assert.equal(toLines(map), "A=1\nB=x=y\nC=");
  assert.deepEqual(fromLines(toLines(map)), map);
  assert.deepEqual(fromLines("\n A = 1\nHALF\n  \n"), { A: " 1", HALF: "" });
  assert.equal(toLines(undefined), "");
});

test("a schedule of several lines is typed one per row, and nothing of it is lost", () => {
  const list = ["0 3 * * *", { schedule: "0 9 * * *", zone: "Asia/Tokyo", env: { FULL: "1" } }, "@hourly"];
  assert.deepEqual(fromRows(toRows(list)), list);
  assert.deepEqual(fromRows("0 3 * * *\n\n 0 4 * * * \n"), ["0 3 * * *", "0 4 * * *"]);
  assert.equal(fromRows("0 3 * * * "), "0 3 * * *");
  assert.equal(toRows("0 3 * * *"), "0 3 * * *");
  assert.equal(toRows(undefined), "");
  assert.equal(fromRows(" \n"), "");
  assert.deepEqual(fromRows('{"schedule": "@hourly"}'), [{ schedule: "@hourly" }]);
  assert.equal(fromRows('{"schedule": "@hou'), '{"schedule": "@hou');
  assert.deepEqual(linesOf(list), ["0 3 * * *", "0 9 * * * (Asia/Tokyo)", "@hourly"]);
  assert.deepEqual(linesOf("0 3 * * *"), ["0 3 * * *"]);
});

test("a definition is what can be written, and a pause stays as it is", () => {
  const job = { name: "a", command: "date", zone: null, version: 3, state: "PAUSED", paused: true, streak: null };
  assert.deepEqual(definitionOf(job), { name: "a", command: "date" });
});

test("fields that differ are named, whoever has them", () => {
  assert.deepEqual(differences({ a: 1, b: [1], c: 3 }, { a: 1, b: [2], d: null }), [
    { field: "b", before: [1], after: [2] },
    { field: "c", before: 3, after: null },
    { field: "d", before: null, after: null },
  ]);
});

test("two changes become one: mine where I changed something, theirs everywhere else", () => {
  const before = { name: "a", command: "date", timeout: "1m", group: "g" };
  const mine = { name: "a", command: "date -u", timeout: "1m" };
  const theirs = { name: "a", command: "uptime", timeout: "2m", group: "g", labels: { team: "x" } };
  assert.deepEqual(JSON.parse(JSON.stringify(merged(before, mine, theirs))), {
    name: "a",
    command: "date -u",
    timeout: "2m",
    labels: { team: "x" },
  });
});

test("YAML is what job files are: words stay words, and what was written is read", () => {
  const definition = { name: "yes", schedule: "0 3 * * *", command: "a\nb\n", labels: { on: "2026-01-01" }, retry: 3 };
  assert.deepEqual(read(library, written(library, definition)), { definition });
  assert.equal(written(library, { at: "2026-01-01" }), "at: 2026-01-01\n");
  assert.deepEqual(read(library, "command: yes\nat: 2026-01-01"), {
    definition: { command: "yes", at: "2026-01-01" },
  });
});

test("what is not YAML yet is said with its line, and what is no definition as such", () => {
  assert.match(read(library, "name: a\ncommand: 'x").wrong, /^Line \d+: .*\.$/);
  for (const text of ["", "just a word", "- a\n- b"]) {
    assert.match(read(library, text).wrong, /fields with values/, text);
  }
});

test("what an overlap means here depends on how long runs take", () => {
  const hourly = ["2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z", "2026-01-01T03:00:00Z"];
  assert.match(overlapHere("SKIP", hourly, 60_000), /within 1m, and fire times are 1h apart at least, so this is rare/);
  assert.match(overlapHere("QUEUE", hourly, 7_200_000), /up to 2h, and fire times are only 1h apart\. Runs pile up/);
  assert.equal(overlapHere("SKIP", hourly.slice(0, 1), 60_000), "");
  assert.equal(overlapHere("SKIP", hourly, null), "");
  assert.equal(retriesHere({ max: "2" }), "Up to 3 attempts for each fire time; the delay doubles each time.");
  assert.equal(retriesHere(undefined), "A failed run is not tried again.");
});

test("the busiest hour is the first of those with most", () => {
  const hours = [
    { before: 1, after: 2 },
    { before: 0, after: 5 },
    { before: 9, after: 5 },
  ];
  assert.deepEqual(busiest(hours), hours[1]);
  assert.deepEqual(busiest([]), { before: 0, after: 0 });
});
