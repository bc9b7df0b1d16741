/**
 * What happens, as server-sent events. One stream for the page that is shown; a hidden tab has none. Whoever listens is
 * told `{name: "gap"}` when something may have been missed, and reads again.
 */
import { useEffect, useRef, useState } from "./html.js";
import { search } from "./client.js";

const EVENTS = ["task.started", "task.ended", "task.held", "job.changed", "node.joined", "node.left"];
const AGAIN_MS = [1000, 2000, 5000, 10000];

let source = null;
let wanted = null;
let paused = false;
let failures = 0;
let retry = 0;
let before = false;
let state = "OFF";
const listeners = new Set();
const watchers = new Set();

function become(next) {
  if (state !== next) {
    state = next;
    watchers.forEach((watcher) => watcher(next));
  }
}

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

/** Browsers come again by themselves after a cut, but not after an answer such as 503. */
function lost(mine) {
  if (source !== mine) {
    return;
  }
  failures++;
  if (failures > 1 || mine.readyState === EventSource.CLOSED) {
    become("LOST");
  }
  if (mine.readyState === EventSource.CLOSED) {
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

export function pause(on) {
  paused = on;
  open();
}

/** ON, OFF, PAUSED or LOST. */
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
 * @param filter what the stream is asked for, such as {job: "ns/name"}; {}: everything; null: nothing yet
 */
export function useEvents(filter, listener) {
  const latest = useRef(listener);
  latest.current = listener;
  const key = JSON.stringify(filter);
  useEffect(() => {
    if (filter === null) {
      return undefined;
    }
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
