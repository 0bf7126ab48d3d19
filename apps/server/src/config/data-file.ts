import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { problemOf } from '@modelwire/schema';
import * as z from 'zod';

/** The line of the field at a path, if the format of the file has lines for its fields. */
type LineOf = (path: readonly PropertyKey[]) => number | undefined;

export interface FileContents {
  readonly contents: unknown;
  readonly lineOf: LineOf;
}

/** Reads a JSON or YAML file. JSON is read as YAML too: that parser knows the lines. @throws SyntaxError, or the error of the YAML parser. */
export async function readDataFile(path: string): Promise<FileContents> {
  const { isMap, isNode, isScalar, LineCounter, parseDocument } = await import('yaml');
  const text = readFileSync(path, 'utf8');
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });
  const [error] = document.errors;
  const isJSON = extname(path) === '.json';
  if (error && !isJSON) throw error;
  const lineOf: LineOf = (field) => {
    const parent = document.getIn(field.slice(0, -1), true);
    const pair = isMap(parent) && parent.items.find(({ key }) => isScalar(key) && key.value === field.at(-1));
    const node = pair ? pair.key : document.getIn(field, true);
    if (isNode(node) && node.range) return lineCounter.linePos(node.range[0]).line;
    // A missing field: where it belongs.
    return field.length === 0 ? undefined : lineOf(field.slice(0, -1));
  };
  return { contents: isJSON ? JSON.parse(text) : (document.toJS() ?? {}), lineOf };
}

/** One line for each invalid field: its line in the file, what is wrong, and the field that a misspelled one may mean. */
export function describeProblems(error: z.ZodError, { contents, lineOf }: FileContents, schema: z.ZodType): string {
  return error.issues
    .map((issue) => {
      const { param, message } = problemOf(new z.ZodError([issue]), contents, schema);
      const line = lineOf(issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path);
      const field = issue.code === 'custom' ? `${param ?? '(root)'}: ${issue.message}` : message;
      return `  ${line === undefined ? '' : `line ${line}: `}${field}`;
    })
    .join('\n');
}
