import { expect, test } from 'vitest';
import { createServer } from '../server.ts';
import { says, scriptedEngine } from '../testing/scripted-engine.ts';

const messages = [
  { role: 'user', content: 'Hello' },
  {
    role: 'assistant',
    content: 'Hi.',
    provider_metadata: { provider: 'anthropic', parts: [] },
    reasoning_content: 'A greeting.',
  },
  { role: 'user', content: 'Go on.' },
];

test.each([
  [true, 'receives it'],
  [false, 'does not receive it'],
])(
  'provider_metadata of an assistant message (declared: %s): the engine %s, and its reasoning otherwise',
  async (declared) => {
    const can = { provider_metadata: declared, reasoning_content: !declared };
    const engine = scriptedEngine(() => says('Yes.'), { can });
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
      expect(messagesOfEngine?.some((message) => 'provider_metadata' in message)).toBe(declared);
      expect(messagesOfEngine?.some((message) => 'reasoning_content' in message)).toBe(!declared);
    }
    await server.close(0);
  },
);
