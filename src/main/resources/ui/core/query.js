/** The query of an address: of the page itself, and of what it asks the server for. */

/**
 * With its question mark; what is null, undefined, empty or false is left out, lists are repeated.
 *
 * @param {Record<string, any> | null | undefined} query
 */
export function search(query) {
  const said = new URLSearchParams();
  for (const [name, value] of Object.entries(query || {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== undefined && one !== "" && one !== false) {
        said.append(name, one);
      }
    }
  }
  const text = said.toString();
  return text === "" ? "" : "?" + text;
}
