/** All jobs: found by chips that are kept in the address, and paused, resumed or run together. */
import { html, useCallback, useEffect, useRef, useState } from "../core/html.js";
import { get, may } from "../core/client.js";
import { useEvents } from "../core/live.js";
import { link, requery } from "../core/route.js";
import { useSettled, useThrottled, useTitle } from "../core/use.js";
import { BulkBar } from "../widget/bulk.js";
import { LongList } from "../widget/list.js";
import { Empty, JobLink, Loading, Mark, Next, taskMark, Title, Trouble, When } from "../widget/parts.js";
import { SearchBox } from "../widget/search.js";
import { Outcomes } from "../widget/strip.js";

/** So many fill the screen; more come as one scrolls. */
const FIRST = 60;
const PAGE = 200;
const RECENT = 10;
const AGAIN_MS = 20000;
/** Holds that end only when somebody does something. */
const STUCK = ["NODE", "ERROR"];
const SORTS = [
  ["name", "Job"],
  ["next", "Next"],
  ["outcome", "Last run"],
];

/** Events that change a row, and the field that names its job. */
const JOB_OF = { "task.started": "job", "task.ended": "job", "job.changed": "name" };

/** What the address asks for, as the API takes it. */
function asked(query) {
  return {
    q: query.get("q") ?? "",
    namespace: query.get("namespace") ?? "",
    state: query.get("state") ?? "",
    label: query.getAll("label"),
    sort: query.get("sort") ?? "",
  };
}

/** Pages of jobs, one after the other; events change rows where they are. */
function useJobs(filter) {
  const key = JSON.stringify(filter);
  const [shown, setShown] = useState({ jobs: [], done: false, problem: null });
  const busy = useRef(null);
  // Not a state: the list may ask for more before it is drawn with what has arrived, which would come twice.
  const next = useRef(null);
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

/** The row after something happened to its job; its next fire time is read again with the list. */
function after(job, { name, data }) {
  if (name === "job.changed") {
    return { ...job, ...data, streak: data.streak ?? job.streak, recent: job.recent };
  }
  if (name === "task.started") {
    return { ...job, state: "EXECUTING", lastTask: data };
  }
  const same = job.streak && (job.streak.result === "SUCCEEDED") === (data.outcome === "SUCCEEDED");
  const ran = data.startedAt !== null;
  const recent = [...(job.recent ?? []), data.outcome].slice(-RECENT);
  const streak = {
    count: same ? job.streak.count + 1 : 1,
    result: data.outcome === "SUCCEEDED" ? "SUCCEEDED" : "FAILED",
  };
  return ran
    ? { ...job, state: job.state === "EXECUTING" ? "IDLE" : job.state, lastTask: data, streak, recent }
    : { ...job, recent };
}

/** A burst of events is worked in at once, in the order in which they came. */
function afterAll(jobs, events) {
  const ofJob = new Map();
  for (const event of events) {
    const key = event.data.namespace + "/" + event.data[JOB_OF[event.name]];
    ofJob.set(key, [...(ofJob.get(key) ?? []), event]);
  }
  return jobs.map((job) => (ofJob.get(job.namespace + "/" + job.name) ?? []).reduce(after, job));
}

function Row({ job, at, style, picked, onPick }) {
  const key = job.namespace + "/" + job.name;
  const last = job.lastTask;
  return html`<div class="list-row" role="row" aria-rowindex=${at + 1} style=${style}>
    <span role="cell" class="pick">${
      may("operator")
      && html`<input type="checkbox" aria-label=${"Select " + key}
      checked=${picked} onChange=${() => onPick(key)} />`
    }</span>
    <span role="cell" class="who"><${JobLink} namespace=${job.namespace} name=${job.name} />
      ${
        (job.state === "PAUSED" || job.state === "ENDED" || job.state === "EXECUTING")
        && html`<${Mark}
        what=${job.state} />`
      }
      ${
        job.hold
        && html`<span title=${job.hold.reason}><${Mark}
        what=${STUCK.includes(job.hold.kind) ? "STUCK" : "HELD"} /></span>`
      }</span>
    <span role="cell" class="when mono" title=${job.schedule + " " + (job.zone ?? "")}>${job.schedule}
      <span class="muted"> ${job.zone === "UTC" ? "" : job.zone}</span></span>
    <span role="cell" class="next">${
      job.hold?.kind === "NODE"
        ? html`<span title=${job.hold.reason}>waits for a node${job.nodes ? " that matches " + job.nodes : ""}</span>`
        : html`<${Next} at=${job.nextFireTime} />`
    }</span>
    <span role="cell" class="last">${
      last
        ? html`<a href=${link(["tasks", String(last.id)])} title=${last.reason ?? ""}><${Mark}
        what=${taskMark(last)} bare /></a> 
        <span class="muted"> <${When} at=${last.endedAt ?? last.startedAt} /></span>`
        : html`<span class="muted">never ran</span>`
    }</span>
    <span role="cell" class="row-streak"><${Outcomes} of=${job.recent ?? []} />${
      job.streak
      && html` <span
      class="muted">${job.streak.count}× ${job.streak.result === "SUCCEEDED" ? "good" : "failed"}</span>`
    }</span>
  </div>`;
}

function Head({ filter, all, onAll }) {
  const sort = filter.sort || "name";
  const by = (name, said) => html`<span role="columnheader" aria-sort=${sort === name ? "ascending" : undefined}>
    <a href=${link(["jobs"], { ...filter, sort: name })} aria-current=${sort === name ? "true" : undefined}>${said}
      ${sort === name && " ↓"}</a></span>`;
  return html`<div role="rowgroup"><div class="list-head" role="row">
    <span role="columnheader">${
      may("operator")
        ? html`<input type="checkbox" aria-label="Select all that are loaded"
      checked=${all} onChange=${onAll} />`
        : html`<span class="unseen">Selected</span>`
    }</span>
    ${by(...SORTS[0])}<span role="columnheader">Schedule</span>${by(...SORTS[1])}${by(...SORTS[2])}
    <span role="columnheader">Last ${RECENT}, streak</span>
  </div></div>`;
}

function Nothing({ filter }) {
  const searched = filter.q || filter.namespace || filter.state || filter.label.length > 0;
  return searched
    ? html`<${Empty} title="No job matches">Remove a chip, or <a href=${link(["jobs"])}>show all jobs</a>.<//>`
    : html`<${Empty} title="There is no job yet" command=${
        "curl -sS "
        + location.origin
        + "/api/v1/jobs"
        + " \\\n  -H \"Authorization: Bearer $ROWLOCK_TOKEN\" -H 'Content-Type: application/json' \\\n"
        + '  -d \'{"name": "hello", "schedule": "* * * * *", "command": "date"}\''
      }>
      ${
        may("editor")
          ? html`<a href="#/new">Create one here</a>, or paste this into a terminal:`
          : "Somebody with the role editor can create one:"
      }<//>`;
}

export default function Jobs({ query }) {
  useTitle("Jobs");
  const [typed, setTyped] = useState(asked(query));
  const inAddress = JSON.stringify(asked(query));
  const put = useRef(inAddress);
  useEffect(() => {
    if (inAddress !== put.current) {
      // else more may have been typed since it was put there
      put.current = inAddress;
      setTyped(JSON.parse(inAddress));
    }
  }, [inAddress]);
  const filter = useSettled(typed, 30);
  useEffect(() => {
    if (JSON.stringify(filter) !== inAddress) {
      put.current = JSON.stringify(filter);
      requery(filter);
    }
  }, [JSON.stringify(filter)]);
  const list = useJobs(filter);
  const [picked, setPicked] = useState(() => new Set());
  const soon = useThrottled(list.again, AGAIN_MS);
  const heard = useRef([]);
  const draw = useThrottled(() => {
    const events = heard.current.splice(0);
    list.change((jobs) => afterAll(jobs, events));
  }, 300);
  useEvents({}, (event) => {
    if (event.data && !event.data.deleted && event.name in JOB_OF) {
      heard.current.push(event);
      draw();
    }
    soon();
  });
  const pick = (key) =>
    setPicked((old) => {
      const next = new Set(old);
      next.delete(key) || next.add(key);
      return next;
    });
  const chosen = list.jobs.filter((job) => picked.has(job.namespace + "/" + job.name));
  const all = list.jobs.length > 0 && chosen.length === list.jobs.length;
  const pickAll = () => setPicked(all ? new Set() : new Set(list.jobs.map((job) => job.namespace + "/" + job.name)));
  return html`<div class="head"><${Title}>Jobs<//>
      <div class="actions">${may("editor") && html`<a class="button main" href="#/new">New job</a>`}</div></div>
    <${SearchBox} filter=${typed} onChange=${setTyped} />
    <${Trouble} problem=${list.problem} again=${list.again} />
    <section class="panel flush" aria-label="Jobs found">
      ${
        chosen.length > 0
        && html`<${BulkBar} jobs=${chosen} filter=${all && !list.done ? filter : null}
        onDone=${() => {
          setPicked(new Set());
          list.again();
        }} />`
      }
      ${!list.read && html`<${Loading} />`}
      ${list.read && !list.problem && list.jobs.length === 0 && html`<${Nothing} filter=${filter} />`}
      ${
        list.jobs.length > 0
        && html`<${LongList} items=${list.jobs} label="Jobs" columns=${6} onEnd=${list.more}
        head=${html`<${Head} filter=${filter} all=${all} onAll=${pickAll} />`}
        row=${(job, at, style) => html`<${Row} key=${job.namespace + "/" + job.name} job=${job} at=${at} style=${style}
          picked=${picked.has(job.namespace + "/" + job.name)} onPick=${pick} />`} />
        <p class="list-foot" role="status">${list.jobs.length.toLocaleString("en")} ${
          list.done || !list.total
            ? ""
            : "of " + list.total.count.toLocaleString("en") + (list.total.more ? "+" : "") + " "
        }${list.jobs.length === 1 ? "job" : "jobs"}${list.done ? "" : "; more come as you scroll"}</p>`
      }
    </section>`;
}
