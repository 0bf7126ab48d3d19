import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { environmentVariables } from './config/environment-variables.ts';
import { version } from './start/version.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

test('--help lists every environment variable that the server reads', () => {
  const help = execFileSync(process.execPath, [main, '--help'], { encoding: 'utf8' });
  expect(help).toMatch(/^modelwire-server: OpenAI-compatible API server\n/);
  expect(help.match(/^ {2}[A-Z_\d]+/gm)?.map((name) => name.trim())).toEqual(Object.keys(environmentVariables));
});

test('--version prints the version of the package', () => {
  expect(execFileSync(process.execPath, [main, '--version'], { encoding: 'utf8' })).toBe(`${version}\n`);
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
});

test('an unknown command is refused, and the near one is named', () => {
  const { status, stderr } = spawnSync(process.execPath, [main, 'key', 'list'], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: "Unknown command 'key'. Did you mean 'keys'? The commands are listed by modelwire-server --help.\n",
  });
});
