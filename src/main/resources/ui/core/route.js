/** Where the page is: all of it behind the #, so that no server and no proxy logs what somebody looks for. */
import { useEffect, useState } from "./html.js";

/** The parts of the path, decoded, and the query. */
export function here() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?", 2);
  const parts = path
    .split("/")
    .filter((part) => part !== "")
    .map(decoded);
  return { parts, query: new URLSearchParams(query || "") };
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A link within the page; what is null, undefined or empty is left out of the query. */
export function link(parts, query = {}) {
  const said = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== undefined && one !== "") {
        said.append(name, one);
      }
    }
  }
  const text = said.toString();
  return "#/" + parts.map(encodeURIComponent).join("/") + (text === "" ? "" : "?" + text);
}

export function toJob(namespace, name, query) {
  return link(["jobs", namespace, name], query);
}

export function toTask(id) {
  return link(["tasks", String(id)]);
}

export function go(target) {
  location.hash = target;
}

/** Another query for the same page, without a step in the history of the browser. */
export function requery(query) {
  history.replaceState(null, "", link(here().parts, query));
  dispatchEvent(new HashChangeEvent("hashchange"));
}

export function useRoute() {
  const [route, setRoute] = useState(here);
  useEffect(() => {
    const changed = () => setRoute(here());
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return route;
}
