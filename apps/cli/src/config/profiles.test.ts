import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../exit-codes.ts';
import { fakeTerminal, folder, lines, runCommand } from '../testing/fake-terminal.ts';
import type { FakeOptions } from '../testing/fake-terminal.ts';
import { readSettings } from './settings.ts';

const secret = 'sk-very-secret-1234567890';

async function createWorkProfile(cwd: string): Promise<void> {
  const words = ['profiles', 'create', 'work', '--base-url', 'https://models.example.com/v1', '-m', 'big'];
  expect(await runCommand(words, { cwd, stdin: `${secret}\n` })).toMatchObject({ code: EXIT.ok, out: '' });
}

const settings = (cwd: string, flags = {}, options: FakeOptions = {}) =>
  readSettings(fakeTerminal({ cwd, ...options }), flags);

describe('A profile', () => {
  test('stores its key in a file that only its owner can read, and shows only the end of the key', async () => {
    const cwd = folder();
    await createWorkProfile(cwd);
    const path = join(cwd, '.config/modelwire/config.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(cwd, '.config/modelwire')).mode & 0o777).toBe(0o700);
    expect(readFileSync(path, 'utf8')).toContain(secret);
    for (const words of [
      ['profiles', 'list'],
      ['profiles', 'get'],
      ['config', 'list'],
      ['config', 'get', 'api-key'],
    ]) {
      for (const json of [[], ['--json']]) {
        const { out, err } = await runCommand([...words, ...json], { cwd });
        expect(out + err).not.toContain(secret);
        expect(out).toContain('…7890');
      }
    }
  });

  test('is the current one if it is the first, and others when selected', async () => {
    const cwd = folder();
    await createWorkProfile(cwd);
    await runCommand(['profiles', 'create', 'home', '--no-key', '--base-url', 'http://127.0.0.1:9/v1'], { cwd });
    expect((await settings(cwd)).profile).toBe('work');
    await runCommand(['profiles', 'use', 'home'], { cwd });
    expect((await settings(cwd)).baseURL).toEqual({ value: 'http://127.0.0.1:9/v1', source: 'profile home' });
    expect((await settings(cwd, { profile: 'work' })).model).toEqual({ value: 'big', source: 'profile work' });
    expect((await settings(cwd, {}, { env: { MODELWIRE_PROFILE: 'work' } })).profile).toBe('work');
    await runCommand(['profiles', 'delete', 'home'], { cwd });
    expect((await settings(cwd)).profile).toBe('default');
  });

  test('of MODELWIRE_PROFILE or --profile is shown, read and changed', async () => {
    const cwd = folder();
    await createWorkProfile(cwd);
    await runCommand(['profiles', 'create', 'home', '--no-key', '-m', 'small'], { cwd });
    const env = { MODELWIRE_PROFILE: 'home' };
    expect((await runCommand(['config', 'get', 'model'], { cwd, env })).out).toBe('small\n');
    await runCommand(['config', 'set', 'model', 'tiny'], { cwd, env });
    await runCommand(['config', 'unset', 'base-url'], { cwd, env });
    expect((await runCommand(['profiles', 'get', '--json'], { cwd, env })).out).toContain('"model":"tiny"');
    expect((await runCommand(['profiles', 'get', '--profile', 'home'], { cwd })).out).toContain('model\ttiny\n');
    expect((await runCommand(['config', 'get', 'model'], { cwd })).out).toBe('big\n');
    expect((await settings(cwd, {}, { env: { MODELWIRE_PROFILE: '' } })).profile).toBe('work');
  });

  test('that does not exist is answered with a suggestion', async () => {
    const cwd = folder();
    await createWorkProfile(cwd);
    const { code, err } = await runCommand(['--profile', 'wrok', 'config', 'list'], { cwd });
    expect(code).toBe(EXIT.config);
    expect(err).toContain('Did you mean work?');
  });

  test('is changed field by field, and never takes a key from the arguments', async () => {
    const cwd = folder();
    await runCommand(['config', 'set', 'model', 'small'], { cwd });
    expect((await runCommand(['config', 'get', 'model'], { cwd })).out).toBe('small\n');
    await runCommand(['config', 'unset', 'model'], { cwd });
    expect((await runCommand(['config', 'get', 'model'], { cwd })).code).toBe(EXIT.notFound);
    const refused = await runCommand(['config', 'set', 'api-key', secret], { cwd });
    expect([refused.code, refused.err]).toEqual([EXIT.usage, expect.not.stringContaining(secret)]);
    await runCommand(['config', 'set', 'api-key'], { cwd, stdin: secret });
    expect((await settings(cwd)).key?.value).toBe(secret);
    expect((await runCommand(['config', 'set', 'base-url', 'nonsense'], { cwd })).code).toBe(EXIT.usage);
  });

  test('prompts for the key without echo', async () => {
    const cwd = folder();
    const terminal = { cwd, tty: { stdin: true, stdout: true, stderr: true }, stdin: `${secret}x\u007f\r` };
    const { code, out, err } = await runCommand(['config', 'set', 'api-key'], terminal);
    expect(code).toBe(EXIT.ok);
    expect(err).toContain('API key: ');
    expect(out + err).not.toContain('sk-very');
    expect((await settings(cwd)).key?.value).toBe(secret);
  });
});

test('Ctrl-C at the prompt for a key exits with 130 and stores nothing', async () => {
  const cwd = folder();
  const asked = { cwd, tty: { stdin: true, stdout: true, stderr: true }, stdin: 'sk-half\u0003', typing: true };
  const { code, err } = await runCommand(['profiles', 'create', 'work'], asked);
  expect([code, err]).toEqual([EXIT.interrupted, 'API key for work: \n']);
  expect((await runCommand(['profiles', 'get', 'work'], { cwd })).code).toBe(EXIT.config);
});

describe('Settings', () => {
  test('come from options, the environment and the profile, in this order, with their source', async () => {
    const cwd = folder();
    await createWorkProfile(cwd);
    const env = { MODELWIRE_BASE_URL: 'http://env/v1', MODELWIRE_API_KEY: 'env-key', MODELWIRE_MODEL: 'env-model' };
    const found = await settings(cwd, { baseUrl: 'http://flag/v1' }, { env });
    expect(found.baseURL).toEqual({ value: 'http://flag/v1', source: '--base-url' });
    expect(found.key).toEqual({ value: 'env-key', source: 'MODELWIRE_API_KEY' });
    expect(found.model).toEqual({ value: 'env-model', source: 'MODELWIRE_MODEL' });
  });

  test('of a selected profile do not mix with the environment', async () => {
    const cwd = folder();
    await createWorkProfile(cwd);
    const env = { MODELWIRE_BASE_URL: 'http://env/v1', MODELWIRE_API_KEY: 'env-key' };
    const { baseURL, key } = await settings(cwd, { profile: 'work' }, { env });
    expect([baseURL.value, key?.value]).toEqual(['https://models.example.com/v1', secret]);
  });

  test('do not send the key of a profile to another server', async () => {
    const cwd = folder();
    await createWorkProfile(cwd);
    expect((await settings(cwd, { baseUrl: 'https://evil.example/v1' })).key).toBeUndefined();
    expect((await settings(cwd, {}, { env: { MODELWIRE_BASE_URL: 'https://evil.example/v1' } })).key).toBeUndefined();
  });

  test('use the key of a server in this folder only for this machine', async () => {
    const cwd = folder();
    mkdirSync(join(cwd, '.modelwire'));
    writeFileSync(join(cwd, '.modelwire/api-key'), 'local-key\n');
    expect((await settings(cwd)).key).toEqual({ value: 'local-key', source: './.modelwire/api-key' });
    expect((await settings(cwd, { baseUrl: 'http://10.0.0.1/v1' })).key).toBeUndefined();
  });

  test('read a key from a file or from stdin', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'key'), `${secret}\n`);
    expect((await settings(cwd, { keyFile: 'key' })).key?.value).toBe(secret);
    expect((await settings(cwd, { keyFile: '-' }, { stdin: `${secret}\nrest` })).key?.value).toBe(secret);
    const { code } = await runCommand(['config', 'list', '--key-file', 'nothing'], { cwd });
    expect(code).toBe(EXIT.config);
  });

  test.each([
    ['{', 'not valid JSON'],
    ['[]', 'expected a JSON object'],
    ['{"profiles":{"a":{"kye":"x"}}}', 'unknown field profiles.a.kye'],
    ['{"profiles":{"a":{"model":1}}}', 'profiles.a.model must be a string'],
  ])('of an invalid file are rejected by name: %s', async (text, problem) => {
    const cwd = folder();
    mkdirSync(join(cwd, '.config/modelwire'), { recursive: true });
    writeFileSync(join(cwd, '.config/modelwire/config.json'), text);
    const { code, err } = await runCommand(['models', 'list', '--json'], { cwd });
    expect(code).toBe(EXIT.config);
    expect(lines(err)).toMatchObject([{ error: { message: expect.stringContaining(problem) as unknown } }]);
  });

  test('are in the XDG folders, unless these are relative paths', async () => {
    const cwd = folder();
    const xdg = join(cwd, 'elsewhere');
    const path = async (value: string) =>
      (
        lines((await runCommand(['config', 'path', '--json'], { cwd, env: { XDG_CONFIG_HOME: value } })).out)[0] as {
          config: string;
        }
      ).config;
    expect(await path(xdg)).toBe(join(xdg, 'modelwire/config.json'));
    expect(await path('relative')).toBe(join(cwd, '.config/modelwire/config.json'));
  });
});
