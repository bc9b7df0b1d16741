import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { jobPath } from "../../main/resources/ui/core/client.js";
import { draftOf, dropDraft, keepDraft } from "../../main/resources/ui/core/draft.js";
import { search } from "../../main/resources/ui/core/query.js";
import { here, link, toJob, toTask } from "../../main/resources/ui/core/route.js";
import { asked, instant, local } from "../../main/resources/ui/widget/filters.js";

afterEach(() => {
  delete globalThis.location;
  delete globalThis.sessionStorage;
});

test("a query leaves out what is nothing, and repeats lists", () => {
  assert.equal(search({ a: null, b: undefined, c: "", d: false, e: [] }), "");
  assert.equal(search(null), "");
  assert.equal(search({ limit: 0, label: ["a=b", "", "c d"], all: true }), "?limit=0&label=a%3Db&label=c+d&all=true");
});

test("links keep what a name has in it", () => {
  assert.equal(toJob("a b", "c/d?e#f"), "#/jobs/a%20b/c%2Fd%3Fe%23f");
  assert.equal(toTask(7), "#/tasks/7");
  assert.equal(link(["history"], { job: "ns/x", state: "" }), "#/history?job=ns%2Fx");
  assert.equal(jobPath("a/b", "ü", "/run"), "/jobs/a%2Fb/%C3%BC/run");
});

test("a link leads to where it was made for", () => {
  globalThis.location = { hash: link(["jobs", "a/b", "100%"], { tab: "why", at: "x&y" }) };
  const { parts, query } = here();
  assert.deepEqual(parts, ["jobs", "a/b", "100%"]);
  assert.equal(query.get("tab"), "why");
  assert.equal(query.get("at"), "x&y");
});

test("an address that somebody typed is read as far as can be", () => {
  globalThis.location = { hash: "#/jobs//50%" };
  assert.deepEqual(here().parts, ["jobs", "50%"]);
  globalThis.location = { hash: "" };
  assert.deepEqual(here().parts, []);
});

test("filters of an address: one value for each name, none for those without", () => {
  const fields = [{ name: "state" }, { name: "node" }];
  assert.deepEqual(asked(new URLSearchParams("state=IDLE&other=1"), fields), { state: "IDLE", node: "" });
});

test("an input of date and time is in the zone of whoever looks", () => {
  assert.equal(instant("2026-07-01T12:00"), "2026-07-01T10:00:00.000Z");
  assert.equal(instant(""), "");
  assert.equal(local("2026-01-01T11:00:00Z"), "2026-01-01T12:00");
  assert.equal(local("2026-07-01T10:00:00Z"), "2026-07-01T12:00");
  assert.equal(local("yesterday"), "");
});

test("drafts are kept, given back and dropped; a broken one is none, and a full tab is no trouble", () => {
  const kept = new Map();
  globalThis.sessionStorage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => kept.set(key, text),
    removeItem: (key) => kept.delete(key),
  };
  assert.equal(draftOf("ns/a"), null);
  keepDraft("ns/a", 3, { name: "a" }, "name: a");
  assert.deepEqual(draftOf("ns/a"), { version: 3, definition: { name: "a" }, text: "name: a" });
  dropDraft("ns/a");
  assert.equal(draftOf("ns/a"), null);
  kept.set("rowlock.draft.ns/a", "{");
  assert.equal(draftOf("ns/a"), null);
  globalThis.sessionStorage.setItem = () => {
    throw new Error("full");
  };
  assert.doesNotThrow(() => keepDraft("ns/a", null, {}));
});
