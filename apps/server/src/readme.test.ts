import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { configSchema } from './config/schema.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

test('the configuration example of the README is valid', () => {
  const yaml = /```yaml\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  expect(configSchema.safeParse(parse(yaml)).error).toBeUndefined();
});
