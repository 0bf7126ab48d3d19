import { readFile } from 'node:fs/promises';
import { LineCounter, isMap, parseDocument } from 'yaml';
import type { Document } from 'yaml';
import { ScriptError, problemsOf, showProblem } from './problems.ts';
import type { ScriptProblem } from './problems.ts';
import { scriptSchema } from './script.ts';
import type { Script } from './script.ts';

/**
 * Reads a script from YAML or JSON, with the fields of `startTestServer`: `replies`, `moderations`, `videos`, `faults`, `models`, `unmatched`.
 *
 * @throws {ScriptError} with the problems and their lines.
 */
export async function loadReplies(path: string): Promise<Script> {
  return parseReplies(await readFile(path, 'utf8'), path);
}

/** The same for a text. `name` is the prefix of the lines in errors. */
export function parseReplies(text: string, name = 'replies'): Script {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const formatPosition = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const [syntaxError] = document.errors;
  if (syntaxError)
    throw new ScriptError(
      [{ path: [], message: syntaxError.message }],
      [`${formatPosition(syntaxError.pos[0])}: ${syntaxError.message}`],
    );
  if (!isMap(document.contents)) {
    const message = `${name}: expected an object with fields such as 'replies'`;
    throw new ScriptError([{ path: [], message }], [message]);
  }
  const input: unknown = document.toJS();
  const parsed = scriptSchema.safeParse(input);
  if (!parsed.success) {
    const located = problemsOf(parsed.error)
      .map((problem) => ({ problem, offset: offsetOf(problem, document) }))
      .sort((a, b) => a.offset - b.offset);
    throw new ScriptError(
      located.map(({ problem }) => problem),
      located.map(({ problem, offset }) => `${formatPosition(offset)}: ${showProblem(problem)}`),
    );
  }
  return input as Script;
}

/** The position of the part of the file that a problem is about, or of the nearest part around it. */
function offsetOf({ path }: ScriptProblem, document: Document.Parsed): number {
  for (let length = path.length; length > 0; length--) {
    const parent: unknown = document.getIn(path.slice(0, length - 1), true);
    const name = path[length - 1];
    const pair = isMap(parent) ? parent.items.find(({ key }) => String(key) === String(name)) : undefined;
    const node: unknown = pair ? pair.key : document.getIn(path.slice(0, length), true);
    const offset = rangeOf(node)?.[0];
    if (offset !== undefined) return offset;
  }
  return 0;
}

function rangeOf(node: unknown): readonly number[] | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined;
  return Array.isArray(node.range) ? (node.range as number[]) : undefined;
}
