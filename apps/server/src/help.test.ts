import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

test('--help names every variable of the environment that the program reads', () => {
  const help = execFileSync(process.execPath, [pathOf('main.ts'), '--help'], { encoding: 'utf8' });
  const source = ['config/environment.ts', 'settings.ts'].map((name) => readFileSync(pathOf(name), 'utf8')).join('');
  const names = new Set(source.match(/\b(?:MODELWIRE|AWS)_[A-Z\d_]+\b|(?<=')(?:PORT|HOST)(?=')/g));
  expect(names.size).toBeGreaterThan(10);
  expect([...names].filter((name) => !help.includes(name))).toEqual([]);
});
