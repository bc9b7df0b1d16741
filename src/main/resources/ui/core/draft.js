/** What somebody has typed and not saved: kept in this tab, also when it is loaded again or signed out of. */

const PREFIX = "rowlock.draft.";

export function draftOf(key) {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + key));
  } catch {
    return null; // of another version of the page
  }
}

/** @param version of the job that it began with; null: a new one */
export function keepDraft(key, version, definition) {
  try {
    sessionStorage.setItem(PREFIX + key, JSON.stringify({ version, definition }));
  } catch {
    // The tab has no room for it: what is on the screen is all there is, as without drafts.
  }
}

export function dropDraft(key) {
  sessionStorage.removeItem(PREFIX + key);
}
