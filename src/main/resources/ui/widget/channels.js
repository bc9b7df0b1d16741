/** Channels: where messages go; made, tried, changed and deleted by administrators. */
import { html, useState } from "../core/html.js";
import { call, IF_NEW, may, post, seesAll } from "../core/client.js";
import { useSending } from "../core/use.js";
import { Confirm, Field, note } from "./dialog.js";
import { Empty, Loaded, Mark, Panel, When, Wide } from "./parts.js";

const TYPES = {
  webhook: ["URL", "Gets JSON as Standard Webhooks has it."],
  slack: ["URL", "An incoming webhook of Slack, Mattermost or Rocket.Chat."],
  email: ["Addresses", "Separated by commas. Needs smtp.host on a node."],
  command: ["Name of the command", "One of alerts.commands in the configuration of the nodes."],
};

function path(name, rest = "") {
  return "/alerts/channels/" + encodeURIComponent(name) + rest;
}

function Change({ channel, onClose, onDone }) {
  const hidden = channel?.destination.endsWith("/***");
  const [name, setName] = useState(channel?.name ?? "");
  const [type, setType] = useState(channel?.type ?? "webhook");
  const [destination, setDestination] = useState(hidden ? "" : (channel?.destination ?? ""));
  const [description, setDescription] = useState(channel?.description ?? "");
  const [secrets, setSecrets] = useState("");
  const [unsigned, setUnsigned] = useState(false);
  const given = secrets.split(/\s+/).filter((one) => one !== "");
  const body = {
    type,
    destination,
    description,
    ...(unsigned ? { secrets: [] } : given.length > 0 ? { secrets: given } : {}),
  };
  const [problem, act] = useSending(() => call("PUT", path(name), { body, headers: channel ? {} : IF_NEW }));
  const [where, hint] = TYPES[type];
  return html`<${Confirm} title=${channel ? "Change channel " + channel.name : "New channel"} verb=${
    channel ? "Change" : "Create"
  } act=${act} cannot=${name === "" || destination === ""} onClose=${onClose}
      onDone=${() => {
        note("Channel " + name + " is saved. Try it: send a test message.");
        onDone();
      }}>
    ${
      !channel
      && html`<${Field} id="channel-name" label="Name"><input id="channel-name" required value=${name}
      onInput=${(e) => setName(e.target.value)} /><//>`
    }
    <${Field} id="channel-type" label="Type"><select id="channel-type" value=${type}
      onChange=${(e) => setType(e.target.value)}>${Object.keys(TYPES).map(
        (one) => html`<option key=${one}
        value=${one}>${one}</option>`,
      )}</select><//>
    <${Field} id="channel-where" label=${where} wrong=${problem?.of?.("destination")} hint=${
      hint + (hidden ? " What is stored is not shown: enter all of it again, also to change something else." : "")
    }>
      <input id="channel-where" required value=${destination} autocomplete="off" spellcheck="false"
        placeholder=${hidden ? channel.destination : ""} aria-describedby="channel-where-hint"
        onInput=${(e) => setDestination(e.target.value)} /><//>
    ${
      type === "webhook"
      && html`<${Field} id="channel-secrets" label="Signing secrets"
      wrong=${problem?.of?.("secrets")} hint=${
        "whsec_ and base64, one per line."
        + (channel?.signed ? " Empty: those that are stored." : " Empty: messages are not signed.")
      }>
      <textarea id="channel-secrets" class="masked" rows="2" autocomplete="off" spellcheck="false" value=${secrets}
        aria-describedby="channel-secrets-hint" onInput=${(e) => setSecrets(e.target.value)}></textarea><//>
      ${
        channel?.signed
        && html`<label class="check"><input type="checkbox" checked=${unsigned}
        onChange=${(e) => setUnsigned(e.target.checked)} />Remove those that are stored</label>`
      }`
    }
    <${Field} id="channel-about" label="Description"><input id="channel-about" value=${description}
      onInput=${(e) => setDescription(e.target.value)} /><//><//>`;
}

function Remove({ channel, onClose, onDone }) {
  return html`<${Confirm} title=${"Delete channel " + channel.name + "?"} verb=${"Delete " + channel.name} danger
    act=${() => call("DELETE", path(channel.name))} onClose=${onClose}
    onDone=${() => {
      note("Channel " + channel.name + " is deleted.");
      onDone();
    }}>
    <p>That is possible once no rule uses it.</p><//>`;
}

function Test({ channel, onClose }) {
  const act = async () => {
    const { sent, problem } = await post(path(channel.name, "/test"));
    if (!sent) {
      throw new Error("It was not taken: " + problem);
    }
  };
  return html`<${Confirm} title=${"Send a test message to " + channel.name + "?"} verb="Send it" act=${act}
    onClose=${onClose} onDone=${() => note("Channel " + channel.name + " took the test message.")}>
    <p>It goes to ${channel.destination} now.</p><//>`;
}

function Row({ channel, changes, onOpen }) {
  const act = (what, said) => html`<button class="link" aria-label=${said + " channel " + channel.name}
    onClick=${() => onOpen({ what, channel })}>${said.toLowerCase()}</button>`;
  return html`<tr><td class="wrap">${channel.name}${
    channel.description
    && html`<br /><span
    class="small muted">${channel.description}</span>`
  }</td><td>${channel.type}</td>
    <td class="wrap mono">${channel.destination}</td>
    <td>${
      channel.type === "webhook"
      && html`<${Mark} bare what=${channel.signed ? "SUCCEEDED" : "ENDED"}
      word=${channel.signed ? "signed" : "not signed"} />`
    }</td>
    <td><${When} at=${channel.updatedAt} /></td>
    ${
      changes
      && html`<td><span class="actions">${act("test", "Test")}${act("change", "Change")}${act(
        "remove",
        "Delete",
      )}</span></td>`
    }</tr>`;
}

export function Channels({ from }) {
  const [open, setOpen] = useState(null);
  const close = () => setOpen(null);
  const changes = may("admin") && seesAll();
  return html`<${Panel} title="Channels" flush actions=${
    changes
    && html`<button
    onClick=${() => setOpen({ what: "change" })}>New channel …</button>`
  }>
    <${Loaded} from=${from}>${(all) =>
      all.length === 0
        ? html`<${Empty} title="There is no channel">Messages go to webhooks, chat, e-mail or a command of yours.${
            changes ? " Make a channel, then a rule that uses it." : " An administrator can make one."
          }<//>`
        : html`<${Wide} label="All channels"><table><thead><tr><th>Channel</th><th>Type</th><th>Goes to</th>
        <th>Signed</th><th>Changed</th>${changes && html`<th><span class="unseen">Actions</span></th>`}</tr></thead>
      <tbody>${all.map(
        (channel) => html`<${Row} key=${channel.name} channel=${channel} changes=${changes}
        onOpen=${setOpen} />`,
      )}</tbody></table><//>`}<//>
    ${open?.what === "change" && html`<${Change} channel=${open.channel} onClose=${close} onDone=${from.reload} />`}
    ${open?.what === "remove" && html`<${Remove} channel=${open.channel} onClose=${close} onDone=${from.reload} />`}
    ${open?.what === "test" && html`<${Test} channel=${open.channel} onClose=${close} />`}<//>`;
}
