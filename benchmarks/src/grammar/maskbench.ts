import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A JSON value with the verdict of a validator. */
export interface Instance {
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
    const { schema, tests } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Omit<Problem, 'id'>;
    yield { id: name.slice(0, -'.json'.length), schema, tests };
  }
}

/** An instance as MaskBench writes it: a space after `:` and `,`, characters outside of ASCII as they are. */
export function writeInstance(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeInstance).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${writeInstance(item)}`);
  return `{${members.join(', ')}}`;
}
