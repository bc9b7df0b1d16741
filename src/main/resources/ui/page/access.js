/** Tokens and secrets: made, rotated and revoked. A token is shown once; a secret never. */
import { html, useState } from "../core/html.js";
import { call, get, IF_NEW, may, post, seesAll } from "../core/client.js";
import { link } from "../core/route.js";
import { useLoad, useTitle } from "../core/use.js";
import { Confirm, Dialog, Field, note } from "../widget/dialog.js";
import { Empty, Loaded, Panel, Title, When, Wide } from "../widget/parts.js";

const ROLES = {
  viewer: "sees jobs, tasks and their output",
  operator: "also runs, pauses, kills and drains",
  editor: "also defines jobs, and so which commands run",
  admin: "also makes tokens and reads the audit",
};

function Shown({ token, onClose }) {
  return html`<${Dialog} title=${"The token " + token.name} onClose=${onClose}><div class="stack">
    <p>It is shown this once. Keep it where passwords are kept.</p>
    <pre class="code" role="region" tabindex="0" aria-label="The token">${token.token}</pre>
    <div class="actions end"><button class="main" onClick=${onClose}>I have it</button></div></div><//>`;
}

function Make({ onClose, onDone }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState("viewer");
  const [namespaces, setNamespaces] = useState("");
  const [expiresIn, setExpiresIn] = useState("90d");
  const limit = namespaces.split(/[\s,]+/).filter((one) => one !== "");
  const body = { name, role, ...(limit.length > 0 ? { namespaces: limit } : {}), ...(expiresIn ? { expiresIn } : {}) };
  return html`<${Confirm} title="New token" verb="Make it" act=${() => post("/tokens", body)} cannot=${name === ""}
    onDone=${onDone} onClose=${onClose}>
    <${Field} id="token-name" label="Name" hint="Who or what uses it. The audit names it."><input
      id="token-name" required value=${name}
      aria-describedby="token-name-hint" onInput=${(e) => setName(e.target.value)} /><//>
    <${Field} id="token-role" label="Role" hint=${ROLES[role]}><select id="token-role" value=${role}
      aria-describedby="token-role-hint" onChange=${(e) => setRole(e.target.value)}>
      ${Object.keys(ROLES).map((one) => html`<option key=${one} value=${one}>${one}</option>`)}</select><//>
    <${Field} id="token-namespaces" label="Namespaces" hint="Separated by commas; empty: all."><input
      id="token-namespaces" value=${namespaces}
      aria-describedby="token-namespaces-hint" onInput=${(e) => setNamespaces(e.target.value)} /><//>
    <${Field} id="token-expires" label="Expires in" hint="Such as 90d; empty: never."><input id="token-expires"
      value=${expiresIn}
      aria-describedby="token-expires-hint" onInput=${(e) => setExpiresIn(e.target.value)} /><//><//>`;
}

function Rotate({ token, onClose, onDone }) {
  const [overlap, setOverlap] = useState("1d");
  return html`<${Confirm} title=${"Rotate token " + token.name + "?"} verb="Rotate" act=${() =>
    post("/tokens/" + encodeURIComponent(token.name) + "/rotate", { overlap })}
      onDone=${onDone} onClose=${onClose}><p>Another token takes its place. The one before works for a while,
        so that whoever uses it can be told.</p>
    <${Field} id="overlap" label="The one before works for"><input id="overlap" value=${overlap}
      onInput=${(e) => setOverlap(e.target.value)} /><//><//>`;
}

function Revoke({ token, onClose, onDone }) {
  return html`<${Confirm} title=${"Revoke token " + token.name + "?"} verb=${"Revoke " + token.name} danger
    onClose=${onClose}
    act=${() => call("DELETE", "/tokens/" + encodeURIComponent(token.name))} onDone=${() => {
      note("Token " + token.name + " is revoked.");
      onDone();
    }}>
    <p>It stops working at once here, and within five seconds on all other nodes. Sign-ins with it end, too.</p><//>`;
}

function Tokens() {
  const tokens = useLoad(async (signal) => (await get("/tokens", { limit: 1000 }, signal)).items, "tokens");
  const [open, setOpen] = useState(null);
  const close = () => setOpen(null);
  const shown = (token) => {
    tokens.reload();
    setTimeout(() => setOpen({ what: "shown", token }));
  };
  return html`<${Panel} title="Tokens" flush actions=${html`<button class="main"
    onClick=${() => setOpen({ what: "make" })}>New token …</button>`}>
    <${Loaded} from=${tokens}>${(all) => html`<${Wide} label="All tokens"><table><thead><tr><th>Name</th><th>Role</th>
      <th>Namespaces</th><th>Last used</th><th>Expires</th><th><span class="unseen">Actions</span></th></tr></thead>
      <tbody>${all.map(
        (token) => html`<tr key=${token.name}><td>${token.name}</td><td>${token.role}</td>
        <td>${token.namespaces.join(", ") || "all"}</td>
        <td><${When} at=${token.lastUsedAt} none="never" /></td><td><${When} at=${token.expiresAt} none="never" />
          ${
            token.previousWorksUntil
            && html`<br /><span class="small muted">the one before: <${When}
            at=${token.previousWorksUntil} /></span>`
          }</td>
        <td><span class="actions">${
          token.name !== "admin"
          && html`<button class="link" aria-label=${
            "Rotate " + token.name
          } onClick=${() => setOpen({ what: "rotate", token })}>rotate</button>`
        }
          <button class="link" aria-label=${"Revoke " + token.name} onClick=${() =>
            setOpen({ what: "revoke", token })}>revoke</button></span></td></tr>`,
      )}</tbody></table><//>`}<//>
    ${open?.what === "make" && html`<${Make} onClose=${close} onDone=${shown} />`}
    ${open?.what === "shown" && html`<${Shown} token=${open.token} onClose=${close} />`}
    ${open?.what === "rotate" && html`<${Rotate} token=${open.token} onClose=${close} onDone=${shown} />`}
    ${open?.what === "revoke" && html`<${Revoke} token=${open.token} onClose=${close} onDone=${tokens.reload} />`}<//>`;
}

function Store({ secret, onClose, onDone }) {
  const [namespace, setNamespace] = useState(secret?.namespace ?? "");
  const [name, setName] = useState(secret?.name ?? "");
  const [value, setValue] = useState("");
  const act = () =>
    call("PUT", "/secrets/" + encodeURIComponent(namespace) + "/" + encodeURIComponent(name), {
      body: { value },
      headers: secret ? {} : IF_NEW,
    });
  return html`<${Confirm} title=${secret ? "Another value for secret " + namespace + "/" + name : "New secret"}
    verb="Store" act=${act}
      cannot=${namespace === "" || name === "" || value === ""} onClose=${onClose} onDone=${() => {
        note("Secret " + namespace + "/" + name + " is stored.");
        onDone();
      }}>
    ${
      !secret
      && html`<${Field} id="secret-ns" label="Namespace"><input id="secret-ns" value=${namespace}
      onInput=${(e) => setNamespace(e.target.value)} /><//>
      <${Field} id="secret-name" label="Name"><input id="secret-name" value=${name}
        onInput=${(e) => setName(e.target.value)} /><//>`
    }
    <${Field} id="secret-value" label="Value" hint="At least 4 characters. Nobody can read it back."><textarea
      id="secret-value" class="masked" rows="3" autocomplete="off" spellcheck="false" value=${value}
      aria-describedby="secret-value-hint" onInput=${(e) => setValue(e.target.value)}></textarea><//><//>`;
}

function Remove({ secret, onClose, onDone }) {
  const name = secret.namespace + "/" + secret.name;
  return html`<${Confirm} title=${"Delete secret " + name + "?"} verb=${"Delete " + name} danger onClose=${onClose}
    act=${() =>
      call("DELETE", "/secrets/" + encodeURIComponent(secret.namespace) + "/" + encodeURIComponent(secret.name))}
    onDone=${() => {
      note("Secret " + name + " is deleted.");
      onDone();
    }}>
      <p>That is possible once no job uses it.</p><//>`;
}

function Secrets() {
  const secrets = useLoad(async (signal) => (await get("/secrets", { limit: 1000 }, signal)).items, "secrets");
  const [open, setOpen] = useState(null);
  const close = () => setOpen(null);
  return html`<${Panel} title="Secrets" flush actions=${html`<button class="main"
    onClick=${() => setOpen({ what: "store" })}>New secret …</button>`}>
    <${Loaded} from=${secrets}>${(all) =>
      all.length === 0
        ? html`<${Empty}
      title="There is no secret">Jobs name them in <code>secretEnv</code>; commands get them as variables.<//>`
        : html`<${Wide} label="All secrets"><table><thead><tr><th>Secret</th><th>Used by</th><th>Changed</th><th
        class="num">Version</th><th><span class="unseen">Actions</span></th></tr></thead>
      <tbody>${all.map(
        (secret) => html`<tr key=${secret.namespace + "/" + secret.name}>
        <td>${secret.namespace}/${secret.name}</td>
        <td>${secret.jobs.map(
          (job, i) => html`${i > 0 && ", "}<a href=${link(["jobs", ...job.split("/")])}>${job}</a>`,
        )}</td><td><${When} at=${secret.updatedAt} /></td><td
          class="num">${secret.version}</td>
        <td><span class="actions"><button class="link" aria-label=${"Change " + secret.name}
          onClick=${() => setOpen({ what: "store", secret })}>change</button>
          <button class="link" aria-label=${"Delete " + secret.name} onClick=${() =>
            setOpen({ what: "remove", secret })}>delete</button></span></td></tr>`,
      )}</tbody></table><//>`}<//>
    ${open?.what === "store" && html`<${Store} secret=${open.secret} onClose=${close} onDone=${secrets.reload} />`}
    ${
      open?.what === "remove"
      && html`<${Remove} secret=${open.secret} onClose=${close}
      onDone=${secrets.reload} />`
    }<//>`;
}

export default function Access() {
  useTitle("Access");
  return html`<div class="head"><${Title}>Access<//></div>${
    may("admin") && seesAll() && html`<${Tokens} />`
  }<${Secrets} />`;
}
