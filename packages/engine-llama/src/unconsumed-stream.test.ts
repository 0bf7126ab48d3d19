import { expect, onTestFinished, test } from 'vitest';
import { serveTiny, userMessage } from './testing/serve-tiny.ts';

test('releases the sequence of a stream that is not consumed', async () => {
  const served = await serveTiny({ sequences: 1, contextSize: 2048 });
  onTestFinished(() => served.close());
  // The end token is never sampled: the reply has the maximum number of tokens.
  const body = {
    messages: userMessage('rivers'),
    logit_bias: { '46': -100 },
    max_completion_tokens: 1000,
    temperature: 0,
  };
  const unread = await Promise.all([1, 2].map(() => served.post({ ...body, stream: true })));
  expect(unread.map(({ status }) => status)).toEqual([200, 200]);
  const { choices } = await served.complete({ messages: userMessage('rain'), max_completion_tokens: 2 });
  expect(choices).toHaveLength(1);
  const texts = await Promise.all(unread.map((response) => response.text()));
  for (const text of texts) expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
});
