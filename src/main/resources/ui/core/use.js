/** What pages share: reading something and keeping it fresh. */
import { useCallback, useEffect, useRef, useState } from "./html.js";

/**
 * So old may be, in seconds, what is read to keep a page up to date: many pages share what one of them has asked for.
 * It may be from before what happened last, so useThrottled reads once more; its pauses are longer than this.
 */
export const SHARED = 4;

/**
 * Reads something when the page opens, whenever `key` changes, and on reload(), or refresh() where it may be shared.
 * While it is read again, what was read last stays. Answers {data, problem, loading, reload, refresh}.
 *
 * @param read gets the signal that ends it, and how old its answer may be
 */
export function useLoad(read, key) {
  const [shown, setShown] = useState({ data: undefined, problem: null, loading: true, key });
  const [turn, setTurn] = useState(0);
  const latest = useRef(read);
  latest.current = read;
  const busy = useRef(false);
  const again = useRef(false);
  const fresh = useRef(true);
  const readKey = useRef(null);
  useEffect(() => {
    const abort = new AbortController();
    busy.current = true;
    const done = (next) => {
      if (!abort.signal.aborted) {
        busy.current = false;
        setShown(next);
        if (again.current) {
          again.current = false;
          setTurn((t) => t + 1);
        }
      }
    };
    setShown((old) => ({ ...old, data: old.key === key ? old.data : undefined, loading: true, key }));
    const age = fresh.current || readKey.current !== key ? 0 : SHARED;
    fresh.current = false;
    readKey.current = key;
    latest.current(abort.signal, age).then(
      (data) => done({ data, problem: null, loading: false, key }),
      (problem) => done((old) => ({ ...old, problem, loading: false })),
    );
    return () => abort.abort();
  }, [key, turn]);
  // What is being read is not dropped for a newer answer: where answers are slow, none would ever come.
  const refresh = useCallback(() => {
    if (busy.current) {
      again.current = true;
    } else {
      setTurn((t) => t + 1);
    }
  }, []);
  const reload = useCallback(() => {
    fresh.current = true;
    refresh();
  }, []);
  const current = shown.key === key ? shown : { data: undefined, problem: null, loading: true };
  return { data: current.data, problem: current.problem, loading: current.loading, reload, refresh };
}

/**
 * Calls something soon after it was asked for, and at most once in so many milliseconds.
 *
 * @param twice also once more after that, as the first time may have got an answer from before what happened
 */
export function useThrottled(action, ms, twice = false) {
  const latest = useRef(action);
  latest.current = action;
  const timer = useRef(0);
  const last = useRef(0);
  const asked = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    const run = () => {
      timer.current = twice && asked.current ? setTimeout(run, ms) : 0;
      asked.current = false;
      last.current = Date.now();
      latest.current();
    };
    asked.current = true;
    if (timer.current === 0) {
      timer.current = setTimeout(run, Math.max(200, last.current + ms - Date.now()));
    }
  }, [ms, twice]);
}

/** A value that has not changed for so many milliseconds. */
export function useSettled(value, ms) {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

/** Renders again every so many milliseconds, unless the tab is hidden; null: never. */
export function useTick(ms) {
  const [, setTick] = useState(0);
  useEffect(() => {
    if (ms === null) {
      return undefined;
    }
    const timer = setInterval(() => document.hidden || setTick((t) => t + 1), ms);
    return () => clearInterval(timer);
  }, [ms]);
}

/** Calls something every so many milliseconds while the tab is shown. */
export function useEvery(ms, action) {
  const latest = useRef(action);
  latest.current = action;
  useEffect(() => {
    const timer = setInterval(() => document.hidden || latest.current(), ms);
    return () => clearInterval(timer);
  }, [ms]);
}

export function useTitle(title) {
  useEffect(() => {
    document.title = title + " · Rowlock";
  }, [title]);
}

/** True on narrow screens. */
export function useNarrow() {
  const query = "(max-width: 46rem)";
  const [narrow, setNarrow] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const changed = () => setNarrow(media.matches);
    media.addEventListener("change", changed);
    return () => media.removeEventListener("change", changed);
  }, []);
  return narrow;
}
