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

test.each([
  [['key', 'create', '--name', 'x'], "Unknown command 'key'. Did you mean 'keys'? See modelwire-server --help.\n"],
  [['--port', '8787', 'keys', 'list'], "Unexpected argument 'keys'. A command comes before the options.\n"],
])('a mistake in the command is named: %j', (args, message) => {
  const { status, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 1, stderr: message });
});
