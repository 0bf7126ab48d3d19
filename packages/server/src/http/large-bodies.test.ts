import { expect, onTestFinished, test, vi } from 'vitest';
import { listen } from '../testing/listen.ts';
import { says, scriptedEngine } from '../testing/scripted-engine.ts';

test('decoding, checking, parsing and validating a large body have a turn of the event loop each', async () => {
  const { post } = await listen({ engines: [scriptedEngine(() => says('yes'))] });
  const schedule = vi.spyOn(globalThis, 'setImmediate');
  onTestFinished(() => schedule.mockRestore());
  async function turnsOf(content: string): Promise<number> {
    schedule.mockClear();
    const response = await post({ model: 'scripted', messages: [{ role: 'user', content }] });
    expect(response.status).toBe(200);
    await response.text();
    // That of `yieldToEventLoop`.
    return schedule.mock.calls.filter(([run]) => run.name === 'continueNext').length;
  }
  const small = await turnsOf('a');
  expect((await turnsOf('a '.repeat(1024 * 1024))) - small).toBeGreaterThanOrEqual(4);
});
