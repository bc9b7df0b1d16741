/** What pages share: reading something and keeping it fresh. */
import { sharedAge } from "./client.js";
import { useCallback, useEffect, useRef, useState } from "./html.js";

/**
 * Reads something when the page opens, whenever `key` changes, and on reload(), or refresh() where it may be shared.
 * While it is read again, what was read last stays. Answers {data, problem, loading, reload, refresh}; refresh() takes
 * how old the answer may be.
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
  const wanted = useRef(0);
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
    const age = readKey.current === key ? wanted.current : 0;
    wanted.current = Infinity;
    readKey.current = key;
    latest.current(abort.signal, age).then(
      (data) => done({ data, problem: null, loading: false, key }),
      (problem) => done((old) => ({ ...old, problem, loading: false })),
    );
    return () => abort.abort();
  }, [key, turn]);
  // What is being read is not dropped for a newer answer: where answers are slow, none would ever come.
  const refresh = useCallback((age = sharedAge()) => {
    wanted.current = Math.min(wanted.current, age);
    if (busy.current) {
      again.current = true;
    } else {
      setTurn((t) => t + 1);
    }
  }, []);
  const reload = useCallback(() => refresh(0), []);
  const current = shown.key === key ? shown : { data: undefined, problem: null, loading: true };
  return { data: current.data, problem: current.problem, loading: current.loading, reload, refresh };
}

/**
 * Calls something soon after it was asked for, and at most once in so many milliseconds.
 *
 * @param shared action() reads what many pages read, and takes how old it may be, in seconds. It is called at the pace
 *   that the node says, and once more after that, as the first time may have got an answer from before what happened
 */
export function useThrottled(action, ms, shared = false) {
  const latest = useRef(action);
  latest.current = action;
  const timer = useRef(0);
  const last = useRef(0);
  const asked = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    const start = (since) => {
      // The pause is longer than the answer may be old.
      const age = sharedAge();
      const pause = shared ? Math.max(ms, (age + 1) * 1000) : ms;
      timer.current = setTimeout(() => run(age), Math.max(200, since + pause - Date.now()));
    };
    const run = (age) => {
      timer.current = 0;
      last.current = Date.now();
      if (shared && asked.current) {
        start(last.current);
      }
      asked.current = false;
      latest.current(age);
    };
    asked.current = true;
    if (timer.current === 0) {
      start(last.current);
    }
  }, [ms, shared]);
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
