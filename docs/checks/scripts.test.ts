import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runToEnd } from './programs.ts';

const scripts = fileURLToPath(new URL('../../scripts', import.meta.url));

test.each(readdirSync(scripts).filter((name) => name.endsWith('.test.mjs')))(
  'The tests of scripts/%s pass',
  async (file) => {
    expect(await runToEnd(scripts, file)).toMatch(/fail 0\n/);
  },
);
