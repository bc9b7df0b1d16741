/** What the server sends piece by piece. */
import { BASE } from "./client.js";
import { content, Problem, problemOf } from "./problem.js";
import { search } from "./query.js";

/**
 * Why a stream is not to be had: browsers do not tell. Null: it is to be had by now.
 *
 * @param {string} path
 * @param {Record<string, any> | null} query
 */
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

/**
 * What a task writes, piece by piece, to its end if it is followed.
 *
 * @param {string | number} id
 * @param {boolean} follow
 * @param {(text: string) => void} take
 * @param {AbortSignal} signal
 */
export async function output(id, follow, take, signal) {
  const answer = await fetch(BASE + "/tasks/" + id + "/output" + (follow ? "?follow=true" : ""), { signal });
  if (!answer.ok) {
    const data = await content(answer);
    throw new Problem(answer.status, data?.detail || "The output cannot be read: " + answer.status + ".");
  }
  if (answer.body === null) {
    return;
  }
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    take(part.value);
  }
}
