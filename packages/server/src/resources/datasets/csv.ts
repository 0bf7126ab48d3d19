/** A row of a CSV file (RFC 4180). */
export function csvRow(cells: readonly (string | number | undefined)[]): string {
  return cells.map(csvCell).join(',');
}

/** A text that a spreadsheet would run as a formula begins with an apostrophe. */
function csvCell(value: string | number | undefined): string {
  if (typeof value !== 'string') return value === undefined ? '' : String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
