import { readFileSync } from 'node:fs';
import { compileFunction } from 'node:vm';
import { expect, test } from 'vitest';
import * as schema from './index.ts';

test("the README's example prints what its comments say", () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const example = /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const printed: string[] = [];
  const log = (...values: unknown[]) => void printed.push(values.map((value) => `'${String(value)}'`).join(' '));
  const body = example.replace(/^import (\{[^}]*\}) from '@modelwire\/schema';$/m, 'const $1 = schema;');
  const run = compileFunction(body, ['schema', 'console']) as (...values: unknown[]) => void;
  run(schema, { log });
  expect(printed).toEqual([...example.matchAll(/\/\/ (.*)$/gm)].map((match) => match[1]));
});

test('types and routes do not import zod', () => {
  const source = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
  expect(source('routes.ts')).not.toMatch(/^import/m);
  const parts = [...source('types.ts').matchAll(/from '\.\/(types\/[\w-]+\.ts)'/g)].map((match) => match[1] ?? '');
  expect(parts.length).toBeGreaterThan(1);
  for (const part of parts) expect(source(part)).not.toMatch(/^import (?!type \{[^}]*\} from '\.\/)/m);
});
