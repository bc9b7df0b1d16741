/** What somebody has typed and not saved: kept in this tab, also when it is loaded again or signed out of. */

const PREFIX = "rowlock.draft.";

export function draftOf(key) {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + key));
  } catch {
    return null; // of another version of the page
  }
}

/**
 * @param version of the job that it began with; null: a new one
 * @param text as it was typed, if that was not the form; it need not be a definition yet
 */
export function keepDraft(key, version, definition, text = null) {
  try {
    sessionStorage.setItem(PREFIX + key, JSON.stringify({ version, definition, text }));
  } catch {
    // The tab has no room for it: what is on the screen is all there is, as without drafts.
  }
}

export function dropDraft(key) {
  sessionStorage.removeItem(PREFIX + key);
}
