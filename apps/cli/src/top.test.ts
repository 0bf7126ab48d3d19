import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXIT } from './exit-codes.ts';
import { run } from './run.ts';
import { fakeService } from './testing/fake-service.ts';
import { fakeTerminal, runCommand } from './testing/fake-terminal.ts';
import { serve } from './testing/server.ts';
import type { Served } from './testing/server.ts';

const tty = { stdin: true, stdout: true, stderr: true };

let server: Served;
beforeAll(async () => {
  server = await serve({
    simulator: { tokensPerSecond: 50 },
    upstreams: [{ name: 'broken', baseURL: 'http://127.0.0.1:1/v1' }],
  });
});
afterAll(() => server.stop());

test('top prints a snapshot in a pipe: activity, engines, upstreams and batches', async () => {
  await runCommand(['chat', 'Hello'], { env: server.env });
  const words = ['batches', 'create', '-', '--model', 'simulator', '--prompt', '{{line}}', '--json'];
  const created = await runCommand(words, { env: server.env, stdin: 'word\n'.repeat(200) });
  const { id } = JSON.parse(created.out) as { id: string };
  const { code, out, err } = await runCommand(['top'], { env: server.adminEnv });
  expect([code, err]).toEqual([EXIT.ok, '']);
  expect(out).toMatch(/^Modelwire \S+: \d+ requests in flight, \d+ waiting, \d+ batches\n/);
  expect(out).toMatch(/^last hour\t[1-9]/m);
  expect(out).toMatch(/^simulator\t\d+\t\d+\t\d+$/m);
  expect(out).toMatch(/^broken\t/m);
  expect(out).toMatch(new RegExp(`^${id}\t\\w+\t`, 'm'));
  expect(out).not.toContain('\u001b');
  const json = JSON.parse((await runCommand(['top', '--json'], { env: server.adminEnv })).out) as object;
  expect(json).toMatchObject({
    activity: [{ period: 'this minute' }, { period: 'last minute' }, { period: 'last hour' }],
    upstreams: [{ name: 'broken' }],
  });
  await runCommand(['batches', 'cancel', id], { env: server.env });
});

test('top redraws the terminal until q, and shows why it cannot read the server', async () => {
  const own = await serve();
  const terminal = fakeTerminal({ env: own.adminEnv, tty, typing: true });
  const ended = run(['top', '--interval', '0.1', '--retries', '0'], terminal);
  await expect.poll(() => terminal.out().split('\u001b[H').length).toBeGreaterThan(3);
  expect(terminal.out()).toMatch(/^\u001b\[\?1049h\u001b\[\?25l/);
  expect(terminal.out()).toContain('q quits');
  await own.stop();
  await expect.poll(terminal.out).toMatch(/\u001b\[31m.*(refuse|connect|fetch)/i);
  terminal.type('q');
  expect(await ended).toBe(EXIT.ok);
  expect(terminal.out()).toMatch(/\u001b\[\?25h\u001b\[\?1049l$/);
});

test('top --once prints tables that fit the terminal', async () => {
  const { out } = await runCommand(['top', '--once'], { env: server.adminEnv, tty, columns: 80 });
  expect(out).toMatch(/period +requests +errors/);
  expect(out).not.toContain('\u001b[?1049h');
  for (const line of out.replaceAll(/\u001b\[\d*m/g, '').split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

test('top names what is missing: the right key, or a Modelwire server', async () => {
  const other = await fakeService('no', 404);
  const { code, err } = await runCommand(['top'], { env: other.env });
  expect([code, err]).toEqual([EXIT.notFound, expect.stringContaining('has no API of the console.')]);
  const wrong = await runCommand(['top'], { env: { ...server.env, MODELWIRE_API_KEY: 'another-key-of-a-test' } });
  expect(wrong.code).toBe(EXIT.unauthorized);
});
