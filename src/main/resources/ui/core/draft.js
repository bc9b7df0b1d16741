/** What somebody has typed and not saved: kept in this tab, also when it is loaded again or signed out of. */

const PREFIX = "rowlock.draft.";

/** @param {string} key */
export function draftOf(key) {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + key) ?? "null");
  } catch {
    return null; // of another version of the page
  }
}

/**
 * @param {string} key
 * @param {number | null} version of the job that it began with; null: a new one
 * @param {any} definition
 * @param {string | null} [text] as it was typed, if that was not the form; it need not be a definition yet
 */
export function keepDraft(key, version, definition, text = null) {
  try {
    sessionStorage.setItem(PREFIX + key, JSON.stringify({ version, definition, text }));
  } catch {
    // The tab has no room for it: what is on the screen is all there is, as without drafts.
  }
}

/** @param {string} key */
export function dropDraft(key) {
  sessionStorage.removeItem(PREFIX + key);
}
