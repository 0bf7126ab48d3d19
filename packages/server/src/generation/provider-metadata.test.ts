import { expect, test } from 'vitest';
import { createServer } from '../server.ts';
import { says, scriptedEngine } from '../testing/scripted-engine.ts';

const messages = [
  { role: 'user', content: 'Hello' },
  { role: 'assistant', content: 'Hi.', provider_metadata: { provider: 'anthropic', parts: [] } },
  { role: 'user', content: 'Go on.' },
];

test.each([
  [true, 'receives it'],
  [false, 'does not receive it'],
])('provider_metadata of an assistant message (declared: %s): the engine %s', async (provider_metadata) => {
  const engine = scriptedEngine(() => says('Yes.'), { can: { provider_metadata } });
  const server = createServer({ engines: [engine], keys: 'open' });
  const response = await server.fetch(
    new Request('http://localhost/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'scripted', messages }),
    }),
  );
  expect(response.status).toBe(200);
  const [received] = engine.asked;
  for (const messagesOfEngine of [received?.request.messages, received?.context.requestBody.messages]) {
    expect(messagesOfEngine).toHaveLength(3);
    expect(messagesOfEngine?.some((message) => 'provider_metadata' in message)).toBe(provider_metadata);
  }
  await server.close(0);
});
