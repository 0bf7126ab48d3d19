import { readFileSync } from 'node:fs';

/** Rows of a CSV file with quotes, by the names in its first line. */
export function csv(path: string, separator = ','): Record<string, string>[] {
  const text = readFileSync(path, 'utf8');
  const rows: string[][] = [];
  let row: string[] = [];
  let field = '';
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? '';
    if (quoted) {
      if (sign !== '"') field += sign;
      else if (text[at + 1] === '"') {
        field += '"';
        at++;
      } else quoted = false;
    } else if (sign === '"' && field === '') quoted = true;
    else if (sign === separator || sign === '\n') {
      row.push(field.replace(/\r$/, ''));
      field = '';
      if (sign === '\n') {
        rows.push(row);
        row = [];
      }
    } else field += sign;
  }
  if (field !== '' || row.length > 0) rows.push([...row, field]);
  const [names = [], ...values] = rows;
  return values.map((cells) => Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ''])));
}
