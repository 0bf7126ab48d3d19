import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { COMMON } from './lark/imported-terminals.ts';
import { FORMATS } from './json/formats.ts';
import { OTHER_KEYWORDS, REFUSED_KEYWORDS, STRICT_KEYWORDS } from './json/keywords.ts';

const root = new URL('..', import.meta.url);
const readme = await readFile(new URL('README.md', root), 'utf8');

it('runs the example of the README', async () => {
  const example = /```ts\n([^]*?)```/.exec(readme)?.[1] ?? '';
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--no-warnings', '--input-type=module-typescript', '--eval', example],
    { cwd: fileURLToPath(root) },
  );
  expect(stdout).toBe(
    '{"city":\n[ \'"\', \' "\' ]\n"}\n#/pattern: lookaround is not supported: say what the text is, not what is around it (at character 1 of the expression)\n',
  );
});

it('names every keyword, format and terminal in the README', () => {
  for (const name of [...STRICT_KEYWORDS, ...OTHER_KEYWORDS, ...REFUSED_KEYWORDS, ...FORMATS, ...COMMON.keys()]) {
    expect(readme).toContain(`\`${name}\``);
  }
});
