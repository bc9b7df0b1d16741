/** Speaks /api/v1 for the whole page: no other module knows of the cookie, the CSRF token or of statuses. */

import { Problem } from "./problem.js";
import { search } from "./query.js";

const BASE = "/api/v1";
const ROLES = ["viewer", "operator", "editor", "admin"];

/** Who is signed in: what GET /session answered, or null. */
let session = null;
let onSignedOut = () => {};
/** How far the server's clock is ahead of this one, in milliseconds. */
let ahead = 0;

/** Now, by the server's clock to about a second: those of browsers are often wrong. */
export function now() {
  return Date.now() + ahead;
}

export function who() {
  return session;
}

/** Whether who is signed in has this role or a higher one. */
export function may(role) {
  return session !== null && ROLES.indexOf(session.role) >= ROLES.indexOf(role);
}

/** Whether who is signed in sees all namespaces. */
export function seesAll() {
  return session !== null && session.namespaces === null;
}

export function whenSignedOut(callback) {
  onSignedOut = callback;
}

/** Whoever is signed in already, or null. */
export async function resume() {
  try {
    session = (await send("GET", "/session")).data;
  } catch (problem) {
    if (problem.status !== 401) {
      throw problem;
    }
    session = null;
  }
  return session;
}

export async function signIn(token) {
  session = (await send("POST", "/session", { body: { token } })).data;
  return session;
}

export async function signOut() {
  await send("DELETE", "/session");
  isOut();
}

/** In which ways somebody can sign in: TOKEN, OIDC. */
export async function waysToSignIn() {
  const answer = await fetch("/signin", { headers: { Accept: "application/json" } });
  return answer.ok ? (await answer.json()).ways : ["TOKEN"];
}

export async function get(path, query, signal) {
  return (await call("GET", path, { query, signal })).data;
}

export async function post(path, body, headers) {
  return (await call("POST", path, { body: body ?? {}, headers })).data;
}

/** Headers of a PUT that makes something new: what has its name already stays as it is (412). */
export const IF_NEW = { "If-None-Match": "*" };

/**
 * Any call. Answers {status, data, etag}.
 *
 * @param query values that are null, undefined or empty are left out; lists are repeated
 */
export async function call(method, path, options = {}) {
  try {
    return await send(method, path, options);
  } catch (problem) {
    if (problem.status === 401) {
      isOut();
    }
    throw problem;
  }
}

/** Whoever was signed in no longer is. */
export function isOut() {
  session = null;
  onSignedOut();
}

async function send(method, path, { query, body, headers, signal } = {}) {
  let answer;
  try {
    answer = await fetch(BASE + path + search(query), {
      method,
      signal,
      headers: { Accept: "application/json", ...writing(method, body), ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (e) {
    if (e.name === "AbortError") {
      throw e;
    }
    throw new Problem(
      0,
      "The node does not answer. Is it running, and is the network up?" + " Any other node will do, too.",
    );
  }
  clock(answer);
  if (!answer.ok) {
    throw await problemOf(answer);
  }
  return { status: answer.status, data: await content(answer), etag: answer.headers.get("ETag") };
}

function writing(method, body) {
  const headers = body === undefined ? {} : { "Content-Type": "application/json" };
  return method === "GET" || !session?.csrfToken ? headers : { ...headers, "X-CSRF-Token": session.csrfToken };
}

async function content(answer) {
  const json = (answer.headers.get("Content-Type") || "").includes("json");
  return json && answer.status !== 204 ? answer.json() : null;
}

function clock(answer) {
  const said = Date.parse(answer.headers.get("Date") || "");
  const off = said + 500 - Date.now();
  if (!Number.isNaN(off)) {
    ahead = Math.abs(off) > 2000 ? off : 0;
  }
}

/** Why a stream is not to be had: browsers do not tell. Null: it is to be had by now. */
export async function refusal(path, query) {
  const abort = new AbortController();
  try {
    const answer = await fetch(BASE + path + search(query), { signal: abort.signal });
    return answer.ok ? null : await problemOf(answer);
  } catch {
    return new Problem(0, "");
  } finally {
    abort.abort();
  }
}

async function problemOf(answer) {
  const data = await content(answer);
  return new Problem(answer.status, (data && data.detail) || "The node answered " + answer.status + ".", data?.errors);
}

/** The path of a job, with what follows. */
export function jobPath(namespace, name, rest = "") {
  return "/jobs/" + encodeURIComponent(namespace) + "/" + encodeURIComponent(name) + rest;
}

/**
 * What a task writes, piece by piece, to its end if it is followed.
 *
 * @param take gets text
 */
export async function output(id, follow, take, signal) {
  const answer = await fetch(BASE + "/tasks/" + id + "/output" + (follow ? "?follow=true" : ""), { signal });
  if (!answer.ok) {
    const data = await content(answer);
    throw new Problem(answer.status, data?.detail || "The output cannot be read: " + answer.status + ".");
  }
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    take(part.value);
  }
}
