import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from './exit-codes.ts';
import { run } from './run.ts';
import { fakeService } from './testing/fake-service.ts';
import { fakeTerminal, folder, lines, runCommand } from './testing/fake-terminal.ts';
import { serve } from './testing/server.ts';
import type { Served } from './testing/server.ts';

let server: Served;
beforeAll(async () => (server = await serve()));
afterAll(() => server.stop());

describe('mock', () => {
  async function mock(replies: string, words: readonly string[] = []) {
    const terminal = fakeTerminal();
    writeFileSync(join(terminal.cwd, 'replies.yaml'), replies);
    const ended = run(['mock', 'replies.yaml', '--port', '0', '--json', ...words], terminal);
    await expect.poll(terminal.out).toContain('base_url');
    const [{ base_url, api_key }] = lines(terminal.out()) as [{ base_url: string; api_key: string }];
    return {
      terminal,
      ended,
      env: { MODELWIRE_BASE_URL: base_url, MODELWIRE_API_KEY: api_key, MODELWIRE_MODEL: 'any' },
    };
  }

  test('serves the replies of a file until Ctrl-C', async () => {
    const { terminal, ended, env } = await mock('replies:\n  - reply: Scripted\n');
    expect((await runCommand(['chat', 'Hi'], { env })).out).toBe('Scripted\n');
    terminal.interrupt();
    expect(await ended).toBe(EXIT.ok);
  });

  test('exits with 10 for --strict when a reply was not used', async () => {
    const { terminal, ended } = await mock('replies:\n  - reply: Scripted\n    times: 1\n', ['--strict']);
    terminal.interrupt();
    expect(await ended).toBe(EXIT.unsuccessful);
  });

  test('reports the position of an error in the file', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'replies.yaml'), 'replies:\n  - when: { mesage: x }\n    reply: y\n');
    const { code, err } = await runCommand(['mock', 'replies.yaml'], { cwd });
    expect([code, err]).toEqual([EXIT.usage, expect.stringMatching(/replies\.yaml:2:\d+: .*mesage/)]);
  });
});

describe('replay', () => {
  async function replay(cwd: string, words: readonly string[] = []) {
    const terminal = fakeTerminal({ cwd, env: server.env });
    const ended = run(['replay', 'recording.yaml', '--port', '0', '--json', ...words], terminal);
    await expect.poll(terminal.out).toContain('base_url');
    const [{ base_url }] = lines(terminal.out()) as [{ base_url: string }];
    const ask = async (prompt: string) =>
      runCommand(['chat', prompt], { env: { ...server.env, MODELWIRE_BASE_URL: base_url } });
    const stop = () => {
      terminal.interrupt();
      return ended;
    };
    return { ask, stop };
  }

  test('serves what was forwarded and recorded, without the server', async () => {
    const cwd = folder();
    const recording = await replay(cwd, ['--forward']);
    const { out: recorded } = await recording.ask('Hi');
    expect(await recording.stop()).toBe(EXIT.ok);
    expect(readFileSync(join(cwd, 'recording.yaml'), 'utf8')).not.toContain(server.env['MODELWIRE_API_KEY']);
    const replaying = await replay(cwd, ['--strict']);
    expect((await replaying.ask('Hi')).out).toBe(recorded);
    expect((await replaying.ask('Bye')).err).toContain('was not recorded');
    expect(await replaying.stop()).toBe(EXIT.unsuccessful);
  });
});

describe('conform', () => {
  test('scores a server, and writes a report', async () => {
    const cwd = folder();
    const words = ['conform', '--only', 'models', '--report', 'junit', '-o', 'junit.xml'];
    const { code, out, err } = await runCommand(words, { cwd, env: server.env });
    expect(code).toBe(EXIT.ok);
    expect(err).toMatch(/^(\d+ of \d+ checks\b.*\n){5,}$/);
    expect(err).toMatch(/(\d+) of \1 checks\n$/);
    expect(out).toMatch(/models\.list\tGET \/models\t100 %/);
    expect(readFileSync(join(cwd, 'junit.xml'), 'utf8')).toContain('<testsuite');
  });

  test('exits with 10 when a check fails or the score is below --min', async () => {
    const { env } = await fakeService('', 500);
    const words = ['conform', env['MODELWIRE_BASE_URL'] ?? '', '--only', 'models'];
    expect((await runCommand([...words, '--json'], { env })).code).toBe(EXIT.unsuccessful);
    expect((await runCommand([...words, '--min', '100'], { env })).code).toBe(EXIT.unsuccessful);
  });

  test('combines reports without a server', async () => {
    const cwd = folder();
    const env = server.env;
    for (const part of ['1/2', '2/2']) {
      const words = ['conform', '--only', 'models', '--shard', part, '--report', 'json', '-o', `${part[0]}.json`];
      expect((await runCommand(words, { cwd, env })).code).toBe(EXIT.ok);
    }
    const words = ['conform', 'http://127.0.0.1:9/v1', '--only', 'models', '--resume', '1.json', '--resume', '2.json'];
    const { code, out } = await runCommand(words, { cwd, env });
    expect(code).toBe(EXIT.ok);
    expect(out).toMatch(/models\.list\tGET \/models\t100 %/);
    writeFileSync(join(cwd, '1.json'), '{}');
    expect((await runCommand(words, { cwd, env })).code).toBe(EXIT.usage);
  });

  test('with a file of expected failures, exits with 10 only when results change', async () => {
    const cwd = folder();
    const expected = ['--only', 'models', '--expected-failures', 'expected.txt'];
    const failing = await fakeService('', 500);
    const conform = async ({ env }: Pick<typeof failing, 'env'>, ...words: readonly string[]) =>
      (await runCommand(['conform', ...expected, ...words], { cwd, env })).code;
    expect(await conform(failing, '--update-expected-failures')).toBe(EXIT.ok);
    expect(readFileSync(join(cwd, 'expected.txt'), 'utf8')).toMatch(/^models\.list\/\w+ # /m);
    expect(await conform(failing)).toBe(EXIT.ok);
    expect(await conform(server)).toBe(EXIT.unsuccessful);
    expect(await conform(server, '--allow-unexpected-passes')).toBe(EXIT.ok);
    writeFileSync(join(cwd, 'expected.txt'), 'models.list/none\n');
    expect(await conform(failing)).toBe(EXIT.usage);
  });

  test.each([
    ['2 for an unknown endpoint or check', ['--only', 'nonsense'], {}, EXIT.usage],
    ['2 for an invalid base URL', ['nonsense'], {}, EXIT.usage],
    ['4 when the server cannot be reached', ['http://127.0.0.1:9/v1', '--retries', '0'], {}, EXIT.connection],
    ['5 when the server rejects the key', [], { MODELWIRE_API_KEY: 'wrong-key-1234' }, EXIT.unauthorized],
  ])('exits with %s', async (_, words, env, code) => {
    expect((await runCommand(['conform', ...words], { env: { ...server.env, ...env } })).code).toBe(code);
  });

  test('deletes what the checks created, also at Ctrl-C', async () => {
    const files = async () => (await runCommand(['files', 'list', '--json'], { env: server.env })).out;
    const before = await files();
    const terminal = fakeTerminal({ env: server.env });
    const ended = run(['conform', '--only', 'files,uploads,batches', '-j', '1'], terminal);
    await expect.poll(files).not.toBe(before);
    terminal.interrupt();
    expect(await ended).toBe(EXIT.interrupted);
    expect(terminal.err()).toContain('Interrupted. Deleting what the checks created on the server.');
    expect(terminal.err()).not.toContain('not deleted');
    expect(await files()).toBe(before);
  });

  test('shows what is done, what failed and what runs, of a part and of a resumed run', async () => {
    const cwd = folder();
    const { env } = await fakeService('', 500);
    const conform = async (words: readonly string[], tty = false) => {
      const options = { cwd, env, tty: { stderr: tty } };
      return (await runCommand(['conform', '--only', 'models', '-j', '1', ...words], options)).err;
    };
    const log = await conform(['--shard', '1/2', '--report', 'json', '-o', '1.json']);
    expect(log).toMatch(/^part 1\/2: \d+ of \d+ checks, \d+ failed/m);
    const bar = await conform(['--shard', '1/2'], true);
    expect(bar).toMatch(/part 1\/2: .*\d+ failed \[#+\]\s+100%  (\d+) of \1/);
    const resumed = await conform(['--resume', '1.json']);
    expect(resumed).toMatch(/^\d+ of \d+ checks have results; \d+ are left\n/);
    expect(resumed.match(/^\d+ of \d+ checks/gm)?.length).toBeLessThan(9);
  });

  test('exits with 130 at Ctrl-C, whatever the score is so far', async () => {
    const { env, requested } = await fakeService('', 'hangs');
    const terminal = fakeTerminal({ env });
    const ended = run(['conform', '--only', 'models', '--min', '0'], terminal);
    await requested;
    terminal.interrupt();
    expect(await ended).toBe(EXIT.interrupted);
  });
});
