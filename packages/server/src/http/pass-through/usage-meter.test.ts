import { expect, test } from 'vitest';
import { createUsageMeter } from './usage-meter.ts';

const meter = (path: string, contentType = 'application/json') =>
  createUsageMeter({ method: 'POST', path, contentType, hasBody: true });
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test('a request is estimated by the size of its body, and by the output limit that was read before its model', () => {
  const body = bytes('{"max_tokens": 50, "n": 2, "model": "m"');
  expect(meter('/v2/completions')?.estimate(300, body)).toEqual({
    prompt: 100,
    requiredOutput: 100,
    maxOutput: 100,
    outputToAdmit: 100,
  });
});

test('a request whose output limit is unknown reserves as much as a chat request without one', () => {
  const estimate = { prompt: 100, requiredOutput: 1, maxOutput: 4096, outputToAdmit: 256 };
  expect(meter('/messages')?.estimate(300, bytes('{"model": "m"'))).toEqual(estimate);
  expect(meter('/messages')?.estimate(300, undefined)).toEqual(estimate);
});

test('a request without output, or with a body that is no text, reserves none for them', () => {
  expect(meter('/v2/embeddings')?.estimate(300, undefined)).toMatchObject({ prompt: 100, maxOutput: 0 });
  expect(meter('/audio/transcriptions', 'multipart/form-data')?.estimate(3e6, undefined)).toMatchObject({ prompt: 1 });
  expect(meter('/messages')?.estimate(3e7, undefined).prompt).toBeLessThan(100_000);
});
