import { expect, test } from 'vitest';
import { createUsageMeter } from './usage-meter.ts';

const meter = (path: string, contentType = 'application/json') =>
  createUsageMeter({ method: 'POST', path, contentType, hasBody: true });

test('a request is estimated by the size of its body, and by as much output as a chat without a limit', () => {
  const estimate = { prompt: 1, requiredOutput: 0, maxOutput: 100 + 4096, outputToAdmit: 0 };
  expect(meter('/messages')?.estimate(300)).toEqual(estimate);
});

test('a request without output, or with a body that is no text, reserves none for them', () => {
  expect(meter('/v2/embeddings')?.estimate(300)).toMatchObject({ maxOutput: 100, outputToAdmit: 0 });
  const form = (bytes: number) => meter('/audio/transcriptions', 'multipart/form-data')?.estimate(bytes);
  expect(form(3e6)).toEqual(form(0));
  expect(meter('/messages')?.estimate(3e7).maxOutput).toBeLessThan(100_000);
});
