/** What pages share: reading something and keeping it fresh. */
import { useCallback, useEffect, useRef, useState } from "./html.js";

/**
 * Reads something when the page opens, whenever `key` changes, and on reload(). While it is read again, what was read
 * last stays.
 *
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} read gets the signal that ends it
 * @param {string} key
 * @returns {{data: T | undefined, problem: any, loading: boolean, reload: () => void}}
 */
export function useLoad(read, key) {
  const none = { data: /** @type {T | undefined} */ (undefined), problem: /** @type {any} */ (null), loading: true };
  const [shown, setShown] = useState({ ...none, key });
  const [turn, setTurn] = useState(0);
  const latest = useRef(read);
  latest.current = read;
  const busy = useRef(false);
  const again = useRef(false);
  useEffect(() => {
    const abort = new AbortController();
    busy.current = true;
    /** @param {any} next */
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
    latest.current(abort.signal).then(
      (data) => done({ data, problem: null, loading: false, key }),
      (problem) => done((/** @type {any} */ old) => ({ ...old, problem, loading: false })),
    );
    return () => abort.abort();
  }, [key, turn]);
  // What is being read is not dropped for a newer answer: where answers are slow, none would ever come.
  const reload = useCallback(() => {
    if (busy.current) {
      again.current = true;
    } else {
      setTurn((t) => t + 1);
    }
  }, []);
  const current = shown.key === key ? shown : none;
  return { data: current.data, problem: current.problem, loading: current.loading, reload };
}

/**
 * What is put off until somebody resumes updates; null: they are not paused.
 *
 * @type {Set<() => void> | null}
 */
let putOff = null;

/**
 * Whether nothing is read again by itself.
 *
 * @param {boolean} on
 */
export function holdStill(on) {
  const due = putOff;
  putOff = on ? (putOff ?? new Set()) : null;
  if (!on) {
    due?.forEach((act) => act());
  }
}

/**
 * Calls something soon after it was asked for, and at most once in so many milliseconds.
 *
 * @param {() => void} action
 * @param {number} ms
 */
export function useThrottled(action, ms) {
  const latest = useRef(action);
  latest.current = action;
  const timer = useRef(0);
  const last = useRef(0);
  const fire = useCallback(() => {
    if (putOff !== null) {
      putOff.add(fire);
      return;
    }
    timer.current = 0;
    last.current = Date.now();
    latest.current();
  }, []);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      putOff?.delete(fire);
    },
    [],
  );
  return useCallback(() => {
    if (timer.current === 0) {
      timer.current = setTimeout(fire, Math.max(200, last.current + ms - Date.now()));
    }
  }, [ms]);
}

/**
 * A value that has not changed for so many milliseconds.
 *
 * @template T
 * @param {T} value
 * @param {number} ms
 */
export function useSettled(value, ms) {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

/**
 * Renders again every so many milliseconds, unless the tab is hidden; null: never.
 *
 * @param {number | null} ms
 */
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

/**
 * Calls something every so many milliseconds while the tab is shown and updates are not paused.
 *
 * @param {number} ms
 * @param {() => void} action
 */
export function useEvery(ms, action) {
  const latest = useRef(action);
  latest.current = action;
  useEffect(() => {
    const timer = setInterval(() => document.hidden || putOff !== null || latest.current(), ms);
    return () => clearInterval(timer);
  }, [ms]);
}

/**
 * Sends a request and keeps what it was refused for, which is thrown on: a form shows it at its fields.
 *
 * @param {() => Promise<any>} send
 * @returns {[any, () => Promise<any>]} what it was refused for the last time, and the request
 */
export function useSending(send) {
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const act = async () => {
    setProblem(null);
    try {
      return await send();
    } catch (e) {
      setProblem(e);
      throw e;
    }
  };
  return [problem, act];
}

/** @param {string} title */
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
