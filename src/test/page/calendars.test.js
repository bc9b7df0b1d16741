import assert from "node:assert/strict";
import { test } from "node:test";
import { freezeOf } from "../../main/resources/ui/widget/freezes.js";
import { dayOf, weeksOf, WEEK } from "../../main/resources/ui/widget/year.js";

const CALENDAR = {
  week: WEEK.slice(0, 5),
  closed: [
    { date: "--12-25", name: "Christmas" },
    { date: { from: "2026-08-03", to: "2026-08-14" }, name: "works holidays" },
  ],
  open: [{ date: "2026-08-08", name: "stocktaking" }],
};

test("opened dates win over closed ones, and these over the week", () => {
  assert.deepEqual(dayOf(CALENDAR, "2026-12-25"), { open: false, name: "Christmas" });
  assert.deepEqual(dayOf(CALENDAR, "2031-12-25"), { open: false, name: "Christmas" });
  assert.deepEqual(dayOf(CALENDAR, "2026-08-08"), { open: true, name: "stocktaking" });
  assert.deepEqual(dayOf(CALENDAR, "2026-08-14"), { open: false, name: "works holidays" });
  assert.deepEqual(dayOf(CALENDAR, "2026-08-15"), { open: false, name: "" });
  assert.deepEqual(dayOf(CALENDAR, "2026-08-17"), { open: true, name: "" });
});

test("weeks begin on Monday and have seven days", () => {
  const weeks = weeksOf(2026, 1); // February 2026 begins on a Sunday
  assert.deepEqual(weeks[0], [null, null, null, null, null, null, "2026-02-01"]);
  assert.equal(weeks.at(-1)?.[5], "2026-02-28");
  assert.ok(weeks.every((week) => week.length === 7));
  assert.equal(weeksOf(2028, 1).flat().filter(Boolean).length, 29);
});

test("a freeze is of all jobs, or of those that are named", () => {
  assert.deepEqual(freezeOf({ all: true, namespaces: "a" }), { all: true, then: "HOLD" });
  assert.deepEqual(freezeOf({ namespaces: "a, b,", jobs: " c/d ", labels: { tier: "db" }, then: "SKIP" }), {
    namespaces: ["a", "b"],
    jobs: ["c/d"],
    labels: { tier: "db" },
    then: "SKIP",
  });
});
