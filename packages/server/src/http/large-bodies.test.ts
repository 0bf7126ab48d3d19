import { expect, onTestFinished, test, vi } from 'vitest';
import { listen } from '../testing/listen.ts';
import { says, scriptedEngine } from '../testing/scripted-engine.ts';
import { yieldAfterLarge } from '../timers.ts';

test('decoding, checking, parsing and validating a large body have a turn of the event loop each', async () => {
  const { post } = await listen({ engines: [scriptedEngine(() => says('yes'))] });
  const schedule = vi.spyOn(globalThis, 'setImmediate');
  onTestFinished(() => schedule.mockRestore());
  async function turnsOf(content: string): Promise<number> {
    schedule.mockClear();
    const response = await post({ model: 'scripted', messages: [{ role: 'user', content }] });
    expect(response.status).toBe(200);
    await response.text();
    return schedule.mock.calls.filter(([run]) => /resolve|native code/.test(String(run))).length;
  }
  const small = await turnsOf('a');
  expect((await turnsOf('a '.repeat(1024 * 1024))) - small).toBeGreaterThanOrEqual(5);
});

test('work on a large text yields to the event loop after a step, work on a small one does not', async () => {
  expect(yieldAfterLarge(1024 * 1024 - 1)).toBeUndefined();
  let hasRun = false;
  setImmediate(() => (hasRun = true));
  await yieldAfterLarge(1024 * 1024);
  expect(hasRun).toBe(true);
});
