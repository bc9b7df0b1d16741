/** Alerts: what fires now, what was raised, what is silenced, and the rules and channels. */
import { html, useState } from "../core/html.js";
import { get, may } from "../core/client.js";
import { useEvents } from "../core/live.js";
import { link } from "../core/route.js";
import { useEvery, useLoad, useThrottled, useTitle } from "../core/use.js";
import { AlertRows } from "../widget/alert.js";
import { Rules } from "../widget/alertrules.js";
import { Channels } from "../widget/channels.js";
import { asked, Filters } from "../widget/filters.js";
import { More, usePages } from "../widget/pages.js";
import { Empty, Loaded, Loading, Panel, Title, Trouble } from "../widget/parts.js";
import { NewSilence, silenceOf, Silences } from "../widget/silences.js";

const TABS = [
  ["", "Now"],
  ["raised", "What was raised"],
  ["rules", "Rules and channels"],
];
const FIELDS = [
  { name: "state", label: "State", options: ["OPEN", "CLOSED", "WAITING", "SENT", "SILENCED", "GIVEN_UP"] },
  { name: "rule", label: "Rule" },
  { name: "namespace", label: "Namespace" },
  { name: "job", label: "Job" },
];
const SHOWN = 100;
const AGAIN_MS = 30000;

function Now() {
  const open = useLoad((signal) => get("/alerts", { state: "OPEN", limit: SHOWN }, signal), "open");
  const silences = useLoad(async (signal) => (await get("/silences", { limit: SHOWN }, signal)).items, "silences");
  const [making, setMaking] = useState(null);
  const again = () => {
    open.reload();
    silences.reload();
  };
  const soon = useThrottled(open.reload, AGAIN_MS / 2);
  useEvents(
    {},
    (event) =>
      (event.name === "gap"
        || event.name.startsWith("node.")
        || (event.name === "task.ended" && event.data.outcome !== "SKIPPED"))
      && soon(),
  );
  useEvery(AGAIN_MS, open.reload);
  return html`<${Panel} title="Open" flush><${Loaded} from=${open}>${({ items, nextCursor }) =>
    items.length === 0 && !nextCursor
      ? html`<${Empty} title="Nothing is wrong that a rule is about">What was raised before is under${" "}<a
        href=${link(["alerts"], { tab: "raised" })}>What was raised</a>.<//>`
      : html`<${AlertRows} alerts=${items} label="Open alerts" silence=${
          may("operator") ? (alert) => setMaking(silenceOf(alert)) : null
        } />
        ${
          nextCursor
          && html`<p class="list-foot">These are the newest ${SHOWN}. <a href=${link(["alerts"], {
            tab: "raised",
            state: "OPEN",
          })}>All that are open</a></p>`
        }`}<//><//>
    <${Silences} from=${silences} onNew=${() => setMaking(undefined)} />
    ${making !== null && html`<${NewSilence} begin=${making} onClose=${() => setMaking(null)} onDone=${again} />`}`;
}

function Raised({ query }) {
  const pages = usePages("/alerts", asked(query, FIELDS), SHOWN);
  const none = !pages.loading && !pages.problem && pages.rows.length === 0;
  return html`<${Filters} fields=${FIELDS} query=${query} problem=${pages.problem} label="Alerts"
      keep=${{ tab: "raised" }} />
    <${Trouble} problem=${pages.problem} again=${pages.again} />
    <section class="panel flush" aria-label="Alerts found">
      ${pages.loading && pages.rows.length === 0 && html`<${Loading} />`}
      ${
        none
        && html`<${Empty} title="Nothing like that was raised">Alerts that are over are kept as long as
        history.<//>`
      }
      ${
        pages.rows.length > 0
        && html`<${AlertRows} alerts=${pages.rows} label="Alerts raised" silence=${null} />
        <${More} of=${pages} />`
      }
    </section>`;
}

function RulesAndChannels() {
  const rules = useLoad(async (signal) => (await get("/alerts/rules", { limit: 500 }, signal)).items, "rules");
  const channels = useLoad(async (signal) => (await get("/alerts/channels", { limit: 500 }, signal)).items, "channels");
  return html`<${Rules} from=${rules} channels=${(channels.data ?? []).map((channel) => channel.name)} />
    <${Channels} from=${channels} />`;
}

export default function Alerts({ query }) {
  useTitle("Alerts");
  const tab = query.get("tab") ?? "";
  return html`<div class="head"><${Title}>Alerts<//></div>
    <nav class="tabs" aria-label="About alerts">${TABS.map(
      ([path, said]) => html`<a key=${path}
      href=${link(["alerts"], { tab: path })} aria-current=${tab === path ? "page" : undefined}>${said}</a>`,
    )}</nav>
    ${tab === "" && html`<${Now} />`}
    ${tab === "raised" && html`<${Raised} query=${query} />`}
    ${tab === "rules" && html`<${RulesAndChannels} />`}`;
}
