import { expect, onTestFinished, test } from 'vitest';
import { randomId } from './ids.ts';
import { nowInSeconds } from './clock.ts';
import { setTestOverrides } from './test-overrides.ts';
import { listen } from './testing/listen.ts';
import { says, scriptedEngine } from './testing/scripted-engine.ts';

test('clients see the IDs and the time of test overrides; without overrides IDs are random and the clock is real', async () => {
  const before = Math.floor(Date.now() / 1000);
  onTestFinished(() => setTestOverrides(undefined));
  setTestOverrides({ id: (prefix) => (prefix === 'chatcmpl-' ? 'chatcmpl-1' : undefined), now: () => 5000 });
  const { client } = await listen({ engines: [scriptedEngine(() => says('yes'))] });
  const messages = [{ role: 'user' as const, content: 'Is it?' }];
  expect(await client.chat.completions.create({ model: 'scripted', messages })).toMatchObject({
    id: 'chatcmpl-1',
    created: 5,
  });
  expect(randomId('file-')).toMatch(/^file-\w{24}$/);
  setTestOverrides({ id: () => undefined, now: () => undefined });
  expect(nowInSeconds()).toBeGreaterThanOrEqual(before);
});
