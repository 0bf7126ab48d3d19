import { expect, test } from 'vitest';
import { createUsageReader } from './usage-reader.ts';

function usageOf(contentType: string, text: string) {
  const results = [1, 3, 1000].map((pieceBytes) => {
    const reader = createUsageReader(contentType);
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += pieceBytes) reader?.write(bytes.subarray(at, at + pieceBytes));
    reader?.end();
    return reader?.usage;
  });
  expect(new Set(results.map((usage) => JSON.stringify(usage))).size).toBe(1);
  return results[0];
}

const counted = (prompt: number, completion: number) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});

test.each([
  ['embeddings', { data: [{ embedding: [0.1] }], usage: { prompt_tokens: 5, total_tokens: 5 } }, counted(5, 0)],
  ['images', { usage: { input_tokens: 7, output_tokens: 100, total_tokens: 107 } }, counted(7, 100)],
  ['rerank', { usage: { total_tokens: 12 } }, counted(12, 0)],
  [
    'responses',
    { usage: { input_tokens: 9, input_tokens_details: { cached_tokens: 4 }, output_tokens: 2, total_tokens: 11 } },
    { ...counted(9, 2), prompt_tokens_details: { cached_tokens: 4 } },
  ],
  [
    'messages',
    { usage: { input_tokens: 10, cache_read_input_tokens: 90, cache_creation_input_tokens: 5, output_tokens: 3 } },
    { ...counted(105, 3), prompt_tokens_details: { cached_tokens: 90 } },
  ],
  ['a duration', { usage: { type: 'duration', seconds: 3 } }, undefined],
  ['numbers that are none', { usage: { prompt_tokens: -1, completion_tokens: 'x', total_tokens: 1e300 } }, undefined],
  ['no object', { usage: 5 }, undefined],
  ['none', { data: [{ usage: { total_tokens: 1 } }] }, undefined],
])('reads the usage of JSON replies: %s', (_, reply, expected) => {
  expect(usageOf('application/json; charset=utf-8', JSON.stringify(reply, null, 1))).toEqual(expected);
});

test.each([
  [
    'chat chunks',
    ['data: {"choices":[],"usage":null}', 'data: {"usage":{"prompt_tokens":3,"completion_tokens":4}}', 'data: [DONE]'],
    counted(3, 4),
  ],
  [
    'events of a response',
    [
      ': comment',
      'event: response.completed',
      'data: {"type":"response.completed","response":{"usage":{"input_tokens":3,"output_tokens":4}}}',
    ],
    counted(3, 4),
  ],
  [
    'events of a message, whose parts are added up',
    ['data: {"message":{"usage":{"input_tokens":3,"output_tokens":1}}}', 'data:{"usage":{"output_tokens":8}}'],
    counted(3, 8),
  ],
  ['none', ['event: usage', 'usage: {"usage":{"total_tokens":1}}'], undefined],
])('reads the usage of server-sent events: %s', (_, lines, expected) => {
  for (const lineBreak of ['\n', '\r\n']) {
    const text = lines.map((line) => line + lineBreak + lineBreak).join('');
    expect(usageOf('text/event-stream', text)).toEqual(expected);
  }
});

test('reads the usage of large events, and nothing of a stream after one that is too large', () => {
  const completed = (outputTokens: number, padding: number) => {
    const response = { output: 'x'.repeat(padding), usage: { input_tokens: 3, output_tokens: outputTokens } };
    return `data: ${JSON.stringify({ type: 'response.completed', response })}\n\n`;
  };
  expect(usageOf('text/event-stream', completed(4, 300_000))).toEqual(counted(3, 4));
  const reader = createUsageReader('text/event-stream');
  for (const event of [completed(5, 0), completed(6, 9_000_000), completed(7, 0)]) reader?.write(Buffer.from(event));
  reader?.end();
  expect(reader?.usage).toEqual(counted(3, 5));
});

test('reads no usage of other replies', () => {
  expect(createUsageReader('audio/mpeg')).toBeUndefined();
  expect(createUsageReader(undefined)).toBeUndefined();
});
