import { readFile } from 'node:fs/promises';
import { runReadmeExample } from '@modelwire/vitest/readme';
import { expect, it } from 'vitest';
import { COMMON } from './lark/imported-terminals.ts';
import { FORMATS } from './json/formats.ts';
import { OTHER_KEYWORDS, UNSUPPORTED_KEYWORDS, STRICT_KEYWORDS } from './json/keywords.ts';

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');

it('runs the example of the README', async () => {
  const { stdout } = await runReadmeExample(import.meta.url);
  expect(stdout).toBe(
    '{"city":\n[ \'"\', \' "\' ]\n"}\n#/pattern: lookaround is not supported: describe the text itself (at character 1 of the expression)\n',
  );
});

it('lists every keyword, format and terminal in the README', () => {
  for (const name of [...STRICT_KEYWORDS, ...OTHER_KEYWORDS, ...UNSUPPORTED_KEYWORDS, ...FORMATS, ...COMMON.keys()]) {
    expect(readme).toContain(`\`${name}\``);
  }
});
