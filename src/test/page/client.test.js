import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import * as client from "../../main/resources/ui/core/client.js";
import { Problem } from "../../main/resources/ui/core/problem.js";
import { output, refusal } from "../../main/resources/ui/core/streams.js";

let asked = [];
let answers = [];

/** An answer of the server, as JSON unless it is text. */
function answer(status, body, headers = {}) {
  const json = typeof body === "object";
  return new Response(status === 204 ? null : json ? JSON.stringify(body) : body, {
    status,
    headers: { "Content-Type": json ? "application/problem+json" : "text/plain", ...headers },
  });
}

beforeEach(() => {
  asked = [];
  answers = [];
  globalThis.fetch = (url, options) => {
    asked.push({ url, ...options });
    const next = answers.shift();
    return next instanceof Response ? Promise.resolve(next) : Promise.reject(next);
  };
});

test("who is signed in may do what the role says, and writes with the token against forgery", async () => {
  answers.push(answer(200, { name: "ann", role: "editor", namespaces: ["ops"], csrfToken: "t" }), answer(200, {}));
  await client.signIn("secret");
  assert.deepEqual(
    ["viewer", "operator", "editor", "admin"].map((role) => client.may(role)),
    [true, true, true, false],
  );
  assert.equal(client.seesAll(), false);
  await client.post("/jobs/a/b/run", { node: "n" });
  assert.equal(asked[1].headers["X-CSRF-Token"], "t");
  assert.equal(asked[1].headers["Content-Type"], "application/json");
  assert.equal(asked[1].body, '{"node":"n"}');
  answers.push(answer(200, { items: [] }));
  await client.get("/jobs", { limit: 5 });
  assert.equal(asked[2].url, "/api/v1/jobs?limit=5");
  assert.deepEqual(asked[2].headers, { Accept: "application/json" });
});

test("nobody is signed in after a 401, and whoever asked to be told is", async () => {
  let told = 0;
  client.whenSignedOut(() => told++);
  answers.push(answer(401, { detail: "Sign in." }));
  await assert.rejects(client.get("/jobs"), { status: 401, message: "Sign in." });
  assert.equal(client.who(), null);
  assert.equal(client.may("viewer"), false);
  assert.equal(told, 1);
});

test("nobody being signed in is no problem when it is asked for", async () => {
  answers.push(answer(401, {}), answer(503, { detail: "Later." }));
  assert.equal(await client.resume(), null);
  await assert.rejects(client.resume(), { status: 503, message: "Later." });
});

test("no answer is said in words, and an end that was asked for is not a problem", async () => {
  answers.push(new TypeError("fetch failed"), new DOMException("ended", "AbortError"));
  await assert.rejects(client.get("/jobs"), { status: 0, message: /does not answer/ });
  await assert.rejects(client.get("/jobs"), { name: "AbortError" });
});

test("an answer without words still has its status, and one without content is none", async () => {
  answers.push(answer(502, "bad gateway"), answer(204));
  await assert.rejects(client.get("/jobs"), { status: 502, message: "The node answered 502." });
  assert.deepEqual(await client.call("DELETE", "/jobs/a/b"), { status: 204, data: null, etag: null });
});

test("now is the server's, if its clock and that of the browser differ by more than two seconds", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: Date.parse("2026-01-01T00:00:00Z") });
  answers.push(answer(200, {}, { Date: "Thu, 01 Jan 2026 01:00:00 GMT" }));
  await client.get("/version");
  assert.equal(client.now(), Date.parse("2026-01-01T01:00:00.500Z"));
  answers.push(answer(200, {}, { Date: "Thu, 01 Jan 2026 00:00:01 GMT" }));
  await client.get("/version");
  assert.equal(client.now(), Date.parse("2026-01-01T00:00:00Z"));
});

test("a problem tells what is wrong with a field, with those within it, but not with others that begin alike", () => {
  const problem = new Problem(422, "No.", [
    { field: "retry", message: "is odd" },
    { field: "retry.max", message: "is negative" },
    { field: "retryAll", message: "is unknown" },
    { field: "labels[0]", message: "is empty" },
  ]);
  assert.equal(problem.of("retry"), "is odd; max is negative");
  assert.equal(problem.of("labels"), "[0] is empty");
  assert.equal(problem.of("name"), null);
});

test("a stream is refused with a reason, or is to be had by now", async () => {
  answers.push(answer(403, { detail: "Not yours." }), answer(200, ""), new TypeError("fetch failed"));
  assert.equal((await refusal("/events", { job: "a/b" }))?.message, "Not yours.");
  assert.equal(asked[0].url, "/api/v1/events?job=a%2Fb");
  assert.equal(await refusal("/events", {}), null);
  assert.equal((await refusal("/events", {}))?.status, 0);
});

test("output comes piece by piece, with characters whole", async () => {
  const bytes = new TextEncoder().encode("grün\n");
  const stream = new ReadableStream({
    start(to) {
      to.enqueue(bytes.slice(0, 3));
      to.enqueue(bytes.slice(3));
      to.close();
    },
  });
  answers.push(new Response(stream));
  const taken = [];
  await output(7, true, (text) => taken.push(text), new AbortController().signal);
  assert.equal(asked[0].url, "/api/v1/tasks/7/output?follow=true");
  assert.equal(taken.join(""), "grün\n");
  answers.push(answer(404, { detail: "There is no task 7." }));
  await assert.rejects(
    output(7, false, () => {}, new AbortController().signal),
    { status: 404, message: "There is no task 7." },
  );
});
