/** Rows as CSV (RFC 4180). */

/**
 * A cell; what a spreadsheet would take for a formula begins with a quote.
 *
 * @param {any} value
 */
function cell(value) {
  const text = value === null || value === undefined ? "" : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) && typeof value !== "number" ? "'" + text : text;
  return /[",\n\r]/.test(safe) ? '"' + safe.replaceAll('"', '""') + '"' : safe;
}

/**
 * A line for the names of columns, and one for each row.
 *
 * @param {string[]} columns
 * @param {Record<string, any>[]} rows
 */
export function csv(columns, rows) {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
  return lines.map((line) => line.map(cell).join(",") + "\r\n").join("");
}
