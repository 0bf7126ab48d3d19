import { expect, test } from 'vitest';
import { createForwardedUsage } from './forwarded-usage.ts';

const meter = (path: string, contentType = 'application/json') =>
  createForwardedUsage({ method: 'POST', path, contentType, hasBody: true });

test('a request is estimated by the size of its body, and by as much output as a chat without a limit', () => {
  const estimate = { prompt: 1, requiredOutput: 0, maxOutput: 100 + 4096, outputToAdmit: 0 };
  expect(meter('/messages')?.estimate(300)).toEqual(estimate);
});

test('a request is estimated by its output limit, for each choice, up to what any model can generate', () => {
  const limited = (members: object) => {
    const usage = meter('/messages');
    usage?.readLimits({ ...members });
    return usage?.estimate(300).maxOutput;
  };
  expect(limited({ max_tokens: 50, n: 3 })).toBe(100 + 150);
  expect(limited({ max_tokens: 2 ** 53 - 1, n: 2 ** 53 - 1 })).toBe(1_000_000);
});

test('a body of unknown size is estimated like the largest', () => {
  expect(meter('/messages')?.estimate(undefined)).toEqual(meter('/messages')?.estimate(3e7));
});

test('a request without output, or with a body that is no text, reserves none for them', () => {
  expect(meter('/v2/embeddings')?.estimate(300)).toMatchObject({ maxOutput: 100, outputToAdmit: 0 });
  const form = (bytes: number) => meter('/audio/transcriptions', 'multipart/form-data')?.estimate(bytes);
  expect(form(3e6)).toEqual(form(0));
  expect(meter('/messages')?.estimate(3e7).maxOutput).toBeLessThan(100_000);
});
