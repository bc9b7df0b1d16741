/** Speaks /api/v1 for the whole page: no other module knows of the cookie and the CSRF token. */
import { content, Problem, problemOf } from "./problem.js";
import { search } from "./query.js";

export const BASE = "/api/v1";
const ROLES = ["viewer", "operator", "editor", "admin"];

/** @typedef {Record<string, any>} Query */
/** @typedef {{name: string, role: string, namespaces: string[] | null, csrfToken?: string}} Session */
/** @typedef {{query?: Query, body?: any, headers?: Record<string, string>, signal?: AbortSignal}} Options */

/**
 * Who is signed in: what GET /session answered, or null.
 *
 * @type {Session | null}
 */
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

/**
 * Whether who is signed in has this role or a higher one.
 *
 * @param {string} role
 */
export function may(role) {
  return session !== null && ROLES.indexOf(session.role) >= ROLES.indexOf(role);
}

/** Whether who is signed in sees all namespaces. */
export function seesAll() {
  return session !== null && session.namespaces === null;
}

/** @param {() => void} callback */
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

/** @param {string} token */
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

/**
 * @param {string} path
 * @param {Record<string, any>} [query]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function get(path, query, signal) {
  return (await call("GET", path, { query, signal })).data;
}

/**
 * @param {string} path
 * @param {any} [body]
 * @param {Record<string, string>} [headers]
 * @returns {Promise<any>}
 */
export async function post(path, body, headers) {
  return (await call("POST", path, { body: body ?? {}, headers })).data;
}

/** Headers of a PUT that makes something new: what has its name already stays as it is (412). */
export const IF_NEW = { "If-None-Match": "*" };

/**
 * Any call. Answers {status, data, etag}.
 *
 * @param {string} method
 * @param {string} path
 * @param {Options} [options]
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

/**
 * @param {string} method
 * @param {string} path
 * @param {Options} [options]
 */
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

/**
 * @param {string} method
 * @param {any} body
 * @returns {Record<string, string>}
 */
function writing(method, body) {
  /** @type {Record<string, string>} */
  const headers = body === undefined ? {} : { "Content-Type": "application/json" };
  return method === "GET" || !session?.csrfToken ? headers : { ...headers, "X-CSRF-Token": session.csrfToken };
}

/** @param {Response} answer */
function clock(answer) {
  const said = Date.parse(answer.headers.get("Date") || "");
  const off = said + 500 - Date.now();
  if (!Number.isNaN(off)) {
    ahead = Math.abs(off) > 2000 ? off : 0;
  }
}

/**
 * The path of a job, with what follows.
 *
 * @param {string} namespace
 * @param {string} name
 */
export function jobPath(namespace, name, rest = "") {
  return "/jobs/" + encodeURIComponent(namespace) + "/" + encodeURIComponent(name) + rest;
}
