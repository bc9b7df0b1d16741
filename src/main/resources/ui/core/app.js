/** Begins here: who is signed in, and which page is shown. Pages are fetched when they are first opened. */
import { html, render, useEffect, useErrorBoundary, useState } from "./html.js";
import { resume, seesAll, whenSignedOut, who } from "./client.js";
import { rest } from "./live.js";
import { useRoute } from "./route.js";
import { Notes } from "../widget/dialog.js";
import { Empty, Loading, Trouble } from "../widget/parts.js";
import { Shell } from "../widget/shell.js";

/** @type {Record<string, (parts: string[]) => string>} */
const PAGES = {
  jobs: (parts) => (parts.length === 3 ? "job" : "jobs"),
  tasks: () => "task",
  overview: () => "overview",
  new: () => "editor",
  edit: () => "editor",
  history: () => "history",
  nodes: () => "nodes",
  groups: () => "groups",
  calendars: () => "calendars",
  freezes: () => "freezes",
  alerts: () => "alerts",
  audit: () => "audit",
  access: () => "access",
};

/** Answers the component of a page, or why it cannot be had. */
async function load(name) {
  try {
    return { page: (await import("../page/" + name + ".js")).default };
  } catch {
    return {
      problem: new Error(
        "This page cannot be loaded. The node may be away, or may have been upgraded: reload the page.",
      ),
    };
  }
}

function nameOf(parts) {
  const first = parts[0] ?? (seesAll() ? "overview" : "jobs");
  return Object.hasOwn(PAGES, first) ? PAGES[first](parts) : null;
}

function Broken({ children }) {
  const [error, reset] = useErrorBoundary((e) => console.error(e));
  return error
    ? html`<${Trouble} problem=${new Error("This page broke: " + error.message + ".")} again=${reset} />`
    : children;
}

function Page({ route }) {
  const name = nameOf(route.parts);
  const [shown, setShown] = useState(null);
  useEffect(() => {
    let left = false;
    if (name !== null) {
      load(name).then((loaded) => left || setShown({ name, ...loaded }));
    }
    return () => {
      left = true;
    };
  }, [name]);
  if (name === null) {
    return html`<${Empty} title="There is no such page">Go to <a href="#/">the start</a>.<//>`;
  }
  if (shown?.name !== name) {
    return html`<${Loading} what="Loading" />`;
  }
  const key = route.parts.join("/");
  return shown.problem
    ? html`<${Trouble} problem=${shown.problem} again=${() => location.reload()} />`
    : html`<${Broken} key=${key}><${shown.page} parts=${route.parts} query=${route.query} /><//>`;
}

function App() {
  const route = useRoute();
  const [me, setMe] = useState(/** @type {any} */ (undefined));
  const [problem, setProblem] = useState(null);
  const [signIn, setSignIn] = useState(null);
  const begin = () => {
    setProblem(null);
    resume().then(setMe, setProblem);
  };
  useEffect(() => {
    whenSignedOut(() => {
      rest();
      setMe(null);
    });
    begin();
  }, []);
  useEffect(() => {
    if (me === null) {
      load("signin").then(setSignIn);
    }
  }, [me]);
  if (problem) {
    return html`<main class="lone"><${Trouble} problem=${problem} again=${begin} /></main>`;
  }
  if (me === undefined || (me === null && signIn === null)) {
    return html`<main class="lone"><${Loading} what="Loading" /></main>`;
  }
  if (me === null) {
    return signIn.page
      ? html`<${signIn.page} onSignedIn=${() => setMe(who())} />`
      : html`<main class="lone"><${Trouble} problem=${signIn.problem} again=${() => location.reload()} /></main>`;
  }
  return html`<${Shell} at=${route.parts[0] ?? ""}><${Page} route=${route} /><//><${Notes} />`;
}

render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("page")));
