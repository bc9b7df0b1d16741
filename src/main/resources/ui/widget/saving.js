/** Saving a job: the plan before it, a yes, and what to do if somebody else has changed the job meanwhile. */
import { html, useState } from "../core/html.js";
import { call, get, jobPath, post } from "../core/client.js";
import { dropDraft } from "../core/draft.js";
import { Problem } from "../core/problem.js";
import { go, toJob } from "../core/route.js";
import { useLoad } from "../core/use.js";
import { READ_ONLY } from "./definition.js";
import { Confirm, Dialog, note } from "./dialog.js";
import { Loaded } from "./parts.js";
import { PlanOf } from "./plan.js";
import { Changes } from "./versions.js";

/** The definition alone; a pause stays as it is when a job is saved. */
export function definitionOf(job) {
  return Object.fromEntries(Object.entries(job).filter(([name, value]) => !READ_ONLY.includes(name) && value !== null));
}

/** The fields in which a definition is another one than before. */
export function differences(before, definition) {
  return [...new Set([...Object.keys(before), ...Object.keys(definition)])]
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(definition[field]))
    .map((field) => ({ field, before: before[field] ?? null, after: definition[field] ?? null }));
}

/** Their definition, with the fields that I changed as I have them. */
export function merged(before, mine, theirs) {
  return { ...theirs, ...Object.fromEntries(differences(before, mine).map(({ field }) => [field, mine[field]])) };
}

/** Somebody else has changed the job meanwhile. */
function Conflict({ job, mine, onMine, onTheirs, onClose }) {
  const theirs = useLoad((signal) => get(jobPath(job.namespace, job.name), {}, signal), "theirs");
  const before = definitionOf(job);
  const differing = (definition) => differences(before, definition);
  return html`<${Dialog} wide title=${job.namespace + "/" + job.name + " was changed by somebody else"}
    onClose=${onClose}>
    <div class="stack"><p>It was version ${job.version} when you began. Nothing was saved,
      and nothing of yours is lost.</p>
      <${Loaded} from=${theirs}>${(now) => html`<h3>What they changed: version ${now.version}</h3><${Changes}
        fields=${differing(definitionOf(now))} />
        <h3>What you changed</h3><${Changes} fields=${differing(mine)}
          label="What you changed" />
        <div class="actions end"><button onClick=${onClose}>Go on editing</button>
          <button onClick=${() => onTheirs(now)}>Take theirs, drop mine</button>
          <button class="main" onClick=${() => onMine(now, merged(before, mine, definitionOf(now)))}>
            Put my fields into theirs</button></div>`}<//></div><//>`;
}

/** Asks for a plan, and for a yes. Answers what is to be drawn, and a way to begin. */
export function useSaving({ job, definition, zone, draftKey, onProblem, onTheirs, onMerged }) {
  const [plan, setPlan] = useState(null);
  const [conflict, setConflict] = useState(false);
  const begin = async () => {
    onProblem(null);
    try {
      setPlan(await post("/plan", { jobs: [definition] }));
    } catch (e) {
      const errors = (e.errors ?? []).map((error) => ({ ...error, field: error.field.replace(/^jobs\[0]\.?/, "") }));
      onProblem(new Problem(e.status, e.message, errors));
    }
  };
  const save = async () => {
    const { namespace = "default", name } = definition;
    /** @type {Record<string, string>} */
    const headers = job ? { "If-Match": '"' + job.version + '"' } : { "If-None-Match": "*" };
    try {
      return (await call("PUT", jobPath(namespace, name), { body: definition, headers })).data;
    } catch (e) {
      if (e.status !== 412 || !job) {
        throw e.status === 412 ? new Error(namespace + "/" + name + " exists already; choose another name.") : e;
      }
      setConflict(true);
      return null;
    }
  };
  const done = (saved) => {
    if (saved) {
      dropDraft(draftKey);
      note(saved.namespace + "/" + saved.name + " is saved as version " + saved.version + ".");
      go(toJob(saved.namespace, saved.name));
    }
  };
  const drawn = html`${
    plan
    && html`<${Confirm} wide title=${
      (job ? "Save " : "Create ") + (definition.namespace ?? "default") + "/" + definition.name + "?"
    }
      verb=${job ? "Save" : "Create"} act=${save} onDone=${done} onClose=${() => setPlan(null)}><${PlanOf}
        plan=${plan} zone=${definition.zone || zone} /><//>`
  }
    ${
      conflict
      && html`<${Conflict} job=${job} mine=${definition} onClose=${() => setConflict(false)}
      onTheirs=${(now) => {
        setConflict(false);
        onTheirs(now);
      }} onMine=${(now, both) => {
        setConflict(false);
        onMerged(now, both);
      }} />`
    }`;
  return { begin, drawn };
}
