/** All jobs: found by chips that are kept in the address, and paused, resumed or run together. */
import { html, useEffect, useRef, useState } from "../core/html.js";
import { may } from "../core/client.js";
import { useEvents } from "../core/live.js";
import { link, requery } from "../core/route.js";
import { useSettled, useThrottled, useTitle } from "../core/use.js";
import { BulkBar } from "../widget/bulk.js";
import { afterAll, isOfRow, useJobs } from "../widget/joblist.js";
import { Head, Row } from "../widget/jobrow.js";
import { LongList } from "../widget/list.js";
import { Empty, Loading, Title, Trouble } from "../widget/parts.js";
import { SearchBox } from "../widget/search.js";

const AGAIN_MS = 20000;

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
  const heard = useRef(/** @type {{name: string, data?: any}[]} */ ([]));
  const draw = useThrottled(() => {
    const events = heard.current.splice(0);
    list.change((jobs) => afterAll(jobs, events));
  }, 300);
  useEvents({}, (event) => {
    if (isOfRow(event)) {
      heard.current.push(event);
      draw();
    }
    soon();
  });
  const pick = (key) =>
    setPicked((old) => {
      const next = new Set(old);
      if (!next.delete(key)) {
        next.add(key);
      }
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
