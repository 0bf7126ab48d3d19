import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@modelwire/vitest/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

interface Program {
  readonly child: ChildProcess;
  /** The output so far. */
  readonly out: () => string;
  readonly err: () => string;
  readonly ended: Promise<number | null>;
}

function run(
  cwd: string,
  env: Record<string, string> = {},
  flags: readonly string[] = [],
  args: readonly string[] = [],
): Program {
  const child = spawn(process.execPath, [...flags, main, ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', MODELWIRE_LOCAL_SERVERS: 'false', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (err += bytes.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, out: () => out, err: () => err, ended };
}

/** Parses the printed curl command and expands its shell expression. */
function curlOf(program: Program, cwd: string) {
  const printed = program.out();
  const url = /curl (\S+)/.exec(printed)?.[1] ?? '';
  const bearer = /Bearer ([^"]+)"/.exec(printed)?.[1] ?? '';
  const file = /^\$\(cat '(.+)'\)$/.exec(bearer)?.[1];
  const key = file === undefined ? bearer : readFileSync(join(cwd, file), 'utf8').trim();
  return { url, key, body: /-d '(.+)'/.exec(printed)?.[1] ?? '' };
}

const post = ({ url, key, body }: ReturnType<typeof curlOf>) =>
  fetch(url, { method: 'POST', headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' }, body });

const printed = (program: Program) => expect.poll(program.out).toContain('curl');

test('the first start creates a key with mode 0600 and prints a working curl command; the next start uses the key', async () => {
  const cwd = temporaryFolder();
  const first = run(cwd);
  await printed(first);
  const line = curlOf(first, cwd);
  expect(line.key).toMatch(/^mw-[\w-]{43}$/);
  expect(first.out().split(line.key)).toHaveLength(2);
  expect((await post(line)).status).toBe(200);
  const file = join(cwd, '.modelwire', 'api-key');
  expect(readFileSync(file, 'utf8').trim()).toBe(line.key);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);

  const second = run(cwd);
  await printed(second);
  expect(second.out()).not.toContain(line.key);
  expect((await post(curlOf(second, cwd))).status).toBe(200);
});

test('accepts all configured keys and never prints or logs them', async () => {
  const cwd = temporaryFolder();
  const program = run(cwd, { MODELWIRE_API_KEYS: 'first-key-123, second-key-456' });
  await printed(program);
  const { url } = curlOf(program, cwd);
  const body = JSON.stringify({ model: 'simulator', messages: [{ role: 'user', content: 'Repeat: quicksilver' }] });
  for (const key of ['first-key-123', 'second-key-456']) expect((await post({ url, key, body })).status).toBe(200);
  expect((await post({ url, key: 'third-key-789', body })).status).toBe(401);
  await expect.poll(program.err).toContain('"status":401');
  expect(program.out() + program.err()).not.toMatch(/first-key|second-key|third-key|quicksilver/);
});

test('accepts a short key from MODELWIRE_API_KEYS, with a warning that does not show it', async () => {
  const cwd = temporaryFolder();
  const program = run(cwd, { MODELWIRE_API_KEYS: 'short-key' });
  await printed(program);
  expect((await post({ ...curlOf(program, cwd), key: 'short-key' })).status).toBe(200);
  expect(program.out()).toContain('1 shorter than 16 characters');
  expect(program.out()).not.toContain('short-key');
});

test('runs under --watch', async () => {
  const cwd = temporaryFolder();
  const program = run(cwd, {}, ['--watch']);
  await printed(program);
  expect((await post(curlOf(program, cwd))).status).toBe(200);
  program.child.kill('SIGTERM');
  await program.ended;
});

test('starts and completes chats without the fetch of Node.js, which would take a tenth of the time of a start', async () => {
  const cwd = temporaryFolder();
  const atExit = `console.error('fetch is loaded:', process.moduleLoadList.includes('NativeModule internal/deps/undici/undici'))`;
  const program = run(cwd, {}, ['--import', `data:text/javascript,process.on('exit', () => ${atExit})`]);
  await printed(program);
  const line = curlOf(program, cwd);
  expect((await fetch(new URL('/healthz', line.url))).status).toBe(200);
  expect((await post(line)).status).toBe(200);
  program.child.kill('SIGTERM');
  await program.ended;
  expect(program.err()).toContain('fetch is loaded: false');
});

test('on SIGTERM, waits for a running stream before it exits', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify({ simulator: { tokensPerSecond: 20 } }));
  const program = run(cwd);
  await printed(program);
  const line = curlOf(program, cwd);
  const response = await post({
    ...line,
    body: JSON.stringify({ ...(JSON.parse(line.body) as object), stream: true }),
  });
  program.child.kill('SIGTERM');
  const text = await response.text();
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  expect(await program.ended).toBe(0);
});

test('refuses an invalid configuration with one message, without a stack trace', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify({ prot: 1 }));
  const program = run(cwd);
  expect(await program.ended).toBe(1);
  expect(program.err()).toContain('prot');
  expect(program.err()).not.toMatch(/^\s+at /m);
  expect(program.out()).toBe('');
});

test('on an older Node.js, one line names the version that is required', async () => {
  const older = 'data:text/javascript,Object.defineProperty(process, "versions", { value: { node: "20.20.2" } })';
  const program = run(temporaryFolder(), {}, ['--import', older]);
  expect(await program.ended).toBe(1);
  expect(program.err()).toBe('modelwire-server requires Node.js 22.19 or newer. This is Node.js 20.20.2.\n');
});

test.each([
  ['keys create', ['keys', 'create', '--config', 'other.yaml', '--role', 'admin']],
  ['backup', ['backup', '--config=other.yaml', 'copy']],
  ['export', ['export', 'copy', '--config', 'other.yaml']],
])('%s uses the configuration file of --config', async (_name, args) => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'other.yaml'), 'data: elsewhere\n');
  const first = run(cwd, {}, [], ['keys', 'create', '--config', 'other.yaml']);
  expect(await first.ended, first.err()).toBe(0);
  const command = run(cwd, {}, [], args);
  expect(await command.ended, command.err()).toBe(0);
  expect(existsSync(join(cwd, '.modelwire'))).toBe(false);
});

test('a command with --config and no file says so', async () => {
  const program = run(temporaryFolder(), {}, [], ['keys', 'list', '--config']);
  expect(await program.ended).toBe(1);
  expect(program.err()).toBe('--config: expected a file\n');
});
