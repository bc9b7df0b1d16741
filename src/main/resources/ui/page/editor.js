/** Making or changing a job: what it means while it is typed, the plan before it is saved, and nothing that is lost. */
import { html, useEffect, useMemo, useState } from "../core/html.js";
import { get, jobPath, may, post } from "../core/client.js";
import { draftOf, dropDraft, keepDraft } from "../core/draft.js";
import { link, toJob } from "../core/route.js";
import { useLoad, useSettled, useTitle } from "../core/use.js";
import { FireTimes } from "../widget/fires.js";
import { JobForm } from "../widget/jobform.js";
import { Loaded, Panel, Title, Trouble } from "../widget/parts.js";
import { definitionOf, useSaving } from "../widget/saving.js";
import { toRows } from "../widget/schedule.js";
import { YamlView } from "../widget/yamlview.js";

const FRESH = { namespace: "default", name: "", schedule: "", command: "" };

/** What shapes fire times beside the schedule. */
const SHAPES = ["zone", "daylightSaving", "calendar", "onClosed"];

/** What a schedule means, and its fire times, while it is typed. */
function usePreview(definition) {
  const { schedule = "" } = definition;
  const said = SHAPES.filter((field) => definition[field]).map((field) => [field, definition[field]]);
  const asked = useSettled(JSON.stringify({ schedule, ...Object.fromEntries(said), count: 10 }), 250);
  return useLoad(async () => {
    const body = JSON.parse(asked);
    return toRows(body.schedule).trim() === "" ? null : post("/schedules/preview", body);
  }, asked);
}

function When({ preview }) {
  const unclear = preview.problem?.status === 422;
  return html`<${Panel} title="What this means"><div class="stack" aria-live="polite">
    ${
      preview.problem
      && html`<p class=${unclear ? "error" : "muted"}>${
        unclear ? preview.problem.errors.map((e) => e.field + " " + e.message).join("; ") : preview.problem.message
      }</p>`
    }
    ${
      !preview.problem
      && preview.data === null
      && html`<p class="muted">Type a schedule
      to see when it runs.</p>`
    }
    ${
      !preview.problem
      && preview.data
      && html`<p class="sentence">${preview.data.description}</p>
      ${preview.data.warnings.map((text) => html`<p key=${text}>${text}</p>`)}<${FireTimes} preview=${preview.data} />`
    }
  </div><//>`;
}

function Editing({ job, onBase }) {
  const draftKey = job ? job.namespace + "/" + job.name : "new";
  const fresh = useMemo(() => (job ? definitionOf(job) : FRESH), [job]);
  const draft = useMemo(() => draftOf(draftKey), [draftKey]);
  const [definition, setDefinition] = useState(draft?.definition ?? fresh);
  const [fromDraft, setFromDraft] = useState(draft !== null);
  const [text, setText] = useState(draft?.text ?? null);
  const [asYaml, setAsYaml] = useState(text !== null);
  const [wrong, setWrong] = useState(null);
  const [problem, setProblem] = useState(null);
  const preview = usePreview(definition);
  const stats = useLoad(
    async (signal) => (job ? get(jobPath(job.namespace, job.name, "/stats"), { days: 14 }, signal) : null),
    draftKey,
  );
  const change = (next) => {
    setDefinition(next);
    keepDraft(draftKey, job?.version ?? null, next);
  };
  const changeText = ({ text: typed, wrong: why, definition: next = definition }) => {
    setText(typed);
    setWrong(why);
    setDefinition(next);
    keepDraft(draftKey, job?.version ?? null, next, typed);
  };
  const asForm = () => {
    setText(null);
    setAsYaml(false);
    change(definition);
  };
  const reset = (to) => {
    dropDraft(draftKey);
    setFromDraft(false);
    setText(null);
    setWrong(null);
    setDefinition(to);
  };
  const saving = useSaving({
    job,
    definition,
    zone: preview.data?.zone ?? "UTC",
    draftKey,
    onProblem: setProblem,
    onTheirs: (now) => {
      onBase(now);
      reset(definitionOf(now));
    },
    onMerged: (now, merged) => {
      onBase(now);
      setText(null);
      change(merged);
    },
  });
  const begin = (event) => {
    event.preventDefault();
    if (wrong === null) {
      saving.begin();
    } else {
      document.getElementById("yaml")?.focus();
    }
  };
  useEffect(() => {
    const keyed = (e) => {
      if ((e.ctrlKey || e.metaKey) && e.key === "s") {
        e.preventDefault();
        /** @type {HTMLFormElement | null} */ (document.getElementById("job-form"))?.requestSubmit();
      }
    };
    addEventListener("keydown", keyed);
    return () => removeEventListener("keydown", keyed);
  }, []);
  const of = {
    definition,
    change,
    problem,
    isNew: !job,
    usual: stats.data?.now?.durationMs.p95,
    fireTimes: preview.data?.fireTimes ?? [],
    zone: preview.data?.zone ?? "UTC",
  };
  const shown = job && fromDraft && draft.version !== job.version;
  return html`<div class="head"><${Title}>${
    job ? html`Edit <span class="ns">${job.namespace}/</span>${job.name}` : "New job"
  }<//>
      <div class="actions"><button type="button" disabled=${wrong !== null} title=${
        wrong ? "The form cannot show it before it is YAML" : undefined
      } onClick=${asYaml ? asForm : () => setAsYaml(true)}>${asYaml ? "As a form" : "As YAML"}</button>
        <a class="button" href=${job ? toJob(job.namespace, job.name) : link(["jobs"])}>Cancel</a>
        <button class="main" type="submit" form="job-form" title="Ctrl+S">Review and save …</button></div></div>
    ${
      fromDraft
      && html`<div class="banner-line" role="status">This is what you typed before and did not save.
      ${shown && " The job has changed since."} <button class="link" onClick=${() => reset(fresh)}>Discard it</button>
        </div>`
    }
    <${Trouble} problem=${problem} />
    <div class="columns editor"><form id="job-form" class="stack" onSubmit=${begin}>
        ${
          asYaml
            ? html`<${YamlView} definition=${definition} text=${text} wrong=${wrong} onChange=${changeText} />`
            : html`<${JobForm} of=${of} />`
        }</form>
      <div class="beside"><${When} preview=${preview} /></div></div>
    ${saving.drawn}`;
}

export default function Editor({ parts }) {
  const [kind, namespace, name] = parts;
  const isNew = kind === "new";
  useTitle(isNew ? "New job" : "Edit " + namespace + "/" + name);
  const [base, setBase] = useState(null);
  const job = useLoad(async (signal) => (isNew ? null : get(jobPath(namespace, name), {}, signal)), parts.join("/"));
  if (!may("editor")) {
    return html`<${Trouble} problem=${new Error("You may look at jobs, but changing them needs the role editor.")} />`;
  }
  return html`<${Loaded} from=${job}>${(found) => html`<${Editing} job=${base ?? found} onBase=${setBase} />`}<//>`;
}
