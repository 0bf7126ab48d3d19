import { expect, test } from 'vitest';
import { hiddenUntil, withoutLeadingNewlines } from './guide/hidden-reasoning.ts';
import { advanceGuide, anyText, literal, endGuide } from './guide/guide.ts';
import { serveTiny, serveTinyForFile, tokenId, userMessage } from './testing/serve-tiny.ts';

const opening = `{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}{% endfor %}{{ '<|im_start|>assistant\n' }}`;
const chatTemplate = `${opening}{% if not enable_thinking %}{{ '<think>\n\n</think>\n\n' }}{% endif %}`;

const served = await serveTinyForFile({ chatTemplate });

const messages = userMessage('How long is the river?');
const schema = {
  type: 'object',
  properties: { km: { type: 'integer' } },
  required: ['km'],
  additionalProperties: false,
};
const response_format = { type: 'json_schema', json_schema: { name: 'river', strict: true, schema } };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test('a model with optional reasoning reasons only when requested', async () => {
  const { capabilities } = served.engine.models()[0]!;
  expect(capabilities.efforts).toEqual({ values: ['none', 'medium'], default: 'none' });
  const { usage, choices } = await served.complete({ messages, response_format });
  expect(usage!.completion_tokens_details!.reasoning_tokens).toBe(0);
  expect(JSON.parse(choices[0]!.message.content!)).toHaveProperty('km');
  expect(await served.errorOf({ messages, reasoning_effort: 'high' })).toMatchObject({
    status: 400,
    param: 'reasoning_effort',
  });
});

test('reasoning is hidden and counted, and ends early enough for the response format', async () => {
  for (const seed of [1, 2, 3]) {
    const body = { messages, response_format, seed, reasoning_effort: 'medium', max_completion_tokens: 150 };
    const { usage, choices } = await served.complete(body);
    expect(JSON.parse(choices[0]!.message.content!)).toHaveProperty('km');
    const { reasoning_tokens } = usage!.completion_tokens_details!;
    expect(reasoning_tokens).toBeGreaterThan(100);
    expect(usage!.completion_tokens).toBeGreaterThan(reasoning_tokens!);
    expect(usage!.completion_tokens).toBeLessThanOrEqual(150);
    const chunks = await served.stream(body);
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe(choices[0]!.message.content);
  }
});

test('the limit also ends reasoning without a response format, and log probabilities do not include reasoning', async () => {
  const end = { [tokenId('<|im_end|>')]: 100 };
  const { usage, choices } = await served.complete({
    ...{ messages, reasoning_effort: 'medium', seed: 1, logprobs: true, max_completion_tokens: 60, logit_bias: end },
  });
  expect(choices[0]!.message.content).toBe('');
  expect(choices[0]!.logprobs!.content ?? []).toEqual([]);
  expect(usage!.completion_tokens_details!.reasoning_tokens).toBeGreaterThan(40);
});

test('rejects reasoning_effort for a model without optional reasoning', async () => {
  const plain = await serveTiny({ chatTemplate: opening });
  expect(await plain.errorOf({ messages, reasoning_effort: 'medium' })).toMatchObject({
    status: 400,
    param: 'reasoning_effort',
  });
  await plain.close();
});

test('hides reasoning that the template itself opens', async () => {
  const opened = await serveTiny({ chatTemplate: `${opening}{{ '<think>\n' }}` });
  const { usage, choices } = await opened.complete({ messages, response_format, max_completion_tokens: 100, seed: 2 });
  expect(JSON.parse(choices[0]!.message.content!)).toHaveProperty('km');
  expect(usage!.completion_tokens_details!.reasoning_tokens).toBeGreaterThan(0);
  await opened.close();
});

test('reasoning ends only at its delimiter, and line breaks after it are not part of the reply', () => {
  const thoughts = hiddenUntil('</t>', () =>
    withoutLeadingNewlines(
      2,
      literal('{', () => endGuide),
    ),
  );
  expect(thoughts.canEnd).toBe(false);
  expect(new TextDecoder().decode(advanceGuide(thoughts, bytes('so </'))!.completion())).toBe('t>{');
  expect(advanceGuide(thoughts, bytes('so </t>{'))?.mustEnd).toBe(true);
  expect(advanceGuide(thoughts, bytes('so </t>\n\n{'))?.mustEnd).toBe(true);
  expect(advanceGuide(thoughts, bytes('so </t>\n\n\n'))).toBeUndefined();
  const said = withoutLeadingNewlines(1, anyText);
  expect(said.outputOf(0x0a).channel).toBe('none');
  expect(said.advance(0x0a)!.outputOf(0x0a).channel).toBe('text');
});
