/**
 * What happens, as server-sent events. One stream for the page that is shown; a hidden tab has none. Whoever listens is
 * told `{name: "gap"}` when something may have been missed, and reads again.
 */
import { useEffect, useRef, useState } from "./html.js";
import { isOut } from "./client.js";
import { search } from "./query.js";
import { refusal } from "./streams.js";
import { holdStill } from "./use.js";

const EVENTS = ["task.started", "task.ended", "task.held", "job.changed", "node.joined", "node.left", "freeze.changed"];
const AGAIN_MS = [1000, 2000, 5000, 10000];

/** @typedef {{name: string, data?: any}} Event what happened, or a gap */

/** @type {EventSource | null} */
let source = null;
/** @type {Record<string, any> | null} */
let wanted = null;
let paused = false;
let failures = 0;
let retry = 0;
let before = false;
let state = { name: "OFF", why: "" };
/** @type {Set<(event: Event) => void>} */
const listeners = new Set();
/** @type {Set<(now: {name: string, why: string}) => void>} */
const watchers = new Set();

/** @param {string} name */
function become(name, why = "") {
  if (state.name !== name || state.why !== why) {
    state = { name, why };
    watchers.forEach((watcher) => watcher(state));
  }
}

/** @param {Event} event */
function tell(event) {
  listeners.forEach((listener) => listener(event));
}

function close() {
  clearTimeout(retry);
  source?.close();
  source = null;
}

function open() {
  close();
  if (wanted === null || paused || document.hidden) {
    become(paused ? "PAUSED" : "OFF");
    return;
  }
  const mine = new EventSource("/api/v1/events" + search(wanted));
  source = mine;
  mine.onopen = () => {
    failures = 0;
    become("ON");
    if (before) {
      tell({ name: "gap" });
    }
    before = true;
  };
  mine.onerror = () => lost(mine);
  mine.addEventListener("stream.gap", () => tell({ name: "gap" }));
  EVENTS.forEach((name) => mine.addEventListener(name, (e) => tell({ name, data: JSON.parse(e.data) })));
}

/**
 * Browsers come again by themselves after a cut, but not after an answer such as 503.
 *
 * @param {EventSource} mine
 */
function lost(mine) {
  if (source !== mine) {
    return;
  }
  failures++;
  if (mine.readyState === EventSource.CLOSED) {
    become("LOST", state.why);
    ask(mine);
  } else if (failures > 1) {
    become("LOST");
  }
}

/**
 * A refusal is shown as what it is, and what cannot change by itself is not asked for again.
 *
 * @param {EventSource} mine
 */
async function ask(mine) {
  const problem = await refusal("/events", wanted);
  if (source !== mine) {
    return;
  }
  if (problem?.status === 401) {
    isOut();
  } else if (problem?.status === 400 || problem?.status === 403 || problem?.status === 404) {
    become("REFUSED", problem.message);
  } else {
    become("LOST", problem?.message ?? "");
    clearTimeout(retry);
    retry = setTimeout(open, AGAIN_MS[Math.min(failures, AGAIN_MS.length) - 1]);
  }
}

document.addEventListener("visibilitychange", open);
addEventListener("pagehide", close);
addEventListener("pageshow", (e) => e.persisted && open());

/** Nobody listens any more. */
export function rest() {
  wanted = null;
  before = false;
  open();
}

/** @param {boolean} on */
export function pause(on) {
  paused = on;
  holdStill(on);
  open();
}

/** {name, why}: ON, OFF, PAUSED, LOST or REFUSED, and what the server said of the latter two. */
export function useLiveState() {
  const [seen, setSeen] = useState(state);
  useEffect(() => {
    setSeen(state);
    watchers.add(setSeen);
    return () => watchers.delete(setSeen);
  }, []);
  return seen;
}

/**
 * Tells a page what happens.
 *
 * @param {Record<string, any> | null} filter of the stream, such as {job: "ns/name"}; {}: everything; null: nothing yet
 * @param {(event: Event) => void} listener
 */
export function useEvents(filter, listener) {
  const latest = useRef(listener);
  latest.current = listener;
  const key = JSON.stringify(filter);
  useEffect(() => {
    if (filter === null) {
      return undefined;
    }
    /** @param {Event} event */
    const mine = (event) => latest.current(event);
    listeners.add(mine);
    if (JSON.stringify(wanted) !== key) {
      wanted = filter;
      before = false;
      open();
    }
    return () => {
      listeners.delete(mine);
      setTimeout(() => listeners.size === 0 && rest());
    };
  }, [key]);
}
