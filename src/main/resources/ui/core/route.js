/** Where the page is: all of it behind the #, so that no server and no proxy logs what somebody looks for. */
import { useEffect, useState } from "./html.js";
import { search } from "./query.js";

/** The parts of the path, decoded, and the query. */
export function here() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?", 2);
  const parts = path
    .split("/")
    .filter((part) => part !== "")
    .map(decoded);
  return { parts, query: new URLSearchParams(query || "") };
}

/** @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * A link within the page.
 *
 * @param {(string | number)[]} parts
 * @param {Record<string, any>} [query]
 */
export function link(parts, query = {}) {
  return "#/" + parts.map(encodeURIComponent).join("/") + search(query);
}

/**
 * @param {string} namespace
 * @param {string} name
 * @param {Record<string, any>} [query]
 */
export function toJob(namespace, name, query) {
  return link(["jobs", namespace, name], query);
}

/** @param {string | number} id */
export function toTask(id) {
  return link(["tasks", String(id)]);
}

/** @param {string} target */
export function go(target) {
  location.hash = target;
}

/**
 * Another query for the same page, without a step in the history of the browser.
 *
 * @param {Record<string, any>} query
 */
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
