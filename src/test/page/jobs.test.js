import assert from "node:assert/strict";
import { test } from "node:test";
import { csv } from "../../main/resources/ui/core/csv.js";
import { counted, outcomesSaid } from "../../main/resources/ui/widget/backfill.js";
import { matching, pauseOf } from "../../main/resources/ui/widget/bulk.js";
import { lastPlanned, marginSaid } from "../../main/resources/ui/widget/finish.js";
import { afterAll, isOfRow, RECENT } from "../../main/resources/ui/widget/joblist.js";
import { chips, withText } from "../../main/resources/ui/widget/search.js";

const NOTHING = { q: "", namespace: "", state: "", label: [], sort: "" };

test("words become chips once a blank, or Enter, ends them", () => {
  assert.deepEqual(withText(NOTHING, "state:paused", false), { ...NOTHING, q: "state:paused" });
  assert.deepEqual(withText(NOTHING, "state:paused ", false), { ...NOTHING, state: "PAUSED" });
  assert.deepEqual(withText(NOTHING, "state:running", true), { ...NOTHING, state: "EXECUTING" });
  assert.deepEqual(withText(NOTHING, "ns:ops backup team=db ", false), {
    ...NOTHING,
    namespace: "ops",
    label: ["team=db"],
    q: "backup ",
  });
});

test("what is no chip is text, in its order, and a blank is kept while somebody types", () => {
  assert.equal(withText(NOTHING, "nightly  back", false).q, "nightly back");
  assert.equal(withText(NOTHING, "nightly ", false).q, "nightly ");
  assert.equal(withText(NOTHING, "state:odd x", false).q, "state:odd x");
  assert.equal(withText(NOTHING, "state:constructor ", false).q, "state:constructor ");
});

test("a label is there once, and a namespace is replaced", () => {
  const filter = withText({ ...NOTHING, namespace: "a", label: ["x=1"] }, "label:x=1 ns:b ", false);
  assert.deepEqual(filter.label, ["x=1"]);
  assert.equal(filter.namespace, "b");
});

test("each chip knows the filter without it", () => {
  const filter = { ...NOTHING, namespace: "ops", state: "STUCK", label: ["a=1", "b=2"], q: "x" };
  assert.deepEqual(
    chips(filter).map(([said]) => said),
    ["ns:ops", "state:stuck", "label:a=1", "label:b=2"],
  );
  for (const [said, without] of chips(filter)) {
    assert.equal(chips(without).length, 3, said);
    assert.equal(without.q, "x");
  }
});

test("all that match can be changed at once, if the API can match them", () => {
  assert.deepEqual(matching({ ...NOTHING, namespace: "ops", q: "x", label: ["a=b=c"] }), {
    namespace: "ops",
    q: "x",
    labels: { a: "b=c" },
  });
  assert.equal(matching(NOTHING), null);
  assert.equal(matching({ ...NOTHING, namespace: "ops", state: "STUCK" }), null);
  assert.equal(matching({ ...NOTHING, label: ["team"] }), null);
});

test("a pause has an end and a reason only if they were given", () => {
  assert.deepEqual(pauseOf("", ""), {});
  assert.deepEqual(pauseOf("2026-07-01T12:00", "moving"), { until: "2026-07-01T10:00:00.000Z", reason: "moving" });
});

test("events that change rows are told from others", () => {
  assert.equal(isOfRow({ name: "task.ended", data: { job: "a" } }), true);
  assert.equal(isOfRow({ name: "job.changed", data: { deleted: true } }), false);
  assert.equal(isOfRow({ name: "node.left", data: {} }), false);
  assert.equal(isOfRow({ name: "gap" }), false);
});

test("a burst of events changes rows in its order, and no other", () => {
  const row = { namespace: "ns", name: "a", state: "IDLE", streak: { count: 2, result: "SUCCEEDED" } };
  const other = { namespace: "ns", name: "b", state: "IDLE" };
  const task = { namespace: "ns", job: "a", startedAt: "2026-01-01T00:00:00Z" };
  const [first, second] = afterAll(
    [{ ...row, recent: Array(RECENT).fill("SUCCEEDED") }, other],
    [
      { name: "task.started", data: task },
      { name: "task.ended", data: { ...task, outcome: "SUCCEEDED" } },
      { name: "task.started", data: task },
      { name: "task.ended", data: { ...task, outcome: "FAILED" } },
      { name: "task.started", data: { ...task, job: "gone" } },
    ],
  );
  assert.equal(first.state, "IDLE");
  assert.deepEqual(first.streak, { count: 1, result: "FAILED" });
  assert.deepEqual(first.recent, [...Array(RECENT - 1).fill("SUCCEEDED"), "FAILED"]);
  assert.equal(first.lastTask.outcome, "FAILED");
  assert.equal(second, other);
});

test("a streak goes on as long as runs end alike, and failures are alike", () => {
  const row = { namespace: "ns", name: "a", state: "IDLE", streak: { count: 2, result: "FAILED" } };
  const data = { namespace: "ns", job: "a", startedAt: "2026-01-01T00:00:00Z", outcome: "TIMED_OUT" };
  assert.deepEqual(afterAll([row], [{ name: "task.ended", data }])[0].streak, { count: 3, result: "FAILED" });
});

test("a skip is the last outcome, and not the last run", () => {
  const row = { namespace: "ns", name: "a", state: "EXECUTING", lastTask: { id: 1 } };
  const skipped = { namespace: "ns", job: "a", startedAt: null, outcome: "SKIPPED" };
  const [after] = afterAll([row], [{ name: "task.ended", data: skipped }]);
  assert.deepEqual(after, { ...row, recent: ["SKIPPED"] });
});

test("a run that declined leaves streak and last run as they were", () => {
  const last = { id: 7, outcome: "FAILED" };
  const row = { namespace: "ops", name: "a", state: "IDLE", lastTask: last, streak: { count: 2, result: "FAILED" } };
  const data = { namespace: "ops", job: "a", id: 8, startedAt: "2026-11-29T03:00:00Z", outcome: "SKIPPED" };
  const [after] = afterAll(
    [row],
    [
      { name: "task.started", data },
      { name: "task.ended", data },
    ],
  );
  assert.deepEqual(
    { state: after.state, lastTask: after.lastTask, streak: after.streak, recent: after.recent },
    { state: "IDLE", lastTask: last, streak: row.streak, recent: ["SKIPPED"] },
  );

  const succeeded = { ...data, id: 9, outcome: "SUCCEEDED" };
  const [later] = afterAll(
    [after],
    [
      { name: "task.started", data: succeeded },
      { name: "task.ended", data: succeeded },
      { name: "task.ended", data: { ...data, id: 10 } }, // of its start nothing was heard
    ],
  );
  assert.equal(later.lastTask.id, 9);
});

test("a job that was changed keeps what the event does not say", () => {
  const row = { namespace: "ns", name: "a", state: "IDLE", streak: { count: 1 }, recent: ["FAILED"] };
  const data = { namespace: "ns", name: "a", state: "PAUSED", streak: null };
  assert.deepEqual(afterAll([row], [{ name: "job.changed", data }])[0], { ...row, state: "PAUSED" });
});

test("CSV is read as it was meant, also by a spreadsheet", () => {
  const rows = [
    { id: 1, reason: 'said "no", twice', exitCode: -1 },
    { id: 2, reason: "=1+1", exitCode: null },
    { id: 3, reason: "-n\nx" },
  ];
  assert.equal(
    csv(["id", "reason", "exitCode"], rows),
    'id,reason,exitCode\r\n1,"said ""no"", twice",-1\r\n2,\'=1+1,\r\n3,"\'-n\nx",\r\n',
  );
});

test("a backfill says what it would run, and names only what it leaves out", () => {
  const would = { toRun: 3, fireTimes: 6, leftOut: { live: 1, succeeded: 2, declined: 0 } };
  assert.equal(
    counted(would),
    "3 of 6 fire times run; left out are those that need none: 1 wait or execute, 2 succeeded.",
  );
  assert.equal(
    counted({ toRun: 6, fireTimes: 6, leftOut: { live: 0, succeeded: 0, declined: 0 } }),
    "6 of 6 fire times run.",
  );
  assert.equal(outcomesSaid({ SUCCEEDED: 4, FAILED: 1 }), "4 succeeded, 1 failed");
});

test("the margin says what is left, or by how much it was early or late", () => {
  const by = new Date(Date.now() + 300300).toISOString();
  assert.equal(marginSaid({ by, finishedAt: null, marginMs: 0 }), "5m left");
  assert.equal(marginSaid({ by, finishedAt: by, marginMs: 120000 }), "2m early");
  assert.equal(marginSaid({ by, finishedAt: by, marginMs: -120000 }), "2m late");
});

test("the margin is that of the latest occurrence of the schedule", () => {
  const manual = { cause: "MANUAL", fireTime: "3" };
  assert.equal(lastPlanned([manual, { cause: "SCHEDULE", fireTime: "2" }, { cause: "SCHEDULE", fireTime: "1" }]), "2");
  assert.equal(lastPlanned([{ cause: "SCHEDULE", fireTime: "1", lastFireTime: "2" }]), "2");
  assert.equal(lastPlanned([manual]), undefined);
});
