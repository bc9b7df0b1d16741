/** What went wrong, as the page tells it. */

/** An error that a person can do something about. Status 0: no answer at all. */
export class Problem extends Error {
  constructor(status, detail, errors = []) {
    super(detail);
    this.status = status;
    this.errors = errors;
  }

  /** What is wrong with one field, or null. */
  of(field) {
    const found = this.errors.filter((e) => e.field.startsWith(field) && /^([.[]|$)/.test(e.field.slice(field.length)));
    return found.length === 0
      ? null
      : found.map((e) => (e.field.slice(field.length).replace(/^\./, "") + " " + e.message).trim()).join("; ");
  }
}
