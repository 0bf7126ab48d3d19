import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A JSON value with the verdict of a validator. */
interface Instance {
  readonly valid: boolean;
  readonly data: unknown;
}

/** A schema of MaskBench with its instances. */
export interface Problem {
  readonly id: string;
  readonly schema: unknown;
  readonly tests: readonly Instance[];
}

/** Every `every`th problem of the folder, in order of their names, as JSON. */
export function* readProblems(folder: string, every: number): Generator<Problem, void> {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort();
  for (let index = 0; index < names.length; index += every) {
    const name = names[index] ?? '';
    const text = readFileSync(join(folder, name), 'utf8');
    const { schema } = JSON.parse(text) as Problem;
    const { tests } = JSON.parse(text, keepNumberText) as Problem;
    yield { id: name.slice(0, -'.json'.length), schema, tests };
  }
}

/** A number as it is written: `1.0` is not an integer in draft 4. */
class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

function keepNumberText(_: string, value: unknown, { source = '' }: { readonly source?: string } = {}): unknown {
  return typeof value === 'number' && JSON.stringify(value) !== source ? new NumberText(source) : value;
}

/** An instance as MaskBench writes it: a space after `:` and `,`, characters outside of ASCII as they are. */
export function writeInstance(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeInstance).join(', ')}]`;
  if (value instanceof NumberText) return value.text;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${writeInstance(item)}`);
  return `{${members.join(', ')}}`;
}
