/** What the server answered, and what is wrong if it refused. */

/** An error that a person can do something about. Status 0: no answer at all. */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {string} detail
   * @param {{field: string, message: string}[]} [errors]
   */
  constructor(status, detail, errors = []) {
    super(detail);
    this.status = status;
    this.errors = errors;
  }

  /**
   * What is wrong with one field, or null.
   *
   * @param {string} field
   */
  of(field) {
    const found = this.errors.filter((e) => e.field.startsWith(field) && /^([.[]|$)/.test(e.field.slice(field.length)));
    return found.length === 0
      ? null
      : found.map((e) => (e.field.slice(field.length).replace(/^\./, "") + " " + e.message).trim()).join("; ");
  }
}

/**
 * What an answer says, if it says something.
 *
 * @param {Response} answer
 */
export async function content(answer) {
  const json = (answer.headers.get("Content-Type") || "").includes("json");
  return json && answer.status !== 204 ? answer.json() : null;
}

/** @param {Response} answer */
export async function problemOf(answer) {
  const data = await content(answer);
  return new Problem(answer.status, (data && data.detail) || "The node answered " + answer.status + ".", data?.errors);
}
