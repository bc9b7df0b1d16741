/** Jobs as they are listed: read page by page, and changed by events where they are. */
import { useCallback, useEffect, useRef, useState } from "../core/html.js";
import { get } from "../core/client.js";

/** So many fill the screen; more come as one scrolls. */
const FIRST = 60;
const PAGE = 200;
/** So many outcomes are shown of each. */
export const RECENT = 10;

/** Events that change a row, and the field that names its job. */
const JOB_OF = { "task.started": "job", "task.ended": "job", "job.changed": "name" };

/** @type {{jobs: any[], done: boolean, read: boolean, problem: any, total?: {count: number, more: boolean}}} */
const NONE = { jobs: [], done: false, read: false, problem: null };

/** Pages of jobs, one after the other; events change rows where they are. */
export function useJobs(filter) {
  const key = JSON.stringify(filter);
  const [shown, setShown] = useState(NONE);
  const busy = useRef(/** @type {AbortController | null} */ (null));
  // Not a state: the list may ask for more before it is drawn with what has arrived, which would come twice.
  const next = useRef(/** @type {string | null} */ (null));
  const fetchPage = useCallback(
    async (cursor, limit) => {
      busy.current?.abort();
      const abort = new AbortController();
      busy.current = abort;
      try {
        const page = await get("/jobs", { ...filter, recent: RECENT, limit, cursor }, abort.signal);
        next.current = page.nextCursor;
        setShown((old) => ({
          jobs: cursor === null ? page.items : [...old.jobs, ...page.items],
          total: page.total,
          done: page.nextCursor === null,
          problem: null,
          read: true,
        }));
      } catch (problem) {
        if (problem.name !== "AbortError") {
          setShown((old) => ({ ...old, problem, read: true }));
        }
      } finally {
        if (busy.current === abort) {
          busy.current = null;
        }
      }
    },
    [key],
  );
  useEffect(() => {
    next.current = null;
    fetchPage(null, FIRST);
    return () => busy.current?.abort();
  }, [fetchPage]);
  const more = useCallback(() => {
    if (busy.current === null && next.current !== null) {
      fetchPage(next.current, PAGE);
    }
  }, [fetchPage]);
  const loaded = Math.min(1000, Math.max(FIRST, shown.jobs.length));
  const again = useCallback(() => fetchPage(null, loaded), [fetchPage, loaded]);
  return { ...shown, more, again, change: (edit) => setShown((old) => ({ ...old, jobs: edit(old.jobs) })) };
}

/**
 * Whether an event changes a row, rather than adding or removing one.
 *
 * @param {{name: string, data?: any}} event
 */
export function isOfRow({ name, data }) {
  return Boolean(data) && !data.deleted && Object.hasOwn(JOB_OF, name);
}

/** The row after something happened to its job; its next fire time is read again with the list. */
function after(job, { name, data }) {
  if (name === "job.changed") {
    return { ...job, ...data, streak: data.streak ?? job.streak, recent: job.recent };
  }
  if (name === "task.started") {
    return { ...job, state: "EXECUTING", lastTask: data, before: job.lastTask };
  }
  const same = job.streak && (job.streak.result === "SUCCEEDED") === (data.outcome === "SUCCEEDED");
  const ran = data.startedAt !== null;
  const recent = [...(job.recent ?? []), data.outcome].slice(-RECENT);
  const state = job.state === "EXECUTING" ? "IDLE" : job.state;
  if (ran && data.outcome === "SKIPPED") {
    const lastTask = job.lastTask?.id === data.id ? (job.before ?? null) : job.lastTask; // it declined
    return { ...job, state, lastTask, recent };
  }
  const streak = {
    count: same ? job.streak.count + 1 : 1,
    result: data.outcome === "SUCCEEDED" ? "SUCCEEDED" : "FAILED",
  };
  return ran ? { ...job, state, lastTask: data, streak, recent } : { ...job, recent };
}

/** A burst of events is worked in at once, in the order in which they came. */
export function afterAll(jobs, events) {
  const ofJob = new Map();
  for (const event of events) {
    const key = event.data.namespace + "/" + event.data[JOB_OF[event.name]];
    ofJob.set(key, [...(ofJob.get(key) ?? []), event]);
  }
  return jobs.map((job) => (ofJob.get(job.namespace + "/" + job.name) ?? []).reduce(after, job));
}
