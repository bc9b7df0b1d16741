/** The frame around every page: where one can go, whether what is shown is live, and who is signed in. */
import { html, useEffect, useRef, useState } from "../core/html.js";
import { may, seesAll, signOut, who } from "../core/client.js";
import { pause, useLiveState } from "../core/live.js";
import { go, link } from "../core/route.js";
import { Dialog, note } from "./dialog.js";
import { Frozen } from "./freezes.js";
import { Trouble } from "./parts.js";

/**
 * Name, path, the key after g, and who sees it.
 *
 * @type {[string, string, string, () => boolean][]}
 */
export const PLACES = [
  ["Overview", "overview", "o", seesAll],
  ["Jobs", "jobs", "j", () => true],
  ["History", "history", "h", () => true],
  ["Nodes", "nodes", "n", () => true],
  ["Groups", "groups", "r", () => true],
  ["Calendars", "calendars", "c", () => true],
  ["Freezes", "freezes", "f", () => true],
  ["Alerts", "alerts", "l", () => true],
  ["Audit", "audit", "a", () => may("admin")],
  ["Access", "access", "t", () => may("editor")],
];
const LIVE = {
  ON: "Live",
  OFF: "Not live",
  PAUSED: "Updates paused",
  LOST: "Connection lost, trying again",
  REFUSED: "No live updates",
};

/** What takes no text, such as a checkbox. */
const WORDLESS = ["button", "checkbox", "color", "file", "radio", "range", "reset", "submit"];

function typing(event) {
  const at = event.target;
  return (
    event.ctrlKey
    || event.metaKey
    || event.altKey
    || at.isContentEditable
    || (/^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName) && !WORDLESS.includes(at.type))
    || document.querySelector("dialog[open]") !== null
  );
}

/** What is typed after a key that opens a page belongs to its field, and must not be taken for further keys. */
function whenShown(selector, act) {
  let typed = "";
  const keep = (event) => {
    if (event.key.length === 1 && !typing(event)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      typed += event.key;
    }
  };
  addEventListener("keydown", keep, true);
  const look = (left) => {
    const found = document.querySelector(selector);
    if (!found && left > 0) {
      requestAnimationFrame(() => look(left - 1));
      return;
    }
    removeEventListener("keydown", keep, true);
    if (found) {
      act(found);
      if (typed !== "") {
        found.value += typed;
        found.dispatchEvent(new Event("input", { bubbles: true }));
      }
    }
  };
  look(600);
}

function useKeys(onHelp) {
  useEffect(() => {
    let before = "";
    const pressed = (event) => {
      if (typing(event)) {
        return;
      }
      const place = before === "g" && PLACES.find(([, , key, seen]) => key === event.key && seen());
      before = event.key;
      const search = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-search]"));
      if (place) {
        go(link([place[1]]));
      } else if (event.key === "?") {
        onHelp();
      } else if (event.key === "/" && search) {
        event.preventDefault();
        search.focus();
        search.select();
      } else if (event.key === "/") {
        event.preventDefault();
        whenShown("[data-search]", (field) => field.focus());
        go(link(["jobs"]));
      } else if (event.key === "n" && may("editor")) {
        go(link(["new"]));
      }
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

function Help({ onClose }) {
  const keys = [
    ["/", "search jobs"],
    ["?", "this help"],
    ["Esc", "close a dialog"],
    ...(may("editor") ? [["n", "a new job"]] : []),
    ...PLACES.filter(([, , , seen]) => seen()).map(([name, , key]) => ["g " + key, name]),
  ];
  return html`<${Dialog} title="Keys" onClose=${onClose}>
    <dl class="keys">${keys.map(
      ([key, does]) => html`<div key=${key}>
      <dt>${key.split(" ").map((k) => html`<kbd>${k}</kbd> `)}</dt>
      <dd>${does}</dd></div>`,
    )}</dl>
    <div class="actions end"><button class="main" onClick=${onClose}>Close</button></div>
  <//>`;
}

function Live() {
  const { name } = useLiveState();
  const paused = name === "PAUSED";
  return html`<span class="live actions" data-state=${name}>
    <i class="dot"></i><span class="live-word" role="status">${LIVE[name]}</span>
    ${
      name !== "OFF"
      && html`<button class="quiet" aria-pressed=${paused} onClick=${() => pause(!paused)}>
      ${paused ? "Resume updates" : "Pause updates"}</button>`
    }
  </span>`;
}

/** Why nothing is live, as far as the server said so. */
function NotLive() {
  const { name, why } = useLiveState();
  return (
    why
    && html`<div class="banner" role="status"><p>${
      name === "LOST" ? "No live updates for now, and it is tried again. " : "This page is not kept up to date: "
    }${why}</p></div>`
  );
}

function Me() {
  const me = who();
  if (me === null) {
    return null;
  }
  const leave = () => signOut().catch((e) => note(e.message));
  const limit = me.namespaces === null ? "" : ", " + me.namespaces.join(", ");
  return html`<details class="menu"><summary>${me.name}</summary>
    <div><p><strong>${me.name}</strong><br />${me.role}${limit}</p>
    <button onClick=${leave}>Sign out</button></div></details>`;
}

/** @param at the first part of the path */
export function Shell({ at, trouble, children }) {
  const [help, setHelp] = useState(false);
  useKeys(() => setHelp(true));
  const nav = useRef(/** @type {HTMLElement | null} */ (null));
  // On a phone, not all places are in sight.
  useEffect(
    () => nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" }),
    [at],
  );
  const here = { edit: "jobs", new: "jobs", tasks: "history", "": seesAll() ? "overview" : "jobs" }[at] ?? at;
  return html`<a class="skip" href="#main" onClick=${(e) => {
    e.preventDefault();
    document.getElementById("main")?.focus();
  }}>
      Skip to the content</a>
    <header class="top"><div class="top-row">
      <a class="brand" href="#/" aria-label="Rowlock, start">
        <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true"><rect width="32" height="32" rx="7" />
          <path d="M9 7v11a7 7 0 0 0 14 0V7M16 4v24" fill="none" stroke-width="3.4" stroke-linecap="round" /></svg>
        Rowlock</a>
      <nav class="nav" aria-label="Pages" ref=${nav}>${PLACES.filter(([, , , seen]) => seen()).map(
        ([name, path]) => html`<a
        key=${path} href=${link([path])} aria-current=${here === path ? "page" : undefined}>${name}</a>`,
      )}</nav>
      <div class="top-end"><${Live} /><button class="quiet help" aria-label="Keys" title="Keys (?)"
        onClick=${() => setHelp(true)}>?</button><${Me} /></div>
    </div></header><${NotLive} /><${Frozen} />
    <main id="main" tabindex="-1"><${Trouble} problem=${trouble} />${children}</main>
    ${help && html`<${Help} onClose=${() => setHelp(false)} />`}`;
}
