/** What pages share: reading something and keeping it fresh. */
import { useCallback, useEffect, useRef, useState } from "./html.js";

/**
 * Reads something when the page opens, whenever `key` changes, and on reload(). While it is read again, what was read
 * last stays. Answers {data, problem, loading, reload}.
 *
 * @param read gets the signal that ends it
 */
export function useLoad(read, key) {
  const [shown, setShown] = useState({ data: undefined, problem: null, loading: true, key });
  const [turn, setTurn] = useState(0);
  const latest = useRef(read);
  latest.current = read;
  const busy = useRef(false);
  const again = useRef(false);
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
    latest.current(abort.signal).then(
      (data) => done({ data, problem: null, loading: false, key }),
      (problem) => done((old) => ({ ...old, problem, loading: false })),
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
  const current = shown.key === key ? shown : { data: undefined, problem: null, loading: true };
  return { data: current.data, problem: current.problem, loading: current.loading, reload };
}

/** Calls something soon after it was asked for, and at most once in so many milliseconds. */
export function useThrottled(action, ms) {
  const latest = useRef(action);
  latest.current = action;
  const timer = useRef(0);
  const last = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    if (timer.current === 0) {
      timer.current = setTimeout(
        () => {
          timer.current = 0;
          last.current = Date.now();
          latest.current();
        },
        Math.max(200, last.current + ms - Date.now()),
      );
    }
  }, [ms]);
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
