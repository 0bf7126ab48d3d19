import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { EXIT } from './exit-codes.ts';
import { fakeService } from './testing/fake-service.ts';
import { folder } from './testing/fake-terminal.ts';
import { serve } from './testing/server.ts';
import type { Served } from './testing/server.ts';

const source = path('./main.ts');
// In this package, so that the optional packages are found.
const installed = path(`../node_modules/.bundled-${process.pid}`);
const bundle = `${installed}/dist/main.cjs`;

let server: Served;
beforeAll(async () => {
  mkdirSync(installed, { recursive: true });
  cpSync(path('../package.json'), `${installed}/package.json`);
  execFileSync(process.execPath, ['bundle.mjs', `${installed}/dist`], { cwd: path('..') });
  server = await serve();
});
afterAll(async () => {
  rmSync(installed, { recursive: true });
  await server.stop();
});

function path(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}

/** Runs the program in an empty folder. */
function startProgram(
  main: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
) {
  const cwd = folder();
  const child = spawn(process.execPath, [...flags, main, ...words], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => ({ code, signal, out, err }));
  return { child, ended, out: () => out, err: () => err, cwd };
}

describe.each([
  ['from its source', source],
  ['as published', bundle],
])('The process, %s,', (_, main) => {
  const start = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    startProgram(main, words, env);

  test('reads from a pipe, writes to a pipe, and exits with 0', async () => {
    const { child, ended } = start(['chat', '-t', '0'], server.env);
    child.stdin.end('What is 6 * 7?\n');
    expect(await ended).toMatchObject({
      code: 0,
      signal: null,
      err: '',
      out: expect.stringContaining('42') as unknown,
    });
  });

  test('exits with the documented codes', async () => {
    const codes = await Promise.all(
      [
        ['--version'],
        ['--nonsense'],
        ['files', 'get', 'file-none'],
        ['files', 'list', '--base-url', 'http://127.0.0.1:9/v1', '--retries', '0'],
      ].map(async (words) => (await start(words, server.env).ended).code),
    );
    expect(codes).toEqual([EXIT.ok, EXIT.usage, EXIT.notFound, EXIT.connection]);
  });

  test('exits quietly when the reader of its output exits', async () => {
    const { env } = await fakeService('river\n'.repeat(100_000));
    const { child, ended } = start(['chat', 'Hi'], env);
    child.stdin.end();
    child.stdout.destroy();
    expect(await ended).toMatchObject({ code: EXIT.brokenPipe, err: '' });
  });

  test('exits with 130 on Ctrl-C, quietly', async () => {
    const { env } = await fakeService('begun', 'hangs');
    const { child, ended, out } = start(['chat', 'Hi'], env);
    child.stdin.end();
    await expect.poll(out).toContain('begun');
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: EXIT.interrupted, signal: null, err: '' });
  });

  test('conform deletes what the checks created when it is terminated', async () => {
    const authorization = `Bearer ${server.env['MODELWIRE_API_KEY'] ?? ''}`;
    const files = async () => (await fetch(`${server.url}/v1/files`, { headers: { authorization } })).text();
    const before = await files();
    const { child, ended } = start(['conform', '--only', 'files,uploads', '-j', '1'], server.env);
    await expect.poll(files, { timeout: 20_000 }).not.toBe(before);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: EXIT.interrupted, signal: null });
    expect(await files()).toBe(before);
  });

  test('conform deletes what a killed run against the same server left', async () => {
    const authorization = `Bearer ${server.env['MODELWIRE_API_KEY'] ?? ''}`;
    const files = async () => (await fetch(`${server.url}/v1/files`, { headers: { authorization } })).text();
    const before = await files();
    const env = { ...server.env, XDG_STATE_HOME: folder() };
    const { child, ended } = start(['conform', '--only', 'files,uploads', '-j', '1'], env);
    // Of three files, a check deletes at most one.
    const count = (list: string): number => list.split('"filename"').length;
    await expect.poll(async () => count(await files()) - count(before), { timeout: 60_000 }).toBeGreaterThan(2);
    child.kill('SIGKILL');
    expect(await ended).toMatchObject({ code: null, signal: 'SIGKILL' });
    expect(await files()).not.toBe(before);
    const next = await start(['conform', '--only', 'models'], env).ended;
    expect(next.err).toMatch(/^Objects that a killed run left will be deleted at the end\.\n/);
    expect(next.code).toBe(EXIT.ok);
    expect(await files()).toBe(before);
    expect((await start(['conform', '--only', 'models'], env).ended).err).not.toContain('killed');
  });

  test('does not wait for an open stdin', async () => {
    const { ended } = start(['models', 'list'], server.env);
    expect((await ended).code).toBe(0);
  });

  test('serves until SIGTERM, and other commands in the same folder use its key', async () => {
    const serving = start(['serve', '--port', '0'], { MODELWIRE_LOG_LEVEL: 'silent' });
    await expect.poll(serving.out).toMatch(/listens on http\S+/);
    const [, url = ''] = /listens on (http\S+)/.exec(serving.out()) ?? [];
    const { origin } = new URL(url);
    // The code is in the fragment, which browsers do not send, and works once.
    const [, code] = new RegExp(`^\\s*Console: ${origin}/console/#code=([\\w-]{43})\\n`).exec(serving.out()) ?? [];
    const signIn = async (): Promise<number> => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ code });
      return (await fetch(`${origin}/console/api/session`, { method: 'POST', headers, body })).status;
    };
    expect([await signIn(), await signIn()]).toEqual([200, 401]);
    const asking = spawn(process.execPath, [main, 'models', 'list', '--base-url', url], {
      cwd: serving.cwd,
      env: { PATH: process.env['PATH'] ?? '', HOME: serving.cwd },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    asking.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    await once(asking, 'close');
    expect(out).toContain('simulator');
    serving.child.kill('SIGTERM');
    expect(await serving.ended).toMatchObject({ code: 0, signal: null });
  });
});

test.each([
  ['init', '@modelwire/server-app'],
  ['serve', '@modelwire/server-app'],
  ['mock', '@modelwire/testing'],
  ['replay', '@modelwire/testing'],
  ['conform', '@modelwire/conformance'],
  ['keys', '@modelwire/server-app'],
])('%s without %s prints how to install it', async (command, name) => {
  const alone = folder();
  cpSync(installed, alone, { recursive: true });
  const words = { keys: ['keys', 'list'], mock: ['mock', 'replies.yaml'], replay: ['replay', 'file.yaml'] }[
    command
  ] ?? [command];
  const { code, err } = await startProgram(`${alone}/dist/main.cjs`, words).ended;
  expect({ code, err }).toEqual({
    code: EXIT.config,
    err:
      `error: This command requires the package ${name}, which is not installed.\n` +
      `Install it: npm install --global ${name}\n`,
  });
});

test('The package contains the licenses of the libraries in its bundles', () => {
  const text = readFileSync(`${installed}/dist/THIRD-PARTY-LICENSES.txt`, 'utf8');
  for (const name of ['commander', 'marked', 'zod']) expect(text).toMatch(new RegExp(`^${name} \\d[^]*Copyright`, 'm'));
});

test.each([
  ['its source', source],
  ['the bundle', bundle],
])('On an older Node.js, %s names the version that is required in one line', async (_, main) => {
  const older = 'data:text/javascript,Object.defineProperty(process, "versions", { value: { node: "20.20.2" } })';
  expect(await startProgram(main, ['chat'], {}, ['--import', older]).ended).toMatchObject({
    code: 1,
    err: 'modelwire requires Node.js 22.19 or newer. This is Node.js 20.20.2.\n',
  });
});

test('The version that is required is the one in package.json', () => {
  const { engines } = JSON.parse(readFileSync(path('../package.json'), 'utf8')) as { engines: { node: string } };
  expect(engines.node).toBe('>=22.19');
});

describe('Start-up', () => {
  // The modules that are loaded determine the start-up time, and can be counted on any machine.
  const counting = `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
    process.on('exit', () => process.stderr.write(JSON.stringify(loaded)));
  `)}`;

  test.each([[['--version']], [['--help']], [['profiles']], [['--nonsense']]])(
    'of %j loads no client and no server',
    async (words) => {
      const { ended } = startProgram(source, words, {}, ['--import', counting]);
      const { err } = await ended;
      const loaded = JSON.parse(err.slice(err.indexOf('['))) as string[];
      expect(loaded.filter((url) => url.startsWith('file:')).length).toBeGreaterThan(3);
      // The parser, and a function without imports that all messages about misspelled names share.
      const others = loaded.filter((url) => !/node_modules\/(commander|@commander-js)\/|\/nearest\.ts$/.test(url));
      if (!words.includes('--nonsense'))
        expect(others.filter((url) => /\/packages\/|node_modules/.test(url))).toEqual([]);
      expect(loaded.filter((url) => url.includes('/apps/server/'))).toEqual([]);
    },
  );
});
